/** A topic of the live stream: rows, the numbered deltas that changed them, and events that happen once. Pure. */
import type { AtMs, Clock, Timer } from '../../kernel/clock.ts'

export type Fields = Readonly<Record<string, unknown>>
export type Key = string | number

/** `u` merges fields into a row, `x` removes it. */
export type StreamOp = readonly ['u', kind: string, key: Key, fields: Fields] | readonly ['x', kind: string, key: Key]

/** A row of a snapshot. */
export type StreamRow = readonly [kind: string, key: Key, fields: Fields]

/** One number of a topic. The ops are JSON: they are written once for all who read them. */
export interface Delta {
  readonly seq: number
  readonly atMs: AtMs
  readonly ops: string
}

/** What happens once. */
export interface StreamEvent {
  readonly evId: string
  readonly name: string
  readonly data: Fields
  readonly atMs: AtMs
}

interface TopicListener {
  delta(delta: Delta): void
  event(event: StreamEvent): void
}

interface TopicOptions {
  readonly clock: Clock
  /** Changes of a row within so long become one; 0: each change is told at once; absent: `flush` tells them. */
  readonly coalesceMs?: number
  /** The number before the first one. */
  readonly fromSeq?: number
}

/** A client that comes back within so long misses nothing. */
export const KEPT_MS = 60_000
const DELTAS_MAX = 10_000
/** Our choice: a replay must not be more than a reader may leave unread. */
const BYTES_MAX = 1024 * 1024
/** An event is sent again until it is acknowledged or so old. */
export const EVENT_LIFE_MS = 30_000
const EVENTS_MAX = 100

/** Rows with numbered changes. */
export class StreamTopic {
  readonly #clock: Clock
  readonly #coalesceMs: number | undefined
  readonly #rows = new Map<string, StreamRow>()
  readonly #pending = new Map<string, { kind: string; key: Key; fields: Fields | undefined }>()
  readonly #listeners = new Set<TopicListener>()
  readonly #events = new Map<string, StreamEvent>()
  #deltas: Delta[] = []
  #bytes = 0
  #seq: number
  #timer: Timer | undefined

  constructor({ clock, coalesceMs, fromSeq = 0 }: TopicOptions) {
    this.#clock = clock
    this.#coalesceMs = coalesceMs
    this.#seq = fromSeq
  }

  /** The number of the latest delta. */
  get seq(): number {
    return this.#seq
  }

  get listeners(): number {
    return this.#listeners.size
  }

  /** Gives the row these fields; those that it had besides become null. */
  set(kind: string, key: Key, fields: Fields): void {
    this.#change(kind, key, fields)
  }

  remove(kind: string, key: Key): void {
    this.#change(kind, key, undefined)
  }

  rows(): StreamRow[] {
    return [...this.#rows.values()]
  }

  /** The deltas after this number; undefined: they are not all kept any more, or the number was never given. */
  since(seq: number): readonly Delta[] | undefined {
    this.#forgetOld()
    const before = this.#deltas[0] ? this.#deltas[0].seq - 1 : this.#seq
    return seq < before || seq > this.#seq ? undefined : this.#deltas.slice(seq - before)
  }

  /** An id that waits for its acknowledgement already is the same event. */
  emit(evId: string, name: string, data: Fields): void {
    if (this.#events.has(evId)) return
    const [oldest] = this.#events.keys()
    if (this.#events.size >= EVENTS_MAX && oldest !== undefined) this.#events.delete(oldest)
    const event = { evId, name, data, atMs: this.#clock.nowMs() }
    this.#events.set(evId, event)
    for (const listener of this.#listeners) listener.event(event)
  }

  acknowledge(evId: string): void {
    this.#events.delete(evId)
  }

  /** Events that nobody has acknowledged. */
  waitingEvents(): readonly StreamEvent[] {
    const oldestAtMs = this.#clock.nowMs() - EVENT_LIFE_MS
    for (const { evId, atMs } of this.#events.values()) if (atMs <= oldestAtMs) this.#events.delete(evId)
    return [...this.#events.values()]
  }

  listen(listener: TopicListener): () => void {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  /** Tells waiting changes now. */
  flush(): void {
    this.#timer?.cancel()
    this.#commit()
  }

  close(): void {
    this.#timer?.cancel()
    this.#listeners.clear()
  }

  #change(kind: string, key: Key, fields: Fields | undefined): void {
    this.#pending.set(`${kind}:${key}`, { kind, key, fields })
    if (this.#coalesceMs === 0) return this.#commit()
    if (this.#coalesceMs === undefined) return
    this.#timer ??= this.#clock.schedule(this.#clock.nowMs() + this.#coalesceMs, () => this.#commit())
  }

  #commit(): void {
    this.#timer = undefined
    const ops: StreamOp[] = []
    for (const [id, { kind, key, fields }] of this.#pending) {
      const row = this.#rows.get(id)
      if (fields) {
        const changed = changedFields(row?.[2] ?? {}, fields)
        if (row && Object.keys(changed).length === 0) continue
        this.#rows.set(id, [kind, key, Object.assign({}, row?.[2], changed)])
        ops.push(['u', kind, key, changed])
      } else if (this.#rows.delete(id)) ops.push(['x', kind, key])
    }
    this.#pending.clear()
    if (ops.length === 0) return
    const delta = { seq: ++this.#seq, atMs: this.#clock.nowMs(), ops: JSON.stringify(ops) }
    this.#deltas.push(delta)
    this.#bytes += delta.ops.length
    this.#forgetOld()
    for (const listener of this.#listeners) listener.delta(delta)
  }

  #forgetOld(): void {
    const oldestAtMs = this.#clock.nowMs() - KEPT_MS
    let count = 0
    for (const { atMs, ops } of this.#deltas) {
      const isKept = atMs > oldestAtMs && this.#deltas.length - count <= DELTAS_MAX && this.#bytes <= BYTES_MAX
      if (isKept) break
      this.#bytes -= ops.length
      count++
    }
    if (count > 0) this.#deltas = this.#deltas.slice(count)
  }
}

/** What differs, as JSON shows it. */
function changedFields(old: Fields, fields: Fields): Fields {
  const changed: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(fields)) {
    if (value !== undefined && JSON.stringify(old[name]) !== JSON.stringify(value)) changed[name] = value
  }
  for (const [name, value] of Object.entries(old))
    if (value !== null && fields[name] === undefined) changed[name] = null
  return changed
}
