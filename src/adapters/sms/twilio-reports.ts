/** Delivery reports of Twilio: a signed POST for every change of a message's status. */
import type { DeliveryReport, DeliveryReports } from '../../ports/sms.ts'

/** Twilio's `MessageStatus` → whether it arrived; the others come on the way there. */
const FINAL: Readonly<Record<string, boolean>> = {
  delivered: true,
  read: true,
  undelivered: false,
  failed: false,
  canceled: false,
}

/** Where Twilio reports the message of this key: Twilio signs this text, so both sides must spell it alike. */
export function reportAddress(reportsUrl: string, key: string): string {
  return `${reportsUrl.replace(/\/+$/, '')}/svcpbx/smsreports?visit=${encodeURIComponent(key)}`
}

/** Twilio's own validator checks reports. The key is in the signed address: no report can be moved to another. */
export function twilioReports({ authToken, reportsUrl }: { authToken: string; reportsUrl: string }): DeliveryReports {
  return {
    async read({ signature, key, fields }) {
      const { validateRequest } = (await import('twilio')).default
      if (!validateRequest(authToken, signature, reportAddress(reportsUrl, key), fields)) return 'forged'
      const { MessageSid: messageId = '', MessageStatus: status = '', ErrorCode: code } = fields
      const delivered = FINAL[status]
      if (delivered === undefined || messageId === '') return undefined
      const why = `Twilio reports "${status}"${code && /^\d{1,6}$/.test(code) ? `, error ${code}` : ''}`
      return { messageId, delivered, ...(!delivered && { why }) } satisfies DeliveryReport
    },
  }
}
