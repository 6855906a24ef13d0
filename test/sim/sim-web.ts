import type { Clock } from '../../src/kernel/clock.ts'
import type { Web, WebAnswer, WebRequest } from '../../src/ports/web.ts'

/** What a scripted server answers: a body (made into JSON unless it is text), or one of the port's failures. */
export interface SimAnswer {
  /** Default 200. */
  readonly status?: number
  readonly body?: unknown
  /** Default `application/json`. */
  readonly contentType?: string
  /** A failure instead of an answer. */
  readonly fails?: Exclude<WebAnswer['outcome'], 'answered'>
  /** How long the answer takes; longer than the request's time-out, and the request times out. Default 20 ms. */
  readonly afterMs?: number
}

const USUAL_MS = 20
const KEPT_MAX = 10_000

/** Servers that exist only as a table: `GET /CaseInfo/4711` → what comes back. */
export class SimWeb implements Web {
  readonly #clock: Clock
  readonly #answers = new Map<string, readonly SimAnswer[]>()
  readonly #asked = new Map<string, number>()
  readonly #requests: WebRequest[] = []
  readonly #problems: string[] = []

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Everything that was asked, in order. */
  get requests(): readonly WebRequest[] {
    return this.#requests
  }

  /** Requests without a scripted answer. A test must find this empty (flow-language.md 5.2). */
  get problems(): readonly string[] {
    return this.#problems
  }

  /** Scripts `METHOD /path?query`, whatever the host. Several answers are given in turn; the last one repeats. */
  on(methodAndPath: string, ...answers: readonly SimAnswer[]): this {
    this.#answers.set(methodAndPath, answers)
    return this
  }

  /** How often `METHOD /path?query` was asked. */
  count(methodAndPath: string): number {
    return this.#asked.get(methodAndPath) ?? 0
  }

  request(request: WebRequest, done: (answer: WebAnswer) => void): { cancel(): void } {
    if (this.#requests.length < KEPT_MAX) this.#requests.push(request)
    const key = `${request.method} ${pathOf(request.url)}`
    const asked = this.count(key)
    this.#asked.set(key, asked + 1)
    const scripted = this.#answers.get(key)
    const answer = scripted?.[Math.min(asked, scripted.length - 1)]
    if (!answer) this.#problems.push(`nobody scripted ${key}; add it with on('${key}', …)`)
    const afterMs = answer?.afterMs ?? USUAL_MS
    const isLate = afterMs > request.timeoutMs
    return this.#clock.schedule(this.#clock.nowMs() + Math.min(afterMs, request.timeoutMs), () =>
      done(isLate ? { outcome: 'timeout', why: `no answer within ${request.timeoutMs} ms` } : toWebAnswer(answer)),
    )
  }
}

function toWebAnswer(answer: SimAnswer | undefined): WebAnswer {
  if (!answer) return { outcome: 'network', why: 'nobody scripted this request' }
  if (answer.fails) return { outcome: answer.fails, why: 'as scripted' }
  const { status = 200, body = {}, contentType = 'application/json' } = answer
  return { outcome: 'answered', status, body: typeof body === 'string' ? body : JSON.stringify(body), contentType }
}

function pathOf(url: string): string {
  const { pathname, search } = URL.parse(url) ?? { pathname: url, search: '' }
  return pathname + search
}
