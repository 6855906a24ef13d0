/**
 * Hours of random worlds, each from one number. `WORLDS=2000` runs more of them, `SEED=17` runs one again. First
 * anything may go wrong and nothing forbidden may happen; then it is quiet, and everything must have ended.
 */
import { expect, test } from 'vitest'
import { faultsOf, overlaps } from './checkers.ts'
import { liveThrough } from './random-world.ts'
import { silencesOf } from './silence.ts'

const WORLDS = Number(process.env['WORLDS'] ?? 200)
const SEED = process.env['SEED']
const SEEDS = SEED === undefined ? Array.from({ length: WORLDS }, (_, index) => index + 1) : [Number(SEED)]
const MINUTES_MAX = 30

test(
  `in ${SEEDS.length} random hours no rule is broken, and every call ends`,
  async () => {
    const failed: string[] = []
    for (const seed of SEEDS) {
      const faults = await faultsOfSeed(seed)
      if (faults.length > 0) failed.push(`SEED=${seed}: ${faults.slice(0, 5).join('; ')}`)
    }
    if (failed.length > 0) expect.fail(failed.slice(0, 20).join('\n'))
  },
  MINUTES_MAX * 60_000,
)

test('the same seed twice is the same world, to the last line of the journal', async () => {
  for (const seed of SEEDS.slice(0, 10)) {
    const [once, again] = [await liveThrough(seed), await liveThrough(seed)]
    expect(JSON.stringify(again.world.lines)).toBe(JSON.stringify(once.world.lines))
  }
})

async function faultsOfSeed(seed: number): Promise<string[]> {
  const { world, queue, isCalm, slackMs } = await liveThrough(seed)
  const silences = world.callers.flatMap((caller) => silencesOf(world, caller, slackMs))
  return [...(await faultsOf(world)), ...queue.faults, ...(isCalm ? [...silences, ...overlaps(world)] : [])]
}
