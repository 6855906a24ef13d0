import type { TSchema } from 'typebox'
import { Settings } from 'typebox/system'
import { Value } from 'typebox/value'
import { didYouMean, type Problem } from '../kernel/problem.ts'
import type { Path, YamlSource } from '../kernel/yaml-source.ts'
import type { ShapeWords } from './schema.ts'

/** More would not be read; the rest follows when these are mended. */
const PROBLEMS_MAX = 100

// TypeBox stops at eight errors by itself; its limit is one for the whole process.
Settings.Set({ maxErrors: PROBLEMS_MAX })

/** A schema as the walk below sees it. */
interface Shape extends ShapeWords {
  readonly type?: string
  readonly properties?: Readonly<Record<string, Shape>>
  readonly patternProperties?: Readonly<Record<string, Shape>>
  readonly items?: Shape
}

type ShapeError = ReturnType<typeof Value.Errors>[number]

/** What is left of a file when everything misshapen is taken out, and what was wrong with the rest. */
export interface Shaped {
  readonly value: unknown
  readonly problems: readonly Problem[]
}

/**
 * Compares a file with a schema: one message for each mistake, at its place. What is wrong is cut out of `value`, so
 * that the remainder has the right shape and can be checked further: the author sees every mistake in one go.
 * Missing keys come last, for they take the thing with them that misses them.
 */
export function checkShape(schema: TSchema, source: YamlSource): Shaped {
  const problems: Problem[] = []
  const cut = new Set<string>()
  const value = structuredClone({ file: source.value })
  while (problems.length < PROBLEMS_MAX) {
    const errors = Value.Errors(schema, value.file).filter((error) => error.keyword !== 'boolean')
    if (errors.length === 0) break
    const wrong = errors.filter((error) => error.keyword !== 'required')
    const places = (wrong.length > 0 ? wrong : errors).flatMap(placesOf)
    for (const place of places) {
      // A value may break two rules at once, and a value that was cut out is not missing.
      if (cut.has(place.key)) continue
      cut.add(place.key)
      problems.push(describe(place, valueAt(value.file, place.path), schema as Shape, source))
    }
    // Backwards, so that the places of a list stay right until they are used.
    for (const { toCut } of places.reverse()) remove(value, ['file', ...toCut])
  }
  return { value: value.file, problems }
}

/** One mistake: what is wrong at `path`, and what to cut out so that the rest is right in shape. */
interface Place {
  readonly kind: 'wrong' | 'unknown' | 'missing'
  readonly path: Path
  readonly key: string
  readonly toCut: Path
}

function placesOf(error: ShapeError): Place[] {
  const at = pathOf(error)
  const place = (kind: Place['kind'], path: Path, toCut: Path): Place => ({ kind, path, key: path.join('/'), toCut })
  const below = (keys: string[]) => keys.map((key) => [...at, key])
  if (error.keyword === 'additionalProperties') {
    const { additionalProperties } = error.params as { additionalProperties: string[] }
    return below(additionalProperties).map((path) => place('unknown', path, path))
  }
  if (error.keyword === 'required') {
    const { requiredProperties } = error.params as { requiredProperties: string[] }
    return below(requiredProperties).map((path) => place('missing', path, at))
  }
  return [place('wrong', at, at)]
}

function describe({ kind, path }: Place, value: unknown, schema: Shape, source: YamlSource): Problem {
  const key = String(path.at(-1) ?? '')
  const above = path.slice(0, -1)
  const shape = shapeAt(schema, path)
  if (kind === 'unknown') return source.problemAtKey(path, unknownKey(key, shapeAt(schema, above)))
  if (kind === 'missing') {
    return source.problemAtKey(above, `${above.join('.') || 'the file'} has no ${key}; add it: ${hintOf(shape)}`)
  }
  const name = path.join('.') || 'the file'
  if (value === null) return source.problem(path, `${name} is empty; write ${hintOf(shape)}, or remove it`)
  const found = shape?.quiet ? '' : `, not ${shown(value)}`
  return source.problem(path, `${name} must be ${hintOf(shape)}${found}`)
}

function unknownKey(key: string, shape: Shape | undefined): string {
  const instead = shape?.instead?.[key]
  if (instead) return instead
  if (shape?.keys) return `"${key}" does not fit here; write ${shape.keys}`
  const known = Object.keys(shape?.properties ?? {})
  return `unknown key "${key}"${didYouMean(key, known) || `; known here: ${known.join(', ')}`}`
}

function hintOf(shape: Shape | undefined): string {
  if (shape?.hint) return shape.hint
  if (shape?.type === 'array') return 'a list'
  return shape?.type === 'object' ? 'a map of keys and values' : 'text'
}

/** The value as its author would recognise it, cut short. */
function shown(value: unknown): string {
  if (Array.isArray(value)) return 'a list'
  if (typeof value === 'object') return 'a map'
  if (typeof value === 'string') return JSON.stringify(value.length > 40 ? `${value.slice(0, 39)}…` : value)
  return `${String(value)} (${typeof value === 'number' ? 'a number' : 'true or false'})`
}

function shapeAt(schema: Shape, path: Path): Shape | undefined {
  let shape: Shape | undefined = schema
  for (const part of path) {
    const ofAnyKey: Shape | undefined = Object.values(shape?.patternProperties ?? {})[0]
    shape = shape?.properties?.[part] ?? ofAnyKey ?? shape?.items
  }
  return shape
}

/** JSON pointer (RFC 6901) → path. */
function pathOf(error: ShapeError): string[] {
  const parts = error.instancePath.split('/').slice(1)
  return parts.map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
}

/** What stands at `path` in plain data; undefined when there is nothing. */
export function valueAt(value: unknown, path: Path): unknown {
  return path.reduce<unknown>((at, part) => (at as Record<string | number, unknown> | null | undefined)?.[part], value)
}

/** Takes out what stands at `path`; what is gone already stays gone. */
function remove(value: object, path: Path): void {
  const above = valueAt(value, path.slice(0, -1))
  const last = path.at(-1)!
  if (typeof above !== 'object' || above === null) return
  if (Array.isArray(above)) above.splice(Number(last), 1)
  else if (path.length === 1) Object.assign(above, { [last]: {} })
  else delete (above as Record<string | number, unknown>)[last]
}
