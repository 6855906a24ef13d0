/** Quality of the OpenAPI document for readers and generators, checked for every operation. */
import type { TSchema } from 'typebox'
import { Compile } from 'typebox/compile'
import { Value } from 'typebox/value'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { inputReader } from '../../../src/rest/http/validate-input.ts'
import { openWholeWorld, type WholeWorld } from '../whole-world.ts'
import { closed } from './closed-schema.ts'

interface Content {
  readonly schema: TSchema & { $ref?: string }
  readonly example?: unknown
}
type Contents = Readonly<Record<string, Content>>
interface Operation {
  readonly operationId: string
  readonly summary: string
  readonly description: string
  readonly tags: readonly string[]
  readonly parameters: readonly { name: string; description?: string; in: string; schema: object }[]
  readonly requestBody?: { readonly content: Contents }
  readonly responses: Readonly<Record<string, { readonly description?: string; readonly content?: Contents }>>
}
interface Entry {
  readonly name: string
  readonly operation: Operation
}

let world: WholeWorld
let entries: readonly Entry[]
let webhooks: Readonly<Record<string, { readonly post: Operation }>>
let schemas: Readonly<Record<string, TSchema & { example?: unknown }>>
let document: unknown
let tags: readonly { readonly name: string; readonly description: string }[]

beforeAll(async () => {
  world = await openWholeWorld()
  const { body } = await world.call('GET', '/openapi.json', undefined, { as: null })
  const paths = body.paths as Record<string, Record<string, Operation>>
  document = body
  webhooks = body.webhooks
  schemas = body.components.schemas
  tags = body.tags
  entries = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ name: `${method.toUpperCase()} ${path}`, operation })),
  )
})
afterAll(() => world.close())

/** Places of the invalid entries. */
const faults = (of: (entry: Entry) => readonly string[]) =>
  entries.flatMap((entry) => of(entry).map((fault) => `${entry.name}: ${fault}`))

const goodOf = ({ responses }: Operation) => Object.entries(responses).filter(([status]) => status.startsWith('2'))
const isBytes = (type: string) => !type.includes('json')

describe('every operation of the document', () => {
  test('is there: the document has as many as the server', () => {
    // State and login in addition to those of the node.
    expect(entries.length).toBe(world.routes.length + 2)
  })

  test('has a unique name, a summary of one line, and a described section', () => {
    const ids = entries.map(({ operation }) => operation.operationId)
    expect(ids.filter((id, at) => ids.indexOf(id) !== at)).toEqual([])
    expect(
      faults(({ operation }) => {
        const { summary, description, tags: own } = operation
        const isShort = summary.length > 3 && summary.length <= 90 && !summary.endsWith('.')
        return [
          ...(isShort ? [] : ['its summary is one line without a full stop']),
          ...(description.length > 0 ? [] : ['it has no description']),
          ...(own.every((tag) => tags.some(({ name, description: text }) => name === tag && text !== tag))
            ? []
            : ['its section has no words; add them to TAGS of src/rest/openapi/openapi.ts']),
        ]
      }),
    ).toEqual([])
  })

  test('describes every answer, the successful ones with their bodies', () => {
    expect(
      faults(({ operation }) => {
        const all = Object.entries(operation.responses)
        const silent = all.filter(([, { description = '' }]) => description.length < 4 || description === 'An answer')
        const isThere = goodOf(operation).length > 0 && operation.responses['default'] !== undefined
        const empty = goodOf(operation).filter(([status, { content }]) => status !== '204' && !content)
        return [
          ...[...silent, ...empty].map(([status]) => `its answer ${status} is not described`),
          ...(isThere ? [] : ['it has no good answer, or no default']),
        ]
      }),
    ).toEqual([])
  })

  test('describes every field and parameter', () => {
    const remedy = 'say what it is where it is declared, or in src/rest/openapi/field-descriptions.ts'
    expect(
      faults(({ operation }) => {
        const { parameters, requestBody, responses } = operation
        const silent = parameters.filter(({ description = '' }) => description === '').map(({ name }) => name)
        const contents = [requestBody?.content ?? {}, ...Object.values(responses).map(({ content = {} }) => content)]
        const within = contents.flatMap((content) =>
          Object.values(content).flatMap(({ schema }) => silentIn(schema as Shape)),
        )
        return [...new Set([...silent, ...within])].map((place) => `${place} has no description; ${remedy}`)
      }),
    ).toEqual([])
  })

  test('has an example of its body, which it accepts unchanged', () => {
    const bodies = new Map(
      world.routes.map((route) => [`${route.method} ${route.path.replaceAll(/:(\w+)/g, '{$1}')}`, route]),
    )
    const seen: string[] = []
    expect(
      faults(({ name, operation }) => {
        const content = Object.entries(operation.requestBody?.content ?? {})
        return content.flatMap(([type, { example }]) => {
          if (example === undefined) return isBytes(type) ? [] : ['its body has no example']
          const [method = '', path = ''] = name.split(' ')
          const route = bodies.get(`${method} ${path.replace(/^\/rest\//, '/')}`)
          if (!route?.body) return []
          seen.push(name)
          const reading = inputReader(route.body, 'body')(example)
          if (!reading.ok) return [`the example of its body is refused: ${JSON.stringify(reading.errors)}`]
          return reading.ignored.map((field) => `the example of its body has a field that nobody reads: ${field}`)
        })
      }),
    ).toEqual([])
    expect(seen.length).toBeGreaterThan(15)
  })

  test('has an example of each successful answer, as declared', () => {
    let checked = 0
    expect(
      faults(({ operation }) =>
        Object.entries(operation.responses).flatMap(([status, { content = {} }]) =>
          Object.entries(content).flatMap(([type, { schema, example }]) => {
            if (schema.$ref || isBytes(type)) return []
            if (example === undefined) return [`its answer ${status} has no example`]
            checked++
            const validator = Compile(schema)
            if (validator.Check(example)) return []
            return [`the example of ${status} is none: ${JSON.stringify(validator.Errors(example)).slice(0, 300)}`]
          }),
        ),
      ),
    ).toEqual([])
    expect(checked).toBeGreaterThan(30)
  })
})

test('every example in the document fits the schema beside it', () => {
  const found = examplesIn(document, '')
  const wrong = found.flatMap(({ place, schema, example }) => {
    const known = schema.$ref ? schemas[schema.$ref.replace(/^.*\//, '')]! : schema
    const errors = Value.Errors(closed(known), example)
    return errors.length === 0 ? [] : [`${place}: ${JSON.stringify(errors).slice(0, 300)}`]
  })
  expect(wrong).toEqual([])
  expect(found.length).toBeGreaterThan(300)
})

describe('events and problems in the document', () => {
  test('have examples as declared, and a description of every field', () => {
    const event = schemas['Event'] as TSchema
    expect(silentIn(event as Shape)).toEqual([])
    for (const [type, { post }] of Object.entries(webhooks)) {
      const example = post.requestBody?.content['application/json']?.example as { type: string }
      expect([type, example.type]).toEqual([type, type])
      expect(Compile(event).Check(example), JSON.stringify(Compile(event).Errors(example))).toBe(true)
      expect(post.parameters.map(({ name }) => name)).toEqual(['webhook-id', 'webhook-timestamp', 'webhook-signature'])
    }
    const problem = schemas['Problem']
    expect(problem && silentIn(problem as Shape)).toEqual([])
    expect(problem && Compile(problem).Check(problem.example)).toBe(true)
  })
})

interface Example {
  readonly place: string
  readonly schema: TSchema & { $ref?: string }
  readonly example: unknown
}

/** Examples beside a schema or within it, and default values. */
function examplesIn(value: unknown, place: string): Example[] {
  if (typeof value !== 'object' || value === null) return []
  const { schema = value, example, examples, default: usual } = value as Readonly<Record<string, TSchema>>
  const isProperties = place.endsWith('/properties') || place.endsWith('/variables')
  const given = isProperties ? [] : [example, usual, ...(Array.isArray(examples) ? examples : [])]
  const own = given.filter((one) => one !== undefined).map((one) => ({ place, schema, example: one }))
  const inner = Object.entries(value).filter(([name]) => isProperties || !['example', 'examples'].includes(name))
  return [...own, ...inner.flatMap(([name, one]) => examplesIn(one, `${place}/${name}`))]
}

interface Shape {
  readonly description?: string
  readonly properties?: Readonly<Record<string, Shape>>
  readonly items?: Shape
  readonly anyOf?: readonly Shape[]
  readonly allOf?: readonly Shape[]
}

/** Names of fields that need a description. */
function silentIn({ properties = {}, items, anyOf = [], allOf = [] }: Shape): string[] {
  const own = Object.entries(properties).flatMap(([name, field]) => {
    return [...(field.description ? [] : [name]), ...silentIn(field).map((inner) => `${name}.${inner}`)]
  })
  return [...own, ...(items ? silentIn(items) : []), ...[...anyOf, ...allOf].flatMap(silentIn)]
}
