import type { DueTask, Verdict } from './attempt.ts'

/**
 * The persons and numbers that one claim has chosen already. Its facts were read before its attempts are written, so
 * the gate does not see that another task of the same claim dials the person or the number.
 */
export class ChosenCallees {
  readonly #keys = new Set<string>()

  has({ person, numbers }: Pick<DueTask, 'person' | 'numbers'>): boolean {
    return (
      (person !== undefined && this.#keys.has(`person ${person}`)) ||
      numbers.some(({ number }) => this.#keys.has(number))
    )
  }

  add({ person }: Pick<DueTask, 'person'>, verdict: Verdict): void {
    if (verdict.verdict !== 'dial') return
    if (person !== undefined) this.#keys.add(`person ${person}`)
    for (const { number } of verdict.numbers) this.#keys.add(number)
  }
}
