/**
 * One logged-in agent: three parallel parts for the phone that stays up, the work, and the screen.
 *
 *   phone:  ringing ──answered──▶ holding ──heard──▶ up           lost in any of them ──▶ waiting ──▶ ringing again
 *              └─too long─▶ hanging ◀─too long─┘                  tries used up ──▶ gone ──▶ out
 *          up ──renewLeg──▶ renewing: a fresh leg comes beside the old one ──heard──▶ up; else ▶ hanging
 *   work:   calling ──phone is up──▶ ready ◀──────────── onwards ◀──────────────────────────────┐
 *                                      │ reserve ▶ reserved ─┐                                  │ endWrapUp, time
 *                                      ├─give─▶ briefing ──▶ connecting ──joined──▶ talking ──▶ wrapUp
 *                                      └─pause, logOut─▶ asked ──excused──▶ paused, out
 *   screen: none   or   there ◀──▶ away ──▶ gone ──▶ longGone
 *
 * | State | At most | Then |
 * |---|---|---|
 * | ringing, holding, renewing, hanging | 22 s, 5 s, 5 s, 15 s | called again; after the fourth in vain: out |
 * | calling | what the calls take | out |
 * | ready; its `renewLeg` breaks before it makes: nobody is ready without a phone | 12 h | paused |
 * | ready, a pause or log-out asked for | 3 min | paused or out, whatever the lines do |
 * | reserved | 10 min; for a colleague's conversation 4 h 5 min | ready |
 * | briefing | 20 s | connecting |
 * | connecting | 1.8 s | ready; paused at the second time in a row, unless a caller waits on for a phone that is up |
 * | talking | 4 h 5 min; a callee without the agent's phone 2 s, a party of a browser 15 s | wrapUp; ready |
 * | wrapUp | as long as the party's campaign says; by hand 15 min | ready; paused |
 * | paused | 8 h | out |
 * | closing, when out | 15 s | done |
 * | away, gone | 15 s, 10 min together | ready ▶ paused; then ready, paused, calling ▶ out (F-F4) |
 *
 * A phone is up, and agent and party are together, when a packet came from it (campaigns-86, campaigns-90). Without
 * it the next agent goes on. Each party is let go once. Sessions are saved with the names of states: keep them.
 */
import { and, assign, setup, stateIn } from 'xstate'
import type { LegId } from '../kernel/ids.ts'
import { command } from '../kernel/machine.ts'
import { LIMITS } from './agent-session-limits.ts'
import {
  type AgentSessionContext,
  type AgentSessionEvent,
  type AgentSessionInput,
  initialAgentSession,
  type LetGo,
  PAUSED_MAX_MS,
  type Party,
  reasonOfLoss,
  WRAP_UP_BY_HAND_MAX_MS,
  withFreshLeg,
  withNextLeg,
} from './agent-session-state.ts'
import {
  adopt,
  asAsked,
  backOffMs,
  because,
  letGo,
  notConnected,
  OUT,
  onCallerAlone,
  onEnded,
  onFinished,
  onFound,
  onPhoneBack,
  onRenew,
  onVanished,
  rememberCommands,
  theDoubtedLeg,
  theLeg,
  theParty,
  theWhisper,
  toOut,
  toOutWithoutScreen,
  toParty,
  toPaused,
  unheard,
  withUnsentCall,
} from './agent-session-steps.ts'

export const agentSessionMachine = setup({
  types: { input: {} as AgentSessionInput, context: {} as AgentSessionContext, events: {} as AgentSessionEvent },
  actions: {
    ring: command<{ leg: LegId }>(),
    hold: command<{ leg: LegId }>(),
    listen: command<{ leg: LegId; withinMs?: number }>(),
    hangUp: command<{ leg: LegId }>(),
    hangUpOld: command<{ leg: LegId }>(),
    close: command(),
    whisper: command<{ leg: LegId; party: Party; number: number }>(),
    hush: command<{ leg: LegId; number: number }>(),
    connect: command<{ leg: LegId; party: Party }>(),
    met: command<{ leg: LegId; party: Party }>(),
    comfort: command<{ leg: LegId; party: Party }>(),
    back: command<{ leg: LegId; party: Party }>(),
    letGo: command<{ party: Party | undefined; why: LetGo }>(),
    nextLeg: assign(({ context }) => withNextLeg(context)),
    freshLeg: assign(({ context }) => withFreshLeg(context)),
    renewed: assign({ renewals: 0 }),
    noPacket: assign({ isSilent: true }),
    legGone: assign({ isLegAlive: false }),
    countHangUp: assign(({ context }) => ({ hangUps: context.hangUps + 1 })),
    phoneUp: assign(({ context }) => ({ isPhoneUp: true, wasUp: true, tries: context.wasUp ? context.tries : 0 })),
    phoneDown: assign({ isPhoneUp: false }),
    steady: assign({ tries: 0 }),
    notTried: assign(({ context }) => withUnsentCall(context)),
    sent: assign({ unsent: 0 }),
    phoneGone: assign(({ context }) => ({ isPhoneGone: true, reason: reasonOfLoss(context), asked: undefined })),
    screenThere: assign({ screen: 'there' }),
    screenGone: assign({ screen: 'gone' }),
    screenLongGone: assign({ screen: 'longGone' }),
    takeParty: assign(({ event }) => {
      return event.type === 'give' || event.type === 'adopt' ? { party: event.party, wrapUp: event.party.wrapUp } : {}
    }),
    forgetParty: assign({ party: undefined }),
    countWhisper: assign(({ context }) => ({ whispers: context.whispers + 1 })),
    failed: assign(({ context }) => ({ failures: context.failures + 1 })),
    reservedFor: assign(({ event }) => ({ isConsulted: event.type === 'reserve' && event.isConsulted === true })),
    remember: assign(({ event, context }) => {
      if (event.type === 'pause') return { asked: { to: 'pause' as const, reason: event.reason } }
      return event.type === 'logOut' ? { asked: { to: 'logOut' as const, reason: event.reason } } : context
    }),
    forgetAsked: assign({ asked: undefined }),
    asAsked: assign(({ context }) => ({ reason: context.asked?.reason, asked: undefined })),
    asOrdered: assign(({ event }) => {
      const reason = event.type === 'pause' || event.type === 'logOut' ? event.reason : undefined
      return { reason, asked: undefined }
    }),
    because: assign((_, { reason }: { reason: string }) => ({ reason, asked: undefined })),
    atWorkAgain: assign({ reason: undefined }),
    startAnew: assign({ failures: 0 }),
  },
  guards: {
    needsScreen: ({ context }) => context.input.hasScreen,
    isScreenGone: ({ context }) => context.screen === 'gone',
    isScreenLongGone: ({ context }) => context.screen === 'longGone',
    isPhoneUp: ({ context }) => context.isPhoneUp,
    isPhoneDown: ({ context }) => !context.isPhoneUp,
    hasGrace: ({ context }) => context.input.graceMs !== undefined,
    isWithCaller: ({ context }) => context.party?.kind === 'caller',
    isPhoneGone: ({ context }) => context.isPhoneGone,
    isLegAlive: ({ context }) => context.isLegAlive,
    isGivenUp: ({ context }) => !context.wasUp || context.tries >= LIMITS.backOffMs.length,
    isFirstTry: ({ context }) => context.tries === 0,
    wasSent: ({ context }) => !context.unsent,
    mayRenewAgain: ({ context }) => (context.renewals ?? 0) < LIMITS.renewals,
    mayHangUpAgain: ({ context }) => context.hangUps < LIMITS.hangUps,
    isFoundUp: ({ event }) => event.type === 'leg.found' && event.isUp,
    isFoundInBridge: ({ event }) => event.type === 'leg.found' && event.isUp && event.isInBridge,
    isWhispered: ({ event }) =>
      event.type === 'give' && event.party.kind === 'caller' && event.party.whisper.length > 0,
    isPauseAsked: ({ context }) => context.asked?.to === 'pause',
    isLogOutAsked: ({ context }) => context.asked?.to === 'logOut',
    failsOften: ({ context }) => context.failures >= LIMITS.failures,
    isForgotten: ({ context }) => context.wrapUp.kind === 'byHand' && context.asked === undefined,
    isNoWrapUp: ({ context: { wrapUp } }) => wrapUp.kind === 'timed' && wrapUp.lengthMs <= 0,
  },
  delays: {
    alone: ({ context }) => context.input.graceMs ?? LIMITS.aloneMs,
    reserved: ({ context }) => (context.isConsulted ? LIMITS.talkMs : LIMITS.reservedMs),
    backOff: ({ context }) => backOffMs(context),
    wrapUp: ({ context: { wrapUp } }) => (wrapUp.kind === 'timed' ? wrapUp.lengthMs : WRAP_UP_BY_HAND_MAX_MS),
  },
}).createMachine({
  id: 'seat',
  context: ({ input }) => initialAgentSession(input),
  initial: 'in',
  states: {
    in: {
      type: 'parallel',
      // Whoever they talked to gets the next agent.
      always: { guard: 'isPhoneGone', target: OUT, actions: [letGo('vanished'), 'forgetParty'] },
      states: {
        phone: {
          initial: 'ringing',
          states: {
            ringing: {
              entry: ['nextLeg', { type: 'ring', params: theLeg }],
              after: { [LIMITS.ringMs]: 'hanging' },
              on: {
                ...onEnded,
                'leg.answered': { target: 'holding', actions: 'sent' },
                'leg.found': onFound,
                renewLeg: onRenew,
              },
            },
            holding: {
              entry: { type: 'hold', params: theLeg },
              after: { [LIMITS.holdMs]: 'hanging' },
              on: { 'leg.ended': 'waiting', 'leg.found': onFound, renewLeg: onRenew },
              initial: 'apart',
              states: {
                apart: { on: { 'agent.joined': 'unheard' } },
                unheard,
              },
            },
            up: {
              entry: ['phoneUp', 'renewed'],
              exit: 'phoneDown',
              after: { [LIMITS.steadyMs]: { actions: 'steady' } },
              on: {
                'leg.ended': 'waiting',
                'leg.silent': 'hanging',
                renewLeg: [{ guard: stateIn({ in: { work: 'ready' } }), ...onRenew }, { target: 'renewing' }],
                doubtPhone: { actions: { type: 'listen', params: theDoubtedLeg } },
                'leg.found': [{ guard: 'isFoundInBridge' }, { guard: 'isFoundUp', target: 'holding' }],
              },
            },
            // Make before break: agent and party stay together, as far as the work is concerned.
            renewing: {
              entry: ['phoneUp', 'freshLeg', { type: 'ring', params: theLeg }],
              exit: [{ type: 'hangUpOld', params: ({ context }) => ({ leg: context.oldLeg! }) }, 'phoneDown'],
              after: { [LIMITS.renewMs]: 'hanging' },
              on: {
                ...onEnded,
                'leg.found': onFound,
                renewLeg: [{ guard: 'mayRenewAgain', target: 'renewing', reenter: true }, onRenew],
              },
              initial: 'ringing',
              states: {
                ringing: { on: { 'leg.answered': 'apart' } },
                apart: { entry: { type: 'hold', params: theLeg }, on: { 'agent.joined': 'unheard' } },
                unheard,
              },
            },
            hanging: {
              entry: ['countHangUp', { type: 'hangUp', params: theLeg }],
              after: {
                [LIMITS.hangUpRetryMs]: [
                  { guard: 'mayHangUpAgain', target: 'hanging', reenter: true },
                  { target: 'waiting' },
                ],
              },
              on: { ...onEnded, 'leg.answered': { target: 'hanging', reenter: true } },
            },
            waiting: {
              entry: 'legGone',
              always: [
                { guard: 'isGivenUp', target: 'gone' },
                { guard: 'isFirstTry', target: 'ringing' },
              ],
              after: { backOff: 'ringing' },
              on: { renewLeg: { guard: 'wasSent', target: 'ringing', actions: 'steady' } },
            },
            gone: { entry: 'phoneGone' },
          },
        },
        work: {
          initial: 'calling',
          states: {
            calling: {
              always: [toOutWithoutScreen, { guard: 'isPhoneUp', target: 'ready' }],
              on: { pause: toPaused, logOut: toOut, adopt },
            },
            ready: {
              entry: 'atWorkAgain',
              always: [
                toOutWithoutScreen,
                { guard: 'isScreenGone', target: 'paused', actions: because('was away') },
                { guard: 'isPhoneDown', target: 'calling' },
              ],
              after: { [LIMITS.readyMs]: { target: 'paused', actions: because('ready for 12 hours without a call') } },
              on: { reserve: { target: 'reserved', actions: 'reservedFor' }, give: toParty, adopt },
              initial: 'free',
              states: {
                free: {
                  // A request from before the phone was lost.
                  always: [
                    { guard: 'isPauseAsked', target: 'asked' },
                    { guard: 'isLogOutAsked', target: 'asked' },
                  ],
                  on: {
                    pause: { target: 'asked', actions: 'remember' },
                    logOut: { target: 'asked', actions: 'remember' },
                  },
                },
                asked: {
                  // An agent who asks to log out and closes the screen has left.
                  always: { guard: and(['isScreenGone', 'isLogOutAsked']), target: OUT, actions: 'asAsked' },
                  after: { [LIMITS.askedMs]: asAsked },
                  on: { ...rememberCommands, ready: { target: 'free', actions: 'forgetAsked' }, excused: asAsked },
                },
              },
            },
            reserved: {
              after: { reserved: 'onwards' },
              on: { unreserve: 'onwards', restarted: 'onwards', give: toParty, adopt, ...rememberCommands },
            },
            briefing: {
              entry: ['countWhisper', { type: 'whisper', params: (at) => ({ ...theParty(at), ...theWhisper(at) }) }],
              exit: { type: 'hush', params: theWhisper },
              always: { guard: 'isPhoneDown', target: 'onwards', actions: [letGo('refused'), 'forgetParty'] },
              after: { [LIMITS.briefingMs]: 'connecting' },
              on: {
                whispered: 'connecting',
                'party.left': { target: 'onwards', actions: 'forgetParty' },
                restarted: { target: 'onwards', actions: 'forgetParty' },
                hangUp: {
                  target: 'paused',
                  actions: [letGo('refused'), 'forgetParty', because('did not take a call')],
                },
                ...rememberCommands,
              },
            },
            connecting: {
              entry: { type: 'connect', params: theParty },
              ...notConnected,
              on: {
                'party.left': { target: 'onwards', actions: 'forgetParty' },
                'party.released': { target: 'onwards', actions: [letGo('released'), 'forgetParty'] },
                // The callee was let into the bridge. A callee who is not there after all ends, or asks again.
                restarted: 'talking',
                hangUp: { target: 'onwards', actions: [letGo('finished'), 'forgetParty'] },
                ...rememberCommands,
              },
              initial: 'apart',
              states: {
                apart: { on: { 'party.joined': 'unheard', 'leg.heard': 'heard' } },
                unheard: { on: { 'leg.heard': '#seat.in.work.talking' } },
                heard: { on: { 'party.joined': '#seat.in.work.talking' } },
              },
            },
            talking: {
              entry: ['startAnew', { type: 'met', params: theParty }],
              after: { [LIMITS.talkMs]: onFinished },
              on: {
                'party.left': { target: 'wrapUp', actions: 'forgetParty' },
                'party.released': { target: 'wrapUp', actions: [letGo('released'), 'forgetParty'] },
                hangUp: onFinished,
                adopt: { actions: 'takeParty' },
                ...rememberCommands,
              },
              initial: 'together',
              states: {
                together: { always: [onCallerAlone, { guard: 'isPhoneDown', target: 'alone' }] },
                alone: {
                  entry: { type: 'comfort', params: theParty },
                  always: onPhoneBack,
                  after: { alone: onVanished },
                },
              },
            },
            wrapUp: {
              always: { guard: 'isNoWrapUp', target: 'onwards' },
              after: {
                wrapUp: [
                  { guard: 'isForgotten', target: 'paused', actions: because('the wrap-up was never ended') },
                  { target: 'onwards' },
                ],
              },
              on: {
                endWrapUp: 'onwards',
                ready: { target: 'onwards', actions: 'forgetAsked' },
                pause: toPaused,
                logOut: toOut,
                adopt,
              },
            },
            onwards: {
              always: [
                { guard: 'isPauseAsked', target: 'paused', actions: 'asAsked' },
                { guard: 'isLogOutAsked', target: OUT, actions: 'asAsked' },
                { guard: 'failsOften', target: 'paused', actions: because('two calls could not be connected') },
                { target: 'ready' },
              ],
            },
            paused: {
              entry: 'startAnew',
              always: toOutWithoutScreen,
              after: { [PAUSED_MAX_MS]: { target: OUT, actions: because('paused for 8 hours') } },
              on: { ready: 'ready', pause: { actions: 'asOrdered' }, logOut: toOut, adopt },
            },
          },
        },
        screen: {
          initial: 'none',
          states: {
            none: { always: { guard: 'needsScreen', target: 'there' } },
            there: { entry: 'screenThere', on: { 'screen.left': 'away' } },
            away: { after: { [LIMITS.screenAwayMs]: 'gone' }, on: { 'screen.attached': 'there' } },
            gone: {
              entry: 'screenGone',
              after: { [LIMITS.screenGoneMs - LIMITS.screenAwayMs]: 'longGone' },
              on: { 'screen.attached': 'there' },
            },
            longGone: { entry: 'screenLongGone', on: { 'screen.attached': 'there' } },
          },
        },
      },
    },
    out: {
      entry: [letGo('finished'), 'forgetParty', { type: 'close' }],
      always: [{ guard: 'isLegAlive', target: 'closing' }, { target: 'done' }],
    },
    closing: {
      entry: ['countHangUp', { type: 'hangUp', params: theLeg }],
      after: {
        [LIMITS.hangUpRetryMs]: [{ guard: 'mayHangUpAgain', target: 'closing', reenter: true }, { target: 'done' }],
      },
      on: { 'leg.answered': { target: 'closing', reenter: true }, 'leg.ended': 'done', 'leg.unsent': 'done' },
    },
    done: { type: 'final' },
  },
})
