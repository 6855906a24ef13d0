/** Somebody calls in: whose task is it about, and is there somebody to serve them? */
import { FlowRun } from '../../flow/run/flow-run.ts'
import type { Timer } from '../../kernel/clock.ts'
import type { CallId, LegId } from '../../kernel/ids.ts'
import type { MatchedTask, OpenCall } from '../../ports/dialer-repository.ts'
import type { PbxEvent } from '../../ports/pbx.ts'
import type { LiveCall, Rooms } from '../context.ts'

type Arrived = Extract<PbxEvent, { type: 'leg.arrived' }>

/** A leg whose caller's number is being looked up. */
export interface Arrival {
  readonly call: CallId
  readonly event: Arrived
  readonly timer: Timer
}

const CALLS_MAX = 20_000
/** Nobody hears it ring for longer than this because we look up who they may be. Our choice. */
const MATCH_MAX_MS = 1_000

/** Takes a call, or says in the network's words why not. */
export function arrive(rooms: Rooms, event: Arrived): void {
  const { parts, calls, callsByLeg, arriving, numbers } = rooms
  const { leg, called } = event
  if (callsByLeg.has(leg) || arriving.has(leg)) return
  const number = numbers.get(called)
  if (!number || !parts.flows.get(number.flow)) {
    parts.log.warn({ called }, 'nothing answers this number: add it to `numbers` of the set-up file')
    return parts.pbx.reject(leg, 'notFound')
  }
  if (calls.size + arriving.size >= (parts.callsMax ?? CALLS_MAX)) {
    parts.log.error({ calls: calls.size }, 'too many calls at once; this one is refused')
    return parts.pbx.reject(leg, 'congestion')
  }
  const call = parts.ids.call()
  if (rooms.robot) lookUp(rooms, call, event)
  else serve(rooms, call, event, undefined)
}

/** The caller hung up while we were looking: there was a call, which nobody answered. */
export function arrivalEnded(rooms: Rooms, leg: LegId): boolean {
  const arrival = rooms.arriving.get(leg)
  if (!arrival) return false
  rooms.arriving.delete(leg)
  arrival.timer.cancel()
  rooms.robot?.inbound.missed(arrival.call, arrival.event)
  return true
}

/** Nobody is kept waiting by slow records: without an answer in time the caller is simply not known. */
function lookUp(rooms: Rooms, call: CallId, event: Arrived): void {
  const { clock } = rooms.parts
  const { leg } = event
  const goOn = (matched: MatchedTask | undefined) => {
    const arrival = rooms.arriving.get(leg)
    if (!arrival) return
    rooms.arriving.delete(leg)
    arrival.timer.cancel()
    // Whoever calls in while we ring them comes first (F-F5).
    rooms.robot?.dialing.takeBack(matched?.ringing ?? [])
    serve(rooms, call, event, matched)
  }
  const timer = clock.schedule(clock.nowMs() + MATCH_MAX_MS, () => rooms.turn(() => goOn(undefined)))
  rooms.arriving.set(leg, { call, event, timer })
  rooms.robot?.inbound.arrived(call, event, goOn)
}

/** A caller whom an earlier engine left alone on the line: from the beginning, under the same name. */
export function serveAgain(rooms: Rooms, { call, leg, caller, called }: OpenCall): void {
  serve(rooms, call, { type: 'leg.arrived', leg, called, ...(caller !== '' && { caller }) }, undefined)
}

function serve(rooms: Rooms, call: CallId, event: Arrived, matched: MatchedTask | undefined): void {
  const { parts, calls, callsByLeg, trace, numbers } = rooms
  const { leg, called, caller } = event
  const number = numbers.get(called)
  const compiled = number && parts.flows.get(number.flow)
  if (!compiled) return parts.pbx.reject(leg, 'notFound')
  const { env } = parts
  const atMs = parts.clock.nowMs()
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
  rooms.begin(live)
}

/** What flows may know of it, under the names they use (flows.md). A number is no proof of who calls. */
function taskOf({ externalCaseNumber, externalCustomer, isFinished }: MatchedTask): Readonly<Record<string, unknown>> {
  return {
    ...(externalCaseNumber !== undefined && { systemLookupCode: externalCaseNumber }),
    ...(externalCustomer !== undefined && { customer: externalCustomer }),
    finished: isFinished,
  }
}
