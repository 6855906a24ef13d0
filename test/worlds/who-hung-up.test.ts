import { describe, expect, test } from 'vitest'
import type { Contact } from '../../src/sim/person.ts'
import { CampaignWorld, CORPORATION, INBOUND, STAYS } from './campaign-world.ts'
import { types } from './set-up.ts'

const MINUTE_MS = 60_000
const TALKS: Contact = { does: 'answer', ringsAfterMs: 500, afterMs: 3_000 }

/** One debtor whom we call, and one agent, who talk to each other. */
async function calling(contact: Contact = TALKS): Promise<CampaignWorld> {
  const world = await dialing(contact)
  await talking(world)
  return world
}

/** One debtor whom we call. */
async function dialing(contact: Contact, settings: Readonly<Record<string, unknown>> = {}): Promise<CampaignWorld> {
  const world = new CampaignWorld({ teams: { collections: ['anna'] }, contactOf: () => contact })
  await world.campaign(settings)
  await world.import(1)
  await world.start()
  await world.logIn('anna')
  return world
}

/** An inbound caller who talks to the first agent. */
async function called(hangsUpAfterMs: number, ...others: readonly string[]) {
  const world = new CampaignWorld({ teams: { collections: ['anna', ...others] } })
  await world.start()
  await world.logIn('anna')
  await world.run(5_000)
  const presses = [types('0', 'press 0', { into: true })]
  world.pbx.callIn({ called: INBOUND, caller: '+4551000001', person: { presses, hangsUpAfterMs } })
  await talking(world)
  return { world, talksFromMs: world.clock.nowMs() }
}

const stateOf = ({ engine }: CampaignWorld) => engine.agentDesktop?.statuses()[0]?.state
const talking = async (world: CampaignWorld) =>
  expect(await world.until(() => stateOf(world) === 'talking', 5 * MINUTE_MS)).toBe(true)
const callsOf = ({ dialerRepository }: CampaignWorld) => [...dialerRepository.view.calls.values()]

/** Their phone is gone, and is not picked up again. */
function losePhone(world: CampaignWorld): void {
  world.pbx.agentPhone('anna' as never, STAYS).hangUp()
  world.pbx.agentPhone('anna' as never, { does: 'reject', afterMs: 100 })
}

describe('an outbound call is recorded as ended', () => {
  test('by the agent, by command', async () => {
    const world = await calling()
    await world.run(10_000)
    await world.order('anna', { type: 'hangUp' })
    await world.run(MINUTE_MS)
    expect(callsOf(world)).toMatchObject([{ result: 'answered', agent: 'anna', hungUpBy: 'agent' }])
  })

  test('by the agent, whose phone is lost', async () => {
    const world = await calling()
    losePhone(world)
    await world.run(5 * MINUTE_MS)
    expect(callsOf(world)).toMatchObject([{ result: 'answered', agent: 'anna', hungUpBy: 'agent' }])
  })

  test('by the callee', async () => {
    const world = await calling({ ...TALKS, hangsUpAfterMs: 20_000 })
    await world.run(MINUTE_MS)
    const [call] = callsOf(world)
    expect(call).toMatchObject({ result: 'answered', hungUpBy: 'callee' })
    // The wait for an agent ends with the talk's begin.
    expect([call!.waitMs < 1_000, call!.talkMs > 10_000]).toEqual([true, true])
  })

  test('by us, when its task is ended while it rings', async () => {
    const world = await dialing({ does: 'ignore', ringsAfterMs: 500, afterMs: 0 })
    await world.until(() => world.pbx.carrier.calls[0]?.rangAtMs !== undefined)
    const [task] = world.dialerRepository.view.tasks.keys()
    const end = {
      task: task!,
      corporations: [CORPORATION],
      status: 'endedBySystem',
      atMs: world.clock.nowMs(),
    } as const
    await world.during(world.dialerRepository.endCallTask(end))
    await world.run(MINUTE_MS)
    expect(callsOf(world)).toMatchObject([{ result: 'cancelled', hungUpBy: 'us', talkMs: 0 }])
  })

  test('by us, when a machine answered: nobody talked', async () => {
    const settings = { machineDetection: { enabled: true, maxErrorPercent: 100 } }
    const world = await dialing({ ...TALKS, voice: 'machine' }, settings)
    await world.run(MINUTE_MS)
    const [call] = callsOf(world)
    expect(call).toMatchObject({ result: 'voicemail', hungUpBy: 'us', talkMs: 0 })
    expect(call!.endedAtMs - call!.answeredAtMs!).toBeGreaterThan(1_000)
  })
})

describe('an inbound call is recorded as ended', () => {
  test('by the agent, by command', async () => {
    const { world } = await called(10 * MINUTE_MS)
    await world.run(10_000)
    await world.order('anna', { type: 'hangUp' })
    await world.run(2 * MINUTE_MS)
    expect(callsOf(world)).toMatchObject([{ direction: 'in', result: 'answered', agent: 'anna', hungUpBy: 'agent' }])
  })

  test('by the caller', async () => {
    const { world } = await called(MINUTE_MS)
    await world.run(2 * MINUTE_MS)
    const [call] = callsOf(world)
    expect(call).toMatchObject({ direction: 'in', result: 'answered', agent: 'anna', hungUpBy: 'caller' })
    expect([call!.waitMs < 5_000, call!.talkMs > 10_000]).toEqual([true, true])
  })

  test('by the caller who gave up waiting: nobody talked', async () => {
    const world = new CampaignWorld({ teams: { collections: ['anna'] } })
    await world.start()
    world.pbx.agentPhone('anna' as never, { does: 'ignore', afterMs: 0 })
    const presses = [types('0', 'press 0', { into: true })]
    const caller = world.pbx.callIn({ called: INBOUND, person: { presses, hangsUpAfterMs: MINUTE_MS } })
    await world.until(() => caller.result !== undefined, 5 * MINUTE_MS)
    await world.run(MINUTE_MS)
    const [call] = callsOf(world)
    expect(call).toMatchObject({ result: 'lost', team: 'collections', hungUpBy: 'caller', talkMs: 0 })
    expect(call!.waitMs).toBeGreaterThan(30_000)
  })
})

describe('a caller who comes to an agent on a second way', () => {
  test('because the phone of the first was lost has talked since then, and waited until then', async () => {
    const { world, talksFromMs } = await called(5 * MINUTE_MS, 'ben')
    await world.run(MINUTE_MS)
    losePhone(world)
    await world.logIn('ben')
    await world.until(() => callsOf(world).length > 0, 10 * MINUTE_MS)
    const [call] = callsOf(world)
    expect(call).toMatchObject({ result: 'answered', agent: 'ben', hungUpBy: 'caller' })
    expect(Math.abs(call!.talkMs - (call!.endedAtMs - talksFromMs))).toBeLessThan(1_000)
    expect(call!.waitMs).toBeLessThan(5_000)
  })

  test('because the first queue had nobody for them has waited since the first', async () => {
    const queue = (next: string) =>
      `{ queue: { team: collections, timeout: 30s }, next: bye, on: { timeout: ${next}, full: bye, closed: bye } }`
    const flow = `flow: direct
start: first
steps:
  first: ${queue('second')}
  second: ${queue('bye')}
  bye: { hangup: { say: Goodbye. } }
`
    const world = new CampaignWorld({ teams: { collections: ['anna'] }, flow })
    await world.start()
    world.pbx.agentPhone('anna' as never, { does: 'ignore', afterMs: 0 })
    world.pbx.callIn({ called: INBOUND, person: { hangsUpAfterMs: 50_000, waitsMaxMs: MINUTE_MS } })
    await world.until(() => callsOf(world).length > 0, 5 * MINUTE_MS)
    const [call] = callsOf(world)
    expect(call).toMatchObject({ result: 'lost', hungUpBy: 'caller', talkMs: 0 })
    expect(call!.waitMs).toBeGreaterThan(45_000)
  })
})

describe('a conversation with a caller survives the engine', () => {
  test('and is recorded with its duration and agent', async () => {
    const talk = await called(3 * MINUTE_MS)
    const { world } = talk
    await world.run(20_000)
    await world.crash()
    await world.run(5_000)
    await world.start()
    expect(stateOf(world)).toBe('talking')
    await world.until(() => callsOf(world).length > 0, 10 * MINUTE_MS)
    const [call] = callsOf(world)
    expect(call).toMatchObject({ direction: 'in', result: 'answered', agent: 'anna', hungUpBy: 'caller' })
    expect(Math.abs(call!.talkMs - (call!.endedAtMs - talk.talksFromMs))).toBeLessThan(1_000)
    expect(call!.talkMs).toBeGreaterThan(60_000)
    expect(call!.waitMs).toBeLessThan(5_000)
  })

  test('and is recorded as ended by the agent', async () => {
    const talk = await called(10 * MINUTE_MS)
    const { world } = talk
    await world.run(20_000)
    await world.crash()
    await world.start()
    await world.logIn('anna')
    await world.run(10_000)
    await world.order('anna', { type: 'hangUp' })
    await world.until(() => callsOf(world).length > 0, MINUTE_MS)
    const [call] = callsOf(world)
    expect(call).toMatchObject({ direction: 'in', result: 'answered', agent: 'anna', hungUpBy: 'agent' })
    expect(call!.talkMs).toBeGreaterThanOrEqual(30_000)
    expect(call!.talkMs).toBeLessThan(32_000)
  })
})

test('a conversation with a callee survives the engine, and is recorded from its begin to its end', async () => {
  const world = await calling({ ...TALKS, hangsUpAfterMs: 3 * MINUTE_MS })
  const talksFromMs = world.clock.nowMs()
  await world.run(60_000)
  await world.crash()
  await world.run(5_000)
  await world.start()
  await world.until(() => callsOf(world).length > 0, 10 * MINUTE_MS)
  const [call] = callsOf(world)
  expect(call).toMatchObject({ direction: 'out', result: 'answered', agent: 'anna', hungUpBy: 'callee' })
  expect(Math.abs(call!.talkMs - (call!.endedAtMs - talksFromMs))).toBeLessThan(1_000)
  expect(Math.abs(call!.answeredAtMs! - talksFromMs)).toBeLessThan(1_000)
})
