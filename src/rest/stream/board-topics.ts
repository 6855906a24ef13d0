/** Topics `board` and `campaign`: one for all who may see the same, however many boards are open. */
import type { AtMs, Clock } from '../../kernel/clock.ts'
import { type AgentName, type CorporationId, FIRST_CORPORATION } from '../../kernel/ids.ts'
import type { AgentDesktop, AgentNotification } from '../../ports/agent-desktop.ts'
import type { BoardLine, LivePort } from '../../ports/live.ts'
import { notificationOut, STATUS } from '../agents/agent-schema.ts'
import { boardOut, campaignBoardOf } from '../dialer/board-schema.ts'
import { instantText } from '../http/list-params.ts'
import { type Fields, KEPT_MS, type Key, StreamTopic } from './stream-topic.ts'

interface BoardTopicsOptions {
  readonly agentDesktop: Pick<AgentDesktop, 'statuses' | 'queues'>
  readonly live: Pick<LivePort, 'agents'>
  readonly clock: Clock
}

/** What a topic shows. `campaign` absent: everything of its corporations. */
export interface BoardFilter {
  readonly corporations: readonly CorporationId[]
  readonly campaign?: number
}

interface Shown {
  readonly kind: string
  readonly key: Key
  readonly corporation: number
  readonly fields: Fields
  readonly atMs: AtMs
}

interface Board {
  readonly filter: BoardFilter
  readonly topic: StreamTopic
  unreadSinceAtMs: AtMs
}

const COALESCE_MS = 100
/** An engine publishes every 15 s; an older board is outdated. */
const CAMPAIGN_LIFE_MS = 60_000
/** A call whose agent talks no more so long after it came up is over. */
const CALL_DOUBT_MS = 5_000
/** Sets of corporations and campaigns that are looked at. Beyond it the oldest that nobody reads goes. */
const BOARDS_MAX = 500

/** Everything that boards show of this node, and what other nodes tell. */
export class BoardTopics {
  readonly #options: BoardTopicsOptions
  readonly #shown = new Map<string, Shown>()
  readonly #boards = new Map<string, Board>()
  #highestSeq = 0

  constructor(options: BoardTopicsOptions) {
    this.#options = options
  }

  /** Undefined: too many are open. */
  open(name: string, filter: BoardFilter): StreamTopic | undefined {
    this.#forgetUnread()
    const known = this.#boards.get(name)
    if (known) return known.topic
    if (this.#boards.size >= BOARDS_MAX) return undefined
    const { clock } = this.#options
    // No number is given twice: a client that comes back after its topic was forgotten gets a snapshot.
    const topic = new StreamTopic({ clock, coalesceMs: COALESCE_MS, fromSeq: ++this.#highestSeq })
    this.#showAgents()
    this.#showQueues()
    for (const shown of this.#shown.values()) tell({ filter, topic }, shown)
    topic.flush()
    this.#boards.set(name, { filter, topic, unreadSinceAtMs: clock.nowMs() })
    return topic
  }

  notified(agent: AgentName, notification: AgentNotification): void {
    const atMs = this.#options.clock.nowMs()
    if (notification.type === 'status') {
      const { status } = notification
      if (status.state === 'loggedOut') this.#hide('agent', agent)
      else this.#show('agent', agent, FIRST_CORPORATION, STATUS.show(status) as Fields)
    } else if (notification.type === 'call') {
      const { type: _, ...call } = notificationOut(notification)
      const fields = Object.assign({ userName: agent, sinceTs: instantText(atMs), eactId: null, callTask: null }, call)
      this.#show('call', notification.call.call, FIRST_CORPORATION, fields)
    } else if (notification.type === 'callEnded') this.#hide('call', notification.call)
  }

  line({ what, atMs }: BoardLine): void {
    const board = campaignBoardOf(what)
    if (board) this.#show('campaign', board.campaign, board.corporation, boardOut(board, atMs))
  }

  /** Once a second: counters, and what has gone without a word. */
  refresh(): void {
    const nowMs = this.#options.clock.nowMs()
    for (const [name, { topic }] of this.#boards) {
      if (topic.listeners > 0) this.#boards.get(name)!.unreadSinceAtMs = nowMs
    }
    for (const { kind, key, atMs } of this.#shown.values()) {
      if (kind === 'campaign' && atMs < nowMs - CAMPAIGN_LIFE_MS) this.#hide(kind, key)
    }
    if (this.#boards.size === 0) return
    this.#showQueues()
    this.#showAgents()
  }

  /** Agents of other nodes, as the live port tells them. */
  async refreshElsewhere(): Promise<void> {
    if (this.#boards.size === 0) return
    const all = await this.#options.live.agents()
    const here = new Set<Key>(this.#options.agentDesktop.statuses().map(({ agent }) => agent))
    const there = all.filter(({ agent }) => !here.has(agent))
    const named = new Set<Key>([...here, ...there.map(({ agent }) => agent)])
    for (const { kind, key } of this.#shown.values()) if (kind === 'agent' && !named.has(key)) this.#hide(kind, key)
    for (const { agent, state, sinceAtMs } of there) {
      const unknown = { untilTs: null, reason: null, asked: null }
      const fields = Object.assign({ userName: agent, state, sinceTs: instantText(sinceAtMs) }, unknown)
      this.#show('agent', agent, FIRST_CORPORATION, fields)
    }
  }

  close(): void {
    for (const { topic } of this.#boards.values()) topic.close()
  }

  #showAgents(): void {
    const statuses = this.#options.agentDesktop.statuses()
    for (const status of statuses) this.#show('agent', status.agent, FIRST_CORPORATION, STATUS.show(status) as Fields)
    // Agents whose phones ring for each call have no status.
    const silent = new Set<unknown>(statuses.filter(({ state }) => state !== 'talking').map(({ agent }) => agent))
    const doubtfulAtMs = this.#options.clock.nowMs() - CALL_DOUBT_MS
    for (const { kind, key, fields, atMs } of this.#shown.values()) {
      if (kind === 'call' && atMs < doubtfulAtMs && silent.has(fields['userName'])) this.#hide(kind, key)
    }
  }

  #showQueues(): void {
    for (const { team, waiting, longestSinceAtMs, ready, atWork } of this.#options.agentDesktop.queues()) {
      const longestSinceTs = instantText(longestSinceAtMs)
      this.#show('queue', team, FIRST_CORPORATION, { name: team, waiting, longestSinceTs, ready, atWork })
    }
  }

  #show(kind: string, key: Key, corporation: number, fields: Fields): void {
    const shown = { kind, key, corporation, fields, atMs: this.#options.clock.nowMs() }
    this.#shown.set(`${kind}:${key}`, shown)
    for (const board of this.#boards.values()) tell(board, shown)
  }

  #hide(kind: string, key: Key): void {
    if (!this.#shown.delete(`${kind}:${key}`)) return
    for (const { topic } of this.#boards.values()) topic.remove(kind, key)
  }

  #forgetUnread(): void {
    const oldestAtMs = this.#options.clock.nowMs() - KEPT_MS
    for (const [name, { topic, unreadSinceAtMs }] of this.#boards) {
      this.#highestSeq = Math.max(this.#highestSeq, topic.seq)
      if (topic.listeners > 0 || unreadSinceAtMs > oldestAtMs) continue
      topic.close()
      this.#boards.delete(name)
    }
  }
}

function tell({ filter, topic }: Pick<Board, 'filter' | 'topic'>, { kind, key, corporation, fields }: Shown): void {
  const { corporations, campaign } = filter
  if (!corporations.includes(corporation as CorporationId)) return
  if (campaign !== undefined && (kind !== 'campaign' || key !== campaign)) return
  topic.set(kind, key, fields)
}
