import type { Clock } from '../../kernel/clock.ts'
import type { PhoneNumber } from '../../kernel/ids.ts'
import type { Log } from '../../kernel/log.ts'
import type { SentTexts, TextLimits } from '../../ports/calls/sent-texts.ts'
import type { Sms, SmsMessage, SmsResult } from '../../ports/sms.ts'
import { LruMap } from '../http/lru-map.ts'

/** Whether a text may go to a number. `abroad`: the country, where it is none of our own. */
export type TextDestination = { readonly why: string } | { readonly abroad?: string }

/** All limits are shared by all calls. */
interface SmsLimits {
  readonly clock: Clock
  readonly log: Log
  readonly destinationOf?: (to: PhoneNumber) => TextDestination
  /** The texts of the last 24 hours; absent where nothing is kept, and then no limit holds. */
  readonly sent: SentTexts | undefined
  readonly limits?: Partial<TextLimits>
}

/** F-J26; the third is the operator's. The last bounds the cost of a loop or an abuser. Our choice. */
const USUAL: TextLimits = { ofNumber: 5, ofCase: 1, ofCountry: 500, ofAll: 10_000 }

const FULL: Readonly<Record<keyof TextLimits, (max: number) => string>> = {
  ofNumber: (max) => `this number has had ${max} messages in 24 hours`,
  ofCase: () => 'another call about this case has had a message within the hour',
  ofCountry: (max) => `${max} messages went to this country in 24 hours`,
  ofAll: (max) => `${max} messages were sent in 24 hours`,
}

/** Ten parts of a concatenated message; Twilio's own limit (its error 21617). */
const TEXT_LENGTH_MAX = 1_600

/** Keys remembered for "at most once". A key lives hours at most; refused messages cannot push live ones out. */
const KEYS_MAX = 50_000

/** A key's result, or the callbacks that wait for it. */
type PendingSms = { result: SmsResult } | { waiting: ((result: SmsResult) => void)[] }

/** For every provider: a key is sent once and answered alike, numbers are checked, limits hold for the last 24 h. */
export function limitedSms(sms: Sms, options: SmsLimits): Sms {
  const { clock, sent } = options
  const messages = new LruMap<string, PendingSms>(KEYS_MAX)

  function settle(pending: PendingSms, key: string, result: SmsResult): void {
    if ('result' in pending) return
    messages.set(key, { result })
    for (const done of pending.waiting) done(result)
  }

  return {
    reports: sms.reports ?? false,
    send(message, done) {
      const { key } = message
      const known = messages.get(key)
      if (known && 'waiting' in known) return void known.waiting.push(done)
      if (known) return void clock.schedule(clock.nowMs(), () => done(known.result))
      const pending: PendingSms = { waiting: [done] }
      messages.set(key, pending)
      const refusal = refusalOf(message, options)
      // Always later, like a real provider: no callback runs before `send` has returned.
      if (refusal) return void clock.schedule(clock.nowMs(), () => settle(pending, key, refusal))
      void reached(message, options).then((limit) => {
        if (limit) return settle(pending, key, limit)
        sms.send(message, (result) => {
          // What did not leave is not counted; if that cannot be stored, it is.
          if (result.outcome === 'failed') sent?.forget(key).catch(() => {})
          settle(pending, key, result)
        })
      })
    },
  }
}

/** What no limit has to be asked about. */
function refusalOf({ to, text }: SmsMessage, { destinationOf, log }: SmsLimits): SmsResult | undefined {
  if (to === '') return { outcome: 'noMobile', why: 'there is no number' }
  if (!isNumber(to)) return { outcome: 'noMobile', why: 'this is not a number with + and country code' }
  const destination = destinationOf?.(to as PhoneNumber)
  if (destination && 'why' in destination) {
    log.warn({ to, why: destination.why }, 'a text message was refused')
    return { outcome: 'noMobile', why: destination.why }
  }
  if (text.trim() === '') return { outcome: 'refused', why: 'the text is empty' }
  if (text.length > TEXT_LENGTH_MAX) {
    return { outcome: 'refused', why: `the text is longer than ${TEXT_LENGTH_MAX} characters` }
  }
  return undefined
}

/** Undefined: it may leave, and is noted. A limit that cannot be read is reached. */
async function reached({ key, to, about }: SmsMessage, options: SmsLimits): Promise<SmsResult | undefined> {
  const { clock, log, destinationOf, sent, limits } = options
  const most = { ...USUAL, ...limits }
  const destination = destinationOf?.(to as PhoneNumber)
  const abroad = destination && 'abroad' in destination ? destination.abroad : undefined
  const text = {
    key,
    number: to,
    atMs: clock.nowMs(),
    ...(abroad !== undefined && { abroad }),
    ...(about !== undefined && { caseNumber: about }),
  }
  const noted = await sent?.note(text, most).catch((error: unknown) => ({ error: String(error) }))
  if (noted === undefined || noted === 'noted') return undefined
  const why = typeof noted === 'string' ? FULL[noted](most[noted]) : `the limits are not known: ${noted.error}`
  log.warn({ to, why }, 'a limit of text messages was reached')
  return { outcome: 'failed', why }
}

/** E.164: `+` and up to 15 digits; fewer than 8 are short codes and typing errors. */
function isNumber(to: string): boolean {
  return /^\+[1-9]\d{7,14}$/.test(to)
}
