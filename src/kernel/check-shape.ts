/** Compares a YAML file with its schema: one message per mistake, with its place and a remedy. */
import type { TSchema } from 'typebox'
import { byPlace, didYouMean, type Problem } from './file-problem.ts'
import type { Path, YamlSource } from './yaml-source.ts'

/** What our schemas say beyond JSON Schema. */
export interface ShapeText {
  /** What the value must be, as the end of the sentence "port must be …". */
  readonly hint?: string
  /** What the keys of a map must be, where authors choose them. */
  readonly keys?: string
  /** Misplaced keys that users write, and the hint for each. */
  readonly instead?: Readonly<Record<string, string>>
  /** The value may be a secret in the wrong place: messages never repeat it. */
  readonly quiet?: boolean
  readonly isRight?: (text: string) => boolean
}

/** The well-formed remainder of a file, and the mistakes in the rest. */
interface Shaped {
  /** Well-formed, or undefined. The file itself may lack required keys; `null` is a malformed entry of a list. */
  readonly value: unknown
  readonly problems: readonly Problem[]
  readonly cuts: readonly Cut[]
}

/** `path` leads to what was removed or is missing; `isExtra` for a surplus (misspelt) key. */
export interface Cut {
  readonly path: Path
  readonly isExtra: boolean
}

/** How messages name the value at a path. */
export type NameOf = (path: Path) => string

interface Shape extends ShapeText {
  readonly type?: string
  readonly properties?: Readonly<Record<string, Shape>>
  readonly required?: readonly string[]
  readonly patternProperties?: Readonly<Record<string, Shape>>
  readonly items?: Shape
  readonly anyOf?: readonly Shape[]
  readonly enum?: readonly unknown[]
  readonly pattern?: string
  readonly minimum?: number
  readonly maximum?: number
  readonly minLength?: number
  readonly maxLength?: number
  readonly minItems?: number
  readonly maxItems?: number
}

type Data = Readonly<Record<string, unknown>>

/** More messages would not help. */
const PROBLEMS_MAX = 200

/**
 * Walks the value along the schema and removes what does not fit; a map without a required key goes as a whole. Union
 * members are distinguished by type alone. Our choice: not TypeBox's own check, whose errors come in heaps and without
 * the schema author's hints.
 */
export function checkShape(schema: TSchema, source: YamlSource, nameOf: NameOf): Shaped {
  const walk = new ShapeWalk(source, nameOf)
  const value = walk.check(schema as Shape, source.value, [], false)
  return { value, problems: walk.problems, cuts: walk.cuts }
}

/** The problems to show, in the order of the file; of too many, errors before warnings. */
export function mostUrgent(problems: readonly Problem[]): Problem[] {
  const errors = problems.filter(({ severity }) => severity === 'error')
  const warnings = problems.filter(({ severity }) => severity === 'warn')
  return [...errors.sort(byPlace), ...warnings.sort(byPlace)].slice(0, PROBLEMS_MAX).sort(byPlace)
}

/** `trunks.carrier.port`: for files in which many entries have the same keys. */
export function wholePath(path: Path): string {
  return path.join('.') || 'the file'
}

/** `timeout`, `cases[1]`: for files in which the key says enough. */
export function lastKey(path: Path): string {
  const key = path.findLast((part) => typeof part === 'string')
  if (key === undefined) return 'the file'
  const place = path.at(-1)
  return typeof place === 'number' ? `${key}[${place}]` : String(key)
}

class ShapeWalk {
  readonly problems: Problem[] = []
  readonly cuts: Cut[] = []
  readonly #source: YamlSource
  readonly #nameOf: NameOf

  constructor(source: YamlSource, nameOf: NameOf) {
    this.#source = source
    this.#nameOf = nameOf
  }

  /** The value without its malformed parts; undefined if none of it is usable. `around`: of the map that holds it. */
  check(shape: Shape, value: unknown, path: Path, isOptional: boolean, around?: Shape): unknown {
    const type = typeOf(value)
    const fitting = shape.anyOf ? shape.anyOf.find((choice) => choice.type === type) : shape
    if (!fitting || (fitting.type !== undefined && fitting.type !== type))
      return this.#misfit(shape, value, path, isOptional)
    switch (fitting.type) {
      case 'object':
        return this.#checkMap(fitting, value as Data, path, around)
      case 'array':
        return this.#checkList(fitting, value as readonly unknown[], path, around)
      case 'string':
        return fitsText(fitting, value as string) ? value : this.#misfit(fitting, value, path, isOptional)
      case 'integer':
        return fitsNumber(fitting, value as number) ? value : this.#misfit(fitting, value, path, isOptional)
      default:
        // TypeBox gives an enumeration no type.
        return fitting.enum?.includes(value) === false ? this.#misfit(fitting, value, path, isOptional) : value
    }
  }

  #checkMap(shape: Shape, value: Data, path: Path, around: Shape | undefined): Data | undefined {
    const { required = [] } = shape
    const [pattern, entryShape] = Object.entries(shape.patternProperties ?? {})[0] ?? []
    const keyPattern = pattern === undefined ? undefined : new RegExp(pattern, 'u')
    // No prototype: a key "constructor" is a name like any other.
    const checked = Object.create(null) as Record<string, unknown>
    for (const [key, inner] of Object.entries(value)) {
      const innerPath = [...path, key]
      const innerShape = own(shape.properties, key) ?? (keyPattern?.test(key) ? entryShape : undefined)
      if (!innerShape) {
        this.#unknownKey(shape, inner, innerPath, around)
        continue
      }
      const fitting = this.check(innerShape, inner, innerPath, !required.includes(key), shape)
      if (fitting !== undefined) checked[key] = fitting
    }
    for (const key of required) if (!Object.hasOwn(value, key)) this.#missing(shape, key, path)
    const isWhole = required.every((key) => Object.hasOwn(checked, key))
    return isWhole || path.length === 0 ? checked : undefined
  }

  #checkList(shape: Shape, value: readonly unknown[], path: Path, around: Shape | undefined): unknown {
    const { items, minItems = 0, maxItems = Number.POSITIVE_INFINITY } = shape
    const name = this.#nameOf(path)
    if (value.length < minItems) return this.#wrong(path, `${name} is an empty list; add an entry or remove the key`)
    if (value.length > maxItems) return this.#wrong(path, `${name} has more than ${maxItems} entries; remove some`)
    return items ? value.map((item, place) => this.check(items, item, [...path, place], true, around) ?? null) : value
  }

  #misfit(shape: Shape, value: unknown, path: Path, isOptional: boolean): undefined {
    const name = this.#nameOf(path)
    if (isEmpty(value) && path.length > 0) {
      return this.#wrong(path, `${name} is empty; write ${wantedOf(shape)}${isOptional ? ', or remove it' : ''}`)
    }
    if (typeof value === 'string' && value.length > (shape.maxLength ?? Number.POSITIVE_INFINITY)) {
      return this.#wrong(path, `${name} is longer than ${shape.maxLength} characters; shorten it`)
    }
    const found = shape.quiet ? '' : `, not ${this.#shown(shape, value, path)}`
    return this.#wrong(path, `${name} must be ${wantedOf(shape)}${found}`)
  }

  /** The value as its author wrote it, cut short. */
  #shown(shape: Shape, value: unknown, path: Path): string {
    if (isEmpty(value)) return 'empty'
    if (Array.isArray(value))
      return shape.type === 'object' && path.length > 0 ? 'a list; write keys, not dashes' : 'a list'
    if (typeof value === 'object') return 'a map'
    if (typeof value === 'string') return JSON.stringify(shortened(value, 40)) + remedyOf(shape, value)
    // As written: `0047` has become 47 by now.
    const written = this.#source.writtenAt(path) ?? String(value)
    if (typeof value === 'boolean') return `${written} (true or false)`
    const isMeantAsText = (shape.anyOf ?? [shape]).some(
      (choice) => choice.type === 'string' && fitsText(choice, written),
    )
    return `${written} (a number)${isMeantAsText ? `; put it in quotes: "${written}"` : ''}`
  }

  #unknownKey(shape: Shape, value: unknown, path: Path, around: Shape | undefined): void {
    const key = String(path.at(-1))
    const instead = own(shape.instead, key)
    this.#report(path, instead === undefined, () => {
      return this.#source.problemAtKey(path, instead ?? besideIt(key, path, around) ?? unknownKey(shape, key, value))
    })
  }

  #missing(shape: Shape, key: string, path: Path): void {
    const wanted = own(shape.properties, key)
    const message = `${this.#nameOf(path)} has no ${key}; add it${wanted ? `: ${wantedOf(wanted)}` : ''}`
    this.#report([...path, key], false, () => this.#source.problemAtKey(path, message))
  }

  #wrong(path: Path, message: string): undefined {
    this.#report(path, false, () => this.#source.problem(path, message))
    return undefined
  }

  #report(path: Path, isExtra: boolean, problem: () => Problem): void {
    this.cuts.push({ path, isExtra })
    if (this.problems.length < PROBLEMS_MAX) this.problems.push(problem())
  }
}

/** A key of the map around, indented too far. */
function besideIt(key: string, path: Path, around: Shape | undefined): string | undefined {
  if (!own(around?.properties, key)) return undefined
  const inside = path.slice(0, -1).findLast((part) => typeof part === 'string')
  return `${key} stands beside ${inside}, not in it; move it there`
}

function unknownKey(shape: Shape, key: string, value: unknown): string {
  const shownKey = shortened(key, 60)
  if (key === '<<') return 'maps are not merged with <<; write the keys out'
  if (shape.patternProperties) return `"${shownKey}" does not fit here; write ${shape.keys ?? 'another key'}`
  const known = Object.keys(shape.properties ?? {})
  const isKnown = known.some((one) => one.toLowerCase() === key.toLowerCase())
  const isWords = !isKnown && (key.includes(' ') || /^\p{Lu}/u.test(key))
  const sign = !isWords
    ? undefined
    : value === null
      ? 'a comma inside { }'
      : typeof value === 'string'
        ? 'a colon'
        : undefined
  const quotes = sign ? `; a text with ${sign} must stand in quotes` : ''
  return `unknown key "${shownKey}"${quotes || didYouMean(shownKey, known) || `; known here: ${known.join(', ')}`}`
}

function fitsText(shape: Shape, value: string): boolean {
  const { pattern, minLength = 0, maxLength = Number.POSITIVE_INFINITY, isRight } = shape
  if (value.length < minLength || value.length > maxLength) return false
  if (pattern !== undefined && !new RegExp(pattern, 'u').test(value)) return false
  return isRight === undefined || isRight(value)
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

function isEmpty(value: unknown): boolean {
  return value === null || value === '' || value === undefined
}

/** For a text that has a sign too many, or lacks one. */
function remedyOf(shape: Shape, value: string): string {
  for (const { type, properties, ...limits } of shape.anyOf ?? [shape]) {
    const isNumber = type === 'integer' && /^\d+$/.test(value) && fitsNumber(limits, Number(value))
    if (isNumber || (type === 'boolean' && /^(true|false)$/.test(value))) return '; remove the quotes'
    if (own(properties, value)) return `; add a colon: ${value}:`
  }
  return /^[“”„]/.test(value) ? '; write straight quotes: "…"' : ''
}

function wantedOf({ hint, type, properties = {}, required = [] }: Shape): string {
  if (hint !== undefined) return hint
  if (type !== 'object') return type === 'array' ? 'a list' : 'text'
  const keys = required.length > 0 ? required : Object.keys(properties).slice(0, 2)
  const shown = keys.map((key) => `${key}: …`).join(', ')
  return shown === '' ? 'a map of keys and values' : `a map such as {${shown}}`
}

function shortened(text: string, lengthMax: number): string {
  return text.length > lengthMax ? `${text.slice(0, lengthMax - 1)}…` : text
}

/** Keys come from users, who may write `constructor`. */
function own<T>(map: Readonly<Record<string, T>> | undefined, key: string): T | undefined {
  return map && Object.hasOwn(map, key) ? map[key] : undefined
}
