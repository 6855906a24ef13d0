import type { TSchema } from 'typebox'
import { problemBody } from '../http/problem-response.ts'
import type { Route } from '../http/route.ts'
import { exampleOf } from './examples.ts'
import { describe } from './field-descriptions.ts'

export type Json = Readonly<Record<string, unknown>>

const PROBLEM_REF = { $ref: '#/components/schemas/Problem' }
const PROBLEM_TYPE = 'application/problem+json'

const STATUS_TEXTS: Readonly<Record<string, string>> = {
  '200': 'Success',
  '201': 'Created; Location is the URL of the new resource',
  '202': 'Accepted; processing continues',
  '204': 'Success; the body is empty',
  '206': 'The requested byte range',
  '304': 'Not modified',
  '400': 'The request is malformed or invalid; nothing was changed',
  '401': 'The three credential values are missing, wrong, expired or revoked',
  '403': 'The credential lacks the scope',
  '404': 'Not found, or owned by another corporation',
  '409': 'Conflict with the current state, or a request with the same idempotency key is still running',
  '412': 'The resource was changed since it was read',
  '413': 'The request exceeds a size limit',
  '415': 'The media type is not supported',
  '416': 'The range is outside the file',
  '422': 'The idempotency key was used for another request',
  '429': 'Too many requests; retry after the time in Retry-After',
  '503': 'The node cannot serve requests now; call the state operation again and retry once',
  '507': 'The disk is full; nothing was stored',
}

/** All responses of an operation, by status. */
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
  return STATUS_TEXTS[status] ?? 'Response'
}

function goodAnswer({ produces, example }: Route, status: string, schema: TSchema): Json {
  const isGood = status.startsWith('2')
  const shown = plain(schema) as { readonly type?: string }
  const isList = isGood && shown.type === 'array'
  const headers = { ...COMMON_HEADERS, ...(isList && TOTAL_HEADERS) }
  const description = isList
    ? `${describeAnswer(status)}; the headers contain the total number of entries`
    : describeAnswer(status)
  if (status === '204' || status === '304') return { description, headers }
  const given = isGood ? example?.answer : undefined
  const sample = given ?? exampleOf(schema, true)
  if (produces !== undefined && produces !== 'json' && isGood) {
    const other = produces === 'csv' ? CSV : { 'application/octet-stream': { schema: BYTES } }
    // Clients that accept JSON get a JSON form.
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
  return { description: 'Error (RFC 9457)', headers: COMMON_HEADERS, content }
}

/** The import has its own error body (contract.md §2.2). */
function ownProblem(form: TSchema | undefined): Json {
  if (!form) return aProblem()
  const content = { 'application/json': { schema: plain(form), example: exampleOf(form, true) } }
  return { description: 'Error', headers: COMMON_HEADERS, content }
}

const header = (description: string, example: unknown) => ({ description, schema: { type: 'string' }, example })
const reference = (name: string) => [name, { $ref: `#/components/headers/${name}` }] as const

/** Headers that all responses share. */
export const HEADERS = {
  'svc-trace-id': header('Identifies the request in the server log; taken from the request if present', 'm4x-7q2k'),
  'svc-api-version': header('API version; additions increase the minor version', '1.0.0'),
  'svc-total-found': header('Total number of entries', '2'),
  totalfound: header('Same value as svc-total-found', '2'),
} as const

const COMMON_HEADERS = Object.fromEntries([reference('svc-trace-id'), reference('svc-api-version')])
const TOTAL_HEADERS = Object.fromEntries([reference('svc-total-found'), reference('totalfound')])

/** A schema as plain JSON; a field without a description gets the default of its name (`field-descriptions.ts`). */
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
  const description = describe(name)?.description
  return description === undefined ? field : { ...field, description }
}

const text = (description: string) => ({ type: 'string', description })
const FIELD_ERROR = {
  type: 'object',
  required: ['path', 'code', 'message'],
  properties: {
    path: text('Path of the field, for example callTasks[3].callNumberList'),
    code: text('Error code, for programs'),
    message: text('What is wrong, for people'),
  },
}

/** Error body: RFC 9457 with the two additional fields of the contract (D-06). */
export const PROBLEM = {
  type: 'object',
  description: 'RFC 9457 with the two additional fields of the contract',
  required: ['type', 'title', 'status', 'detail', 'instance', 'traceId', 'statusCode', 'statusText'],
  properties: {
    type: text('Error type: urn:switchboard:problem: followed by its name'),
    title: text('Error type as text'),
    status: { type: 'integer', description: 'HTTP status' },
    detail: text('What is wrong, where, and how to fix it'),
    instance: text('Requested path'),
    traceId: text('Identifies the request in the server log'),
    errors: { type: 'array', description: 'All errors of the request', items: FIELD_ERROR },
    statusCode: { type: 'integer', description: 'Error code of the contract; 1: unknown error' },
    statusText: text('Title and detail combined'),
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
