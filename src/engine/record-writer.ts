/**
 * Writes to the database, each entry once and in order, however long the database is unavailable. The caller does not
 * wait: the writer retries, and spools entries to disk meanwhile: a crash loses nothing (F-D1). The engine asks
 * `isBehind` and does not dial while entries wait (R8).
 */
import type { Clock, Timer } from '../kernel/clock.ts'
import type { Fence } from '../kernel/ids.ts'
import type { Log } from '../kernel/log.ts'
import type { AttemptConnected, AttemptEnd, AttemptTransfers } from '../ports/attempt.ts'
import {
  type CallbackRequest,
  type CampaignPause,
  DatabaseUnavailable,
  type DialerRepository,
  type DoNotCall,
  type EndCallTask,
  type FinishedCall,
} from '../ports/dialer-repository.ts'
import type { CallerFeedback, Feedback, SavedOutcome } from '../ports/outcome.ts'
import type { Spool } from '../ports/spool.ts'

/** An entry to be written. Entries of one `key` are written one after another, in the order of `write`. */
export type WriteEntry = { readonly key: string } & (
  | { readonly what: 'callBegan'; readonly value: Parameters<DialerRepository['callBegan']> }
  | { readonly what: 'connected'; readonly value: AttemptConnected }
  | { readonly what: 'transfers'; readonly value: AttemptTransfers }
  | { readonly what: 'attemptEnded'; readonly value: AttemptEnd }
  | { readonly what: 'callEnded'; readonly value: FinishedCall }
  | { readonly what: 'feedback'; readonly value: Feedback }
  | { readonly what: 'outcome'; readonly value: SavedOutcome }
  | { readonly what: 'callerFeedback'; readonly value: CallerFeedback }
  | { readonly what: 'callback'; readonly value: CallbackRequest }
  | { readonly what: 'doNotCall'; readonly value: DoNotCall }
  | { readonly what: 'machine'; readonly value: Parameters<DialerRepository['correctToMachine']> }
  | { readonly what: 'taskEnded'; readonly value: EndCallTask }
  | { readonly what: 'released'; readonly value: Parameters<DialerRepository['releaseTask']> }
  | { readonly what: 'paused'; readonly value: CampaignPause }
)

type Write = {
  [W in WriteEntry['what']]: (
    dialerRepository: DialerRepository,
    value: Extract<WriteEntry, { what: W }>['value'],
  ) => Promise<unknown>
}

const WRITE: Write = {
  callBegan: (dialerRepository, value) => dialerRepository.callBegan(...value),
  connected: (dialerRepository, value) => dialerRepository.attemptConnected(value),
  transfers: (dialerRepository, value) => dialerRepository.attemptTransfers(value),
  attemptEnded: (dialerRepository, value) => dialerRepository.endAttempt(value),
  callEnded: (dialerRepository, value) => dialerRepository.finishCall(value),
  feedback: (dialerRepository, value) => dialerRepository.recordFeedback(value),
  outcome: (dialerRepository, value) => dialerRepository.recordOutcome(value),
  callerFeedback: (dialerRepository, value) => dialerRepository.recordCallerFeedback(value),
  callback: (dialerRepository, value) => dialerRepository.setCallback(value),
  doNotCall: (dialerRepository, value) => dialerRepository.doNotCall(value),
  machine: (dialerRepository, value) => dialerRepository.correctToMachine(...value),
  taskEnded: (dialerRepository, value) => dialerRepository.endCallTask(value),
  released: (dialerRepository, value) => dialerRepository.releaseTask(...value),
  paused: (dialerRepository, value) => dialerRepository.pauseCampaign(value),
}

interface RecordWriterOptions {
  readonly dialerRepository: DialerRepository
  readonly clock: Clock
  readonly log: Log
  readonly spool: Spool
  /** The newest fence of this node: entries of an earlier engine are written under it. */
  readonly fence: () => Fence | undefined
  readonly onWritten: (entry: WriteEntry, outcome: unknown) => void
}

/** Writes at the same time: a fraction of the connections that the record half has. */
const AT_ONCE_MAX = 4
const RETRY_MS = 500
/** Another node settles what it took over within a minute, and within ten where its database is slow. */
const TELL_AGAIN_MS = 60_000
const TRIES_MAX = 10

/** A write-behind queue with a spool. */
export class RecordWriter {
  readonly #options: RecordWriterOptions
  readonly #waiting: WriteEntry[] = []
  readonly #busyKeys = new Set<string>()
  readonly #idleListeners: (() => void)[] = []
  readonly #doneListeners: (() => void)[] = []
  readonly #freeListeners = new Map<string, (() => void)[]>()
  #spilled = new WeakSet<WriteEntry>()
  readonly #onKept = new WeakMap<WriteEntry, () => void>()
  /** Refused ends that are told again, and how often they were told. The spool keeps them until then. */
  readonly #tries = new Map<WriteEntry, number>()
  #retry: Timer | undefined
  #isAway = false

  constructor(options: RecordWriterOptions) {
    this.#options = options
  }

  /** Writes what an earlier engine spooled. Resolves when that is done, however long the database is unavailable. */
  resume(): Promise<void> {
    for (const line of this.#options.spool.read() as readonly WriteEntry[]) {
      this.#spilled.add(line)
      this.#waiting.push(line)
    }
    if (this.#waiting.length > 0)
      this.#options.log.warn({ entries: this.#waiting.length }, 'writing entries that an earlier engine spooled')
    this.#isAway = this.#waiting.length > 0
    return new Promise((resolve) => {
      this.#doneListeners.push(resolve)
      this.#work()
    })
  }

  /** `onKept` runs once, when a crash cannot lose the entry any more: it is written, spooled or set aside. */
  write(entry: WriteEntry, onKept?: () => void): void {
    if (onKept) this.#onKept.set(entry, onKept)
    this.#waiting.push(entry)
    if (this.#isAway) this.#spill(entry)
    this.#work()
  }

  /** Whether the database lags behind: what it says about tasks is not the latest. */
  get isBehind(): boolean {
    return this.#isAway
  }

  get pending(): number {
    return this.#waiting.length + this.#busyKeys.size
  }

  /** Of all entries that are not written yet, or are told again. */
  keys(): ReadonlySet<string> {
    return new Set([...this.#busyKeys, ...[...this.#waiting, ...this.#tries.keys()].map(({ key }) => key)])
  }

  holds(key: string): boolean {
    return this.#busyKeys.has(key) || this.#waiting.some((entry) => entry.key === key)
  }

  /** Runs once nothing of `key` is to be written any more, or the database is unavailable. */
  whenFree(key: string, action: () => void): void {
    if (this.#isAway || !this.holds(key)) return action()
    this.#freeListeners.set(key, [...(this.#freeListeners.get(key) ?? []), action])
  }

  /** Resolves when all entries so far are written, or the database is unavailable. */
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
    if (this.pending === 0 || this.#isAway) for (const resolve of this.#idleListeners.splice(0)) resolve()
    if (this.pending === 0) for (const resolve of this.#doneListeners.splice(0)) resolve()
  }

  async #carryOut(entry: WriteEntry): Promise<void> {
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
    for (const key of this.#isAway ? [...this.#freeListeners.keys()] : [entry.key]) this.#tellFree(key)
    this.#work()
  }

  #written(entry: WriteEntry, outcome: unknown): void {
    if (isRefused(outcome)) this.#refused(entry, outcome)
    else this.#toldAtLast(entry)
    this.#lookWhetherBack()
    this.#kept(entry)
    this.#options.onWritten(entry, outcome)
  }

  /**
   * The end of a call is told again when the other node has settled the attempt, and amends that (campaigns-123). An
   * engine after a crash goes on with it (campaigns-126).
   */
  #refused(entry: WriteEntry, outcome: unknown): void {
    const { what, key } = entry
    const { clock, log, spool } = this.#options
    const tries = (this.#tries.get(entry) ?? 0) + 1
    if (what === 'callEnded' && tries < TRIES_MAX) {
      this.#tries.set(entry, tries)
      this.#spill(entry)
      clock.schedule(clock.nowMs() + TELL_AGAIN_MS, () => this.write(entry))
      return
    }
    log.error({ what, key, outcome }, 'entry refused: another node has the attempt, or the database does not know it')
    if (what === 'callEnded') spool.setAside(entry)
    this.#toldAtLast(entry)
  }

  /** An end that was refused before is written or set aside. While the database is away the spool has other entries. */
  #toldAtLast(entry: WriteEntry): void {
    if (this.#tries.delete(entry) && !this.#isAway) this.#clearSpool()
  }

  #clearSpool(): void {
    const left = [...this.#tries.keys()]
    this.#options.spool.clear(left)
    this.#spilled = new WeakSet(left)
  }

  #tellFree(key: string): void {
    if (this.holds(key) && !this.#isAway) return
    const actions = this.#freeListeners.get(key) ?? []
    this.#freeListeners.delete(key)
    for (const action of actions) action()
  }

  #kept(entry: WriteEntry): void {
    const onKept = this.#onKept.get(entry)
    this.#onKept.delete(entry)
    onKept?.()
  }

  #lookWhetherBack(): void {
    if (!this.#isAway || this.pending > 0) return
    this.#isAway = false
    this.#clearSpool()
    this.#options.log.info('database available again; all spooled entries are written')
  }

  #spill(entry: WriteEntry): void {
    if (this.#spilled.has(entry)) return
    this.#spilled.add(entry)
    this.#options.spool.append(entry)
    this.#kept(entry)
  }

  #failed(entry: WriteEntry, error: unknown): void {
    const { clock, log } = this.#options
    if (!(error instanceof DatabaseUnavailable)) {
      // An internal error: this entry can never be written. It is set aside for an operator, and the others go on.
      const { name, code, constraint } = error as { name?: string; code?: string; constraint?: string }
      log.error(
        { what: entry.what, key: entry.key, name, code, constraint },
        'an entry cannot be written; it is set aside',
      )
      this.#options.spool.setAside(entry)
      this.#toldAtLast(entry)
      this.#kept(entry)
      this.#lookWhetherBack()
      return
    }
    this.#waiting.unshift(entry)
    if (!this.#isAway) {
      this.#isAway = true
      log.error({ why: error.message }, 'database unavailable: dialing stopped, outcomes are spooled to disk')
      // Running writes may or may not have taken effect; every entry can be written twice.
      for (const waiting of this.#waiting) this.#spill(waiting)
    }
    // Other writes were running when the first one failed.
    this.#spill(entry)
    this.#retry ??= clock.schedule(clock.nowMs() + RETRY_MS, () => {
      this.#retry = undefined
      this.#work()
    })
  }
}

/** Another node settled the attempt, or it does not exist: the entry is refused. */
function isRefused(outcome: unknown): boolean {
  const what = typeof outcome === 'object' && outcome !== null ? (outcome as { outcome?: unknown }).outcome : outcome
  return what === 'refused' || what === 'fenced off' || what === 'no such attempt'
}

/** The fence is taken at the write, not at the fact: a new lease takes open attempts over. */
function withFence(entry: WriteEntry, fence: Fence | undefined): WriteEntry {
  if (fence === undefined) return entry
  switch (entry.what) {
    case 'connected':
      return { ...entry, value: { ...entry.value, fence } }
    case 'transfers':
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
