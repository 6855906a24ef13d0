/** One board for all nodes: each shows what the others have, says which of them is silent, and forgets who left. */
import { expect, test } from 'vitest'
import { type AgentName, type CallId, FIRST_CORPORATION, type TeamName } from '../../../src/kernel/ids.ts'
import type { AgentStatus, QueueStatus } from '../../../src/ports/agent-desktop.ts'
import type { BoardLine } from '../../../src/ports/live.ts'
import type { ShownTalk } from '../../../src/ports/supervision.ts'
import { BoardTopics } from '../../../src/rest/stream/board-topics.ts'
import { VirtualClock } from '../../support/virtual-clock.ts'

const START_MS = Date.parse('2026-01-05T10:00:00Z')

/** Nodes that hear each other, unless one is cut off. */
function floorOf(...names: string[]) {
  const clock = new VirtualClock(START_MS)
  const cut = new Set<string>()
  const lines: string[] = []
  const all = new Map<string, BoardTopics>()
  const nodes = names.map((node) => {
    const statuses: AgentStatus[] = []
    const queues: QueueStatus[] = []
    const talks: ShownTalk[] = []
    const publishBoard = (line: BoardLine) => {
      lines.push(JSON.stringify(line))
      const heard = JSON.parse(lines.at(-1)!) as BoardLine
      for (const [name, topics] of all) if (name === node || !(cut.has(node) || cut.has(name))) topics.line(heard)
    }
    const teamsOf = (agent: AgentName) => [(agent === AGENT ? 'debt' : 'sales') as TeamName]
    const agentDesktop = { statuses: () => statuses, queues: () => queues, teamsOf }
    const live = { kind: 'shared', publishBoard } as const
    const supervision = { shownTalks: () => talks }
    const topics = new BoardTopics({ agentDesktop, supervision, live, node, clock })
    all.set(node, topics)
    const board = topics.open('board', { corporations: [FIRST_CORPORATION] })!
    const rows = (kind: string) => board.rows().flatMap(([one, key, fields]) => (one === kind ? [[key, fields]] : []))
    const seenBy = (team: string) =>
      topics.open(`board of ${team}`, { corporations: [FIRST_CORPORATION], teams: [team] })!.rows()
    return { topics, statuses, queues, talks, rows, seenBy }
  })
  const answered = (node: (typeof nodes)[0]) => {
    const [floor] = node.rows('floor') as [string, { readonly answered: readonly number[] }][]
    return floor![1].answered.reduce((sum, count) => sum + count)
  }
  const seconds = (count: number) => {
    for (let second = 0; second < count; second++) {
      clock.run(1_000)
      for (const { topics } of nodes) topics.refresh()
      clock.run(100)
    }
  }
  return { nodes, seconds, answered, cut, clock, lines }
}

const AGENT = 'anna' as AgentName
const is = (state: AgentStatus['state'], sinceAtMs: number): AgentStatus => ({ agent: AGENT, state, sinceAtMs })
const waiting = (count: number, sinceAtMs?: number): QueueStatus => {
  return { team: 'debt' as TeamName, waiting: count, longestSinceAtMs: sinceAtMs, ready: 1, atWork: 2 }
}
const talks = {
  type: 'call',
  call: {
    call: 'c1' as CallId,
    direction: 'in' as const,
    number: '+4520123456',
    task: { task: 5, campaign: 7, receiverName: 'Jane' },
  },
} as const

test('a board shows agents, calls and queues of all nodes, and a change of another node at once', () => {
  const { nodes, seconds, clock, lines } = floorOf('one', 'two')
  const [one, two] = nodes as [(typeof nodes)[0], (typeof nodes)[0]]
  one.statuses.push(is('talking', START_MS))
  one.topics.notified(AGENT, talks as never)
  one.talks.push({
    agent: AGENT,
    shown: talks.call as never,
    sinceAtMs: START_MS,
    wait: { why: 'hold', sinceAtMs: START_MS },
  })
  one.queues.push(waiting(2, START_MS - 5_000))
  two.queues.push(waiting(1, START_MS - 9_000))
  seconds(2)
  expect(two.rows('agent')).toEqual([['anna', expect.objectContaining({ state: 'talking', node: 'one' })]])
  const callTask = { callCode: 7, callReceiverName: null }
  const waits = { why: 'hold', sinceTs: '2026-01-05T10:00:00.000Z' }
  const call = { userName: 'anna', node: 'one', number: null, callTask, waits }
  expect(two.rows('call')).toEqual([['c1', expect.objectContaining(call)]])
  const together = { name: 'debt', waiting: 3, longestSinceTs: '2026-01-05T09:59:51.000Z', ready: 2, atWork: 4 }
  for (const { rows } of nodes) expect(rows('queue')).toEqual([['debt', expect.objectContaining(together)]])
  expect(one.rows('agent')).toEqual([['anna', expect.not.objectContaining({ node: 'one' })]])

  one.statuses[0] = is('wrapUp', clock.nowMs())
  one.topics.notified(AGENT, { type: 'callEnded', call: 'c1' as CallId } as never)
  one.queues.splice(0)
  one.talks.splice(0)
  seconds(1)
  expect(two.rows('agent')).toEqual([['anna', expect.objectContaining({ state: 'wrapUp' })]])
  expect(two.rows('call')).toEqual([])
  expect(two.rows('queue')).toEqual([['debt', expect.objectContaining({ waiting: 1 })]])
  // What goes to other nodes passes through Redis: no number and no name of a person is in it.
  expect(lines.filter((line) => /4520123456|Jane/.test(line))).toEqual([])
  expect(lines.filter((line) => line.includes('c1')).length).toBeGreaterThan(0)
})

test('a supervisor of a team sees its agents, calls and queue on every node, and of another team nothing', () => {
  const { nodes, seconds } = floorOf('one', 'two')
  const [one, two] = nodes as [(typeof nodes)[0], (typeof nodes)[0]]
  one.statuses.push(is('talking', START_MS), { agent: 'bo' as AgentName, state: 'ready', sinceAtMs: START_MS })
  one.topics.notified(AGENT, talks as never)
  one.queues.push(waiting(1), { ...waiting(4), team: 'sales' as TeamName })
  seconds(2)
  for (const { seenBy } of [one, two]) {
    const of = (team: string) => seenBy(team).flatMap(([kind, key]) => (kind === 'node' ? [] : [`${kind} ${key}`]))
    expect(of('debt').sort()).toEqual(['agent anna', 'call c1', 'queue debt'])
    expect(of('sales').sort()).toEqual(['agent bo', 'queue sales'])
    expect(of('nobody')).toEqual([])
  }
})

test('a node that is silent is shown so, with the time; its rows stay a minute and come back with it', () => {
  const { nodes, seconds, cut, clock } = floorOf('one', 'two')
  const [one, two] = nodes as [(typeof nodes)[0], (typeof nodes)[0]]
  one.statuses.push(is('ready', START_MS))
  seconds(2)
  expect(two.rows('node')).toEqual([['one', { name: 'one', silentSinceTs: null }]])
  cut.add('one')
  const silentSinceTs = new Date(clock.nowMs() - 100).toISOString()
  seconds(8)
  expect(two.rows('node')).toEqual([['one', { name: 'one', silentSinceTs }]])
  expect(two.rows('agent')).toHaveLength(1)
  seconds(60)
  expect(two.rows('agent')).toEqual([])
  expect(two.rows('node')).toHaveLength(1)
  cut.delete('one')
  seconds(6)
  expect(two.rows('node')).toEqual([['one', { name: 'one', silentSinceTs: null }]])
  expect(two.rows('agent')).toHaveLength(1)
})

test('conversations of a node that was silent count once, also when it comes back', () => {
  const { nodes, seconds, answered, cut } = floorOf('one', 'two')
  const [one, two] = nodes as [(typeof nodes)[0], (typeof nodes)[0]]
  one.statuses.push(is('talking', START_MS))
  one.topics.notified(AGENT, talks as never)
  seconds(2)
  expect([answered(one), answered(two)]).toEqual([1, 1])
  cut.add('one')
  seconds(90)
  expect(two.rows('call')).toEqual([])
  cut.delete('one')
  seconds(6)
  expect(two.rows('call')).toHaveLength(1)
  expect([answered(one), answered(two)]).toEqual([1, 1])
  // A new agent of the same call is another conversation.
  const alone = { agent: AGENT, shown: talks.call as never, sinceAtMs: START_MS }
  one.talks.push({ ...alone, wait: { why: 'nextAgent', sinceAtMs: START_MS } })
  seconds(6)
  one.talks[0] = alone
  seconds(6)
  expect([answered(one), answered(two)]).toEqual([2, 2])
})

test('a node that stops takes its rows with it; 500 agents are told in lines that Redis takes', () => {
  const { nodes, seconds } = floorOf('one', 'two')
  const [one, two] = nodes as [(typeof nodes)[0], (typeof nodes)[0]]
  for (let place = 0; place < 500; place++) {
    one.statuses.push({
      agent: `agent${place}` as AgentName,
      state: 'paused',
      sinceAtMs: START_MS,
      reason: 'é'.repeat(99),
    })
  }
  seconds(2)
  expect(two.rows('agent')).toHaveLength(500)
  one.topics.close()
  nodes.splice(0, 1)
  seconds(1)
  expect([two.rows('agent'), two.rows('node')]).toEqual([[], []])
})

test('figures of the floor: conversations by minute, idle times, occupancy, losses', () => {
  const { nodes, seconds } = floorOf('one')
  const [one] = nodes as [(typeof nodes)[0]]
  one.statuses.push(is('ready', START_MS))
  seconds(20)
  one.statuses[0] = is('talking', START_MS + 20_000)
  one.topics.notified(AGENT, talks as never)
  seconds(60)
  const [[, floor]] = one.rows('floor') as unknown as [[string, { answered: number[]; occupancyPct: number }]]
  expect(floor).toMatchObject({ idleP50S: 20, idleP95S: 20, lost: expect.any(Array) })
  expect(floor.answered).toHaveLength(30)
  expect(floor.answered.reduce((sum, count) => sum + count)).toBe(1)
  expect(floor.occupancyPct).toBe(75)
})
