/** What needs a supervisor now, the worst first: a pure function of the rows and the server's time. */
import type { AgentRow, CallRow, CampaignRow, NodeRow, QueueRow } from './board-rows.ts'

/** What is looked at. */
export interface Situation {
  readonly agents: readonly AgentRow[]
  readonly queues: readonly QueueRow[]
  readonly calls: readonly CallRow[]
  readonly campaigns: readonly CampaignRow[]
  readonly nodes: readonly NodeRow[]
  /** Campaigns that are not active. */
  readonly paused: readonly { readonly callCode: number; readonly name: string }[]
  /** All dialing is stopped by the kill switch. */
  readonly isStopped: boolean
  /** The name that people know an agent by. */
  readonly nameOf: (userName: string) => string
}

/** One thing to look at. The texts have a sentence for its code; `{time}` in it runs from `sinceMs`. */
export interface Attention {
  readonly code: AttentionCode
  readonly kind: 'agent' | 'call' | 'queue' | 'campaign' | 'dialing' | 'node'
  /** Of the row that it is about. */
  readonly key: string | number
  readonly values: Readonly<Record<string, string | number>>
  readonly sinceMs?: number
}

const S = 1_000
/** Our choice: so long is nobody's concern. */
const LIMITS_MS = {
  wrapUp: 60 * S,
  pause: 900 * S,
  phone: 10 * S,
  wait: 30 * S,
  music: 30 * S,
  readyBesideWaiting: 10 * S,
}
/** From this share of a budget on it is nearly used. Our choice. */
const NEARLY = 0.8
/** Reasons of the pacer that stop a campaign while agents are free, and that somebody can do something about. */
const HOLDS = new Set(['ledgerFull', 'trunkFull', 'noTrunk', 'notKnown'])

const since = (ts: string | null) => (ts === null ? Number.NaN : Date.parse(ts))
const isLonger = (ts: string | null, limitMs: number, nowMs: number) => nowMs - since(ts) >= limitMs
const isAgent = (state: string, limitMs: number) => (row: AgentRow, nowMs: number) =>
  row.state === state && isLonger(row.sinceTs, limitMs, nowMs)

type Ledger = CampaignRow['ledgers'][number]
const isBroken = ({ abandoned, allowed }: Ledger) => abandoned > allowed
const isNearlyUsed = (one: Ledger) => !isBroken(one) && one.abandoned > 0 && one.abandoned >= NEARLY * one.allowed
const isHeld = ({ placing, live }: CampaignRow) => placing.lines === 0 && live.idleAgents > 0 && HOLDS.has(placing.why)

/** The worst first. */
const AGENT_RULES = {
  phoneLost: isAgent('calling', LIMITS_MS.phone),
  wrapUpLong: isAgent('wrapUp', LIMITS_MS.wrapUp),
  pauseLong: (row: AgentRow, nowMs: number) =>
    row.state === 'paused' && isLonger(row.untilTs ?? row.sinceTs, row.untilTs === null ? LIMITS_MS.pause : 0, nowMs),
} as const

const QUEUE_RULES = {
  readyBesideWaiting: (row: QueueRow, nowMs: number) =>
    row.waiting > 0 && row.ready > 0 && isLonger(row.longestSinceTs, LIMITS_MS.readyBesideWaiting, nowMs),
  nobodyAtWork: ({ waiting, atWork }: QueueRow) => waiting > 0 && atWork === 0,
  queueLong: (row: QueueRow, nowMs: number) => row.waiting > 0 && isLonger(row.longestSinceTs, LIMITS_MS.wait, nowMs),
} as const

const isWaitingLong = ({ waits }: CallRow, nowMs: number) => !!waits && isLonger(waits.sinceTs, LIMITS_MS.music, nowMs)

const CALL_RULES = {
  onHoldLong: (row: CallRow, nowMs: number) => row.waits?.why === 'hold' && isWaitingLong(row, nowMs),
  aloneLong: (row: CallRow, nowMs: number) => row.waits?.why !== 'hold' && isWaitingLong(row, nowMs),
} as const

const CAMPAIGN_RULES = {
  carrierFailing: ({ carrierFailing }: CampaignRow) => !!carrierFailing,
  budgetBroken: ({ ledgers }: CampaignRow) => ledgers.some(isBroken),
  budgetNearlyUsed: ({ ledgers }: CampaignRow) => ledgers.some(isNearlyUsed),
  dialingHeld: isHeld,
  callbacksLate: ({ callbacks }: CampaignRow) => callbacks.overdue > 0,
  nothingDue: ({ nothingDue, live }: CampaignRow) => nothingDue !== null && live.idleAgents > 0,
  draining: ({ orders }: CampaignRow) => orders.draining,
} as const

/** Every rule by its weight: what comes first is worse. */
export const ATTENTION_ORDER = [
  'dialingStopped',
  'nodeSilent',
  'budgetBroken',
  'carrierFailing',
  'nobodyAtWork',
  'readyBesideWaiting',
  'phoneLost',
  'aloneLong',
  'queueLong',
  'onHoldLong',
  'budgetNearlyUsed',
  'wrapUpLong',
  'dialingHeld',
  'pauseLong',
  'callbacksLate',
  'nothingDue',
  'draining',
  'campaignPaused',
] as const

export type AttentionCode = (typeof ATTENTION_ORDER)[number]

/** A law is broken or calls are lost: the only ones in red. */
export const LOSSES: ReadonlySet<AttentionCode> = new Set(['budgetBroken', 'nobodyAtWork'])

/** What needs somebody, each once, the worst first; of the same kind what has lasted longest. */
export function attentionOf(situation: Situation, nowMs: number): Attention[] {
  const found = [
    ...(situation.isStopped ? [{ code: 'dialingStopped', kind: 'dialing', key: '', values: {} } as const] : []),
    ...situation.nodes.flatMap(({ name, silentSinceTs }) =>
      silentSinceTs === null
        ? []
        : [{ code: 'nodeSilent', kind: 'node', key: name, values: { name }, sinceMs: since(silentSinceTs) } as const],
    ),
    ...situation.agents.flatMap((row) => matches(AGENT_RULES, row, nowMs, ofAgent(situation))),
    ...situation.calls.flatMap((row) => matches(CALL_RULES, row, nowMs, ofCallFor(situation))),
    ...situation.queues.flatMap((row) => matches(QUEUE_RULES, row, nowMs, ofQueue)),
    ...situation.campaigns.flatMap((row) => matches(CAMPAIGN_RULES, row, nowMs, ofCampaign)),
    ...situation.paused.map(({ callCode, name }) => {
      return { code: 'campaignPaused', kind: 'campaign', key: callCode, values: { name } } as const
    }),
  ] satisfies Attention[]
  const rank = ({ code }: Attention) => ATTENTION_ORDER.indexOf(code)
  const age = ({ sinceMs = Number.POSITIVE_INFINITY }: Attention) => sinceMs
  return found.sort((a, b) => rank(a) - rank(b) || Math.sign(age(a) - age(b)) || 0)
}

/** So many are shown. */
export const ATTENTION_SHOWN = 3

/**
 * The worst of `now` stand where they stood in `before`, so that none moves away under a pointer; who comes takes the
 * place of who went. The rest follows as it is.
 */
export function steady(before: readonly Attention[], now: readonly Attention[]): Attention[] {
  const worst = now.slice(0, ATTENTION_SHOWN)
  const isOf = (one: Attention) => (other: Attention) => one.code === other.code && one.key === other.key
  const stay = before.slice(0, ATTENTION_SHOWN).map((one) => worst.find(isOf(one)))
  const come = worst.filter((one) => !stay.includes(one))
  const placed = stay.flatMap((one) => one ?? come.shift() ?? [])
  return [...placed, ...come, ...now.slice(ATTENTION_SHOWN)]
}

function matches<Row, Code extends AttentionCode>(
  rules: Readonly<Record<Code, (row: Row, nowMs: number) => boolean>>,
  row: Row,
  nowMs: number,
  about: (row: Row) => Omit<Attention, 'code'>,
): Attention[] {
  const holds = (code: AttentionCode) => rules[code as Code]?.(row, nowMs) === true
  const worst = ATTENTION_ORDER.find(holds)
  return worst === undefined ? [] : [Object.assign({ code: worst }, about(row))]
}

const ofAgent =
  ({ nameOf }: Situation) =>
  ({ userName, sinceTs }: AgentRow): Omit<Attention, 'code'> => {
    return { kind: 'agent', key: userName, values: { name: nameOf(userName) }, sinceMs: since(sinceTs) }
  }

const ofCallFor =
  ({ nameOf }: Situation) =>
  ({ callId, userName, waits }: CallRow): Omit<Attention, 'code'> => {
    const sinceMs = since(waits?.sinceTs ?? null)
    return { kind: 'call', key: callId, values: { name: nameOf(userName) }, sinceMs }
  }

function ofQueue({ name, waiting, ready, longestSinceTs }: QueueRow): Omit<Attention, 'code'> {
  return { kind: 'queue', key: name, values: { name, waiting, ready }, sinceMs: since(longestSinceTs) }
}

function ofCampaign({
  callCode,
  name,
  ledgers,
  placing,
  callbacks,
  carrierFailing,
}: CampaignRow): Omit<Attention, 'code'> {
  const worst = [...ledgers].sort((a, b) => b.abandoned - b.allowed - (a.abandoned - a.allowed))[0]
  const budget = { abandoned: worst?.abandoned ?? 0, allowed: worst?.allowed ?? 0 }
  const { trunk = '', sinceAtMs } = carrierFailing ?? {}
  const values = Object.assign({ name, why: placing.why, late: callbacks.overdue, trunk }, budget)
  return { kind: 'campaign', key: callCode, values, ...(sinceAtMs !== undefined && { sinceMs: sinceAtMs }) }
}
