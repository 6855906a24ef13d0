/** The example of the documentation, run as a reader would run it: as its own program, against a real server. */
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import type { LivePort } from '../../src/ports/live.ts'
import { OURS } from '../rest/rest-world.ts'
import { openWholeWorld, settle } from '../rest/whole-world.ts'

test('the example of docs/client.md works', async () => {
  let endpoint = ''
  const live: Partial<LivePort> = {
    nodes: async () => [{ node: 'node1', endpoint, seenAtMs: Date.now() }],
    onBoard: () => () => {},
  }
  const world = await openWholeWorld(true, { live: live as LivePort })
  try {
    endpoint = world.rest.url
    const { as } = await settle(world, OURS, 'ours', 1)
    const env = {
      PATH: process.env['PATH'],
      SSO_URL: world.rest.ssoUrl,
      TOKENV2: as.tokenv2,
      RCNTRL: as.rcntrl,
      CCNTRL: as.ccntrl,
    }
    const file = join(import.meta.dirname, '../../docs/client-example.ts')
    const { stdout } = await promisify(execFile)(process.execPath, [file], { env })
    expect(stdout.trim().split('\n')).toEqual([
      'signed on in development',
      '2 call tasks were never tried',
      'refused: status 400, code 4',
    ])
  } finally {
    await world.close()
  }
})
