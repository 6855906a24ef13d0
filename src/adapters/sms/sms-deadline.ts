import type { Clock } from '../../kernel/clock.ts'
import type { Log } from '../../kernel/log.ts'
import type { SmsMessage, SmsResult } from '../../ports/sms.ts'

/** The caller waits for the result; after this it is `uncertain`, and the message is not sent again. */
export const SMS_TIMEOUT_MS = 10_000

interface InTimeOptions {
  readonly clock: Clock
  readonly log: Log
  /** For the text of a timeout. */
  readonly provider: string
}

/** Wraps `done` of one message: it is called once, at the deadline at the latest, and logged. */
export function inTime(
  { clock, log, provider }: InTimeOptions,
  { key }: SmsMessage,
  done: (result: SmsResult) => void,
): (result: SmsResult) => void {
  let isOver = false
  const finish = (result: SmsResult) => {
    const { outcome } = result
    const why = outcome === 'sent' ? undefined : result.why
    if (isOver) {
      if (outcome === 'sent') log.info({ key }, 'a text message reported as uncertain was sent after all')
      return
    }
    isOver = true
    timer.cancel()
    if (outcome === 'sent') log.debug({ key }, 'a text message was sent')
    else log.warn({ key, outcome, why }, 'a text message was not sent, or its result is unknown')
    done(result)
  }
  const timer = clock.schedule(clock.nowMs() + SMS_TIMEOUT_MS, () =>
    finish({ outcome: 'uncertain', why: `${provider} did not answer within ${SMS_TIMEOUT_MS} ms` }),
  )
  return finish
}
