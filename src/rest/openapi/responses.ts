/** How answers, good ones and problems, stand in the OpenAPI document. */
import type { TSchema } from 'typebox'
import { problemBody } from '../http/problem.ts'
import type { Route } from '../http/route.ts'
import { exampleOf } from './examples.ts'
import { describe } from './field-descriptions.ts'

/** A piece of the document, as JSON. */
export type Json = Readonly<Record<string, unknown>>

const PROBLEM_REF = { $ref: '#/components/schemas/Problem' }
const PROBLEM_TYPE = 'application/problem+json'

const STATUS_WORDS: Readonly<Record<string, string>> = {
  '200': 'Done',
  '201': 'Made; Location is its address',
  '202': 'Begun',
  '204': 'Done, nothing to say',
  '206': 'The range that was asked for',
  '304': 'Not changed since',
  '400': 'Not understood or not valid; nothing was done',
  '401': 'The three values are missing, wrong, or not in force any more',
  '403': 'The credential lacks the scope',
  '404': 'Not found, or not yours',
  '409': 'Conflict with what is there; or the same idempotency key is still under way',
  '412': 'Changed since it was read',
  '413': 'More than is taken',
  '415': 'Another media type than is taken',
  '416': 'No byte of the file is in this range',
  '422': 'The idempotency key was used for another request',
  '429': 'Too many requests; wait as long as Retry-After says',
  '503': 'This node cannot serve just now: ask the state operation again, and try once more',
  '507': 'No room is left on the disk; nothing was kept',
}

/** Everything that an operation may answer, by status. */
export function answersOf(route: Route): Json {
  const { answers, scope, method, problemBody: own } = route
  const declared = Object.entries(answers).map(
    ([status, schema]) => [status, goodAnswer(route, status, schema)] as const,
  )
  const problem = own ? ownProblem(answers[400]) : aProblem()
  const known = scope === undefined ? ['400', '429', '503'] : ['400', '401', '403', '429', '503']
  const keyed = method === 'POST' && scope !== undefined ? ['409', '422'] : []
  const uploaded = route.upload ? ['507'] : []
  const refused = [...known, ...keyed, ...uploaded].filter((status) => !Object.hasOwn(answers, status))
  const problems = refused.map((status) => [status, { ...problem, description: describeAnswer(status) }] as const)
  return Object.fromEntries([...declared, ...problems, ['default', problem]])
}

function describeAnswer(status: string): string {
  return STATUS_WORDS[status] ?? 'An answer'
}

function goodAnswer({ produces, example }: Route, status: string, schema: TSchema): Json {
  const isGood = status.startsWith('2')
  const shown = plain(schema) as { readonly type?: string }
  const isList = isGood && shown.type === 'array'
  const headers = { ...COMMON_HEADERS, ...(isList && TOTAL_HEADERS) }
  const description = isList
    ? `${describeAnswer(status)}: a list, and in the headers how many there are`
    : describeAnswer(status)
  if (status === '204' || status === '304') return { description, headers }
  const given = isGood ? example?.answer : undefined
  const sample = given ?? exampleOf(schema, true)
  if (produces !== undefined && produces !== 'json' && isGood) {
    const other = produces === 'csv' ? CSV : { 'application/octet-stream': { schema: BYTES } }
    // Said in a form of its own to those who ask for it.
    const json = shown.type === undefined ? {} : { 'application/json': { schema: shown, example: sample } }
    return { description, headers, content: { ...other, ...json } }
  }
  const content = { schema: shown, ...(sample !== undefined && { example: sample }) }
  return { description, headers, content: { 'application/json': content } }
}

const CSV = { 'text/csv': { schema: { type: 'string' }, example: 'Name;Phone\r\n' } }
const BYTES = { type: 'string', format: 'binary' }

function aProblem(): Json {
  const content = { [PROBLEM_TYPE]: { schema: PROBLEM_REF } }
  return { description: 'A problem (RFC 9457)', headers: COMMON_HEADERS, content }
}

/** An operation with an error body of its own: the import (contract.md §2.2). */
function ownProblem(form: TSchema | undefined): Json {
  if (!form) return aProblem()
  const content = { 'application/json': { schema: plain(form), example: exampleOf(form, true) } }
  return { description: 'A problem', headers: COMMON_HEADERS, content }
}

const header = (description: string, example: unknown) => ({ description, schema: { type: 'string' }, example })
const reference = (name: string) => [name, { $ref: `#/components/headers/${name}` }] as const

/** Headers that answers share, for the components. */
export const HEADERS = {
  'svc-trace-id': header('Names this request in our log; taken over from the request where it brought one', 'm4x-7q2k'),
  'svc-api-version': header('Version of this interface: additions raise the second number', '1.0.0'),
  'svc-total-found': header('How many there are altogether', '2'),
  totalfound: header('The same: the contract has two names', '2'),
} as const

const COMMON_HEADERS = Object.fromEntries([reference('svc-trace-id'), reference('svc-api-version')])
const TOTAL_HEADERS = Object.fromEntries([reference('svc-total-found'), reference('totalfound')])

/**
 * A declaration as JSON, without what only our own program knows, and with words for the names that everybody should
 * know (`field-words.ts`) where it does not say more itself.
 */
export function plain(schema: TSchema): Json {
  return described(JSON.parse(JSON.stringify(schema)) as Json)
}

function described(schema: Json): Json {
  const of = (value: unknown) => described(value as Json)
  const { properties, items, anyOf, allOf } = schema as Readonly<Record<string, object | undefined>>
  return {
    ...schema,
    ...(properties && {
      properties: Object.fromEntries(Object.entries(properties).map(([name, field]) => [name, named(name, of(field))])),
    }),
    ...(items && { items: of(items) }),
    ...(Array.isArray(anyOf) && { anyOf: anyOf.map(of) }),
    ...(Array.isArray(allOf) && { allOf: allOf.map(of) }),
  }
}

function named(name: string, field: Json): Json {
  if (field['description'] !== undefined) return field
  const says = describe(name)?.says
  return says === undefined ? field : { ...field, description: says }
}

const text = (description: string) => ({ type: 'string', description })
const FIELD_ERROR = {
  type: 'object',
  required: ['path', 'code', 'message'],
  properties: {
    path: text('Where, as callTasks[3].callNumberList; never the value itself'),
    code: text('What kind of mistake, for programs'),
    message: text('What is wrong, for people'),
  },
}

/** The body of a problem: RFC 9457, with the two fields of the contract beside it (D-06). */
export const PROBLEM = {
  type: 'object',
  description: 'RFC 9457, with the two fields of the contract beside it',
  required: ['type', 'title', 'status', 'detail', 'instance', 'traceId', 'statusCode', 'statusText'],
  properties: {
    type: text('Which kind of problem: urn:switchboard:problem: and its name'),
    title: text('The kind in words'),
    status: { type: 'integer', description: 'The HTTP status once more' },
    detail: text('What is wrong, where, and what to do about it'),
    instance: text('The path that was asked for'),
    traceId: text('Names this request in our log'),
    errors: { type: 'array', description: 'Each single mistake of a request', items: FIELD_ERROR },
    statusCode: { type: 'integer', description: 'The contract’s constant; 1: unknown error' },
    statusText: text('Title and detail in one'),
  },
  example: problemBody(
    {
      kind: 'validation',
      detail: 'size: must be <= 1000',
      errors: [{ path: 'size', code: 'maximum', message: 'must be <= 1000' }],
    },
    '/rest/svcems/entity',
    'm4x-7q2k',
  ),
}
