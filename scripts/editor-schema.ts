/** Our schema as editors like it: JSON Schema draft-07, with shared parts written once (flow-language.md 3.4). */
import { flowFile } from '../src/flow/read/schema.ts'
import { flowTestFile } from '../src/flow-test/test-file-schema.ts'

type Json = { readonly [key: string]: unknown }

/** Words that only our own reader understands. */
const OUR_WORDS = ['hint', 'keys', 'instead', 'definition', 'isRight']

/** What a reference may add to the thing it refers to. */
const OWN_WORDS = ['description', 'default', 'examples'] as const

/** The text of `flows/flow.schema.json`. The same schema always gives the same bytes. */
export function editorSchemaText(): string {
  return schemaText(flowFile, 'Call flow')
}

/** The text of `flows/flow-test.schema.json`. */
export function testSchemaText(): string {
  return schemaText(flowTestFile, 'Tests of a flow')
}

function schemaText(file: object, title: string): string {
  const definitions: Record<string, unknown> = {}
  const root = rewrite(file as Json, definitions) as Json
  const schema = {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title,
    ...root,
    definitions: Object.fromEntries(Object.entries(definitions).sort(([a], [b]) => (a < b ? -1 : 1))),
  }
  return `${JSON.stringify(schema, null, 2)}\n`
}

function rewrite(value: unknown, definitions: Record<string, unknown>): unknown {
  if (Array.isArray(value)) return value.map((inner) => rewrite(inner, definitions))
  if (typeof value !== 'object' || value === null) return value
  const schema = value as Json
  const name = isSchema(schema) ? schema['definition'] : undefined
  if (typeof name !== 'string') return copy(schema, definitions)
  // The name is taken before the inside is visited, should a schema ever mention itself.
  if (!(name in definitions)) {
    definitions[name] = null
    definitions[name] = copy(schema, definitions)
  }
  const own = OWN_WORDS.flatMap((word) => (schema[word] === undefined ? [] : [[word, schema[word]]]))
  return { ...Object.fromEntries(own), $ref: `#/definitions/${name}` }
}

function copy(schema: Json, definitions: Record<string, unknown>): Json {
  const kept = Object.entries(schema).filter(([key]) => !isSchema(schema) || !OUR_WORDS.includes(key))
  return Object.fromEntries(
    kept.map(([key, inner]) => [key, VERBATIM.includes(key) ? inner : rewrite(inner, definitions)]),
  )
}

const VERBATIM: readonly string[] = ['examples', 'default']

/** A schema, not the map of properties inside one: there, `keys` is the name of a key. */
function isSchema(value: Json): boolean {
  return typeof value['type'] === 'string' || Array.isArray(value['anyOf']) || typeof value['description'] === 'string'
}
