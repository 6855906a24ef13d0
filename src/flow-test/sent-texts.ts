import type { CallCommand } from '../flow/model/call-messages.ts'
import type { SmsResult } from '../ports/sms.ts'

export type Text = Extract<CallCommand, { type: 'sendSms' }>

/** As the engine reports a text message whose answer it did not live to see. */
const CRASHED: SmsResult = { outcome: 'uncertain', why: 'the service stopped before the provider answered' }

/** As the engine does it: a text of one key is sent once, and its result is told again. */
export class SentTexts {
  readonly texts: Text[] = []
  /** What came of each; null while the gateway has not answered. */
  readonly #settled = new Map<string, SmsResult | null>()

  /** What came of a text that was sent before; undefined: it is sent now. */
  send(text: Text): SmsResult | undefined {
    const earlier = this.#settled.get(text.key)
    if (earlier !== undefined) return earlier ?? CRASHED
    this.texts.push(text)
    this.#settled.set(text.key, null)
    return undefined
  }

  settled(key: string, result: SmsResult): void {
    this.#settled.set(key, result)
  }
}
