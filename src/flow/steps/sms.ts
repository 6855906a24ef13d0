import { DELIVERY_EVENT } from '../../ports/sms.ts'
import type { Step } from '../model/flow.ts'
import { render } from '../model/template.ts'
import { smsMachine } from './sms.machine.ts'
import { deliveryMachine } from './sms-delivery.machine.ts'
import type { Begun, Scene } from './step-messages.ts'

/** sms: to the caller unless the step names a number. A text with a missing value is not sent. */
export function beginSms(
  { spec }: Extract<Step, { kind: 'sms' }>,
  { flow, scope, language, caller, nowMs, waitsUntilMs }: Scene,
  visit: string,
): Begun {
  const { byLanguage } = 'byLanguage' in spec.text ? spec.text : { byLanguage: { [language]: spec.text } }
  const text = render(byLanguage[language] ?? byLanguage[flow.languages[0]!]!, scope, { language })
  if (!text.ok) return { ended: { end: 'malformed', why: text.why } }
  const to = spec.to ? render(spec.to, scope, { language }) : undefined
  if (to && !to.ok) return { ended: { end: 'malformed', why: to.why } }
  const number = to ? to.text : caller
  if (number === undefined) return { ended: { end: 'noMobile', why: 'the caller withholds their number' } }
  const message = { to: number, text: text.text }
  if (spec.awaitDeliveryMs === undefined) return { machine: smsMachine, input: undefined, errand: { text: message } }
  const untilMs = waitsUntilMs ?? nowMs + spec.awaitDeliveryMs
  return {
    machine: deliveryMachine,
    input: { forMs: Math.max(0, untilMs - nowMs) },
    errand: { text: { ...message, wantsReport: true }, wait: { event: DELIVERY_EVENT, of: visit, untilMs } },
  }
}
