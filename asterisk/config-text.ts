/** The syntax of Asterisk's configuration files, and nothing about their meaning. */
import { assert } from '../src/kernel/assert.ts'

/** One line `key = value`. A `null` value leaves the line out. */
export type Entry = readonly [key: string, value: string | number | null]

/** `[name]` and its lines. */
export interface Section {
  readonly name: string
  readonly entries: readonly Entry[]
}

/** Longest line to write: Asterisk cuts lines at 8,191 bytes, and none of ours comes near. */
const LINE_LENGTH_MAX = 1_000

const HEADER = '; Made by Switchboard from its setup file; what is changed here is lost at the next start.'

/**
 * A whole configuration file. Values were checked on entry (`check-input.ts`); a line end or a `;` that arrives here
 * would become configuration, so it is a bug and throws.
 */
export function configText(sections: readonly Section[]): string {
  const blocks = sections.map(({ name, entries }) => [`[${plain(name)}]`, ...entries.flatMap(entryLine)].join('\n'))
  return `${[HEADER, ...blocks].join('\n\n')}\n`
}

export function section(name: string, ...entries: readonly Entry[]): Section {
  return { name, entries }
}

function entryLine([key, value]: Entry): string[] {
  if (value === null) return []
  const line = `${key} = ${value}`
  assert(line.length <= LINE_LENGTH_MAX, `the configuration line of "${key}" is longer than ${LINE_LENGTH_MAX}`)
  return [plain(line)]
}

function plain(line: string): string {
  assert(/^[\x20-\x7e]*$/.test(line) && !line.includes(';'), 'a configuration line holds a line end, a ; or non-ASCII')
  return line
}
