import { Redis } from 'ioredis'
import type { Random } from '../kernel/random.ts'
import type { RedisAddress } from './redis-address.ts'
import { type ClassifiedTrouble, classify } from './redis-error.ts'

const CONNECT_LIMIT_MS = 2_000
/** A connection that owes an answer for this long is dead, whatever TCP says, and is replaced. */
const SILENT_MAX_MS = 2_000
const BACKOFF_FIRST_MS = 100
/** Half a beat: when Redis is back, the next beat but one gets through. */
const BACKOFF_LONGEST_MS = 500

interface RedisLinkOptions {
  readonly random: Random
  /** Prepares a new connection; also runs now and then later, and may reject. */
  readonly prepare: (redis: Redis) => Promise<unknown>
  readonly onChange: () => void
}

/** A connection that always reconnects and reports what is wrong. Without a connection commands fail at once. */
export class RedisLink {
  readonly redis: Redis
  /** Resolves when the first connection is ready, or the first attempt has failed. */
  readonly begun: Promise<void>
  readonly #begin: () => void
  readonly #prepare: (redis: Redis) => Promise<unknown>
  readonly #onChange: () => void
  #isPrepared = false
  #trouble: ClassifiedTrouble | undefined

  constructor(address: RedisAddress, { random, prepare, onChange }: RedisLinkOptions) {
    const { place: _, ...where } = address
    this.#prepare = prepare
    this.#onChange = onChange
    this.redis = new Redis({
      ...where,
      connectionName: 'switchboard',
      connectTimeout: CONNECT_LIMIT_MS,
      socketTimeout: SILENT_MAX_MS,
      enableOfflineQueue: false,
      maxRetriesPerRequest: 0,
      autoResendUnfulfilledCommands: false,
      // The library's own renewal lets a failed subscription reject where it cannot be caught.
      autoResubscribe: false,
      disableClientInfo: true,
      retryStrategy: (attempt) => backoffMs(attempt, random),
      // After a fail-over the old primary keeps the connection, as a replica.
      reconnectOnError: (error) => error.message.includes('READONLY'),
    })
    const { promise, resolve } = Promise.withResolvers<void>()
    this.begun = promise
    this.#begin = resolve
    this.redis.on('ready', () => this.refresh())
    this.redis.on('error', (error) => this.#fail(error))
    this.redis.on('close', () => {
      this.#isPrepared = false
      if (!this.#trouble) this.#fail(undefined)
    })
  }

  /** Why it is not ready; undefined while it is, and before the first attempt has ended. */
  get trouble(): ClassifiedTrouble | undefined {
    return this.#trouble
  }

  get isReady(): boolean {
    return this.#isPrepared && this.redis.status === 'ready'
  }

  /** Prepares the connection again, so Redis owes an answer: a listener alone would not notice a vanished end. */
  refresh(): void {
    if (this.redis.status !== 'ready') return
    this.#prepare(this.redis).then(
      () => {
        this.#isPrepared = true
        this.#trouble = undefined
        this.#begin()
        this.#onChange()
      },
      (error: unknown) => this.#fail(error),
    )
  }

  close(): void {
    this.redis.disconnect()
  }

  #fail(error: unknown): void {
    this.#isPrepared = false
    this.#trouble = classify(error)
    this.#begin()
    this.#onChange()
  }
}

/** 0.1 s doubling to 0.5 s; between half and the whole of it, to keep nodes from reconnecting in step. */
function backoffMs(attempt: number, random: Random): number {
  const wholeMs = Math.min(BACKOFF_LONGEST_MS, BACKOFF_FIRST_MS * 2 ** Math.min(attempt - 1, 10))
  return Math.round(wholeMs * (0.5 + random.next() / 2))
}
