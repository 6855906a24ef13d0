/** What the client throws: one kind of error for whatever went wrong, so that one `catch` serves every operation. */

/** One thing wrong with a request; `path` as `callTasks[3].callNumberList`. */
export interface FieldProblem {
  readonly path: string
  readonly code: string
  readonly message: string
}

/** The problem in the server's words (RFC 9457, D-06), or that no answer came. */
export class SwitchboardProblem extends Error {
  override readonly name = 'SwitchboardProblem'
  /** The operation that was asked for. */
  readonly operation: string
  /** HTTP status; 0 when no answer came. */
  readonly status: number
  /** The end of the problem's type, such as `validation` or `notFound`; `unreachable` when no answer came. */
  readonly kind: string
  /** Of a request that was not valid: each mistake. */
  readonly errors: readonly FieldProblem[]
  /** The contract's constant (contract.md §7): tells why an import was refused. */
  readonly statusCode: number | undefined
  /** Names the request in the server's log. */
  readonly traceId: string | undefined
  /** The server asked to wait so long, milliseconds. */
  readonly retryAfterMs: number | undefined

  constructor(operation: string, facts: ProblemFacts) {
    const { status, body, why, traceId, retryAfterMs } = facts
    const said = (typeof body === 'object' && body !== null ? body : {}) as SaidBody
    const kind = said.type?.split(':').at(-1)
    super(`${operation}: ${said.detail ?? said.statusText ?? why ?? `answered ${status}`}`)
    this.operation = operation
    this.status = status
    this.kind = kind ?? (status === 0 ? 'unreachable' : 'other')
    this.errors = said.errors ?? []
    this.statusCode = said.statusCode
    this.traceId = said.traceId ?? traceId
    this.retryAfterMs = retryAfterMs
  }
}

/** What is known of an answer that says no. */
export interface ProblemFacts {
  readonly status: number
  readonly body?: unknown
  /** In words, where there is no body. */
  readonly why?: string | undefined
  readonly traceId?: string | undefined
  readonly retryAfterMs?: number | undefined
}

interface SaidBody {
  readonly type?: string
  readonly detail?: string
  readonly errors?: readonly FieldProblem[]
  readonly statusCode?: number
  readonly statusText?: string
  readonly traceId?: string
}
