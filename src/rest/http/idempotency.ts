/** `Idempotency-Key` on every POST (D-32): the same request asked again is answered again, not carried out again. */
import { createHash } from 'node:crypto'
import type { Clock } from '../../kernel/clock.ts'
import type { SecretBytes } from '../../kernel/secret-bytes.ts'
import type { CredentialRepository, KeyedRequest } from '../../ports/credentials.ts'
import type { Answer } from './answer.ts'
import { refuse } from './problem.ts'
import { type KeptAnswer, seal, unseal } from './sealed-response.ts'

/** Longest key. */
const KEY_LENGTH_MAX = 255
const KEPT_MS = 24 * 60 * 60_000
/** Longer than any request takes: a server that still has it then has died. */
const RUNS_MS = 2 * 60_000
/** A larger answer is not kept; asked again, the request is carried out again. */
const ANSWER_LENGTH_MAX = 32 * 1024 * 1024

/** A request that brought a key. */
export interface Keyed {
  readonly credential: string
  readonly tokenv2: string
  /** Method and canonical path pattern: an alias is the same operation. */
  readonly route: string
  readonly key: string
  /** The very address, canonical, with its query. */
  readonly url: string
  readonly body: unknown
}

/** What comes of a key: somebody has to carry the request out and say how, or here is the answer. */
export type KeyVerdict =
  | { readonly verdict: 'go on'; readonly settle: (answer: KeptAnswer | undefined) => Promise<void> }
  | { readonly verdict: 'again'; readonly answer: KeptAnswer }
  | { readonly verdict: 'refused'; readonly answer: Answer }

/** What keeping answers needs. */
export interface IdempotencyDependencies {
  readonly credentials: CredentialRepository
  readonly clock: Clock
  readonly secretBytes: SecretBytes
}

/** Looks a key up, or takes it. `settle` keeps the answer, or sets the key free when it is not one to repeat. */
export async function useKey(dependencies: IdempotencyDependencies, keyed: Keyed): Promise<KeyVerdict> {
  if (!isKey(keyed.key)) {
    const detail = `Idempotency-Key must have 1 to ${KEY_LENGTH_MAX} visible ASCII characters`
    return { verdict: 'refused', answer: refuse('badRequest', detail) }
  }
  const { credentials, clock, secretBytes } = dependencies
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
    case 'mine':
      return {
        verdict: 'go on',
        settle: (answer) =>
          isKept(answer)
            ? credentials.keepAnswer(request, seal(answer, keyed.tokenv2, secretBytes))
            : credentials.releaseKey(request),
      }
    case 'running': {
      const detail = 'a request with this Idempotency-Key is still being carried out; ask again in a moment'
      return { verdict: 'refused', answer: refuse('conflict', detail, { headers: { 'retry-after': '1' } }) }
    }
    case 'other request': {
      const detail = 'this Idempotency-Key was used for a request with another address or body; use a new one'
      return { verdict: 'refused', answer: refuse('keyReused', detail) }
    }
    case 'answered':
      return again(unseal(claim.answer, keyed.tokenv2))
  }
}

function again(answer: KeptAnswer | undefined): KeyVerdict {
  if (answer) return { verdict: 'again', answer }
  const detail = 'this request was carried out, and its answer can no longer be read; look for what it made'
  return { verdict: 'refused', answer: refuse('conflict', detail) }
}

/** Mistakes of the client may be mended and tried again under the same key; ours must be (D-32). */
function isKept(answer: KeptAnswer | undefined): answer is KeptAnswer {
  if (!answer || answer.status >= 500 || answer.body.length > ANSWER_LENGTH_MAX) return false
  return answer.status !== 400 && answer.status !== 422 && answer.status !== 429
}

function isKey(key: string): boolean {
  return key.length <= KEY_LENGTH_MAX && /^[\x21-\x7e]+$/.test(key)
}

/** Of the body as it was understood: blanks between the same values make no other request. */
function printOf({ url, body }: Keyed): Buffer {
  return createHash('sha256')
    .update(`${url}\n${JSON.stringify(body) ?? ''}`)
    .digest()
}
