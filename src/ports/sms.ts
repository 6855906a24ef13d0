/** One text message. `key` (`call/step/visit`) names the request: the same key is sent at most once. */
export interface SmsMessage {
  readonly key: string
  readonly to: string
  readonly text: string
  /** The case that the flow names for its call. */
  readonly about?: string
  /** The provider shall report the delivery to us; ignored where `Sms.reports` is false. */
  readonly wantsReport?: true
}

/**
 * The outside event of a delivery report; its key is that of the message. The colon keeps it apart from the events that
 * other systems may post (`EVENT_NAME`).
 */
export const DELIVERY_EVENT = 'sms:delivery'

/** `data` of a delivery event. */
export interface DeliveryReport {
  readonly messageId: string
  readonly delivered: boolean
  /** Why not, for the trace: without a number. */
  readonly why?: string
}

/**
 * - `sent`: the provider took it.
 * - `noMobile`: the number cannot receive texts (withheld, landline, not a number, not allowed).
 * - `refused`: the provider said no; trying again would not help.
 * - `uncertain`: the request left, the answer did not come back. It is not sent again: a debtor may miss
 *   one message, never get two.
 * - `failed`: it certainly did not leave (no connection, limit reached).
 */
export type SmsResult =
  | { readonly outcome: 'sent'; readonly messageId: string }
  | { readonly outcome: 'noMobile' | 'refused' | 'uncertain' | 'failed'; readonly why: string }

/** Text messages out. `done` is called exactly once. Never throws. */
export interface Sms {
  /** Whether the provider reports deliveries to us. */
  readonly reports?: boolean
  send(message: SmsMessage, done: (result: SmsResult) => void): void
}

/** A text message gateway that takes a JSON POST; for Twilio, set its environment variables instead. */
export interface SmsConfig {
  readonly url: string
  /** Environment variable whose value is sent as `Authorization`. */
  readonly authorizationFrom: string | undefined
  /** JSON body; `{to}`, `{text}` and `{key}` are replaced inside its texts. */
  readonly body: Readonly<Record<string, string>>
}

/** What a provider sent to us, as it came. */
export interface ReceivedReport {
  readonly signature: string
  /** The key of the message, from the address of the request. */
  readonly key: string
  readonly fields: Readonly<Record<string, string>>
}

/** Delivery reports of the provider. */
export interface DeliveryReports {
  /** Undefined: not a final one. `forged`: the signature is not the provider's. */
  read(report: ReceivedReport): Promise<DeliveryReport | 'forged' | undefined>
}
