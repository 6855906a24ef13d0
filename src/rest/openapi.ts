/** The OpenAPI 3.1 document, made from the very declarations that check requests. */
import type { TSchema } from 'typebox'
import { aliasesOf } from './canonical-path.ts'
import { API_VERSION } from './http-app.ts'
import type { Route } from './route.ts'

/** A document, as JSON. */
export type OpenApi = Readonly<Record<string, unknown>>

/** All three at once: one requirement with three parts means AND. */
const ALL_THREE = [{ tokenv2: [], rcntrl: [], ccntrl: [] }]

const HEADERS = {
  tokenv2: 'The secret of the credential',
  rcntrl: 'Its public id',
  ccntrl: 'Its check value',
}

/** Writes down every operation once, at the spelling of the contract (D-01). */
export function openApiDocument(routes: readonly Route[]): OpenApi {
  const paths: Record<string, Record<string, unknown>> = {}
  for (const route of routes) {
    const shown = shownPath(route)
    paths[shown] = { ...paths[shown], [route.method.toLowerCase()]: operationOf(route, shown) }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Switchboard',
      version: API_VERSION,
      description:
        'Call tasks, calls, people and events of a call centre. Ask the state operation at the sign-on address for ' +
        'the endpoint, and everything else at that endpoint. Fields that are not described may be added at any time.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    paths,
    webhooks: WEBHOOKS,
    components: { securitySchemes: securitySchemes(), schemas: { Problem: PROBLEM, Event: EVENT } },
  }
}

/** `{itcaId}`, whichever way the declaration writes parameters. */
function shownPath({ contractPath, path }: Route): string {
  return (contractPath ?? path).replaceAll(/:(\w+)/g, '{$1}')
}

function operationOf(route: Route, shown: string): OpenApi {
  const { method, path, summary, description, scope, body, example } = route
  const needs = scope === undefined ? 'no credential' : scope === 'any' ? 'any credential' : `scope ${scope}`
  return {
    operationId: `${method.toLowerCase()}${nameOf(path)}`,
    tags: [tagOf(path)],
    summary,
    description: [description, `Needs ${needs}.`].filter((text) => text !== undefined).join('\n\n'),
    'x-aliases': aliasesOf(path.replaceAll(/:(\w+)/g, '{$1}'), shown),
    ...(scope !== undefined && scope !== 'any' && { 'x-scope': scope }),
    security: scope === undefined ? [] : ALL_THREE,
    parameters: [...parametersOf(route), ...(method === 'POST' && scope !== undefined ? [IDEMPOTENCY_KEY] : [])],
    ...(body && { requestBody: requestBody(route, body, example?.body) }),
    responses: responsesOf(route),
  }
}

const IDEMPOTENCY_KEY = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description: 'The same key and request within 24 h get the same answer and do nothing twice',
  schema: { type: 'string', maxLength: 255 },
}

interface Fields {
  readonly properties?: Readonly<Record<string, TSchema & { description?: string }>>
  readonly required?: readonly string[]
}

function parametersOf({ params, query }: Route): unknown[] {
  const of = (schema: TSchema | undefined, where: 'path' | 'query') => {
    const { properties = {}, required = [] } = (schema ?? {}) as Fields
    return Object.entries(properties).map(([name, field]) => ({
      name,
      in: where,
      required: where === 'path' || required.includes(name),
      ...(field.description !== undefined && { description: field.description }),
      schema: plain(field),
      // Lists stand in one parameter, divided by commas (D-05).
      ...(where === 'query' && { style: 'form', explode: false }),
    }))
  }
  return [...of(params, 'path'), ...of(query, 'query')]
}

function requestBody({ bodyMayBeAbsent }: Route, body: TSchema, example: unknown): OpenApi {
  const content = { schema: plain(body), ...(example !== undefined && { example }) }
  return { required: !bodyMayBeAbsent, content: { 'application/json': content } }
}

function responsesOf({ answers, produces, example, scope, problemBody }: Route): OpenApi {
  const good = Object.entries(answers).map(([status, schema]) => {
    const isBytes = produces === 'bytes' && status.startsWith('2')
    const shown = { schema: plain(schema), ...(example?.answer !== undefined && { example: example.answer }) }
    const content = isBytes
      ? { 'application/octet-stream': { schema: { type: 'string', format: 'binary' } } }
      : { 'application/json': shown }
    return [status, { description: STATUS_WORDS[status] ?? 'Answer', ...(status !== '204' && { content }) }] as const
  })
  const ownForm = problemBody && answers[400]
  const problem = {
    description: 'A problem',
    content: ownForm
      ? { 'application/json': { schema: plain(ownForm) } }
      : { 'application/problem+json': { schema: { $ref: PROBLEM_REF } } },
  }
  const refused = scope === undefined ? ['400', '429', '503'] : ['400', '401', '403', '429', '503']
  const bad = refused.filter((status) => !Object.hasOwn(answers, Number(status))).map((status) => [status, problem])
  return Object.fromEntries([...good, ...bad, ['default', problem]])
}

const STATUS_WORDS: Readonly<Record<string, string>> = { '200': 'Done', '201': 'Made', '204': 'Done, nothing to say' }

/** Without what only our own program knows: symbols and functions are no JSON. */
function plain(schema: TSchema): unknown {
  return JSON.parse(JSON.stringify(schema)) as unknown
}

/** `/v1/calltasks/{itcaId}/end` → `V1CalltasksItcaIdEnd`. */
function nameOf(path: string): string {
  return path
    .split(/[^A-Za-z0-9]+/)
    .filter((part) => part !== '')
    .map((part) => part[0]!.toUpperCase() + part.slice(1))
    .join('')
}

/** The section of the house that a path belongs to. */
function tagOf(path: string): string {
  return path.split('/')[1] ?? 'other'
}

function securitySchemes(): OpenApi {
  const schemes = Object.entries(HEADERS).map(([name, description]) => {
    return [name, { type: 'apiKey', in: 'header', name, description }] as const
  })
  return Object.fromEntries(schemes)
}

const PROBLEM_REF = '#/components/schemas/Problem'

const PROBLEM = {
  type: 'object',
  description: 'RFC 9457, with the two fields of the contract beside it',
  required: ['type', 'title', 'status', 'detail', 'instance', 'traceId', 'statusCode', 'statusText'],
  properties: {
    type: { type: 'string' },
    title: { type: 'string' },
    status: { type: 'integer' },
    detail: { type: 'string' },
    instance: { type: 'string' },
    traceId: { type: 'string' },
    errors: {
      type: 'array',
      items: {
        type: 'object',
        required: ['path', 'code', 'message'],
        properties: { path: { type: 'string' }, code: { type: 'string' }, message: { type: 'string' } },
      },
    },
    statusCode: { type: 'integer' },
    statusText: { type: 'string' },
  },
}

const EVENT = {
  type: 'object',
  description: 'Signed as Standard Webhooks: webhook-id, webhook-timestamp, webhook-signature (HMAC-SHA-256)',
  required: ['type', 'id', 'timestamp', 'phoneCallId', 'data'],
  properties: {
    type: { type: 'string' },
    id: { type: 'string' },
    timestamp: { type: 'string', format: 'date-time' },
    phoneCallId: { type: 'string', description: 'The call activity: look it up with calls/search' },
    phoneCallSummaryId: { type: 'string' },
    data: { type: 'object' },
  },
}

/** Interface §6. */
const WEBHOOKS = Object.fromEntries(
  [
    ['phone-call.ended', 'A call has ended'],
    ['phone-call-summary.creation', 'The summary of a call is ready'],
    ['phone-call-summary.update', 'The summary of a call has changed'],
  ].map(([name, summary]) => [
    name,
    {
      post: {
        summary,
        requestBody: { content: { 'application/json': { schema: { $ref: '#/components/schemas/Event' } } } },
        responses: { '2XX': { description: 'Taken; anything else is tried again' } },
      },
    },
  ]),
)
