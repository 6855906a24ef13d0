/** One text message. `key` (`call/step/visit`) names the request: the same key is sent at most once. */
export interface SmsMessage {
  readonly key: string
  readonly to: string
  readonly text: string
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
