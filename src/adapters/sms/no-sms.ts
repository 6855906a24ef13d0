import type { Sms } from '../../ports/sms.ts'

/** For installations without a provider: no message leaves. */
export const noSms: Sms = {
  send(_message, done) {
    const remedy = 'set TWILIO_ACCOUNT_SID, TWILIO_AUTH_TOKEN and TWILIO_FROM, or "sms" in switchboard.yaml'
    const why = `no SMS provider is configured; ${remedy}`
    queueMicrotask(() => done({ outcome: 'failed', why }))
  },
}
