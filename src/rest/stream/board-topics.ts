/** Topics `board` and `campaign`: one for all who may see the same, however many boards are open. */
import type { AtMs, Clock } from '../../kernel/clock.ts'
import { type AgentName, type CorporationId, FIRST_CORPORATION } from '../../kernel/ids.ts'
import type { AgentCall, AgentDesktop, AgentNotification, AgentStatus } from '../../ports/agent-desktop.ts'
import type { BoardLine, LivePort } from '../../ports/live.ts'
import type { CallSupervision, PartyWait } from '../../ports/supervision.ts'
import { notificationOut, STATUS } from '../agents/agent-schema.ts'
import { boardOut, campaignBoardOf } from '../dialer/board-schema.ts'
import { instantText } from '../http/list-params.ts'
import { FloorFigures } from './floor-figures.ts'
import { lastLine, type NodeNews, nodeNewsOf, outward, ToldRows } from './node-rows.ts'
import { type Fields, KEPT_MS, type Key, StreamTopic } from './stream-topic.ts'

interface BoardTopicsOptions {
  readonly agentDesktop: Pick<AgentDesktop, 'statuses' | 'queues' | 'teamsOf'>
  readonly supervision: Pick<CallSupervision, 'shownTalks'>
  readonly live: Pick<LivePort, 'kind' | 'publishBoard'>
  /** The name of this node. */
  readonly node: string
  readonly clock: Clock
  /** What is wrong with the sound in an agent's browser; absent: nobody's phone is one. */
  readonly soundOf?: ((agent: AgentName) => string | null) | undefined
}

/** What a topic shows. `campaign` absent: everything of its corporations; `teams`: what is theirs alone (rest-35). */
export interface BoardFilter {
  readonly corporations: readonly CorporationId[]
  readonly teams?: readonly string[]
  readonly campaign?: number
}

interface Shown {
  readonly kind: string
  readonly key: Key
  readonly corporation: number
  readonly fields: Fields
  /** Whose it is; undefined: everybody's. */
  readonly teams: readonly string[] | undefined
  readonly atMs: AtMs
  /** The node that told it, if it was another one. */
  readonly node: string | undefined
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
/** Every node tells something each second. */
const SILENT_MS = 7_000
/** What a silent node said last is shown for so long, marked; then only that it is silent. Our choice. */
const SILENT_ROWS_MS = 60_000
const SILENT_NODE_MS = 24 * 3_600_000
/** A node tells each of its rows again within 5 s; of one that speaks, older rows are over. */
const ROW_LIFE_MS = 12_000
/** Sets of corporations and campaigns that are looked at. Beyond it the oldest that nobody reads goes. */
const BOARDS_MAX = 500
/** A topic has ten numbers a second at most: these are more than it uses in ten years. */
const NUMBERS_EACH = 2 ** 32

/** Everything that boards show: of this node, and of the other nodes as far as they tell it. */
export class BoardTopics {
  readonly #options: BoardTopicsOptions
  readonly #shown = new Map<string, Shown>()
  readonly #boards = new Map<string, Board>()
  /** What agents and teams of other nodes wait for, by node and team. */
  readonly #queuesThere = new Map<string, { readonly node: string; readonly queue: Fields; readonly atMs: AtMs }>()
  readonly #heardAtMs = new Map<string, AtMs>()
  readonly #campaignTeams = new Map<Key, readonly string[]>()
  readonly #told = new ToldRows()
  /** Of this node, as the engine had them at the latest look; with the instant at which a wait was first seen. */
  #talks: ReadonlyMap<Key, AtMs | undefined> = new Map()
  readonly #floor = new FloorFigures()
  #opened = 0

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
    // A number belongs to one topic: whoever comes back to another one, as with other teams, gets a snapshot (rest-53).
    const topic = new StreamTopic({ clock, coalesceMs: COALESCE_MS, fromSeq: this.#opened++ * NUMBERS_EACH })
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
      if (status.state === 'loggedOut' && status.asked === undefined) this.#hide('agent', agent)
      else this.#showAgent(status)
    } else if (notification.type === 'call') {
      this.#showCall(agent, notification.call, atMs)
    } else if (notification.type === 'callEnded') this.#hide('call', notification.call)
  }

  line({ node, what, atMs }: BoardLine): void {
    const board = campaignBoardOf(what)
    if (board) {
      this.#floor.lostSoFar(node, board.campaign, board.lost ?? 0, this.#options.clock.nowMs())
      this.#campaignTeams.set(board.campaign, board.team === undefined ? [] : [board.team])
      return this.#show('campaign', board.campaign, board.corporation, boardOut(board, atMs))
    }
    const news = node === this.#options.node ? undefined : nodeNewsOf(what)
    if (news) this.#heard(node, news)
  }

  /** Once a second: counters, what this node tells the others, and what has gone without a word. */
  refresh(): void {
    const { clock, live } = this.#options
    const nowMs = clock.nowMs()
    for (const board of this.#boards.values()) if (board.topic.listeners > 0) board.unreadSinceAtMs = nowMs
    this.#showAgents()
    this.#showTalks(nowMs)
    this.#forgetOld(nowMs)
    this.#showQueues()
    if (live.kind === 'shared') this.#tellOthers()
    const agents = [...this.#shown.values()].filter(({ kind }) => kind === 'agent')
    this.#floor.second(
      agents.map(({ fields }) => fields['state']),
      nowMs,
    )
    this.#show('floor', 'floor', FIRST_CORPORATION, this.#floor.row(nowMs))
  }

  close(): void {
    const { live, node, clock } = this.#options
    if (live.kind === 'shared') live.publishBoard({ node, atMs: clock.nowMs(), what: lastLine() })
    for (const { topic } of this.#boards.values()) topic.close()
  }

  #tellOthers(): void {
    const { live, node, clock } = this.#options
    const own = [...this.#shown.values()].flatMap(({ kind, key, fields, node: from }) =>
      from === undefined && (kind === 'agent' || kind === 'call') ? [outward(kind, key, fields)] : [],
    )
    const queues = this.#ownQueues().map((queue) => ['queue', queue.name, queue] as const)
    const atMs = clock.nowMs()
    for (const what of this.#told.next([...own, ...queues])) live.publishBoard({ node, atMs, what })
  }

  #heard(node: string, { rows, gone, isLast }: NodeNews): void {
    const atMs = this.#options.clock.nowMs()
    if (isLast) return this.#left(node)
    this.#heardAtMs.set(node, atMs)
    this.#show('node', node, FIRST_CORPORATION, { name: node, silentSinceTs: null }, node)
    for (const [kind, key, fields] of rows) {
      if (kind === 'queue') this.#queuesThere.set(`${node} ${key}`, { node, queue: fields, atMs })
      else this.#show(kind, key, FIRST_CORPORATION, Object.assign({}, fields, { node }), node)
    }
    for (const [kind, key] of gone) {
      if (kind === 'queue') this.#queuesThere.delete(`${node} ${key}`)
      else this.#hide(kind, key, node)
    }
  }

  #left(node: string): void {
    this.#heardAtMs.delete(node)
    for (const [name, one] of this.#queuesThere) if (one.node === node) this.#queuesThere.delete(name)
    for (const { kind, key } of this.#shown.values()) this.#hide(kind, key, node)
  }

  #forgetOld(nowMs: AtMs): void {
    for (const [node, heardAtMs] of this.#heardAtMs) {
      if (heardAtMs > nowMs - SILENT_MS) continue
      const silentSinceTs = instantText(heardAtMs)
      this.#show('node', node, FIRST_CORPORATION, { name: node, silentSinceTs }, node)
      if (heardAtMs < nowMs - SILENT_NODE_MS) this.#left(node)
    }
    const isOver = (node: string, atMs: AtMs) => {
      const heardAtMs = this.#heardAtMs.get(node) ?? Number.NEGATIVE_INFINITY
      return heardAtMs < nowMs - SILENT_ROWS_MS || atMs < heardAtMs - ROW_LIFE_MS
    }
    for (const { kind, key, atMs, node } of this.#shown.values()) {
      if (kind === 'campaign' ? atMs < nowMs - CAMPAIGN_LIFE_MS : kind !== 'node' && node && isOver(node, atMs)) {
        this.#hide(kind, key, node)
      }
    }
    for (const [name, { node, atMs }] of this.#queuesThere) if (isOver(node, atMs)) this.#queuesThere.delete(name)
  }

  #showAgents(): void {
    const statuses = this.#options.agentDesktop.statuses()
    for (const status of statuses) this.#showAgent(status)
    // Whoever was rung for a call may wait with a log-in for its end. Without a status, `#showTalks` has each talk.
    const mayTalk = ({ state }: AgentStatus) => state === 'talking' || state === 'loggedOut'
    const talking = new Set<unknown>(statuses.filter(mayTalk).map(({ agent }) => agent))
    const doubtfulAtMs = this.#options.clock.nowMs() - CALL_DOUBT_MS
    const here = new Set<unknown>(statuses.map(({ agent }) => agent))
    for (const { kind, key, fields, atMs, node } of this.#shown.values()) {
      if (node !== undefined) continue
      if (kind === 'call' && atMs < doubtfulAtMs && !talking.has(fields['userName'])) this.#hide(kind, key)
      if (kind === 'agent' && !here.has(key)) this.#hide(kind, key)
    }
  }

  /** What no notification told: talks that an earlier engine connected, and who hears music. */
  #showTalks(nowMs: AtMs): void {
    const talks = new Map<Key, AtMs | undefined>()
    for (const { agent, shown, sinceAtMs, wait } of this.#options.supervision.shownTalks()) {
      const waitsSinceAtMs = wait && (wait.sinceAtMs ?? this.#talks.get(shown.call) ?? nowMs)
      talks.set(shown.call, waitsSinceAtMs)
      this.#showCall(agent, shown, sinceAtMs, wait && { why: wait.why, sinceAtMs: waitsSinceAtMs! })
    }
    for (const call of this.#talks.keys()) if (!talks.has(call)) this.#hide('call', call)
    this.#talks = talks
  }

  #showCall(agent: AgentName, call: AgentCall, sinceAtMs: AtMs, wait?: PartyWait): void {
    const { type: _, typedCode: __, queueCode = null, ...shown } = notificationOut({ type: 'call', call })
    const waits = wait ? { why: wait.why, sinceTs: instantText(wait.sinceAtMs) } : null
    // The news of a call and the engine's own instant of it differ by a moment: a row does not change for that.
    const { userName, sinceTs } = this.#shown.get(`call:${call.call}`)?.fields ?? {}
    const since = userName === agent ? sinceTs! : instantText(sinceAtMs)
    const usual = { userName: agent, sinceTs: since, eactId: null, callTask: null }
    this.#show('call', call.call, FIRST_CORPORATION, Object.assign(usual, { queueCode, waits }, shown))
  }

  #showAgent(status: AgentStatus): void {
    const sound = this.#options.soundOf?.(status.agent) ?? null
    this.#show('agent', status.agent, FIRST_CORPORATION, Object.assign({ sound }, STATUS.show(status)) as Fields)
  }

  #ownQueues() {
    return this.#options.agentDesktop.queues().map(({ team, waiting, longestSinceAtMs, ready, atWork }) => {
      return { name: team, waiting, longestSinceTs: instantText(longestSinceAtMs), ready, atWork }
    })
  }

  /** A team has callers and agents on every node. */
  #showQueues(): void {
    const teams = new Map<string, Fields>()
    for (const queue of [...this.#ownQueues(), ...[...this.#queuesThere.values()].map((one) => one.queue)]) {
      const name = String(queue.name)
      teams.set(name, together(teams.get(name), queue as Fields))
    }
    for (const { kind, key } of this.#shown.values()) {
      if (kind === 'queue' && !teams.has(String(key))) this.#hide(kind, key)
    }
    for (const [name, queue] of teams) this.#show('queue', name, FIRST_CORPORATION, queue)
  }

  /** `node` absent: it is of this node, which knows better what it has itself. */
  #show(kind: string, key: Key, corporation: number, fields: Fields, node?: string): void {
    const nowMs = this.#options.clock.nowMs()
    const before = this.#shown.get(`${kind}:${key}`)
    if (before && node !== undefined && before.node === undefined) return
    if (kind === 'agent' && before) this.#floor.agentChanged(before.fields, fields, nowMs)
    if (kind === 'call' && hasNoAgent(fields)) this.#floor.agentLeft(key)
    else if (kind === 'call') this.#floor.conversation(key, Date.parse(String(fields['sinceTs'])), nowMs)
    const shown = { kind, key, corporation, fields, teams: this.#teamsOf(kind, key, fields), atMs: nowMs, node }
    this.#shown.set(`${kind}:${key}`, shown)
    for (const board of this.#boards.values()) tell(board, shown)
  }

  #teamsOf(kind: string, key: Key, fields: Fields): readonly string[] | undefined {
    const { agentDesktop } = this.#options
    if (kind === 'agent') return agentDesktop.teamsOf(key as AgentName)
    if (kind === 'call') return agentDesktop.teamsOf(fields['userName'] as AgentName)
    if (kind === 'queue') return [String(key)]
    if (kind === 'campaign') return this.#campaignTeams.get(key) ?? []
    // The figures of the floor are those of all teams together.
    return kind === 'floor' ? [] : undefined
  }

  #hide(kind: string, key: Key, node?: string): void {
    const id = `${kind}:${key}`
    if (this.#shown.get(id)?.node !== node || !this.#shown.delete(id)) return
    for (const { topic } of this.#boards.values()) topic.remove(kind, key)
  }

  #forgetUnread(): void {
    const oldestAtMs = this.#options.clock.nowMs() - KEPT_MS
    for (const [name, { topic, unreadSinceAtMs }] of this.#boards) {
      if (topic.listeners > 0 || unreadSinceAtMs > oldestAtMs) continue
      topic.close()
      this.#boards.delete(name)
    }
  }
}

/** Of a call: its agent is gone, and the other side waits for the next one. */
function hasNoAgent({ waits }: Fields): boolean {
  return (waits as { readonly why?: unknown } | null)?.why === 'nextAgent'
}

function tell(
  { filter, topic }: Pick<Board, 'filter' | 'topic'>,
  { kind, key, corporation, fields, teams }: Shown,
): void {
  const { corporations, campaign } = filter
  if (!corporations.includes(corporation as CorporationId)) return
  if (campaign !== undefined && (kind !== 'campaign' || key !== campaign)) return
  // An agent may have gone to another team since.
  if (filter.teams && teams && !teams.some((team) => filter.teams?.includes(team))) return topic.remove(kind, key)
  topic.set(kind, key, fields)
}

function together(one: Fields | undefined, other: Fields): Fields {
  if (!one) return other
  const sum = (name: string) => Number(one[name]) + Number(other[name])
  const since = [one, other].flatMap(({ longestSinceTs }) => (longestSinceTs === null ? [] : [String(longestSinceTs)]))
  const [longestSinceTs = null] = since.sort()
  return Object.assign({}, one, { waiting: sum('waiting'), longestSinceTs, ready: sum('ready'), atWork: sum('atWork') })
}
