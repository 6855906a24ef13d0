/** Rules about entries that no caller can type (flow-language.md 3.3). */
import type { Problem } from '../../kernel/file-problem.ts'
import type { GatherSpec } from '../model/flow.ts'
import { readKeyPattern } from '../model/key-pattern.ts'
import { error, type Rule, type Subject, warn } from './lint-subject.ts'

/** Invalid patterns, patterns that match no entry, and finish keys that an entry needs. */
export const lintEntries: Rule = (subject) => {
  return [...subject.flow.steps.values()].flatMap((step) => {
    if (step.kind !== 'gather') return []
    const path = ['steps', step.name, 'gather']
    return [...lintPattern(subject, step.spec, path), ...lintFinish(subject, step.spec, path)]
  })
}

function lintPattern(subject: Subject, { pattern, min, max, finish }: GatherSpec, path: readonly string[]): Problem[] {
  if (pattern === undefined) return []
  const at = [...path, 'pattern']
  const read = readKeyPattern(pattern)
  if (!read.ok) return [error(subject, at, `pattern: ${read.message}`)]
  const fits = read.shortest <= max && read.longest >= min && read.shortest <= read.longest
  if (!fits) {
    const entry = min === max ? `${min} digits` : `${min} to ${max} digits`
    return [
      error(subject, at, `no entry of ${entry} can match "${pattern}"; change the pattern or the number of digits`),
    ]
  }
  const plain = pattern.replace(/\[[^\]]*\]|\\./g, '')
  if (finish === '#' && plain.includes('#')) {
    return [error(subject, at, 'the pattern needs "#", but "#" ends the entry; set finish to another key or to ""')]
  }
  return []
}

function lintFinish(subject: Subject, { finish }: GatherSpec, path: readonly string[]): Problem[] {
  if (!/\d/.test(finish)) return []
  const message = `"${finish}" ends the entry, so no number with a ${finish} in it can be typed; use "#" or "*"`
  return [warn(subject, [...path, 'finish'], message)]
}
