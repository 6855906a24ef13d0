/** Turns the OpenAPI document into the types of `src/client/operations.ts`: names and fields as the server has them. */

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

/** The document, as far as it is read here. */
export interface ClientDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
}

const HEAD = `/** Every operation, made from the OpenAPI document: npm run generate:client. Not to be edited. */
`

/** The whole file. The same document gives the same text. */
export function clientTypes(document: ClientDocument): string {
  const all = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ name: `${method.toUpperCase()} ${path}`, operation })),
  )
  const types = all.map(({ name, operation }) => operationType(name, operation)).join('\n')
  const list = (names: readonly string[]) => names.map((name) => `  ${quoted(name)},\n`).join('')
  const reads = all.filter(({ name, operation }) => name.startsWith('POST ') && isRead(operation))
  const signOn = all.filter(({ name }) => name.includes(' /rest/api/'))
  const paged = all.flatMap(({ name, operation }) => pagingOf(operation).map((paging) => ({ name, ...paging })))
  const pages = paged.map(({ name, by, at, rows }) => {
    const facts = `by: '${by}', in: '${at}'${rows === '' ? '' : `, rows: '${rows}'`}`
    return `  ${quoted(name)}: { ${facts} },\n`
  })
  return [
    HEAD,
    '/** Method and path, as the contract spells them, and what belongs to each. */',
    `export interface Operations {\n${types}\n}\n`,
    '/** POSTs that only read: asking twice does nothing twice. */',
    `export const READING_POSTS: readonly string[] = [\n${list(reads.map(({ name }) => name))}]\n`,
    '/** Served at the sign-on address. */',
    `export const SIGN_ON: readonly string[] = [\n${list(signOn.map(({ name }) => name))}]\n`,
    '/** Operations that answer page by page: which field turns the page, and where the rows are. */',
    `export const PAGED = {\n${pages.join('')}} as const`,
    '',
  ].join('\n')
}

function isRead(operation: Operation): boolean {
  return operation['x-scope']?.endsWith(':read') === true
}

function operationType(name: string, operation: Operation): string {
  const { parameters, requestBody, summary } = operation
  const params = fieldsOf(operation, 'path')
  const query = fieldsOf(operation, 'query')
  const isQueryNeeded = parameters.some((parameter) => parameter.in === 'query' && parameter.required)
  const body = requestBody && bodyType(requestBody.content)
  const lines = [
    ...(params.length > 0 ? [`params: ${object(params, 2)}`] : []),
    ...(query.length > 0 ? [`query${isQueryNeeded ? '' : '?'}: ${object(query, 2)}`] : []),
    ...(body === undefined ? [] : [`body${requestBody?.required ? '' : '?'}: ${body}`]),
    `answer: ${answerType(operation)}`,
  ]
  const fields = lines.map((line) => `    readonly ${line}\n`).join('')
  return `  /** ${summary}. */\n  readonly ${quoted(name)}: {\n${fields}  }`
}

function bodyType(content: Contents): string {
  const json = content['application/json']
  return json ? typeOf(json.schema, 2, 'request') : 'FormData'
}

function answerType({ responses }: Operation): string {
  const good = Object.entries(responses).filter(([status]) => /^2\d\d$/.test(status))
  const types = good.map(([, { content }]) => {
    if (!content) return 'undefined'
    const kinds = Object.entries(content).map(([type, { schema }]) =>
      type.includes('json') ? typeOf(schema, 2, 'answer') : type.startsWith('text/') ? 'string' : 'Uint8Array',
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
  readonly side: Side
}

/** Requests are taken more widely than answers are given. */
type Side = 'request' | 'answer'

function fieldsOf({ parameters }: Operation, where: 'path' | 'query'): Field[] {
  return parameters
    .filter((parameter) => parameter.in === where)
    .map(({ name, schema, required, description }) => {
      return { name, schema, isNeeded: required === true, description, side: 'request' as const }
    })
}

/** An id may come as a text, as those of events do (D-05). */
const isId = ({ type, maximum }: Schema) => type === 'integer' && maximum === Number.MAX_SAFE_INTEGER

function typeOf(schema: Schema, depth: number, side: Side): string {
  const { type, properties = {}, required = [], items, anyOf, allOf } = schema
  const union = (choices: readonly Schema[], by: string) => {
    return [...new Set(choices.map((choice) => typeOf(choice, depth, side)))].join(by)
  }
  if ('const' in schema) return JSON.stringify(schema.const)
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(' | ')
  if (anyOf) return union(anyOf, ' | ')
  if (allOf) return union(allOf, ' & ')
  if (side === 'request' && isId(schema)) return 'number | string'
  switch (type) {
    case 'object': {
      const fields = Object.entries(properties).map(([name, field]) => {
        return { name, schema: field, isNeeded: required.includes(name), description: field.description, side }
      })
      return fields.length === 0 ? 'Readonly<Record<string, unknown>>' : object(fields, depth)
    }
    case 'array':
      return `readonly (${items ? typeOf(items, depth, side) : 'unknown'})[]`
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

function object(fields: readonly Field[], depth: number): string {
  const indent = '  '.repeat(depth + 1)
  const lines = fields.flatMap(({ name, schema, isNeeded, description, side }) => {
    const type = typeOf(schema, depth + 1, side)
    const absent = isNeeded ? '' : '?'
    const alsoAbsent = !isNeeded && side === 'request' ? ' | undefined' : ''
    const words = description?.replaceAll('*/', '* /')
    const field = /^\w+$/.test(name) ? name : quoted(name)
    return [...(words ? [`/** ${words} */`] : []), `readonly ${field}${absent}: ${type}${alsoAbsent}`]
  })
  return `{\n${lines.map((line) => `${indent}${line}\n`).join('')}${'  '.repeat(depth)}}`
}

interface Paging {
  readonly by: 'pageNumber' | 'offset' | 'limitFrom' | 'after'
  readonly at: 'query' | 'body'
  /** The field of the answer that holds the rows; empty where the answer is the list itself. */
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
    if (inBody.includes(by)) return [{ by, at: 'body', rows }]
    return inQuery.includes(by) ? [{ by, at: 'query', rows }] : []
  })
  return found.slice(0, 1)
}

function quoted(name: string): string {
  return `'${name.replaceAll("'", "\\'")}'`
}
