/** Callers who say the digits of a number, on a real Asterisk, to PocketSphinx. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findTree } from '../../asterisk/tree.ts'
import { seededRandom } from '../../src/kernel/random.ts'
import { type Live, OTHER_NUMBER, startLive } from './live.ts'
import { after, spoken, withNoise } from './spoken.ts'

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
const SLOW = { espeakNg, voice: 'en-us', wordsAMinute: 90 }

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

test('a caller says four digits, hears them again, and presses 1', async () => {
  const { record, said, lines } = await calls('+4554000001', after(PROMPT_MS, await spoken('9305', SLOW)), [
    { afterMs: PROMPT_MS + 12_000, keys: '1' },
  ])
  expect(said).toMatchObject([{ text: 'nine three zero five' }])
  expect(record).toMatchObject({ outcome: 'understood', activity: { systemLookupCode: '9305' } })
  const readBack = lines.filter(({ type }) => type === 'play').map(({ say }) => JSON.stringify(say))
  expect(readBack[1]).toContain('I heard 9, 3, 0, 5.')
})

test('noise on the line is no speech, and digits are heard over it', async () => {
  const sound = withNoise(after(PROMPT_MS, await spoken('9305', SLOW), new Int16Array(16_000)), 400, seededRandom(1))
  const { record, said } = await calls('+4554000002', sound, [{ afterMs: PROMPT_MS + 12_000, keys: '1' }])
  expect(said).toHaveLength(1)
  expect(record.activity['systemLookupCode']).toMatch(/^[0-9]{4}$/)
})

test('a key wins: what the caller says is thrown away', async () => {
  const sound = after(PROMPT_MS, await spoken('9305', SLOW))
  const { record, said } = await calls('+4554000003', sound, [{ afterMs: PROMPT_MS + 1_500, keys: '4711' }])
  expect(said).toEqual([])
  expect(record).toMatchObject({ outcome: 'understood', activity: { systemLookupCode: '4711' } })
})

test('who says nothing is not heard', async () => {
  const { record, said } = await calls('+4554000004', new Int16Array(0))
  expect([record.outcome, said]).toEqual(['silent', []])
})
