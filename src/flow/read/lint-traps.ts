/** Rules about YAML: values that it reads differently from what the author means (flow-language.md 3.4). */
import type { Problem } from '../../kernel/file-problem.ts'
import type { Path, YamlSource } from '../../kernel/yaml-source.ts'
import { textBeforeComment } from '../../kernel/yaml-syntax.ts'
import { type Rule, warn } from './lint-subject.ts'
import type { TextPlace } from './reading.ts'

const SAID: ReadonlySet<TextPlace> = new Set(['speech', 'confirm', 'whisper', 'sms'])

/** A number that JavaScript writes back unchanged; any other may lose digits. */
const PLAIN_NUMBER = /^-?(0|[1-9]\d{0,14})(\.\d{1,15})?$/
const DEPTH_MAX = 64
/** Maximum in one map or list: finding the position of a value takes time in proportion to the map. */
const ENTRIES_MAX = 1_000
const VALUES_MAX = 10_000

/** The result; `isBottomless`: the file is too deep or too large to be walked again. */
interface Traps {
  readonly problems: readonly Problem[]
  readonly isBottomless: boolean
}

/** Checks every value of a file for numbers that lose signs or zeros, and for doubled braces. */
export function findTraps(source: YamlSource): Traps {
  const problems: Problem[] = []
  let values = 0
  // An alias inside its own anchor makes a cycle, which looks like endless depth.
  const isWalkable = (value: unknown, path: Path): boolean => {
    if (++values > VALUES_MAX || path.length > DEPTH_MAX) return false
    if (typeof value === 'string' && /\{\{.*?\}\}/s.test(value)) problems.push(doubledBraces(source, path))
    if (typeof value === 'number') problems.push(...lossyNumber(source, value, path))
    if (typeof value !== 'object' || value === null) return true
    const entries = Object.entries(value)
    if (entries.length > ENTRIES_MAX) return false
    // `{{ x }}` without quotes is a map whose key is a map.
    if (entries.some(([key]) => key.startsWith('{'))) {
      problems.push(doubledBraces(source, path))
      return true
    }
    if (!Array.isArray(value)) problems.push(...entries.flatMap(([key]) => lossyKey(source, [...path, key])))
    return entries.every(([key, inner]) => isWalkable(inner, [...path, Array.isArray(value) ? Number(key) : key]))
  }
  if (isWalkable(source.value, [])) return { problems, isBottomless: false }
  const message = `more than ${VALUES_MAX} values, ${ENTRIES_MAX} in one place or ${DEPTH_MAX} levels; split the flow`
  return { problems: [source.problem([], message)], isBottomless: true }
}

function lossyNumber(source: YamlSource, value: number, path: Path): Problem[] {
  const written = source.writtenAt(path)
  if (written === undefined || PLAIN_NUMBER.test(written)) return []
  return [source.problem(path, `\`${written}\` would be read as the number ${value}; put it in quotes`)]
}

/** The key `0047` of a map has become 47, which no typed digits equal. */
function lossyKey(source: YamlSource, path: Path): Problem[] {
  const written = source.keyWrittenAt(path)
  if (written === undefined || PLAIN_NUMBER.test(written)) return []
  return [source.problemAtKey(path, `the key \`${written}\` would be read as ${path.at(-1)}; put it in quotes`)]
}

/** Warns about words behind a `#`: "Press # to end" without quotes is "Press". */
export const lintComments: Rule = (subject) => {
  return subject.reading.templates.flatMap(({ path, place }) => {
    const comment = SAID.has(place) ? subject.reading.source.commentAfter(path) : undefined
    return comment === undefined ? [] : [warn(subject, path, textBeforeComment(comment))]
  })
}

function doubledBraces(source: YamlSource, path: Path): Problem {
  return source.problem(path, 'write `${…}` for a value, not `{{…}}`')
}
