/** What follows from what: every fact of the switch, and the room that must hear it. Read it top to bottom. */
import { FlowRun } from '../flow/flow-run.ts'
import type { LegId } from '../kernel/ids.ts'
import type { PbxEvent } from '../ports/pbx.ts'
import { performDesk } from './perform.ts'
import type { LiveCall, Rooms } from './rooms.ts'

type Reactions = { [T in PbxEvent['type']]: (rooms: Rooms, event: Extract<PbxEvent, { type: T }>) => void }

const CALLS_MAX = 20_000

const REACTIONS: Reactions = {
  'leg.arrived': arrive,
  'leg.ringing': () => {},
  'leg.answered': toOwner,
  'leg.digit': toOwner,
  'leg.ended': (rooms, event) => {
    toOwner(rooms, event)
    endAdopted(rooms, event.leg)
  },
  'playback.started': toOwner,
  'playback.ended': toOwner,
  'bridge.joined': (rooms, event) => {
    const served = rooms.desk.callOf(event.leg)
    if (served) traceDesk(rooms, event, served)
  },
  'bridge.found': ({ adopted, parts }, { bridge, legs }) => {
    parts.log.warn({ bridge, legs: legs.length }, 'found a conversation that an earlier engine connected; it goes on')
    for (const leg of legs) adopted.set(leg, { bridge, legs })
  },
  'pbx.up': ({ parts, calls }, { restarted }) =>
    parts.log.info({ restarted, calls: calls.size }, restarted ? 'the switch was restarted' : 'the switch is there'),
  'pbx.down': ({ parts, calls }, { why }) =>
    parts.log.error({ why, calls: calls.size }, 'the switch cannot be reached'),
}

/** Lets a fact of the switch have its consequences. */
export function react(rooms: Rooms, event: PbxEvent): void {
  REACTIONS[event.type](rooms, event as never)
}

function arrive(rooms: Rooms, { leg, called, caller }: Extract<PbxEvent, { type: 'leg.arrived' }>): void {
  const { parts, calls, callsByLeg, trace, numbers } = rooms
  if (callsByLeg.has(leg)) return
  const number = numbers.get(called)
  const compiled = number && parts.flows.get(number.flow)
  if (!number || !compiled) {
    parts.log.warn({ called }, 'nothing answers this number: add it to `numbers` of the set-up file')
    return parts.pbx.reject(leg, 'notFound')
  }
  if (calls.size >= (parts.callsMax ?? CALLS_MAX)) {
    parts.log.error({ calls: calls.size }, 'too many calls at once; this one is refused')
    return parts.pbx.reject(leg, 'congestion')
  }
  const call = parts.ids.call()
  const { env } = parts
  const atMs = parts.clock.nowMs()
  const begins = { call, leg, called, caller, language: number.language, env, task: undefined, atMs }
  const run = new FlowRun(compiled, begins)
  const live: LiveCall = { call, leg, run, requests: new Map(), timer: undefined, broken: false }
  calls.set(call, live)
  callsByLeg.set(leg, live)
  trace.began(begins, compiled.flow.name, compiled.flow.revision)
  rooms.begin(live)
}

type LegFact = Extract<
  PbxEvent,
  { type: 'leg.answered' | 'leg.digit' | 'leg.ended' | 'playback.started' | 'playback.ended' }
>

/** A leg belongs to one call or to one agent, never to both (style.md 2, event dispatch). */
function toOwner(rooms: Rooms, event: LegFact): void {
  const live = rooms.callsByLeg.get(event.leg)
  if (live) return rooms.tellCall(live.call, event)
  const served = rooms.desk.callOf(event.leg)
  if (served) return toDesk(rooms, event, served)
  // Somebody picked up for nobody: a phone that was rung for a call that is over.
  if (event.type === 'leg.answered') rooms.parts.pbx.hangUp(event.leg)
}

function toDesk(rooms: Rooms, event: LegFact, served: Served): void {
  traceDesk(rooms, event, served)
  if (event.type === 'leg.digit' || event.type === 'playback.started') return
  performDesk(rooms, rooms.desk.hear(event, rooms.parts.clock.nowMs()))
}

type Served = { readonly call: LiveCall['call'] }

/** What happened to an agent's leg belongs to the story of the call it serves. */
function traceDesk(rooms: Rooms, event: PbxEvent, served: Served): void {
  const line = { kind: 'fact', what: { ...event, ...served } } as const
  rooms.trace.desk(served.call, rooms.calls.get(served.call)?.run, line, rooms.parts.clock.nowMs())
}

/** One side of a found conversation hung up: the other is not left in silence. */
function endAdopted({ adopted, parts }: Rooms, leg: LegId): void {
  const talk = adopted.get(leg)
  if (!talk) return
  for (const other of talk.legs) {
    adopted.delete(other)
    if (other !== leg) parts.pbx.hangUp(other)
  }
  parts.pbx.closeBridge(talk.bridge)
}
