import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { reloadAsterisk } from '../../asterisk/reload.ts'
import type { AsteriskTree } from '../../asterisk/tree.ts'

const runDirectory = mkdtempSync(join(tmpdir(), 'switchboard-reload-'))
afterAll(() => rmSync(runDirectory, { recursive: true, force: true }))

/** An Asterisk whose console writes down each command, and fails or takes it. */
function consoleThat(exits: number): AsteriskTree {
  const asterisk = join(runDirectory, 'console')
  writeFileSync(asterisk, `#!/bin/sh\necho "$4" >> ${runDirectory}/asked\nexit ${exits}\n`)
  chmodSync(asterisk, 0o755)
  return { asterisk } as AsteriskTree
}

test('a configuration that Asterisk did not take is told again when it is applied again', async () => {
  const config = new Map([['pjsip.conf', '[anna]\n']])
  const apply = (exits: number) => reloadAsterisk({ tree: consoleThat(exits), runDirectory }, config as never)
  expect(await apply(1)).toMatchObject({ ok: false })
  expect(await apply(1)).toMatchObject({ ok: false })
  expect(await apply(0)).toEqual({ ok: true })
  const asked = readFileSync(join(runDirectory, 'asked'), 'utf8').trim().split('\n')
  expect(asked.slice(0, 3)).toEqual(Array(3).fill('module reload res_pjsip.so'))
  expect(asked.slice(3)).toEqual(['dialplan reload', 'moh reload'])
})
