/** One topic of one page: its rows, its number, and what the server says about it. */
import { type FrameScheduler, RowStore } from './row-store.ts'
import type { Fields, ServerFrame, Since } from './stream-frames.ts'

/** `waiting`: no snapshot yet. `denied`: this page may not read it (any more). */
export type TopicState = 'waiting' | 'live' | 'denied'

export interface Topic {
  readonly topic: string
  readonly args?: Fields
}

/** Numbers are checked here: a delta never crosses a hole. */
export class LiveSubscription {
  readonly asked: Topic
  readonly rows: RowStore
  /** In this connection; a new one for each time it is asked. */
  id = 0
  state: TopicState = 'waiting'
  #since: Since | undefined
  #parts: (readonly [kind: string, key: string | number, fields: Fields])[] = []
  #partsHeard = 0
  /** Deltas count from the moment at which the server has begun anew, or goes on. */
  #isWhole = false

  constructor(asked: Topic, schedule: FrameScheduler) {
    this.asked = asked
    this.rows = new RowStore(schedule)
  }

  /** What is asked for under this id: where it left off, if it ever began. Numbers of another epoch are others. */
  ask(id: number, epoch: string): object {
    this.id = id
    this.#parts = []
    this.#partsHeard = 0
    this.#isWhole = this.#since?.epoch === epoch
    const { topic, args } = this.asked
    return { t: 'sub', id, topic, args, since: this.#since }
  }

  gap(): void {
    this.#isWhole = false
    this.#since = undefined
  }

  denied(): void {
    this.gap()
    this.state = 'denied'
    this.rows.replace([])
  }

  /** False: a part is missing, and it must be asked for again. */
  snap({ seq, part, of, rows }: Extract<ServerFrame, { t: 'snap' }>, epoch: string): boolean {
    if (part === 1) {
      this.#parts = []
      this.#partsHeard = 0
    }
    if (part !== this.#partsHeard + 1) return false
    this.#partsHeard = part
    for (const row of rows) this.#parts.push(row)
    if (part < of) return true
    this.rows.replace(this.#parts)
    this.#parts = []
    this.#partsHeard = 0
    this.#isWhole = true
    this.#since = { epoch, seq }
    this.state = 'live'
    return true
  }

  /** False: a number is missing. */
  delta({ seq, ops }: Extract<ServerFrame, { t: 'd' }>): boolean {
    if (!this.#isWhole || !this.#since) return false
    if (seq <= this.#since.seq) return true
    if (seq !== this.#since.seq + 1) return false
    this.rows.apply(ops)
    this.#since = { epoch: this.#since.epoch, seq }
    return true
  }

  /** The server's number; false: deltas or the snapshot before it did not arrive. */
  isAt(seq: number): boolean {
    return this.#isWhole && this.#since !== undefined && this.#since.seq >= seq
  }
}
