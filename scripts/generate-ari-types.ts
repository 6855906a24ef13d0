/**
 * Writes src/ari/ari-types.ts from the API documents that an Asterisk brings along (rest-api/*.json).
 *
 *   npm run generate:ari-types [-- DIRECTORY]
 *
 * DIRECTORY defaults to the private Asterisk that `switchboard asterisk install` makes. Run it again after
 * an upgrade: what became of an event or an operation that we use is then told by the type checker.
 */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { findTree } from '../asterisk/tree.ts'

const OUTPUT = join(import.meta.dirname, '../src/ari/ari-types.ts')

/** What we read of a Swagger 1.1 document, the form in which Asterisk describes itself. */
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
  const events = [...(models['Event']?.subTypes ?? [])].sort()
  const isBase = (name: string) => name === 'Message' || name === 'Event'
  const others = Object.keys(models).filter((name) => !isBase(name) && !events.includes(name))
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
    '/** Everything Asterisk may tell an application, told apart by `type`. */',
    `export type AriEvent =\n${events.map((name) => `  | ${name}`).join('\n')}`,
    '',
    '/** The same as values: what an event filter can name. */',
    `export const ARI_EVENT_TYPES = [\n${events.map((name) => `  '${name}',`).join('\n')}\n] as const`,
    '',
    ...others
      .sort()
      .flatMap((name) => [`export interface ${name} {`, ...properties(models[name]?.properties ?? {}), '}', '']),
    '/** Everything an application may ask: arguments (path, query and body alike) and the body of a good answer. */',
    'export interface AriOperations {',
    ...all.flatMap(({ apis }) =>
      apis.flatMap(({ path, operations = [] }) => operations.map((operation) => operationLine(path, operation))),
    ),
    '}',
    '',
  ].join('\n')
}

function properties(all: Model['properties'], except?: string): string[] {
  return Object.entries(all)
    .filter(([name]) => name !== except)
    .map(([name, { type, required }]) => `  readonly ${name}${required ? '' : '?'}: ${typeOf(type)}`)
}

function operationLine(path: string, { httpMethod, summary, responseClass, parameters = [] }: Operation): string {
  const args = parameters.map(({ name, paramType, dataType, required, allowMultiple }) => {
    const type = allowMultiple ? `readonly ${typeOf(dataType)}[]` : typeOf(dataType)
    return `${name}${required || paramType === 'path' ? '' : '?'}: ${type}`
  })
  const shape = `{ args: { ${args.join('; ')} }; answer: ${typeOf(responseClass)} }`.replace('{  }', '{}')
  return `  /** ${summary.replace(/\s+/g, ' ').trim()} */\n  '${httpMethod} ${path}': ${shape}`
}

function typeOf(name: string): string {
  const list = /^List\[(.+)\]$/.exec(name)?.[1]
  return list ? `readonly ${typeOf(list)}[]` : (PLAIN_TYPES[name] ?? name)
}

/** The installer leaves a list of packages, `versions.txt`, at the top of its tree; elsewhere nobody knows. */
function versionOf(place: string): string {
  for (let folder = place; folder !== dirname(folder); folder = dirname(folder)) {
    const list = join(folder, 'versions.txt')
    const found = existsSync(list) ? /^asterisk_(?:\d+%3a)?([\d.]+)/m.exec(readFileSync(list, 'utf8')) : null
    if (found?.[1]) return found[1]
  }
  return '(unknown version)'
}
