/** Twilio's message operation, as far as we use it: `POST /2010-04-01/Accounts/{sid}/Messages.json`. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { bodyOf, type RunningServer, sendJson, serve } from './web-server.ts'

/** One accepted message. */
export interface TakenMessage {
  readonly to: string
  readonly from: string
  readonly text: string
}

/** A running endpoint and its requests. */
export interface FakeTwilio extends RunningServer {
  /** Accepted messages, in order. */
  readonly messages: readonly TakenMessage[]
  /** Requests so far, also the refused ones. */
  readonly requests: number
  /**
   * Refuses messages to this number with one of Twilio's error codes (21211 invalid number, 21610 opted out,
   * 21614 no mobile …), or `silence`: accepts it and never answers.
   */
  refuse(to: string, how: number | 'silence'): void
}

/** The account whose requests are accepted; others get 401. */
export interface FakeTwilioOptions {
  readonly accountSid: string
  readonly authToken: string
  /** 0, or absent: a free one. */
  readonly port?: number
  /** Hears of every message, and says how it is refused; undefined: it is accepted, unless `refuse` says otherwise. */
  readonly judge?: (message: TakenMessage) => number | 'silence' | undefined
}

const MESSAGES_MAX = 10_000
/** Twilio's code for too many requests. */
const TOO_MANY = 20429

/** Starts it on loopback. Rejects only when no port is free. */
export async function startFakeTwilio(options: FakeTwilioOptions): Promise<FakeTwilio> {
  const { accountSid, authToken, port, judge } = options
  const path = `/2010-04-01/Accounts/${accountSid}/Messages.json`
  const authorization = `Basic ${Buffer.from(`${accountSid}:${authToken}`).toString('base64')}`
  const messages: TakenMessage[] = []
  const refusals = new Map<string, number | 'silence'>()
  let requests = 0

  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    requests++
    const form = new URLSearchParams(await bodyOf(request))
    if (request.headers.authorization !== authorization) return sendError(response, 401, 20003, 'Authenticate')
    if (request.method !== 'POST' || request.url !== path) return sendError(response, 404, 20404, 'Not found')
    const message = { to: form.get('To') ?? '', from: form.get('From') ?? '', text: form.get('Body') ?? '' }
    const refusal = judge?.(message) ?? refusals.get(message.to)
    if (typeof refusal === 'number') {
      const status = refusal === TOO_MANY ? 429 : 400
      return sendError(response, status, refusal, `refused as scripted (${refusal})`)
    }
    if (messages.length < MESSAGES_MAX) messages.push(message)
    if (refusal !== 'silence') sendJson(response, 201, resource(accountSid, messages.length, message))
  }

  const server = await serve((request, response) => {
    answer(request, response).catch(() => response.destroy())
  }, port)
  return {
    ...server,
    messages,
    get requests() {
      return requests
    },
    refuse: (to, how) => refusals.set(to, how),
  }
}

/** Twilio's message resource, the fields that its SDK reads. */
function resource(accountSid: string, count: number, { to, from, text }: TakenMessage): object {
  const sid = `SM${String(count).padStart(32, '0')}`
  const uri = `/2010-04-01/Accounts/${accountSid}/Messages/${sid}.json`
  const settled = { error_code: null, error_message: null, price: null, price_unit: 'USD', status: 'queued' }
  const counted = { num_media: '0', num_segments: '1', messaging_service_sid: null, subresource_uris: {} }
  const dates = { date_created: null, date_sent: null, date_updated: null }
  const fixed = { account_sid: accountSid, api_version: '2010-04-01', direction: 'outbound-api' }
  return { sid, uri, to, from, body: text, ...settled, ...counted, ...dates, ...fixed }
}

function sendError(response: ServerResponse, status: number, code: number, message: string): void {
  sendJson(response, status, { code, message, more_info: `https://www.twilio.com/docs/errors/${code}`, status })
}
