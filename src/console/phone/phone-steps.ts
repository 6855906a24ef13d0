/** Steps that several states of `phone.machine.ts` have. */
import type { PhoneContext } from './phone-messages.ts'

interface At {
  readonly context: PhoneContext
}

/** The leg that is announced, answered or up. */
export const theLeg = ({ context }: At) => ({ leg: context.leg! })
/** Whether the phone is taken from another tab. */
export const takesOver = ({ context }: At) => ({ takeOver: context.takesOver })
const isOpen = ({ context: { isInCall, isMuted, isBeeping } }: At) => ({ isOpen: isInCall && !isMuted && !isBeeping })
/** Whether the microphone is heard, by everything that is known now. */
export const openSound = { type: 'openSound', params: isOpen } as const
/** A leg is asked for and answered with an open microphone alone. */
export const needsMicrophone = { guard: 'isUnheard', target: '#phone.checking' } as const
/** The fresh leg is given up, and the old one goes on. */
export const toOldLeg = {
  guard: 'hasOldLeg',
  target: '#phone.live',
  actions: [{ type: 'terminate', params: theLeg }, 'backToOldLeg'],
} as const
/** The leg is over. */
export const toLegless = {
  target: '#phone.legless',
  actions: [{ type: 'terminate', params: { leg: undefined } }, 'forgetLegs'],
} as const
/** The leg is over, and SIP is not there yet: a switch that was started anew has forgotten the password. */
export const toRegistering = { ...toLegless, target: '#phone.registering' } as const
/** Our side of a leg that is lost for good is ended, and a fresh one asked for. */
export const toFreshLeg = { ...toLegless, actions: [...toLegless.actions, 'askFreshLeg'] } as const
