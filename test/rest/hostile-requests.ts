/** Requests from the OpenAPI document, each valid but for one text in it, for `hostile-fields.test.ts`. */
import { exampleOf } from '../../src/rest/openapi/examples.ts'
import type { Ids } from './whole-world.ts'

interface Shape {
  readonly $ref?: string
  readonly type?: string
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly format?: string
  readonly properties?: Readonly<Record<string, Shape>>
  readonly items?: Shape
  readonly anyOf?: readonly Shape[]
  readonly additionalProperties?: boolean | Shape
}

interface Parameter {
  readonly name: string
  readonly in: 'path' | 'query' | 'header'
  readonly required?: boolean
  readonly schema: Shape
}

/** What is read of the document. */
export interface OpenApi {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Documented>>>>
}

interface Documented {
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: {
    readonly content: Readonly<Record<string, { readonly schema: Shape; readonly example?: unknown }>>
  }
}

/** A place of a text in a request: `body.callTasks.0.callReceiverName`, `query.name`, `path.userName`. */
export type Place = readonly (string | number)[]

/** One operation. `path` has braces; `texts`: every place of a text or of something without a type. */
export interface Operation {
  readonly name: string
  readonly method: string
  readonly path: string
  readonly texts: readonly Place[]
  /** The request with this text at this place; as it is for no place. */
  with(place: Place, text: string): { readonly url: string; readonly body: unknown }
}

type Fields = Readonly<Record<string, unknown>>

/** A valid body around a text at a place (`outcome.name`); `count` differs in every request. */
export type BodyAround = (place: string, count: number) => Fields

/** Every operation of the document; `bodies` stand for examples that are refused in this world. */
export function operationsOf(document: OpenApi, ids: Ids, bodies: Readonly<Record<string, BodyAround>>): Operation[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([verb, documented]) => {
      const method = verb.toUpperCase()
      return operationOf(method, path, documented, ids, bodies[`${method} ${path}`])
    }),
  )
}

function operationOf(method: string, path: string, documented: Documented, ids: Ids, around?: BodyAround): Operation {
  const { parameters = [], requestBody } = documented
  const content = requestBody?.content['application/json']
  const whole = content && withIds(exampleOf(content.schema as never, true), ids)
  const example = content && withIds(content.example ?? exampleOf(content.schema as never, false), ids)
  let count = 0
  const plainAt = (place: Place): Asked => ({
    path: inPath,
    query: inQuery,
    body: content && around ? around(place.slice(1).join('.'), ++count) : example,
  })
  const of = (where: 'path' | 'query') => parameters.filter((one) => one.in === where)
  const inPath = Object.fromEntries(of('path').map(({ name }) => [name, ids[name] ?? 7]))
  const inQuery = Object.fromEntries(
    of('query').flatMap(({ name, required }) => (required && ids[name] !== undefined ? [[name, ids[name]]] : [])),
  )
  const request = (asked: Asked) => {
    const pairs = Object.entries(asked.query).map(([name, value]) => `${name}=${encoded(String(value))}`)
    const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encoded(String(asked.path[name])))
    return { url: pairs.length > 0 ? `${filled}?${pairs.join('&')}` : filled, body: asked.body }
  }
  const isText = ({ schema }: Parameter) => textsOf(schema, []).length > 0
  return {
    name: `${method} ${path}`,
    method,
    path,
    texts: [
      ...of('path')
        .filter(isText)
        .map(({ name }): Place => ['path', name]),
      ...of('query')
        .filter(isText)
        .map(({ name }): Place => ['query', name]),
      ...(content ? textsOf(content.schema, ['body']) : []),
    ],
    with(place, text) {
      const plain = plainAt(place)
      if (place.length === 0) return request(plain)
      return request(changed(plain, place, text, { path: inPath, query: {}, body: whole }) as Asked)
    },
  }
}

interface Asked {
  readonly path: Fields
  readonly query: Fields
  readonly body: unknown
}

/** A lone surrogate has no UTF-8: its three bytes are sent as some clients send them. */
const encoded = (text: string) =>
  [...text].map((one) => (one.isWellFormed() ? encodeURIComponent(one) : '%ED%A0%80')).join('')

/** Where texts are; of lists the first entry. */
function textsOf(shape: Shape, place: Place): Place[] {
  if (shape.const !== undefined || shape.enum || shape.format === 'date-time') return []
  if (shape.anyOf) return unique(shape.anyOf.flatMap((one) => textsOf(one, place)))
  if (shape.properties) {
    return Object.entries(shape.properties).flatMap(([name, inner]) => textsOf(inner, [...place, name]))
  }
  if (shape.items) return textsOf(shape.items, place[0] === 'query' ? place : [...place, 0])
  return shape.type === 'string' || shape.type === undefined ? [place] : []
}

const unique = (places: readonly Place[]) => [...new Map(places.map((place) => [place.join('.'), place])).values()]

/** A copy with this text at this place. What leads there and is absent is taken from `whole`. */
function changed(value: unknown, place: Place, text: string, whole: unknown): unknown {
  const [name, ...inner] = place
  if (name === undefined) return text
  const known = value ?? whole
  const more = partOf(whole, name)
  const part = changed(partOf(known, name), inner, text, more)
  if (typeof name === 'number') return [part, ...(Array.isArray(known) ? known.slice(1) : [])]
  return Object.assign({}, known, { [name]: part })
}

function partOf(value: unknown, name: string | number): unknown {
  if (typeof value !== 'object' || value === null) return undefined
  return (value as Readonly<Record<string | number, unknown>>)[name]
}

/** The example, with ids that exist. */
function withIds(value: unknown, ids: Ids, name = ''): unknown {
  if (Array.isArray(value)) return value.map((one) => withIds(one, ids, name.replace(/s$/, '')))
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([inner, one]) => [inner, withIds(one, ids, inner)]))
  }
  return ids[name] ?? value
}
