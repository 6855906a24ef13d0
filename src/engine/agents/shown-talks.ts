/** Conversations as boards show them: who, with whom, since when, and whether the other side hears no agent now. */
import type { AtMs } from '../../kernel/clock.ts'
import type { CallId } from '../../kernel/ids.ts'
import type { AgentCall } from '../../ports/agent-desktop.ts'
import type { ShownTalk } from '../../ports/supervision.ts'
import type { EngineContext } from '../context.ts'
import type { AttemptRunner } from '../outbound/attempt-runner.ts'
import { type LiveAttempt, phaseOf } from '../outbound/live-attempt.ts'
import { allTalks, type TalkWithAgent } from './live-talks.ts'
import { shownCall, shownCaller } from './shown-live.ts'

type Attempts = Pick<AttemptRunner, 'ofLeg' | 'all'>

interface Told {
  readonly shown: AgentCall
  /** Of the first agent, where the present one has no session. */
  readonly connectedAtMs: AtMs
}

/** All of this engine. */
export function shownTalks(context: EngineContext, attempts: Attempts): ShownTalk[] {
  const talks = allTalks(context, attempts).flatMap((talk) => ofTalk(context, attempts, talk) ?? [])
  const among = new Set(talks.map(({ shown }) => shown.call))
  const alone = [
    ...[...attempts.all()].flatMap((live) => withoutAgent(live) ?? []),
    ...[...context.calls.keys()].flatMap((call) => queuedAgain(context, call) ?? []),
  ]
  return [...talks, ...alone.filter(({ shown }) => !among.has(shown.call))]
}

function ofTalk(context: EngineContext, attempts: Attempts, talk: TalkWithAgent): ShownTalk | undefined {
  const { agent, call, partyLeg } = talk
  const live = attempts.ofLeg(partyLeg)
  const told = live ? ofAttempt(live) : ofCaller(context, talk)
  if (!told) return undefined
  const status = context.distributor.statuses().find((one) => one.agent === agent)
  const wait = context.agentDesktop?.talkActs.waitOf(call)
  const sinceAtMs = status?.state === 'talking' ? status.sinceAtMs : told.connectedAtMs
  return { agent, shown: told.shown, sinceAtMs, ...(wait && { wait }) }
}

/** The agent was lost in the conversation, and the callee waits for another one. */
function withoutAgent(live: LiveAttempt): ShownTalk | undefined {
  const { talkedWith: agent } = live
  if (agent === undefined || phaseOf(live) !== 'waiting') return undefined
  const { shown, connectedAtMs } = ofAttempt(live)
  return { agent, shown, sinceAtMs: connectedAtMs, wait: { why: 'nextAgent' } }
}

/** The same of a caller, who is back in the queue. */
function queuedAgain(context: EngineContext, call: CallId): ShownTalk | undefined {
  const { agent, connectedAtMs } = context.calls.get(call)!
  const told = ofCall(context, call)
  if (!told || agent === undefined || connectedAtMs === undefined) return undefined
  if (context.distributor.position(call) === 0) return undefined
  return { agent, shown: told.shown, sinceAtMs: told.connectedAtMs, wait: { why: 'nextAgent' } }
}

function ofAttempt(live: LiveAttempt): Told {
  return { shown: shownCall(live), connectedAtMs: live.seen.connectedAtMs ?? live.claimedAtMs }
}

function ofCaller(context: EngineContext, { call, partyLeg }: TalkWithAgent): Told | undefined {
  const kept = context.keptTalks.get(partyLeg)
  if (!kept) return ofCall(context, call)
  const { caller, progress } = kept.call
  return { shown: shownCaller(call, caller, progress), connectedAtMs: kept.sinceMs }
}

function ofCall(context: EngineContext, call: CallId): Told | undefined {
  const live = context.calls.get(call)
  if (!live) return undefined
  const connectedAtMs = live.connectedAtMs ?? live.run.instants.arrivedAtMs
  return { shown: shownCaller(call, live.caller, live), connectedAtMs }
}
