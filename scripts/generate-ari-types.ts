/**
 * Writes src/ari/ari-types.ts from the API documents of an installed Asterisk (rest-api/*.json).
 *
 *   npm run generate:ari-types [-- DIRECTORY]
 *
 * DIRECTORY defaults to the private Asterisk of `switchboard asterisk install`. The file gets the operations that
 * src/ari and test/ari name in quotes, the events of `USED_EVENTS`, and what these refer to. Run the script again
 * after an upgrade of Asterisk, and after naming a further operation or event: the type check reports what is missing.
 */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { findTree } from '../asterisk/tree.ts'
import { USED_EVENTS } from '../src/ari/used-events.ts'

const ROOT = join(import.meta.dirname, '..')
const OUTPUT = join(ROOT, 'src/ari/ari-types.ts')

/** Where operations are named. */
const USERS = ['src/ari', 'test/ari']

/** The part that the script reads of a Swagger 1.1 document, the form in which Asterisk describes its API. */
interface ApiDocument {
  readonly apis: readonly { readonly path: string; readonly operations?: readonly Operation[] }[]
  readonly models?: Readonly<Record<string, Model>>
}

interface Operation {
  readonly httpMethod: string
  readonly summary: string
  readonly responseClass: string
  readonly parameters?: readonly Parameter[]
}

/** `key` is method and path: `GET /channels`. */
interface NamedOperation extends Operation {
  readonly key: string
}

interface Parameter {
  readonly name: string
  readonly paramType: 'path' | 'query' | 'body'
  readonly dataType: string
  readonly required?: boolean
  readonly allowMultiple?: boolean
}

interface Model {
  readonly properties: Readonly<Record<string, { readonly type: string; readonly required?: boolean }>>
  readonly subTypes?: readonly string[]
}

const PLAIN_TYPES: Readonly<Record<string, string>> = {
  string: 'string',
  Date: 'string',
  boolean: 'boolean',
  int: 'number',
  long: 'number',
  double: 'number',
  object: 'JsonObject',
  containers: 'JsonObject',
  void: 'undefined',
  binary: 'unknown',
  Message: 'AriEvent',
}

const directory = process.argv[2] ?? findTree('.data/asterisk')?.restApi ?? ''
if (!existsSync(join(directory, 'events.json'))) {
  console.error(`no Asterisk API documents in ${directory}; name the rest-api directory of an installed Asterisk`)
  process.exit(1)
}
const documents = readdirSync(directory)
  .filter((name) => name.endsWith('.json') && name !== 'resources.json')
  .sort()
  .map((name) => JSON.parse(readFileSync(join(directory, name), 'utf8')) as ApiDocument)
const text = generate(documents, versionOf(directory))
writeFileSync(OUTPUT, text)
console.log(`${OUTPUT}: ${text.split('\n').length} lines`)

function generate(all: readonly ApiDocument[], version: string): string {
  const models = Object.assign({}, ...all.map((document) => document.models)) as Record<string, Model>
  const events = USED_EVENTS.filter((name) => models[name])
  const allEvents = [...(models['Event']?.subTypes ?? [])].sort()
  const operations = usedOperations(all)
  const used = operations.flatMap(({ responseClass, parameters = [] }) => [
    responseClass,
    ...parameters.map(({ dataType }) => dataType),
  ])
  const others = [...withReferred(models, [...events, ...used])].filter(
    (name) => !events.some((event) => event === name),
  )
  return [
    `/** Types of ARI: generated from the API documents of Asterisk ${version}. Do not edit; see the command below. */`,
    '// npm run generate:ari-types -- DIRECTORY    (DIRECTORY: rest-api of an installed Asterisk)',
    '',
    'type JsonObject = Readonly<Record<string, unknown>>',
    '',
    'interface EventBase {',
    ...properties({ ...models['Message']?.properties, ...models['Event']?.properties }, 'type'),
    '}',
    '',
    ...events.flatMap((name) => [
      `export interface ${name} extends EventBase {`,
      `  readonly type: '${name}'`,
      ...properties(models[name]?.properties ?? {}, 'type'),
      '}',
      '',
    ]),
    '/** The events that the engine uses, told apart by `type`. */',
    `export type AriEvent =\n${events.map((name) => `  | ${name}`).join('\n')}`,
    '',
    '/** The types of all events of this Asterisk: what an event filter can name. */',
    `export const ARI_EVENT_TYPES: readonly string[] = [\n${allEvents.map((name) => `  '${name}',`).join('\n')}\n]`,
    '',
    ...others
      .sort()
      .flatMap((name) => [`export interface ${name} {`, ...properties(models[name]?.properties ?? {}), '}', '']),
    '/** The operations that the engine uses: arguments (path, query and body alike) and the body of a good answer. */',
    'export interface AriOperations {',
    ...operations.map(operationLine),
    '}',
    '',
  ].join('\n')
}

/** The operations that `USERS` name, in the order of the documents. */
function usedOperations(all: readonly ApiDocument[]): NamedOperation[] {
  const files = USERS.flatMap((folder) => readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true }))
  const sources = files.filter((one) => one.isFile()).map(({ parentPath, name }) => join(parentPath, name))
  const text = sources
    .filter((path) => path !== OUTPUT)
    .map((path) => readFileSync(path, 'utf8'))
    .join('\n')
  return all
    .flatMap(({ apis }) => apis)
    .flatMap(({ path, operations = [] }) =>
      operations.map((operation) => ({ ...operation, key: `${operation.httpMethod} ${path}` })),
    )
    .filter(({ key }) => text.includes(`'${key}'`))
}

/** `names` and every model that they refer to, directly or not. */
function withReferred(models: Readonly<Record<string, Model>>, names: readonly string[]): Set<string> {
  const found = new Set<string>()
  const visit = (type: string): void => {
    const name = itemOf(type) ?? type
    const model = models[name]
    if (!model || name in PLAIN_TYPES || found.has(name)) return
    found.add(name)
    for (const property of Object.values(model.properties)) visit(property.type)
  }
  for (const name of names) visit(name)
  return found
}

function properties(all: Model['properties'], except?: string): string[] {
  return Object.entries(all)
    .filter(([name]) => name !== except)
    .map(([name, { type, required }]) => `  readonly ${name}${required ? '' : '?'}: ${typeOf(type)}`)
}

function operationLine({ key, summary, responseClass, parameters = [] }: NamedOperation): string {
  const args = parameters.map(({ name, paramType, dataType, required, allowMultiple }) => {
    const type = allowMultiple ? `readonly ${typeOf(dataType)}[]` : typeOf(dataType)
    return `${name}${required || paramType === 'path' ? '' : '?'}: ${type}`
  })
  const shape = `{ args: { ${args.join('; ')} }; answer: ${typeOf(responseClass)} }`.replace('{  }', '{}')
  return `  /** ${summary.replace(/\s+/g, ' ').trim()} */\n  '${key}': ${shape}`
}

function typeOf(name: string): string {
  const item = itemOf(name)
  return item ? `readonly ${typeOf(item)}[]` : (PLAIN_TYPES[name] ?? name)
}

/** `X` of `List[X]`. */
function itemOf(type: string): string | undefined {
  return /^List\[(.+)\]$/.exec(type)?.[1]
}

/** The installer leaves a list of packages, `versions.txt`, at the top of its tree; other trees have none. */
function versionOf(place: string): string {
  for (let folder = place; folder !== dirname(folder); folder = dirname(folder)) {
    const list = join(folder, 'versions.txt')
    const found = existsSync(list) ? /^asterisk_(?:\d+%3a)?([\d.]+)/m.exec(readFileSync(list, 'utf8')) : null
    if (found?.[1]) return found[1]
  }
  return '(unknown version)'
}
