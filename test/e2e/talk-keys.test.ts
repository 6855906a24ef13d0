/** Keys of a conversation: they answer no question of the flow after it. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { AGENT_HZ, type Live, OTHER_NUMBER, startLive } from './live.ts'

const FLOW = `flow: opinion
start: team
steps:
  team: { queue: { team: collections, timeout: 20s }, next: ask }
  ask:
    menu: { prompt: Press 1 if you were helped., keys: { "1": helped }, firstDigitTimeout: 1s, tries: 1 }
    on: { noInput: silent }
  helped: { hangup: {} }
  silent: { hangup: {} }
`

let live: Live

beforeAll(async () => {
  live = await startLive({ flow: FLOW })
})

afterAll(() => live?.close())

test('a key from before or during a conversation does not answer the menu after it', async () => {
  const cleo = await live.agent('cleo', { does: 'answer', afterMs: 2_500, hangsUpAfterMs: 5_000 })
  const phone = await live.call('+4556000011', { presses: [{ afterMs: 500, keys: '1' }] }, OTHER_NUMBER)
  await phone.ear.whenHeard(AGENT_HZ, 500)
  phone.press('1')
  expect((await phone.record).path).toEqual(['team', 'ask', 'silent'])
  await cleo.close()
})
