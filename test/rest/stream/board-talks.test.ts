/** Conversations on the board: of an engine on a simulated switch, from hold to restart, as its topic shows them. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { type AgentName, FIRST_CORPORATION } from '../../../src/kernel/ids.ts'
import type { AgentDesktop } from '../../../src/ports/agent-desktop.ts'
import type { CallSupervision } from '../../../src/ports/supervision.ts'
import { superviseRoutes } from '../../../src/rest/agents/supervise.ts'
import type { CredentialValues } from '../../../src/rest/http/credential-values.ts'
import { BoardTopics } from '../../../src/rest/stream/board-topics.ts'
import { CampaignWorld, type CampaignWorldOptions, INBOUND, STAYS } from '../../worlds/campaign-world.ts'
import { OURS, openRestWorld, type RestWorld } from '../rest-world.ts'

const ANNA = 'anna' as AgentName
const GONE = { does: 'ignore', afterMs: 0 } as const
const CALLER = '+4520120001'
const FLOW = `flow: direct
start: team
steps:
  team: { queue: { team: callers, timeout: 10m }, next: bye, on: { timeout: bye, full: bye, closed: bye } }
  bye: { hangup: { say: Goodbye. } }
`
const TALKS = { does: 'answer', afterMs: 2_000, ringsAfterMs: 500, hangsUpAfterMs: 600_000 } as const

let board: BoardTopics | undefined
/** The one that runs now: REST asks it. */
let engine: CampaignWorld['engine']
let door: RestWorld
let sam: CredentialValues

beforeAll(async () => {
  const supervision: Partial<CallSupervision> = {
    talks: () => engine.supervisions!.talks(),
    begin: (...asked) => engine.supervisions!.begin(...asked),
  }
  const agentDesktop: Partial<AgentDesktop> = { teamsOf: (agent) => engine.agentDesktop!.teamsOf(agent) }
  door = await openRestWorld({
    parts: () => ({ supervision: supervision as CallSupervision, agentDesktop: agentDesktop as AgentDesktop }),
    routes: superviseRoutes,
  })
  const { directory } = door.parts
  await directory.syncStaff({ agents: [{ name: 'sam', title: 'Sam' }], teams: [] }, OURS, 0)
  const { id } = (await directory.userByName('sam'))!
  const user = { id, userName: 'sam', active: true, teams: [] }
  sam = await door.credential(['dialer:write', 'users:read'], [OURS], { user })
})
afterEach(() => board?.close())
afterAll(() => door.close())

/** The world, and the board of the engine that runs now: a node that is started anew has a board of its own. */
async function open(options: CampaignWorldOptions = {}) {
  const world = new CampaignWorld({
    teams: { collections: ['anna', 'ben'], callers: ['anna'], floor: ['sam'] },
    contactOf: () => TALKS,
    flow: FLOW,
    parts: ({ dialer }) => ({ dialer: { ...dialer!, keepSupervised: async () => {} } }),
    ...options,
  })
  await world.campaign()
  let topic: ReturnType<BoardTopics['open']>
  const start = async () => {
    await world.start()
    const { agentDesktop, supervisions: supervision } = world.engine
    engine = world.engine
    board = new BoardTopics({
      agentDesktop: agentDesktop!,
      supervision: supervision!,
      live: { kind: 'alone', publishBoard: () => {} },
      node: 'one',
      clock: world.clock,
    })
    agentDesktop!.listen((agent, notification) => board!.notified(agent, notification))
    topic = board.open('board', { corporations: [FIRST_CORPORATION] })
  }
  await start()
  const tick = () => {
    board!.refresh()
    world.clock.schedule(world.clock.nowMs() + 1_000, tick)
  }
  tick()
  const calls = () => topic!.rows().flatMap(([kind, , fields]) => (kind === 'call' ? [fields] : []))
  const waits = () => calls().map(({ waits: why }) => (why as { why: string } | null)?.why ?? null)
  /** Over HTTP, as the page does it. */
  const supervise = async (callId: string) => {
    const { body: live } = await door.call('GET', '/svcpbx/calls/live', undefined, { as: sam })
    expect(live).toMatchObject([{ callId, userName: 'anna', supervision: null }])
    return door.call('POST', `/svcpbx/calls/${callId}/supervise`, { mode: 'whisper' }, { as: sam })
  }
  const hearsSam = () =>
    world.pbx.agentPhone(ANNA, STAYS).heard.some(({ text, untilMs }) => text === 'sam' && untilMs === undefined)
  const callIn = (caller = CALLER) =>
    world.pbx.callIn({ called: INBOUND, caller, person: { hangsUpAfterMs: 900_000, waitsMaxMs: 900_000 } })
  const again = async () => {
    await world.crash()
    board!.close()
    await start()
    await world.run(5_000)
  }
  const queue = () =>
    topic!.rows().flatMap(([kind, key, fields]) => (kind === 'queue' && key === 'callers' ? fields : []))
  const agents = () => topic!.rows().flatMap(([kind, , fields]) => (kind === 'agent' ? [fields] : []))
  return { world, calls, agents, queue, waits, supervise, hearsSam, callIn, again }
}

async function dialed(options: CampaignWorldOptions = {}) {
  const room = await open(options)
  await room.world.import(1)
  await room.world.logIn('anna')
  expect(await room.world.until(() => room.calls().length === 1)).toBe(true)
  expect(room.waits()).toEqual([null])
  return room
}

describe('whoever hears no agent is shown so, with the reason and the time', () => {
  test('on hold, and taken back', async () => {
    const { world, calls, waits } = await dialed()
    const heldAtMs = world.clock.nowMs()
    await world.order('anna', { type: 'hold' })
    await world.run(40_000)
    expect(calls()[0]).toMatchObject({
      userName: 'anna',
      waits: { why: 'hold', sinceTs: new Date(heldAtMs).toISOString() },
    })
    await world.order('anna', { type: 'resume' })
    await world.run(2_000)
    expect(waits()).toEqual([null])
  })

  test('for a lost phone, and then for the next agent, who takes the call', async () => {
    const { world, calls, waits } = await dialed({ phoneGraceMs: 15_000 })
    world.pbx.agentPhone(ANNA, GONE).hangUp()
    expect(await world.until(() => waits()[0] === 'phone', 5_000)).toBe(true)
    expect(await world.until(() => waits()[0] === 'nextAgent', 20_000)).toBe(true)
    const [alone] = calls()
    expect(alone).toMatchObject({ userName: 'anna' })
    await world.run(2_000)
    expect(calls()[0]).toMatchObject({ waits: (alone as { waits: object }).waits })
    await world.logIn('ben')
    expect(await world.until(() => calls()[0]?.['userName'] === 'ben', 15_000)).toBe(true)
    expect(waits()).toEqual([null])
  })
})

test('an agent whose phone rings for each caller is at work while it rings and while she talks', async () => {
  const { world, calls, queue, callIn } = await open()
  world.pbx.agentPhone(ANNA, { does: 'answer', afterMs: 10_000 })
  const callers = [callIn(), callIn('+4520120002')]
  await world.run(5_000)
  expect([calls().length, ...queue()]).toMatchObject([0, { waiting: 1, ready: 0, atWork: 1 }])
  expect(await world.until(() => calls().length === 1, 20_000)).toBe(true)
  expect(queue()).toMatchObject([{ waiting: 1, ready: 0, atWork: 1 }])
  for (const caller of callers) caller.hangUp()
  await world.run(7_000)
  expect(queue()).toMatchObject([{ waiting: 0, atWork: 0 }])
  await world.logIn('anna')
  callIn()
  expect(await world.until(() => calls().length === 1, 20_000)).toBe(true)
  await world.run(2_000)
  expect(queue()).toMatchObject([{ atWork: 1 }])
})

test('a talk of less than a second with such an agent does not stay on the board', async () => {
  const { world, calls, callIn } = await open()
  const caller = callIn()
  expect(await world.until(() => calls().length === 1, 20_000)).toBe(true)
  caller.hangUp()
  await world.run(7_000)
  expect(calls()).toEqual([])
})

describe('a caller is on the board with agent and queue, and is listened to, also after a restart of the node', () => {
  test.each([
    ['a logged-in agent', true],
    ['an agent whose phone rings for each call', false],
  ])('with %s', async (_, isLoggedIn) => {
    const { world, calls, supervise, hearsSam, callIn, again } = await open()
    if (isLoggedIn) await world.logIn('anna')
    world.pbx.agentPhone(ANNA, STAYS)
    callIn()
    expect(await world.until(() => calls().length === 1, 60_000)).toBe(true)
    await world.run(20_000)
    const [before] = calls()
    expect(before).toMatchObject({ userName: 'anna', direction: 1, number: CALLER, queueCode: 'callers' })
    await again()
    const [after] = calls()
    expect(after).toMatchObject({ userName: 'anna', direction: 1, number: CALLER, queueCode: 'callers' })
    expect(Math.abs(Date.parse(String(after!['sinceTs'])) - Date.parse(String(before!['sinceTs'])))).toBeLessThan(2_000)
    expect(await supervise(String(after!['callId']))).toMatchObject({ status: 200, body: { mode: 'whisper' } })
    expect(await world.until(hearsSam, 10_000)).toBe(true)
    world.pbx.agentPhone(ANNA, STAYS).hangUp()
    expect(await world.until(() => calls().length === 0, 30_000)).toBe(true)
    expect(hearsSam()).toBe(false)
  })

  test('and never where the step records by consent, also after the restart', async () => {
    const { world, calls, supervise, callIn, again } = await open({
      flow: FLOW.replace('team: callers,', 'team: callers, recording: consent,'),
    })
    await world.logIn('anna')
    callIn()
    expect(await world.until(() => calls().length === 1, 60_000)).toBe(true)
    expect(await supervise(String(calls()[0]!['callId']))).toMatchObject({ status: 409 })
    await again()
    expect(await supervise(String(calls()[0]!['callId']))).toMatchObject({ status: 409 })
  })

  test('whose agent logs in meanwhile: the board shows the call on, and that the log-in waits', async () => {
    const { world, calls, agents, callIn } = await open()
    world.pbx.agentPhone(ANNA, STAYS)
    const caller = callIn()
    expect(await world.until(() => calls().length === 1, 60_000)).toBe(true)
    expect(agents()).toEqual([])
    expect(await world.order('anna', { type: 'logIn' })).toEqual({ ok: true })
    for (const afterMs of [200, 10_000, 10_000]) {
      await world.run(afterMs)
      expect(agents()).toMatchObject([{ userName: 'anna', state: 'loggedOut', asked: 'logIn' }])
      expect(calls()).toMatchObject([{ userName: 'anna', number: CALLER }])
    }
    caller.hangUp()
    expect(await world.until(() => agents()[0]?.['state'] === 'ready', 30_000)).toBe(true)
    expect(agents()).toMatchObject([{ userName: 'anna', asked: null }])
  })

  test('and a callee too', async () => {
    const { calls, supervise, world, hearsSam, again } = await dialed()
    const [before] = calls()
    await again()
    const [after] = calls()
    expect(after).toMatchObject({ userName: 'anna', callId: before!['callId'], direction: 2, waits: null })
    expect(await supervise(String(after!['callId']))).toMatchObject({ status: 200, body: { mode: 'whisper' } })
    expect(await world.until(hearsSam, 10_000)).toBe(true)
  })
})
