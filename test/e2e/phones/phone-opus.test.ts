/** An agent's browser that talks Opus with a real switch, beside a carrier that takes G.711 alone. */
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { BROWSER_PATIENCE_MS } from '../../support/browser.ts'
import { becomesTrue, credentialOf } from '../campaign-live.ts'
import { fetchRecording, tonesOf } from '../recorded-channels.ts'
import { AGENT_HZ, CALLEE_HZ, openPhonePlace, type PhonePlace, soundOf, statsOf, viewOf } from './phone-place.ts'

let place: PhonePlace
let page: Page

beforeAll(async () => {
  place = await openPhonePlace(['anna'], { browserKeys: ', opus: true' })
  page = await place.openPage()
  expect(await place.it.becomes('anna', 'ready')).toBe(true)
}, BROWSER_PATIENCE_MS)
afterAll(() => place?.close())

/** Of both ways. */
async function codecs(): Promise<unknown[]> {
  const rows = await statsOf(page)
  const used = rows.flatMap(({ type, codecId }) => (/^(in|out)bound-rtp$/.test(String(type)) ? [codecId] : []))
  return used.map((id) => rows.find((row) => row['id'] === id)?.['mimeType'])
}

test('an idle browser is reached, and its leg stays', async () => {
  const { leg } = await viewOf(page)
  const { arrivedBytes } = await soundOf(page)
  // The page would ask for a fresh leg after three seconds without a packet.
  const sent = (await soundOf(page)).sent
  expect(await becomesTrue(place.it.kit.clock, async () => (await soundOf(page)).sent > sent + 250)).toBe(true)
  expect((await soundOf(page)).arrivedBytes).toBeGreaterThan(arrivedBytes)
  expect(await viewOf(page)).toMatchObject({ state: 'live', leg })
})

test('both hear each other with Opus on one side and G.711 on the other, and the recording has both', async () => {
  const { itcaId, callee } = await place.calls({ recording: { mode: 'always', transcribe: false } })
  expect(await place.hears(callee.ear, 600)).toBe(true)
  expect(await place.pageHears(page)).toBe(true)
  expect(await codecs()).toEqual(['audio/opus', 'audio/opus'])
  callee.hangUp()
  const { eactId } = await place.endOf(itcaId)
  const { client, service, kit } = place.it
  const recording = async () => {
    const [call] = await client.ask('POST /svcems/calls/search', { body: { eactIds: [eactId!] } })
    return call?.recordings[0]?.cfreId ?? undefined
  }
  expect(await becomesTrue(kit.clock, async () => (await recording()) !== undefined)).toBe(true)
  const credential = await credentialOf(service.repositories!, kit.clock)
  const { sound } = await fetchRecording(client, credential, (await recording())!, 'bytes=44-')
  // The callee is left, the agent right.
  expect(tonesOf(sound, [CALLEE_HZ, AGENT_HZ])).toEqual([
    [true, false],
    [false, true],
  ])
})
