import { describe, expect, test } from 'vitest'
import { CallDistributor, type DistributorCommand } from '../../src/acd/distributor.ts'
import type { Joining } from '../../src/acd/distributor-messages.ts'
import type { Agent, Staff, Team } from '../../src/acd/team.ts'
import {
  type AgentName,
  type CallId,
  type LegId,
  makeIds,
  type PlaybackId,
  type TeamName,
} from '../../src/kernel/ids.ts'
import { seededRandom } from '../../src/kernel/random.ts'
import { VirtualClock } from '../support/virtual-clock.ts'

const START = 1_000_000

function team(name: string, agents: readonly string[], rest: Partial<Team> = {}): Team {
  const defaults = { music: 'default', waitingMax: 3, ringTimeoutMs: 15_000, pauseAfterMissMs: 60_000 }
  return { name: name as TeamName, title: name, agents: agents as AgentName[], ...defaults, ...rest }
}

function distributorOf(...teams: Team[]) {
  const names = [...new Set(teams.flatMap(({ agents }) => agents))]
  const staff: Staff = {
    teams: new Map(teams.map((one) => [one.name, one])),
    agents: new Map(names.map((name) => [name, { name, title: name }])),
  }
  const distributor = new CallDistributor(staff, makeIds(new VirtualClock(START), seededRandom(1)), START)
  return {
    distributor,
    join: (call: string, to: string, rest: Partial<Joining> = {}) =>
      distributor.join(
        {
          call: call as CallId,
          leg: `leg-${call}` as LegId,
          team: to as TeamName,
          priority: 0,
          callerId: '+451',
          whisper: [],
          ...rest,
        },
        START,
      ),
  }
}

/** `ringAgent anna for c1`: a command of the distributor, in a line. */
function said(commands: DistributorCommand[] | string): string[] | string {
  return typeof commands === 'string'
    ? commands
    : commands.map((one) => `${one.type} ${'agent' in one ? `${one.agent} ` : ''}${'call' in one ? one.call : ''}`)
}

function legOf(commands: DistributorCommand[] | string): LegId {
  const ring = (commands as DistributorCommand[]).find(({ type }) => type === 'ringAgent')
  return (ring as Extract<DistributorCommand, { type: 'ringAgent' }>).leg
}

test('given two free agents, callers get them in order of arrival and the third waits first in line', () => {
  const { distributor, join } = distributorOf(team('help', ['anna', 'ben']))
  expect(said(join('c1', 'help'))).toEqual(['ringAgent anna c1'])
  expect(said(join('c2', 'help'))).toEqual(['ringAgent ben c2'])
  expect(said(join('c3', 'help'))).toEqual([])
  expect(distributor.position('c3' as CallId)).toBe(1)
})

describe('skills', () => {
  const able = (skills: Readonly<Record<string, readonly string[]>>) => {
    const help = team('help', Object.keys(skills))
    const agents = Object.entries(skills).map(([name, can]): Agent => {
      return { name: name as AgentName, title: name, skills: can }
    })
    return { teams: new Map([[help.name, help]]), agents: new Map(agents.map((agent) => [agent.name, agent])) }
  }

  test('a caller gets an agent who has all of them, and holds up nobody meanwhile', () => {
    const { distributor, join } = distributorOf(team('help', ['anna', 'ben', 'cleo']))
    distributor.employ(able({ anna: [], ben: ['danish'], cleo: ['danish', 'technics'] }), START)
    expect(said(join('c1', 'help', { skills: ['technics', 'danish'] }))).toEqual(['ringAgent cleo c1'])
    expect(said(join('c2', 'help', { skills: ['technics'] }))).toEqual([])
    expect(said(join('c3', 'help', { skills: ['danish'] }))).toEqual(['ringAgent ben c3'])
    expect(said(join('c4', 'help'))).toEqual(['ringAgent anna c4'])
  })

  test('a caller whom no agent of the team can serve does not wait, and is turned away when the last one goes', () => {
    const { distributor, join } = distributorOf(team('help', ['anna']))
    distributor.employ(able({ anna: ['danish'] }), START)
    expect(join('c1', 'help', { skills: ['technics'] })).toBe('closed')
    join('c2', 'help')
    expect(said(join('c3', 'help', { skills: ['danish'] }))).toEqual([])
    expect(said(distributor.employ(able({ anna: [] }), START))).toEqual(['turnAway c3'])
  })
})

test('the agent who has been free longest is rung', () => {
  const { distributor, join } = distributorOf(team('help', ['anna', 'ben']))
  const leg = legOf(join('c1', 'help'))
  distributor.handleAgentEvent({ type: 'leg.answered', leg }, START + 100)
  distributor.handleAgentEvent({ type: 'leg.ended', leg }, START + 5_000)
  expect(said(join('c2', 'help'))).toEqual(['ringAgent ben c2'])
})

test('an answered agent is connected, and leaving closes the bridge and tells the call', () => {
  const { distributor, join } = distributorOf(team('help', ['anna']))
  const leg = legOf(join('c1', 'help'))
  expect(said(distributor.handleAgentEvent({ type: 'leg.answered', leg }, START + 100))).toEqual(['connect anna c1'])
  expect(said(distributor.handleAgentEvent({ type: 'leg.ended', leg }, START + 9_000))).toEqual([
    'closeBridge anna c1',
    'agentLeft anna c1',
  ])
  expect([...distributor.states()]).toEqual([['anna', 'free']])
})

test('the whisper is heard before the two are connected', () => {
  const { distributor, join } = distributorOf(team('help', ['anna']))
  const leg = legOf(join('c1', 'help', { whisper: [{ text: 'Case 4711', voice: 'en' }] }))
  expect(said(distributor.handleAgentEvent({ type: 'leg.answered', leg }, START))).toEqual(['whisper anna c1'])
  const playback = `${leg}.whisper` as PlaybackId
  expect(said(distributor.handleAgentEvent({ type: 'playback.ended', leg, playback }, START + 900))).toEqual([
    'connect anna c1',
  ])
})

test('an agent who rejects is paused, the next agent is rung, and the first takes calls after the pause', () => {
  const { distributor, join } = distributorOf(team('help', ['anna', 'ben']))
  const leg = legOf(join('c1', 'help'))
  const next = distributor.handleAgentEvent({ type: 'leg.ended', leg }, START + 1_000)
  expect(said(next)).toEqual(['offerRefused anna c1', 'ringAgent ben c1'])
  expect(distributor.states().get('anna' as AgentName)).toBe('paused')
  const bensLeg = legOf(next)
  distributor.handleAgentEvent({ type: 'leg.answered', leg: bensLeg }, START + 2_000)
  join('c2', 'help')
  expect(said(distributor.timePassed(START + 61_000))).toEqual(['ringAgent anna c2'])
})

test('an agent whose phone rings too long is hung up, and the caller does not wait for the hang-up', () => {
  const { distributor, join } = distributorOf(team('help', ['anna', 'ben']))
  const leg = legOf(join('c1', 'help'))
  expect(said(distributor.timePassed(START + 17_000))).toEqual([
    'offerRefused anna c1',
    'hangUpAgent anna c1',
    'ringAgent ben c1',
  ])
  // The answer crossed our hang-up: it is hung up again, never connected.
  expect(said(distributor.handleAgentEvent({ type: 'leg.answered', leg }, START + 17_001))).toEqual([
    'hangUpAgent anna c1',
  ])
  distributor.handleAgentEvent({ type: 'leg.ended', leg }, START + 17_100)
  expect(distributor.states().get('anna' as AgentName)).toBe('paused')
})

test('given a caller who hangs up while the phone rings, the agent is freed without a pause', () => {
  const { distributor, join } = distributorOf(team('help', ['anna']))
  const leg = legOf(join('c1', 'help'))
  expect(said(distributor.leave('c1' as CallId, START + 500))).toEqual(['hangUpAgent anna c1'])
  join('c2', 'help')
  expect(said(distributor.handleAgentEvent({ type: 'leg.ended', leg }, START + 600))).toEqual(['ringAgent anna c2'])
})

test('given a caller who hangs up while talking, the agent is hung up and the bridge closed', () => {
  const { distributor, join } = distributorOf(team('help', ['anna']))
  const leg = legOf(join('c1', 'help'))
  distributor.handleAgentEvent({ type: 'leg.answered', leg }, START)
  expect(said(distributor.leave('c1' as CallId, START + 500))).toEqual(['hangUpAgent anna c1'])
  expect(said(distributor.handleAgentEvent({ type: 'leg.ended', leg }, START + 600))).toEqual(['closeBridge anna c1'])
})

test('higher priority is served first, and positions show it', () => {
  const { distributor, join } = distributorOf(team('help', ['anna']))
  const leg = legOf(join('c1', 'help'))
  join('c2', 'help')
  join('c3', 'help', { priority: 5 })
  expect([distributor.position('c3' as CallId), distributor.position('c2' as CallId)]).toEqual([1, 2])
  expect(said(distributor.handleAgentEvent({ type: 'leg.ended', leg }, START))).toContain('offerRefused anna c1')
})

test('a caller of a busy team does not hold up the callers of another', () => {
  const { join } = distributorOf(team('help', ['anna']), team('sales', ['ben']))
  join('c1', 'help')
  join('c2', 'help')
  expect(said(join('c3', 'sales'))).toEqual(['ringAgent ben c3'])
})

test('a full queue and a team without agents are reported', () => {
  const { join } = distributorOf(team('help', ['anna'], { waitingMax: 1 }), team('empty', []))
  join('c1', 'help')
  join('c2', 'help')
  expect([join('c3', 'help'), join('c4', 'empty'), join('c5', 'nowhere')]).toEqual(['full', 'closed', 'closed'])
})

test('an agent removed from the configuration while talking finishes the call and gets no other', () => {
  const { distributor, join } = distributorOf(team('help', ['anna']))
  const leg = legOf(join('c1', 'help'))
  distributor.handleAgentEvent({ type: 'leg.answered', leg }, START)
  distributor.employ({ teams: new Map([['help' as TeamName, team('help', ['ben'])]]), agents: new Map() }, START + 1)
  expect(distributor.states().get('anna' as AgentName)).toBe('talking')
  distributor.handleAgentEvent({ type: 'leg.ended', leg }, START + 2)
  expect([...distributor.states()]).toEqual([])
})

test('given a configuration without their team, waiting callers are turned away and none stays in the music', () => {
  const { distributor, join } = distributorOf(team('help', ['anna']))
  join('c1', 'help')
  join('c2', 'help')
  const gone = distributor.employ({ teams: new Map(), agents: new Map() }, START + 1)
  expect(said(gone)).toEqual(['turnAway c2'])
})
