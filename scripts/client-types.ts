/** Generates the types of `src/client/operations.ts` from the OpenAPI document. */
import { type Place, SharedTypes, typeName } from './client-shared-types.ts'

interface Schema {
  readonly type?: string
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly description?: string
  readonly maximum?: number
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly items?: Schema
  readonly anyOf?: readonly Schema[]
  readonly allOf?: readonly Schema[]
}

type Contents = Readonly<Record<string, { readonly schema: Schema }>>

interface Operation {
  readonly summary: string
  readonly 'x-scope'?: string
  readonly security: readonly unknown[]
  readonly parameters: readonly {
    readonly name: string
    readonly in: string
    readonly required?: boolean
    readonly description?: string
    readonly schema: Schema
  }[]
  readonly requestBody?: { readonly required: boolean; readonly content: Contents }
  readonly responses: Readonly<Record<string, { readonly content?: Contents }>>
}

/** The parts of the document that are used here. */
export interface ClientDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
}

const HEAD = `/** All operations, generated from the OpenAPI document by npm run generate:client. Do not edit. */
`

/** The text of the file; deterministic. */
export function clientTypes(document: ClientDocument): string {
  const all = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ name: `${method.toUpperCase()} ${path}`, operation })),
  )
  const shared = new SharedTypes()
  const operations = () => all.map(({ name, operation }) => operationType(name, operation, shared)).join('\n')
  operations()
  shared.nameThem()
  const types = operations()
  const list = (names: readonly string[]) => names.map((name) => `  ${quoted(name)},\n`).join('')
  const reads = all.filter(({ name, operation }) => name.startsWith('POST ') && isRead(operation))
  const signOn = all.filter(({ name }) => name.includes(' /rest/api/'))
  const paged = all.flatMap(({ name, operation }) => pagingOf(operation).map((paging) => ({ name, ...paging })))
  const pages = paged.map(({ name, by, at, rows }) => {
    const entry = `by: '${by}', in: '${at}'${rows === '' ? '' : `, rows: '${rows}'`}`
    return `  ${quoted(name)}: { ${entry} },\n`
  })
  return [
    HEAD,
    shared.declarations(),
    '/** Operations by method and path. */',
    `export interface Operations {\n${types}\n}\n`,
    '/** POST operations that only read, so repeating them is safe. */',
    `export const READING_POSTS: readonly string[] = [\n${list(reads.map(({ name }) => name))}]\n`,
    '/** Operations of the sign-on address. */',
    `export const SIGN_ON: readonly string[] = [\n${list(signOn.map(({ name }) => name))}]\n`,
    '/** Operations with pages: the paging parameter, and the field with the rows. */',
    `export const PAGED = {\n${pages.join('')}} as const`,
    '',
  ].join('\n')
}

function isRead(operation: Operation): boolean {
  return operation['x-scope']?.endsWith(':read') === true
}

function operationType(name: string, operation: Operation, shared: SharedTypes): string {
  const { parameters, requestBody, summary } = operation
  const params = fieldsOf(operation, 'path')
  const query = fieldsOf(operation, 'query')
  const isQueryNeeded = parameters.some((parameter) => parameter.in === 'query' && parameter.required)
  const at = (side: Side): Writing => ({ shared, depth: 2, place: placeOf(name, side) })
  const body = requestBody && bodyType(requestBody.content, at('request'))
  const lines = [
    ...(params.length > 0 ? [`params: ${object(params, at('request'))}`] : []),
    ...(query.length > 0 ? [`query${isQueryNeeded ? '' : '?'}: ${object(query, at('request'))}`] : []),
    ...(body === undefined ? [] : [`body${requestBody?.required ? '' : '?'}: ${body}`]),
    `answer: ${answerType(operation, at('answer'))}`,
  ]
  const fields = lines.map((line) => `    readonly ${line}\n`).join('')
  return `  /** ${summary}. */\n  readonly ${quoted(name)}: {\n${fields}  }`
}

/** Context of a type: shared names, indentation and place. */
interface Writing {
  readonly shared: SharedTypes | undefined
  readonly depth: number
  readonly place: Place
}

/** The rows of `POST /rest/svcems/cases/search` are named `Case`. */
function placeOf(operation: string, side: Side): Place {
  const parts = operation.split('/').filter((part) => !/[ {]|^search$/.test(part))
  return { names: [typeName(parts.at(-1) ?? '', true)], side, isField: false, isList: false }
}

function bodyType(content: Contents, writing: Writing): string {
  const json = content['application/json']
  return json ? typeOf(json.schema, writing) : 'FormData'
}

function answerType({ responses }: Operation, writing: Writing): string {
  const good = Object.entries(responses).filter(([status]) => /^2\d\d$/.test(status))
  const types = good.map(([, { content }]) => {
    if (!content) return 'undefined'
    const kinds = Object.entries(content).map(([type, { schema }]) =>
      type.includes('json') ? typeOf(schema, writing) : type.startsWith('text/') ? 'string' : 'Uint8Array',
    )
    return [...new Set(kinds)].join(' | ')
  })
  return [...new Set(types)].join(' | ') || 'undefined'
}

interface Field {
  readonly name: string
  readonly schema: Schema
  readonly isNeeded: boolean
  readonly description: string | undefined
}

type Side = Place['side']

function fieldsOf({ parameters }: Operation, where: 'path' | 'query'): Field[] {
  return parameters
    .filter((parameter) => parameter.in === where)
    .map(({ name, schema, required, description }) => ({ name, schema, isNeeded: required === true, description }))
}

/** Requests may send ids as strings; events contain them as strings (D-05). */
const isId = ({ type, maximum }: Schema) => type === 'integer' && maximum === Number.MAX_SAFE_INTEGER

function typeOf(schema: Schema, writing: Writing): string {
  const { type, properties = {}, required = [], items, anyOf, allOf } = schema
  const union = (choices: readonly Schema[], by: string) => {
    return [...new Set(choices.map((choice) => typeOf(choice, writing)))].join(by)
  }
  if ('const' in schema) return JSON.stringify(schema.const)
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(' | ')
  if (anyOf) return union(anyOf, ' | ')
  if (allOf) return union(allOf, ' & ')
  if (writing.place.side === 'request' && isId(schema)) return 'number | string'
  switch (type) {
    case 'object': {
      const fields = Object.entries(properties).map(([name, field]) => {
        return { name, schema: field, isNeeded: required.includes(name), description: field.description }
      })
      return fields.length === 0 ? 'Readonly<Record<string, unknown>>' : object(fields, writing)
    }
    case 'array': {
      const item = items ? typeOf(items, { ...writing, place: { ...writing.place, isList: true } }) : 'unknown'
      return /^\w+$/.test(item) ? `readonly ${item}[]` : `readonly (${item})[]`
    }
    case 'integer':
    case 'number':
      return 'number'
    case 'string':
    case 'boolean':
    case 'null':
      return type
    default:
      return 'unknown'
  }
}

/** The name of a shared type, or the type itself. */
function object(fields: readonly Field[], writing: Writing): string {
  const { shared, place } = writing
  if (!shared) return fieldLines(fields, writing)
  const whole = fieldLines(fields, { shared: undefined, depth: 0, place })
  const write = () => fieldLines(fields, { shared, depth: 0, place })
  return shared.textFor(whole, place, write, () => fieldLines(fields, writing))
}

function fieldLines(fields: readonly Field[], { shared, depth, place }: Writing): string {
  const indent = '  '.repeat(depth + 1)
  const lines = fields.flatMap(({ name, schema, isNeeded, description }) => {
    const isList = schema.type === 'array'
    const inner = { ...place, names: [...place.names, typeName(name, isList)], isField: true, isList }
    const type = typeOf(schema, { shared, depth: depth + 1, place: inner })
    const absent = isNeeded ? '' : '?'
    const alsoAbsent = !isNeeded && place.side === 'request' ? ' | undefined' : ''
    const text = description?.replaceAll('*/', '* /')
    const field = /^\w+$/.test(name) ? name : quoted(name)
    return [...(text ? [`/** ${text} */`] : []), `readonly ${field}${absent}: ${type}${alsoAbsent}`]
  })
  return `{\n${lines.map((line) => `${indent}${line}\n`).join('')}${'  '.repeat(depth)}}`
}

interface Paging {
  readonly by: 'pageNumber' | 'offset' | 'limitFrom' | 'after'
  readonly at: 'query' | 'body'
  /** Field with the rows; empty if the answer is the list. */
  readonly rows: string
}

function pagingOf({ parameters, requestBody, responses }: Operation): Paging[] {
  const body = requestBody?.content['application/json']?.schema
  const inBody = Object.keys(body?.properties ?? {})
  const inQuery = parameters.filter((parameter) => parameter.in === 'query').map(({ name }) => name)
  const answer = responses['200']?.content?.['application/json']?.schema
  const lists = Object.entries(answer?.properties ?? {}).filter(([, { type }]) => type === 'array')
  const rows = answer?.type === 'array' ? '' : lists.length === 1 ? lists[0]?.[0] : undefined
  if (rows === undefined) return []
  const found = (['pageNumber', 'offset', 'limitFrom', 'after'] as const).flatMap((by): Paging[] => {
    // An answer in parts that does not say whether there is more is no list of rows.
    if (by === 'after' && !answer?.properties?.['more']) return []
    if (inBody.includes(by)) return [{ by, at: 'body', rows }]
    return inQuery.includes(by) ? [{ by, at: 'query', rows }] : []
  })
  return found.slice(0, 1)
}

function quoted(name: string): string {
  return `'${name.replaceAll("'", "\\'")}'`
}
