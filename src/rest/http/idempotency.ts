/** `Idempotency-Key` on every POST (D-32): a repeated request gets the first answer and is not executed again. */
import { createHash } from 'node:crypto'
import type { Clock } from '../../kernel/clock.ts'
import type { SecretBytes } from '../../kernel/secret-bytes.ts'
import type { CredentialRepository, KeyedRequest } from '../../ports/credentials.ts'
import type { Answer } from './answer.ts'
import type { KeyRoom } from './key-room.ts'
import { refuse } from './problem-response.ts'
import { type KeptAnswer, seal, unseal } from './sealed-response.ts'

const KEY_LENGTH_MAX = 255
const KEPT_MS = 24 * 60 * 60_000
/** Longer than any request takes; after this time the server that took the key has died. */
const RUNS_MS = 2 * 60_000
/** Larger answers are not stored; the repeated request is executed again. */
const ANSWER_LENGTH_MAX = 32 * 1024 * 1024

interface Keyed {
  readonly credential: string
  readonly tokenv2: string
  /** Method and canonical path pattern; aliases are the same operation. */
  readonly route: string
  readonly key: string
  /** The canonical URL with its query. */
  readonly url: string
  readonly body: unknown
}

/** `go on`: execute the request with `run` and call `settle`. `again`: send the stored answer. */
type KeyVerdict =
  | {
      readonly verdict: 'go on'
      readonly run: <T>(work: () => Promise<T>) => Promise<T>
      readonly settle: (answer: KeptAnswer | undefined | 'broken off') => Promise<void>
    }
  | { readonly verdict: 'again'; readonly answer: KeptAnswer }
  | { readonly verdict: 'refused'; readonly answer: Answer }

export interface IdempotencyDependencies {
  readonly credentials: CredentialRepository
  readonly clock: Clock
  readonly secretBytes: SecretBytes
  readonly keyRoom: KeyRoom
}

/**
 * Looks a key up, or claims it. `settle` stores the answer, or releases the key if the answer is not repeatable. After
 * an error a change may be committed: then the key stays, and the request is not carried out again (rest-46).
 */
export async function useKey(dependencies: IdempotencyDependencies, keyed: Keyed): Promise<KeyVerdict> {
  if (!isKey(keyed.key)) {
    const detail = `Idempotency-Key must have 1 to ${KEY_LENGTH_MAX} visible ASCII characters`
    return { verdict: 'refused', answer: refuse('badRequest', detail) }
  }
  const { credentials, clock, secretBytes, keyRoom } = dependencies
  const atMs = clock.nowMs()
  const request: KeyedRequest = {
    realmControl: keyed.credential,
    route: keyed.route,
    key: keyed.key,
    print: printOf(keyed),
    atMs,
    runsUntilAtMs: atMs + RUNS_MS,
    keptUntilAtMs: atMs + KEPT_MS,
  }
  const claim = await credentials.claimKey(request)
  switch (claim.claim) {
    case 'mine': {
      // Only here: what was answered before is said again, however many keys there are.
      const full = await keyRoom.whyFull(keyed.credential, atMs)
      if (full !== undefined) {
        await credentials.releaseKey(request)
        return { verdict: 'refused', answer: refuse('tooManyRequests', full, { headers: { 'retry-after': '3600' } }) }
      }
      return {
        verdict: 'go on',
        run: (work) => credentials.carryOutKeyed(request, work),
        settle: (answer) => {
          if (answer === 'broken off') return credentials.breakOffKey(request)
          return isKept(answer)
            ? credentials.keepAnswer(request, seal(answer, keyed.tokenv2, secretBytes))
            : credentials.releaseKey(request)
        },
      }
    }
    case 'running': {
      const detail = 'a request with this Idempotency-Key is still running; retry after the time in Retry-After'
      return { verdict: 'refused', answer: refuse('conflict', detail, { headers: { 'retry-after': '1' } }) }
    }
    case 'other request': {
      const detail = 'this Idempotency-Key was used for a request with another URL or body; use a new key'
      return { verdict: 'refused', answer: refuse('keyReused', detail) }
    }
    case 'carried out':
      return again(undefined)
    case 'answered':
      return again(unseal(claim.answer, keyed.tokenv2))
  }
}

function again(answer: KeptAnswer | undefined): KeyVerdict {
  if (answer) return { verdict: 'again', answer }
  const detail = 'this request was executed, but its answer cannot be read any more; search for its result'
  return { verdict: 'refused', answer: refuse('conflict', detail) }
}

/** After an error the client may retry with the same key (D-32). */
function isKept(answer: KeptAnswer | undefined): answer is KeptAnswer {
  return answer !== undefined && answer.status < 400 && answer.body.length <= ANSWER_LENGTH_MAX
}

function isKey(key: string): boolean {
  return key.length <= KEY_LENGTH_MAX && /^[\x21-\x7e]+$/.test(key)
}

/** Hashes the parsed body: white space does not make another request. */
function printOf({ url, body }: Keyed): Buffer {
  return createHash('sha256')
    .update(`${url}\n${JSON.stringify(body) ?? ''}`)
    .digest()
}
