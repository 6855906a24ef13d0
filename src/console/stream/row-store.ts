/** The rows of one topic, for `useSyncExternalStore`: a component subscribes to one row, or to the rows of a kind. */
import type { Fields, Op } from './stream-frames.ts'

/** Runs work before the next frame is drawn, once however often it is asked. */
export type FrameScheduler = (flush: () => void) => void

const ofRow = (kind: string, key: string | number) => `${kind}:${key}`
const ofAny = (kind: string) => ofRow(kind, '*')

/** Rows are never changed in place: a row that is the same object has not changed. */
export class RowStore {
  readonly #schedule: FrameScheduler
  readonly #rows = new Map<string, Fields>()
  /** The keys of a kind, as components list them; made anew when a row comes or goes. */
  readonly #keys = new Map<string, readonly (string | number)[]>()
  readonly #listeners = new Map<string, Set<() => void>>()
  readonly #changed = new Set<string>()

  constructor(schedule: FrameScheduler) {
    this.#schedule = schedule
  }

  row(kind: string, key: string | number): Fields | undefined {
    return this.#rows.get(ofRow(kind, key))
  }

  keys(kind: string): readonly (string | number)[] {
    return this.#keys.get(kind) ?? NONE
  }

  subscribeRow(kind: string, key: string | number, listener: () => void): () => void {
    return this.#listen(ofRow(kind, key), listener)
  }

  /** Told when a row of the kind comes or goes. */
  subscribeKeys(kind: string, listener: () => void): () => void {
    return this.#listen(kind, listener)
  }

  /** Told when a row of the kind comes, goes or changes. */
  subscribeKind(kind: string, listener: () => void): () => void {
    return this.#listen(ofAny(kind), listener)
  }

  apply(ops: readonly Op[]): void {
    for (const [what, kind, key, fields] of ops) {
      const id = ofRow(kind, key)
      const old = this.#rows.get(id)
      if (what === 'u') this.#rows.set(id, Object.assign({}, old, fields))
      else this.#rows.delete(id)
      this.#note(id)
      this.#note(ofAny(kind))
      if ((what === 'u') === (old !== undefined)) continue
      const others = this.keys(kind).filter((one) => one !== key)
      this.#keys.set(kind, what === 'u' ? [...others, key] : others)
      this.#note(kind)
    }
  }

  /** A snapshot takes the place of everything; rows that are equal stay the same objects. */
  replace(rows: readonly (readonly [kind: string, key: string | number, fields: Fields])[]): void {
    const before = new Map(this.#rows)
    for (const id of before.keys()) this.#note(id)
    for (const kind of this.#keys.keys()) {
      this.#note(kind)
      this.#note(ofAny(kind))
    }
    this.#rows.clear()
    this.#keys.clear()
    const keys = new Map<string, (string | number)[]>()
    for (const [kind, key, fields] of rows) {
      const id = ofRow(kind, key)
      const old = before.get(id)
      this.#rows.set(id, old && JSON.stringify(old) === JSON.stringify(fields) ? old : fields)
      this.#note(id)
      const known = keys.get(kind)
      if (known) known.push(key)
      else keys.set(kind, [key])
    }
    for (const [kind, own] of keys) {
      this.#keys.set(kind, own)
      this.#note(kind)
      this.#note(ofAny(kind))
    }
  }

  /** Every row by `kind:key`. */
  all(): ReadonlyMap<string, Fields> {
    return this.#rows
  }

  #listen(name: string, listener: () => void): () => void {
    const listeners = this.#listeners.get(name) ?? new Set()
    this.#listeners.set(name, listeners)
    listeners.add(listener)
    return () => {
      listeners.delete(listener)
      if (listeners.size === 0) this.#listeners.delete(name)
    }
  }

  #note(name: string): void {
    if (this.#changed.size === 0) this.#schedule(() => this.#flush())
    this.#changed.add(name)
  }

  #flush(): void {
    const changed = [...this.#changed]
    this.#changed.clear()
    for (const name of changed) for (const listener of this.#listeners.get(name) ?? []) listener()
  }
}

const NONE: readonly (string | number)[] = []
