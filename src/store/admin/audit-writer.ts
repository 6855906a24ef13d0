/** Group commit: one transaction writes all entries that came during the last write. Each caller awaits its entry. */
import type { AtMs } from '../../kernel/clock.ts'
import type { CorporationId } from '../../kernel/ids.ts'
import type { AuditEntry, AuditHead, AuditRecord } from '../../ports/audit.ts'
import { DatabaseUnavailable } from '../../ports/dialer-repository.ts'
import type { Transaction } from '../db/connection.ts'
import type { Pools } from '../db/pools.ts'
import { ask, inTransaction, type Prepared } from '../db/transaction.ts'
import { CHAIN_BEGIN, nextRecord } from './audit-chain.ts'

/** An entry for some chains, and the intents that it replaces. */
interface Chained {
  readonly corporations: readonly CorporationId[]
  readonly entry: AuditEntry
  readonly intents: readonly number[]
}

interface Waiting extends Chained {
  readonly done: (error?: unknown) => void
}

const BATCH_MAX = 500
/** With more waiting entries, the database counts as unavailable. */
const WAITING_MAX = 5_000

/** One per process. Mutable: the waiting entries. */
export class AuditWriter {
  readonly #pools: Pick<Pools, 'api'>
  readonly #waiting: Waiting[] = []
  #isWriting = false

  constructor(pools: Pick<Pools, 'api'>) {
    this.#pools = pools
  }

  /** Like `Audit.append`; the same commit removes the intents. */
  append(corporations: readonly CorporationId[], entry: AuditEntry, intents: readonly number[] = []): Promise<void> {
    if (corporations.length === 0) return Promise.resolve()
    if (this.#waiting.length >= WAITING_MAX) {
      return Promise.reject(new DatabaseUnavailable('too many entries wait for the audit trail'))
    }
    return new Promise((resolve, reject) => {
      const done = (error?: unknown) => (error === undefined ? resolve() : reject(error as Error))
      this.#waiting.push({ corporations: inOrder(corporations), entry, intents, done })
      if (!this.#isWriting) void this.#write()
    })
  }

  async #write(): Promise<void> {
    this.#isWriting = true
    for (;;) {
      const batch = this.#waiting.splice(0, BATCH_MAX)
      if (batch.length === 0) break
      const error = await inTransaction(this.#pools.api, (transaction) => writeBatch(transaction, batch)).catch(
        (failure: unknown) => failure ?? new Error('nothing said why'),
      )
      for (const { done } of batch) done(error)
    }
    this.#isWriting = false
  }
}

/** Two nodes never take the same intents. */
export function takeIntents({ api }: Pick<Pools, 'api'>, nowMs: AtMs): Promise<number> {
  return inTransaction(api, async (transaction) => {
    const due = await ask<Intent>(transaction, DUE, [nowMs, BATCH_MAX])
    const batch = due.map(({ id, corporations, entry }) => ({
      corporations: inOrder(corporations),
      entry,
      intents: [id],
    }))
    if (batch.length > 0) await writeBatch(transaction, batch)
    return batch.length
  })
}

interface Intent {
  readonly id: number
  readonly corporations: readonly CorporationId[]
  readonly entry: AuditEntry
}

const DUE = `
select id, corporation_ids as corporations, entry from audit_intents where due_at_ms <= $1 order by id limit $2
   for update skip locked`

function inOrder(corporations: readonly CorporationId[]): readonly CorporationId[] {
  return [...new Set(corporations)].sort((a, b) => a - b)
}

/** Rows are locked in the order of their corporations: two nodes never wait for each other. */
async function writeBatch(transaction: Transaction, batch: readonly Chained[]): Promise<undefined> {
  const corporations = inOrder(batch.flatMap((chained) => chained.corporations))
  const heads = new Map<CorporationId, AuditHead>()
  for (const head of await ask<AuditHead>(transaction, LOCK, [corporations, CHAIN_BEGIN])) {
    heads.set(head.corporation, head)
  }
  const records: AuditRecord[] = []
  for (const { entry, corporations: chains } of batch) {
    for (const corporation of chains) {
      const record = nextRecord(heads.get(corporation)!, entry)
      heads.set(corporation, record)
      records.push(record)
    }
  }
  await ask(transaction, WRITE, [JSON.stringify(records)])
  const intents = batch.flatMap((chained) => chained.intents)
  if (intents.length > 0) await ask(transaction, 'delete from audit_intents where id = any($1)', [intents])
  return undefined
}

const LOCK: Prepared = {
  name: 'lock-audit-heads',
  text: `
insert into audit_heads as h (corporation_id, number, hash, base_hash)
select id, 0, $2, $2 from unnest($1::bigint[]) with ordinality as given (id, place) order by place
    on conflict (corporation_id) do update set number = h.number
returning corporation_id as corporation, number, hash`,
}

const WRITE: Prepared = {
  name: 'write-audit-records',
  text: `
with given as (
  select * from json_to_recordset($1) as r (corporation bigint, number bigint, "atMs" bigint, credential text,
    "user" bigint, action text, object text, ids text[], count integer, operation text, reason text, address text,
    "traceId" text, "previousHash" text, hash text)
), written as (
  insert into audit_records (corporation_id, number, at_ms, credential, user_id, action, object, ids, count, operation,
    reason, address, trace_id, previous_hash, hash)
  select corporation, number, "atMs", credential, "user", action, object, ids, count, operation, reason, address,
    "traceId", "previousHash", hash from given
)
update audit_heads h set number = last.number, hash = last.hash
  from (select distinct on (corporation) corporation, number, hash from given order by corporation, number desc) last
 where h.corporation_id = last.corporation`,
}
