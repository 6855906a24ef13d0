/** Texts with values in them: `Case ${caseInfo.caseNumber}: ${amount | money EUR}` (flow-language.md 3.1). */
import { spokenDigits, writtenDate, writtenMoney, writtenTime } from './spoken.ts'
import { lookUp, type Scope, type VariablePath } from './variable-path.ts'

/** A parsed text. Plain data: it may be kept as JSON. */
export interface Template {
  readonly source: string
  readonly parts: readonly TemplatePart[]
  /** Every variable it reads; secrets are not among them. */
  readonly paths: readonly VariablePath[]
}

export type TemplatePart =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'value'; readonly path: VariablePath; readonly filter: Filter | null }
  | { readonly kind: 'secret'; readonly name: string }

/** How a value is written; at most one. */
export type Filter =
  | { readonly name: 'money'; readonly currency: string }
  /** Without a zone, times stay as written: those of the engine are UTC. */
  | { readonly name: 'date' | 'time'; readonly timeZone?: string }
  | { readonly name: 'digits' }
  | { readonly name: 'default'; readonly text: string }

/** Language of the text. */
interface Reader {
  readonly language: string
}

/** `missing` is the path of the missing or unusable value; `why` is a sentence for the trace. */
type RenderFailure = { readonly ok: false; readonly missing: string; readonly why: string }
type Rendered = { readonly ok: true; readonly text: string } | RenderFailure

const TEXT_MAX = 50_000

/** A text without values, for sentences of our own. */
export function plainText(text: string): Template {
  return { source: text, parts: [{ kind: 'text', text }], paths: [] }
}

/** The names of all `${secret.…}` in it. */
export function secretsOf(template: Template): readonly string[] {
  return template.parts.flatMap((part) => (part.kind === 'secret' ? [part.name] : []))
}

/** Whether the value at this path may be missing because the template has a default. */
export function hasDefault(template: Template, path: VariablePath): boolean {
  return template.parts.some((part) => part.kind === 'value' && part.path === path && part.filter?.name === 'default')
}

/**
 * The text for one call. A missing or null value without a default is a failure: callers never hear a gap.
 *
 * Secrets stay as the literal text `${secret.name}` until `fillSecrets`. A text in which call data would form that
 * mark, alone or with its neighbours, is therefore refused: data can never reveal a secret.
 */
export function render(template: Template, scope: Scope, reader: Reader): Rendered {
  let text = ''
  for (const part of template.parts) {
    const said = renderPart(part, scope, reader)
    if (typeof said !== 'string') return said
    text += said
  }
  return checked(template, text)
}

/**
 * A web address for one call: values are percent-encoded (RFC 3986), save for `${env.…}` at the very beginning.
 * An empty value, or one that would make a path segment `.` or `..`, is refused: it would ask for something else.
 */
export function renderUrl(template: Template, scope: Scope, reader: Reader): Rendered {
  let text = ''
  for (const [place, part] of template.parts.entries()) {
    const said = renderPart(part, scope, reader)
    if (typeof said !== 'string') return said
    const isBase = place === 0 && part.kind === 'value' && part.path.parts[0] === 'env'
    if (part.kind !== 'value' || isBase) {
      text += said
      continue
    }
    if (said === '' && part.filter?.name !== 'default') return failure(part.path.text, 'is empty')
    text += encodeURIComponent(said.toWellFormed())
  }
  const isDotted = text.split(/[/?#]/).some((segment) => /^(\.|%2e){1,2}$/i.test(segment))
  return isDotted ? failure(template.source, 'has a path segment "." or ".."') : checked(template, text)
}

/** A value for a body or variable. A lone `${…}` keeps its type, null included, unless it has a default; else text. */
export function fillValue(
  template: Template,
  scope: Scope,
  reader: Reader,
): { readonly ok: true; readonly value: unknown } | RenderFailure {
  const [only, another] = template.parts
  const isBare = only?.kind === 'value' && (only.filter === null || only.filter.name === 'default')
  if (isBare && !another) {
    const value = lookUp(only.path.parts, scope)
    if (only.filter?.name === 'default') return { ok: true, value: value ?? only.filter.text }
    return value === undefined ? failure(only.path.text, 'is missing') : { ok: true, value }
  }
  const rendered = render(template, scope, reader)
  return rendered.ok ? { ok: true, value: rendered.text } : rendered
}

/** Whether the value is `true`. A missing one, and every other, is not: for consent. */
export function isTrue(given: Template | undefined, { scope, language }: Reader & { readonly scope: Scope }): boolean {
  const filled = given && fillValue(given, scope, { language })
  return filled?.ok === true && (filled.value === true || filled.value === 'true')
}

/** Replaces the marks of `render` by secrets; never log the result. Undefined when `lookUpSecret` lacks a name. */
export function fillSecrets(text: string, lookUpSecret: (name: string) => string | undefined): string | undefined {
  let isComplete = true
  const filled = text.replace(SECRET_MARK, (_, name: string) => {
    const secret = lookUpSecret(name)
    if (secret === undefined) isComplete = false
    return secret ?? ''
  })
  return isComplete ? filled : undefined
}

const SECRET_MARK = /\$\{secret\.([^}]+)\}/g

function checked(template: Template, text: string): Rendered {
  if (text.length > TEXT_MAX) return failure(template.source.slice(0, 60), `becomes longer than ${TEXT_MAX} characters`)
  const isOurs = text.split('${secret.').length - 1 === secretsOf(template).length
  return isOurs ? { ok: true, text } : failure(template.source.slice(0, 60), 'would name a secret through a value')
}

function renderPart(part: TemplatePart, scope: Scope, reader: Reader): string | RenderFailure {
  if (part.kind === 'text') return part.text
  if (part.kind === 'secret') return `\${secret.${part.name}}`
  const value = lookUp(part.path.parts, scope)
  if (value === undefined || value === null) {
    return part.filter?.name === 'default' ? part.filter.text : failure(part.path.text, 'is missing')
  }
  const text = applyFilter(part.filter, value, reader)
  return text ?? failure(part.path.text, `cannot be written as ${part.filter?.name ?? 'text'}`)
}

function applyFilter(filter: Filter | null, value: unknown, { language }: Reader): string | undefined {
  switch (filter?.name) {
    case 'money':
      return writtenMoney(value, filter.currency, language)
    case 'date':
      return writtenDate(value, language, filter.timeZone)
    case 'time':
      return writtenTime(value, language, filter.timeZone)
    case 'digits':
      return spokenDigits(value, language)
    default:
      return typeof value === 'object' ? undefined : String(value)
  }
}

function failure(path: string, why: string): RenderFailure {
  return { ok: false, missing: path, why: `${path} ${why}` }
}
