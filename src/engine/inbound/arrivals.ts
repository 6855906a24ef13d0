/** Somebody calls in: whose task is it about, and is there somebody to serve them? */
import { FlowRun } from '../../flow/run/flow-run.ts'
import type { CallId, LegId } from '../../kernel/ids.ts'
import type { MatchedTask, OpenCall } from '../../ports/dialer-repository.ts'
import type { PbxEvent } from '../../ports/pbx.ts'
import type { EngineContext, LiveCall } from '../context.ts'

type Arrived = Extract<PbxEvent, { type: 'leg.arrived' }>

const CALLS_MAX = 20_000
/** Nobody hears it ring for longer than this because we look up who they may be. Our choice. */
const MATCH_MAX_MS = 1_000

/** Takes a call, or says in the network's words why not. */
export function arrive(context: EngineContext, event: Arrived): void {
  const { dependencies, calls, callsByLeg, arriving, numbers } = context
  const { leg, called } = event
  if (callsByLeg.has(leg) || arriving.has(leg)) return
  const number = numbers.get(called)
  if (!number || !dependencies.flows.get(number.flow)) {
    dependencies.log.warn({ called }, 'nothing answers this number: add it to `numbers` of the set-up file')
    return dependencies.pbx.reject(leg, 'notFound')
  }
  if (calls.size + arriving.size >= (dependencies.callsMax ?? CALLS_MAX)) {
    dependencies.log.error({ calls: calls.size }, 'too many calls at once; this one is refused')
    return dependencies.pbx.reject(leg, 'congestion')
  }
  const call = dependencies.ids.call()
  if (context.dialer) lookUp(context, call, event)
  else serve(context, call, event, undefined)
}

/** The caller hung up while we were looking: there was a call, which nobody answered. */
export function arrivalEnded(context: EngineContext, leg: LegId): boolean {
  const arrival = context.arriving.get(leg)
  if (!arrival) return false
  context.arriving.delete(leg)
  arrival.timer.cancel()
  context.dialer?.inbound.missed(arrival.call, arrival.event)
  return true
}

/** Nobody is kept waiting by slow records: without an answer in time the caller is simply not known. */
function lookUp(context: EngineContext, call: CallId, event: Arrived): void {
  const { clock } = context.dependencies
  const { leg } = event
  const goOn = (matched: MatchedTask | undefined) => {
    const arrival = context.arriving.get(leg)
    if (!arrival) return
    context.arriving.delete(leg)
    arrival.timer.cancel()
    // Whoever calls in while we ring them comes first (F-F5).
    context.dialer?.dialing.takeBack(matched?.ringing ?? [])
    serve(context, call, event, matched)
  }
  const timer = clock.schedule(clock.nowMs() + MATCH_MAX_MS, () => context.enqueue(() => goOn(undefined)))
  context.arriving.set(leg, { call, event, timer })
  context.dialer?.inbound.arrived(call, event, goOn)
}

/** A caller whom an earlier engine left alone on the line: from the beginning, under the same name. */
export function serveAgain(context: EngineContext, { call, leg, caller, called }: OpenCall): void {
  serve(context, call, { type: 'leg.arrived', leg, called, ...(caller !== '' && { caller }) }, undefined)
}

function serve(context: EngineContext, call: CallId, event: Arrived, matched: MatchedTask | undefined): void {
  const { dependencies, calls, callsByLeg, trace, numbers } = context
  const { leg, called, caller } = event
  const number = numbers.get(called)
  const compiled = number && dependencies.flows.get(number.flow)
  if (!compiled) return dependencies.pbx.reject(leg, 'notFound')
  const { env } = dependencies
  const atMs = dependencies.clock.nowMs()
  const begins = { call, leg, called, caller, language: number.language, env, task: matched && taskOf(matched), atMs }
  const run = new FlowRun(compiled, begins)
  const live: LiveCall = {
    ...{ call, leg, run, called, caller, matched, requests: new Map(), broken: false },
    ...{ timer: undefined, popup: undefined, connectedAtMs: undefined, queuedAtMs: undefined, team: undefined },
    hasAgentLeft: false,
  }
  calls.set(call, live)
  callsByLeg.set(leg, live)
  trace.began(begins, compiled.flow.name, compiled.flow.revision)
  context.begin(live)
}

/** What flows may know of it, under the names they use (flow-language.md). A number is no proof of who calls. */
function taskOf({ externalCaseNumber, externalCustomer, isFinished }: MatchedTask): Readonly<Record<string, unknown>> {
  return {
    ...(externalCaseNumber !== undefined && { systemLookupCode: externalCaseNumber }),
    ...(externalCustomer !== undefined && { customer: externalCustomer }),
    finished: isFinished,
  }
}
