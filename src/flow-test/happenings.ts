import type { CallFact } from '../flow/model/call-messages.ts'
import type { AtMs } from '../kernel/clock.ts'

interface Happening {
  readonly atMs: AtMs
  readonly fact: CallFact
  /** What a crash of the engine takes with it. */
  readonly isOurs: boolean
}

/** Facts that are on their way to a call, the earliest first; those of one instant in the order of their causes. */
export class Happenings {
  #all: Happening[] = []

  get nextAtMs(): AtMs | undefined {
    return this.#all[0]?.atMs
  }

  add(happening: Happening): void {
    const place = this.#all.findIndex(({ atMs }) => atMs > happening.atMs)
    this.#all.splice(place < 0 ? this.#all.length : place, 0, happening)
  }

  take(): CallFact {
    return this.#all.shift()!.fact
  }

  drop(isIt: (happening: Happening) => boolean): void {
    this.#all = this.#all.filter((happening) => !isIt(happening))
  }
}
