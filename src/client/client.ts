/**
 * The typed client: `const client = connect({ ssoUrl, credential })`, then `client.ask('METHOD /path', …)` for one
 * answer and `client.each('METHOD /path', …)` for the rows of all pages.
 *
 * It gets the endpoint from the state operation and caches it. After 502, 503, 504, a network failure or a timeout it
 * gets the endpoint again and repeats the request once, if repeating is safe (contract.md §5, D-32).
 */
import { type Clock, RealClock } from '../kernel/clock.ts'
import { type Random, randomText } from '../kernel/random.ts'
import { systemSecretBytes } from '../kernel/secret-bytes.ts'
import { type Endpoint, endpointOf } from './endpoint.ts'
import { SIGN_ON } from './operations.ts'
import { type PagedName, type RowOf, rowsOf } from './pages.ts'
import { SwitchboardProblem } from './problem.ts'
import { type AnswerOf, type AnyRequest, type Asked, type OperationName, type Prepared, prepare } from './request.ts'
import { type Fetch, type Sender, type Sent, send } from './send.ts'

/** The three values of a credential (contract.md §5). */
export interface Credential {
  readonly tokenv2: string
  readonly rcntrl: string
  readonly ccntrl: string
}

/** `fetch`, `clock` and `random` are for tests. */
export interface ClientOptions {
  /** The sign-on address without a path. */
  readonly ssoUrl: string
  readonly credential: Credential
  /** Timeout of a request; default 30 s. */
  readonly timeoutMs?: number
  /** Maximum `Retry-After` that the client waits for; otherwise it throws at once. Default 30 s. */
  readonly waitMsMax?: number
  readonly fetch?: Fetch
  readonly clock?: Clock
  /** Source of idempotency keys. */
  readonly random?: Random
}

export interface Reply<Name extends OperationName> {
  readonly status: number
  readonly headers: Headers
  readonly body: AnswerOf<Name>
}

/** A client of one installation with one credential. All methods throw only `SwitchboardProblem`. */
export interface Client {
  /** The endpoint of requests. */
  endpoint(): Promise<string>
  /** Executes an operation and returns its answer. */
  ask<Name extends OperationName>(operation: Name, ...request: Asked<Name>): Promise<AnswerOf<Name>>
  /** The same, with status and headers such as `etag`. */
  reply<Name extends OperationName>(operation: Name, ...request: Asked<Name>): Promise<Reply<Name>>
  /** The rows of all pages; fetches the next page when needed. */
  each<Name extends PagedName>(operation: Name, ...request: Asked<Name>): AsyncIterableIterator<RowOf<Name>>
}

const TIMEOUT_MS = 30_000
const WAIT_MS_MAX = 30_000
const KEY_LENGTH = 26
/** The node cannot serve requests: the client gets the endpoint again (contract.md §7, rule 3). */
const GATEWAY = [502, 503, 504]

/** Creates a client. It sends nothing before the first request. */
export function connect(options: ClientOptions): Client {
  const { ssoUrl, credential, clock = new RealClock(), random = systemRandom } = options
  const { timeoutMs = TIMEOUT_MS, waitMsMax = WAIT_MS_MAX, fetch = globalThis.fetch } = options
  const sso = ssoUrl.replace(/\/+$/, '')
  const sender: Sender = { fetch, clock, timeoutMs }
  const makeKey = () => randomText(random, KEY_LENGTH)
  const endpoint: Endpoint = endpointOf(async () => {
    const state = prepare('GET /rest/api/state', {}, makeKey)
    const { body } = await carryOut(state, { get: async () => sso, forget: () => {} })
    return (body as AnswerOf<'GET /rest/api/state'>).endpoint
  })

  async function carryOut(prepared: Prepared, at: Endpoint): Promise<Sent & { readonly arrived: true }> {
    const { operation, method, path, headers, body, isRepeatable } = prepared
    const own = { tokenv2: credential.tokenv2, rcntrl: credential.rcntrl, ccntrl: credential.ccntrl }
    let hasFailed = false
    let hasWaited = false
    for (;;) {
      const base = await at.get()
      const init = { method, headers: { ...headers, ...own }, ...(body !== undefined && { body }) }
      const sent = await send(sender, base + path, init)
      if (sent.arrived && sent.status < 400) return sent
      const waitMs = waitOf(sent, clock)
      const problem = problemOf(operation, sent, waitMs)
      if (!sent.arrived || GATEWAY.includes(sent.status)) {
        at.forget(base)
        if (!isRepeatable || hasFailed || (waitMs ?? 0) > waitMsMax) throw problem
        hasFailed = true
        // Another node can be called at once.
        if (waitMs !== undefined && (await at.get()) === base) await pause(waitMs)
      } else {
        // 429, or 409 while the first try is still running: nothing was executed, so any request may be repeated.
        const isAskedToWait = waitMs !== undefined && waitMs <= waitMsMax && [409, 429].includes(sent.status)
        if (!isAskedToWait || hasWaited) throw problem
        hasWaited = true
        await pause(waitMs)
      }
    }
  }

  function pause(waitMs: number): Promise<void> {
    return new Promise((resolve) => clock.schedule(clock.nowMs() + waitMs, resolve))
  }

  async function any(operation: OperationName, request: AnyRequest = {}): Promise<Reply<never>> {
    const at = SIGN_ON.includes(operation) ? { get: async () => sso, forget: () => {} } : endpoint
    const { status, headers, body } = await carryOut(prepare(operation, request, makeKey), at)
    return { status, headers, body: body as never }
  }

  return {
    endpoint: () => endpoint.get(),
    ask: async (operation, ...[request]) => (await any(operation, request as AnyRequest)).body,
    reply: (operation, ...[request]) => any(operation, request as AnyRequest),
    each: (operation, ...[request]) =>
      rowsOf(operation, (request ?? {}) as AnyRequest, async (next) => (await any(operation, next)).body),
  }
}

/** System randomness: two clients started at the same time must not create the same keys. */
const systemRandom: Random = { next: () => systemSecretBytes(6).readUIntBE(0, 6) / 2 ** 48 }

function problemOf(operation: OperationName, sent: Sent, retryAfterMs: number | undefined): SwitchboardProblem {
  if (!sent.arrived) return new SwitchboardProblem(operation, { status: 0, why: sent.why })
  const traceId = sent.headers.get('svc-trace-id') ?? undefined
  return new SwitchboardProblem(operation, { status: sent.status, body: sent.body, traceId, retryAfterMs })
}

/** `Retry-After` in milliseconds; the header has seconds or a date. */
function waitOf(sent: Sent, clock: Clock): number | undefined {
  const text = sent.arrived ? sent.headers.get('retry-after') : null
  if (text === null) return undefined
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1_000
  const atMs = Date.parse(text)
  return Number.isNaN(atMs) ? undefined : Math.max(0, atMs - clock.nowMs())
}
