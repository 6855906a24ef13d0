/** Delivery reports of text messages (calls-and-flows-60). Our addition. */
import { Type } from 'typebox'
import { FIRST_CORPORATION } from '../../kernel/ids.ts'
import { DELIVERY_EVENT } from '../../ports/sms.ts'
import type { RestDependencies } from '../http/dependencies.ts'
import { refuse } from '../http/problem-response.ts'
import { type Route, route } from '../http/route.ts'

/** As long as the longest `awaitDelivery`, and time for an engine to come back. */
const KEPT_MS = 10 * 60_000
/** A call, a step, which may stand in several subflows, and the number of its visit. */
const VISIT = '^[A-Za-z0-9./_-]{1,500}$'
const LIMITS = { all: 10_000, alike: 5 }
/** Twilio's form has about 600 bytes. */
const BODY_BYTES_MAX = 16 * 1024

/** `POST /svcpbx/smsreports`: the status callback of Twilio. */
export function deliveryReportRoute({ deliveryReports, flowEvents, clock, log }: RestDependencies): Route {
  return route({
    method: 'POST',
    path: '/svcpbx/smsreports',
    scope: undefined,
    rate: 'writes',
    audit: { none: 'it changes nothing but what a waiting caller hears' },
    summary: 'Report the delivery of a text message',
    description:
      'The status callback of Twilio. A caller in an `sms` step with `awaitDelivery` goes on at the first final ' +
      'status. Requests without a valid `X-Twilio-Signature` are refused.',
    query: Type.Object({ visit: Type.String({ pattern: VISIT, description: 'Which message it is.' }) }),
    body: Type.Record(Type.String(), Type.String({ maxLength: 4_000 }), { description: 'The form of Twilio.' }),
    isForm: true,
    bodyBytesMax: BODY_BYTES_MAX,
    answers: { 204: Type.Undefined() },
    async handle({ body: fields, query: { visit: key }, headers }) {
      const signature = String(headers['x-twilio-signature'] ?? '')
      const report = deliveryReports ? await deliveryReports.read({ signature, key, fields }) : 'forged'
      if (report === 'forged') {
        log.warn({ key }, 'a delivery report with a wrong signature was refused; compare TWILIO_REPORTS_URL and token')
        return refuse('forbidden', 'the signature does not fit the request')
      }
      if (report === undefined) return { status: 204 }
      const atMs = clock.nowMs()
      const event = { corporation: FIRST_CORPORATION, event: DELIVERY_EVENT, of: key, data: { ...report } }
      const kept = await flowEvents.post({ ...event, atMs, keptUntilAtMs: atMs + KEPT_MS }, LIMITS)
      return kept === 'too many'
        ? refuse('unavailable', 'too many events are kept; report it again later')
        : { status: 204 }
    },
  })
}
