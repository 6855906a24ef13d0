/** What the reading of one file collects: its mistakes, and everything the linter asks about afterwards. */

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
}

/** Where a text ends up. Secrets may only stand in `header`; `popup` and `whisper` are left out with a hole in them. */
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

/** Nothing read yet. */
export function startReading(source: YamlSource): Reading {
  return { source, problems: [], templates: [], paths: [], prompts: [] }
}

/** Parses a text; a mistake in it is written down and leaves the text as it stands. */
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

/** The message with the piece of the text where the mistake is. */
export function misreadOf(text: string, { message, offset }: Misread): string {
  const near = text.slice(offset, offset + 20).trim()
  return near === '' ? `${message} (at the end)` : `${message} (at "${near}${offset + 20 < text.length ? '…' : ''}")`
}

/** The step to which a place of the file belongs; undefined for the file's own keys. */
export function stepAt(path: Path): StepName | undefined {
  return path[0] === 'steps' && typeof path[1] === 'string' ? (path[1] as StepName) : undefined
}

/** A map with author's names as keys. Without a prototype, so that `constructor` is a name like any other. */
export function named<T>(entries: Iterable<readonly [string, T]>): Readonly<Record<string, T>> {
  const map = Object.create(null) as Record<string, T>
  for (const [name, value] of entries) map[name] = value
  return map
}
