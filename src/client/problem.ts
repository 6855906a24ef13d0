/** An error in a request; `path` is for example `callTasks[3].callNumberList`. */
export interface FieldProblem {
  readonly path: string
  readonly code: string
  readonly message: string
}

/** An error response of the server (RFC 9457, D-06), or the absence of a response. */
export class SwitchboardProblem extends Error {
  override readonly name = 'SwitchboardProblem'
  readonly operation: string
  /** HTTP status; 0 without a response. */
  readonly status: number
  /** Last part of the problem's type, such as `validation`; `unreachable` without a response. */
  readonly kind: string
  /** All errors of an invalid request. */
  readonly errors: readonly FieldProblem[]
  /** Error code of the contract (contract.md §7), for refused imports. */
  readonly statusCode: number | undefined
  /** Identifies the request in the server log. */
  readonly traceId: string | undefined
  /** `Retry-After` in milliseconds. */
  readonly retryAfterMs: number | undefined

  constructor(operation: string, facts: ProblemFacts) {
    const { status, body, why, traceId, retryAfterMs } = facts
    const problem = (typeof body === 'object' && body !== null ? body : {}) as ProblemBody
    const kind = problem.type?.split(':').at(-1)
    super(`${operation}: ${problem.detail ?? problem.statusText ?? why ?? `answered ${status}`}`)
    this.operation = operation
    this.status = status
    this.kind = kind ?? (status === 0 ? 'unreachable' : 'other')
    this.errors = problem.errors ?? []
    this.statusCode = problem.statusCode
    this.traceId = problem.traceId ?? traceId
    this.retryAfterMs = retryAfterMs
  }
}

/** Facts of a failed request. */
export interface ProblemFacts {
  readonly status: number
  readonly body?: unknown
  /** Explanation if there is no body. */
  readonly why?: string | undefined
  readonly traceId?: string | undefined
  readonly retryAfterMs?: number | undefined
}

interface ProblemBody {
  readonly type?: string
  readonly detail?: string
  readonly errors?: readonly FieldProblem[]
  readonly statusCode?: number
  readonly statusText?: string
  readonly traceId?: string
}
