/** Requests and answers that the pages show fit the schemas of the OpenAPI document. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { TSchema } from 'typebox'
import { Value } from 'typebox/value'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openWholeWorld, type WholeWorld } from '../whole-world.ts'
import { closed } from './closed-schema.ts'

type Contents = Readonly<Record<string, { readonly schema: TSchema }>>
interface Operation {
  readonly requestBody?: { readonly content: Contents }
  readonly responses: Readonly<Record<string, { readonly content?: Contents }>>
}

const root = join(import.meta.dirname, '../../..')
const PAGES = [
  'README.md',
  ...readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
]
/** An operation, perhaps with a body; or a block of JSON, which belongs to the operation before it. */
const SHOWN =
  /\b(GET|POST|PUT|PATCH|DELETE) ([/…][^\s`?]*)(?:\?[^\s`]*)?(?:\s(\{\s*"[^`]*?\})(?=`|\n```))?|```json\n(\{.*?)```/gs

let world: WholeWorld
let event: TSchema
/** By method and path, parameters without their names. */
const operations = new Map<string, Operation>()
beforeAll(async () => {
  world = await openWholeWorld()
  const { body } = await world.call('GET', '/openapi.json', undefined, { as: null })
  event = body.components.schemas.Event
  for (const [path, methods] of Object.entries<Record<string, Operation>>(body.paths)) {
    for (const [method, operation] of Object.entries(methods)) {
      operations.set(`${method.toUpperCase()} ${nameless(path)}`, operation)
    }
  }
})
afterAll(() => world.close())

const nameless = (path: string) => path.replaceAll(/\{\w+\}/g, '{}')
const schemaOf = (contents: Contents | undefined) => contents?.['application/json']?.schema

/** `…` continues the operation before it; `…/replay` is the only one that ends so. */
function operationOf(method: string, path: string, before: Operation | undefined): Operation | undefined {
  if (path === '…') return before
  const end = nameless(path.replace(/^…/, ''))
  const named = [`${method} ${end}`, `${method} /rest${end}`].flatMap((name) => operations.get(name) ?? [])
  if (!path.startsWith('…')) return named[0]
  const [only, ...others] = [...operations.keys()].filter((name) => name.startsWith(method) && name.endsWith(end))
  return others.length === 0 ? operations.get(only ?? '') : undefined
}

function faultOf(text: string, fitting: readonly (TSchema | undefined)[]): string[] {
  const example: unknown = JSON.parse(text)
  const errors = fitting.flatMap((schema) => (schema ? [Value.Errors(closed(schema), example)] : []))
  if (errors.some((found) => found.length === 0)) return []
  return [`${text}: ${JSON.stringify(errors[0] ?? 'belongs to no operation')}`]
}

test('every request and answer in the documentation fits its schema', () => {
  let checked = 0
  const faults = PAGES.flatMap((page) => {
    let operation: Operation | undefined
    const found = [...readFileSync(join(root, page), 'utf8').matchAll(SHOWN)]
    return found.flatMap(([, method, path, body, block]) => {
      if (method && path) operation = operationOf(method, path, operation)
      const text = body ?? block
      if (text === undefined) return []
      checked += 1
      const asked = schemaOf(operation?.requestBody?.content)
      const answered = schemaOf(operation?.responses['200']?.content)
      return faultOf(text, body ? [asked] : [asked, answered, event]).map((fault) => `${page}: ${fault}`)
    })
  })
  expect(faults).toEqual([])
  expect(checked).toBeGreaterThan(8)
})
