import { describe, expect, test } from 'vitest'
import type { Contact } from '../../src/sim/person.ts'
import { CampaignWorld, INBOUND, STAYS } from './campaign-world.ts'
import { types } from './set-up.ts'

const MINUTE_MS = 60_000
const TALKS: Contact = { does: 'answer', ringsAfterMs: 500, afterMs: 3_000 }

/** One debtor whom we call, and one agent, who talk to each other. */
async function calling(contact: Contact = TALKS): Promise<CampaignWorld> {
  const world = new CampaignWorld({ teams: { collections: ['anna'] }, contactOf: () => contact })
  await world.campaign()
  await world.import(1)
  await world.start()
  await world.logIn('anna')
  await talking(world)
  return world
}

/** An inbound caller who talks to the agent. */
async function called(hangsUpAfterMs: number) {
  const world = new CampaignWorld({ teams: { collections: ['anna'] } })
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
  test('by the agent, by command [acc 150]', async () => {
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
    expect(callsOf(world)).toMatchObject([{ result: 'answered', hungUpBy: 'callee' }])
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
    expect(callsOf(world)).toMatchObject([{ direction: 'in', result: 'answered', agent: 'anna', hungUpBy: 'caller' }])
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
