import { expect, test } from 'vitest'
import { makeIds } from '../../src/kernel/ids.ts'
import { randomInt, seededRandom } from '../../src/kernel/random.ts'
import { VirtualClock } from '../support/virtual-clock.ts'

test('the same seed gives the same numbers, another seed others', () => {
  const draw = (seed: number) => {
    const random = seededRandom(seed)
    return Array.from({ length: 20 }, () => random.next())
  }
  expect(draw(7)).toEqual(draw(7))
  expect(draw(7)).not.toEqual(draw(8))
})

test('numbers fill their range evenly enough for a die', () => {
  const random = seededRandom(1)
  const counts = [0, 0, 0, 0, 0, 0]
  for (let i = 0; i < 60_000; i++) counts[randomInt(random, 1, 6) - 1]!++
  for (const count of counts) expect(Math.abs(count - 10_000)).toBeLessThan(500)
})

test('ids have our prefix, and differ', () => {
  const ids = makeIds(new VirtualClock(), seededRandom(1))
  const made = Array.from({ length: 1000 }, () => ids.leg())
  expect(new Set(made).size).toBe(1000)
  expect(made[0]).toMatch(/^sb-leg-/)
})
