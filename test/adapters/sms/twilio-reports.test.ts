import twilio from 'twilio'
import { expect, test } from 'vitest'
import { reportAddress, twilioReports } from '../../../src/adapters/sms/twilio-reports.ts'

const authToken = 't0ken'
const reportsUrl = 'https://calls.test/switchboard/'
const reports = twilioReports({ authToken, reportsUrl })
const KEY = 'sb-call-1/pay-text/1'

function report(status: string, { signedFor = KEY, key = KEY, token = authToken } = {}) {
  const fields = { MessageSid: 'SM1', MessageStatus: status, To: '+3725550001', ErrorCode: '30005' }
  const signature = twilio.getExpectedTwilioSignature(token, reportAddress(reportsUrl, signedFor), fields)
  return reports.read({ signature, key, fields })
}

test.each(['queued', 'sending', 'sent', 'accepted', 'anything new'])('%s is not final', async (status) => {
  expect(await report(status)).toBeUndefined()
})

test('a final status tells whether the message arrived, without its number', async () => {
  expect(await report('delivered')).toEqual({ messageId: 'SM1', delivered: true })
  const why = 'Twilio reports "undelivered", error 30005'
  expect(await report('undelivered')).toEqual({ messageId: 'SM1', delivered: false, why })
  expect(await report('failed')).toMatchObject({ delivered: false })
})

test('a report of another account, or moved to another message, is forged', async () => {
  expect(await report('delivered', { token: 'other' })).toBe('forged')
  expect(await report('delivered', { key: 'sb-call-2/pay-text/1' })).toBe('forged')
  expect(await reports.read({ signature: '', key: KEY, fields: {} })).toBe('forged')
})
