import { didYouMean } from '../../kernel/file-problem.ts'
import { isTimeZone } from './hours.ts'
import { isCurrency } from './spoken.ts'
import type { Filter, Template, TemplatePart } from './template.ts'
import { type Misread, readPath, type VariablePath } from './variable-path.ts'

type TemplateResult = { readonly ok: true; readonly template: Template } | Misread

/** Filters of values in texts. */
export const FILTERS = ['money', 'date', 'time', 'digits', 'default']
const SOURCE_MAX = 10_000

const SPACE = /\s*/y
const FILTER = /\|\s*(?<name>[\p{L}_]+)(?:\s+(?:(?<word>[\w/+-]+)|'(?<single>[^']*)'|"(?<double>[^"]*)"))?\s*/uy

/** Reads a text once, at load. `offset` is the place of a mistake in characters. */
export function parseTemplate(text: string): TemplateResult {
  if (text.length > SOURCE_MAX)
    return { ok: false, message: `a text has at most ${SOURCE_MAX} characters; shorten it`, offset: 0 }
  const parts: TemplatePart[] = []
  let at = 0
  for (let open = text.indexOf('${'); open !== -1; open = text.indexOf('${', at)) {
    if (open > at) parts.push({ kind: 'text', text: text.slice(at, open) })
    const read = readValue(text, open + 2)
    if (!read.ok) return read
    parts.push(read.part)
    at = read.end
  }
  if (at < text.length) parts.push({ kind: 'text', text: text.slice(at) })
  const paths = parts.flatMap((part) => (part.kind === 'value' ? [part.path] : []))
  return { ok: true, template: { source: text, parts, paths } }
}

function readValue(text: string, start: number): { ok: true; part: TemplatePart; end: number } | Misread {
  const pathStart = skipSpace(text, start)
  const read = readPath(text, pathStart)
  if (!read.ok) return text.includes('}', start) ? read : notClosed(start)
  let at = skipSpace(text, read.end)
  FILTER.lastIndex = at
  const written = text[at] === '|' ? FILTER.exec(text) : null
  if (text[at] === '|' && !written) {
    return { ok: false, message: `"|" must be followed by a filter: ${FILTERS.join(', ')}`, offset: at }
  }
  const filter = written ? readFilter(written, at) : null
  if (filter && 'ok' in filter) return filter
  if (written) at += written[0].length
  if (text[at] === '|') return { ok: false, message: 'a value has at most one filter; remove the second', offset: at }
  if (at >= text.length) return notClosed(start)
  if (text[at] !== '}')
    return { ok: false, message: `"${text[at]}" is not allowed inside \${…}; remove it`, offset: at }
  const part = partOf(read.path, filter, pathStart)
  return 'ok' in part ? part : { ok: true, part, end: at + 1 }
}

function partOf(path: VariablePath, filter: Filter | null, offset: number): TemplatePart | Misread {
  if (path.parts[0] !== 'secret') return { kind: 'value', path, filter }
  const name = path.parts[1]
  const isPlain = path.text === `secret.${name}` && typeof name === 'string' && filter === null
  if (isPlain) return { kind: 'secret', name }
  return { ok: false, message: 'a secret has no filter; write ${secret.name}', offset }
}

function readFilter(written: RegExpExecArray, offset: number): Filter | Misread {
  const { name, word, single, double } = written.groups as Record<string, string | undefined>
  const text = single ?? double
  const misread = (message: string): Misread => ({ ok: false, message, offset })
  switch (name) {
    case 'money':
      if (word && isCurrency(word)) return { name, currency: word }
      return misread(word ? `there is no currency "${word}"` : 'money needs a currency: money EUR')
    case 'default':
      return text === undefined ? misread("default needs a text in quotes: default 'none'") : { name, text }
    case 'date':
    case 'time':
      if (word === undefined && text === undefined) return { name }
      if (word !== undefined && isTimeZone(word)) return { name, timeZone: word }
      return misread(`${name} takes a time zone such as Europe/Copenhagen, or nothing`)
    case 'digits':
      return word === undefined && text === undefined ? { name } : misread(`${name} takes no further word`)
    default:
      return misread(`there is no filter "${name}"${didYouMean(name!, FILTERS) || `; known: ${FILTERS.join(', ')}`}`)
  }
}

function skipSpace(text: string, at: number): number {
  SPACE.lastIndex = at
  SPACE.exec(text)
  return SPACE.lastIndex
}

function notClosed(start: number): Misread {
  return { ok: false, message: 'this ${ is not closed; add }', offset: start - 2 }
}
