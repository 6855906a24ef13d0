import type { RequestClient, Twilio } from 'twilio'
import type { Clock } from '../../kernel/clock.ts'
import type { Log } from '../../kernel/log.ts'
import type { Sms, SmsMessage, SmsResult } from '../../ports/sms.ts'
import { networkFailure } from '../http/network-error.ts'
import { inTime, SMS_TIMEOUT_MS } from './sms-deadline.ts'
import { reportAddress } from './twilio-reports.ts'

interface TwilioSmsOptions {
  /** `AC…` */
  readonly accountSid: string
  readonly authToken: string
  /** A number or sender name, or the `MG…` of a messaging service. */
  readonly from: string
  /** Another endpoint instead of `https://api.twilio.com`: an edge, a proxy, a test server. */
  readonly baseUrl?: string
  /** Public base address of this installation, for delivery reports; without it there are none. */
  readonly reportsUrl?: string | undefined
  readonly clock: Clock
  readonly log: Log
}

/** Twilio's error codes that concern the number and not the account (its error dictionary). */
const NO_MOBILE: Readonly<Record<number, string>> = {
  21211: 'the number is not valid',
  21214: 'the number cannot be reached',
  21217: 'the number is not written as Twilio wants it',
  21401: 'the number is not valid',
  21408: 'messages to this country are not switched on in the Twilio account',
  21421: 'the number is not valid',
  21612: 'Twilio has no way to this number',
  21614: 'the number is not a mobile number',
  21635: 'the number is a landline',
  30006: 'the number is a landline, or its network cannot be reached',
}

/** Error codes that an operator can act on. */
const REFUSED: Readonly<Record<number, string>> = {
  20003: 'Twilio does not accept the account; look at TWILIO_ACCOUNT_SID and TWILIO_AUTH_TOKEN',
  21606: 'the sender is not one of the Twilio account; look at TWILIO_FROM',
  21610: 'the person has asked to get no more messages (STOP)',
  21617: 'the text is too long',
}

/**
 * The SDK loads at the start, beside everything else: it takes 80 ms, and 3 s on a busy machine, which the first
 * caller would wait. Twilio has no idempotency key: no answer is `uncertain`, never sent again.
 */
export function twilioSms(options: TwilioSmsOptions): Sms {
  const { clock, log } = options
  let client: Promise<Twilio> | undefined = makeClient(options)
  client.catch(() => {})
  return {
    reports: options.reportsUrl !== undefined,
    send(message, done) {
      const finish = inTime({ clock, log, provider: 'Twilio' }, message, done)
      client ??= makeClient(options)
      client.then(
        (twilio) => create(twilio, options, message).then(finish),
        (error: Error) => {
          client = undefined
          finish({ outcome: 'failed', why: `the Twilio SDK cannot be used: ${error.message}` })
        },
      )
    },
  }
}

async function makeClient({ accountSid, authToken, baseUrl }: TwilioSmsOptions): Promise<Twilio> {
  const { default: twilio } = await import('twilio')
  // The SDK's timeout only cleans up after ours. Connections are not kept: on a fresh one, an error before the request
  // was written cannot be confused with one after it.
  const inner = new twilio.RequestClient({ timeout: SMS_TIMEOUT_MS + 1_000, keepAlive: false })
  const httpClient = baseUrl === undefined ? inner : redirected(inner, baseUrl)
  return twilio(accountSid, authToken, { httpClient, userAgentExtensions: ['switchboard'] })
}

/** The SDK's HTTP client with another origin. The SDK calls only `request`. */
function redirected(inner: RequestClient, baseUrl: string): RequestClient {
  const request: RequestClient['request'] = (options) => {
    const { pathname, search } = new URL(options.uri)
    return inner.request({ ...options, uri: baseUrl.replace(/\/+$/, '') + pathname + search })
  }
  return { request } as RequestClient
}

async function create(
  twilio: Twilio,
  { from, reportsUrl }: TwilioSmsOptions,
  { key, to, text, wantsReport }: SmsMessage,
): Promise<SmsResult> {
  const sender = from.startsWith('MG') ? { messagingServiceSid: from } : { from }
  const report = wantsReport && reportsUrl !== undefined && { statusCallback: reportAddress(reportsUrl, key) }
  try {
    const { sid } = await twilio.messages.create({ ...sender, ...report, to, body: text })
    if (typeof sid === 'string' && sid !== '') return { outcome: 'sent', messageId: sid }
    return { outcome: 'uncertain', why: 'Twilio answered without a message id' }
  } catch (error) {
    return resultOf(error)
  }
}

/** Twilio's own message is left out: it repeats the number. */
function resultOf(error: unknown): SmsResult {
  const { status, code } = error as { status?: unknown; code?: unknown }
  if (typeof status !== 'number') {
    const { neverLeft, why } = networkFailure(error)
    return { outcome: neverLeft ? 'failed' : 'uncertain', why: `Twilio: ${why}` }
  }
  const numbered = typeof code === 'number' ? code : 0
  const named = `Twilio error ${numbered || 'without a code'}, HTTP ${status}`
  if (status >= 500) return { outcome: 'uncertain', why: named }
  if (status === 429) return { outcome: 'failed', why: `${named}: too many requests` }
  const noMobile = NO_MOBILE[numbered]
  if (noMobile) return { outcome: 'noMobile', why: `${noMobile} (${named})` }
  return { outcome: 'refused', why: REFUSED[numbered] ? `${REFUSED[numbered]} (${named})` : named }
}
