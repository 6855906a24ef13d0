/** Performs commands: the only place with effects on the outside, each through a port. One line per command. */
import type { DistributorCommand } from '../../acd/distributor.ts'
import { waitOf } from '../../acd/expected-wait.ts'
import type { CallCommand } from '../../flow/model/call-messages.ts'
import { fillSecrets } from '../../flow/model/template.ts'
import type { AtMs } from '../../kernel/clock.ts'
import { type AgentName, type CallId, callOf, type LegId, type TeamName } from '../../kernel/ids.ts'
import type { RingOptions } from '../../ports/pbx.ts'
import type { SmsResult } from '../../ports/sms.ts'
import type { WebRequest } from '../../ports/web.ts'
import { guardSecrets } from '../call-trace.ts'
import type { EngineContext, LiveCall } from '../context.ts'
import { recordingRuleOf } from '../recording-rule.ts'

type Perform<C extends { type: string }, Extra> = {
  [T in C['type']]: (context: EngineContext, command: Extract<C, { type: T }>, extra: Extra) => void
}

const CRASHED = { outcome: 'uncertain', why: 'the service stopped before the provider answered' } as const
const NO_STOP_LIST = { end: 'failed', why: 'this installation has no database, and so no stop list' } as const
const NO_CALLBACKS = 'this installation has no database, and so calls nobody'
const NO_EVENTS = 'this installation has no database, and so no event can reach it'
const NO_REPORTS = 'the SMS provider sends no delivery reports here; set TWILIO_REPORTS_URL'
const NO_MESSAGES = 'this installation has no database, and so keeps no messages'

const NO_TRANSFERS = 'this installation has no database, and so no stop list'

const CALL: Perform<CallCommand, LiveCall> = {
  answer: ({ dependencies }, { leg }) => dependencies.pbx.answer(leg),
  hangUp: ({ dependencies }, { leg }) => dependencies.pbx.hangUp(leg),
  play: ({ player }, { playback, leg, say, hearsVoice }, { run }) =>
    player.play(playback, leg, guardSecrets(say, run.secrets), { ...(hearsVoice && { hearsVoice }) }),
  setVolume: ({ player }, { playback, volume }) => player.setVolume(playback, volume),
  stopPlaying: ({ player }, { playback }) => player.stop(playback),
  listen: ({ dependencies }, { listening, leg, language }) => dependencies.pbx.listen(listening, leg, language),
  stopListening: ({ dependencies }, { listening }) => dependencies.pbx.stopListening(listening),
  startMusic: ({ dependencies }, { leg, music }) => dependencies.pbx.startMusic(leg, music),
  stopMusic: ({ dependencies }, { leg }) => dependencies.pbx.stopMusic(leg),
  request: askWeb,
  cancelRequest: (_, { request }, live) => {
    live.requests.get(request)?.cancel()
    live.requests.delete(request)
  },
  sendSms: sendText,
  stopCaller: (context, { key, by, reason }, live) => {
    const stopped = context.inboundCalls?.stopCaller(live, by, reason) ?? NO_STOP_LIST
    context.later(live.call, { type: 'caller.stopped', key, ...stopped })
  },
  awaitEvent: (context, { key, untilMs, event, of }, live) => {
    if (context.inboundCalls) context.inboundCalls.awaitEvent(live, { visit: key, event, of }, untilMs)
    else context.later(live.call, { type: 'wait.refused', key, why: NO_EVENTS })
  },
  stopAwaiting: (_, __, live) => {
    live.awaits = undefined
  },
  takeMessage: (context, command, live) => {
    const refused = { type: 'message.ended', key: command.key, end: 'failed', why: NO_MESSAGES } as const
    if (context.inboundCalls) context.inboundCalls.takeMessage(live, command)
    else context.later(live.call, refused)
  },
  endMessage: ({ recordings }, _, live) => recordings.stop(live),
  transfer: (context, command, live) => {
    const refused = { type: 'transfer.ended', key: command.key, end: 'refused', why: NO_TRANSFERS } as const
    if (context.inboundCalls) context.inboundCalls.transfers.begin(live, command)
    else context.later(live.call, refused)
  },
  endTransfer: ({ inboundCalls }, _, live) => inboundCalls?.transfers.end(live),
  joinQueue: (context, command, live) => {
    const { call, leg } = live
    const { team, priority, skills, whisper, callerId, popup, recordingConsent: hasConsented = false } = command
    const recordingRule = recordingRuleOf(context, live.called, team, command.recording)
    const queuedAtMs = live.queuedAtMs ?? context.dependencies.clock.nowMs()
    Object.assign(live, { team, popup, queuedAtMs, hasAgentLeft: false, recordingRule, hasConsented })
    const sinceAtMs = placeOf(context, live, team)
    const joined = context.distributor.join(
      {
        call,
        leg,
        team,
        priority,
        callerId,
        whisper,
        ...(skills && { skills }),
        ...(sinceAtMs !== undefined && { sinceAtMs }),
      },
      context.dependencies.clock.nowMs(),
    )
    if (typeof joined === 'string') return context.later(call, { type: 'queue.refused', why: joined })
    performDistributorCommands(context, joined)
  },
  leaveQueue: (context, _, { call }) =>
    performDistributorCommands(context, context.distributor.leave(call, context.dependencies.clock.nowMs())),
  askPosition: ({ later, distributor, staff }, _, { call }) => {
    const waitMs = waitOf(distributor, staff(), call)
    later(call, {
      type: 'queue.position',
      position: distributor.position(call),
      ...(waitMs !== undefined && { waitMs }),
    })
  },
  askCallback: (context, _, live) => {
    if (context.inboundCalls) context.inboundCalls.queueCallbacks.offer(live)
    else context.later(live.call, { type: 'queue.callback', what: 'refused', why: NO_CALLBACKS })
  },
  keepPlace: (context, _, live) => {
    if (context.inboundCalls) context.inboundCalls.queueCallbacks.keep(live)
    else context.later(live.call, { type: 'queue.callback', what: 'refused', why: NO_CALLBACKS })
  },
  endCall: (context, { record }) => context.callRecorded(record),
}

const DISTRIBUTOR: Perform<DistributorCommand, undefined> = {
  turnAway: (context, { call }) => context.later(call, { type: 'queue.refused', why: 'closed' }),
  callBack: ({ inboundCalls }, { task, agent }) => inboundCalls?.queueCallbacks.callBack(task, agent),
  ringAgent: (context, { leg, agent, callerId, ringTimeoutMs }) =>
    ringPhone(context, leg, agent, { callerId, ringTimeoutMs }),
  whisper: ({ player, calls }, { playback, leg, say, bridge, call }) =>
    player.play(playback, leg, guardSecrets(say, calls.get(call)?.run.secrets ?? []), { bridge }),
  connect: (context, { agent, offer }) => {
    context.sendToCall(offer.call, { type: 'agent.connected', agent })
    metCaller(context, offer.call, agent, { agentLeg: offer.agentLeg, bridge: offer.bridge })
    context.dependencies.pbx.bridge(offer.bridge, [offer.callerLeg, offer.agentLeg])
  },
  hangUpAgent: (context, { leg, agent }) => hangUpPhone(context, leg, agent),
  closeBridge: ({ dependencies }, { bridge }) => dependencies.pbx.closeBridge(bridge),
  agentLeft: (context, { call, agent }) => {
    context.agentDesktop?.callerParted(agent, call)
    const live = context.calls.get(call)
    if (live) {
      Object.assign(live, { hasAgentLeft: true, talk: undefined })
      context.inboundCalls?.talkEnded(live)
    }
    context.outbound?.kept.agentLeftCall(call)
    context.later(call, { type: 'agent.left', agent })
  },
  agentMet: (context, { call, agent }) => metCaller(context, call, agent),
  agentLost: (context, { call, agent }) => {
    context.dependencies.log.warn({ agent, call }, "an agent's phone is lost; the caller waits for the next agent")
    context.agentDesktop?.callerParted(agent, call)
    const live = context.calls.get(call)
    if (live) {
      live.talk = undefined
      context.inboundCalls?.talkEnded(live)
    }
    context.sendToCall(call, { type: 'agent.lost', agent })
    // Last: it begins the call anew.
    context.outbound?.kept.agentLost(call)
  },
  offerRefused: ({ dependencies }, { agent, call }) =>
    dependencies.log.warn({ agent, call }, 'agent did not take the call; trying the next one'),
  'seat.ring': (context, { leg, agent, ringTimeoutMs }) =>
    ringPhone(context, leg, agent, { callerId: 'Switchboard', ringTimeoutMs }),
  'seat.hold': ({ dependencies }, { leg, bridge }) => dependencies.pbx.bridge(bridge, [leg]),
  'seat.listen': ({ dependencies }, { leg, withinMs }) => dependencies.pbx.checkSound(leg, withinMs),
  'seat.hangUp': (context, { leg, agent }) => hangUpPhone(context, leg, agent),
  'seat.close': ({ dependencies }, { bridge }) => dependencies.pbx.closeBridge(bridge),
  'seat.join': (context, { agent, leg, call, bridge, party }) => {
    // The caller's music stops first.
    context.sendToCall(call, { type: 'agent.connected', agent })
    context.dependencies.pbx.join(bridge, party)
    context.dependencies.pbx.checkSound(leg)
  },
  'seat.part': ({ dependencies }, { bridge, party }) => dependencies.pbx.leave(bridge, party),
  'seat.hush': ({ player }, { playback }) => player.stop(playback),
  'seat.changed': ({ outbound }, { status }) => outbound?.agentStatusChanged(status),
  'agent.given': ({ dependencies, outbound }, { agent, person, agentLeg, bridge }) => {
    outbound?.agentAssigned(person, agent, agentLeg, bridge)
    dependencies.pbx.checkSound(agentLeg)
  },
  'agent.connected': ({ outbound }, { person }) => outbound?.toAttempt(person, 'agent.connected'),
  'agent.away': ({ outbound, agentDesktop, callsByLeg, keptTalks }, { agent, person, bridge, waits }) => {
    const caller = callsByLeg.get(person) ?? keptTalks.get(person)?.call
    if (waits) agentDesktop?.talkActs.phoneAway(agent, caller?.call ?? callOf(person))
    else outbound?.agentAway(person, agent, bridge)
  },
  'agent.back': ({ agentDesktop }, { agent }) => agentDesktop?.talkActs.phoneBack(agent),
  'agent.lost': (context, { agent, person }) => {
    const hadMusic = context.agentDesktop?.talkActs.phoneGone(agent) === true
    context.agentDesktop?.callerParted(agent, callOf(person))
    context.outbound?.agentLost(person, agent, hadMusic)
  },
  'agent.finished': ({ outbound }, { person }) => outbound?.agentFinished(person),
}

/** The screen is told first: a phone in the browser answers announced legs only. */
function ringPhone(context: EngineContext, leg: LegId, agent: AgentName, options: RingOptions): void {
  context.agentDesktop?.notifyAgent(agent, { type: 'leg', leg })
  context.dependencies.pbx.ringAgent(leg, agent, options)
}

function hangUpPhone(context: EngineContext, leg: LegId, agent: AgentName): void {
  context.agentDesktop?.notifyAgent(agent, { type: 'legEnded', leg })
  context.dependencies.pbx.hangUp(leg)
}

/** A place that the caller has kept, or had when an earlier engine died; undefined: they arrive now. */
function placeOf({ inboundCalls }: EngineContext, live: LiveCall, team: TeamName): AtMs | undefined {
  const kept = inboundCalls?.queueCallbacks.takePlace(live, team)
  const earlier = live.earlier?.progress
  return kept ?? (earlier?.team === team ? earlier.queuedAtMs : undefined)
}

/** Notes the conversation, and shows the caller on the agent's screen. */
function metCaller(context: EngineContext, call: CallId, agent: AgentName, talk?: LiveCall['talk']): void {
  const live = context.calls.get(call)
  if (!live) return context.outbound?.kept.met(call, agent)
  Object.assign(live, { connectedAtMs: live.connectedAtMs ?? context.dependencies.clock.nowMs(), agent, talk })
  context.inboundCalls?.talkBegan(live)
  context.inboundCalls?.callWent(live)
  context.agentDesktop?.callerConnected(agent, live)
}

/** Performs a call's commands in order, and journals them. */
export function performCall(context: EngineContext, live: LiveCall, commands: readonly CallCommand[]): void {
  for (const command of commands) {
    context.trace.command(live.call, live.run, command, context.dependencies.clock.nowMs())
    CALL[command.type](context, command as never, live)
  }
}

/** Performs the distributor's commands in order, and journals each in the call that it serves. */
export function performDistributorCommands(context: EngineContext, commands: readonly DistributorCommand[]): void {
  for (const command of commands) {
    const call = servedCall(command)
    if (call !== undefined) {
      const line = { kind: 'command', what: command } as const
      context.trace.distributor(call, context.calls.get(call)?.run, line, context.dependencies.clock.nowMs())
    }
    DISTRIBUTOR[command.type](context, command as never, undefined)
  }
}

/** The call in whose journal a command is written; a command about an agent's own session is written nowhere. */
function servedCall(command: DistributorCommand): CallId | undefined {
  if ('call' in command) return command.call
  return 'person' in command ? callOf(command.person) : undefined
}

/** The request is stored before it leaves: an engine after a crash does not send it again (calls-and-flows-32). */
function sendText(
  context: EngineContext,
  { type: _, key, ...text }: Extract<CallCommand, { type: 'sendSms' }>,
  live: LiveCall,
): void {
  const settled = (result: SmsResult) => {
    live.texts.set(key, result)
    context.later(live.call, { type: 'sms.settled', key, result })
  }
  if (text.wantsReport && !context.dependencies.sms.reports)
    context.later(live.call, { type: 'wait.refused', key, why: NO_REPORTS })
  const earlier = live.texts.get(key)
  if (earlier !== undefined) return settled(earlier ?? CRASHED)
  live.texts.set(key, null)
  const about = live.run.caseNumber
  const message = { key, ...text, ...(about !== undefined && { about }) }
  const send = () => context.dependencies.sms.send(message, settled)
  if (context.inboundCalls) context.inboundCalls.callWent(live, send)
  else send()
}

/** An address without the case of the call is no question about it. */
function casedBy({ run, matched }: LiveCall, { url }: { readonly url: string }): string | undefined {
  const { caseNumber } = run
  if (caseNumber === undefined || caseNumber === matched?.externalCaseNumber) return undefined
  return url.includes(encodeURIComponent(caseNumber)) ? caseNumber : undefined
}

/** Secrets are filled in here and nowhere else; the filled request is never journaled. */
function askWeb(
  context: EngineContext,
  { request, ask }: Extract<CallCommand, { type: 'request' }>,
  live: LiveCall,
): void {
  const filled = withSecrets(ask, context.dependencies.secret)
  if (!filled) {
    const answer = { outcome: 'forbidden', why: 'a secret of this request is not set' } as const
    return context.later(live.call, { type: 'request.answered', request, answer })
  }
  const { dependencies, lookupTries } = context
  const asking = { who: live.caller ?? live.call, called: live.called, url: ask.url, strangersCase: casedBy(live, ask) }
  const why = ask.method === 'GET' ? lookupTries.whyNot(asking, dependencies.clock.nowMs()) : undefined
  if (why !== undefined) {
    dependencies.log.warn({ call: live.call, why }, 'a lookup was refused: is somebody trying case numbers?')
    return context.later(live.call, { type: 'request.answered', request, answer: { outcome: 'unavailable', why } })
  }
  let isCancelled = false
  live.requests.set(request, {
    cancel() {
      isCancelled = true
    },
  })
  const send = () => {
    if (isCancelled) return
    const running = dependencies.web.request(filled, (answer) => {
      live.requests.delete(request)
      if (answer.outcome === 'answered' && answer.status === 404)
        lookupTries.missed(live.called, dependencies.clock.nowMs())
      context.later(live.call, { type: 'request.answered', request, answer })
    })
    live.requests.set(request, running)
  }
  // Stored before it leaves, as a text message is: an engine after a crash knows that it may have been sent.
  if (context.inboundCalls && ask.method !== 'GET') context.inboundCalls.callWent(live, send)
  else send()
}

function withSecrets(ask: WebRequest, secret: (name: string) => string | undefined): WebRequest | undefined {
  const headers: Record<string, string> = {}
  for (const [name, value] of Object.entries(ask.headers)) {
    const filled = fillSecrets(value, secret)
    if (filled === undefined) return undefined
    headers[name] = filled
  }
  return { ...ask, headers }
}
