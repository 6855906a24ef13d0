/** How `phone.machine.ts` takes an INVITE, wherever it may come: a part of several of its states. */
import { PHONE_LIMITS, type PhoneContext } from './phone-messages.ts'

const theStranger = ({ context }: { readonly context: PhoneContext }) => ({ leg: context.stranger! })
const toAnswering = { target: '#phone.answering', actions: 'takeLeg' } as const
/** The announcement may come after the INVITE. Nobody else can ring an agent around the engine. */
export const invitations = {
  waiting: {
    on: {
      invite: [
        { guard: 'isExpected', ...toAnswering },
        { target: 'doubting', actions: 'noteStranger' },
      ],
    },
  },
  doubting: {
    // Without a stream JsSIP opens a microphone by itself, which no mute and no end of a call would reach.
    always: {
      guard: 'isUnheard',
      target: 'waiting',
      actions: [{ type: 'refuse', params: theStranger }, 'forgetStranger'],
    },
    after: {
      [PHONE_LIMITS.announceMs]: {
        target: 'waiting',
        actions: [
          { type: 'refuse', params: theStranger },
          { type: 'report', params: { what: 'strangeInvite' } },
          'forgetStranger',
        ],
      },
    },
    on: {
      invite: [
        { guard: 'isExpected', ...toAnswering },
        { target: 'doubting', reenter: true, actions: [{ type: 'refuse', params: theStranger }, 'noteStranger'] },
      ],
      'leg.expected': [{ guard: 'isStranger', ...toAnswering }, { actions: 'expect' }],
    },
  },
} as const
