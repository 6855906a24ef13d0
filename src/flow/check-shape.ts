/** Compares a flow file with its schema: one message for each mistake, with its place and a remedy. */
import type { TSchema } from 'typebox'
import { didYouMean, type Problem } from '../kernel/problem.ts'
import type { Path, YamlSource } from '../kernel/yaml-source.ts'
import type { ShapeWords } from './schema-words.ts'

/** What is left of a file when everything misshapen is taken out, and what was wrong with the rest. */
export interface Shaped {
  readonly value: unknown
  readonly problems: readonly ShapeProblem[]
}

/** `path` leads to what was taken out; `isExtra` when nothing is missed without it (a misspelt key). */
export interface ShapeProblem {
  readonly path: Path
  readonly isExtra: boolean
  /** Looks up the place in the file, which is slow in large ones. */
  readonly locate: () => Problem
}

/** A schema as the walk below sees it: the part of JSON Schema that our schemas use. */
interface Shape extends ShapeWords {
  readonly type?: string
  readonly properties?: Readonly<Record<string, Shape>>
  readonly required?: readonly string[]
  readonly patternProperties?: Readonly<Record<string, Shape>>
  readonly items?: Shape
  readonly anyOf?: readonly Shape[]
  readonly pattern?: string
  readonly minimum?: number
  readonly maximum?: number
  readonly minLength?: number
  readonly maxLength?: number
  readonly minItems?: number
  readonly maxItems?: number
}

type Data = Readonly<Record<string, unknown>>

/** Walks the value beside the schema. What does not fit is cut out, so that the remainder can be read further. */
export function checkShape(schema: TSchema, source: YamlSource): Shaped {
  const problems: ShapeProblem[] = []
  const value = new ShapeWalk(source, problems).check(schema as Shape, source.value, [])
  return { value, problems }
}

class ShapeWalk {
  readonly #source: YamlSource
  readonly #problems: ShapeProblem[]

  constructor(source: YamlSource, problems: ShapeProblem[]) {
    this.#source = source
    this.#problems = problems
  }

  /** The value without its misshapen parts; undefined when nothing of it can be used. */
  check(shape: Shape, value: unknown, path: Path): unknown {
    const fitting = shape.anyOf ? shape.anyOf.find((choice) => choice.type === typeOf(value)) : shape
    if (!fitting || (fitting.type !== undefined && fitting.type !== typeOf(value)))
      return this.#misfit(shape, value, path)
    switch (fitting.type) {
      case 'object':
        return this.#checkMap(fitting, value as Data, path)
      case 'array':
        return this.#checkList(fitting, value as readonly unknown[], path)
      case 'string':
        return fitsText(fitting, value as string) ? value : this.#misfit(fitting, value, path)
      case 'integer':
        return fitsNumber(fitting, value as number) ? value : this.#misfit(fitting, value, path)
      default:
        return value
    }
  }

  #checkMap(shape: Shape, value: Data, path: Path): Data | undefined {
    const [pattern, entryShape] = Object.entries(shape.patternProperties ?? {})[0] ?? []
    const keyPattern = pattern === undefined ? undefined : new RegExp(pattern, 'u')
    const checked: [string, unknown][] = []
    for (const [key, inner] of Object.entries(value)) {
      const innerPath = [...path, key]
      const known = shape.properties && Object.hasOwn(shape.properties, key) ? shape.properties[key] : undefined
      const innerShape = known ?? (keyPattern?.test(key) ? entryShape : undefined)
      if (!innerShape) {
        const isLater = shape.later?.includes(key) === true
        this.#report(innerPath, !isLater, () => this.#source.problemAtKey(innerPath, unknownKey(key, inner, shape)))
        continue
      }
      const fitting = this.check(innerShape, inner, innerPath)
      if (fitting !== undefined) checked.push([key, fitting])
    }
    const missing = shape.required?.filter((key) => !Object.hasOwn(value, key)) ?? []
    for (const key of missing) this.#missing(shape, key, path)
    // No prototype: an author's "constructor" is a name like any other.
    return Object.assign(Object.create(null) as object, Object.fromEntries(checked)) as Data
  }

  #checkList(shape: Shape, value: readonly unknown[], path: Path): unknown {
    const { minItems = 0, maxItems = Number.POSITIVE_INFINITY } = shape
    if (value.length < minItems)
      return this.#wrong(path, `${nameOf(path)} is an empty list; add an entry or remove the key`)
    if (value.length > maxItems) return this.#wrong(path, `${nameOf(path)} has more than ${maxItems} entries`)
    const { items } = shape
    // A list keeps its places: `null` stands for what was cut out, and its problem keeps the step from being read.
    return items ? value.map((item, place) => this.check(items, item, [...path, place]) ?? null) : value
  }

  #misfit(shape: Shape, value: unknown, path: Path): undefined {
    const isLong = typeof value === 'string' && value.length > (shape.maxLength ?? Number.POSITIVE_INFINITY)
    const wanted = isLong ? `shorter than ${shape.maxLength} characters` : `${wantedOf(shape)}, not ${shown(value)}`
    const quote = typeof value === 'number' && takesText(shape) ? `; put it in quotes: "${value}"` : ''
    return this.#wrong(path, `${nameOf(path)} must be ${wanted}${quote}`)
  }

  #missing(shape: Shape, key: string, path: Path): void {
    const wanted = shape.properties?.[key]
    const remedy = wanted ? `: ${wantedOf(wanted)}` : ''
    const message = `${nameOf(path)} has no ${key}; add it${remedy}`
    this.#report([...path, key], false, () => this.#source.problemAtKey(path, message))
  }

  #wrong(path: Path, message: string): undefined {
    this.#report(path, false, () => this.#source.problem(path, message))
    return undefined
  }

  #report(path: Path, isExtra: boolean, locate: () => Problem): void {
    this.#problems.push({ path, isExtra, locate })
  }
}

function unknownKey(key: string, value: unknown, shape: Shape): string {
  if (shape.later?.includes(key)) return `"${key}" comes in a later version of this language`
  const shownKey = key.length > 60 ? `${key.slice(0, 59)}…` : key
  if (shape.patternProperties) return `"${shownKey}" does not fit here; write ${shape.keys ?? 'another key'}`
  const known = Object.keys(shape.properties ?? {})
  const quotes = value === null && key.includes(' ') ? '; a text with a comma inside { } must stand in quotes' : ''
  return `unknown key "${shownKey}"${quotes || didYouMean(shownKey, known) || `; known here: ${known.join(', ')}`}`
}

function fitsText({ pattern, minLength = 0, maxLength = Number.POSITIVE_INFINITY }: Shape, value: string): boolean {
  if (value.length < minLength || value.length > maxLength) return false
  return pattern === undefined || new RegExp(pattern, 'u').test(value)
}

function fitsNumber({ minimum = Number.NEGATIVE_INFINITY, maximum = Number.POSITIVE_INFINITY }: Shape, value: number) {
  return value >= minimum && value <= maximum
}

function typeOf(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number'
  return typeof value
}

function takesText(shape: Shape): boolean {
  return shape.type === 'string' || shape.anyOf?.some((choice) => choice.type === 'string') === true
}

function wantedOf(shape: Shape): string {
  if (shape.hint) return shape.hint
  return shape.type === 'array' ? 'a list' : 'a map of keys and values'
}

/** The value as its author would recognise it, cut short. */
function shown(value: unknown): string {
  if (value === null || value === '') return 'empty'
  if (Array.isArray(value)) return 'a list'
  if (typeof value === 'object') return 'a map'
  if (typeof value !== 'string')
    return `${String(value)} (${typeof value === 'boolean' ? 'true or false' : 'a number'})`
  return JSON.stringify(value.length > 40 ? `${value.slice(0, 39)}…` : value)
}

/** The key by which the author knows the thing: `timeout`, `cases[1]`. */
function nameOf(path: Path): string {
  const key = path.findLast((part) => typeof part === 'string')
  if (key === undefined) return 'the file'
  const place = path.at(-1)
  return typeof place === 'number' ? `${key}[${place}]` : String(key)
}
