/** What follows from what: every fact of the switch, and the room that must hear it. Read it top to bottom. */
import type { LegId } from '../../kernel/ids.ts'
import type { PbxEvent } from '../../ports/pbx.ts'
import type { LiveCall, Rooms } from '../context.ts'
import { arrivalEnded, arrive } from '../inbound/arrivals.ts'
import { performDesk } from './perform-commands.ts'

type Reactions = { [T in PbxEvent['type']]: (rooms: Rooms, event: Extract<PbxEvent, { type: T }>) => void }

const REACTIONS: Reactions = {
  'leg.arrived': arrive,
  'leg.ringing': () => {},
  'leg.answered': toOwner,
  'leg.digit': toOwner,
  'leg.ended': (rooms, event) => {
    if (!arrivalEnded(rooms, event.leg)) toOwner(rooms, event)
    endAdopted(rooms, event.leg)
  },
  'playback.started': toOwner,
  'playback.ended': toOwner,
  'bridge.joined': (rooms, event) => {
    const served = rooms.desk.callOf(event.leg)
    if (served) traceDesk(rooms, event, served)
    rooms.doDesk(rooms.desk.joined(event.bridge, event.leg, rooms.parts.clock.nowMs()))
  },
  'leg.found': (rooms, event) => {
    if (rooms.desk.owns(event.leg)) rooms.doDesk(rooms.desk.hear(event, rooms.parts.clock.nowMs()))
  },
  // What is not about a line of the robot's is about nothing that we know.
  'leg.judged': () => {},
  'recording.ended': () => {},
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
  const isOfLine = rooms.robot?.hear(event) === true
  // A callee who is in a seat's bridge is news for the seat as well.
  if (isOfLine && event.type !== 'bridge.joined') return
  REACTIONS[event.type](rooms, event as never)
}

type LegFact = Extract<
  PbxEvent,
  { type: 'leg.answered' | 'leg.digit' | 'leg.ended' | 'playback.started' | 'playback.ended' }
>

/** A leg belongs to one call or to one agent, never to both (style.md 2, event dispatch). */
function toOwner(rooms: Rooms, event: LegFact): void {
  const live = rooms.callsByLeg.get(event.leg)
  if (live) return rooms.tellCall(live.call, event)
  if (rooms.desk.owns(event.leg)) return toDesk(rooms, event)
  // Somebody picked up for nobody: a phone that was rung for a call that is over.
  if (event.type === 'leg.answered') rooms.parts.pbx.hangUp(event.leg)
}

function toDesk(rooms: Rooms, event: LegFact): void {
  const served = rooms.desk.callOf(event.leg)
  if (served) traceDesk(rooms, event, served)
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
