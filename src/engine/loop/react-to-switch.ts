/** Every event of the switch, and the part of the engine that handles it. Read it top to bottom. */
import type { SpeechFact } from '../../flow/model/call-messages.ts'
import type { LegId } from '../../kernel/ids.ts'
import type { PbxEvent } from '../../ports/pbx.ts'
import type { EngineContext, LiveCall } from '../context.ts'
import { arrivalEnded, arrive } from '../inbound/arrivals.ts'
import { refusedBySwitch } from '../inbound/refused-calls.ts'
import { performDistributorCommands } from './perform-commands.ts'

type Reactions = { [T in PbxEvent['type']]: (context: EngineContext, event: Extract<PbxEvent, { type: T }>) => void }

const REACTIONS: Reactions = {
  'leg.arrived': arrive,
  'arrival.refused': refusedBySwitch,
  'leg.ringing': () => {},
  'leg.answered': toOwner,
  'leg.digit': toOwner,
  'leg.digitWasInfo': noteWay,
  'leg.talking': toCall,
  'leg.quiet': toCall,
  'leg.speaks': toCall,
  'leg.said': toCall,
  'leg.unheard': toCall,
  'leg.ended': (context, event) => {
    if (!arrivalEnded(context, event.leg)) legEnded(context, event)
    endAdopted(context, event.leg)
  },
  'leg.heard': toDistributor,
  'leg.silent': toDistributor,
  'playback.started': toOwner,
  'playback.ended': toOwner,
  'bridge.joined': (context, event) => {
    const served = context.distributor.callOf(event.leg)
    if (served) traceDistributor(context, event, served)
    context.performDistributor(context.distributor.joined(event.bridge, event.leg, context.dependencies.clock.nowMs()))
  },
  // Whoever it is would stay in silence, and the other side too: the call ends, or the phone is called again.
  'bridge.refused': ({ dependencies }, { bridge, leg }) => {
    dependencies.log.error({ bridge, leg }, 'the switch does not let a leg into a bridge; the leg is hung up')
    dependencies.pbx.hangUp(leg)
  },
  'leg.found': (context, event) => {
    if (context.distributor.owns(event.leg))
      context.performDistributor(context.distributor.handleAgentEvent(event, context.dependencies.clock.nowMs()))
  },
  // Only attempts, transfers and supervisions use these events; they have handled them already.
  'leg.judged': () => {},
  'leg.handedOver': () => {},
  'leg.overhears': () => {},
  'leg.overhearsNot': () => {},
  'leg.greeted': () => {},
  'leg.greetingEnded': () => {},
  'recording.ended': ({ recordings }, event) => recordings.ended(event),
  'bridge.found': ({ adopted, dependencies }, { bridge, legs }) => {
    dependencies.log.warn({ bridge, legs: legs.length }, 'found a conversation of an earlier engine; it continues')
    for (const leg of legs) adopted.set(leg, { bridge, legs })
  },
  'pbx.up': ({ dependencies, calls }, { restarted }) =>
    dependencies.log.info(
      { restarted, calls: calls.size },
      restarted ? 'the switch was restarted' : 'the switch is there',
    ),
  'pbx.down': ({ dependencies, calls }, { why }) =>
    dependencies.log.error({ why, calls: calls.size }, 'the switch is unreachable'),
}

/** Passes an event to supervisions, transfers and the dialer first; events of other legs go to calls and agents. */
export function react(context: EngineContext, event: PbxEvent): void {
  if (context.supervisions?.handleSwitchEvent(event)) return
  if (context.agentDesktop?.handleSwitchEvent(event)) return
  if (event.type === 'bridge.refused') return REACTIONS['bridge.refused'](context, event)
  if (context.inboundCalls?.transfers.handleSwitchEvent(event)) return
  const isOfAttempt = context.outbound?.handleSwitchEvent(event) === true
  // `bridge.joined` of a callee also concerns the session of the agent in that bridge.
  if (isOfAttempt && event.type !== 'bridge.joined') return
  REACTIONS[event.type](context, event as never)
}

type LegFact = Extract<
  PbxEvent,
  { type: 'leg.answered' | 'leg.digit' | 'leg.ended' | 'playback.started' | 'playback.ended' }
>

/** Who hangs up while they leave a message has left it: the flow is told of both at once, when it is known. */
function legEnded(context: EngineContext, event: Extract<PbxEvent, { type: 'leg.ended' }>): void {
  const live = context.callsByLeg.get(event.leg)
  if (!live?.message) return toOwner(context, event)
  live.message.hasLeft = true
  context.recordings.finish(live, () => {
    context.sendToCall(live.call, { ...event, ...(live.left && { left: live.left }) })
  })
}

type SoundFact = Extract<PbxEvent, { type: 'leg.heard' | 'leg.silent' }>

type VoiceFact = Extract<PbxEvent, { type: 'leg.talking' | 'leg.quiet' }>

/** Only flows listen to what is said, and have prompts that a voice can stop. */
function toCall(context: EngineContext, event: SpeechFact | VoiceFact): void {
  const live = context.callsByLeg.get(event.leg)
  if (live) context.sendToCall(live.call, event)
}

/** A leg belongs to one call or to one agent, never to both (architecture-laws.md 6, event dispatch). */
function toOwner(context: EngineContext, event: LegFact): void {
  const live = context.callsByLeg.get(event.leg)
  if (live) return context.sendToCall(live.call, event)
  if (context.distributor.owns(event.leg)) return toDistributor(context, event)
  // An agent answered a phone that was rung for a call that is over.
  if (event.type === 'leg.answered') context.dependencies.pbx.hangUp(event.leg)
}

/** Only the record of the call wants to know; the flow has the key. */
function noteWay(context: EngineContext, event: Extract<PbxEvent, { type: 'leg.digitWasInfo' }>): void {
  const live = context.callsByLeg.get(event.leg)
  const served = context.distributor.callOf(event.leg)
  if (live) context.trace.note(live.call, live.run, event, context.dependencies.clock.nowMs())
  else if (served) traceDistributor(context, event, served)
}

function toDistributor(context: EngineContext, event: LegFact | SoundFact): void {
  const served = context.distributor.callOf(event.leg)
  if (served) traceDistributor(context, event, served)
  if (event.type === 'leg.digit' || event.type === 'playback.started') return
  if (event.type === 'leg.answered') context.agentDesktop?.talkActs.legAnswered(event.leg)
  performDistributorCommands(context, context.distributor.handleAgentEvent(event, context.dependencies.clock.nowMs()))
}

type Served = { readonly call: LiveCall['call'] }

/** Events of an agent's leg are journaled in the call that the leg serves. */
function traceDistributor(context: EngineContext, event: PbxEvent, served: Served): void {
  const line = { kind: 'fact', what: { ...event, ...served } } as const
  context.trace.distributor(served.call, context.calls.get(served.call)?.run, line, context.dependencies.clock.nowMs())
}

/** One side of a conversation of an earlier engine hung up: hang up the other side too. */
function endAdopted({ adopted, dependencies }: EngineContext, leg: LegId): void {
  const talk = adopted.get(leg)
  if (!talk) return
  for (const other of talk.legs) {
    adopted.delete(other)
    if (other !== leg) dependencies.pbx.hangUp(other)
  }
  dependencies.pbx.closeBridge(talk.bridge)
}
