/** Converts input to the declared schema, or reports all errors in it (D-05). */
import type { TSchema } from 'typebox'
import { Compile } from 'typebox/compile'
import { Value } from 'typebox/value'
import { didYouMean } from '../../kernel/file-problem.ts'
import type { FieldError } from './problem-kinds.ts'

/** `ignored`: unknown fields, such as `callTasks[].colour`. */
type InputReading =
  | { readonly ok: true; readonly value: unknown; readonly ignored: readonly string[] }
  | { readonly ok: false; readonly errors: readonly FieldError[] }

/** Reads one part of a request: path parameters and query are strings, a body is JSON. */
export type InputReader = (value: unknown) => InputReading

/** The subset of JSON Schema that the declarations use. */
interface Shape {
  readonly type?: string
  readonly const?: unknown
  readonly properties?: Readonly<Record<string, Shape>>
  readonly required?: readonly string[]
  readonly additionalProperties?: boolean | Shape
  readonly items?: Shape
  readonly anyOf?: readonly Shape[]
}

/** Keep the answer small. */
const ERRORS_MAX = 20
const IGNORED_MAX = 20
/** Types that a string may be converted to. */
const FROM_TEXT = ['integer', 'number', 'boolean']
const BOOLEANS: Readonly<Record<string, boolean>> = { true: true, false: false, '1': true, '0': false }

/** Compiles a schema. `from`: `text` for path and query. */
export function inputReader(schema: TSchema, from: 'body' | 'text'): InputReader {
  const validator = Compile(schema)
  return (value) => {
    const walk = new Conversion(from)
    const converted = walk.convert(schema as Shape, value, '')
    if (walk.errors.length === 0 && validator.Check(converted)) {
      return { ok: true, value: converted, ignored: [...walk.ignored] }
    }
    // In a union with a type field: the errors of the chosen alternative; else of all alternatives.
    const meant = meantOf((schema as Shape).anyOf, converted) as TSchema | undefined
    const found = meant ? Value.Errors(meant, converted) : validator.Errors(converted)
    const errors = [...walk.errors, ...errorsOf(found as readonly SchemaError[])]
    return { ok: false, errors: errors.slice(0, ERRORS_MAX) }
  }
}

/**
 * Conversions (F-I7): an integer may come as a decimal string, a string as an integer; in URLs `true`, `false`, `1` and
 * `0` are booleans and lists are comma-separated. `null` means absent unless the schema allows null. Nothing is rounded
 * or cut; values that do not fit stay unchanged for the check that follows.
 */
class Conversion {
  readonly errors: FieldError[] = []
  readonly ignored = new Set<string>()
  readonly #from: 'body' | 'text'

  constructor(from: 'body' | 'text') {
    this.#from = from
  }

  convert(shape: Shape, value: unknown, path: string): unknown {
    const fitting = this.#fitting(shape, value)
    switch (fitting.type) {
      case 'integer':
      case 'number':
        return asNumber(fitting.type, value)
      case 'boolean':
        return this.#from === 'text' ? asBoolean(value) : value
      case 'string':
        return Number.isSafeInteger(value) ? String(value) : value
      case 'array':
        return this.#list(fitting, value, path)
      case 'object':
        return this.#fields(fitting, value, path)
      default:
        return value
    }
  }

  /** In a union: the alternative that a type field names, else the first that fits the value's type or converts. */
  #fitting(shape: Shape, value: unknown): Shape {
    if (!shape.anyOf) return shape
    const meant = meantOf(shape.anyOf, value)
    if (meant) return meant
    const kind = kindOf(value)
    const same = shape.anyOf.find(({ type }) => type === kind || (type === 'number' && kind === 'integer'))
    const readable = kind === 'string' ? shape.anyOf.find(({ type = '' }) => FROM_TEXT.includes(type)) : undefined
    return same ?? readable ?? shape.anyOf.find(({ type }) => type !== 'null') ?? shape
  }

  #list({ items }: Shape, value: unknown, path: string): unknown {
    const list = this.#from === 'text' ? commaList(value) : value
    if (!Array.isArray(list) || !items) return list
    return list.map((item) => this.convert(items, item, `${path}[]`))
  }

  #fields(shape: Shape, value: unknown, path: string): unknown {
    const { properties, required = [], additionalProperties } = shape
    if (typeof value !== 'object' || value === null || Array.isArray(value) || !properties) return value
    const fields: Record<string, unknown> = {}
    for (const [name, inner] of Object.entries(value)) {
      const innerPath = path === '' ? name : `${path}.${name}`
      const known = Object.hasOwn(properties, name) ? properties[name] : undefined
      if (known === undefined) {
        if (additionalProperties === false) this.#unknown(innerPath, name, Object.keys(properties))
        else if (additionalProperties !== undefined) fields[name] = inner
        else if (this.ignored.size < IGNORED_MAX) this.ignored.add(innerPath)
      } else if (inner !== null || required.includes(name) || allowsNull(known)) {
        fields[name] = this.convert(known, inner, innerPath)
      }
    }
    return fields
  }

  #unknown(path: string, name: string, known: readonly string[]): void {
    if (this.errors.length >= ERRORS_MAX) return
    const shown = shortened(path)
    const message = `unknown field${didYouMean(shortened(name), known)}; known here: ${known.join(', ')}`
    this.errors.push({ path: shown, code: 'unknown', message })
  }
}

/** In a union with constant fields, such as `type: pause`: the alternative that the value names. */
function meantOf(choices: readonly Shape[] | undefined, value: unknown): Shape | undefined {
  if (!choices || kindOf(value) !== 'object') return undefined
  return choices.find(({ properties = {} }) => {
    const constants = Object.entries(properties).filter(([, field]) => field.const !== undefined)
    const fields = value as Readonly<Record<string, unknown>>
    return constants.length > 0 && constants.every(([name, field]) => fields[name] === field.const)
  })
}

function asNumber(type: 'integer' | 'number', value: unknown): unknown {
  // Turns -0 into 0.
  if (value === 0) return 0
  if (typeof value !== 'string') return value
  const pattern = type === 'integer' ? /^-?[0-9]{1,16}$/ : /^-?[0-9]{1,16}(\.[0-9]{1,16})?$/
  if (!pattern.test(value)) return value
  const number = Number(value)
  return type === 'integer' && !Number.isSafeInteger(number) ? value : number + 0
}

function asBoolean(value: unknown): unknown {
  const word = typeof value === 'string' ? value.toLowerCase() : ''
  return Object.hasOwn(BOOLEANS, word) ? BOOLEANS[word] : value
}

/** Trimmed, without empty items and duplicates (D-05). A repeated parameter continues the list. */
function commaList(value: unknown): unknown {
  const texts = Array.isArray(value) ? value : [value]
  if (!texts.every((text) => typeof text === 'string')) return value
  const items = texts.flatMap((text) => text.split(',')).map((item) => item.trim())
  return [...new Set(items.filter((item) => item !== ''))]
}

function kindOf(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  return Number.isInteger(value) ? 'integer' : typeof value
}

function allowsNull({ type, anyOf, ...others }: Shape): boolean {
  if (anyOf) return anyOf.some(allowsNull)
  // A schema without a type accepts null.
  return type === 'null' || (type === undefined && !('enum' in others) && !('const' in others))
}

interface SchemaError {
  readonly keyword: string
  readonly instancePath: string
  readonly message: string
  readonly params: Readonly<Record<string, unknown>>
}

/** One error for each path: if no alternative of a union fits, only the union's error. */
function errorsOf(errors: readonly SchemaError[]): FieldError[] {
  const unions = new Set(errors.filter(({ keyword }) => keyword === 'anyOf').map(({ instancePath }) => instancePath))
  const isSaid = ({ keyword, instancePath }: SchemaError) => keyword !== 'anyOf' && unions.has(instancePath)
  return errors.flatMap((error) => {
    if (isSaid(error) || error.keyword === 'additionalProperties' || error.keyword === 'boolean') return []
    const path = placeOf(error.instancePath)
    if (error.keyword === 'required') return missing(path, error.params)
    return [{ path, code: error.keyword, message: sentence(error, errors) }]
  })
}

function missing(path: string, { requiredProperties }: SchemaError['params']): FieldError[] {
  const names = Array.isArray(requiredProperties) ? requiredProperties.map(String) : []
  return names.map((name) => ({
    path: path === '' ? name : `${path}.${name}`,
    code: 'required',
    message: 'is missing',
  }))
}

/** What is said of a value of the right type. */
const OF_FORM = /^(pattern|format|(min|max|exclusive|multiple)[A-Z])/

function sentence({ keyword, instancePath, message, params }: SchemaError, all: readonly SchemaError[]): string {
  const isHere = (other: SchemaError) => other.instancePath === instancePath
  const constants = all.filter((other) => isHere(other) && other.keyword === 'const')
  if (keyword === 'anyOf' && constants.length > 0) {
    return `must be one of ${constants.map(({ params }) => String(params['allowedValue'])).join(', ')}`
  }
  if (keyword === 'anyOf') {
    const types = all.filter((other) => isHere(other) && other.keyword === 'type').map(({ params }) => params['type'])
    // A text of the wrong form where a text or null may be: its form is what to say.
    const form = all.find((other) => isHere(other) && OF_FORM.test(other.keyword))
    if (form) return types.includes('null') ? `${form.message}, or be null` : form.message
    return types.length > 0 ? `must be ${types.join(' or ')}` : 'matches none of the allowed types'
  }
  if (keyword === 'enum' && Array.isArray(params['allowedValues'])) {
    return `must be one of ${params['allowedValues'].join(', ')}`
  }
  return message
}

/** `/callTasks/3/number` → `callTasks[3].number`; the root is the empty string. */
function placeOf(pointer: string): string {
  const parts = pointer.split('/').slice(1)
  const names = parts.map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
  const path = names.reduce((path, name) => (/^\d+$/.test(name) ? `${path}[${name}]` : `${path}.${name}`), '')
  return shortened(path.replace(/^\./, ''))
}

function shortened(text: string): string {
  return text.length > 100 ? `${text.slice(0, 99)}…` : text
}
