import type { Client, Notification } from 'pg'
import type { Clock, Timer } from '../../kernel/clock.ts'
import type { Log } from '../../kernel/log.ts'
import type { News } from '../../ports/dialer-repository.ts'
import { NEWS_CHANNEL } from './notification-channel.ts'
import type { Transaction } from './transaction.ts'

const KINDS: readonly News[] = ['orders', 'tasks', 'deliveries', 'access']
/** Told now and then for no reason, in case true news got lost. Who needs the other kinds looks for them. */
const POLLED: readonly News[] = ['orders', 'tasks']
const POLL_MS = 1_000
const FIRST_PAUSE_MS = 250
const LONGEST_PAUSE_MS = 5_000

/** Tells news when the transaction is committed, and never when it is not. Twice the same is told once. */
export async function tellNews(transaction: Transaction, news: News): Promise<void> {
  await transaction.query(`select ${telling(news)}`)
}

/** The same as a piece of SQL, for a statement that is a transaction by itself. */
export function telling(news: News): string {
  return `pg_notify('${NEWS_CHANNEL}', '${news}')`
}

/** What a wire needs. `connect` makes a connection that nobody else uses, not opened yet. */
export interface NewsParts {
  readonly connect: () => Client
  readonly clock: Clock
  readonly log: Log
}

/**
 * Hears what others told, on a connection of its own while there is somebody to tell it to. After every new
 * connection all kinds are told: nobody knows what was missed.
 */
export class NewsWire {
  readonly #parts: NewsParts
  readonly #listeners = new Set<(news: News) => void>()
  #client: Client | undefined
  #poll: Timer | undefined
  #again: Timer | undefined
  #pauseMs = FIRST_PAUSE_MS
  #isClosed = false

  constructor(parts: NewsParts) {
    this.#parts = parts
  }

  /** Calls `listener` from now until the answer is called. */
  onNews(listener: (news: News) => void): () => void {
    // A function of its own for each wish, so that one that is given twice is told twice and let go of once.
    const mine = (news: News) => listener(news)
    this.#listeners.add(mine)
    if (this.#listeners.size === 1 && !this.#isClosed) this.#begin()
    return () => {
      if (this.#listeners.delete(mine) && this.#listeners.size === 0) void this.#end()
    }
  }

  /** Nothing is told from now on. Closing twice is silent. */
  async close(): Promise<void> {
    this.#isClosed = true
    this.#listeners.clear()
    await this.#end()
  }

  #begin(): void {
    this.#pollLater()
    void this.#connect()
  }

  async #end(): Promise<void> {
    this.#poll?.cancel()
    this.#again?.cancel()
    const client = this.#client
    this.#client = undefined
    await client?.end().catch(() => {})
  }

  #pollLater(): void {
    const { clock } = this.#parts
    this.#poll = clock.schedule(clock.nowMs() + POLL_MS, () => {
      this.#pollLater()
      for (const news of POLLED) this.#tell(news)
    })
  }

  async #connect(): Promise<void> {
    const client = this.#parts.connect()
    this.#client = client
    client.on('error', (error) => this.#lost(client, error))
    client.on('end', () => this.#lost(client, new Error('the connection ended')))
    client.on('notification', (notification) => this.#hear(notification))
    try {
      await client.connect()
      await client.query(`listen ${NEWS_CHANNEL}`)
    } catch (error) {
      return this.#lost(client, error as Error)
    }
    if (this.#client !== client) return
    this.#pauseMs = FIRST_PAUSE_MS
    for (const news of KINDS) this.#tell(news)
  }

  #lost(client: Client, error: Error): void {
    // Its other complaints, and those of one that we ended ourselves, say nothing new.
    if (this.#client !== client) return
    this.#client = undefined
    void client.end().catch(() => {})
    const { clock, log } = this.#parts
    log.warn({ error: error.message, pauseMs: this.#pauseMs }, 'news from the database are looked for, not heard')
    this.#again = clock.schedule(clock.nowMs() + this.#pauseMs, () => void this.#connect())
    this.#pauseMs = Math.min(this.#pauseMs * 2, LONGEST_PAUSE_MS)
  }

  #hear({ payload }: Notification): void {
    const news = KINDS.find((kind) => kind === payload)
    if (news) this.#tell(news)
  }

  /** Whoever fails at it is a mistake of ours; the others hear it all the same. */
  #tell(news: News): void {
    for (const listener of [...this.#listeners]) {
      try {
        listener(news)
      } catch (error) {
        this.#parts.log.error({ error, news }, 'a listener failed at the news')
      }
    }
  }
}
