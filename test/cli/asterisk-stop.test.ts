import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { claimService } from '../../src/app/pid-file.ts'
import { readSettings } from '../../src/app/settings.ts'
import { asteriskStop } from '../../src/cli/asterisk.ts'

test('Asterisk is not stopped beside a running service, which would restart it', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'switchboard-stop-'))
  const lines: string[] = []
  const stop = () => asteriskStop({ ...readSettings({}).settings!, dataDir }, (line) => void lines.push(line))
  const claim = claimService(dataDir)
  expect(await stop()).toBe(1)
  if ('release' in claim) claim.release()
  expect(await stop()).toBe(0)
  expect(lines).toEqual([expect.stringContaining('stop the service first'), 'no Asterisk of this installation runs'])
})
