/**
 * Issabel's (and Elastix's) call centre as a policy: its forecast of free agents. Written from dialing-rules.md 2.4.
 */
import type { PacingFact } from '../../src/dialer/pacing/pacer-interface.ts'
import type { Policy, PolicyFactory, PolicyView } from '../../src/pacing-sim/policy.ts'

const EVERY_MS = 3_000
const TALKS_MIN = 10
/** Of the default setting. */
const QUALITY = 0.97
const OUTCOMES_MIN = 10
const OUTCOMES_FOR_MS = 30 * 60_000
const ANSWER_RATIO_MIN = 0.2

/** `isOvercommitting`: more calls than free agents, by the share that was answered in the last 30 minutes. */
export function issabel(name: string, isOvercommitting: boolean): PolicyFactory {
  return () => new Issabel(name, isOvercommitting)
}

/** Whether an agent who talks for so long counts as nearly free: as it is done, by the total time. */
export function isNearlyFree(elapsedMs: number, answerMeanMs: number, talkMeanMs: number): boolean {
  return 1 - Math.exp(-(answerMeanMs + elapsedMs) / talkMeanMs) >= QUALITY
}

class Issabel implements Policy {
  readonly name: string
  readonly everyMs = EVERY_MS
  readonly decidesOnEvents = false
  readonly #isOvercommitting: boolean
  #talks = { count: 0, sumMs: 0 }
  #answers = { count: 0, sumMs: 0 }
  #outcomes: { readonly atMs: number; readonly isAnswer: boolean }[] = []

  constructor(name: string, isOvercommitting: boolean) {
    this.name = name
    this.#isOvercommitting = isOvercommitting
  }

  decide({ nowMs, live, ages }: PolicyView): number {
    const { idleAgents, inFlight, waiting } = live
    const free = idleAgents + this.#nearlyFree(ages.talksMs)
    const wanted = free - waiting - inFlight
    const calls = this.#isOvercommitting ? Math.round(wanted / this.#answerRatio(nowMs)) : wanted
    return Math.max(0, calls)
  }

  learn(fact: PacingFact, nowMs: number): void {
    if (fact.type === 'talk.ended') {
      this.#talks = { count: this.#talks.count + 1, sumMs: this.#talks.sumMs + fact.lengthMs }
    } else if (fact.type === 'line.answered') {
      this.#answers = { count: this.#answers.count + 1, sumMs: this.#answers.sumMs + fact.ageMs }
      this.#outcomes.push({ atMs: nowMs, isAnswer: true })
    } else if (fact.type === 'line.failed') this.#outcomes.push({ atMs: nowMs, isAnswer: false })
  }

  #nearlyFree(talksMs: ArrayLike<number>): number {
    const { count, sumMs } = this.#talks
    if (count < TALKS_MIN) return 0
    const answerMeanMs = this.#answers.count === 0 ? 0 : this.#answers.sumMs / this.#answers.count
    return Array.from(talksMs).filter((elapsedMs) => isNearlyFree(elapsedMs, answerMeanMs, sumMs / count)).length
  }

  #answerRatio(nowMs: number): number {
    this.#outcomes = this.#outcomes.filter(({ atMs }) => atMs > nowMs - OUTCOMES_FOR_MS)
    if (this.#outcomes.length < OUTCOMES_MIN) return 1
    const answered = this.#outcomes.filter(({ isAnswer }) => isAnswer).length
    return Math.max(ANSWER_RATIO_MIN, answered / this.#outcomes.length)
  }
}
