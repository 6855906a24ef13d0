/** How much of the database the idempotency keys of one credential may take (rest-23). */
import type { AtMs } from '../../kernel/clock.ts'
import type { CredentialRepository, KeysKept } from '../../ports/credentials.ts'

/** Our choice: 3 keys a second, all day; whoever needs more sends several rows in a request. */
const KEYS_MAX = 250_000
const ANSWER_BYTES_MAX = 256 * 1024 ** 2
/** So many keys are counted in some 100 ms: seldom enough, and a client adds little meanwhile. */
const COUNT_EVERY_MS = 60_000

interface Counted extends KeysKept {
  readonly atMs: AtMs
}

/** Remembers what it counted, of as many credentials as there are. */
export class KeyRoom {
  readonly #credentials: Pick<CredentialRepository, 'keysKept'>
  readonly #counted = new Map<string, Counted>()

  constructor(credentials: Pick<CredentialRepository, 'keysKept'>) {
    this.#credentials = credentials
  }

  /** Undefined: there is room for another key. */
  async whyFull(credential: string, atMs: AtMs): Promise<string | undefined> {
    let counted = this.#counted.get(credential)
    if (!counted || atMs - counted.atMs >= COUNT_EVERY_MS) {
      counted = { ...(await this.#credentials.keysKept(credential)), atMs }
      this.#counted.set(credential, counted)
    }
    const { keys, answerBytes } = counted
    if (keys < KEYS_MAX && answerBytes < ANSWER_BYTES_MAX) return undefined
    const room = `${KEYS_MAX} keys, ${ANSWER_BYTES_MAX / 1024 ** 2} MiB of answers`
    return `the Idempotency-Keys of this credential of the last 24 hours have no more room (${room}); use another one`
  }
}
