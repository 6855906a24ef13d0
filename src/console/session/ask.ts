/** Requests of the console: the operations of the typed client, with the session of this browser. */
import { SwitchboardProblem } from '../../client/problem.ts'
import { type AnswerOf, type AnyRequest, type Asked, type OperationName, prepare } from '../../client/request.ts'

/** As long as the typed client waits; a network that swallows what is sent says nothing for minutes. */
const ANSWER_MAX_MS = 30_000
/** An agent who saves or dials stands still meanwhile. */
const ORDER_MAX_MS = 10_000
const ORDER: OperationName = 'POST /svcpbx/agents/me/orders'

/** Who is told that the session has ended; set once, by the query client. */
let onSignedOut = () => {}
/** Who is told that the node asks for a second factor first. */
let onOwed = () => {}

/** Of one session: a request may wait in the browser, and would leave it with the cookie of the next person. */
let session = new AbortController()

/** What begins and ends a session is no request of one: the stream may say that it is over before the answer comes. */
const BETWEEN: ReadonlySet<OperationName> = new Set(['POST /rest/core/session', 'POST /rest/core/session/logout'])

/** Gives up every request of the session that is under way. */
export function giveUp(): void {
  session.abort()
  session = new AbortController()
}

/** Tells `told` whenever the node no longer knows the session, and `owed` when it wants a second factor first. */
export function whenSignedOut(told: () => void, owed: () => void): void {
  onSignedOut = told
  onOwed = owed
}

/** Executes an operation and returns its answer. Throws `SwitchboardProblem`; `status` 0: no answer came. */
export async function ask<Name extends OperationName>(
  operation: Name,
  ...[request]: Asked<Name>
): Promise<AnswerOf<Name>> {
  const { method, path, headers, body } = prepare(operation, (request ?? {}) as AnyRequest, newKey)
  const patience = AbortSignal.timeout(operation === ORDER ? ORDER_MAX_MS : ANSWER_MAX_MS)
  const signal = BETWEEN.has(operation) ? patience : AbortSignal.any([patience, session.signal])
  const init = { method, headers: { ...headers, 'svc-console': '1' }, body: body ?? null, signal }
  const unanswered = (error: unknown) => {
    throw new SwitchboardProblem(operation, { status: 0, why: String(error) })
  }
  const response = await fetch(path, { ...init, redirect: 'error' }).catch(unanswered)
  const isJson = response.headers.get('content-type')?.includes('json')
  // Half an answer is none.
  const answer: unknown = await (isJson ? response.json() : response.text()).catch((error: unknown) =>
    response.ok ? unanswered(error) : undefined,
  )
  if (response.ok) return answer as AnswerOf<Name>
  const { status } = response
  if (status === 401) onSignedOut()
  const problem = new SwitchboardProblem(operation, { status, body: answer, retryAfterMs: waitOf(response) })
  if (status === 403 && problem.errors[0]?.path === 'secondFactor') onOwed()
  throw problem
}

/** Of an idempotency key: a request that is sent twice is carried out once. */
export function newKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}

function waitOf({ headers }: Response): number | undefined {
  const seconds = Number(headers.get('retry-after') ?? Number.NaN)
  return Number.isNaN(seconds) ? undefined : seconds * 1_000
}
