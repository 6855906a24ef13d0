/** The only place where wishes become deeds. One line per command; everything goes through a port. */
import type { DeskCommand } from '../../acd/distributor.ts'
import type { CallCommand } from '../../flow/model/call-messages.ts'
import { fillSecrets } from '../../flow/model/template.ts'
import type { AgentName, CallId } from '../../kernel/ids.ts'
import type { WebRequest } from '../../ports/web.ts'
import type { LiveCall, Rooms } from '../context.ts'

type Perform<C extends { type: string }, Extra> = {
  [T in C['type']]: (rooms: Rooms, command: Extract<C, { type: T }>, extra: Extra) => void
}

const CALL: Perform<CallCommand, LiveCall> = {
  answer: ({ parts }, { leg }) => parts.pbx.answer(leg),
  hangUp: ({ parts }, { leg }) => parts.pbx.hangUp(leg),
  play: ({ player }, { playback, leg, say }) => player.play(playback, leg, say),
  stopPlaying: ({ player }, { playback }) => player.stop(playback),
  startMusic: ({ parts }, { leg, music }) => parts.pbx.startMusic(leg, music),
  stopMusic: ({ parts }, { leg }) => parts.pbx.stopMusic(leg),
  request: askWeb,
  cancelRequest: (_, { request }, live) => {
    live.requests.get(request)?.cancel()
    live.requests.delete(request)
  },
  sendSms: (rooms, { key, to, text }, { call }) =>
    rooms.parts.sms.send({ key, to, text }, (result) => rooms.later(call, { type: 'sms.settled', key, result })),
  joinQueue: (rooms, command, live) => {
    const { call, leg } = live
    const { team, priority, whisper, callerId, popup } = command
    const queuedAtMs = live.queuedAtMs ?? rooms.parts.clock.nowMs()
    Object.assign(live, { team, popup, queuedAtMs, hasAgentLeft: false })
    const joined = rooms.desk.join({ call, leg, team, priority, callerId, whisper }, rooms.parts.clock.nowMs())
    if (typeof joined === 'string') return rooms.later(call, { type: 'queue.refused', why: joined })
    performDesk(rooms, joined)
  },
  leaveQueue: (rooms, _, { call }) => performDesk(rooms, rooms.desk.leave(call, rooms.parts.clock.nowMs())),
  askPosition: (rooms, _, { call }) =>
    rooms.later(call, { type: 'queue.position', position: rooms.desk.position(call) }),
  endCall: (rooms, { record }) => rooms.ended(record),
}

const DESK: Perform<DeskCommand, undefined> = {
  turnAway: (rooms, { call }) => rooms.later(call, { type: 'queue.refused', why: 'closed' }),
  ringAgent: ({ parts }, { leg, agent, callerId, ringTimeoutMs }) =>
    parts.pbx.ringAgent(leg, agent, { callerId, ringTimeoutMs }),
  whisper: ({ player }, { playback, leg, say, bridge }) => player.play(playback, leg, say, bridge),
  connect: (rooms, { agent, offer }) => {
    meetCaller(rooms, offer.call, agent)
    rooms.parts.pbx.bridge(offer.bridge, [offer.callerLeg, offer.agentLeg])
  },
  hangUpAgent: ({ parts }, { leg }) => parts.pbx.hangUp(leg),
  closeBridge: ({ parts }, { bridge }) => parts.pbx.closeBridge(bridge),
  agentLeft: (rooms, { call, agent }) => {
    rooms.robot?.stations.parted(agent, call)
    const live = rooms.calls.get(call)
    if (live) live.hasAgentLeft = true
    rooms.robot?.takeover.agentLeftCall(call)
    rooms.later(call, { type: 'agent.left', agent })
  },
  offerRefused: ({ parts }, { agent }) =>
    parts.log.warn({ agent }, 'agent did not take the call; the next one is tried'),
  'seat.ring': ({ parts }, { leg, agent, ringTimeoutMs }) =>
    parts.pbx.ringAgent(leg, agent, { callerId: 'Switchboard', ringTimeoutMs }),
  'seat.hold': ({ parts }, { leg, bridge }) => parts.pbx.bridge(bridge, [leg]),
  'seat.hangUp': ({ parts }, { leg }) => parts.pbx.hangUp(leg),
  'seat.close': ({ parts }, { bridge }) => parts.pbx.closeBridge(bridge),
  'seat.join': (rooms, { agent, call, bridge, party }) => {
    meetCaller(rooms, call, agent)
    rooms.parts.pbx.join(bridge, party)
  },
  'seat.part': ({ parts }, { bridge, party }) => parts.pbx.leave(bridge, party),
  'seat.hush': ({ player }, { playback }) => player.stop(playback),
  'seat.changed': (rooms, { status }) => rooms.robot?.seatChanged(status),
  'agent.given': ({ robot }, { agent, person, agentLeg, bridge }) =>
    robot?.dialing.lines.give(person, agent, agentLeg, bridge),
  'agent.lost': ({ robot }, { person }) => robot?.dialing.lines.tell(person, { type: 'agent.lost' }),
  'agent.finished': ({ robot }, { person }) => {
    robot?.dialing.lines.tell(person, { type: 'agent.finished' })
    robot?.takeover.agentLeft(person)
  },
}

/** The caller's music stops before the two are let together, and the agent's screen shows who it is. */
function meetCaller(rooms: Rooms, call: CallId, agent: AgentName): void {
  const live = rooms.calls.get(call)
  if (live) live.connectedAtMs ??= rooms.parts.clock.nowMs()
  rooms.tellCall(call, { type: 'agent.connected', agent })
  if (live) rooms.robot?.stations.met(agent, live)
}

/** Performs what a call wishes, in order, and writes it down. */
export function performCall(rooms: Rooms, live: LiveCall, commands: readonly CallCommand[]): void {
  for (const command of commands) {
    rooms.trace.command(live.call, live.run, command, rooms.parts.clock.nowMs())
    CALL[command.type](rooms, command as never, live)
  }
}

/** Performs what the desk wishes, in order, and writes it into the story of the call it is for. */
export function performDesk(rooms: Rooms, commands: readonly DeskCommand[]): void {
  for (const command of commands) {
    const call = callOf(command)
    if (call !== undefined) {
      const line = { kind: 'command', what: command } as const
      rooms.trace.desk(call, rooms.calls.get(call)?.run, line, rooms.parts.clock.nowMs())
    }
    DESK[command.type](rooms, command as never, undefined)
  }
}

/** Whose story a wish belongs to; what is only about an agent's own seat belongs to none. */
function callOf(command: DeskCommand): CallId | undefined {
  if ('call' in command) return command.call
  return 'person' in command ? (command.person as string as CallId) : undefined
}

/** Secrets are filled in here and nowhere else: what comes back is never written down. */
function askWeb(rooms: Rooms, { request, ask }: Extract<CallCommand, { type: 'request' }>, live: LiveCall): void {
  const filled = withSecrets(ask, rooms.parts.secret)
  if (!filled) {
    const answer = { outcome: 'forbidden', why: 'a secret of this request is not set' } as const
    return rooms.later(live.call, { type: 'request.answered', request, answer })
  }
  const running = rooms.parts.web.request(filled, (answer) => {
    live.requests.delete(request)
    rooms.later(live.call, { type: 'request.answered', request, answer })
  })
  live.requests.set(request, running)
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
