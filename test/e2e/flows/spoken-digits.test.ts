/** Callers who say the digits of a number, on a real Asterisk, to PocketSphinx and to a service. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findTree } from '../../../asterisk/tree.ts'
import { type RunningServer, sendJson, serve } from '../../../demo/servers/web-server.ts'
import { seededRandom } from '../../../src/kernel/random.ts'
import { later, spoken, withNoise } from '../../support/spoken.ts'
import { type Live, OTHER_NUMBER, startLive } from '../live.ts'

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
/** Of the voices of espeak-ng, both models understand this one (found by trying). */
const CLEAR = { espeakNg, voice: 'en-us+f5', wordsAMinute: 115 }
/** Its mean, 200, is below the level that counts as sound; that of speech is far above. */
const LINE_NOISE = 400
/** Both models understand `DIGITS` in this voice over it, also where three packets of 20 ms are missing (40 of 40). */
const CLEAR_NOISE = 150
/** Of seven numbers the one of which they understand most where packets are missing (4711 without noise: 9 of 20). */
const DIGITS = '9131'
const DIGITS_SAID = 'nine one three one'

let live: Live

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

describe('what callers say to PocketSphinx', () => {
  beforeAll(async () => {
    live = await startLive({ flow: FLOW, settings: { listen: pocketsphinx } })
  })
  afterAll(() => live.close())

  test('four digits are understood', async () => {
    const sound = withNoise(later(PROMPT_MS, await spoken(DIGITS, CLEAR)), CLEAR_NOISE, seededRandom(1))
    const { record, said } = await calls('+4554000001', sound)
    expect(said).toMatchObject([{ text: DIGITS_SAID, confidence: 0.95 }])
    expect(record).toMatchObject({ outcome: 'understood', activity: { systemLookupCode: DIGITS } })
  })

  test('the noise of a line is no speech', async () => {
    const noise = withNoise(later(PROMPT_MS + 20_000), LINE_NOISE, seededRandom(1))
    const { record, said } = await calls('+4554000003', noise)
    expect([record.outcome, said]).toEqual(['silent', []])
  })

  test('digits are heard over noise, and their end is noticed', async () => {
    const words = later(PROMPT_MS, await spoken(DIGITS, CLEAR), new Int16Array(16_000))
    const sound = withNoise(words, CLEAR_NOISE, seededRandom(1))
    const { record, said } = await calls('+4554000007', sound, [{ afterMs: PROMPT_MS + 12_000, keys: '1' }])
    expect(said).toMatchObject([{ text: DIGITS_SAID }])
    expect(record).toMatchObject({ outcome: 'understood', activity: { systemLookupCode: DIGITS } })
  })

  // The words are PocketSphinx's own: over so much noise they are wrong where a packet is missing.
  test('who speaks over the noise of a line is heard once, and the end is noticed in the noise', async () => {
    const words = later(PROMPT_MS, await spoken('4711', CLEAR), new Int16Array(160_000))
    const sound = withNoise(words, LINE_NOISE, seededRandom(1))
    const { said } = await calls('+4554000008', sound, [{ afterMs: PROMPT_MS + 12_000, keys: '1' }])
    expect(said).toHaveLength(1)
  })

  test('a key wins: what the caller says is thrown away', async () => {
    const sound = later(PROMPT_MS, await spoken('4711', CLEAR))
    const { record, said } = await calls('+4554000004', sound, [{ afterMs: PROMPT_MS + 1_500, keys: '2583' }])
    expect(said).toEqual([])
    expect(record).toMatchObject({ outcome: 'understood', activity: { systemLookupCode: '2583' } })
  })

  test('who says nothing is not heard', async () => {
    const { record, said } = await calls('+4554000005', new Int16Array(0))
    expect([record.outcome, said]).toEqual(['silent', []])
  })
})

describe('what callers say to a service that is not sure', () => {
  let service: RunningServer
  const heard: number[] = []

  beforeAll(async () => {
    service = await serve((request, response) => {
      let bytes = 0
      request.on('data', (chunk: Buffer) => {
        bytes += chunk.length
      })
      request.once('end', () => {
        heard.push(bytes)
        sendJson(response, 200, { text: '4711', segments: [{ start: 0, end: 2, text: '4711.', avg_logprob: -1 }] })
      })
    })
    const listen = { url: `${service.url}/v1`, key: undefined, model: 'any' }
    live = await startLive({ flow: FLOW, settings: { listen } })
  })
  afterAll(async () => {
    await live.close()
    await service.close()
  })

  test('is read back, and 1 confirms it', async () => {
    const { record, said, lines } = await calls('+4554000006', later(PROMPT_MS, await spoken('4711', CLEAR)), [
      { afterMs: PROMPT_MS + 9_000, keys: '1' },
    ])
    expect(said).toMatchObject([{ text: '4711.', confidence: 0.368 }])
    expect(record).toMatchObject({ outcome: 'understood', activity: { systemLookupCode: '4711' } })
    const prompts = lines.filter(({ type }) => type === 'play').map(({ say }) => JSON.stringify(say))
    expect(prompts[1]).toContain('I heard 4, 7, 1, 1. If this is right, press 1.')
    // Two to six seconds of sound, 16,000 bytes each.
    expect(heard).toEqual([expect.toSatisfy((bytes: number) => bytes > 32_000 && bytes < 96_000)])
  })
})
