/** Which call each agent is in: kept beside the rows, so that a row of an agent hears of its own call alone. */
import type { RowStore } from '../stream/row-store.ts'
import { rowsOf } from './board-rows.ts'

/** `stop` ends it. */
export class CallIndex {
  readonly stop: () => void
  readonly #rows: RowStore
  readonly #listeners = new Map<string, Set<() => void>>()
  #calls: ReadonlyMap<string, string> = new Map()

  constructor(rows: RowStore) {
    this.#rows = rows
    this.#calls = this.#read()
    // A call that is handed on stays the same row, with another agent.
    this.stop = rows.subscribeKind('call', () => this.#changed())
  }

  /** The key of the call that the agent is in. */
  callOf(userName: string): string | undefined {
    return this.#calls.get(userName)
  }

  subscribe(userName: string, listener: () => void): () => void {
    const listeners = this.#listeners.get(userName) ?? new Set()
    this.#listeners.set(userName, listeners)
    listeners.add(listener)
    return () => void listeners.delete(listener)
  }

  #changed(): void {
    const before = this.#calls
    this.#calls = this.#read()
    for (const userName of new Set([...before.keys(), ...this.#calls.keys()])) {
      if (before.get(userName) === this.#calls.get(userName)) continue
      for (const listener of this.#listeners.get(userName) ?? []) listener()
    }
  }

  #read(): ReadonlyMap<string, string> {
    // Whoever waits for the next agent is in no call of the agent before.
    const calls = rowsOf(this.#rows, 'call').filter(({ waits }) => waits?.why !== 'nextAgent')
    return new Map(calls.map(({ userName, callId }) => [userName, callId]))
  }
}
