import type { CallCommand, LeftMessage, MessageFact } from '../flow/model/call-messages.ts'
import type { AtMs } from '../kernel/clock.ts'
import type { TeamName } from '../kernel/ids.ts'

type Asked = Extract<CallCommand, { type: 'takeMessage' }>

/** A message that was left. */
export interface Message extends LeftMessage {
  readonly team: TeamName | undefined
}

/** Our choice: the tone of the switch. */
const TONE_MS = 300
/** From the command to stop to the end. */
const STOP_MS = 10

/** Records the caller: at most one message at a time, from the tone to the end of the silence. */
export class Tape {
  readonly messages: Message[] = []
  #asked: Asked | undefined
  #fromMs: AtMs = 0
  #spokenUntilMs: AtMs | undefined
  #stoppedAtMs: AtMs = Number.POSITIVE_INFINITY
  #refused: string | undefined

  get isOn(): boolean {
    return this.#asked !== undefined
  }

  /** When the message ends by itself; undefined: nothing is recorded. */
  get endsAtMs(): AtMs | undefined {
    if (!this.#asked) return undefined
    const { maxMs, silenceMs } = this.#asked
    const silentAtMs = Math.max(this.#fromMs, this.#spokenUntilMs ?? 0) + silenceMs
    return Math.min(this.#fromMs + maxMs, silentAtMs, this.#stoppedAtMs)
  }

  /** `refused`: why no message can be recorded. */
  take(asked: Asked, refused: string | undefined, nowMs: AtMs): void {
    this.#asked = asked
    this.#fromMs = nowMs + TONE_MS
    this.#spokenUntilMs = undefined
    this.#stoppedAtMs = refused === undefined ? Number.POSITIVE_INFINITY : nowMs
    this.#refused = refused
  }

  /** The caller begins to speak, after the tone; returns when they will have spoken. */
  say(forMs: number, nowMs: AtMs): AtMs {
    this.#spokenUntilMs = Math.max(this.#fromMs, nowMs) + forMs
    return this.#spokenUntilMs
  }

  stop(nowMs: AtMs): void {
    this.#stoppedAtMs = nowMs + STOP_MS
  }

  /** The engine is gone: the message stays with the call, and the flow never hears of it. */
  forget(): void {
    this.#asked = undefined
  }

  /** The end, once it is reached. */
  endedAt(nowMs: AtMs): (MessageFact & { readonly key: string }) | undefined {
    if (!this.#asked || nowMs < this.endsAtMs!) return undefined
    const { key } = this.#asked
    const [type, refused] = ['message.ended', this.#refused] as const
    const message = this.#cut(nowMs)
    if (refused !== undefined) return { type, key, end: 'failed', why: refused }
    return message ? { type, key, end: 'done', message } : { type, key, end: 'noInput', why: 'nothing was said' }
  }

  /** What the caller has left by hanging up now. */
  hangUp(nowMs: AtMs): { readonly left?: LeftMessage } {
    const left = this.#asked && this.#cut(nowMs)
    return left ? { left } : {}
  }

  #cut(nowMs: AtMs): LeftMessage | undefined {
    const { team } = this.#asked!
    this.#asked = undefined
    const endedAtMs = Math.min(nowMs, this.#spokenUntilMs ?? 0)
    if (endedAtMs <= this.#fromMs) return undefined
    const seconds = Math.max(1, Math.round((endedAtMs - this.#fromMs) / 1_000))
    const message = { url: `/message-${this.messages.length + 1}`, seconds }
    this.messages.push({ ...message, team })
    return message
  }
}
