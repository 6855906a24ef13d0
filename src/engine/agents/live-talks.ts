/** Conversations of agents that go on, in which a supervisor may take part. */
import { type ActivityId, type BridgeId, type CallId, callOf, FIRST_CORPORATION, type LegId } from '../../kernel/ids.ts'
import type { RecordingRule } from '../../ports/call-recordings.ts'
import type { LiveTalk, SupervisionRule } from '../../ports/supervision.ts'
import type { EngineContext, KeptTalk, LiveCall } from '../context.ts'
import type { AttemptRunner } from '../outbound/attempt-runner.ts'
import { isTalking, type LiveAttempt } from '../outbound/live-attempt.ts'
import { recordingRuleOf } from '../recording-rule.ts'

export interface TalkWithAgent extends LiveTalk {
  readonly agentLeg: LegId
  /** Of the callee or caller. */
  readonly partyLeg: LegId
  readonly bridge: BridgeId
  readonly rule: SupervisionRule
}

type Attempts = Pick<AttemptRunner, 'ofLeg' | 'all'>
type Context = Pick<EngineContext, 'calls' | 'distributor' | 'keptTalks' | 'numbers' | 'staff'>

/** By the name of the call, or the number of its activity. */
export function findTalk(context: Context, attempts: Attempts, id: string): TalkWithAgent | undefined {
  return talkOf(context, attempts, id as CallId) ?? allTalks(context, attempts).find(isActivity(id))
}

/** All of this engine: with callees, and with callers whose agent has a session or was rung. */
export function allTalks(context: Context, attempts: Attempts): TalkWithAgent[] {
  return [
    ...[...attempts.all()].flatMap((live) => ofAttempt(context, live) ?? []),
    ...[...context.calls.values()].flatMap((live) => ofCaller(context, live) ?? []),
    ...[...context.keptTalks.values()].flatMap((kept) => ofKept(context, kept) ?? []),
  ]
}

/** The conversation of this call; undefined while no agent is in it. */
export function talkOf(context: Context, attempts: Attempts, call: CallId): TalkWithAgent | undefined {
  const attempt = attempts.ofLeg(call as string as LegId)
  const caller = context.calls.get(call)
  if (attempt) return ofAttempt(context, attempt)
  const kept = caller ? undefined : [...context.keptTalks.values()].find((one) => one.call.call === call)
  return caller ? ofCaller(context, caller) : kept && ofKept(context, kept)
}

function isActivity(id: string) {
  return ({ activity }: { readonly activity?: ActivityId }) => activity !== undefined && String(activity) === id
}

function ofAttempt({ distributor }: Context, live: LiveAttempt): TalkWithAgent | undefined {
  const session = isTalking(live) ? distributor.sessionWith(live.leg) : undefined
  if (!session) return undefined
  const { stored, campaign } = live.campaign
  const { activity, leg: partyLeg } = live
  return {
    call: callOf(partyLeg),
    partyLeg,
    ...session,
    activity,
    corporation: stored.corporation,
    rule: campaign.supervision,
  }
}

/** A number or team that records by consent is in a place that demands it. */
function ofCaller({ distributor }: Context, live: LiveCall): TalkWithAgent | undefined {
  const { call, agent, talk, recordingRule } = live
  const rung = talk && agent !== undefined ? { agent, ...talk } : undefined
  const found = sessionIn(distributor, live.leg) ?? rung
  return found && { call, partyLeg: live.leg, ...found, corporation: FIRST_CORPORATION, rule: ruleOf(recordingRule) }
}

/** An engine before this one connected the two. */
function ofKept(context: Context, { call, agent, talk, hasAgentLeft }: KeptTalk): TalkWithAgent | undefined {
  const { leg, called, corporation, progress } = call
  const rung = talk && agent !== undefined ? { agent, ...talk } : undefined
  const found = hasAgentLeft ? undefined : (sessionIn(context.distributor, leg) ?? rung)
  const rule = progress?.isByConsent ? 'refused' : ruleOf(recordingRuleOf(context, called, progress?.team))
  return found && { call: call.call, partyLeg: leg, ...found, corporation, rule }
}

/** The session of the logged-in agent who talks with this caller. */
function sessionIn(distributor: Context['distributor'], leg: LegId) {
  const session = distributor.sessionWith(leg)
  const isTalking = distributor.statuses().some((one) => one.agent === session?.agent && one.state === 'talking')
  return isTalking ? session : undefined
}

function ruleOf({ mode }: RecordingRule): SupervisionRule {
  return mode === 'consent' ? 'refused' : 'told'
}
