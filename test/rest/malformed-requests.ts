/** Requests made from the declarations and then damaged, for `malformed.test.ts` and `npm run malformed`. */
import fc from 'fast-check'
import type { TSchema } from 'typebox'
import type { Route } from '../../src/rest/http/route.ts'
import type { Ids } from './whole-world.ts'

/** These would end the world for the other requests: they get unknown ids. */
const ENDS = ['DELETE /core/webhooks/{webhookId}', 'DELETE /core/tokens/{rcntrl}', 'POST /core/tokens/{rcntrl}/rotate']

/** A random request of some operation. */
export function spoiledRequest(routes: readonly Route[], ids: Ids): fc.Arbitrary<SpoiledRequest> {
  return fc.constantFrom(...routes).chain((route) => requestOf(route, ENDS.includes(nameOf(route)) ? {} : ids))
}

interface Shape {
  readonly type?: string
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly properties?: Readonly<Record<string, Shape>>
  readonly required?: readonly string[]
  readonly items?: Shape
  readonly anyOf?: readonly Shape[]
}

/** Values that fit no field. */
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
/** Values for a field of this name if its declaration does not say. */
const HINTS: Readonly<Record<string, readonly unknown[]>> = {
  url: ['https://a.example.com/hook'],
  popupUrlTemplate: ['https://a.example.com/?no={$CODE}'],
  urlTemplate: ['https://a.example.com/CaseInfo/{caseNumber}'],
  ipAllowList: ['10.0.0.0/8', '2001:db8::/32'],
  from: INSTANTS,
  to: INSTANTS,
  callBackTs: INSTANTS,
  expiresTs: ['2027-01-02T03:04:05Z'],
  types: [],
  numbers: ['+4526100888'],
  after: [],
  sort: ['itcaId', '-nextCallTs'],
  overlapHours: [1],
  on: [true],
  maxCallAttempts: [3],
  minCallIntervalHours: [4],
  timeoutMs: [1_000],
  offset: [0],
  size: [10],
  callerId: ['+4570001000'],
  callerIds: [[{ number: '+4511111111', destinations: ['DK', '+4520'] }]],
  dialMode: ['progressive'],
  callWindows: [[WINDOW], []],
  linesPerAgent: [1, 1.5],
  callTasks: [[TASK], [TASK, { ...TASK, properties: [{ emprId: 1, value: null }] }], [{}], [null, 7, 'x']],
}

/** A fitting value, now and then with an existing id; otherwise a value that fits by accident at most. */
function fitting(shape: Shape, name: string, ids: Ids): fc.Arbitrary<unknown> {
  const { type, properties, items, anyOf, enum: choices } = shape
  if (shape.const !== undefined) return fc.constant(shape.const)
  if (choices) return fc.constantFrom(...choices)
  if (anyOf) return fc.oneof(...anyOf.map((choice) => fitting(choice, name, ids)))
  const known = HINTS[name] ?? knownOf(name, ids)
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
      return fc.array(items ? spoiled(items, name, ids) : NASTY, { maxLength: 3 })
    case 'object':
      return properties ? fieldsOf(shape, ids) : NASTY
    case 'string':
      return some(fc.oneof(fc.constantFrom(...TEXTS), fc.string({ maxLength: 20 })))
    default:
      return some(fc.oneof(fc.constantFrom<unknown>(...TEXTS, 7, true), NASTY))
  }
}

/** `eactId` is also what `caseEactId` is the id of, and `eactIds` are several. */
function knownOf(name: string, ids: Ids): (string | number)[] {
  const one = name.replace(/s$/, '').toLowerCase()
  if (one.length < 4) return []
  return Object.entries(ids).flatMap(([known, id]) => (known.toLowerCase().endsWith(one) ? [id] : []))
}

const TEXTS = [
  'phone-call.ended',
  '2026-01-02T03:04:05Z',
  'https://a.example.com/x?no={$CODE}',
  '+4526100001',
  'itcaId',
]

/** Mostly fitting values: a request that is invalid at once tests nothing behind it. */
function spoiled(shape: Shape, name: string, ids: Ids): fc.Arbitrary<unknown> {
  return fc.oneof({ weight: 30, arbitrary: fitting(shape, name, ids) }, { weight: 1, arbitrary: NASTY })
}

function fieldsOf({ properties = {}, required = [] }: Shape, ids: Ids): fc.Arbitrary<unknown> {
  const names = Object.keys(properties)
  const fields = Object.fromEntries(names.map((name) => [name, spoiled(properties[name] ?? {}, name, ids)]))
  const optional = names.filter((name) => !required.includes(name))
  // Most of a long list of fields is omitted: with all of them few requests would be valid.
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
export interface SpoiledRequest {
  /** Method and path, as they are declared. */
  readonly name: string
  readonly path: string
  readonly text: string | undefined
  readonly headers: Readonly<Record<string, string>>
}

const BROKEN = fc.tuple(fc.nat(), fc.constantFrom('cut', 'doubled', 'byte', 'deep', 'proto', 'twice'))

/** Invalid JSON, or larger than any client sends. */
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

const BOUNDARY = 'spoiled'
const FILE_NAMES = ['a.txt', '../../etc/passwd', '', 'a\u0000b', 'æ"b.pdf', '.htaccess', 'x'.repeat(300)]

/** A form of files; some parts have other names. */
const FORM = fc
  .array(
    fc.record({
      name: fc.constantFrom('files', 'files', 'files', 'file', ''),
      fileName: fc.constantFrom(...FILE_NAMES),
      type: fc.constantFrom('text/plain', 'text/html', 'image/svg+xml', 'x', ''),
      bytes: fc.string({ maxLength: 40 }),
    }),
    { maxLength: 3 },
  )
  .map((files) => {
    const parts = files.map(({ name, fileName, type, bytes }) => {
      const head = `Content-Disposition: form-data; name="${name}"; filename="${fileName}"`
      return `--${BOUNDARY}\r\n${head}\r\nContent-Type: ${type}\r\n\r\n${bytes}\r\n`
    })
    return `${parts.join('')}--${BOUNDARY}--\r\n`
  })

function requestOf(route: Route, ids: Ids): fc.Arbitrary<SpoiledRequest> {
  const part = (schema: TSchema | undefined) => (schema ? fieldsOf(schema as Shape, ids) : fc.constant({}))
  const body = route.upload
    ? fc.tuple(FORM, fc.option(BROKEN, { freq: 5 })).map(([form, wrong]) => (wrong ? broken(form, ...wrong) : form))
    : route.body
      ? fc.tuple(spoiled(route.body as Shape, '', ids), fc.option(BROKEN, { freq: 10 })).map(([value, wrong]) => {
          const text = JSON.stringify(value) ?? ''
          return wrong ? broken(text, ...wrong) : text
        })
      : fc.constant(undefined)
  const spelling = fc.constantFrom('', '/rest')
  const parts = fc.tuple(part(route.params), part(route.query), body, KEYS, spelling)
  const isForm = { 'content-type': `multipart/form-data; boundary=${BOUNDARY}` }
  return parts.map(([params, query, text, headers, prefix]) => {
    const path =
      prefix +
      route.path.replaceAll(/\{(\w+)\}|:(\w+)/g, (_whole, a?: string, b?: string) => {
        const value = encodeURIComponent(asText((params as Record<string, unknown>)[a ?? b ?? '']).slice(0, 200))
        // Clients normalise these before they send the request.
        return ['', '.', '..'].includes(value) ? '0' : value
      })
    const pairs = Object.entries(query as object).map(([name, value]) => [name, asText(value)] as [string, string])
    return {
      name: nameOf(route),
      path: pairs.length > 0 ? `${path}?${new URLSearchParams(pairs)}` : path,
      text,
      headers: route.upload ? { ...isForm, ...headers } : headers,
    }
  })
}

/** Method and path. */
export const nameOf = ({ method, path }: Route) => `${method} ${path}`

function asText(value: unknown): string {
  const text = Array.isArray(value)
    ? value.map(asText).join(',')
    : typeof value === 'object'
      ? JSON.stringify(value)
      : String(value)
  return text.toWellFormed().slice(0, 1_000)
}
