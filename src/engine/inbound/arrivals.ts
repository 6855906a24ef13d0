import { matchable, spellingsOf } from '../../acd/match-caller.ts'
import { FlowRun } from '../../flow/run/flow-run.ts'
import type { AtMs } from '../../kernel/clock.ts'
import type { CallId, LegId } from '../../kernel/ids.ts'
import type { MatchedTask } from '../../ports/call-task.ts'
import type { OpenCall } from '../../ports/open-call.ts'
import type { TransferProgress } from '../../ports/transfer.ts'
import { AFTER_MISSED_CALL, runSteps } from '../after-call.ts'
import type { Arrival, ArrivedEvent, EngineContext, InboundCalls, LiveCall } from '../context.ts'
import type { Drawn } from '../flow-registry.ts'
import { recordedSoFar } from '../leg-recordings.ts'
import { PLACE_IS_UNKNOWN, tellLostSteps } from '../lost-steps.ts'
import { AGENT_KEY, madeTransfers } from '../made-transfers.ts'
import { recordingRuleOf } from '../recording-rule.ts'
import { StepEnds } from '../step-ends.ts'
import { lookupsOf, systemOfCalls } from './asked-systems.ts'
import { refuse } from './refused-calls.ts'

const CALLS_MAX = 20_000
/** Our choice: the lookup of the caller's number delays the answer by at most this. */
const MATCH_MAX_MS = 1_000

/** Serves a call, or rejects it with the network's reason. */
export function arrive(context: EngineContext, asSent: ArrivedEvent): void {
  const { dependencies, calls, callsByLeg, arriving, numbers } = context
  const event = spelledOurWay(context, asSent)
  const { leg, called } = event
  if (callsByLeg.has(leg) || arriving.has(leg)) return
  const number = numbers.get(called)
  if (!number || !dependencies.flows.get(number.flow)) return refuse(context, event, 'unknownNumber')
  if (calls.size + arriving.size >= (dependencies.callsMax ?? CALLS_MAX)) return refuse(context, event, 'full')
  const call = dependencies.ids.call()
  if (context.inboundCalls) lookUp(context, context.inboundCalls, call, event)
  else serve(context, call, event, undefined)
}

/** The call with the called number as the configuration spells it, and the caller's as call tasks do (E.164). */
function spelledOurWay({ numbers, trunks }: EngineContext, event: ArrivedEvent): ArrivedEvent {
  const country = event.trunk === undefined ? undefined : trunks?.get(event.trunk)?.country
  const called = spellingsOf(event.called, country).find((spelling) => numbers.has(spelling)) ?? event.called
  const caller = matchable(event.caller, country) ?? event.caller
  return { ...event, called, ...(caller !== undefined && { caller }) }
}

/** The caller hung up during the lookup: record a missed call. False: the leg is not arriving. */
export function arrivalEnded(context: EngineContext, leg: LegId): boolean {
  const arrival = context.arriving.get(leg)
  if (!arrival) return false
  const afterMissedCall = {
    forgetArrival: () => forgetArrival(context, arrival),
    recordCall: () => context.inboundCalls?.callMissed(arrival.call, arrival.event),
  }
  runSteps(AFTER_MISSED_CALL, afterMissedCall, arrival)
  return true
}

/** Looks up the caller; without an answer in time the flow begins with an unknown caller. */
function lookUp(context: EngineContext, inboundCalls: InboundCalls, call: CallId, event: ArrivedEvent): void {
  const { clock } = context.dependencies
  const { leg } = event
  const goOn = (matched: MatchedTask | undefined) => {
    const arrival = context.arriving.get(leg)
    if (!arrival) return
    forgetArrival(context, arrival)
    context.outbound?.callerIsHere(event.caller, matched?.ringing ?? [])
    serve(context, call, event, matched)
  }
  // A customer who calls in while the dialer rings them: the inbound call wins (F-F5), whatever the database says.
  context.outbound?.callerIsHere(event.caller, [])
  const timer = clock.schedule(clock.nowMs() + MATCH_MAX_MS, () => context.enqueue(() => goOn(undefined)))
  context.arriving.set(leg, { call, event, timer })
  inboundCalls.callArrived(call, event, goOn)
}

function forgetArrival({ arriving }: EngineContext, { event: { leg }, timer }: Arrival): void {
  arriving.delete(leg)
  timer.cancel()
}

/** What becomes of the callers that an earlier engine left. */
export function pastCallers(context: EngineContext) {
  return {
    serveAgain: (call: OpenCall) => serveAgain(context, call),
    finishWithoutCaller: (call: OpenCall, settle: () => void) => finishWithoutCaller(context, call, settle),
  }
}

/**
 * Serves a caller of an earlier engine where that engine left them in the flow, under the same call id. False: they
 * were refused, as no flow answers the number any more.
 */
function serveAgain(context: EngineContext, earlier: OpenCall): boolean {
  const live = admit(context, earlier.call, arrivalOf(earlier), earlier.progress?.matched, { earlier })
  if (!live) return false
  // The agent is gone: of a caller who is served again, the talk is over.
  context.recordings.adopt(live)
  context.recordings.stop(live)
  context.begin(live)
  return true
}

/**
 * The caller of an earlier engine hung up with nobody to lead them on: `onHangup` of their flow runs, or goes on where
 * that engine was in it. `settle` writes the call, after the last of these steps.
 */
function finishWithoutCaller(context: EngineContext, earlier: OpenCall, settle: () => void): void {
  const hasSteps = (ownRevision(context, earlier)?.compiled.flow.onHangup ?? []).length > 0
  const { matched } = earlier.progress ?? {}
  const live = hasSteps && admit(context, earlier.call, arrivalOf(earlier), matched, { earlier, settle })
  if (live) return context.sendToCall(live.call, { type: 'leg.ended', leg: live.leg, reason: 'hungUp' })
  tellLostSteps(context, earlier, PLACE_IS_UNKNOWN)
  settle()
}

function arrivalOf({ leg, caller, called }: OpenCall): ArrivedEvent {
  return { type: 'leg.arrived', leg, called, ...(caller !== '' && { caller }) }
}

function serve(context: EngineContext, call: CallId, event: ArrivedEvent, matched: MatchedTask | undefined): void {
  const live = admit(context, call, event, matched)
  if (live) context.begin(live)
  // The number went out of the configuration during the lookup.
  else context.inboundCalls?.callMissed(call, event, 'us')
}

/** The call among those of this engine; undefined if it was refused. */
function admit(
  context: EngineContext,
  call: CallId,
  event: ArrivedEvent,
  matched: MatchedTask | undefined,
  { earlier, settle }: Pick<LiveCall, 'settle'> & { readonly earlier?: OpenCall } = {},
): LiveCall | undefined {
  const { dependencies, calls, callsByLeg, trace, numbers } = context
  const { leg, called, caller } = event
  const number = numbers.get(called)
  const drawn = ownRevision(context, earlier) ?? (number && dependencies.flows.draw(number.flow, caller, call))
  if (!drawn) {
    refuse(context, event, 'unknownNumber')
    return undefined
  }
  const { compiled, canary } = drawn
  const { name, revision } = compiled.flow
  const task = matched && taskOf(matched, systemOfCalls(context, matched.externalSystem)?.code)
  const atMs = dependencies.clock.nowMs()
  const said = { call, leg, called, caller, language: number?.language, env: dependencies.env, task, atMs }
  const going = { ...said, ...(earlier && goesOn(earlier, revision)) }
  const begins = { ...going, lookups: lookupsOf(context, called, going.task) }
  const live: LiveCall = {
    ...leftBy(earlier, revision, atMs),
    ...recordedSoFar(earlier ?? { leg }),
    call,
    run: new FlowRun(compiled, begins),
    revision,
    canary,
    stepEnds: new StepEnds(earlier?.progress?.traffic?.revision === revision ? earlier.progress.traffic.ends : {}),
    task: begins.task,
    called,
    caller,
    matched,
    requests: new Map(),
    timer: undefined,
    popup: undefined,
    hasAgentLeft: false,
    recordingRule: recordingRuleOf(context, called, earlier?.progress?.team),
    hasConsented: false,
    talk: undefined,
    awaits: undefined,
    earlier,
    ...(settle && { settle }),
    broken: false,
  }
  calls.set(call, live)
  callsByLeg.set(leg, live)
  trace.began(begins, name, revision)
  return live
}

/** How far an earlier engine came with the call. */
function leftBy(earlier: OpenCall | undefined, revision: string, nowMs: AtMs) {
  const { connectedAtMs, queuedAtMs, team, agent, texts = {}, waits = {}, transfers = {} } = earlier?.progress ?? {}
  const mapOf = <T>(kept: Readonly<Record<string, T>>) => new Map(Object.entries(kept))
  const visits = isInPlace(earlier, revision)
    ? { waits: mapOf(waits), transfers: mapOf(transfers) }
    : { waits: new Map(), transfers: mapOf(transfersBefore(transfers, nowMs)) }
  return { connectedAtMs, queuedAtMs, team, agent, texts: mapOf(texts), ...visits }
}

/** Whether the flow goes on where it was. One that starts over visits its steps under the same keys again. */
function isInPlace(earlier: OpenCall | undefined, revision: string): boolean {
  return earlier?.progress?.place?.revision === revision
}

/** Those of a flow that starts over, which are no visits of it any more: the call tells of them, and counts them. */
function transfersBefore(transfers: Readonly<Record<string, TransferProgress>>, nowMs: AtMs) {
  return Object.fromEntries(
    Object.entries(transfers).map(([key, one]) =>
      key.startsWith(AGENT_KEY) ? [key, one] : [`before ${key}`, madeTransfers([one], nowMs)[0]!],
    ),
  )
}

/** The revision that a caller of an earlier engine is in, also when another one is live by now (calls-and-flows-55). */
function ownRevision({ dependencies }: EngineContext, earlier: OpenCall | undefined): Drawn | undefined {
  const { place, traffic } = earlier?.progress ?? {}
  const compiled = place && dependencies.flows.revision(place.revision)
  return compiled && { compiled, ...(traffic?.canary && { canary: traffic.canary }) }
}

/** What the flow of a caller who is served again begins with. In another revision the steps may mean something else. */
function goesOn(earlier: OpenCall, revision: string) {
  const { place, waits = {} } = earlier.progress ?? {}
  const untils = Object.entries(waits).map(([visit, { untilMs }]) => [visit, untilMs] as const)
  const isHere = isInPlace(earlier, revision)
  return {
    isServedAgain: true as const,
    ...(place?.task && { task: place.task }),
    ...(isHere && { place: place!.at }),
    ...(isHere && untils.length > 0 && { waitsUntil: Object.fromEntries(untils) }),
  }
}

/** The task under the names of flow-language.md. A caller's number does not prove who calls. */
function taskOf(
  { externalCaseNumber, externalCustomer, isFinished }: MatchedTask,
  systemCode: string | undefined,
): Readonly<Record<string, unknown>> {
  return {
    ...(systemCode !== undefined && { systemCode }),
    ...(externalCaseNumber !== undefined && { systemLookupCode: externalCaseNumber }),
    ...(externalCustomer !== undefined && { customer: externalCustomer }),
    finished: isFinished,
  }
}
