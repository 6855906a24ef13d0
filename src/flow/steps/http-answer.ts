/** Classifies an answer to a http step: data, or one of the step's named ends (flow-language.md 3.2, 3.3). */
import type { WebAnswer } from '../../ports/web.ts'
import type { HttpSpec } from '../model/flow.ts'
import type { StepEnd } from './step-talk.ts'

/** Deeper JSON is a defect or an attack (F-E3). */
const DEPTH_MAX = 32

/** Statuses that say "ask again": the contract's own list (contract.md §5). */
const RETRY_STATUSES = [502, 503, 504]

/** What a valid answer must contain; the templates of `match` are filled in. */
export interface Expectation {
  readonly required: HttpSpec['required']
  /** Member → the value it must repeat. */
  readonly match: Readonly<Record<string, string>>
}

/** Whether a second try may help: the server was not reached, or a gateway says so. For GET only. */
export function mayRetry(answer: WebAnswer): boolean {
  return answer.outcome === 'network' || (answer.outcome === 'answered' && RETRY_STATUSES.includes(answer.status))
}

/** Classifies an answer. A doubtful answer is a separate end and never data: no caller hears "closed" on a guess. */
export function classifyAnswer(answer: WebAnswer, expectation: Expectation): StepEnd {
  switch (answer.outcome) {
    case 'timeout':
      return { end: 'timeout', why: answer.why }
    case 'tooLarge':
      return { end: 'malformed', why: answer.why }
    case 'network':
    case 'unavailable':
      return { end: 'unavailable', why: answer.why }
    case 'forbidden':
      return { end: 'failed', why: answer.why }
    case 'answered':
      if (answer.status === 404) return { end: 'notFound', why: 'status 404' }
      if (answer.status < 200 || answer.status > 299) {
        return { end: String(answer.status), why: `status ${answer.status}` }
      }
      return judgeBody(answer.body, expectation)
  }
}

function judgeBody(text: string, { required, match }: Expectation): StepEnd {
  const expectsMembers = required.length > 0 || Object.keys(match).length > 0
  if (text.trim() === '' && !expectsMembers) return { end: 'done', value: null }
  let body: unknown
  try {
    body = parseExactly(text)
  } catch {
    return { end: 'malformed', why: 'the answer is not JSON' }
  }
  if (!isShallow(body, DEPTH_MAX)) return { end: 'malformed', why: `the answer is nested over ${DEPTH_MAX} levels` }
  if (!expectsMembers) return { end: 'done', value: body }
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    return { end: 'malformed', why: 'the answer is not a JSON object' }
  }
  const missing = required.find((member) => !Object.hasOwn(body, member))
  if (missing !== undefined) return { end: 'malformed', why: `the answer has no "${missing}"` }
  for (const [member, wanted] of Object.entries(match)) {
    const found = Object.hasOwn(body, member) ? (body as Record<string, unknown>)[member] : undefined
    // The value stays out of the trace, because it belongs to another person. Of a list or an object it is no text.
    if (typeof found === 'object' || String(found) !== wanted)
      return { end: 'malformed', why: `the answer is about another ${member}` }
  }
  return { end: 'done', value: body }
}

/** JSON with an integer that a double cannot hold. */
const LONG_INTEGER = /\d{16}/

/**
 * JSON in which an integer that would lose digits is a text instead: payment references have up to 25 digits (ISO
 * 11649). Amounts stay numbers, however many decimals a service writes (decision calls-and-flows-24).
 */
function parseExactly(text: string): unknown {
  const body: unknown = JSON.parse(text)
  // The second reading calls itself for each level: deep JSON stays as it is, and is refused for its depth.
  if (!LONG_INTEGER.test(text) || !isShallow(body, DEPTH_MAX)) return body
  return JSON.parse(text, (_, value: unknown, context?: { readonly source?: string }) => {
    const isLossy = Number.isInteger(value) && !Number.isSafeInteger(value)
    return isLossy && /^-?\d+$/.test(context?.source ?? '') ? context!.source : value
  })
}

function isShallow(value: unknown, depth: number): boolean {
  if (typeof value !== 'object' || value === null) return true
  if (depth === 0) return false
  return Object.values(value).every((inner) => isShallow(inner, depth - 1))
}
