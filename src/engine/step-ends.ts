/** How the steps of one call ended, for the sums of its flow (calls-and-flows-68). */
import type { CallFact, CallNote, CallRecord } from '../flow/model/call-messages.ts'
import type { CanaryRisk } from '../ports/flows/flow-canaries.ts'
import type { CallTraffic, CountsFor } from '../ports/flows/flow-traffic.ts'

type Ends = CallTraffic['ends']

/** Counts the notes of a call. A visit counts when it ends, so a step that a later engine begins again counts once. */
export class StepEnds {
  readonly #ends: Map<string, Map<string, number>>
  #open: { readonly step: string; readonly kind: string } | undefined
  #isTalking = false
  #isOver = false

  /** `earlier`: of an earlier engine. */
  constructor(earlier: Ends = {}) {
    this.#ends = new Map(Object.entries(earlier).map(([step, ends]) => [step, new Map(Object.entries(ends))]))
  }

  /** Plain JSON. */
  get ends(): Ends {
    return Object.fromEntries([...this.#ends].map(([step, ends]) => [step, Object.fromEntries(ends)]))
  }

  /** Before the flow handles the fact: what it notes after a hang-up is no step of the caller's. */
  fact(fact: CallFact): void {
    if (fact.type === 'agent.connected') this.#isTalking = true
    if (fact.type === 'agent.left' || fact.type === 'agent.lost') this.#isTalking = false
    if (fact.type === 'call.broken') this.#close('broken')
    if (fact.type !== 'leg.ended') return
    // Whoever has talked, left a message, or hears the farewell has what they wanted.
    const isFine = this.#isTalking || fact.left !== undefined || this.#open?.kind === 'hangup'
    this.#close(isFine ? 'done' : 'hangup')
    this.#isOver = true
  }

  note(note: CallNote): void {
    if (this.#isOver) return
    if (note.type === 'step.left') return this.#close(note.end)
    this.#open = { step: note.step, kind: note.kind }
  }

  #close(end: string): void {
    if (!this.#open) return
    const { step } = this.#open
    const ends = this.#ends.get(step) ?? new Map<string, number>()
    this.#ends.set(step, ends.set(end, (ends.get(end) ?? 0) + 1))
    this.#open = undefined
    this.#isTalking = false
  }
}

/** What a call leaves for the sums. A call that was never answered says nothing about its revision. */
export function trafficOf(
  { flow, revision, outcome, marks, answeredAtMs, endedAtMs }: CallRecord,
  ends: Ends,
  canary: CountsFor | undefined,
): CallTraffic {
  const counts = { flow, revision, atMs: endedAtMs, outcome, marks, ends }
  if (!canary || answeredAtMs === undefined) return counts
  const steps = Object.entries(ends).map(([step, ends]) => ({ step, risks: risksOf(Object.keys(ends)) }))
  const whole = { step: '', risks: OUTCOME_RISKS[outcome] ?? [] }
  return { ...counts, canary: { ...canary, steps: [whole, ...steps] } }
}

/** Outcomes that every flow has. */
const OUTCOME_RISKS: Readonly<Record<string, readonly CanaryRisk[]>> = { abandoned: ['hangup'], failed: ['failed'] }

/** Each once: visits of one call are not independent of each other. */
function risksOf(ends: readonly string[]): readonly CanaryRisk[] {
  return [...new Set(ends.flatMap((end) => riskOf(end) ?? []))]
}

/** Every end that is neither a regular one nor one of the caller is a failure, as in `on`. */
function riskOf(end: string): CanaryRisk | undefined {
  if (end === 'hangup' || end === 'noInput') return end
  return end === 'done' || end.startsWith('key:') || end.startsWith('case:') ? undefined : 'failed'
}
