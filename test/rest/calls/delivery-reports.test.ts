/** Delivery reports over HTTP, signed by Twilio's own SDK (calls-and-flows-60). */
import twilio from 'twilio'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { reportAddress, twilioReports } from '../../../src/adapters/sms/twilio-reports.ts'
import { DELIVERY_EVENT } from '../../../src/ports/sms.ts'
import { deliveryReportRoute } from '../../../src/rest/calls/delivery-reports.ts'
import { postgresFlowEvents } from '../../../src/store/calls/flow-events.ts'
import { VirtualClock } from '../../support/virtual-clock.ts'
import { OURS, openRestWorld, type RestWorld } from '../rest-world.ts'

const authToken = 't0ken'
const reportsUrl = 'https://calls.test'
const clock = new VirtualClock(Date.UTC(2026, 0, 2, 12))
const deliveryReports = twilioReports({ authToken, reportsUrl })
let world: RestWorld
let made = 0
const visit = () => `sb-call-${++made}/pay-text/1`

beforeAll(async () => {
  const parts = (pools: RestWorld['pools']) => ({ flowEvents: postgresFlowEvents(pools), deliveryReports })
  world = await openRestWorld({ routes: (dependencies) => [deliveryReportRoute(dependencies)], parts, clock })
})
afterAll(() => world.close())

async function report(key: string, status: string, { signedFor = key, id = 'SM1', more = '' } = {}) {
  const fields = { MessageSid: id, MessageStatus: status, To: '+3725550001', More: more }
  const signature = twilio.getExpectedTwilioSignature(authToken, reportAddress(reportsUrl, signedFor), fields)
  const { pathname, search } = new URL(reportAddress(reportsUrl, key))
  const headers = { 'x-twilio-signature': signature }
  const body = new URLSearchParams(fields)
  const response = await fetch(`${world.rest.url}${pathname}${search}`, { method: 'POST', headers, body })
  return response.status
}

const kept = async (of: string) =>
  (await world.parts.flowEvents.find(OURS, [{ event: DELIVERY_EVENT, of }], clock.nowMs())).map(({ data }) => data)

test('the final status is kept for the call, those on the way are not, and a repeated one counts once', async () => {
  const of = visit()
  expect(await report(of, 'sent')).toBe(204)
  expect(await kept(of)).toEqual([])
  expect([await report(of, 'delivered'), await report(of, 'delivered')]).toEqual([204, 204])
  // Twilio does not promise the order.
  expect(await report(of, 'queued')).toBe(204)
  expect(await kept(of)).toEqual([{ messageId: 'SM1', delivered: true }])
})

test('a report without a valid signature is refused and changes nothing', async () => {
  const of = visit()
  expect(await report(of, 'delivered', { signedFor: visit() })).toBe(403)
  const unsigned = await fetch(`${world.rest.url}/svcpbx/smsreports?visit=${encodeURIComponent(of)}`, {
    method: 'POST',
    body: new URLSearchParams({ MessageSid: 'SM1', MessageStatus: 'delivered' }),
  })
  expect(unsigned.status).toBe(403)
  expect(await kept(of)).toEqual([])
})

test('a body that is no form, too large or cannot be text is refused', async () => {
  const of = visit()
  const json = await world.call('POST', `/svcpbx/smsreports?visit=${encodeURIComponent(of)}`, { MessageSid: 'SM1' })
  expect(json.status).toBe(415)
  expect(await report(of, 'delivered', { more: 'x'.repeat(20_000) })).toBe(413)
  expect(await kept(of)).toEqual([])
})

test('nobody else can post such an event', async () => {
  expect(DELIVERY_EVENT).not.toMatch(/^[a-zA-Z][A-Za-z0-9.-]{0,59}$/)
})
