/** The only place where wishes become deeds. One line per command; everything goes through a port. */
import type { DeskCommand } from '../calls/desk.ts'
import type { CallCommand } from '../flow/call-talk.ts'
import { fillSecrets } from '../flow/template.ts'
import type { WebRequest } from '../ports/web.ts'
import type { LiveCall, Rooms } from './rooms.ts'

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
  joinQueue: (rooms, command, { call, leg }) => {
    const { team, priority, whisper, callerId } = command
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
  whisper: ({ player }, { playback, leg, say }) => player.play(playback, leg, say),
  connect: (rooms, { agent, offer }) => {
    // The caller's music stops before the two are let together.
    rooms.tellCall(offer.call, { type: 'agent.connected', agent })
    rooms.parts.pbx.bridge(offer.bridge, [offer.callerLeg, offer.agentLeg])
  },
  hangUpAgent: ({ parts }, { leg }) => parts.pbx.hangUp(leg),
  closeBridge: ({ parts }, { bridge }) => parts.pbx.closeBridge(bridge),
  agentLeft: (rooms, { call, agent }) => rooms.later(call, { type: 'agent.left', agent }),
  offerRefused: ({ parts }, { agent }) =>
    parts.log.warn({ agent }, 'agent did not take the call; the next one is tried'),
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
    const run = rooms.calls.get(command.call)?.run
    rooms.trace.desk(command.call, run, { kind: 'command', what: command }, rooms.parts.clock.nowMs())
    DESK[command.type](rooms, command as never, undefined)
  }
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
