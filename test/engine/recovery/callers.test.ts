/** Callers whose engine dies: the talk with a rung agent, their text messages, and what is recorded of them. */
import { describe, expect, test } from 'vitest'
import type { LegId } from '../../../src/kernel/ids.ts'
import type { LoggedArrival } from '../../../src/ports/pbx.ts'
import type { Caller } from '../../../src/sim/person.ts'
import { SimSms } from '../../sim/sim-sms.ts'
import { CampaignWorld, INBOUND, STAYS } from '../../worlds/campaign-world.ts'

const MINUTE_MS = 60_000
const FLOW = `flow: direct
start: welcome
steps:
  welcome: { play: Welcome., next: text }
  text:
    sms: { text: "You called \${call.called}." }
    next: team
    on: { noMobile: team, undelivered: unsent, timeout: unsent, failed: unsent }
  unsent: { play: We could not send the text., next: team }
  team: { queue: { team: collections, timeout: 10m }, next: bye, on: { timeout: bye, full: bye, closed: bye } }
  bye: { hangup: { say: Goodbye. } }
`

async function open() {
  const texts: SimSms[] = []
  const world = new CampaignWorld({
    teams: { collections: ['anna'] },
    flow: FLOW,
    parts: ({ clock }) => {
      texts.push(new SimSms(clock))
      return { sms: texts.at(-1)! }
    },
  })
  await world.start()
  const callIn = (person: Caller, caller = '+4551000001') => world.pbx.callIn({ called: INBOUND, caller, person })
  const sent = () => texts.flatMap(({ messages }) => messages)
  return { world, phone: world.pbx.agentPhone('anna' as never, STAYS), callIn, sent, texts }
}

type Opened = Awaited<ReturnType<typeof open>>

const callsOf = ({ dialerRepository }: CampaignWorld) => [...dialerRepository.view.calls.values()]
const heard = (phone: ReturnType<Opened['callIn']>, text: string) => phone.ear.words.split(text).length - 1

/** The caller has talked to the agent for half a minute when the engine dies; another one comes 5 s later. */
async function talkOn(hangsUpAfterMs: number) {
  const opened = await open()
  const { world, phone } = opened
  const caller = opened.callIn({ hangsUpAfterMs, waitsMaxMs: 30 * MINUTE_MS })
  await world.until(() => phone.isBusy && world.engine.agentStates().get('anna' as never) === 'talking')
  const talksFromMs = world.clock.nowMs()
  await world.run(30_000)
  await world.crash()
  await world.run(5_000)
  await world.start()
  await world.run(5_000)
  return { ...opened, caller, talksFromMs }
}

describe('a talk with an agent whose phone was rung outlives the engine', () => {
  test('and is recorded with its answer, its agent and its whole length', async () => {
    const { world, phone, caller, talksFromMs } = await talkOn(3 * MINUTE_MS)
    expect([caller.result, phone.isBusy, heard(caller, 'Welcome')]).toEqual([undefined, true, 1])
    expect(await world.until(() => callsOf(world).length > 0, 5 * MINUTE_MS)).toBe(true)
    const [call] = callsOf(world)
    expect(call).toMatchObject({ result: 'answered', agent: 'anna', team: 'collections', hungUpBy: 'caller' })
    expect(call!.talkMs).toBeGreaterThan(call!.endedAtMs - talksFromMs - 1_000)
    expect(call!.answeredAtMs).toBeLessThan(talksFromMs)
    await world.run(5_000)
    expect(phone.isBusy).toBe(false)
    expect(world.pbx.switch.bridges.size).toBe(0)
  })

  test.each([
    ['both hang up', ['caller', 'phone'], false],
    ['the caller hangs up', ['caller'], false],
    ['the agent of a caller on hold hangs up', ['phone'], true],
  ] as const)('or not: where %s meanwhile, no bridge is left', async (_, who, isHeld) => {
    const opened = await open()
    const { world, phone } = opened
    const caller = opened.callIn({ hangsUpAfterMs: 30 * MINUTE_MS, waitsMaxMs: 30 * MINUTE_MS })
    await world.until(() => phone.isBusy && world.engine.agentStates().get('anna' as never) === 'talking')
    await world.run(5_000)
    if (isHeld) expect(await world.order('anna', { type: 'hold' })).toEqual({ ok: true })
    await world.run(5_000)
    const [bridge] = [...world.pbx.switch.bridges.keys()]
    await world.crash()
    for (const one of who) ({ caller, phone })[one].hangUp()
    await world.run(5_000)
    await world.start()
    await world.run(5_000)
    expect([...world.pbx.switch.bridges.keys()]).not.toContain(bridge)
  })

  test('and ends for the caller when the agent hangs up', async () => {
    const { world, phone, caller } = await talkOn(30 * MINUTE_MS)
    phone.hangUp()
    await world.run(5_000)
    expect([heard(caller, 'Welcome'), caller.result]).toMatchObject([1, { hungUpBy: 'switch' }])
    expect(callsOf(world)).toMatchObject([{ result: 'answered', agent: 'anna', hungUpBy: 'agent' }])
    expect(world.pbx.switch.bridges.size).toBe(0)
  })

  test('and keeps its agent from the next caller, who gets them afterwards', async () => {
    const { world, phone, callIn } = await talkOn(2 * MINUTE_MS)
    const next = callIn({ waitsMaxMs: 30 * MINUTE_MS }, '+4551000002')
    await world.run(30_000)
    expect([phone.rings, world.engine.agentStates().get('anna' as never)]).toEqual([1, 'talking'])
    await world.run(2 * MINUTE_MS)
    expect([phone.rings, world.engine.agentStates().get('anna' as never)]).toEqual([2, 'talking'])
    expect(next.result).toBeUndefined()
  })
})

test('a caller whose number no flow answers any more is hung up on, and recorded', async () => {
  const { world, callIn } = await open()
  world.pbx.agentPhone('anna' as never, { does: 'ignore', afterMs: 0 })
  const caller = callIn({ waitsMaxMs: 30 * MINUTE_MS })
  await world.run(MINUTE_MS)
  await world.crash()
  Object.assign(world.options, { spelled: '+4570009999', flow: FLOW.replace('Welcome.', 'Hello.') })
  await world.start()
  await world.run(MINUTE_MS)
  expect(caller.result).toMatchObject({ hungUpBy: 'switch' })
  const { events, openCalls } = world.dialerRepository.view
  expect(callsOf(world)).toMatchObject([{ direction: 'in', result: 'dropped', team: 'collections' }])
  expect([events.length, openCalls.size]).toEqual([1, 0])
})

describe('a text message of a caller who is served again is not sent again', () => {
  test.for<['sent' | 'unanswered', number, number]>([
    ['sent', 500, 0],
    ['unanswered', 10, 1],
  ])('when the provider had %s it', async ([_, afterMs, unsent]) => {
    const { world, callIn, sent } = await open()
    const caller = callIn({ waitsMaxMs: 10 * MINUTE_MS })
    world.pbx.agentPhone('anna' as never, { does: 'ignore', afterMs: 0 })
    expect(await world.until(() => sent().length === 1, MINUTE_MS)).toBe(true)
    await world.run(afterMs)
    await world.crash()
    await world.run(5_000)
    await world.start()
    await world.run(MINUTE_MS)
    expect(heard(caller, 'Welcome')).toBe(1)
    expect(sent()).toHaveLength(1)
    expect(heard(caller, 'We could not send')).toBe(unsent)
  })
})

describe('a caller who is gone with the engine and the switch', () => {
  test.for<[string, number, object]>([
    ['in the flow', 300, { result: 'answered', talkMs: 0 }],
    ['in the queue', 8_000, { result: 'dropped', team: 'collections', talkMs: 0 }],
    ['with an agent', MINUTE_MS, { result: 'answered', agent: 'anna', team: 'collections' }],
  ])('is recorded as answered: %s', async ([, afterMs, expected]) => {
    const { world, callIn } = await open()
    world.pbx.agentPhone('anna' as never, { does: 'answer', afterMs: 10_000 })
    callIn({ waitsMaxMs: 10 * MINUTE_MS })
    await world.run(afterMs)
    const atMs = world.clock.nowMs()
    await world.crash()
    world.pbx.restart(1_000)
    await world.run(5_000)
    await world.start()
    await world.run(5_000)
    expect(callsOf(world)).toMatchObject([expected])
    const [call] = callsOf(world)
    expect(atMs - call!.answeredAtMs!).toBeGreaterThan(afterMs - 1_000)
    expect(atMs - call!.answeredAtMs!).toBeLessThan(afterMs)
  })
})

test('callers who came while no engine ran at our numbers are recorded, once the log can be read', async () => {
  const arrivalOf = (called: string, place: number, atMs: number) => ({
    leg: `leg-${place}` as LegId,
    caller: `+455100000${place}`,
    called,
    arrivedAtMs: atMs - MINUTE_MS,
    answeredAtMs: atMs - MINUTE_MS + 100,
    endedAtMs: atMs - MINUTE_MS / 2,
    hungUpBy: 'caller' as const,
    isApologised: true,
  })
  const readable = Promise.withResolvers<LoggedArrival[]>()
  const answers = [Promise.resolve(undefined)]
  const world = new CampaignWorld({
    parts: ({ dialer }) => {
      const readArrivals = () => answers.shift() ?? readable.promise
      return { dialer: { ...dialer!, callEventLog: { readEnds: async () => new Map(), readArrivals } } }
    },
  })
  const beganMs = world.clock.nowMs()
  await world.start()
  await world.run(35_000)
  // A switch that goes and comes meanwhile is a reason to look again, and not to record a call twice.
  world.pbx.restart(1_000)
  await world.run(35_000)
  expect(callsOf(world)).toEqual([])
  readable.resolve([INBOUND, '+4570009999'].map((called, place) => arrivalOf(called, place + 1, beganMs)))
  await world.run(5_000)
  expect(callsOf(world)).toMatchObject([{ caller: '+4551000001', called: INBOUND, result: 'lost', talkMs: 0 }])
})
