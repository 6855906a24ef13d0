/** Keys as real telephones send them: what a caller types is what the flow gets. The whole matrix: `npm run keys`. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Live, startLive } from './live.ts'
import { type KeyCase, TYPING_FLOW, typeKeys } from './typed-keys-run.ts'

let live: Live

beforeAll(async () => {
  live = await startLive({ flow: TYPING_FLOW })
})

afterAll(() => live?.close())

const CASES: readonly Partial<KeyCase>[] = [
  { heldMs: 40, gapMs: 80 },
  { heldMs: 160, gapMs: 20 },
  { heldMs: 160, gapMs: 100, jitterMs: 100 },
  { heldMs: 160, gapMs: 100, fault: 'lostFirst' },
  { heldMs: 160, gapMs: 100, fault: 'lostEnd' },
  { heldMs: 160, gapMs: 100, fault: 'doubled' },
  { heldMs: 160, gapMs: 100, fault: 'reordered' },
  { heldMs: 160, gapMs: 100, payloadType: 96 },
  { heldMs: 5_000, gapMs: 100, keys: 1 },
  { heldMs: 160, gapMs: 100, way: 'info' },
  { heldMs: 100, gapMs: 100, way: 'tones' },
  { heldMs: 100, gapMs: 100, way: 'both' },
  { heldMs: 100, gapMs: 100, way: 'both', infoSaysMs: 100 },
  { heldMs: 100, gapMs: 100, way: 'both', infoLateMs: 120 },
]

test.for(CASES)('every key is one key: %o', async (given) => {
  const whole: KeyCase = { way: 'rtp', heldMs: 100, gapMs: 100, callers: 4, keys: 12, ...given }
  expect(await typeKeys(live, whole, CASES.indexOf(given) + 1)).toMatchObject({ wrong: 0, example: undefined })
})
