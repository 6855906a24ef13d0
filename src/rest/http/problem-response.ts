/** Error bodies: RFC 9457 with the two additional fields of the contract (D-06). */
import type { Answer } from './answer.ts'
import { type FieldError, KINDS, type Problem, type ProblemKind } from './problem-kinds.ts'

interface ProblemBody {
  readonly type: string
  readonly title: string
  readonly status: number
  readonly detail: string
  readonly instance: string
  readonly traceId: string
  readonly errors?: readonly FieldError[]
  /** Fields of the contract, for clients that read errors of every operation alike. Always 1: unknown error. */
  readonly statusCode: number
  readonly statusText: string
}

/** STATUS_CODE_UNKNOWN_ERROR (contract.md §7). */
const STATUS_CODE_UNKNOWN_ERROR = 1

/** The HTTP status of a kind. */
export function statusOf(kind: ProblemKind): number {
  return KINDS[kind][0]
}

/** The error body. `instance` is the requested path without the query. */
export function problemBody(problem: Problem, instance: string, traceId: string): ProblemBody {
  const { kind, detail, errors } = problem
  const [status, title] = KINDS[kind]
  return {
    // A URN, because no web page describes the kinds.
    type: `urn:switchboard:problem:${kind}`,
    title,
    status,
    detail,
    instance,
    traceId,
    ...(errors && errors.length > 0 && { errors }),
    statusCode: STATUS_CODE_UNKNOWN_ERROR,
    statusText: `${title}: ${detail}`,
  }
}

/** An error answer, with headers such as `Retry-After`. */
export function refuse(
  kind: ProblemKind,
  detail: string,
  more: { readonly errors?: readonly FieldError[]; readonly headers?: Readonly<Record<string, string>> } = {},
): Answer {
  const { errors, headers } = more
  return {
    status: statusOf(kind),
    problem: { kind, detail, ...(errors && { errors }) },
    ...(headers && { headers }),
  }
}

/** Error 507. */
export function noRoom(): Answer {
  return refuse('diskFull', 'the disk is full and nothing was stored; retry when the operator has freed space')
}

/** Thrown where an answer cannot be returned; ends the request with its answer. */
export class Refusal extends Error {
  override readonly name = 'Refusal'
  readonly answer: Answer

  constructor(answer: Answer) {
    super(answer.problem?.detail ?? 'refused')
    this.answer = answer
  }
}
