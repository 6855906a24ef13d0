import type { AttemptResult, EarlierAttempt, Reach } from '../ports/attempt.ts'
import type { LegEnd } from '../ports/pbx.ts'

export type EarlyEnd =
  | 'cancel' // the task ended, the agents left, an operator said so
  | 'withdraw' // another number of the same task was answered first
  | 'ringTimeout' // our own timer: it rang for long enough, or the switch should have given up by itself

export interface LegFacts {
  /** The gate refused after the claim: nothing was sent. */
  readonly isBlocked: boolean
  readonly reach: Reach
  /** The command to end the leg before the answer. It stays even if the answer crosses it. */
  readonly earlyEnd: EarlyEnd | undefined
  readonly agentConnected: boolean
  /** A machine answered: by detection, or by the agent's mark. */
  readonly isMachine: boolean
  /** After the answer the engine ended the leg or gave up: hang-up sent, message begun, agent wait over. */
  readonly endedByUs: boolean
  /** Absent if the end was not seen: a crash, the switch gone. `code` is a SIP status. */
  readonly end: { readonly reason: LegEnd; readonly code?: number | undefined } | undefined
}

/** The result of a finished attempt (D-11). If a fault hides the truth, a person who answered counts as dropped. */
export function outcomeOf(facts: LegFacts): AttemptResult {
  if (facts.isBlocked) return 'blocked'
  return facts.reach === 'answered' ? afterAnswer(facts) : withoutAnswer(facts)
}

/** How far an attempt must have come to count against `maxCallAttempts` (D-12). */
const COUNTS_FROM: Readonly<Record<EarlierAttempt['result'], Reach | 'never'>> = {
  inProgress: 'never',
  answered: 'never',
  noAnswer: 'nothing',
  busy: 'nothing',
  voicemail: 'nothing',
  dropped: 'nothing',
  lost: 'nothing',
  failed: 'sent',
  invalidNumber: 'nothing',
  rejected: 'nothing',
  cancelled: 'rang',
  withdrawn: 'never',
  blocked: 'never',
  unknown: 'nothing',
}

const REACHES: readonly Reach[] = ['nothing', 'sent', 'rang', 'answered']

/** Whether an attempt counts against its task's `maxCallAttempts` (D-12). */
export function countsAsAttempt(result: EarlierAttempt['result'], reach: Reach): boolean {
  const from = COUNTS_FROM[result]
  return from !== 'never' && REACHES.indexOf(reach) >= REACHES.indexOf(from)
}

/** Whether an INVITE was sent or may have been sent. */
export function wasPlaced(reach: Reach): boolean {
  return reach !== 'nothing'
}

function afterAnswer({ isMachine, agentConnected, endedByUs, earlyEnd, end }: LegFacts): AttemptResult {
  if (isMachine) return 'voicemail'
  if (agentConnected) return 'answered'
  const isOurFault = endedByUs || earlyEnd !== undefined || end === undefined || end.reason === 'lost'
  return isOurFault ? 'dropped' : 'lost'
}

const BY_EARLY_END: Readonly<Record<EarlyEnd, AttemptResult>> = {
  cancel: 'cancelled',
  withdraw: 'withdrawn',
  ringTimeout: 'noAnswer',
}

/** Reason → result, before and after the first ring. Reasons and their SIP statuses: asterisk.md 4. */
const BY_REASON: Readonly<Record<LegEnd, { readonly silent: AttemptResult; readonly rang: AttemptResult }>> = {
  hungUp: { silent: 'failed', rang: 'noAnswer' },
  busy: { silent: 'busy', rang: 'busy' },
  noAnswer: { silent: 'noAnswer', rang: 'noAnswer' },
  rejected: { silent: 'rejected', rang: 'rejected' },
  notFound: { silent: 'invalidNumber', rang: 'invalidNumber' },
  // A 408: some networks send it after an unanswered ring.
  unreachable: { silent: 'failed', rang: 'noAnswer' },
  congestion: { silent: 'failed', rang: 'failed' },
  lost: { silent: 'unknown', rang: 'unknown' },
  failed: { silent: 'failed', rang: 'failed' },
}

/** RFC 3261 21.4.4: the carrier refuses the call. A person who declines sends 603. */
const FORBIDDEN = 403

function withoutAnswer({ earlyEnd, end, reach }: LegFacts): AttemptResult {
  // Nobody knows whether our hang-up was heard: the phone may ring on.
  if (end?.reason === 'lost' && reach !== 'nothing') return 'unknown'
  // Checked before the end itself: after our hang-up the switch may overwrite the cause (its issue 1124).
  if (earlyEnd !== undefined) return BY_EARLY_END[earlyEnd]
  if (reach === 'nothing') return 'failed'
  if (end === undefined) return 'unknown'
  if (end.code === FORBIDDEN && reach === 'sent') return 'failed'
  return BY_REASON[end.reason][reach === 'rang' ? 'rang' : 'silent']
}
