import type { Step } from '../flow/model/flow.ts'

/** What callers type into steps with `secret: true`, found beside the runner, so that a leak of it can be seen. */
export class TypedSecrets {
  readonly #typed = new Map<string, string>()

  /** The first entry at each visit. */
  get entries(): readonly string[] {
    return [...this.#typed.values()]
  }

  /** `noteCount` tells one visit of the step from the next. */
  key(digit: string, step: Step, noteCount: number): void {
    if (step.kind !== 'gather' || !step.spec.secret) return
    const visit = `${step.name} ${noteCount}`
    const typed = this.#typed.get(visit) ?? ''
    if (typed.length < step.spec.max && digit !== step.spec.finish) this.#typed.set(visit, typed + digit)
  }
}
