/** Parts of `agent-session.machine.ts` that several of its states share: parameters of commands, and transitions. */
import { and, not } from 'xstate'
import { LIMITS } from './agent-session-limits.ts'
import type { AgentSessionContext, LetGo } from './agent-session-state.ts'

interface At {
  readonly context: AgentSessionContext
}

/** The agent's own leg, of a command. */
export const theLeg = ({ context }: At) => ({ leg: context.leg })
/** The agent's own leg, of a page that is gone or hears nothing: the other side is not to wait long in silence. */
export const theDoubtedLeg = ({ context }: At) => ({ leg: context.leg, withinMs: LIMITS.doubtMs })
/** Leg and party of a command. */
export const theParty = ({ context }: At) => ({ leg: context.leg, party: context.party! })
/** Leg and number of a whisper. */
export const theWhisper = ({ context }: At) => ({ leg: context.leg, number: context.whispers })
/** The command that lets the party go. */
export const letGo = (why: LetGo) =>
  ({ type: 'letGo', params: ({ context }: At) => ({ party: context.party, why }) }) as const
/** Notes why. */
export const because = (reason: string) => ({ type: 'because', params: { reason } }) as const

/** The state of who has logged out. */
export const OUT = '#seat.out'
const NO_SCREEN_FOR_LONG = 'the screen was gone for 10 minutes'
/** Whoever has no screen for so long has left. */
export const toOutWithoutScreen = {
  guard: 'isScreenLongGone',
  target: OUT,
  actions: because(NO_SCREEN_FOR_LONG),
} as const
/** A party is given: it is told of first, or connected at once. */
export const toParty = [
  { guard: 'isWhispered', target: 'briefing', actions: 'takeParty' },
  { target: 'connecting', actions: 'takeParty' },
] as const
/** A pause or log-out that was remembered. */
export const asAsked = [
  { guard: 'isPauseAsked', target: '#seat.in.work.paused', actions: 'asAsked' },
  { target: OUT, actions: 'asAsked' },
] as const
/** A party that the switch has in the bridge. */
export const adopt = { target: 'talking', actions: 'takeParty' } as const
/** Orders for later. */
export const rememberCommands = {
  pause: { actions: 'remember' },
  logOut: { actions: 'remember' },
  ready: { actions: 'forgetAsked' },
} as const
/** An order to log out. */
export const toOut = { target: OUT, actions: 'asOrdered' } as const
/** An order to pause. */
export const toPaused = { target: '#seat.in.work.paused', actions: 'asOrdered' } as const
/** Agent and party were not together. */
const onNotConnected = { target: 'onwards', actions: ['failed', letGo('lost'), 'forgetParty'] } as const
/**
 * Connecting ends with the phone, or in time. With a phone that is up the switch has not brought the party: a caller
 * waits on and is given again; a callee is lost, so an agent whom the switch brings nobody gets two at most (F-F1).
 */
export const notConnected = {
  always: { guard: 'isPhoneDown', ...onNotConnected },
  after: {
    [LIMITS.connectMs]: [
      { guard: 'isWithCaller', target: 'onwards', actions: [letGo('lost'), 'forgetParty'] },
      onNotConnected,
    ],
  },
} as const
/** The conversation goes on without this agent: whoever ends it has the wrap-up. */
export const onVanished = { target: '#seat.in.work.onwards', actions: [letGo('vanished'), 'forgetParty'] } as const
/** Of an agent whose party waits. */
export const onPhoneBack = [
  {
    guard: and(['isPhoneUp', 'hasGrace']),
    target: 'together',
    actions: { type: 'back', params: theParty },
  },
  { guard: 'isPhoneUp', target: 'together' },
] as const
/** A caller goes back to the head of the queue, which has music and words; for a browser they wait, as callees do. */
export const onCallerAlone = { guard: and(['isPhoneDown', 'isWithCaller', not('hasGrace')]), ...onVanished } as const
export const onFinished = { target: '#seat.in.work.wrapUp', actions: [letGo('finished'), 'forgetParty'] } as const
/** A phone that asks for a call is there: the call under way may be one that it has lost. */
export const onRenew = {
  target: 'ringing',
  reenter: true,
  actions: [{ type: 'hangUp', params: theLeg }, 'steady'],
} as const
/** A call to the phone is over, or was never made: then once more, some seconds later. */
export const onEnded = {
  'leg.ended': { target: 'waiting', actions: 'sent' },
  'leg.unsent': { target: 'waiting', actions: 'notTried' },
} as const
/** The leg was found after a restart. */
export const onFound = [
  { guard: 'isFoundInBridge', target: 'up' },
  { guard: 'isFoundUp', target: 'holding', reenter: true },
] as const
/** In the bridge, and no packet has come from the phone yet. */
export const unheard = {
  entry: { type: 'listen', params: theLeg },
  on: {
    'leg.heard': '#seat.in.phone.up',
    'leg.silent': { target: 'unheard', reenter: true, actions: 'noPacket' },
  },
} as const

/** The switch did not take the call. */
export function withUnsentCall({ tries, unsent = 0 }: AgentSessionContext): Partial<AgentSessionContext> {
  return { tries: Math.min(tries, LIMITS.unsentTries), unsent: unsent + 1 }
}

/** The wait before the next call to the phone. */
export function backOffMs({ tries, unsent }: AgentSessionContext): number {
  if (!unsent) return LIMITS.backOffMs[tries] ?? 0
  return Math.min(LIMITS.unsentLongestMs, LIMITS.unsentFirstMs * 2 ** (unsent - 1))
}
