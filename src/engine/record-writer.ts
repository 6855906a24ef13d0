/**
 * Writes what happened into the records, each thing once and in order, however long the memory is away. Whoever hands
 * something over need not wait: it is tried until it is written, and spilled to a file meanwhile, so that a crash of
 * ours loses nothing either (F-D1). While something waits nobody is dialed: the engine asks `isBehind` (R8).
 */
import type { Clock, Timer } from '../kernel/clock.ts'
import type { Fence } from '../kernel/ids.ts'
import type { Log } from '../kernel/log.ts'
import type { AttemptConnected, AttemptEnd } from '../ports/attempt.ts'
import {
  type CallbackRequest,
  type CampaignPause,
  DatabaseUnavailable,
  type DialerRepository,
  type Feedback,
  type FinishedCall,
} from '../ports/dialer-repository.ts'
import type { Spool } from '../ports/spool.ts'

/** Something to be written. Entries of one `key` are written one after another, in the order they were handed over. */
export type Entry = { readonly key: string } & (
  | { readonly what: 'connected'; readonly value: AttemptConnected }
  | { readonly what: 'attemptEnded'; readonly value: AttemptEnd }
  | { readonly what: 'callEnded'; readonly value: FinishedCall }
  | { readonly what: 'feedback'; readonly value: Feedback }
  | { readonly what: 'callback'; readonly value: CallbackRequest }
  | { readonly what: 'machine'; readonly value: Parameters<DialerRepository['correctToMachine']> }
  | { readonly what: 'released'; readonly value: Parameters<DialerRepository['releaseTask']> }
  | { readonly what: 'paused'; readonly value: CampaignPause }
)

type Write = {
  [W in Entry['what']]: (
    dialerRepository: DialerRepository,
    value: Extract<Entry, { what: W }>['value'],
  ) => Promise<unknown>
}

const WRITE: Write = {
  connected: (dialerRepository, value) => dialerRepository.attemptConnected(value),
  attemptEnded: (dialerRepository, value) => dialerRepository.endAttempt(value),
  callEnded: (dialerRepository, value) => dialerRepository.finishCall(value),
  feedback: (dialerRepository, value) => dialerRepository.recordFeedback(value),
  callback: (dialerRepository, value) => dialerRepository.setCallback(value),
  machine: (dialerRepository, [attempt, agent, atMs]) => dialerRepository.correctToMachine(attempt, agent, atMs),
  released: (dialerRepository, [task, nextCallAtMs]) => dialerRepository.releaseTask(task, nextCallAtMs),
  paused: (dialerRepository, value) => dialerRepository.pauseCampaign(value),
}

/** What a scribe is made of. */
export interface RecordWriterOptions {
  readonly dialerRepository: DialerRepository
  readonly clock: Clock
  readonly log: Log
  readonly spool: Spool
  /** The newest fence that was ours: what an earlier engine left is ours by now. */
  readonly fence: () => Fence | undefined
  /** Called after each entry that has reached the records. */
  readonly onWritten: (entry: Entry, outcome: unknown) => void
}

/** Writes at the same time: a fraction of the connections that the control half has. */
const AT_ONCE_MAX = 4
const RETRY_MS = 500

/** Mutable state with a lifetime, hence a class. */
export class RecordWriter {
  readonly #options: RecordWriterOptions
  readonly #waiting: Entry[] = []
  readonly #busyKeys = new Set<string>()
  readonly #idleListeners: (() => void)[] = []
  /** Entries that stand in the file already. */
  #spilled = new WeakSet<Entry>()
  #retry: Timer | undefined
  #isAway = false

  constructor(options: RecordWriterOptions) {
    this.#options = options
  }

  /** Takes up what an earlier engine could not write any more. */
  resume(): void {
    for (const line of this.#options.spool.read() as readonly Entry[]) {
      this.#spilled.add(line)
      this.#waiting.push(line)
    }
    if (this.#waiting.length > 0) this.#options.log.warn({ entries: this.#waiting.length }, 'late entries are written')
    this.#isAway = this.#waiting.length > 0
    this.#work()
  }

  write(entry: Entry): void {
    this.#waiting.push(entry)
    if (this.#isAway) this.#spill(entry)
    this.#work()
  }

  /** Whether the memory does not follow: what it would say about people is not the latest. */
  get isBehind(): boolean {
    return this.#isAway
  }

  /** How many entries are not written yet. */
  get pending(): number {
    return this.#waiting.length + this.#busyKeys.size
  }

  /** Whether something of this key is not written yet. */
  holds(key: string): boolean {
    return this.#busyKeys.has(key) || this.#waiting.some((entry) => entry.key === key)
  }

  /** Resolves when everything handed over so far is written, or the memory is away. */
  settled(): Promise<void> {
    if (this.pending === 0 || this.#isAway) return Promise.resolve()
    return new Promise((resolve) => this.#idleListeners.push(resolve))
  }

  #work(): void {
    if (this.#retry) return
    for (let at = 0; at < this.#waiting.length && this.#busyKeys.size < AT_ONCE_MAX; ) {
      const entry = this.#waiting[at]!
      if (this.#busyKeys.has(entry.key)) at++
      else {
        this.#waiting.splice(at, 1)
        void this.#carryOut(entry)
      }
    }
    if (this.pending === 0 || this.#isAway) for (const tell of this.#idleListeners.splice(0)) tell()
  }

  async #carryOut(entry: Entry): Promise<void> {
    this.#busyKeys.add(entry.key)
    try {
      const { value } = withFence(entry, this.#options.fence())
      const outcome = await WRITE[entry.what](this.#options.dialerRepository, value as never)
      this.#busyKeys.delete(entry.key)
      this.#written(entry, outcome)
    } catch (error) {
      this.#busyKeys.delete(entry.key)
      this.#failed(entry, error)
    }
    this.#work()
  }

  #written(entry: Entry, outcome: unknown): void {
    if (isRefused(outcome)) {
      const { what, key } = entry
      this.#options.log.error({ what, key, outcome }, 'an entry came too late: somebody else has settled it')
    }
    this.#lookWhetherBack()
    this.#options.onWritten(entry, outcome)
  }

  #lookWhetherBack(): void {
    if (!this.#isAway || this.pending > 0) return
    this.#isAway = false
    this.#options.spool.clear()
    this.#spilled = new WeakSet()
    this.#options.log.info('the memory is there again, and everything is written')
  }

  #spill(entry: Entry): void {
    if (this.#spilled.has(entry)) return
    this.#spilled.add(entry)
    this.#options.spool.append(entry)
  }

  #failed(entry: Entry, error: unknown): void {
    const { clock, log } = this.#options
    if (!(error instanceof DatabaseUnavailable)) {
      // Our own mistake: this entry can never be written. It is set aside for people, and the others go on.
      const { name, code, constraint } = error as { name?: string; code?: string; constraint?: string }
      log.error(
        { what: entry.what, key: entry.key, name, code, constraint },
        'an entry cannot be written; it is set aside',
      )
      this.#options.spool.setAside(entry)
      this.#lookWhetherBack()
      return
    }
    this.#waiting.unshift(entry)
    if (!this.#isAway) {
      this.#isAway = true
      log.error({ why: error.message }, 'the memory is away: nobody is dialed, what happens is kept in a file')
      // Whatever is under way may or may not have been written; each entry can be written twice.
      for (const waiting of this.#waiting) this.#spill(waiting)
    }
    // Others were under way when the first one failed.
    this.#spill(entry)
    this.#retry ??= clock.schedule(clock.nowMs() + RETRY_MS, () => {
      this.#retry = undefined
      this.#work()
    })
  }
}

/** Somebody else's attempt by now, or none at all: what we know of it is not taken. */
function isRefused(outcome: unknown): boolean {
  const what = typeof outcome === 'object' && outcome !== null ? (outcome as { outcome?: unknown }).outcome : outcome
  return what === 'refused' || what === 'fenced off' || what === 'no such attempt'
}

/** A fence is proved when it is written, not when the fact happened: open attempts are taken over with a new one. */
function withFence(entry: Entry, fence: Fence | undefined): Entry {
  if (fence === undefined) return entry
  switch (entry.what) {
    case 'connected':
      return { ...entry, value: { ...entry.value, fence } }
    case 'attemptEnded':
      return { ...entry, value: { ...entry.value, fence } }
    case 'callEnded': {
      const { attempt } = entry.value
      return attempt ? { ...entry, value: { ...entry.value, attempt: { ...attempt, fence } } } : entry
    }
    default:
      return entry
  }
}
