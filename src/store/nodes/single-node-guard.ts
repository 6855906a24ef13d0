import type { Client } from 'pg'
import type { Clock, Timer } from '../../kernel/clock.ts'
import type { Log } from '../../kernel/log.ts'
import { LOCKS } from '../db/advisory-locks.ts'
import type { Refusal } from '../db/embedded-postgres.ts'
import { OUR_CONNECTIONS, type Pools } from '../db/pools.ts'

/** A restarted engine may meet the old connection of its former process. */
const FIRST_TRIES = 8
const TRY_AGAIN_MS = 250
const LONGEST_PAUSE_MS = 5_000
/** A periodic query detects a connection that broke silently. */
const BEAT_MS = 1_000
const BEAT_TIMEOUT_MS = 2_000
const PURPOSE = 'node '
/** A machine that loses its power says no goodbye: the server would keep its locks for two hours. Its own, 11 s. */
const GONE_SOON = 'set tcp_keepalives_idle = 5; set tcp_keepalives_interval = 2; set tcp_keepalives_count = 3'

/** What one process at a time may be: the engine that dials, or the node of a name. */
type Right = 'dialing' | 'name'

interface NodeGuardOptions {
  readonly node: string
  readonly clock: Clock
  readonly log: Log
  /** Called when the right is lost and when it is back. Without it the engine must not dial. */
  readonly onChange: (isHeld: boolean) => void
}

/** A right that this process alone has, or waits for. */
export interface NodeGuard {
  readonly ok: true
  isHeld(): boolean
  /** Gives the right up, without `onChange`. May be called twice. */
  release(): Promise<void>
}

/** The holder has a lock on its own connection. If that breaks, it takes the lock again. */
export async function guardOneNode(
  pools: Pick<Pools, 'connection'>,
  options: NodeGuardOptions,
  right: Right = 'dialing',
): Promise<NodeGuard | Refusal> {
  const guard = new OneNode(pools, options, right)
  const refusal = await guard.begin()
  return refusal ?? guard
}

/** The right to dial of one node among several: it is waited for while another node has it. */
export async function waitToDial(pools: Pick<Pools, 'connection'>, options: NodeGuardOptions): Promise<NodeGuard> {
  const guard = new OneNode(pools, options, 'dialing')
  await guard.beginWaiting()
  return guard
}

class OneNode implements NodeGuard {
  readonly ok = true
  readonly #pools: Pick<Pools, 'connection'>
  readonly #options: NodeGuardOptions
  #client: Client | undefined
  #timer: Timer | undefined
  #pauseMs = TRY_AGAIN_MS
  #isHeld = false
  #isOver = false
  readonly #right: Right
  #saidWhy: string | undefined

  constructor(pools: Pick<Pools, 'connection'>, options: NodeGuardOptions, right: Right) {
    this.#pools = pools
    this.#options = options
    this.#right = right
  }

  isHeld(): boolean {
    return this.#isHeld
  }

  async begin(): Promise<Refusal | undefined> {
    for (let triesLeft = FIRST_TRIES; ; triesLeft--) {
      const refusal = await this.#take()
      if (!refusal || triesLeft === 1) return refusal
      await this.#pause(TRY_AGAIN_MS)
    }
  }

  async beginWaiting(): Promise<void> {
    const refusal = await this.#take()
    if (!refusal) return
    this.#sayWhy(refusal)
    this.#takeLater()
  }

  async release(): Promise<void> {
    this.#isOver = true
    this.#isHeld = false
    this.#timer?.cancel()
    await this.#letGo()
  }

  async #take(): Promise<Refusal | undefined> {
    const { node } = this.#options
    const client = this.#pools.connection(`${PURPOSE}${node}`)
    this.#client = client
    client.on('error', (error) => this.#lost(client, error.message))
    client.on('end', () => this.#lost(client, 'the connection ended'))
    try {
      await client.connect()
      await client.query(GONE_SOON)
      const values = [LOCKS.node, this.#right === 'name' ? node : null]
      const { rows } = await client.query<{ taken: boolean }>(`select pg_try_advisory_lock(${KEY}) as taken`, values)
      const refusal = rows[0]?.taken ? undefined : await holderOf(client, values, REMEDIES[this.#right])
      if (refusal) await this.#letGo()
      else if (this.#client === client && !this.#isOver) this.#hold(client)
      return refusal
    } catch (error) {
      await this.#letGo()
      const why = `whether another engine dials cannot be found out: ${(error as Error).message}`
      return { ok: false, why, remedy: 'check that the database can be reached' }
    }
  }

  #hold(client: Client): void {
    this.#isHeld = true
    this.#pauseMs = TRY_AGAIN_MS
    this.#beatLater(client)
  }

  #beatLater(client: Client): void {
    this.#later(BEAT_MS, async () => {
      try {
        await client.query({ text: 'select 1', query_timeout: BEAT_TIMEOUT_MS } as { text: string })
      } catch (error) {
        return this.#lost(client, (error as Error).message)
      }
      if (this.#client === client) this.#beatLater(client)
    })
  }

  #lost(client: Client, why: string): void {
    // A connection that was closed by us, or never had the lock, loses no right.
    if (this.#client !== client || !this.#isHeld) return
    this.#isHeld = false
    this.#options.log.error({ node: this.#options.node, why }, SAID[this.#right].lost)
    void this.#letGo()
    this.#options.onChange(false)
    this.#takeLater()
  }

  #takeLater(): void {
    this.#later(this.#pauseMs, async () => {
      const refusal = await this.#take()
      if (this.#isOver) return void (await this.#letGo())
      if (this.#isHeld) {
        this.#saidWhy = undefined
        this.#options.log.info({ node: this.#options.node, right: this.#right }, SAID[this.#right].held)
        return this.#options.onChange(true)
      }
      this.#pauseMs = Math.min(this.#pauseMs * 2, LONGEST_PAUSE_MS)
      if (refusal) this.#sayWhy(refusal)
      this.#takeLater()
    })
  }

  /** Once for each reason: it is asked every few seconds, perhaps for days. */
  #sayWhy({ why, remedy }: Refusal): void {
    if (why === this.#saidWhy) return
    this.#saidWhy = why
    this.#options.log.warn({ why, remedy }, SAID[this.#right].waits)
  }

  async #letGo(): Promise<void> {
    const client = this.#client
    this.#client = undefined
    await client?.end().catch(() => {})
  }

  #later(durationMs: number, action: () => Promise<void>): void {
    const { clock, log } = this.#options
    this.#timer = clock.schedule(clock.nowMs() + durationMs, () => {
      action().catch((error: unknown) => log.error({ error }, 'the guard of the node failed'))
    })
  }

  #pause(durationMs: number): Promise<void> {
    const { clock } = this.#options
    return new Promise((resolve) => clock.schedule(clock.nowMs() + durationMs, resolve))
  }
}

const SAID = {
  dialing: {
    held: 'this node dials from now on: it is the only one',
    lost: 'the right to be the only node that dials is lost; dialing stops',
    waits: 'another node dials: this one serves REST and callers, and dials when that one ends',
  },
  name: {
    held: 'this process is the only one of its NODE_NAME again',
    lost: 'another process may have the same NODE_NAME; dialing stops',
    waits: 'another process has the same NODE_NAME: dialing waits',
  },
} as const

const REMEDIES = {
  dialing: 'without REDIS_URL one node works alone: stop the other one, or set REDIS_URL for both',
  name: 'give each process a NODE_NAME of its own',
} as const

/** $1 is the number of the lock; with a name in $2 each name has a lock of its own. */
const KEY = 'case when $2::text is null then $1::bigint else hashtextextended($2::text, $1::bigint) end'

/** PostgreSQL shows a lock of 64 bits as two halves. */
const HOLDER = `
select a.application_name as name, to_char(a.backend_start at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS') as since
  from pg_locks l join pg_stat_activity a on a.pid = l.pid
 where l.locktype = 'advisory' and l.granted and l.objsubid = 1
   and l.database = (select oid from pg_database where datname = current_database())
   and (l.classid::bigint << 32) + l.objid::bigint = ${KEY}`

interface Holder {
  readonly name: string | null
  readonly since: string | null
}

async function holderOf(client: Client, values: readonly unknown[], remedy: string): Promise<Refusal> {
  const { rows } = await client.query<Holder>(HOLDER, [...values])
  return { ok: false, why: inWords(rows[0]), remedy }
}

/** Which node dials with this database, in words; undefined: none does. */
export async function servedBy({ jobs }: Pick<Pools, 'jobs'>): Promise<string | undefined> {
  const { rows } = await jobs.query<Holder>(HOLDER, [LOCKS.node, null])
  return rows[0] && inWords(rows[0])
}

function inWords(holder: Holder | undefined): string {
  const name = holder?.name?.replace(`${OUR_CONNECTIONS}${PURPOSE}`, '') || 'another engine'
  const since = holder?.since ? `, connected since ${holder.since} UTC` : ''
  return `this database is served by the node "${name}"${since}`
}
