/** The OpenAPI 3.1 document, built from the declarations that validate requests. */
import type { TSchema } from 'typebox'
import { aliasesOf } from '../http/canonical-path.ts'
import { API_VERSION } from '../http/http-app.ts'
import type { Route } from '../http/route.ts'
import type { UploadRules } from '../http/upload-rules.ts'
import { exampleOf } from './examples.ts'
import { describe } from './field-descriptions.ts'
import { answersOf, HEADERS, type Json, PROBLEM, plain } from './responses.ts'
import { EVENT, webhooksSection } from './webhook-events.ts'

export type OpenApi = Json

/** One requirement object with three schemes means that all three are required. */
const ALL_THREE = [{ tokenv2: [], rcntrl: [], ccntrl: [] }]

const VALUES = {
  tokenv2: 'Secret of the credential',
  rcntrl: 'Public id of the credential',
  ccntrl: 'Check value of the credential',
}

const TAGS: Readonly<Record<string, string>> = {
  api: 'Sign-on; served only at the sign-on address',
  core: 'Credentials, users, external systems, files, webhook subscriptions and events',
  dialer: 'Campaigns, call tasks, stop lists and the kill switch',
  svcdialer: 'Call task imports and call attempts',
  svcems: 'Activities (calls, emails, cases), contacts, and the lists that cases use',
  svcpbx: 'Queues, agents and events for flows',
  v1: 'The end of a call task',
  webhooks: 'Events that are sent to subscribers',
}

/** The section of state and login. */
const SIGN_ON = 'api'

/** Relative to the document: the node that serves it serves its operations. */
const NODE_SERVER = {
  url: '/',
  description: 'The endpoint that the state operation returns; each node serves this page',
}

/** A variable, because behind a proxy clients use another address. */
const signOnServer = (address: string) => ({
  url: '{signOn}',
  description: 'The sign-on address',
  variables: { signOn: { default: address, description: 'Serves the state operation and login, and nothing else' } },
})

const DESCRIPTION =
  'Call tasks, calls, contacts, cases and events of a call centre. Call the state operation at the sign-on address ' +
  'to get the endpoint, and send all other requests to that endpoint. New fields may be added at any time. Ids are ' +
  'integers; requests may also send them as strings. Timestamps are ISO 8601 in UTC.'

/**
 * Shows every operation once, under the contract's spelling of its path (D-01). `signOnUrl`: the address that serves
 * state and login; undefined where the node serves them.
 */
export function openApiDocument(routes: readonly Route[], signOnUrl?: string): OpenApi {
  const signOn = signOnUrl === undefined ? {} : { servers: [signOnServer(signOnUrl)] }
  const paths: Record<string, Record<string, unknown>> = {}
  for (const route of routes) {
    const shown = contractPath(route.path)
    paths[shown] = {
      ...paths[shown],
      [route.method.toLowerCase()]: { ...operationOf(route, shown), ...(tagOf(route.path) === SIGN_ON && signOn) },
    }
  }
  const used = new Set([...routes.map(({ path }) => tagOf(path)), 'webhooks'])
  return {
    openapi: '3.1.0',
    info: {
      title: 'Switchboard',
      version: API_VERSION,
      description: DESCRIPTION,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [NODE_SERVER],
    tags: [...used].map((name) => ({ name, description: TAGS[name] ?? name })),
    paths,
    webhooks: webhooksSection(),
    components: { securitySchemes: securitySchemes(), headers: HEADERS, schemas: { Problem: PROBLEM, Event: EVENT } },
  }
}

/** The contract spells these operations without `/rest`, and all others with it (D-01). */
const WITHOUT_REST = /^\/(dialer|svcdialer|v1|svcems\/calls|svcpbx\/(agents|flowevents))(\/|$)/

/** The path under which the reference shows an operation. */
export function contractPath(path: string): string {
  return WITHOUT_REST.test(path) ? path : `/rest${path}`
}

function operationOf(route: Route, shown: string): OpenApi {
  const { method, path, summary, description, scope, body } = route
  const needs = scope === undefined ? 'no credential' : scope === 'any' ? 'any credential' : `scope ${scope}`
  return {
    operationId: `${method.toLowerCase()}${nameOf(path)}`,
    tags: [tagOf(path)],
    summary,
    description: [description, `Requires ${needs}.`].filter((text) => text !== undefined).join('\n\n'),
    'x-aliases': aliasesOf(path, shown),
    ...(scope !== undefined && scope !== 'any' && { 'x-scope': scope }),
    security: scope === undefined ? [] : ALL_THREE,
    parameters: [...parametersOf(route), ...(method === 'POST' && scope !== undefined ? [IDEMPOTENCY_KEY] : [])],
    ...(body && { requestBody: requestBody(route, body) }),
    ...(route.upload && { requestBody: formBody(route.upload) }),
    responses: answersOf(route),
  }
}

const IDEMPOTENCY_KEY = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description: 'A request repeated with the same key within 24 h is not executed again and returns the first answer',
  schema: { type: 'string', maxLength: 255 },
  example: '5f1c2b7e9a',
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
      description: field.description ?? describe(name)?.description,
      schema: plain(field),
      // Lists are comma-separated (D-05).
      ...(where === 'query' && { style: 'form', explode: false }),
    }))
  }
  return [...of(params, 'path'), ...of(query, 'query')]
}

function requestBody({ bodyMayBeAbsent, example, shownBody }: Route, body: TSchema): OpenApi {
  const schema = shownBody ?? body
  const shown = example?.body ?? exampleOf(schema, false)
  const content = { schema: plain(schema), ...(shown !== undefined && { example: shown }) }
  return { required: !bodyMayBeAbsent, content: { 'application/json': content } }
}

/** RFC 7578: one part for each file, all with the same name. */
function formBody({ partName, filesMax, fileBytesMax }: UploadRules): OpenApi {
  const file = { type: 'string', format: 'binary', description: `At most ${fileBytesMax} bytes` }
  const files = { type: 'array', items: file, minItems: 1, maxItems: filesMax, description: 'One part for each file' }
  const schema = { type: 'object', required: [partName], properties: { [partName]: files } }
  return { required: true, content: { 'multipart/form-data': { schema } } }
}

/** `/v1/calltasks/{itcaId}/end` → `V1CalltasksItcaIdEnd`. */
function nameOf(path: string): string {
  return path
    .split(/[^A-Za-z0-9]+/)
    .filter((part) => part !== '')
    .map((part) => part[0]!.toUpperCase() + part.slice(1))
    .join('')
}

function tagOf(path: string): string {
  return path.split('/')[1] ?? 'other'
}

function securitySchemes(): OpenApi {
  const schemes = Object.entries(VALUES).map(([name, description]) => {
    return [name, { type: 'apiKey', in: 'header', name, description }] as const
  })
  return Object.fromEntries(schemes)
}
