/** Callers who say the digits of a number, on a real Asterisk, to PocketSphinx. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findTree } from '../../asterisk/tree.ts'
import { seededRandom } from '../../src/kernel/random.ts'
import { after, spoken, withNoise } from '../support/spoken.ts'
import { type Live, OTHER_NUMBER, startLive } from './live.ts'

const FLOW = `flow: spoken
start: ask
activity: { systemLookupCode: "\${number}" }
steps:
  ask:
    gather: { prompt: Number?, digits: 4, by: [keys, speech], tries: 1, firstDigitTimeout: 10s }
    as: number
    next: bye
    on: { invalid: wrong, noInput: silent, failed: wrong }
  wrong: { hangup: { say: Wrong., outcome: wrong } }
  silent: { hangup: { say: Silent., outcome: silent } }
  bye: { hangup: { say: Goodbye., outcome: understood } }
`
/** The prompt is over by then. */
const PROMPT_MS = 2_500
const { espeakNg, pocketsphinx } = findTree(process.env['SWITCHBOARD_TEST_TREE']!)!
/** Both models understand the clear voice; only one is sure of the slow one (found by trying). */
const CLEAR = { espeakNg, voice: 'en-us+f5', wordsAMinute: 115 }
const SLOW = { espeakNg, voice: 'en-us+f2', wordsAMinute: 110 }

let live: Live

beforeAll(async () => {
  live = await startLive({ flow: FLOW, settings: { listen: pocketsphinx } })
})

afterAll(() => live?.close())

/** Calls, and says this; `presses` as in `Caller`. */
async function calls(number: string, says: Int16Array, presses: readonly { afterMs: number; keys: string }[] = []) {
  const phone = await live.call(number, { speaks: [], presses, waitsMaxMs: 60_000 }, OTHER_NUMBER)
  expect(await phone.answered).toBe(true)
  phone.speak(says)
  const record = await phone.record
  await live.service.journal.flush()
  const lines = (await live.service.journal.read(record.call)).map(({ what }) => what)
  return { record, lines, said: lines.filter(({ type }) => type === 'leg.said') }
}

test('a caller says four digits', async () => {
  const { record, said } = await calls('+4554000001', after(PROMPT_MS, await spoken('4711', CLEAR)))
  expect(said).toMatchObject([{ text: 'four seven one one', confidence: 0.95 }])
  expect(record).toMatchObject({ outcome: 'understood', activity: { systemLookupCode: '4711' } })
})

test('who is not heard well hears the digits again, and presses 1', async () => {
  const { record, said, lines } = await calls('+4554000002', after(PROMPT_MS, await spoken('4711', SLOW)), [
    { afterMs: PROMPT_MS + 12_000, keys: '1' },
  ])
  expect(said).toMatchObject([{ text: 'four seven one one', confidence: 0.5 }])
  expect(record).toMatchObject({ outcome: 'understood', activity: { systemLookupCode: '4711' } })
  const prompts = lines.filter(({ type }) => type === 'play').map(({ say }) => JSON.stringify(say))
  expect(prompts[1]).toContain('I heard 4, 7, 1, 1. If this is right, press 1.')
})

test('noise on the line is no speech, and digits are heard over it', async () => {
  const words = after(PROMPT_MS, await spoken('4711', CLEAR), new Int16Array(16_000))
  const sound = withNoise(words, 400, seededRandom(1))
  const { record, said } = await calls('+4554000003', sound, [{ afterMs: PROMPT_MS + 12_000, keys: '1' }])
  expect(said).toMatchObject([{ text: 'four seven one one' }])
  expect(record).toMatchObject({ outcome: 'understood', activity: { systemLookupCode: '4711' } })
})

test('a key wins: what the caller says is thrown away', async () => {
  const sound = after(PROMPT_MS, await spoken('4711', CLEAR))
  const { record, said } = await calls('+4554000004', sound, [{ afterMs: PROMPT_MS + 1_500, keys: '2583' }])
  expect(said).toEqual([])
  expect(record).toMatchObject({ outcome: 'understood', activity: { systemLookupCode: '2583' } })
})

test('who says nothing is not heard', async () => {
  const { record, said } = await calls('+4554000005', new Int16Array(0))
  expect([record.outcome, said]).toEqual(['silent', []])
})
