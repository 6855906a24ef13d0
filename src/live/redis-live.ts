/**
 * Nodes exchange live state through Redis. No fact is stored there (R1): whatever happens to Redis, every method ends
 * within half a second, none rejects, and the next beat after a fault restores the picture.
 *
 * Each node remembers its own entries. Every beat writes all of them again, so a flushed, restarted or rolled back
 * Redis recovers by itself; while Redis cannot be reached, a node sees its own entries only.
 */
import type { Redis } from 'ioredis'
import type { Clock } from '../kernel/clock.ts'
import type { AgentName } from '../kernel/ids.ts'
import type { Log } from '../kernel/log.ts'
import { type Random, randomText } from '../kernel/random.ts'
import type { BoardLine, LiveAgent, LiveNode, LivePort } from '../ports/live.ts'
import { BoardListeners } from './board-listeners.ts'
import { type ExpiringEntry, ExpiringMap } from './expiring-map.ts'
import { inProcessLive } from './in-process-live.ts'
import { type RedisAddress, readRedisAddress } from './redis-address.ts'
import { RedisCircuitBreaker } from './redis-circuit.ts'
import { RedisLink } from './redis-connection.ts'
import { PREFIX, RedisEntries } from './redis-entries.ts'
import { type ClassifiedTrouble, classify } from './redis-error.ts'
import { HealthNotes } from './redis-health-log.ts'
import { readAgent, readNode, readSentLine, type SentLine } from './redis-text.ts'

interface RedisLiveOptions {
  /** `redis://` or `rediss://`, with user, password and database if needed. Never logged. */
  readonly url: string
  readonly node: string
  readonly clock: Clock
  readonly random: Random
  readonly log: Log
}

/** The live port on Redis. A malformed address is logged once, and the node stays alone. */
export function redisLive(options: RedisLiveOptions): LivePort {
  const { url, clock, log } = options
  const address = readRedisAddress(url)
  if (address) return new RedisLive(address, options)
  log.error('REDIS_URL is not an address of a Redis, so this node stays alone; write redis://user:password@host:port')
  return { ...inProcessLive(clock, log), kind: 'shared', isConnected: () => false }
}

/** Commands time out after this (F-C4); the port promises it. */
const COMMAND_LIMIT_MS = 500
/** Limit for running commands; more are dropped rather than queued. */
const UNDER_WAY_MAX = 1_000
const BOARD_LINE_CHARACTERS_MAX = 32 * 1024

/** Kinds that can fail on their own: a full Redis refuses writes, and still answers reads and deletes. */
type CommandKind = 'tell' | 'ask' | 'board'

class RedisLive implements LivePort {
  readonly kind = 'shared'
  readonly #clock: Clock
  readonly #node: string
  /** The sender of lines that this process has heard already. Not the node's name: two processes may share it. */
  readonly #self: string
  readonly #channel: string
  readonly #commands: RedisLink
  /** A subscribed connection can do little else, so subscriptions have their own. */
  readonly #hearing: RedisLink
  readonly #circuits: Readonly<Record<CommandKind, RedisCircuitBreaker>>
  readonly #health: HealthNotes
  readonly #shelves = { nodes: new RedisEntries('nodes'), agents: new RedisEntries('agents') }
  readonly #nodes: ExpiringMap<LiveNode>
  readonly #agents: ExpiringMap<LiveAgent>
  /** Of the last beat: other nodes show an agent no longer than the agent's node lives. */
  #nodeLifeMs = Number.POSITIVE_INFINITY
  /** Keys whose removal Redis has not confirmed. */
  readonly #hidden = new Set<string>()
  readonly #listeners: BoardListeners
  #underWay = 0
  #isClosed = false

  constructor(address: RedisAddress, { node, clock, random, log }: RedisLiveOptions) {
    this.#clock = clock
    this.#node = node
    this.#self = `${node}-${randomText(random, 8)}`
    // Published lines ignore the number of the database; two installations on one Redis must stay separate.
    this.#channel = `${PREFIX}:board:${address.db}`
    this.#circuits = {
      tell: new RedisCircuitBreaker(clock),
      ask: new RedisCircuitBreaker(clock),
      board: new RedisCircuitBreaker(clock),
    }
    this.#nodes = new ExpiringMap(clock)
    this.#agents = new ExpiringMap(clock)
    this.#listeners = new BoardListeners(log)
    this.#health = new HealthNotes(address.place, log)
    const onChange = () => this.#noteHealth()
    const prepare = async () => {
      for (const circuit of Object.values(this.#circuits)) circuit.probeNow()
    }
    this.#commands = new RedisLink(address, { random, onChange, prepare })
    this.#hearing = new RedisLink(address, { random, onChange, prepare: (redis) => redis.subscribe(this.#channel) })
    this.#hearing.redis.on('message', (_channel, text) => this.#heard(text))
  }

  async beat(node: Omit<LiveNode, 'seenAtMs'>, lifeMs: number): Promise<void> {
    if (this.#isClosed) return
    this.#nodes.set(node.node, { ...node, seenAtMs: this.#clock.nowMs() }, lifeMs)
    this.#hearing.refresh()
    this.#nodeLifeMs = lifeMs
    const [nodes, agents] = [this.#texts(this.#nodes.entries()), this.#texts(this.#agents.entries())]
    // One command: an open circuit lets all of it through as its probe.
    const tellAll = (redis: Redis) =>
      Promise.all([
        this.#shelves.nodes.write(redis, nodes),
        agents.length > 0 && this.#shelves.agents.write(redis, agents),
      ])
    await Promise.all([this.#forgetHidden(), this.#run('tell', tellAll)])
  }

  async nodes(): Promise<readonly LiveNode[]> {
    const all = new Map<string, LiveNode>()
    for (const { text, ageMs } of (await this.#ask('nodes')) ?? []) {
      const node = readNode(text)
      if (node) all.set(node.node, { ...node, seenAtMs: this.#clock.nowMs() - ageMs })
    }
    for (const node of this.#nodes.values()) all.set(node.node, node)
    return [...all.values()]
  }

  async showAgent(agent: LiveAgent, lifeMs: number): Promise<void> {
    if (this.#isClosed) return
    const key = this.#keyOf(agent.agent)
    this.#hidden.delete(key)
    this.#agents.set(key, agent, lifeMs)
    const texts = this.#texts([{ key, value: agent, leftMs: lifeMs }])
    await this.#run('tell', (redis) => this.#shelves.agents.write(redis, texts))
  }

  async hideAgent(agent: AgentName): Promise<void> {
    if (this.#isClosed) return
    const key = this.#keyOf(agent)
    this.#agents.delete(key)
    this.#hidden.add(key)
    await this.#forgetHidden()
  }

  async agents(): Promise<readonly LiveAgent[]> {
    const claims = new Map<string, LiveAgent>()
    for (const { key, text } of (await this.#ask('agents')) ?? []) {
      const agent = this.#hidden.has(key) ? undefined : readAgent(text)
      if (agent) claims.set(key, agent)
    }
    for (const { key, value } of this.#agents.entries()) claims.set(key, value)
    return newestOfEach([...claims.values()])
  }

  publishBoard(line: BoardLine): void {
    if (this.#isClosed) return
    this.#listeners.notify(line)
    const sent: SentLine = { from: this.#self, line }
    const text = JSON.stringify(sent)
    if (text.length <= BOARD_LINE_CHARACTERS_MAX) void this.#run('board', (redis) => redis.publish(this.#channel, text))
  }

  onBoard(listener: (line: BoardLine) => void): () => void {
    return this.#isClosed ? () => {} : this.#listeners.add(listener)
  }

  isConnected(): boolean {
    return !this.#isClosed && this.#commands.isReady && this.#hearing.isReady && !this.#trouble()
  }

  /** Removes this process's entries: no call may be routed to a node that has stopped. */
  async close(): Promise<void> {
    if (this.#isClosed) return
    const keysOf = (entries: ExpiringMap<unknown>) => entries.entries().map(({ key }) => key)
    const [nodes, agents] = [keysOf(this.#nodes), [...keysOf(this.#agents), ...this.#hidden]]
    for (const entries of [this.#nodes, this.#agents]) entries.clear()
    this.#listeners.clear()
    const goodbye = Promise.all([
      nodes.length > 0 && this.#run('ask', (redis) => this.#shelves.nodes.forget(redis, nodes)),
      agents.length > 0 && this.#run('ask', (redis) => this.#shelves.agents.forget(redis, agents)),
    ])
    this.#isClosed = true
    await goodbye
    for (const link of [this.#commands, this.#hearing]) link.close()
  }

  /** Two nodes may claim one agent for a while; neither can remove the other's entry. */
  #keyOf(agent: AgentName): string {
    return `${agent}@${this.#node}`
  }

  #texts(entries: readonly ExpiringEntry<unknown>[]): ExpiringEntry<string>[] {
    const lifeMaxMs = this.#nodeLifeMs
    return entries.map(({ key, value, leftMs }) => {
      return { key, value: JSON.stringify(value), leftMs: Math.min(leftMs, lifeMaxMs) }
    })
  }

  async #forgetHidden(): Promise<void> {
    const keys = [...this.#hidden]
    if (keys.length === 0) return
    const isDone = await this.#run('ask', (redis) => this.#shelves.agents.forget(redis, keys))
    if (isDone) for (const key of keys) this.#hidden.delete(key)
  }

  #ask(what: 'nodes' | 'agents') {
    return this.#run('ask', (redis) => this.#shelves[what].ask(redis))
  }

  /** Runs `work` if Redis may be asked; undefined if not, or if Redis refuses or takes too long. Never rejects. */
  async #run<T>(kind: CommandKind, work: (redis: Redis) => Promise<T>): Promise<T | undefined> {
    const circuit = this.#circuits[kind]
    if (this.#isClosed || this.#commands.trouble || this.#underWay >= UNDER_WAY_MAX || !circuit.mayAsk()) return
    this.#underWay++
    try {
      const answer = await this.#inTime(this.#commands.begun.then(() => work(this.#commands.redis)))
      circuit.worked()
      for (const other of Object.values(this.#circuits)) other.reached()
      return answer
    } catch (error) {
      circuit.failed(classify(error))
      return undefined
    } finally {
      this.#underWay--
      this.#noteHealth()
    }
  }

  /** A command beyond the limit is given up; Redis may still execute it. */
  #inTime<T>(work: Promise<T>): Promise<T> {
    const { promise: late, reject } = Promise.withResolvers<never>()
    const timer = this.#clock.schedule(this.#clock.nowMs() + COMMAND_LIMIT_MS, () => reject(new Error('too late')))
    return Promise.race([work, late]).finally(() => timer.cancel())
  }

  #heard(text: string): void {
    const sent = readSentLine(text)
    if (sent && sent.from !== this.#self) this.#listeners.notify(sent.line)
  }

  #trouble(): ClassifiedTrouble | undefined {
    const { tell, ask, board } = this.#circuits
    return [this.#commands, this.#hearing, tell, ask, board].find(({ trouble }) => trouble)?.trouble
  }

  #noteHealth(): void {
    if (this.#isClosed) return
    const trouble = this.#trouble()
    if (trouble) this.#health.ill(trouble)
    else if (this.#commands.isReady && this.#hearing.isReady) this.#health.well()
  }
}

/** Of an agent that two nodes claim, the newest entry counts. */
function newestOfEach(claims: readonly LiveAgent[]): LiveAgent[] {
  const newest = new Map<AgentName, LiveAgent>()
  for (const claim of claims) {
    const other = newest.get(claim.agent)
    if (!other || claim.sinceAtMs > other.sinceAtMs) newest.set(claim.agent, claim)
  }
  return [...newest.values()]
}
