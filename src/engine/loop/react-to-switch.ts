/** What follows from what: every fact of the switch, and the room that must hear it. Read it top to bottom. */
import type { LegId } from '../../kernel/ids.ts'
import type { PbxEvent } from '../../ports/pbx.ts'
import type { EngineContext, LiveCall } from '../context.ts'
import { arrivalEnded, arrive } from '../inbound/arrivals.ts'
import { performDistributorCommands } from './perform-commands.ts'

type Reactions = { [T in PbxEvent['type']]: (context: EngineContext, event: Extract<PbxEvent, { type: T }>) => void }

const REACTIONS: Reactions = {
  'leg.arrived': arrive,
  'leg.ringing': () => {},
  'leg.answered': toOwner,
  'leg.digit': toOwner,
  'leg.ended': (context, event) => {
    if (!arrivalEnded(context, event.leg)) toOwner(context, event)
    endAdopted(context, event.leg)
  },
  'playback.started': toOwner,
  'playback.ended': toOwner,
  'bridge.joined': (context, event) => {
    const served = context.distributor.callOf(event.leg)
    if (served) traceDistributor(context, event, served)
    context.performDistributor(context.distributor.joined(event.bridge, event.leg, context.dependencies.clock.nowMs()))
  },
  'leg.found': (context, event) => {
    if (context.distributor.owns(event.leg))
      context.performDistributor(context.distributor.handleAgentEvent(event, context.dependencies.clock.nowMs()))
  },
  // What is not about a line of the robot's is about nothing that we know.
  'leg.judged': () => {},
  'recording.ended': () => {},
  'bridge.found': ({ adopted, dependencies }, { bridge, legs }) => {
    dependencies.log.warn(
      { bridge, legs: legs.length },
      'found a conversation that an earlier engine connected; it goes on',
    )
    for (const leg of legs) adopted.set(leg, { bridge, legs })
  },
  'pbx.up': ({ dependencies, calls }, { restarted }) =>
    dependencies.log.info(
      { restarted, calls: calls.size },
      restarted ? 'the switch was restarted' : 'the switch is there',
    ),
  'pbx.down': ({ dependencies, calls }, { why }) =>
    dependencies.log.error({ why, calls: calls.size }, 'the switch cannot be reached'),
}

/** Lets a fact of the switch have its consequences. */
export function react(context: EngineContext, event: PbxEvent): void {
  const isOfLine = context.dialer?.handleSwitchEvent(event) === true
  // A callee who is in a seat's bridge is news for the seat as well.
  if (isOfLine && event.type !== 'bridge.joined') return
  REACTIONS[event.type](context, event as never)
}

type LegFact = Extract<
  PbxEvent,
  { type: 'leg.answered' | 'leg.digit' | 'leg.ended' | 'playback.started' | 'playback.ended' }
>

/** A leg belongs to one call or to one agent, never to both (architecture-laws.md 6, event dispatch). */
function toOwner(context: EngineContext, event: LegFact): void {
  const live = context.callsByLeg.get(event.leg)
  if (live) return context.sendToCall(live.call, event)
  if (context.distributor.owns(event.leg)) return toDistributor(context, event)
  // Somebody picked up for nobody: a phone that was rung for a call that is over.
  if (event.type === 'leg.answered') context.dependencies.pbx.hangUp(event.leg)
}

function toDistributor(context: EngineContext, event: LegFact): void {
  const served = context.distributor.callOf(event.leg)
  if (served) traceDistributor(context, event, served)
  if (event.type === 'leg.digit' || event.type === 'playback.started') return
  performDistributorCommands(context, context.distributor.handleAgentEvent(event, context.dependencies.clock.nowMs()))
}

type Served = { readonly call: LiveCall['call'] }

/** What happened to an agent's leg belongs to the story of the call it serves. */
function traceDistributor(context: EngineContext, event: PbxEvent, served: Served): void {
  const line = { kind: 'fact', what: { ...event, ...served } } as const
  context.trace.distributor(served.call, context.calls.get(served.call)?.run, line, context.dependencies.clock.nowMs())
}

/** One side of a found conversation hung up: the other is not left in silence. */
function endAdopted({ adopted, dependencies }: EngineContext, leg: LegId): void {
  const talk = adopted.get(leg)
  if (!talk) return
  for (const other of talk.legs) {
    adopted.delete(other)
    if (other !== leg) dependencies.pbx.hangUp(other)
  }
  dependencies.pbx.closeBridge(talk.bridge)
}
