import type { CallCommand, LeftMessage } from '../flow/model/call-messages.ts'
import type { ScriptedCall } from '../flow-test/scripted-call.ts'
import type { Message } from '../flow-test/tape.ts'
import type { AtMs } from '../kernel/clock.ts'

type Asked = Extract<CallCommand, { type: 'takeMessage' }>

/** Our choice: the tone of the switch takes 0.3 s, and a person a moment. */
const AFTER_TONE_MS = 600

/** What the caller says into a recording. */
export class PhoneTape {
  readonly messages: Message[] = []
  #asked: Asked | undefined
  #fromMs: AtMs = 0
  #speaksFromMs: AtMs = 0
  #speaksUntilMs: AtMs = 0

  get isOn(): boolean {
    return this.#asked !== undefined
  }

  take(asked: Asked, nowMs: AtMs): void {
    this.#asked = asked
    this.#fromMs = nowMs + AFTER_TONE_MS
  }

  say: ScriptedCall['tape']['say'] = (forMs, nowMs) => {
    this.#speaksFromMs = Math.max(nowMs, this.#fromMs)
    this.#speaksUntilMs = this.#speaksFromMs + forMs
    return this.#speaksUntilMs
  }

  isSpeaking(nowMs: AtMs): boolean {
    return nowMs >= this.#speaksFromMs && nowMs < this.#speaksUntilMs
  }

  /** The recording is over. `message`: what was left. */
  ended(message: LeftMessage | undefined): void {
    if (this.#asked && message) this.messages.push({ ...message, team: this.#asked.team })
    this.#asked = undefined
  }
}
