import type { Client } from 'pg'
import type { AtMs, Clock, Timer } from '../../kernel/clock.ts'
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
/** As long as a lease: whoever slept for longer may have lost the right, and finds out at the next beat. */
const BEAT_LIFE_MS = 10_000
/** A lease that has been over for so long is that of a dead node (`NodeLeaseHolder`); its calls are taken over then. */
const HUNG_AFTER_MS = 60_000
const CUT_MAX_MS = 5_000
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

/**
 * The right to dial of one node among several: it is waited for while another node has it. It is taken from a node that
 * hangs: one whose connection stays, and whose lease has been over for `hungAfterMs` (storage-23).
 */
export async function waitToDial(
  pools: Pick<Pools, 'connection'>,
  options: NodeGuardOptions,
  hungAfterMs = HUNG_AFTER_MS,
): Promise<NodeGuard> {
  const guard = new OneNode(pools, options, 'dialing', hungAfterMs)
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
  /** When the latest beat was sent that was answered. */
  #beatAtMs: AtMs = 0
  #isOver = false
  readonly #right: Right
  readonly #hungAfterMs: number | undefined
  /** The connection of a holder that hung at the last look: after an outage it may need a moment more than we. */
  #hung: number | undefined
  #saidWhy: string | undefined

  constructor(pools: Pick<Pools, 'connection'>, options: NodeGuardOptions, right: Right, hungAfterMs?: number) {
    this.#pools = pools
    this.#options = options
    this.#right = right
    this.#hungAfterMs = hungAfterMs
  }

  isHeld(): boolean {
    return this.#isHeld && this.#options.clock.nowMs() < this.#beatAtMs + BEAT_LIFE_MS
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
    const askedAtMs = this.#options.clock.nowMs()
    try {
      await client.connect()
      await client.query(GONE_SOON)
      await client.query('select pg_advisory_lock_shared(hashtextextended($1, $2))', [node, LOCKS.ofNode])
      const values = [LOCKS.node, this.#right === 'name' ? node : null]
      const take = async () =>
        (await client.query<{ taken: boolean }>(`select pg_try_advisory_lock(${KEY}) as taken`, values)).rows[0]!.taken
      const isTaken = (await take()) || ((await this.#cutHung(client)) && (await take()))
      const refusal = isTaken ? undefined : await holderOf(client, values, REMEDIES[this.#right])
      if (refusal) await this.#letGo()
      else if (this.#client === client && !this.#isOver) this.#hold(client, askedAtMs)
      return refusal
    } catch (error) {
      await this.#letGo()
      const why = `whether another engine dials cannot be found out: ${(error as Error).message}`
      return { ok: false, why, remedy: 'check that the database can be reached' }
    }
  }

  /** Whether the connection of a holder that hangs was ended: one that also hung at the last look. */
  async #cutHung(client: Client): Promise<boolean> {
    if (this.#hungAfterMs === undefined) return false
    const before = this.#hung
    this.#hung = undefined
    const values = [LOCKS.node, null, LOCKS.ofNode, this.#options.node, this.#hungAfterMs, before, CUT_MAX_MS]
    const [hung] = (await client.query<Holder & { pid: number; isCut: boolean | null }>(HUNG, values)).rows
    this.#hung = hung?.pid
    if (!hung?.isCut) return false
    const text = 'the node that had the right to dial hangs: its lease is long over. The right is taken from it'
    this.#options.log.error({ why: inWords(hung) }, text)
    return true
  }

  #hold(client: Client, askedAtMs: AtMs): void {
    this.#isHeld = true
    this.#beatAtMs = askedAtMs
    this.#pauseMs = TRY_AGAIN_MS
    this.#beatLater(client)
  }

  #beatLater(client: Client): void {
    this.#later(BEAT_MS, async () => {
      const askedAtMs = this.#options.clock.nowMs()
      try {
        await client.query({ text: 'select 1', query_timeout: BEAT_TIMEOUT_MS } as { text: string })
      } catch (error) {
        return this.#lost(client, (error as Error).message)
      }
      if (this.#client !== client) return
      this.#beatAtMs = askedAtMs
      this.#beatLater(client)
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

const SHOWN = `
a.application_name as name, to_char(a.backend_start at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS') as since`

/** PostgreSQL shows a lock of 64 bits as two halves. */
const numberOf = (lock: 'l' | 'm') => `(${lock}.classid::bigint << 32) + ${lock}.objid::bigint`

const HELD = `
 where l.locktype = 'advisory' and l.granted and l.objsubid = 1
   and l.database = (select oid from pg_database where datname = current_database()) and ${numberOf('l')} = ${KEY}`

const HOLDER = `select ${SHOWN} from pg_locks l join pg_stat_activity a on a.pid = l.pid ${HELD}`

/**
 * The holder whose lease has been over for $5 ms, or who has had none for as long as it is connected. Its lock of $3
 * says which node it is: the name of its connection may be cut. We ($4) have a lease that lives. Cut if it is $6.
 */
const HUNG = `
select l.pid, case when l.pid = $6 then pg_terminate_backend(l.pid, $7) end as "isCut", ${SHOWN}
  from pg_locks l join pg_stat_activity a on a.pid = l.pid
  join pg_locks m on m.pid = l.pid and m.locktype = 'advisory' and m.mode = 'ShareLock' and m.objsubid = 1
 ${HELD}
   and exists (select from node_leases n where n.node = $4 and n.expires_at > clock_timestamp())
   and clock_timestamp() - $5 * interval '1 ms' >= greatest(a.backend_start,
     (select n.expires_at from node_leases n where hashtextextended(n.node, $3) = ${numberOf('m')}))`

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
