/** Rules about YAML itself: what it reads differently from how an author means it (flow-language.md 3.4). */
import type { Problem } from '../../kernel/file-problem.ts'
import type { Path, YamlSource } from '../../kernel/yaml-source.ts'

/** A number that is written the way JavaScript would write it back; everything else may lose something. */
const PLAIN_NUMBER = /^-?(0|[1-9]\d{0,14})(\.\d{1,15})?$/
const DEPTH_MAX = 64
/** In one map or list: to find the place of a value takes as long as the map. */
const ENTRIES_MAX = 1_000
const VALUES_MAX = 10_000

/** What was found; `isBottomless` when the file is so deep or so large that it must not be walked again. */
interface Traps {
  readonly problems: readonly Problem[]
  readonly isBottomless: boolean
}

/** Looks at every value of a file: numbers that lose signs or zeros, and braces doubled out of habit. */
export function findTraps(source: YamlSource): Traps {
  const problems: Problem[] = []
  let values = 0
  // An alias inside its own anchor makes a circle, which looks like endless depth.
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

function doubledBraces(source: YamlSource, path: Path): Problem {
  return source.problem(path, 'write `${…}` for a value, not `{{…}}`')
}
