import { expect, test } from 'vitest'
import { randomInt, seededRandom } from '../../src/kernel/random.ts'
import { BadLuckWorld } from './bad-luck-world.ts'

const LIVES = 5_000
/** Longer than every misfortune, and every wait of the phone and of its line in a row. */
const HEALED_MS = 80_000

test('whatever has happened to switch, line, node and network: the phone comes back by itself', () => {
  const lost: unknown[] = []
  let wasApart = 0
  for (let seed = 0; seed < LIVES; seed++) {
    const random = seededRandom(seed)
    const world = new BadLuckWorld(random)
    world.pass(10_000)
    for (let strikes = randomInt(random, 1, 5); strikes > 0; strikes--) {
      world.strike()
      world.pass(randomInt(random, 10, 15_000))
    }
    if (!world.isTogether) wasApart++
    world.pass(HEALED_MS)
    if (!world.isTogether) lost.push({ seed, ...world.view })
  }
  expect(lost).toEqual([])
  // The lives were such that it could have happened.
  expect(wasApart).toBeGreaterThan(LIVES / 4)
})
