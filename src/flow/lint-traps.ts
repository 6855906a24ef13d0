/** Rules about YAML itself: what it reads differently from how an author means it (flows.md 3.4). */
import type { Problem } from '../kernel/problem.ts'
import type { Path, YamlSource } from '../kernel/yaml-source.ts'

/** A number that is written the way JavaScript would write it back; everything else may lose something. */
const PLAIN_NUMBER = /^-?(0|[1-9]\d{0,14})(\.\d{1,15})?$/
const DEPTH_MAX = 64

/** Looks at every value of a file: numbers that lose signs or zeros, and braces doubled out of habit. */
export function findTraps(source: YamlSource): Problem[] {
  const problems: Problem[] = []
  visit(source, source.value, [], problems)
  return problems
}

function visit(source: YamlSource, value: unknown, path: Path, problems: Problem[]): void {
  if (typeof value === 'string' && /\{\{.*?\}\}/s.test(value)) problems.push(doubledBraces(source, path))
  if (typeof value === 'number') problems.push(...lossyNumber(source, value, path))
  if (typeof value !== 'object' || value === null) return
  if (path.length > DEPTH_MAX) {
    problems.push(source.problem(path, `more than ${DEPTH_MAX} levels within each other`))
    return
  }
  // `{{ x }}` without quotes is a map whose key is a map.
  const keys = Object.keys(value)
  if (keys.some((key) => key.startsWith('{'))) {
    problems.push(doubledBraces(source, path))
    return
  }
  for (const key of keys)
    visit(
      source,
      (value as Record<string, unknown>)[key],
      [...path, Array.isArray(value) ? Number(key) : key],
      problems,
    )
}

function lossyNumber(source: YamlSource, value: number, path: Path): Problem[] {
  const written = source.writtenAt(path)
  if (written === undefined || PLAIN_NUMBER.test(written)) return []
  return [source.problem(path, `\`${written}\` would be read as the number ${value}; put it in quotes`)]
}

function doubledBraces(source: YamlSource, path: Path): Problem {
  return source.problem(path, 'write `${…}` for a value, not `{{…}}`')
}
