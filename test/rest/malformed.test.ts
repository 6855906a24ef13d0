/** Requests made from the declarations and then spoiled: no answer is a mistake of ours, and each is as declared. */
import fc from 'fast-check'
import type { TSchema } from 'typebox'
import { Compile } from 'typebox/compile'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { UserId } from '../../src/ports/people.ts'
import type { CredentialValues } from '../../src/rest/credential-values.ts'
import { type Route, SCOPES } from '../../src/rest/route.ts'
import { OURS, THEIRS } from './rest-world.ts'
import { openWholeWorld, settle, type Tenant, type WholeWorld } from './whole-world.ts'

/** F-I3, G17: 5,000 with every change, more with `MALFORMED`. A failing run says with which `MALFORMED_SEED`. */
const REQUESTS = Number(process.env['MALFORMED'] ?? 5_000)
const SEED = Number(process.env['MALFORMED_SEED'] ?? 1)

let world: WholeWorld
let us: Tenant
let as: CredentialValues
let judges: Judges

beforeAll(async () => {
  world = await openWholeWorld(false)
  us = await settle(world, OURS, 'ours', 1)
  // An agent of the set-up with every right: nothing is refused before it is read.
  const user = { id: us.ids['userId'] as UserId, userName: 'user-ours', active: true }
  as = await world.credential(SCOPES, [OURS], { user })
  await settle(world, THEIRS, 'theirs', 2)
  judges = judgesOf((await world.call('GET', '/openapi.json')).body)
})
afterAll(() => world.close())

interface Shape {
  readonly type?: string
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly properties?: Readonly<Record<string, Shape>>
  readonly required?: readonly string[]
  readonly items?: Shape
  readonly anyOf?: readonly Shape[]
}

/** What no field was made for. */
const NASTY = fc.oneof(
  fc.constantFrom<unknown>(
    ...['', ' ', '\u0000', '\ud800', '\u202e', "'; drop table users; --", '%', '_', '\\', '\r\nX: y', '../../etc'],
    ...[
      '1e400',
      '-0',
      '٣٤٥',
      '１２',
      'NaN',
      'true',
      'null',
      '[object Object]',
      '${7*7}',
      '{{7}}',
      '$1',
      'x'.repeat(5_000),
    ],
    ...[-1, 0, 1.5, 2 ** 31, 2 ** 53, 1e308, -(2 ** 53), 5e-324, true, false, null],
    ...[[], {}, [[]], [null], { toString: 1 }, { constructor: { prototype: {} } }, { length: 3 }],
    ...['2026-02-30T00:00:00Z', '9999-12-31T23:59:59Z', '+275760-09-13T00:00:00Z', '2026-01-02', 8.64e15, -8.64e15],
  ),
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.double(),
  fc.jsonValue({ maxDepth: 3 }),
)

const INSTANTS = ['2026-01-02T03:04:05Z', '2026-01-02T03:04:05.678+02:00', 1_767_322_800_000]
const WINDOW = { days: [1, 2], from: '08:00', to: '20:00', timeZone: 'Europe/Copenhagen' }
const TASK = { callReceiverName: 'Jane', callNumberList: ['+4526100777'] }
/** What a field of a name takes, where its declaration does not say. */
const HINTS: Readonly<Record<string, readonly unknown[]>> = {
  ...{ url: ['https://a.example.com/hook'], popupUrlTemplate: ['https://a.example.com/?no={$CODE}'] },
  ...{ urlTemplate: ['https://a.example.com/CaseInfo/{caseNumber}'], ipAllowList: ['10.0.0.0/8', '2001:db8::/32'] },
  ...{ from: INSTANTS, to: INSTANTS, callBackTs: INSTANTS, expiresTs: ['2027-01-02T03:04:05Z'], types: [] },
  ...{ numbers: ['+4526100888'], after: [], sort: ['itcaId', '-nextCallTs'], overlapHours: [1], on: [true] },
  ...{ maxCallAttempts: [3], minCallIntervalHours: [4], timeoutMs: [1_000], offset: [0], size: [10] },
  ...{ callerId: ['+4570001000'], dialMode: ['progressive'], callWindows: [[WINDOW], []], linesPerAgent: [1, 1.5] },
  callTasks: [[TASK], [TASK, { ...TASK, properties: [{ emprId: 1, value: null }] }], [{}], [null, 7, 'x']],
}

/** What fits, now and then with an id that there is; otherwise what fits by accident at most. */
function fitting(shape: Shape, name: string): fc.Arbitrary<unknown> {
  const { type, properties, items, anyOf, enum: choices } = shape
  if (shape.const !== undefined) return fc.constant(shape.const)
  if (choices) return fc.constantFrom(...choices)
  if (anyOf) return fc.oneof(...anyOf.map((choice) => fitting(choice, name)))
  const known = HINTS[name] ?? [us.ids[name.replace(/s$/, '')] ?? us.ids[name] ?? []].flat()
  const some = (others: fc.Arbitrary<unknown>) => {
    if (known.length === 0) return others
    return fc.oneof({ weight: 6, arbitrary: fc.constantFrom<unknown>(...known) }, { weight: 1, arbitrary: others })
  }
  switch (type) {
    case 'integer':
    case 'number':
      return some(fc.integer({ min: -2, max: 200 }))
    case 'boolean':
      return fc.boolean()
    case 'null':
      return fc.constant(null)
    case 'array':
      return fc.array(items ? spoiled(items, name) : NASTY, { maxLength: 3 })
    case 'object':
      return properties ? fieldsOf(shape) : NASTY
    case 'string':
      return some(fc.oneof(fc.constantFrom(...TEXTS), fc.string({ maxLength: 20 })))
    default:
      return some(fc.oneof(fc.constantFrom<unknown>(...TEXTS, 7, true), NASTY))
  }
}

const TEXTS = [
  'phone-call.ended',
  '2026-01-02T03:04:05Z',
  'https://a.example.com/x?no={$CODE}',
  '+4526100001',
  'itcaId',
]

/** Mostly what fits: a request that is wrong at once tries nothing behind it. */
function spoiled(shape: Shape, name: string): fc.Arbitrary<unknown> {
  return fc.oneof({ weight: 30, arbitrary: fitting(shape, name) }, { weight: 1, arbitrary: NASTY })
}

function fieldsOf({ properties = {}, required = [] }: Shape): fc.Arbitrary<unknown> {
  const names = Object.keys(properties)
  const fields = Object.fromEntries(names.map((name) => [name, spoiled(properties[name] ?? {}, name)]))
  const optional = names.filter((name) => !required.includes(name))
  // Most of a long list of fields is left out, or hardly a request of many fields would be right.
  const left = fc.subarray(optional, { maxLength: optional.length > 6 ? 3 : optional.length })
  const made = left.chain((kept) =>
    fc.record(Object.fromEntries([...required, ...kept].map((name) => [name, fields[name] ?? NASTY]))),
  )
  const strange = fc.dictionary(fc.constantFrom('x', 'constructor', 'corporationId', 'creator', 'toString'), NASTY, {
    maxKeys: 1,
  })
  return fc.oneof(
    { weight: 10, arbitrary: made },
    { weight: 1, arbitrary: fc.tuple(made, strange).map(([fields, more]) => ({ ...(fields as object), ...more })) },
  )
}

/** One request over the wire. */
interface Request {
  /** Method and path, as they are declared. */
  readonly name: string
  readonly path: string
  readonly text: string | undefined
  readonly headers: Readonly<Record<string, string>>
}

const BROKEN = fc.tuple(fc.nat(), fc.constantFrom('cut', 'doubled', 'byte', 'deep', 'proto', 'twice'))

/** JSON that is none any more, or more than anybody sends. */
function broken(text: string, at: number, how: string): string {
  const place = text.length === 0 ? 0 : at % text.length
  const forms: Readonly<Record<string, string>> = {
    cut: text.slice(0, place),
    doubled: text + text,
    byte: `${text.slice(0, place)}\u0000${text.slice(place + 1)}`,
    deep: `${'['.repeat(40)}${text}${']'.repeat(40)}`,
    proto: text.replace('{', '{"__proto__":{"scopes":["admin"]},'),
    twice: text.replace('{', '{"name":1,"name":"b","limit":2,"limit":3,'),
  }
  return forms[how] ?? text
}

const KEYS = fc.oneof(
  { weight: 8, arbitrary: fc.constant({}) },
  { weight: 1, arbitrary: fc.constantFrom({ 'idempotency-key': 'again' }, { 'idempotency-key': 'x'.repeat(300) }) },
  {
    weight: 1,
    arbitrary: fc.constantFrom({ range: 'bytes=5-1' }, { 'content-type': 'text/xml' }, { 'if-none-match': '*' }),
  },
)

function requestOf(route: Route): fc.Arbitrary<Request> {
  const part = (schema: TSchema | undefined) => (schema ? fieldsOf(schema as Shape) : fc.constant({}))
  const body = route.body
    ? fc.tuple(spoiled(route.body as Shape, ''), fc.option(BROKEN, { freq: 10 })).map(([value, wrong]) => {
        const text = JSON.stringify(value) ?? ''
        return wrong ? broken(text, wrong[0], wrong[1]) : text
      })
    : fc.constant(undefined)
  return fc.tuple(part(route.params), part(route.query), body, KEYS).map(([params, query, text, headers]) => {
    const path = route.path.replaceAll(/\{(\w+)\}|:(\w+)/g, (_whole, a?: string, b?: string) => {
      return encodeURIComponent(asText((params as Record<string, unknown>)[a ?? b ?? '']).slice(0, 200)) || '0'
    })
    const pairs = Object.entries(query as object).map(([name, value]) => [name, asText(value)] as [string, string])
    return {
      name: nameOf(route),
      path: pairs.length > 0 ? `${path}?${new URLSearchParams(pairs)}` : path,
      text,
      headers,
    }
  })
}

const nameOf = ({ method, path }: Route) => `${method} ${path}`

function asText(value: unknown): string {
  const text = Array.isArray(value)
    ? value.map(asText).join(',')
    : typeof value === 'object'
      ? JSON.stringify(value)
      : String(value)
  return text.toWellFormed().slice(0, 1_000)
}

type Judges = (name: string, status: number, type: string, body: unknown) => string | undefined

/** Answers held against the OpenAPI document that clients read. */
function judgesOf(document: OpenApi): Judges {
  const known = new Map<string, ReturnType<typeof Compile>>()
  const operations = new Map(
    Object.values(document.paths)
      .flatMap((path) => Object.entries(path))
      .map(([, operation]) => [operation.operationId, operation]),
  )
  return (route, status, type, body) => {
    const [method = '', path = ''] = route.split(' ')
    const name = `${method.toLowerCase()}${path
      .split(/[^A-Za-z0-9]+/)
      .map(capital)
      .join('')}`
    const operation = operations.get(name)
    if (!operation) return `no operation ${name} in the document`
    const response = operation.responses[String(status)] ?? operation.responses['default']
    const media = Object.entries(response?.content ?? {}).find(([media]) => type.startsWith(media))
    if (!media) return body === undefined ? undefined : `${status} ${type} is not declared`
    const schema = '$ref' in media[1].schema ? document.components.schemas['Problem'] : media[1].schema
    const key = `${name} ${'$ref' in media[1].schema ? 'problem' : status}`
    const validator = known.get(key) ?? Compile(schema as TSchema)
    known.set(key, validator)
    return validator.Check(body) ? undefined : `${status} ${JSON.stringify(validator.Errors(body)).slice(0, 500)}`
  }
}

const capital = (word: string) => word.slice(0, 1).toUpperCase() + word.slice(1)

interface OpenApi {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: { readonly schemas: Readonly<Record<string, object>> }
}

interface Operation {
  readonly operationId: string
  readonly responses: Readonly<
    Record<string, { readonly content?: Readonly<Record<string, { readonly schema: object }>> }>
  >
}

/** What would tell somebody about our inside. */
const INSIDE = /\bat \/|node_modules|\bpg_|syntax error at|\bSELECT |\bduplicate key|violates|ECONN/

/** After these nothing would be left to try the others on; other tests try them. */
const ENDS = ['DELETE /core/webhooks/{webhookId}', 'DELETE /core/tokens/{rcntrl}', 'POST /core/tokens/{rcntrl}/rotate']

const NAME = `${REQUESTS} spoiled requests: nothing breaks, every answer is as the reference says (F-I3, F-I7, F-I8)`

test(NAME, async () => {
  const routes = world.routes.filter((route) => !ENDS.includes(nameOf(route)))
  const statuses = new Map<string, number>()
  const request = fc.constantFrom(...routes).chain(requestOf)
  const isHeld = async ({ name, path, text, headers }: Request) => {
    const options = { as, headers, ...(text !== undefined && { text }) }
    const {
      status,
      headers: said,
      text: answer,
      body,
    } = await world.call(name.split(' ')[0] ?? '', path, undefined, options)
    statuses.set(`${name} ${Math.floor(status / 100)}`, (statuses.get(`${name} ${Math.floor(status / 100)}`) ?? 0) + 1)
    const told = `${name} ${path} ${text} → ${status} ${answer.slice(0, 500)}`
    expect(status, told).toBeLessThan(500)
    expect(answer.replaceAll(text ?? '\u0000', ''), told).not.toMatch(INSIDE)
    expect(judges(name, status, said['content-type'] ?? '', body), told).toBeUndefined()
  }
  await fc.assert(fc.asyncProperty(request, isHeld), { numRuns: REQUESTS, seed: SEED, endOnFailure: true })
  // The requests would prove little if they were all refused, or all good.
  const good = routes.filter((route) => statuses.has(`${nameOf(route)} 2`))
  const refused = routes.filter((route) => statuses.has(`${nameOf(route)} 4`))
  expect(good.length).toBeGreaterThan(routes.length * 0.8)
  expect(refused.length).toBeGreaterThan(routes.length * 0.8)
  const alive = await world.call('GET', '/core/activeuser', undefined, { as })
  expect(alive.status).toBe(200)
}, 300_000)
