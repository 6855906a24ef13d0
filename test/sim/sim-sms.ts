import type { Clock } from '../../src/kernel/clock.ts'
import type { Sms, SmsMessage, SmsResult } from '../../src/ports/sms.ts'

const USUAL_MS = 50
const KEPT_MAX = 10_000

/** A provider that keeps every message and answers as told. It does not forgive a key that is sent twice. */
export class SimSms implements Sms {
  /** The result of the next messages; `sent` by default. */
  outcome: SmsResult['outcome'] = 'sent'
  readonly #clock: Clock
  readonly #messages: SmsMessage[] = []
  readonly #keys = new Set<string>()
  readonly #problems: string[] = []

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Every message it was asked to send, in order. */
  get messages(): readonly SmsMessage[] {
    return this.#messages
  }

  /** Keys that came twice: a debtor would have got two messages. */
  get problems(): readonly string[] {
    return this.#problems
  }

  send(message: SmsMessage, done: (result: SmsResult) => void): void {
    if (this.#keys.has(message.key)) this.#problems.push(`the message ${message.key} was sent twice`)
    this.#keys.add(message.key)
    if (this.#messages.length < KEPT_MAX) this.#messages.push(message)
    const { outcome } = this
    const messageId = `sim-sms-${this.#keys.size}`
    this.#clock.schedule(this.#clock.nowMs() + USUAL_MS, () =>
      done(outcome === 'sent' ? { outcome, messageId } : { outcome, why: 'as scripted' }),
    )
  }
}
