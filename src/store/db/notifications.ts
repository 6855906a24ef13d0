import type { Client, Notification } from 'pg'
import type { Clock, Timer } from '../../kernel/clock.ts'
import type { Log } from '../../kernel/log.ts'
import type { DatabaseNotification } from '../../ports/dialer-repository.ts'
import type { Transaction } from './connection.ts'
import { NEWS_CHANNEL } from './notification-channel.ts'

const KINDS: readonly DatabaseNotification[] = ['orders', 'tasks', 'deliveries', 'access', 'flowEvents', 'flows']
/** Also sent periodically, because a notification may get lost. Listeners of the other kinds poll on their own. */
const POLLED: readonly DatabaseNotification[] = ['orders', 'tasks']
const POLL_MS = 1_000
const FIRST_PAUSE_MS = 250
const LONGEST_PAUSE_MS = 5_000

/** PostgreSQL sends notifications on commit, equal ones once; a rollback sends nothing. */
export async function notify(transaction: Transaction, notified: DatabaseNotification): Promise<void> {
  await transaction.query(`select ${telling(notified)}`)
}

/** The same as SQL, for a statement that is its own transaction. */
export function telling(notified: DatabaseNotification): string {
  return `pg_notify('${NEWS_CHANNEL}', '${notified}')`
}

/** `connect` creates a separate connection, not opened yet. */
interface NotificationChannelDependencies {
  readonly connect: () => Client
  readonly clock: Clock
  readonly log: Log
}

/** Has its own connection while there are listeners. Every new connection notifies all kinds: some may be missed. */
export class NotificationChannel {
  readonly #dependencies: NotificationChannelDependencies
  readonly #listeners = new Set<(notified: DatabaseNotification) => void>()
  #client: Client | undefined
  #poll: Timer | undefined
  #again: Timer | undefined
  #pauseMs = FIRST_PAUSE_MS
  #isClosed = false

  constructor(dependencies: NotificationChannelDependencies) {
    this.#dependencies = dependencies
  }

  onNotification(listener: (notified: DatabaseNotification) => void): () => void {
    // A new function for each call: a listener that is added twice is called twice and removed once.
    const mine = (notified: DatabaseNotification) => listener(notified)
    this.#listeners.add(mine)
    if (this.#listeners.size === 1 && !this.#isClosed) this.#begin()
    return () => {
      if (this.#listeners.delete(mine) && this.#listeners.size === 0) void this.#end()
    }
  }

  /** May be called twice. */
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
    const { clock } = this.#dependencies
    this.#poll = clock.schedule(clock.nowMs() + POLL_MS, () => {
      this.#pollLater()
      for (const notified of POLLED) this.#notifyListeners(notified)
    })
  }

  async #connect(): Promise<void> {
    const client = this.#dependencies.connect()
    this.#client = client
    client.on('error', (error) => this.#lost(client, error))
    client.on('end', () => this.#lost(client, new Error('the connection ended')))
    client.on('notification', (notification) => this.#handleNotification(notification))
    try {
      await client.connect()
      await client.query(`listen ${NEWS_CHANNEL}`)
    } catch (error) {
      return this.#lost(client, error as Error)
    }
    if (this.#client !== client) return
    this.#pauseMs = FIRST_PAUSE_MS
    for (const notified of KINDS) this.#notifyListeners(notified)
  }

  #lost(client: Client, error: Error): void {
    // Further errors of a lost or closed connection are ignored.
    if (this.#client !== client) return
    this.#client = undefined
    void client.end().catch(() => {})
    const { clock, log } = this.#dependencies
    log.warn({ error: error.message, pauseMs: this.#pauseMs }, 'database notifications are lost; polling meanwhile')
    this.#again = clock.schedule(clock.nowMs() + this.#pauseMs, () => void this.#connect())
    this.#pauseMs = Math.min(this.#pauseMs * 2, LONGEST_PAUSE_MS)
  }

  #handleNotification({ payload }: Notification): void {
    const notified = KINDS.find((kind) => kind === payload)
    if (notified) this.#notifyListeners(notified)
  }

  /** A listener that throws is a bug; the other listeners are still called. */
  #notifyListeners(notified: DatabaseNotification): void {
    for (const listener of [...this.#listeners]) {
      try {
        listener(notified)
      } catch (error) {
        this.#dependencies.log.error({ error, notification: notified }, 'a listener of database notifications threw')
      }
    }
  }
}
