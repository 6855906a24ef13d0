import type { Sms } from '../../ports/sms.ts'

/** What flows get where no provider is set up: every message certainly does not leave. */
export const noSms: Sms = {
  send(_message, done) {
    const remedy = 'set TWILIO_ACCOUNT_SID, TWILIO_AUTH_TOKEN and TWILIO_FROM, or "sms" in switchboard.yaml'
    const why = `no SMS provider is configured; ${remedy}`
    queueMicrotask(() => done({ outcome: 'failed', why }))
  },
}
