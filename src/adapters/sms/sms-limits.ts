import type { AtMs, Clock } from '../../kernel/clock.ts'
import type { PhoneNumber } from '../../kernel/ids.ts'
import type { Log } from '../../kernel/log.ts'
import type { Sms, SmsMessage, SmsResult } from '../../ports/sms.ts'
import { LruMap } from '../http/lru-map.ts'

/** All limits are shared by all calls. */
interface SmsLimits {
  readonly clock: Clock
  readonly log: Log
  /** Why no text may go to this number; undefined: one may. */
  readonly whyNot?: (to: PhoneNumber) => string | undefined
  /** Messages to one number in 24 h (F-J26). Default 5. */
  readonly perNumberMax?: number
  /** Messages to all numbers in 24 h: bounds the cost of a loop or an abuser. Default 10,000. */
  readonly perDayMax?: number
}

const DAY_MS = 24 * 3_600_000

/** Ten parts of a concatenated message; Twilio's own limit (its error 21617). */
const TEXT_LENGTH_MAX = 1_600

/** Keys remembered for "at most once". A key lives hours at most; refused messages cannot push live ones out. */
const KEYS_MAX = 50_000

/** A key's result, or the callbacks that wait for it. */
type PendingSms = { result: SmsResult } | { waiting: ((result: SmsResult) => void)[] }

/** For every provider: a key is sent once and answered alike, numbers are checked, limits hold for the last 24 h. */
export function limitedSms(sms: Sms, { clock, log, whyNot, perNumberMax = 5, perDayMax = 10_000 }: SmsLimits): Sms {
  const messages = new LruMap<string, PendingSms>(KEYS_MAX)
  const day = new DayCount(clock)

  function refusalOf({ to, text }: SmsMessage): SmsResult | undefined {
    if (to === '') return { outcome: 'noMobile', why: 'there is no number' }
    if (!isNumber(to)) return { outcome: 'noMobile', why: 'this is not a number with + and country code' }
    const why = whyNot?.(to as PhoneNumber)
    if (why !== undefined) {
      log.warn({ to, why }, 'a text message was refused')
      return { outcome: 'noMobile', why }
    }
    if (text.trim() === '') return { outcome: 'refused', why: 'the text is empty' }
    if (text.length > TEXT_LENGTH_MAX) {
      return { outcome: 'refused', why: `the text is longer than ${TEXT_LENGTH_MAX} characters` }
    }
    if (day.ofNumber(to) >= perNumberMax) {
      return { outcome: 'failed', why: `this number has had ${perNumberMax} messages in 24 hours` }
    }
    if (day.ofAll() >= perDayMax) return { outcome: 'failed', why: `${perDayMax} messages were sent in 24 hours` }
    return undefined
  }

  function settle(pending: PendingSms, key: string, result: SmsResult): void {
    if ('result' in pending) return
    messages.set(key, { result })
    for (const done of pending.waiting) done(result)
  }

  return {
    reports: sms.reports ?? false,
    send(message, done) {
      const { key, to } = message
      const known = messages.get(key)
      if (known && 'waiting' in known) known.waiting.push(done)
      else if (known) clock.schedule(clock.nowMs(), () => done(known.result))
      else {
        const pending: PendingSms = { waiting: [done] }
        messages.set(key, pending)
        const refusal = refusalOf(message)
        if (refusal) {
          if (refusal.outcome === 'failed') log.warn({ to, why: refusal.why }, 'a limit of text messages was reached')
          // Always later, like a real provider: no callback runs before `send` has returned.
          clock.schedule(clock.nowMs(), () => settle(pending, key, refusal))
          return
        }
        const sent = day.count(to)
        sms.send(message, (result) => {
          if (result.outcome === 'failed') day.giveBack(sent)
          settle(pending, key, result)
        })
      }
    },
  }
}

/** E.164: `+` and up to 15 digits; fewer than 8 are short codes and typing errors. */
function isNumber(to: string): boolean {
  return /^\+[1-9]\d{7,14}$/.test(to)
}

interface Sent {
  readonly atMs: AtMs
  readonly number: string
}

/** Messages of the last 24 hours, in all and by number. Its size is bounded by the daily limit. */
class DayCount {
  readonly #clock: Clock
  readonly #sent = new Set<Sent>()
  readonly #byNumber = new Map<string, number>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  count(number: string): Sent {
    const sent = { atMs: this.#clock.nowMs(), number }
    this.#sent.add(sent)
    this.#byNumber.set(number, (this.#byNumber.get(number) ?? 0) + 1)
    return sent
  }

  /** For a message that did not leave. */
  giveBack(sent: Sent): void {
    if (!this.#sent.delete(sent)) return
    const left = (this.#byNumber.get(sent.number) ?? 1) - 1
    if (left > 0) this.#byNumber.set(sent.number, left)
    else this.#byNumber.delete(sent.number)
  }

  ofAll(): number {
    this.#forgetOld()
    return this.#sent.size
  }

  ofNumber(number: string): number {
    this.#forgetOld()
    return this.#byNumber.get(number) ?? 0
  }

  #forgetOld(): void {
    for (const sent of this.#sent) {
      if (sent.atMs > this.#clock.nowMs() - DAY_MS) return
      this.giveBack(sent)
    }
  }
}
