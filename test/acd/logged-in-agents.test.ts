import { expect, test } from 'vitest'
import type { AgentName, TeamName } from '../../src/kernel/ids.ts'
import { AgentSessionWorld, staffOf } from './agent-session-world.ts'

const HELP = 'help' as TeamName
const anna = 'anna' as AgentName
const ben = 'ben' as AgentName

/** Only what concerns people: who was given, found, lost. */
const PEOPLE = /^(agent\.|seat\.join|seat\.part|agentLeft|offerRefused|whisper|ringAgent)/
const people = (world: AgentSessionWorld) => world.heard().filter((line) => PEOPLE.test(line))

test('an agent who logs in is called once, waits alone in a bridge of their own, and is ready', () => {
  const world = new AgentSessionWorld(staffOf({ help: ['anna'] }))
  expect(world.order('anna', { type: 'logIn' })).toBe('ok')
  world.clock.run(60_000)
  expect(world.heard()).toEqual([
    'seat.ring anna',
    'seat.changed anna calling',
    'seat.hold anna',
    'seat.listen anna',
    'seat.changed anna ready',
  ])
  expect([...world.bridges.values()].map((legs) => legs.size)).toEqual([1])
})

test('commands that do not apply are refused with the reason', () => {
  const world = new AgentSessionWorld(staffOf({ help: ['anna'] }))
  expect(world.order('nobody', { type: 'logIn' })).toContain('unknown agent')
  expect(world.order('anna', { type: 'ready' })).toContain('not logged in')
  world.logIn('anna')
  expect(world.order('anna', { type: 'logIn' })).toBe('ok')
  expect(world.order('anna', { type: 'hangUp' })).toBe('nobody is on the line')
  expect(world.order('anna', { type: 'endWrapUp' })).toBe('there is no call to wrap up')
  expect(world.heard()).toEqual([])
})

test('a callee gets the agent who has waited longest, and the wrap-up of the campaign', () => {
  const world = new AgentSessionWorld(staffOf({ help: ['anna', 'ben'] })).logIn('ben', 'anna')
  world.answers('person', 'help')
  expect(people(world)).toEqual(['agent.given ben person'])
  world.clock.run(5_000)
  expect([world.stateOf('ben'), world.stateOf('anna')]).toEqual(['talking', 'ready'])
  world.hangsUp('person').clock.run(29_999)
  expect(world.stateOf('ben')).toBe('wrapUp')
  world.clock.run(1)
  expect(world.stateOf('ben')).toBe('ready')
})

test('agents who serve fewer teams are taken first', () => {
  const world = new AgentSessionWorld(staffOf({ help: ['anna', 'ben'], sales: ['anna'] })).logIn('anna', 'ben')
  world.answers('person', 'help')
  expect(people(world)).toEqual(['agent.given ben person'])
})

test('of two callees who answer at once the first gets the only agent, and the other waits (INV-A2)', () => {
  const world = new AgentSessionWorld(staffOf({ help: ['anna'] })).logIn('anna')
  world.answers('first', 'help').answers('second', 'help')
  expect(people(world)).toEqual(['agent.given anna first'])
  world.hangsUp('first').order('anna', { type: 'endWrapUp' })
  world.clock.run(0)
  world.order('anna', { type: 'endWrapUp' })
  expect(people(world)).toEqual(['agent.connected anna first', 'agent.given anna second'])
})

test('of two waiting callees, the first to answer gets the next agent', () => {
  const world = new AgentSessionWorld(staffOf({ help: ['anna'] })).logIn('anna')
  world.answers('served', 'help').answers('earlier', 'help').answers('later', 'help')
  for (const person of ['served', 'earlier']) {
    world.hangsUp(person).clock.run(0)
    world.order('anna', { type: 'endWrapUp' })
  }
  const given = ['served', 'earlier', 'later'].map((person) => `agent.given anna ${person}`)
  expect(people(world).filter((line) => line.startsWith('agent.given'))).toEqual(given)
})

test('a callee who was dialed for one agent gets only that agent', () => {
  const world = new AgentSessionWorld(staffOf({ help: ['anna', 'ben'] })).logIn('anna', 'ben')
  expect(world.distributor.reserve(ben, world.nowMs)).toBe(true)
  world.answers('anybody', 'help').answers('hers', 'help', 'ben').answers('other', 'help', 'anna')
  expect(people(world)).toEqual(['agent.given anna anybody', 'agent.given ben hers'])
})

test('a reserved agent is given to no other callee, and is ready again when the reservation fails', () => {
  const world = new AgentSessionWorld(staffOf({ help: ['anna'] })).logIn('anna')
  expect(world.distributor.reserveAny(HELP, world.nowMs)).toBe('anna')
  expect(world.distributor.reserveAny(HELP, world.nowMs)).toBeUndefined()
  world.answers('person', 'help')
  expect(people(world)).toEqual([])
  world.perform(world.distributor.unreserve(anna, world.nowMs))
  expect(people(world)).toEqual(['agent.given anna person'])
})

test('an agent who hangs up ends the conversation for the callee', () => {
  const world = new AgentSessionWorld(staffOf({ help: ['anna'] })).logIn('anna').answers('person', 'help')
  world.clock.run(1_000)
  expect(world.order('anna', { type: 'hangUp' })).toBe('ok')
  expect(people(world)).toEqual([
    'agent.given anna person',
    'agent.connected anna person',
    'seat.part anna person',
    'agent.finished anna person',
  ])
  expect(world.stateOf('anna')).toBe('wrapUp')
})

test('when the phone of an agent is lost before the two hear each other, the callee gets the next agent (F-F1)', () => {
  const world = new AgentSessionWorld(staffOf({ help: ['anna', 'ben'] })).logIn('anna', 'ben')
  world.losesPhone('anna').answers('person', 'help').clock.run(0)
  expect(people(world)).toEqual([
    'agent.given anna person',
    'seat.part anna person',
    'agent.lost anna person',
    'agent.given ben person',
    // Told late that they had come to the first one's bridge: they are taken out of it for certain.
    'seat.part anna person',
    'agent.connected ben person',
  ])
})

test('a caller gets a ready agent without ringing, after the whisper, which the caller does not hear', () => {
  const world = new AgentSessionWorld(staffOf({ help: ['anna'] })).logIn('anna').callsIn('caller', 'help', 'Case 4711')
  expect(people(world)).toEqual(['whisper anna caller'])
  expect(world.stateOf('anna')).toBe('reserved')
  world.clock.run(0)
  expect(people(world)).toEqual(['seat.join anna caller'])
  world.clock.run(0)
  expect([world.stateOf('anna'), world.distributor.position('caller' as never)]).toEqual(['talking', 0])
  world.callerLeaves('caller').clock.run(0)
  expect(world.stateOf('anna')).toBe('ready')
})

test('after a caller the agent wraps up by the setting of the team', () => {
  const wrapUp = { kind: 'byHand' } as const
  const world = new AgentSessionWorld(staffOf({ help: ['anna'] }, { wrapUp })).logIn('anna').callsIn('caller', 'help')
  world.clock.run(0)
  world.callerLeaves('caller').clock.run(0)
  expect(world.stateOf('anna')).toBe('wrapUp')
  expect([world.order('anna', { type: 'endWrapUp' }), world.stateOf('anna')]).toEqual(['ok', 'ready'])
})

test('a caller whose agent hangs up hears a goodbye', () => {
  const world = new AgentSessionWorld(staffOf({ help: ['anna'] })).logIn('anna').callsIn('caller', 'help')
  world.clock.run(0)
  people(world)
  world.order('anna', { type: 'hangUp' })
  expect(people(world)).toEqual(['seat.part anna caller', 'agentLeft anna caller'])
})

test('an agent who rejects a caller is paused, and the caller keeps their place and gets the next agent', () => {
  const world = new AgentSessionWorld(staffOf({ help: ['anna', 'ben'] })).logIn('anna', 'ben')
  world.callsIn('caller', 'help', 'Case 4711')
  world.order('anna', { type: 'hangUp' })
  expect(people(world)).toEqual(['whisper anna caller', 'offerRefused anna caller', 'whisper ben caller'])
  expect(world.stateOf('anna')).toBe('paused')
})

test('the end of an old whisper does not connect the next caller', () => {
  const world = new AgentSessionWorld(staffOf({ help: ['anna'] })).logIn('anna').callsIn('first', 'help', 'one')
  world.perform(world.distributor.leave('first' as never, world.nowMs))
  expect(world.heard()).toContain('seat.hush anna')
  world.callsIn('second', 'help', 'two')
  const said = world.distributor.handleAgentEvent(
    { type: 'playback.ended', leg: [...world.phones.keys()][0] as never, playback: 'none' as never },
    world.nowMs,
  )
  expect(said).toEqual([])
})

test('callees come before callers', () => {
  const world = new AgentSessionWorld(staffOf({ help: ['anna'] })).logIn('anna')
  world.order('anna', { type: 'pause', reason: 'tea' })
  world.callsIn('caller', 'help').answers('person', 'help')
  world.heard()
  world.order('anna', { type: 'ready' })
  expect(people(world)).toEqual(['agent.given anna person'])
})

test('a caller waits while lines that are out need the agent, and is served once they are resolved', () => {
  const world = new AgentSessionWorld(staffOf({ help: ['anna'] })).logIn('anna').linesOut({ help: 1 })
  world.callsIn('caller', 'help')
  expect([people(world), world.distributor.callersWaitingFor(HELP), world.distributor.isNeeded(anna)]).toEqual([
    [],
    1,
    true,
  ])
  world.linesOut({ help: 0 })
  expect(people(world)).toEqual(['seat.join anna caller'])
})

test('with one more agent than lines a caller is served at once', () => {
  const world = new AgentSessionWorld(staffOf({ help: ['anna', 'ben'] })).logIn('anna', 'ben').linesOut({ help: 1 })
  world.callsIn('one', 'help').callsIn('two', 'help')
  expect(people(world)).toEqual(['seat.join anna one'])
})

test('a colleague who also covers the lines of another team is not given to a caller', () => {
  const world = new AgentSessionWorld(staffOf({ help: ['anna', 'ben'], sales: ['anna'] })).logIn('anna', 'ben')
  world.linesOut({ help: 1, sales: 1 }).callsIn('caller', 'help')
  expect(people(world)).toEqual([])
  world.linesOut({ help: 1, sales: 0 })
  expect(people(world)).toEqual(['seat.join ben caller'])
})

test('an agent with a session is not rung too; an agent without a session is', () => {
  const world = new AgentSessionWorld(staffOf({ help: ['anna', 'ben'] })).logIn('anna')
  world.callsIn('one', 'help').callsIn('two', 'help').callsIn('three', 'help')
  expect(people(world)).toEqual(['seat.join anna one', 'ringAgent ben two'])
})

test('a log-in while a caller has the phone takes effect after that call, unless it is taken back', () => {
  const world = new AgentSessionWorld(staffOf({ help: ['anna', 'ben'] })).callsIn('one', 'help').callsIn('two', 'help')
  expect(people(world)).toEqual(['ringAgent anna one', 'ringAgent ben two'])
  for (const agent of ['anna', 'ben']) expect(world.order(agent, { type: 'logIn' })).toBe('ok')
  expect(world.order('ben', { type: 'logOut' })).toBe('ok')
  world.callerLeaves('one').callerLeaves('two').clock.run(1_000)
  expect(world.distributor.statuses().map(({ agent, state }) => `${agent} ${state}`)).toEqual(['anna ready'])
})

test('an agent who logs out is rung for no caller for twelve hours, also after a restart', () => {
  const world = new AgentSessionWorld(staffOf({ help: ['anna'] })).logIn('anna')
  world.order('anna', { type: 'logOut' })
  world.clock.run(1_000)
  world.callsIn('one', 'help').restart()
  world.callsIn('two', 'help').clock.run(12 * 3_600_000 - 5_000)
  expect(people(world)).toEqual([])
  world.clock.run(5_000)
  expect(people(world)).toEqual(['ringAgent anna two'])
})

test('a caller waits until it is known whether a line needs the agent, before a colleague is rung', () => {
  const world = new AgentSessionWorld(staffOf({ help: ['anna', 'ben'], sales: ['anna'] })).logIn('anna')
  world.linesOut({ sales: 1 }, ['sales']).callsIn('one', 'help')
  expect(people(world)).toEqual([])
  world.linesOut({})
  expect(people(world)).toEqual(['seat.join anna one'])
})

test('a colleague is rung once a line needs the agent, and at once when no agent is idle', () => {
  const world = new AgentSessionWorld(staffOf({ help: ['anna', 'ben', 'cleo'] })).logIn('anna')
  world.linesOut({ help: 1 }, ['help']).callsIn('one', 'help')
  world.linesOut({ help: 1 })
  expect(people(world)).toEqual(['ringAgent ben one'])
  world.order('anna', { type: 'pause', reason: 'tea' })
  world.linesOut({}).linesOut({ help: 1 }, ['help']).callsIn('two', 'help')
  expect(people(world)).toEqual(['ringAgent cleo two'])
})

test('a pause that lines do not allow is remembered, and begins when they are resolved', () => {
  const world = new AgentSessionWorld(staffOf({ help: ['anna'] })).logIn('anna').linesOut({ help: 1 })
  expect(world.order('anna', { type: 'pause', reason: 'tea' })).toBe('ok')
  expect(world.stateOf('anna')).toBe('ready, asked pause')
  world.linesOut({})
  expect([world.stateOf('anna'), world.reasonOf('anna')]).toEqual(['paused', 'tea'])
})

test('of two who ask for a pause while one of them is needed, one goes', () => {
  const world = new AgentSessionWorld(staffOf({ help: ['anna', 'ben'] })).logIn('anna', 'ben').linesOut({ help: 1 })
  world.order('anna', { type: 'pause', reason: 'tea' })
  world.order('ben', { type: 'logOut' })
  expect([world.stateOf('anna'), world.stateOf('ben')]).toEqual(['paused', 'ready, asked logOut'])
  expect(world.distributor.reserve(ben, world.nowMs)).toBe(false)
})

test('a log-out requested in a conversation takes effect after it: phone and bridge are gone', () => {
  const world = new AgentSessionWorld(staffOf({ help: ['anna'] })).logIn('anna').answers('person', 'help')
  world.clock.run(0)
  world.order('anna', { type: 'logOut' })
  expect(world.stateOf('anna')).toBe('talking, asked logOut')
  world.hangsUp('person').clock.run(30_000)
  expect([world.stateOf('anna'), world.phones.size, world.bridges.size]).toEqual(['loggedOut', 0, 0])
  expect(world.order('anna', { type: 'logIn' })).toBe('ok')
})

test('counts of a team: logged in, and free now', () => {
  const world = new AgentSessionWorld(staffOf({ help: ['anna', 'ben', 'carl'] })).logIn('anna', 'ben', 'carl')
  world.order('carl', { type: 'pause', reason: 'tea' })
  world.answers('person', 'help').clock.run(0)
  expect([world.distributor.readyIn(HELP), world.distributor.idleAgents(HELP)]).toEqual([2, ['ben']])
})

test('an agent removed from the configuration finishes the call and is logged out', () => {
  const world = new AgentSessionWorld(staffOf({ help: ['anna'] })).logIn('anna').answers('person', 'help')
  world.clock.run(0)
  world.perform(world.distributor.employ(staffOf({ help: ['ben'] }), world.nowMs))
  expect(world.stateOf('anna')).toBe('talking, asked logOut')
  world.hangsUp('person').clock.run(31_000)
  expect(world.stateOf('anna')).toBe('loggedOut')
})

test('given a restart in a conversation, the agent is found talking and no command is sent to the switch', () => {
  const world = new AgentSessionWorld(staffOf({ help: ['anna', 'ben'] })).logIn('anna', 'ben').answers('person', 'help')
  world.clock.run(10)
  world.heard()
  world.restart()
  expect([world.stateOf('anna'), world.stateOf('ben')]).toEqual(['talking', 'ready'])
  expect(world.heard()).toEqual(['seat.changed anna talking', 'seat.changed ben ready'])
  world.hangsUp('person').clock.run(30_000)
  expect(world.stateOf('anna')).toBe('ready')
})

test('given a restart during which the phone was lost, the agent is called again', () => {
  const world = new AgentSessionWorld(staffOf({ help: ['anna'] })).logIn('anna')
  world.phones.clear()
  world.bridges.clear()
  world.restart()
  expect(world.heard()).toContain('seat.ring anna')
  world.clock.run(0)
  expect(world.stateOf('anna')).toBe('ready')
})

test('given a restart, a callee found in the bridge of an agent belongs to that agent, whatever was saved', () => {
  const world = new AgentSessionWorld(staffOf({ help: ['anna'] })).logIn('anna')
  world.restart()
  const bridge = world.distributor.savedSessions()[0]!.bridge
  const person = { leg: 'person' as never, team: HELP, wrapUp: { kind: 'byHand' } as const }
  world.perform(world.distributor.adopt(person, bridge, world.nowMs))
  expect(world.stateOf('anna')).toBe('talking')
  expect([world.distributor.sessionOfBridge(bridge)?.agent, world.distributor.parties()]).toEqual(['anna', ['person']])
})

test.each([
  [['anna'], 'ready', undefined],
  [[], 'paused', 'was away'],
])('given a restart, with pages of %j there before their sessions, an agent is %s', (early, state, why) => {
  const world = new AgentSessionWorld(staffOf({ help: ['anna'] })).screen('anna', true).logIn('anna')
  world.clock.run(10)
  world.restart(world.saved(), early).clock.run(60_000)
  expect([world.stateOf('anna'), world.reasonOf('anna')]).toEqual([state, why])
})

test('a session saved in another shape is closed, and its agent can log in again', () => {
  const world = new AgentSessionWorld(staffOf({ help: ['anna'] }))
  const saved = { agent: anna, leg: 'old' as never, bridge: 'b' as never, saved: { shape: 0 } }
  world.perform(world.distributor.restoreSessions([saved], world.nowMs))
  expect(world.heard()).toEqual(['seat.hangUp anna', 'seat.close anna', 'seat.changed anna loggedOut'])
  expect(world.order('anna', { type: 'logIn' })).toBe('ok')
})

test('given a restart, a callee who is no longer in the bridge requests an agent again and gets one', () => {
  const world = new AgentSessionWorld(staffOf({ help: ['anna', 'ben'] })).logIn('anna', 'ben').answers('person', 'help')
  world.clock.run(10)
  for (const legs of world.bridges.values()) legs.delete('person')
  world.heard()
  world.restart()
  expect(people(world)).toEqual(['seat.part anna person', 'agent.given ben person'])
  expect(world.stateOf('anna')).toBe('wrapUp')
})

test('given a restart, the callee found with an agent counts, not the saved one', () => {
  const world = new AgentSessionWorld(staffOf({ help: ['anna'] })).logIn('anna').answers('old', 'help')
  world.clock.run(10)
  const { bridge } = world.distributor.savedSessions()[0]!
  const found = { leg: 'new' as never, team: HELP, wrapUp: { kind: 'byHand' } as const }
  world.perform(world.distributor.adopt(found, bridge, world.nowMs))
  world.hangsUp('old').clock.run(10)
  expect([world.stateOf('anna'), world.distributor.parties()]).toEqual(['talking', ['new']])
})

test.each(['talks', 'waits again'])(
  'given a restart with a session from before the callee got another agent, and the callee %s: nobody talks to nobody',
  (how) => {
    const world = new AgentSessionWorld(staffOf({ help: ['anna', 'ben'] })).logIn('anna', 'ben')
    world.mishaps = { ...world.mishaps, lost: 1 }
    world.answers('person', 'help').clock.run(500)
    // Written when the database was back, and not again: an agent who is ready again is shown as before.
    const [annas] = world.saved()
    world.mishaps = { ...world.mishaps, lost: 0 }
    world.clock.run(5_000)
    expect([world.stateOf('anna'), world.stateOf('ben')]).toEqual(['ready', 'talking'])
    if (how === 'waits again') for (const legs of world.bridges.values()) legs.delete('person')
    world.restart([annas!, ...world.saved().filter(({ agent }) => agent === 'ben')])
    world.hangsUp('person').clock.run(35_000)
    expect([world.stateOf('anna'), world.stateOf('ben')]).toEqual(['ready', 'ready'])
  },
)

test('an agent who asked for a pause and whose phone is lost for good is logged out, and waits for nothing', () => {
  const world = new AgentSessionWorld(staffOf({ help: ['anna'] })).logIn('anna')
  expect(world.distributor.reserve(anna, world.nowMs)).toBe(true)
  world.order('anna', { type: 'pause', reason: 'tea' })
  world.mishaps = { ...world.mishaps, unanswered: 1 }
  const told: string[] = []
  const perform = world.perform.bind(world)
  world.perform = (commands) => {
    for (const one of commands) if (one.type === 'seat.changed') told.push(`${one.status.state} ${one.status.asked}`)
    perform(commands)
  }
  world.losesPhone('anna').clock.run(300_000)
  expect(told.at(-1)).toBe('loggedOut undefined')
})
