/** What was ordered in a week, and what the agents' screens showed: all that checkers know besides the carrier. */
import type { CallTaskId, CampaignId, CorporationId } from '../../src/kernel/ids.ts'
import type { AgentState } from '../../src/ports/agent-desktop.ts'
import type { Campaign, NewCallTask, Stop } from '../../src/ports/dialer-repository.ts'
import type { SimCaller } from '../../src/sim/sim-caller.ts'
import type { SimContact } from '../../src/sim/sim-contact.ts'

/** A task of an import. */
export interface Ordered {
  readonly atMs: number
  readonly id: CallTaskId
  readonly campaign: CampaignId
  readonly corporation: CorporationId
  readonly attemptsMax: number
  readonly intervalMs: number
  readonly task: NewCallTask
}

/** Somebody who called in. */
export interface CalledIn {
  readonly atMs: number
  readonly number: string
  readonly caller: SimCaller
  endedAtMs: number | undefined
}

/** What an agent said about a call. */
export interface Word {
  readonly atMs: number
  readonly agent: string
  readonly what: 'machine' | 'callback' | 'feedback'
  /** The call that the agent means. */
  readonly about: SimContact
  readonly note: string
  /** Of a callback. */
  readonly dueAtMs?: number
  readonly isAskedFor?: boolean
  readonly answer: Promise<{ readonly ok: boolean; readonly why?: string }>
  isAccepted: boolean
}

/** A time from an instant to another. */
export interface Span {
  readonly fromMs: number
  untilMs: number
}

export interface WeekLog {
  readonly campaigns: { readonly atMs: number; readonly campaign: Campaign }[]
  readonly imports: Ordered[]
  readonly ends: { readonly atMs: number; readonly task: CallTaskId }[]
  readonly stops: { readonly atMs: number; readonly corporation: CorporationId; readonly stop: Stop }[]
  readonly killSwitch: { readonly atMs: number; readonly isOn: boolean }[]
  readonly teams: { readonly atMs: number; readonly teams: Readonly<Record<string, readonly string[]>> }[]
  readonly callers: CalledIn[]
  readonly words: Word[]
  readonly statuses: { readonly atMs: number; readonly agent: string; readonly state: AgentState }[]
  /** When an engine ran, and how it ended. */
  readonly lives: (Span & { how: 'stop' | 'crash' | 'runs' })[]
  readonly outages: (Span & { readonly trunk: string })[]
  /** When the phones of all agents failed. */
  readonly phones: Span[]
  /** When answers of the database took long: what was ordered then took effect before it was noted. */
  readonly slow: Span[]
}

/** A week in which nothing was ordered yet. */
export function emptyLog(): WeekLog {
  return {
    campaigns: [],
    imports: [],
    ends: [],
    stops: [],
    killSwitch: [],
    teams: [],
    callers: [],
    words: [],
    statuses: [],
    lives: [],
    outages: [],
    phones: [],
    slow: [],
  }
}
