import type { AtMs } from '../../kernel/clock.ts'
import type { SecretBytes } from '../../kernel/secret-bytes.ts'

/** F-J13. */
const LIFE_MS = 30_000
/** More than all pages open within half a minute; beyond it the oldest ticket is dropped. */
const TICKETS_MAX = 10_000

/** A ticket opens a socket once: a browser cannot send headers with it, and a token must not be part of a URL. */
export class OneTimeTickets<Admission extends object> {
  readonly #secretBytes: SecretBytes
  readonly #given = new Map<string, { readonly admission: Admission; readonly untilAtMs: AtMs }>()

  constructor(secretBytes: SecretBytes) {
    this.#secretBytes = secretBytes
  }

  give(admission: Admission, nowMs: AtMs): { ticket: string; untilAtMs: AtMs } {
    const [oldest] = this.#given.keys()
    if (this.#given.size >= TICKETS_MAX && oldest !== undefined) this.#given.delete(oldest)
    const ticket = this.#secretBytes(24).toString('base64url')
    const untilAtMs = nowMs + LIFE_MS
    this.#given.set(ticket, { admission, untilAtMs })
    return { ticket, untilAtMs }
  }

  /** What the ticket is for; undefined if it is unknown, expired or used. */
  take(ticket: string, nowMs: AtMs): Admission | undefined {
    const given = this.#given.get(ticket)
    this.#given.delete(ticket)
    return given && nowMs < given.untilAtMs ? given.admission : undefined
  }
}
