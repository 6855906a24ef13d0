/** Callers come before dialed people, and a service goal keeps agents back for them. */
import { expect, test } from 'vitest'
import { FlowRegistry } from '../../../src/engine/flow-registry.ts'
import { randomInt, seededRandom } from '../../../src/kernel/random.ts'
import type { Contact } from '../../../src/sim/person.ts'
import { CAMPAIGN, CampaignWorld, INBOUND, STAYS } from '../../worlds/campaign-world.ts'
import { flowOf } from '../../worlds/set-up.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const AGENTS = Array.from({ length: 10 }, (_, place) => `agent-${place}`)
/** The world gives numbers to the flow of this name. */
const FLOW = flowOf(`
flow: debtor-self-service
start: team
steps:
  team:
    queue: { team: collections, timeout: 30m }
    mark: reached-a-person
    next: goodbye
    on: { full: goodbye, closed: goodbye, timeout: goodbye }
  goodbye: { hangup: { say: Goodbye. } }
`)

const NO_LINES = { inFlight: 0, waiting: 0, idleAgents: 0 }

interface Waits {
  readonly ms: number[]
  /** Dialed people who were given an agent while a caller waited, by caller. */
  readonly overtaken: number[]
}

/** Ten agents, talks of about two minutes, a third of the people answer; one caller at a time, every four minutes. */
async function day(settings: Readonly<Record<string, unknown>>, hours = 1.5) {
  const random = seededRandom(3)
  const contactOf = (): Contact => {
    const afterMs = randomInt(random, 3_000, 20_000)
    const hangsUpAfterMs = randomInt(random, 60_000, 180_000)
    if (random.next() < 0.33) return { does: 'answer', ringsAfterMs: 500, afterMs, hangsUpAfterMs }
    return { does: 'ignore', ringsAfterMs: 500, afterMs: 0 }
  }
  const parts = () => ({ flows: new FlowRegistry([FLOW]) })
  const world = new CampaignWorld({ teams: { collections: AGENTS }, contactOf, logLevel: 'warn', parts })
  await world.campaign({ wrapUpSeconds: 10, ...settings })
  await world.import(3_000)
  await world.start()
  await world.logIn(...AGENTS)
  await world.run(20 * MINUTE_MS)
  const waits: Waits = { ms: [], overtaken: [] }
  const served = () =>
    [...world.dialerRepository.view.attempts.values()].filter(({ connectedAtMs }) => connectedAtMs !== null).length
  const endsAtMs = world.clock.nowMs() + hours * HOUR_MS
  while (world.clock.nowMs() < endsAtMs) {
    const person = { waitsMaxMs: HOUR_MS, hangsUpAfterMs: 120_000 }
    const caller = world.pbx.callIn({ called: INBOUND, caller: '+4551000001', person })
    const [sinceMs, before] = [world.clock.nowMs(), served()]
    await world.until(() => caller.heard.some(({ what }) => what === 'person'), HOUR_MS)
    waits.ms.push(world.clock.nowMs() - sinceMs)
    waits.overtaken.push(served() - before)
    await world.run(4 * MINUTE_MS)
  }
  return { world, waits }
}

const quantile = (values: readonly number[], share: number) =>
  [...values].sort((a, b) => a - b)[Math.floor(share * (values.length - 1))]!

test('beside predictive a caller waits for the next free agent, and no ledger is broken', async () => {
  const { world, waits } = await day({ dialMode: 'predictive' })
  expect(waits.ms.length).toBeGreaterThan(15)
  // Callees who had answered before the caller came are served first.
  expect(Math.max(...waits.overtaken)).toBeLessThanOrEqual(2)
  expect(quantile(waits.ms, 0.9)).toBeLessThanOrEqual(20_000)
  const run = world.engine.dialer!.campaigns.get(CAMPAIGN)!
  const { answered, abandoned } = run.ledgers(NO_LINES, world.clock.nowMs())[0]!.tally
  expect(abandoned * 100).toBeLessThanOrEqual(answered * 3)
})

test('beside progressive no callee is dropped for a caller', async () => {
  const { world, waits } = await day({ dialMode: 'progressive' })
  expect(Math.max(...waits.overtaken)).toBeLessThanOrEqual(AGENTS.length)
  const results = [...world.dialerRepository.view.attempts.values()].map(({ result }) => result)
  expect([results.includes('answered'), results.includes('dropped')]).toEqual([true, false])
})

test('the board counts callers who got an agent in time or waited too long, and none who left before', async () => {
  const parts = () => ({ flows: new FlowRegistry([FLOW]) })
  const world = new CampaignWorld({ teams: { collections: ['anna'] }, parts })
  await world.campaign({ serviceGoal: { percent: 80, withinSeconds: 20 } })
  await world.start()
  const service = async (hangsUpAfterMs: number) => {
    const caller = world.pbx.callIn({ called: INBOUND, person: { waitsMaxMs: HOUR_MS, hangsUpAfterMs } })
    await world.until(() => caller.result !== undefined, HOUR_MS)
    await world.run(MINUTE_MS)
    const { callers, inTime } = world.boards.get(CAMPAIGN)!.service!
    return { callers, inTime }
  }
  world.pbx.agentPhone('anna' as never, { does: 'ignore', afterMs: 0 })
  expect(await service(10_000)).toEqual({ callers: 0, inTime: 0 })
  expect(await service(MINUTE_MS)).toEqual({ callers: 1, inTime: 0 })
  world.pbx.agentPhone('anna' as never, STAYS)
  expect(await service(MINUTE_MS)).toEqual({ callers: 2, inTime: 1 })
})
