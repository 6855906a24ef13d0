import { expect, test } from 'vitest'
import { BadLuckShift } from './bad-luck-shift.ts'

/** `SEED=838 LIVES=1` lives that one, and tells it. */
const LIVES = Number(process.env['LIVES'] ?? 60)
const FIRST = Number(process.env['SEED'] ?? 1)

test('whatever befell phones, switch, engine and database: agents and callers are well by themselves', async () => {
  const unwell: unknown[] = []
  let wasUnwell = 0
  for (let seed = FIRST; seed < FIRST + LIVES; seed++) {
    const shift = new BadLuckShift(seed)
    const faults = await shift.live()
    if (shift.wasUnwell) wasUnwell++
    if (faults.length > 0) unwell.push({ seed, faults, ...(LIVES === 1 && { did: shift.did }) })
  }
  expect(unwell).toEqual([])
  // The lives were such that it could have happened.
  if (LIVES > 1) expect(wasUnwell).toBeGreaterThan(LIVES / 4)
})
