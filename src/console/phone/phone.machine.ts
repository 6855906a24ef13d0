/**
 * The agent's phone in the browser (calls-and-flows-78). It only registers, answers the leg that the engine
 * has announced, and carries sound; every other act goes through the engine.
 *
 * | State | Entered by | Left by |
 * |---|---|---|
 * | off | page open | start ▶ locking |
 * | locking | start, takeOver | lock.taken ▶ checking; lock.held ▶ locked |
 * | locked | another tab or computer | takeOver ▶ locking |
 * | checking | lock held | microphone.open ▶ registering; failed ▶ blocked |
 * | blocked | no microphone, and no device came meanwhile | devices.changed ▶ checking, by itself |
 * | registering, legless, lost | the microphone is gone | ▶ checking, at once |
 * | registering | microphone open | registered ▶ legless; 8 s ▶ lost |
 * | legless | registered, no leg | announced INVITE ▶ answering; signal.lost ▶ registering; 2 s ▶ leg asked, 3 × |
 * | answering | announced INVITE | session.connected ▶ live; 5 s ▶ reported, legless, or the old leg live again |
 * | live | sound both ways | leg.ended ▶ legless; fresh INVITE ▶ answering |
 * | live, signal: deaf | SIP connection lost | registered ▶ renegotiating; that refused or 2 s ▶ a fresh leg asked |
 * | | and no leg any more | ▶ registering |
 * | live, microphone: replacing | pulled, also while answering | open ▶ heard again; failed ▶ missing |
 * | live, microphone: missing | no other one | devices.changed ▶ replacing; INVITE ▶ refused; leg over ▶ checking |
 * | live, sound: moved | another way to the switch | 0.5 s ▶ good, and the engine listens |
 * | live, sound: unasked, also while silent | the engine was not reached | 2 s ▶ asked again |
 * | live, sound: silent | ICE disconnected, no packets for 3 s | back ▶ good; failed, or idle ▶ a fresh leg asked |
 * | lost | nothing works | tried again every 2 s, each phone at a time of its own |
 * | closing | logOut | done |
 *
 * Only a person unmutes (5.4): the track is open in a call alone, and a page that was loaded again starts muted. A call
 * that comes over the leg beeps first (5.3); a page that is loaded again knows of its call before it has a leg.
 */
import { and, assign, setup } from 'xstate'
import { command } from '../../kernel/machine.ts'
import { invitations } from './phone-invitations.ts'
import { initialPhone, PHONE_LIMITS, type PhoneContext, type PhoneEvent, type PhoneInput } from './phone-messages.ts'
import { signal } from './phone-signal.ts'
import { sound } from './phone-sound.ts'
import { needsMicrophone, openSound, takesOver, theLeg, toLegless, toOldLeg } from './phone-steps.ts'

export const phoneMachine = setup({
  types: { context: {} as PhoneContext, events: {} as PhoneEvent, input: {} as PhoneInput },
  actions: {
    takeLock: command<{ takeOver: boolean }>(),
    openMicrophone: command(),
    closeMicrophone: command(),
    askCredentials: command<{ takeOver: boolean }>(),
    register: command(),
    unregister: command(),
    endShift: command(),
    answer: command<{ leg: string }>(),
    refuse: command<{ leg: string }>(),
    terminate: command<{ leg: string | undefined }>(),
    keepOnly: command<{ leg: string }>(),
    renegotiate: command<{ leg: string | undefined }>(),
    askFreshLeg: command(),
    beep: command(),
    doubt: command(),
    openSound: command<{ isOpen: boolean }>(),
    report: command<{ what: 'strangeInvite' | 'noSound' }>(),
    setMuted: assign(({ event, context }) => {
      const isMuted = event.type === 'mute' ? event.isMuted : context.isMuted
      const heard = { isSpeaking: isMuted && context.isSpeaking, isFlat: !isMuted && context.isFlat }
      return { isMuted, isMutedAtFirst: false, ...heard }
    }),
    noteFlat: assign(({ event, context }) => ({
      isFlat: event.type === 'flat' && event.isFlat && !context.isMuted && context.isInCall,
    })),
    noteQuality: assign(({ event }) => (event.type === 'sound.quality' ? { poor: event.poor } : {})),
    goodAgain: assign({ poor: undefined }),
    unmutedAtFirst: assign(({ context }) => ({
      isMuted: context.isMuted && !context.isMutedAtFirst,
      isMutedAtFirst: false,
    })),
    noteVoice: assign(({ event, context }) => ({
      isSpeaking: event.type === 'voice' && event.isHeard && context.isMuted && context.isInCall,
    })),
    setInCall: assign(({ event, context }) => {
      const isInCall = event.type === 'call' ? event.isUp : context.isInCall
      const { isBeeping, isSpeaking, isFlat } = context
      if (isInCall) return { isInCall, isBeeping, isSpeaking, isFlat }
      return { isInCall, isBeeping: false, isSpeaking: false, isFlat: false }
    }),
    beepBegins: assign({ isBeeping: true }),
    beepEnds: assign({ isBeeping: false }),
    expect: assign(({ event }) => ('leg' in event ? { expected: event.leg } : {})),
    noteStranger: assign(({ event }) => ('leg' in event ? { stranger: event.leg } : {})),
    forgetStranger: assign({ stranger: undefined }),
    takeLeg: assign(({ event, context }) =>
      'leg' in event ? { oldLeg: context.leg, leg: event.leg, expected: undefined, stranger: undefined, asks: 0 } : {},
    ),
    forgetOldLeg: assign({ oldLeg: undefined }),
    backToOldLeg: assign(({ context }) => ({ leg: context.oldLeg, oldLeg: undefined })),
    forgetLegs: assign({ leg: undefined, oldLeg: undefined }),
    asksAnew: assign({ asks: 0 }),
    countAsk: assign({ asks: ({ context }) => context.asks + 1 }),
    takeOver: assign({ takesOver: true }),
    tookOver: assign({ takesOver: false }),
    noteMicrophone: assign(({ event }) => (event.type === 'microphone.failed' ? { microphone: event.why } : {})),
    noteWay: assign({ silentWay: ({ event }) => (event.type === 'sound.unstable' ? event.way : undefined) }),
    shiftOver: assign({ isShiftOver: true }),
    microphoneFine: assign({ microphone: undefined, hasMicrophone: true }),
    microphoneGone: assign({ hasMicrophone: false }),
    notePlugged: assign({ isPlugged: true }),
    unplugged: assign({ isPlugged: false }),
  },
  guards: {
    isExpected: ({ event, context }) =>
      event.type === 'invite' && event.leg === context.expected && context.hasMicrophone,
    isUnheard: ({ context }) => !context.hasMicrophone,
    // Whoever has said no is not asked again at once.
    isPlugged: ({ event, context }) =>
      context.isPlugged && event.type === 'microphone.failed' && event.why !== 'refused',
    isStranger: ({ event, context }) => event.type === 'leg.expected' && event.leg === context.stranger,
    isOurLeg: ({ event, context }) => 'leg' in event && event.leg === context.leg,
    isIdle: ({ context }) => !context.isInCall,
    // The switch may have forgotten where the phone is.
    asksInVain: ({ context }) => context.asks >= PHONE_LIMITS.asks,
    isOldLeg: ({ event, context }) => 'leg' in event && event.leg === context.oldLeg,
    hasOldLeg: ({ context }) => context.oldLeg !== undefined,
    comes: ({ event, context }) => event.type === 'call' && event.isUp && !context.isInCall,
  },
  delays: { ownRetry: ({ context }) => PHONE_LIMITS.retryMs * (0.5 + context.chance) },
}).createMachine({
  id: 'phone',
  context: ({ input }) => initialPhone(input),
  initial: 'off',
  on: {
    mute: { actions: ['setMuted', openSound] },
    'mute.unsaid': { actions: ['unmutedAtFirst', openSound] },
    voice: { actions: 'noteVoice' },
    flat: { actions: 'noteFlat' },
    call: { actions: ['setInCall', openSound] },
    beeped: { actions: ['beepEnds', openSound] },
    'leg.expected': { actions: 'expect' },
    logOut: '.closing',
    'shift.over': { target: '.closing', actions: 'shiftOver' },
    taken: '.locked',
    'lock.lost': '.locked',
    'microphone.lost': { actions: 'microphoneGone' },
  },
  states: {
    off: { on: { start: 'locking' } },
    locking: {
      entry: { type: 'takeLock', params: takesOver },
      on: { 'lock.taken': 'checking', 'lock.held': 'locked' },
    },
    locked: {
      entry: [{ type: 'terminate', params: { leg: undefined } }, 'unregister', 'closeMicrophone', 'forgetLegs'],
      on: { takeOver: { target: 'locking', actions: 'takeOver' }, 'lock.taken': 'checking' },
    },
    checking: {
      entry: ['microphoneGone', 'unplugged', 'openMicrophone'],
      on: {
        'microphone.open': { target: 'registering', actions: 'microphoneFine' },
        'microphone.failed': [
          { guard: 'isPlugged', target: 'checking', reenter: true },
          { target: 'blocked', actions: 'noteMicrophone' },
        ],
        'devices.changed': { actions: 'notePlugged' },
      },
    },
    blocked: { on: { 'devices.changed': 'checking', start: 'checking' } },
    registering: {
      entry: 'asksAnew',
      initial: 'asking',
      always: needsMicrophone,
      after: { [PHONE_LIMITS.registerMs]: 'lost' },
      on: {
        // A page that was loaded again in a call is called anew; without a session, the engine refuses.
        registered: { target: 'legless', actions: ['tookOver', 'askFreshLeg'] },
        'credentials.elsewhere': 'locked',
        'credentials.failed': 'lost',
      },
      states: {
        asking: {
          entry: { type: 'askCredentials', params: takesOver },
          on: { 'credentials.given': { target: 'connecting', actions: 'register' } },
        },
        connecting: { on: { 'registration.refused': 'asking' } },
        // The line connects again by itself, with the password that it has.
        recovering: { on: { 'registration.refused': 'asking' } },
      },
    },
    legless: {
      initial: 'waiting',
      always: needsMicrophone,
      // The network may be back, and nothing else would tell the engine.
      after: {
        [PHONE_LIMITS.leglessMs]: [
          { guard: 'asksInVain', target: 'registering' },
          { target: 'legless', reenter: true, actions: ['askFreshLeg', 'countAsk'] },
        ],
      },
      on: {
        'leg.expected': { target: 'legless', reenter: true, actions: 'expect' },
        'signal.lost': 'registering.recovering',
        'registration.refused': 'registering',
        'network.changed': 'registering',
      },
      states: invitations,
    },
    answering: {
      entry: { type: 'answer', params: theLeg },
      after: {
        [PHONE_LIMITS.answerMs]: [
          { ...toOldLeg, actions: [{ type: 'report', params: { what: 'noSound' } }, ...toOldLeg.actions] },
          { ...toLegless, actions: [{ type: 'report', params: { what: 'noSound' } }, ...toLegless.actions] },
        ],
      },
      on: {
        'session.connected': {
          guard: 'isOurLeg',
          target: 'live',
          actions: [{ type: 'keepOnly', params: theLeg }, 'forgetOldLeg'],
        },
        'session.ended': [
          { guard: 'isOldLeg', actions: 'forgetOldLeg' },
          { guard: and(['isOurLeg', 'hasOldLeg']), target: 'live', actions: 'backToOldLeg' },
          { guard: 'isOurLeg', ...toLegless },
        ],
        'leg.ended': { guard: 'isOurLeg', ...toLegless },
      },
    },
    live: {
      type: 'parallel',
      entry: openSound,
      exit: 'goodAgain',
      on: {
        call: [{ guard: 'comes', actions: ['setInCall', 'beepBegins', 'beep'] }, { actions: ['setInCall', openSound] }],
        'sound.quality': { guard: 'isOurLeg', actions: 'noteQuality' },
        'leg.ended': { guard: 'isOurLeg', ...toLegless },
        'session.ended': { guard: 'isOurLeg', target: 'legless', actions: 'forgetLegs' },
        // Make before break: the old leg goes on until the fresh one is heard.
        'network.changed': { actions: 'askFreshLeg' },
      },
      states: {
        invitation: { initial: 'waiting', states: invitations },
        signal,
        sound,
        microphone: {
          initial: 'open',
          states: {
            open: { always: { guard: 'isUnheard', target: 'replacing' } },
            // The track of the running leg is replaced; SIP hears nothing of it.
            replacing: {
              entry: ['unplugged', 'openMicrophone'],
              on: {
                'microphone.open': { target: 'open', actions: ['microphoneFine', openSound] },
                'microphone.failed': [
                  { guard: 'isPlugged', target: 'replacing', reenter: true },
                  { target: 'missing', actions: 'noteMicrophone' },
                ],
                'devices.changed': { actions: 'notePlugged' },
              },
            },
            missing: { on: { 'devices.changed': 'replacing' } },
          },
        },
      },
    },
    lost: {
      always: needsMicrophone,
      after: { ownRetry: 'registering' },
      on: { 'network.changed': 'registering', registered: { target: 'legless', actions: ['tookOver', 'askFreshLeg'] } },
    },
    closing: {
      entry: [{ type: 'terminate', params: { leg: undefined } }, 'unregister', 'closeMicrophone', 'endShift'],
      type: 'final',
    },
  },
})
