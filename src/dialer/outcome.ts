/** What came of an attempt: a pure function of what was seen of its leg. */

import type { AttemptResult, EarlierAttempt, Reach } from '../ports/attempt.ts'
import type { LegEnd } from '../ports/pbx.ts'

/** Why we asked for a leg to end before anybody answered it. */
export type EarlyEnd =
  | 'cancel' // the task ended, the agents left, an operator said so
  | 'withdraw' // another number of the same task was answered first
  | 'ringTimeout' // our own timer: the switch should have given up by itself

/** Everything that decides about the result. */
export interface LegFacts {
  /** The gate said no after the claim: nothing was sent. */
  readonly isBlocked: boolean
  readonly reach: Reach
  /** What we asked of the leg before it was answered. It stays when the answer crosses it. */
  readonly earlyEnd: EarlyEnd | undefined
  /** An agent was put on the line. */
  readonly agentConnected: boolean
  /** A machine answered: by detection, or by the agent's mark. */
  readonly isMachine: boolean
  /** After the answer we ended it, or had given up: hang-up asked, message begun, promised wait over. */
  readonly endedByUs: boolean
  /** Absent when nobody saw the end: a crash, the switch gone. `code` is a SIP status. */
  readonly end: { readonly reason: LegEnd; readonly code?: number | undefined } | undefined
}

/**
 * The result of an attempt that is over, as D-11 defines it. Where a fault hides the truth, the answer is the one
 * that costs us: a person who answered and may have heard silence was dropped.
 */
export function outcomeOf(facts: LegFacts): AttemptResult {
  if (facts.isBlocked) return 'blocked'
  return facts.reach === 'answered' ? afterAnswer(facts) : withoutAnswer(facts)
}

/** The least that must have been seen of an attempt for it to count against `maxCallAttempts` (D-12). */
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

/** Whether an INVITE left us, or may have left: what the carrier can hold against us. */
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

/** Reason → result, where it did not ring and where it did. Reasons and their SIP statuses: asterisk.md 4. */
const BY_REASON: Readonly<Record<LegEnd, { readonly silent: AttemptResult; readonly rang: AttemptResult }>> = {
  hungUp: { silent: 'failed', rang: 'noAnswer' },
  busy: { silent: 'busy', rang: 'busy' },
  noAnswer: { silent: 'noAnswer', rang: 'noAnswer' },
  rejected: { silent: 'rejected', rang: 'rejected' },
  notFound: { silent: 'invalidNumber', rang: 'invalidNumber' },
  // A 408: some networks send it where a phone rang and nobody came.
  unreachable: { silent: 'failed', rang: 'noAnswer' },
  congestion: { silent: 'failed', rang: 'failed' },
  lost: { silent: 'unknown', rang: 'unknown' },
  failed: { silent: 'failed', rang: 'failed' },
}

/** RFC 3261 21.4.4: the carrier will not place the call. A person who declines says 603. */
const FORBIDDEN = 403

function withoutAnswer({ earlyEnd, end, reach }: LegFacts): AttemptResult {
  // Before the end itself: after our own wish the switch may overwrite the cause (its issue 1124).
  if (earlyEnd !== undefined) return BY_EARLY_END[earlyEnd]
  if (reach === 'nothing') return 'failed'
  if (end === undefined) return 'unknown'
  if (end.code === FORBIDDEN && reach === 'sent') return 'failed'
  return BY_REASON[end.reason][reach === 'rang' ? 'rang' : 'silent']
}
