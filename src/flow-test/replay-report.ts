/** What a draft would change for the callers of the past: calls counted by what they would notice. */
import type { Flow, Step } from '../flow/model/flow.ts'
import type { CallId, StepName } from '../kernel/ids.ts'
import type { Course } from './recorded-call.ts'
import type { ReplayedCall } from './replay-recorded.ts'

export interface ReplayFinding {
  /** `would now reach a person (collections)` */
  readonly what: string
  readonly calls: number
  readonly examples: readonly CallId[]
}

export interface ReplayReport {
  /** Calls of the flow whose beginning and end were recorded. */
  readonly calls: number
  readonly same: number
  readonly comparable: number
  /** A call may be in several. The most frequent is first. */
  readonly findings: readonly ReplayFinding[]
  readonly notComparable: readonly ReplayFinding[]
  /** Their answers were taken over, although the words of the question have changed. */
  readonly reworded: readonly ReplayFinding[]
}

const EXAMPLES_MAX = 3

type Found = Map<string, { calls: number; examples: CallId[] }>

/** Counts replays. `words`: what is heard in a step, for the sentences of the report. */
export class ReplayTally {
  readonly #flow: Flow
  readonly #words: (step: Step) => string
  readonly #findings: Found = new Map()
  readonly #notComparable: Found = new Map()
  readonly #reworded: Found = new Map()
  #calls = 0
  #same = 0
  #comparable = 0

  constructor(flow: Flow, words: (step: Step) => string) {
    this.#flow = flow
    this.#words = words
  }

  add(call: CallId, recorded: Course, replayed: ReplayedCall): void {
    this.#calls++
    if (!replayed.isComparable) {
      const { step, why } = replayed
      return count(this.#notComparable, step === '' ? why : `${step}: ${why}`, call)
    }
    this.#comparable++
    for (const step of replayed.reworded) count(this.#reworded, step, call)
    const differences = this.#differences(recorded, replayed.course, replayed.isWhole)
    if (differences.length === 0) this.#same++
    for (const difference of differences) count(this.#findings, difference, call)
  }

  get report(): ReplayReport {
    return {
      calls: this.#calls,
      same: this.#same,
      comparable: this.#comparable,
      findings: sorted(this.#findings),
      notComparable: sorted(this.#notComparable),
      reworded: sorted(this.#reworded),
    }
  }

  #differences(old: Course, now: Course, isWhole: boolean): string[] {
    const [reached, reaches] = [old.teams[0], now.teams[0]]
    const heard = new Set(old.path)
    const hears = new Set(now.path)
    const found = [
      ...(reached === undefined && reaches !== undefined ? [`would now reach a person (${reaches})`] : []),
      ...(reached !== undefined && reaches === undefined ? ['would no longer reach a person'] : []),
      ...(reached !== undefined && reaches !== undefined && reached !== reaches
        ? [`would reach ${reaches} instead of ${reached}`]
        : []),
      ...now.failures
        .filter((failure) => !old.failures.includes(failure))
        .map((failure) => `would fail at ${inParts(failure)}`),
      ...(now.outcome === 'failed' && old.outcome !== 'failed' ? ['would end with the built-in apology'] : []),
      ...[...hears].filter((step) => !heard.has(step)).flatMap((step) => this.#speech('would now hear', step)),
      ...[...heard]
        .filter((step) => isWhole && !hears.has(step))
        .flatMap((step) => this.#speech('would no longer hear', step)),
      ...(now.texts > old.texts ? ['would get one more text message'] : []),
      ...(isWhole && now.texts < old.texts ? ['would get one text message less'] : []),
      ...now.transfers.filter((to) => !old.transfers.includes(to)).map((to) => `would now be brought to ${to}`),
      ...(isWhole ? old.transfers : [])
        .filter((to) => !now.transfers.includes(to))
        .map((to) => `would no longer be brought to ${to}`),
      ...(now.stops !== old.stops ? [`would ${now.stops > old.stops ? 'now' : 'no longer'} be on the stop list`] : []),
    ]
    const isSameWay = old.path.join(' ') === now.path.join(' ')
    return found.length > 0 || isSameWay ? [...new Set(found)] : ['would go another way, and notice nothing else']
  }

  #speech(how: string, name: string): string[] {
    const step = this.#flow.steps.get(name as StepName)
    const words = step ? this.#words(step) : ''
    // A step that the draft does not have is told by the comparison of the files.
    return words === '' ? (step ? [] : [`${how} ${name}, which is gone`]) : [`${how} ${name}: “${words}”`]
  }
}

/** The report on all calls, from those on some of them. */
export function sumOfReports(reports: readonly ReplayReport[]): ReplayReport {
  const sum = (of: 'calls' | 'same' | 'comparable') => reports.reduce((total, report) => total + report[of], 0)
  const all = (of: 'findings' | 'notComparable' | 'reworded') => {
    const found: Found = new Map()
    for (const { what, calls, examples } of reports.flatMap((report) => report[of])) {
      const before = found.get(what) ?? { calls: 0, examples: [] }
      found.set(what, {
        calls: before.calls + calls,
        // Names of calls are in the order of their time.
        examples: [...before.examples, ...examples].sort().slice(0, EXAMPLES_MAX),
      })
    }
    return sorted(found)
  }
  return {
    calls: sum('calls'),
    same: sum('same'),
    comparable: sum('comparable'),
    findings: all('findings'),
    notComparable: all('notComparable'),
    reworded: all('reworded'),
  }
}

/** `lookup malformed` → `lookup (malformed)` */
function inParts(failure: string): string {
  return failure.replace(/ (.*)/, ' ($1)')
}

function count(into: Found, what: string, call: CallId): void {
  const found = into.get(what) ?? { calls: 0, examples: [] }
  found.calls++
  if (found.examples.length < EXAMPLES_MAX) found.examples.push(call)
  into.set(what, found)
}

function sorted(found: ReadonlyMap<string, { calls: number; examples: readonly CallId[] }>): ReplayFinding[] {
  return [...found].map(([what, counted]) => ({ what, ...counted })).sort((a, b) => b.calls - a.calls)
}
