/** The rules of an entry on the keypad, without time: what the typed keys amount to (flow-language.md 3.3). */
import type { GatherSpec } from '../model/flow.ts'

type EntryRules = Pick<GatherSpec, 'min' | 'max' | 'finish' | 'pattern'>

interface Entry {
  /** The digits so far; never the finish key. */
  readonly typed: string
  readonly ahead: string
  readonly complete: boolean
}

/** Takes keys from `ahead` one by one, until the entry is complete or no key is left. */
export function takeKeys(rules: EntryRules, typed: string, ahead: string): Entry {
  for (let at = 0; at < ahead.length; at++) {
    const key = ahead[at]!
    if (rules.finish !== '' && key === rules.finish) return { typed, ahead: ahead.slice(at + 1), complete: true }
    typed += key
    if (typed.length >= rules.max) return { typed, ahead: ahead.slice(at + 1), complete: true }
  }
  return { typed, ahead: '', complete: false }
}

/** Whether a finished entry is valid: long enough, and a full match of the pattern. */
export function isValidEntry(rules: EntryRules, typed: string): boolean {
  if (typed.length < rules.min || typed.length > rules.max) return false
  return rules.pattern === undefined || patternOf(rules.pattern).test(typed)
}

/** Whether an entry ended without its finish key, which may still come: at its last possible digit, or by silence. */
export function lacksFinish(rules: EntryRules, { typed, complete }: Pick<Entry, 'typed' | 'complete'>): boolean {
  return rules.finish !== '' && typed !== '' && (!complete || typed.length >= rules.max)
}

/**
 * The keys after an accepted entry. With "four digits, then hash", the fourth digit ends the entry: its hash is the
 * first key of `ahead` and is dropped, or is still to come (`lateKey`). So it is when a silence has ended the entry.
 */
export function afterEntry(rules: EntryRules, entry: Entry): { leftover: string; lateKey: string } {
  const { ahead } = entry
  if (!lacksFinish(rules, entry)) return { leftover: ahead, lateKey: '' }
  if (ahead.startsWith(rules.finish)) return { leftover: ahead.slice(1), lateKey: '' }
  return { leftover: ahead, lateKey: ahead === '' ? rules.finish : '' }
}

/** Patterns come from flow files: few, and checked when the file was read. */
const PATTERNS_MAX = 1_000
const patterns = new Map<string, RegExp>()

function patternOf(source: string): RegExp {
  let pattern = patterns.get(source)
  if (!pattern) {
    if (patterns.size >= PATTERNS_MAX) patterns.clear()
    pattern = new RegExp(`^(?:${source})$`)
    patterns.set(source, pattern)
  }
  return pattern
}
