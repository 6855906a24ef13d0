/** What `phone.machine.ts` does while a leg is up and SIP comes and goes: a region of its state `live`. */
import { PHONE_LIMITS } from './phone-messages.ts'
import { takesOver, theLeg, toRegistering } from './phone-steps.ts'

const ourLegEnded = { guard: 'isOurLeg', ...toRegistering } as const
/** The sound goes on as long as it can; a leg that ends meanwhile leaves nothing to be kept. */
export const signal = {
  initial: 'there',
  states: {
    there: { on: { 'signal.lost': 'deaf' } },
    deaf: {
      initial: 'waiting',
      states: {
        waiting: {},
        asking: {
          entry: { type: 'askCredentials', params: takesOver },
          // An answer that never comes.
          after: { [PHONE_LIMITS.registerMs]: 'denied' },
        },
        denied: { after: { [PHONE_LIMITS.retryMs]: 'asking' } },
      },
      on: {
        registered: 'renegotiating',
        'leg.ended': ourLegEnded,
        'session.ended': ourLegEnded,
        // Nobody can ring the phone before it is registered again; the engine begins to be patient anew.
        'sound.failed': { ...ourLegEnded, actions: [...ourLegEnded.actions, 'askFreshLeg'] },
        'registration.refused': '.asking',
        'credentials.failed': '.denied',
        'credentials.elsewhere': '.denied',
        // A new line: the old one takes its sessions with it.
        'credentials.given': { target: '#phone.registering.connecting', actions: ['register', 'forgetLegs'] },
      },
    },
    renegotiating: {
      entry: { type: 'renegotiate', params: theLeg },
      after: { [PHONE_LIMITS.renegotiateMs]: { target: 'there', actions: 'askFreshLeg' } },
      on: {
        renegotiated: 'there',
        'renegotiation.refused': { target: 'there', actions: 'askFreshLeg' },
        'signal.lost': 'deaf',
      },
    },
  },
} as const
