import { Redis } from 'ioredis'
import { expect } from 'vitest'
import { type Clock, RealClock } from '../../src/kernel/clock.ts'
import type { AgentName } from '../../src/kernel/ids.ts'
import { makeLog } from '../../src/kernel/log.ts'
import { seededRandom } from '../../src/kernel/random.ts'
import { redisLive } from '../../src/live/redis-live.ts'
import type { LivePort } from '../../src/ports/live.ts'

/** Fields of a log line that tests read. */
export interface LogLine {
  readonly level: number
  readonly msg: string
  readonly code?: string
  readonly place?: string
}

/** A node whose log is kept. */
export interface LoggedNode {
  readonly live: LivePort
  readonly log: readonly LogLine[]
}

/** Says that a node is there, and that an agent of that name works on it. */
export async function appear({ live }: LoggedNode, node = 'one'): Promise<void> {
  await live.beat({ node, endpoint: `https://${node}.example` }, 60_000)
  await live.showAgent({ agent: `${node}-anna` as AgentName, node, state: 'ready', sinceAtMs: 1 }, 60_000)
}

/** One beat, as the service sends one each second. */
export function beat({ live }: LoggedNode, node = 'one'): Promise<void> {
  return live.beat({ node, endpoint: `https://${node}.example` }, 60_000)
}

/** Whom a node sees: nodes and agents by name. */
export async function seenBy({ live }: LoggedNode): Promise<string[]> {
  const nodes = (await live.nodes()).map(({ node }) => node)
  return [...nodes, ...(await live.agents()).map(({ agent }) => agent)].sort()
}

/** What `seenBy` answers when nodes one and two see each other. */
export const BOTH = ['one', 'one-anna', 'two', 'two-anna']

/** Asks everything a port can do, at once; over when all of it has settled. Rejects when anything rejects. */
export async function askEverything(node: LoggedNode): Promise<void> {
  const { live } = node
  live.publishBoard({ node: 'one', atMs: 1, what: { type: 'test' } })
  const bo = { agent: 'bo' as AgentName, node: 'one', state: 'ready', sinceAtMs: 1 }
  await Promise.all([beat(node), live.nodes(), live.showAgent(bo, 60_000), live.agents(), live.hideAgent(bo.agent)])
}

/** How a log tells of Redis: a word for each line. */
export function toldOf({ log }: LoggedNode): string[] {
  const words: Readonly<Record<string, RegExp>> = {
    well: /tell each other/,
    away: /does not answer/,
    locked: /does not let us in/,
    full: /memory of Redis is full/,
    noAddress: /no address of a Redis/,
  }
  return log.map(({ msg }) => Object.keys(words).find((word) => words[word]?.test(msg)) ?? msg)
}

/** How long tests wait for facts; far longer than any takes. */
export const PATIENCE = { interval: 20 }

let seed = 1

/** A node at this address, as it is before it has a connection. */
export function newNode(url: string, node = 'one', clock: Clock = new RealClock()): LoggedNode {
  const log: LogLine[] = []
  const write = (line: string) => void log.push(JSON.parse(line) as LogLine)
  const random = seededRandom(seed++)
  return { live: redisLive({ url, node, clock, random, log: makeLog('debug', { write }) }), log }
}

/** The same with its connections. */
export async function connectedNode(url: string, node = 'one', clock: Clock = new RealClock()): Promise<LoggedNode> {
  const made = newNode(url, node, clock)
  await expect.poll(() => made.live.isConnected(), PATIENCE).toBe(true)
  return made
}

/** Does something with Redis that no node does. */
export async function asOperator<T>(url: string, work: (redis: Redis) => Promise<T>): Promise<T> {
  const redis = new Redis(url)
  try {
    return await work(redis)
  } finally {
    redis.disconnect()
  }
}
