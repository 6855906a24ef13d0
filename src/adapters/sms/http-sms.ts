import { Agent } from 'undici'
import type { Clock } from '../../kernel/clock.ts'
import type { Log } from '../../kernel/log.ts'
import type { Sms, SmsConfig, SmsMessage, SmsResult } from '../../ports/sms.ts'
import { addressGuard, portOf } from '../http/address-guard.ts'
import { guardedConnector } from '../http/guarded-connector.ts'
import { type Exchange, exchange } from '../http/http-exchange.ts'
import { inTime } from './sms-deadline.ts'

interface HttpSmsOptions {
  readonly config: SmsConfig
  /** The value of `config.authorizationFrom`, sent as `Authorization`. */
  readonly authorization: string | undefined
  readonly clock: Clock
  readonly log: Log
}

const CONNECTIONS_MAX = 64

/** Fields with a message id, by frequency in gateways' documentation. Our choice; none is a standard. */
const ID_FIELDS = ['id', 'messageId', 'message_id', 'sid']

/**
 * Text messages through any gateway with a JSON POST. The body comes from the configuration; the message key is also
 * sent as `Idempotency-Key` (draft-ietf-httpapi-idempotency-key-header).
 */
export function httpSms({ config, authorization, clock, log }: HttpSmsOptions): Sms & { close(): Promise<void> } {
  const url = new URL(config.url)
  // The operator may configure a gateway in the internal network; its resolved addresses are checked all the same.
  const guard = addressGuard({ allowedHosts: [`${url.hostname}:${portOf(url)}`] })
  // Without pipelining connections are not kept, so an error before the request was written is known as such.
  const agent = new Agent({
    connect: guardedConnector(guard),
    connections: CONNECTIONS_MAX,
    pipelining: 0,
    headersTimeout: 0,
    bodyTimeout: 0,
  })

  function post(message: SmsMessage, signal: AbortSignal): Promise<Exchange> {
    const headers: Record<string, string> = { 'idempotency-key': message.key }
    if (authorization !== undefined) headers['authorization'] = authorization
    return exchange(agent, { method: 'POST', url, headers, body: fillBody(config.body, message), signal })
  }

  return {
    send(message, done) {
      const abort = new AbortController()
      const finish = inTime({ clock, log, provider: 'the SMS gateway' }, message, (result) => {
        done(result)
        abort.abort()
      })
      void post(message, abort.signal).then((outcome) => finish(resultOf(outcome, message.key)))
    },
    close: () => agent.destroy(),
  }
}

/** Replaces in one pass: a text that contains `{to}` stays as it is. */
function fillBody(body: Readonly<Record<string, string>>, message: SmsMessage): string {
  const fill = (text: string) => text.replace(/\{(to|text|key)\}/g, (_, name: 'to' | 'text' | 'key') => message[name])
  return JSON.stringify(Object.fromEntries(Object.entries(body).map(([name, text]) => [name, fill(text)])))
}

function resultOf(outcome: Exchange, key: string): SmsResult {
  if (outcome.kind === 'forbidden') return { outcome: 'failed', why: outcome.why }
  if (outcome.kind === 'failed') return { outcome: outcome.neverLeft ? 'failed' : 'uncertain', why: outcome.why }
  if (outcome.kind === 'tooLarge') return { outcome: 'uncertain', why: 'the answer of the gateway is too large' }
  const { status, body } = outcome
  if (status >= 200 && status < 300) return { outcome: 'sent', messageId: messageIdIn(body) ?? key }
  const why = `the gateway answered with HTTP ${status}`
  if (status === 429) return { outcome: 'failed', why }
  // Servers that answer 408 or 5xx may have acted; those that answer with a redirect or another 4xx have not.
  return { outcome: status === 408 || status >= 500 ? 'uncertain' : 'refused', why }
}

function messageIdIn(body: string): string | undefined {
  try {
    const answer = JSON.parse(body) as Record<string, unknown> | null
    const id = ID_FIELDS.map((field) => answer?.[field]).find((id) => typeof id === 'string' || typeof id === 'number')
    return id === undefined ? undefined : String(id)
  } catch {
    return undefined
  }
}
