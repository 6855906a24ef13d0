/**
 * Which key of a leg is news when its telephone sends every key twice: as SIP INFO and in its sound (RFC 4733, tones).
 *
 * Asterisk reports both, the second one late, the first one perhaps again (`KeyReports`), and does not say which is
 * which. The copies of INFO do. On such a leg INFO counts: it comes once for every press (calls-and-flows-44).
 */
import type { AtMs } from '../../kernel/clock.ts'
import { type KeyReport, KeyReports } from './key-reports.ts'

/** A key that came as SIP INFO, and that Asterisk took. */
export interface InfoKey {
  readonly digit: string
  /** What the telephone says; many say the same for all keys. Asterisk's report of this key repeats it. */
  readonly heldMs: number
  /** The switch's own time, as in its reports. */
  readonly atMs: AtMs
}

/** So far apart, at most, are the two ways of one press: a proxy delays INFO, and some telephones send it first. */
const APART_MAX_MS = 1_000
/**
 * Without INFO for so long, the leg has another telephone now: its company may have transferred the call. An overloaded
 * Asterisk reports the sound seconds after INFO.
 */
const RECENT_MS = 10_000
/** More than Asterisk can be behind with its reports; the oldest are forgotten. */
const INFOS_MAX = 50

interface Info extends InfoKey {
  isReported: boolean
  /** Whether the same press came in the sound as well. */
  isHeard: boolean
}

/** What the copy of an INFO says. `keysAgo`: of a key that was told without its way; 1 for the latest one told. */
export interface InfoNews {
  readonly isNew: boolean
  readonly keysAgo?: number
}

interface ToldKey extends KeyReport {
  /** The number of this key among all that were told. */
  readonly number: number
}

/** The keys of one leg, in their order. Without copies of INFO, reports alone decide. */
export class LegKeys {
  readonly #reports = new KeyReports()
  /** Told because of a report; their INFO may come. */
  #told: ToldKey[] = []
  #toldCount = 0
  #infos: Info[] = []
  /** The latest INFO, or the latest report of one: Asterisk may be seconds behind. */
  #infoAtMs = Number.NEGATIVE_INFINITY
  #isSentTwice = false
  /** For how long keys were held, by the sound. */
  readonly #heldInSoundMs = new Set<number>()

  /** The key is news, or is told already; its own report may have been read before the copy. */
  takeInfo(info: InfoKey): InfoNews {
    const at = this.#told.findIndex((key) => isPress(info, key))
    const [key] = at < 0 ? [] : this.#told.splice(at, 1)
    const isOwn = key?.heldMs === info.heldMs
    if (key && !isOwn) this.#heard(key)
    this.#infoAtMs = info.atMs
    this.#infos.push({ ...info, isReported: isOwn, isHeard: key !== undefined && !isOwn })
    if (this.#infos.length > INFOS_MAX) this.#infos.shift()
    if (!key) this.#toldCount += 1
    return { isNew: !key, ...(key && isOwn && { keysAgo: this.#toldCount - key.number + 1 }) }
  }

  /** False for a report of a key that is told already, or that INFO will tell. */
  isNewReport(report: KeyReport): boolean {
    const { digit, heldMs, atMs } = report
    const own = this.#infos.find((info) => !info.isReported && info.digit === digit && info.heldMs === heldMs)
    if (own) {
      own.isReported = true
      this.#infoAtMs = atMs
      return false
    }
    const pressed = this.#infos.find((info) => !info.isHeard && isNear(info, report))
    if (pressed) {
      pressed.isHeard = true
      this.#heard(report)
      return false
    }
    const isRecent = atMs - heldMs - this.#infoAtMs < RECENT_MS
    if (this.#isSentTwice && isRecent && !this.#isOfLostCopy(heldMs)) return false
    const isNew = this.#reports.isNew(report)
    if (!isNew) return false
    const told = { ...report, number: ++this.#toldCount }
    this.#told = [...this.#told.filter((key) => atMs - key.atMs < RECENT_MS), told]
    return true
  }

  #heard({ heldMs }: KeyReport): void {
    this.#isSentTwice = true
    this.#heldInSoundMs.add(heldMs)
  }

  /** Whether only INFO has this length here. Copies are lost when the engine does not read them for seconds. */
  #isOfLostCopy(heldMs: number): boolean {
    return this.#infos.at(-1)?.heldMs === heldMs && !this.#heldInSoundMs.has(heldMs)
  }
}

/** Whether this INFO is the press that was reported: both near each other, or its own report, seconds late. */
function isPress(info: InfoKey, key: KeyReport): boolean {
  return isNear(info, key) || (info.digit === key.digit && info.heldMs === key.heldMs && info.atMs < key.atMs)
}

/** Whether INFO of the same digit came while the key was held, or shortly before or after. */
function isNear({ digit, atMs }: InfoKey, key: KeyReport): boolean {
  const isInTime = atMs > key.atMs - key.heldMs - APART_MAX_MS && atMs < key.atMs + APART_MAX_MS
  return digit === key.digit && isInTime
}
