/** The data collected while a file is read: problems, and everything the linter needs afterwards. */

import type { Problem } from '../../kernel/file-problem.ts'
import type { StepName } from '../../kernel/ids.ts'
import type { Path, YamlSource } from '../../kernel/yaml-source.ts'
import { plainText, type Template } from '../model/template.ts'
import { parseTemplate } from '../model/template-parser.ts'
import type { Misread, VariablePath } from '../model/variable-path.ts'

export interface Reading {
  readonly source: YamlSource
  readonly problems: Problem[]
  readonly templates: TemplateUse[]
  /** Paths outside of texts: `has`, `in`, `by`. A missing value is an answer there. */
  readonly paths: { readonly variable: VariablePath; readonly path: Path }[]
  readonly prompts: { readonly name: string; readonly path: Path }[]
  readonly recordings: { readonly file: string; readonly path: Path }[]
}

/** The use of a text. Only `header` may hold secrets; a `popup` or `whisper` with a missing value is left out. */
export type TextPlace =
  | 'speech'
  | 'confirm'
  | 'whisper'
  | 'sms'
  | 'url'
  | 'header'
  | 'body'
  | 'value'
  | 'popup'
  | 'activity'

export interface TemplateUse {
  readonly template: Template
  readonly path: Path
  readonly place: TextPlace
}

/** A larger flow should be divided; the limit also keeps the linter fast. */
export const STEPS_MAX = 500

/** Nothing read yet. */
export function startReading(source: YamlSource): Reading {
  return { source, problems: [], templates: [], paths: [], prompts: [], recordings: [] }
}

/** Parses a text; a mistake is reported and the text stays unchanged. */
export function readTemplate(reading: Reading, text: string, path: Path, place: TextPlace): Template {
  const read = parseTemplate(text)
  if (!read.ok) {
    complain(reading, path, misreadOf(text, read))
    return plainText(text)
  }
  reading.templates.push({ template: read.template, path, place })
  return read.template
}

/** An error at the value that `path` names. */
export function complain(reading: Reading, path: Path, message: string): void {
  reading.problems.push(reading.source.problem(path, message))
}

/** The message with the text around the mistake. */
export function misreadOf(text: string, { message, offset }: Misread): string {
  const near = text.slice(offset, offset + 20).trim()
  return near === '' ? `${message} (at the end)` : `${message} (at "${near}${offset + 20 < text.length ? '…' : ''}")`
}

/** The step at a position of the file; undefined for keys outside of steps. */
export function stepAt(path: Path): StepName | undefined {
  return path[0] === 'steps' && typeof path[1] === 'string' ? (path[1] as StepName) : undefined
}

/** A map with author's names as keys. Without a prototype: `constructor` is a name like any other. */
export function named<T>(entries: Iterable<readonly [string, T]>): Readonly<Record<string, T>> {
  const map = Object.create(null) as Record<string, T>
  for (const [name, value] of entries) map[name] = value
  return map
}
