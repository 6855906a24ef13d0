/** The wire format of events. The only file of this folder with the contract's field names (contract.md §6, D-26). */
import type { WebhookEvent } from '../ports/webhook.ts'

/** `text` is signed and sent, `body` is the object behind it. Not `ok`: it can never be sent (F-E13). */
export type Payload =
  | { readonly ok: true; readonly body: Readonly<Record<string, unknown>>; readonly text: string }
  | { readonly ok: false; readonly why: string }

/** D-26: thin. Events have no names, phone numbers or free text. */
const BYTES_MAX = 2_048

/** Serializes an event, with the same bytes at every attempt. Never throws. */
export function payloadOf(event: WebhookEvent): Payload {
  if (!/^[\w-]{1,64}$/.test(event.id)) return poison('its id is not of letters, digits, _ and -')
  try {
    const body = bodyOf(event)
    const text = JSON.stringify(body)
    const bytes = Buffer.byteLength(text)
    return bytes > BYTES_MAX ? poison(`it has ${bytes} bytes, more than ${BYTES_MAX}`) : { ok: true, body, text }
  } catch (error) {
    return poison(error instanceof Error ? error.message : String(error))
  }
}

/** The identifiers appear twice: the contract does not say where, and the standard allows both places. */
function bodyOf(event: WebhookEvent): Record<string, unknown> {
  const { type, id, atMs, corporation, environment } = event
  const named = identifiersOf(event)
  return {
    type,
    id,
    timestamp: new Date(atMs).toISOString(),
    ...named,
    data: {
      ...named,
      ...versionOf(event),
      corpId: corporation,
      environment,
    },
  }
}

function versionOf(event: WebhookEvent): Record<string, number> {
  if (!('version' in event)) return {}
  return 'outcome' in event
    ? { outcomeId: event.outcome, outcomeNumber: event.version }
    : { summaryVersion: event.version }
}

function identifiersOf(event: WebhookEvent): Record<string, string> {
  switch (event.type) {
    case 'phone-call.ended':
    case 'phone-call-outcome.creation':
      return { phoneCallId: String(event.activity) }
    case 'phone-call-summary.creation':
    case 'phone-call-summary.update':
      return { phoneCallId: String(event.activity), phoneCallSummaryId: String(event.activity) }
    case 'webhook.test':
      return {}
  }
}

function poison(why: string): Payload {
  return { ok: false, why: `the event cannot be written down: ${why}` }
}
