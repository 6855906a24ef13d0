/** What is said when something cannot be done: RFC 9457, with the contract's two fields beside it (D-06). */

import type { Answer } from './answer.ts'
import { type FieldError, KINDS, type Problem, type ProblemKind } from './problem-kinds.ts'

/** The body of a problem (RFC 9457, D-06). */
export interface ProblemBody {
  readonly type: string
  readonly title: string
  readonly status: number
  readonly detail: string
  readonly instance: string
  readonly traceId: string
  readonly errors?: readonly FieldError[]
  /** The contract's own fields, so that one reader of errors serves every operation. Always 1: unknown error. */
  readonly statusCode: number
  readonly statusText: string
}

/** STATUS_CODE_UNKNOWN_ERROR (contract.md §7). */
const STATUS_CODE_UNKNOWN_ERROR = 1

/** HTTP status of a kind. */
export function statusOf(kind: ProblemKind): number {
  return KINDS[kind][0]
}

/** The body of a problem. `instance` is the path as it was asked, without its query. */
export function problemBody(problem: Problem, instance: string, traceId: string): ProblemBody {
  const { kind, detail, errors } = problem
  const [status, title] = KINDS[kind]
  return {
    // Our choice: a name and no address, because nobody serves a page about each.
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

/** An operation's answer that says no. `headers` for what belongs to it, such as `Retry-After`. */
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

/** Nothing of the request was kept. */
export function noRoom(): Answer {
  return refuse('diskFull', 'there is no room on our disk; nothing was kept. Try again when our operator has made some')
}

/** What operations throw from deep inside where a value cannot be handed up: ends this one request. */
export class Refusal extends Error {
  override readonly name = 'Refusal'
  readonly answer: Answer

  constructor(answer: Answer) {
    super(answer.problem?.detail ?? 'refused')
    this.answer = answer
  }
}
