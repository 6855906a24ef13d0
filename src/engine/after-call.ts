/**
 * What happens after a call ends: every step, in its order. The class that owns a call runs its list, and supplies the
 * code of each step under the step's name. A list is complete: nothing else reacts to the end of a call.
 */

/** An attempt that this engine dialed. Its leg is gone, and so is its recording. Run by `outbound/attempt-end.ts`. */
export const AFTER_ATTEMPT = [
  'forgetAttempt', // no event reaches it any more; the task's other numbers see its result
  'teachPacing', // the pacer learns how long lines ring in vain
  'countAnswer', // abandonment ledgers: a machine, an abandoned call or a served one
  'noteTrunkResult', // dialing over a failing trunk stops, but for a probe now and then
  'noteCampaignResult', // a campaign most of whose calls fail pauses itself
  'recordEnd', // one transaction: attempt, next date of the task, call activity, event for webhooks
  'recordAfterwards', // callbacks that the agent promised during the call, once more
  'releaseReservedAgent', // dialed by hand and never connected: the agent is ready, unless another number still rings
  'notifyAgent', // the agent's screen shows that the call ended
  'considerDialing', // the line is free: the engine decides about new ones at the end of this turn
] as const

/** An attempt that ended while no engine saw it. Run by `outbound/attempt-end.ts` for `recovery/recover-calls.ts`. */
export const AFTER_PAST_ATTEMPT = ['countAnswer', 'noteCampaignResult', 'recordEnd'] as const

/** An inbound call whose flow is over. Run by `loop/engine.ts`. */
export const AFTER_INBOUND_CALL = [
  'forgetCall', // its timer and its HTTP requests are cancelled; no event reaches it any more
  'recordCall', // one transaction: call activity, event for webhooks
  'notifyListeners', // listeners of `Engine.onCallEnded`
  'considerDialing', // whoever keeps a place in a queue may be called from now on
] as const

/** An inbound call that an internal error ended. Run by `loop/engine.ts`. */
export const AFTER_BROKEN_CALL = ['forgetCall', 'leaveQueue', 'recordCall', 'hangUp', 'notifyListeners'] as const

/** A caller who hung up before the flow began. Run by `inbound/arrivals.ts`. */
export const AFTER_MISSED_CALL = ['forgetArrival', 'recordCall'] as const

/** A caller's conversation that an earlier engine connected and this one kept. Run by `recovery/recover-calls.ts`. */
export const AFTER_KEPT_CALL = [
  'forgetCall',
  'finishFlow', // `onHangup` of the flow, then one transaction: call activity, event for webhooks
  'partAgent', // the agent goes into wrap-up
] as const

/** An inbound call that ended while no engine saw it. Run by `recovery/recover-calls.ts`. */
export const AFTER_PAST_CALL = ['finishFlow'] as const

export type StepsOf<List extends readonly string[], Ended> = Readonly<Record<List[number], (ended: Ended) => void>>

/** Runs the steps of a list in its order. */
export function runSteps<List extends readonly string[], Ended>(
  list: List,
  steps: StepsOf<List, Ended>,
  ended: Ended,
): void {
  for (const name of list) steps[name as List[number]](ended)
}
