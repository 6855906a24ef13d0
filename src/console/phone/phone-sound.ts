/** What `phone.machine.ts` does while the sound of a leg comes, goes or takes another way: a region of `live`. */
import { and, not, stateIn } from 'xstate'
import { PHONE_LIMITS } from './phone-messages.ts'
import { toFreshLeg } from './phone-steps.ts'

const isDeaf = stateIn({ live: { signal: 'deaf' } })

/** An engine that was not reached is asked again until it is, whether sound is back by then or not. */
export const sound = {
  initial: 'good',
  on: {
    'sound.moved': { guard: 'isOurLeg', target: '.moved' },
    'sound.unstable': [
      // Nobody is disturbed by a fresh leg, and whoever cannot be heard is not ready.
      { guard: and(['isOurLeg', 'isIdle']), target: '.silent', actions: ['noteWay', 'askFreshLeg'] },
      { guard: 'isOurLeg', target: '.silent', actions: ['noteWay', 'doubt'] },
    ],
  },
  states: {
    good: { on: { 'doubt.failed': 'unasked' } },
    // The switch alone knows whether it takes what comes from there (calls-and-flows-105).
    moved: { after: { [PHONE_LIMITS.movedMs]: { target: 'good', actions: 'doubt' } } },
    unasked: { after: { [PHONE_LIMITS.retryMs]: { target: 'good', actions: 'doubt' } } },
    silent: {
      initial: 'asked',
      states: {
        asked: { on: { 'doubt.failed': 'unasked' } },
        unasked: { after: { [PHONE_LIMITS.retryMs]: { target: 'asked', actions: 'doubt' } } },
      },
      on: {
        'sound.back': { guard: 'isOurLeg', target: 'moved' },
        'sound.unstable': {},
        'sound.failed': { guard: and(['isOurLeg', not(isDeaf)]), ...toFreshLeg },
      },
    },
  },
} as const
