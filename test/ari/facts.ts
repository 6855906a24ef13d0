/** Things that happened, in order, and a way to wait for the next one without looking at the time. */
export class Facts<T> {
  readonly all: T[] = []
  #waiting: { readonly isIt: (fact: T) => boolean; readonly done: (fact: T) => void }[] = []

  readonly add = (fact: T): void => {
    this.all.push(fact)
    const waiting = this.#waiting
    this.#waiting = waiting.filter(({ isIt }) => !isIt(fact))
    for (const { isIt, done } of waiting) if (isIt(fact)) done(fact)
  }

  /** The next fact of this kind. Ask before you cause it. */
  next(isIt: (fact: T) => boolean = () => true): Promise<T> {
    return new Promise((done) => this.#waiting.push({ isIt, done }))
  }
}
