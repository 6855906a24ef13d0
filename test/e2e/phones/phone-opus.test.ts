/** An agent's browser that talks Opus with a real switch, beside a carrier that takes G.711 alone. */
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { BROWSER_PATIENCE_MS } from '../../support/browser.ts'
import { openPhonePlace, type PhonePlace, statsOf } from './phone-place.ts'

let place: PhonePlace
let page: Page

beforeAll(async () => {
  place = await openPhonePlace(undefined, { browserKeys: ', opus: true' })
  page = await place.openPage()
  expect(await place.it.becomes('anna', 'ready')).toBe(true)
}, BROWSER_PATIENCE_MS)
afterAll(() => place?.close())

test('x', async () => {
  const { asterisk } = place.it.service
  const cli = (c: string) =>
    execFileSync(asterisk!.tree.asterisk, ['-C', join(asterisk!.runDirectory, 'etc/asterisk.conf'), '-rx', c], {
      encoding: 'utf8',
    })
  console.log(cli('core show codecs audio'))
  console.log(cli('core show translation'))
  console.log(cli('core show channels verbose'))
  console.log(JSON.stringify((await statsOf(page)).filter((r) => r['type'] === 'codec')))
  const { callee } = await place.calls()
  expect(await place.hears(callee.ear)).toBe(true)
  expect(await place.pageHears(page)).toBe(true)
  console.log(cli('core show channels verbose'))
  console.log(
    JSON.stringify(
      (await statsOf(page))
        .filter((r) => /rtp|codec/.test(r['type']))
        .map((r) => [r['type'], r['codecId'], r['mimeType'], r['packetsReceived']]),
    ),
  )
  callee.hangUp()
})
