/** The telephones of `npm run keys`: ways, lengths, pauses, and what the network does to them. */
import type { KeyFault } from '../../demo/sip/key-stream.ts'
import type { KeyCase } from './typed-keys-run.ts'

/** One row. `isUsual`: within what ITU-T Q.24 and RFC 4733 promise, as received; no key may be wrong. */
export interface KeyRow extends KeyCase {
  readonly name: string
  readonly isUsual: boolean
}

/** Q.24 table A-1: receivers of most networks take tones of 40 ms with pauses of 40 ms. */
const USUAL_MS = 40
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

/** All rows, each with so many callers at once. */
export function keyMatrix(callers: number): readonly KeyRow[] {
  const usual = { callers, keys: 30, way: 'rtp', isUsual: true } as const
  const lengths = HELD_MS.flatMap((heldMs) =>
    PAUSES.map(([gapMs, jitterMs]): KeyRow => {
      const isUsual = heldMs >= USUAL_MS && gapMs - jitterMs >= 0 && gapMs >= USUAL_MS
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
        isUsual: gapMs > USUAL_MS,
        name: `RFC 4733, 80/${gapMs} ms, ${fault}`,
      }
    }),
  )
  return [
    ...lengths,
    ...faults,
    { ...usual, heldMs: 100, gapMs: 100, payloadType: 96, name: 'RFC 4733, payload type 96' },
    { ...usual, heldMs: 10_000, gapMs: 200, keys: 2, name: 'RFC 4733, held for 10 s' },
    { ...usual, heldMs: 40, gapMs: 40, way: 'info', name: 'SIP INFO, every 80 ms' },
    { ...usual, heldMs: 160, gapMs: 200, way: 'info', name: 'SIP INFO, every 360 ms' },
    { ...usual, heldMs: 40, gapMs: 40, way: 'tones', isUsual: false, name: 'tones, 40/40 ms' },
    { ...usual, heldMs: 80, gapMs: 80, way: 'tones', name: 'tones, 80/80 ms' },
    {
      ...usual,
      heldMs: 100,
      gapMs: 100,
      way: 'both',
      keys: 12,
      isUsual: false,
      name: 'RFC 4733 and INFO, every 200 ms',
    },
    { ...usual, heldMs: 100, gapMs: 400, way: 'both', keys: 12, name: 'RFC 4733 and INFO, every 500 ms' },
  ]
}
