/** The telephones of `npm run keys`: ways, lengths, pauses, and what the network does to them. */
import type { KeyFault } from '../../demo/sip/key-stream.ts'
import type { KeyCase } from './typed-keys-run.ts'

/** One row. `isUsual`: no key of it may be wrong. */
export interface KeyRow extends KeyCase {
  readonly name: string
  readonly isUsual: boolean
}

/** People and most automatic senders pause so long; shorter ones (65 ms in ETSI ES 201 235-2) are at the limit. */
const USUAL_PAUSE_MS = 100
const HELD_MS = [20, 40, 80, 160] as const
const PAUSES: readonly (readonly [gapMs: number, jitterMs: number])[] = [
  [20, 0],
  [40, 0],
  [60, 40],
  [100, 0],
  [100, 100],
  [200, 100],
  [500, 100],
]
const FAULTS: readonly KeyFault[] = ['lostFirst', 'lostEnd', 'doubled', 'reordered']

/** RFC 4733 and INFO for every key; INFO says 160 ms, another length, or the same as RFC 4733. */
const BOTH: readonly (readonly [gapMs: number, more: Partial<KeyCase>, name: string])[] = [
  [100, {}, 'RFC 4733 and INFO, every 200 ms'],
  [100, { infoSaysMs: 100 }, 'RFC 4733 and INFO of the same length, every 200 ms'],
  [100, { infoSaysMs: 250 }, 'RFC 4733 and INFO of 250 ms, every 200 ms'],
  [100, { infoLateMs: 120 }, 'RFC 4733 and INFO 120 ms later, every 200 ms'],
  [100, { infoLateMs: -80 }, 'RFC 4733 and INFO at the press, every 200 ms'],
  [400, {}, 'RFC 4733 and INFO, every 500 ms'],
]

/** All rows, each with so many callers at once. */
export function keyMatrix(callers: number): readonly KeyRow[] {
  const usual = { callers, keys: 30, way: 'rtp', isUsual: true } as const
  const lengths = HELD_MS.flatMap((heldMs) =>
    PAUSES.map(([gapMs, jitterMs]): KeyRow => {
      const isUsual = gapMs >= USUAL_PAUSE_MS
      return { ...usual, heldMs, gapMs, jitterMs, isUsual, name: `RFC 4733, ${heldMs}/${gapMs} ms, jitter ${jitterMs}` }
    }),
  )
  const faults = FAULTS.flatMap((fault) =>
    [40, 100].map((gapMs): KeyRow => {
      return {
        ...usual,
        heldMs: 80,
        gapMs,
        fault,
        isUsual: gapMs >= USUAL_PAUSE_MS,
        name: `RFC 4733, 80/${gapMs} ms, ${fault}`,
      }
    }),
  )
  return [
    ...lengths,
    ...faults,
    { ...usual, heldMs: 100, gapMs: 100, payloadType: 96, name: 'RFC 4733, payload type 96' },
    { ...usual, heldMs: 10_000, gapMs: 200, keys: 1, name: 'RFC 4733, held for 10 s' },
    { ...usual, heldMs: 40, gapMs: 40, way: 'info', name: 'SIP INFO, every 80 ms' },
    { ...usual, heldMs: 160, gapMs: 200, way: 'info', name: 'SIP INFO, every 360 ms' },
    { ...usual, heldMs: 40, gapMs: 40, way: 'tones', isUsual: false, name: 'tones, 40/40 ms' },
    { ...usual, heldMs: 100, gapMs: 100, way: 'tones', name: 'tones, 100/100 ms' },
    ...BOTH.map(([gapMs, more, name]): KeyRow => ({ ...usual, heldMs: 100, gapMs, way: 'both', ...more, name })),
  ]
}
