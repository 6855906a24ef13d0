/** Campaigns that use the same agents or the same trunk get their shares. */
import { expect, test } from 'vitest'
import type { CampaignId } from '../../../src/kernel/ids.ts'
import { randomInt, seededRandom } from '../../../src/kernel/random.ts'
import type { Contact } from '../../../src/sim/person.ts'
import { CAMPAIGN, CampaignWorld, numberOf } from '../../worlds/campaign-world.ts'

const HOUR_MS = 3_600_000
const AGENTS = Array.from({ length: 4 }, (_, place) => `agent-${place}`)

type Settings = Readonly<Record<string, unknown>>

interface Floor {
  readonly seed: number
  /** One campaign each. */
  readonly campaigns: readonly (Settings & { readonly team?: string })[]
  readonly teams?: Readonly<Record<string, readonly string[]>>
  readonly linesMax?: number
  readonly tasks?: number
}

async function floor({ seed, campaigns, teams = { collections: AGENTS }, linesMax = 50, tasks = 450 }: Floor) {
  const random = seededRandom(seed)
  const contactOf = (): Contact => {
    const afterMs = randomInt(random, 2_000, 15_000)
    const hangsUpAfterMs = randomInt(random, 40_000, 100_000)
    if (random.next() < 0.4) return { does: 'answer', ringsAfterMs: 500, afterMs, hangsUpAfterMs }
    return { does: 'ignore', ringsAfterMs: 500, afterMs: 0 }
  }
  const world = new CampaignWorld({ teams, linesMax, contactOf, seed, logLevel: 'warn' })
  for (const [place, { team = 'collections', ...settings }] of campaigns.entries()) {
    const campaign = (CAMPAIGN + place) as CampaignId
    await world.campaign({ dialMode: 'predictive', wrapUpSeconds: 2, ...settings }, campaign, team)
    const change = (index: number) => {
      const number = numberOf(place * 10_000 + index)
      return { numbers: [{ given: number, number }], externalCustomer: `${place}-${index}` }
    }
    await world.import(tasks, change, { campaign, importId: `import-${place}` })
  }
  await world.start()
  await world.logIn(...new Set(Object.values(teams).flat()))
  return world
}

type Counted = 'served' | 'lines'

/** Calls that agents took, or lines that were placed, by campaign and hour. */
async function hours(world: CampaignWorld, campaigns: number, counted: Counted, count = 1) {
  const all: number[][] = []
  for (let hour = 0; hour < count; hour++) {
    const fromAtMs = world.clock.nowMs()
    await world.run(HOUR_MS)
    const attempts = [...world.dialerRepository.view.attempts.values()]
    const atMs = ({ connectedAtMs, dialedAtMs }: (typeof attempts)[number]) =>
      (counted === 'served' ? connectedAtMs : dialedAtMs) ?? 0
    const inHour = attempts.filter((attempt) => atMs(attempt) >= fromAtMs)
    const placed = (place: number) => inHour.filter(({ campaign }) => campaign === CAMPAIGN + place).length
    all.push(Array.from({ length: campaigns }, (_, place) => placed(place)))
  }
  return all
}

const sum = (counts: readonly number[]) => counts.reduce((all, count) => all + count, 0)
const sharesOf = (counts: readonly number[]) => counts.map((count) => count / sum(counts))

/** Weights, and seeds: either way round, a campaign got all calls or none before. */
const TEAM_WORLDS = [
  { weights: [1, 1], seed: 1 },
  { weights: [3, 1], seed: 2 },
] as const

test.each(TEAM_WORLDS)('one team, weights $weights: each gets its share of the agents in every hour', async (world) => {
  const { weights, seed } = world
  const opened = await floor({ seed, campaigns: weights.map((weight) => ({ weight })) })
  for (const counts of await hours(opened, 2, 'served')) {
    expect(sum(counts)).toBeGreaterThan(80)
    expect(Math.abs(sharesOf(counts)[0]! - sharesOf(weights)[0]!)).toBeLessThanOrEqual(0.05)
  }
})

test('one trunk, two teams, weights 2 and 1: each gets its share of the lines', async () => {
  const teams = { collections: AGENTS, others: AGENTS.map((name) => `other-${name}`) }
  const campaigns = [{ weight: 2 }, { weight: 1, team: 'others' }]
  const opened = await floor({ seed: 1, teams, linesMax: 4, campaigns })
  for (const counts of await hours(opened, 2, 'lines', 1)) {
    expect(sum(counts)).toBeGreaterThan(80)
    expect(Math.abs(sharesOf(counts)[0]! - 2 / 3)).toBeLessThanOrEqual(0.05)
  }
})
