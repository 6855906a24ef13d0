/**
 * voice: what the caller's voice does to one prompt, whatever step it belongs to.
 *
 *   waiting ──playback.started──▶ beginning ──▶ listening ──talking──▶ noticed ──200 ms──▶ quiet ──▶ stopped
 *                                                 ▲ └───────leg.quiet─────┘                  │
 *                                                 └───────────────leg.quiet──────────────────┘  thrice, then deaf
 *
 * The prompt becomes quiet on suspicion, and stops on certainty: `leg.quiet` comes `QUIET_AFTER_MS` after a sound, so
 * only without one by then the sound has lasted.
 */
import { assign, setup } from 'xstate'
import { command } from '../../kernel/machine.ts'
import { QUIET_AFTER_MS, type Volume } from '../../ports/pbx.ts'
import type { VoiceFact } from './step-talk.ts'

/** `stop` is the last: the prompt is over, as if it had been heard. */
export type VoiceCommand = { readonly type: 'volume'; readonly volume: Volume } | { readonly type: 'stop' }

/** Nobody answers a prompt so soon: this sound has nothing to do with it. Our choice. */
const TOO_SOON_MS = 100
const QUIET_AFTER_SPEECH_MS = 200
const STOP_AFTER_SPEECH_MS = 500
/** Our choice: whoever coughs so often over one prompt has a cold, or the telephone plays the prompt back to us. */
const COUGHS_MAX = 3

/** The machine of one prompt; it needs no input. */
export const voiceMachine = setup({
  types: { context: {} as { readonly coughs: number }, events: {} as VoiceFact },
  actions: { volume: command<{ volume: Volume }>(), stop: command() },
}).createMachine({
  id: 'voice',
  context: { coughs: 0 },
  initial: 'waiting',
  states: {
    waiting: { on: { 'playback.started': 'beginning' } },
    beginning: { after: { [TOO_SOON_MS]: 'listening' } },
    listening: {
      always: { guard: ({ context }) => context.coughs >= COUGHS_MAX, target: 'deaf' },
      on: { 'leg.talking': 'noticed' },
    },
    noticed: { after: { [QUIET_AFTER_SPEECH_MS]: 'quiet' }, on: { 'leg.quiet': 'listening' } },
    quiet: {
      entry: { type: 'volume', params: { volume: 'quiet' } },
      after: { [STOP_AFTER_SPEECH_MS + QUIET_AFTER_MS - QUIET_AFTER_SPEECH_MS]: 'stopped' },
      on: {
        'leg.quiet': {
          target: 'listening',
          actions: [
            { type: 'volume', params: { volume: 'full' } },
            assign({ coughs: ({ context }) => context.coughs + 1 }),
          ],
        },
      },
    },
    stopped: { type: 'final', entry: 'stop' },
    deaf: { type: 'final' },
  },
})
