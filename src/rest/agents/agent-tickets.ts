import type { AtMs } from '../../kernel/clock.ts'
import type { AgentName } from '../../kernel/ids.ts'
import type { SecretBytes } from '../../kernel/secret-bytes.ts'

/** F-J13. */
const LIFE_MS = 30_000
/** More than all agents open within half a minute; beyond it the oldest ticket is dropped. */
const TICKETS_MAX = 10_000

/** Who may open the socket. */
export interface Admission {
  readonly agent: AgentName
  /** False: the credential has ended, or is no agent's any more. */
  readonly isStill: () => Promise<boolean>
}

/** A ticket opens the socket once: a browser cannot send headers with it, and a token must not be part of a URL. */
export class AgentTickets {
  readonly #secretBytes: SecretBytes
  readonly #given = new Map<string, Admission & { readonly untilAtMs: AtMs }>()

  constructor(secretBytes: SecretBytes) {
    this.#secretBytes = secretBytes
  }

  give({ agent, isStill }: Admission, nowMs: AtMs): { ticket: string; untilAtMs: AtMs } {
    const [oldest] = this.#given.keys()
    if (this.#given.size >= TICKETS_MAX && oldest !== undefined) this.#given.delete(oldest)
    const ticket = this.#secretBytes(24).toString('base64url')
    const untilAtMs = nowMs + LIFE_MS
    this.#given.set(ticket, { agent, isStill, untilAtMs })
    return { ticket, untilAtMs }
  }

  /** What the ticket is for; undefined if it is unknown, expired or used. */
  take(ticket: string, nowMs: AtMs): Admission | undefined {
    const given = this.#given.get(ticket)
    this.#given.delete(ticket)
    return given && nowMs < given.untilAtMs ? given : undefined
  }
}
