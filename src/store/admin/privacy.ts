import type { AtMs } from '../../kernel/clock.ts'
import type { DataSubject, Erased, PersonDocument, PersonTraces, Privacy } from '../../ports/privacy.ts'
import { LOCKS } from '../db/advisory-locks.ts'
import type { Transaction } from '../db/connection.ts'
import { notify } from '../db/notifications.ts'
import type { Pools } from '../db/pools.ts'
import { type In, portOf } from '../db/port-methods.ts'
import { ask, inTransaction } from '../db/transaction.ts'
import { findPerson, type KnownPerson, type PersonThings, thingsOf } from './data-subject.ts'
import { eraseThings } from './erase.ts'
import { leftBytes } from './left-bytes.ts'
import { isHeld, legalHolds } from './legal-holds.ts'
import { PERSONAL_TABLES, type PersonalKind } from './personal-data.ts'
import { retention } from './retention.ts'

/** Exported rows per table; `isWhole` is false for a person with more. */
const ROWS_MAX = 5_000
/**
 * All rows of an export together: it is built in memory. A stranger's emails have up to 256 Ki letters each, and 5,000
 * of them ended the process (files-and-activities-16).
 */
const LETTERS_MAX = 32 * 1024 * 1024
/** Records erased in one transaction: others wait briefly for their locks. */
const PIECE = 200
/** Kinds that are found through others come before them. */
const ORDER: readonly PersonalKind[] = ['calls', 'activities', 'tasks', 'contacts']

const privacy = {
  exportPerson({ jobs }, subject) {
    const begin = 'begin isolation level repeatable read read only'
    const work = async (transaction: Transaction) => {
      const person = await findPerson(transaction, subject)
      if (person.outcome !== 'found') return person
      const things = await thingsOf(transaction, person)
      const document: Record<string, Record<string, readonly object[]>> = {}
      let isWhole = true
      let lettersLeft = LETTERS_MAX
      const add = async (section: string, table: string, where: string, values: readonly unknown[]) => {
        const found = await ask<ExportedRow>(transaction, exportOf(table, where, lettersLeft), values)
        const rows = found.flatMap(({ row }) => row ?? []).slice(0, ROWS_MAX)
        if (rows.length < found.length) isWhole = false
        lettersLeft -= found.reduce((sum, { row, letters }) => sum + (row === null ? 0 : letters), 0)
        document[section] = { ...document[section], [table]: rows }
        return found.length
      }
      for (const { kind, table, where } of PERSONAL_TABLES) await add(kind, table, where, [things[kind]])
      let beside = 0
      for (const { section, table, where, valuesOf } of BESIDE) {
        beside += await add(section, table, where, [person.corporation, ...valuesOf(person)])
      }
      if (isNothing(things) && beside === 0) return { outcome: 'nobody' } as const
      const traces = await tracesOf(transaction, person, things)
      return { outcome: 'exported', isWhole, document: document as PersonDocument, traces } as const
    }
    return inTransaction(jobs, work, begin)
  },

  async erasePerson({ jobs }, subject, atMs, { onTraces, onLeft }) {
    // No attempt begins after this commit: claims and stops exclude each other. No import brings the contact back:
    // imports of contacts lock the corporation as well, and then read the stop list.
    const begun = await inTransaction(jobs, async (transaction) => {
      // The lock of a row counts as a change, and a refused erasure leaves no audit entry.
      const beforeLocks = await erasable(transaction, subject)
      if ('outcome' in beforeLocks) return beforeLocks
      await transaction.query('select from corporations where id = $1 for no key update', [subject.corporation])
      await transaction.query('select pg_advisory_xact_lock($1)', [LOCKS.orders])
      return endDialing(transaction, subject, atMs)
    })
    if ('outcome' in begun) return begun
    const { things, traces } = begun
    await onTraces(traces)
    const counts = { calls: 0, activities: 0, tasks: 0, contacts: 0 }
    for (const kind of ORDER) {
      const ids = things[kind]
      for (let from = 0; from < ids.length; from += PIECE) {
        const piece = ids.slice(from, from + PIECE)
        await onLeft(await inTransaction(jobs, (transaction) => eraseThings(transaction, kind, piece, atMs)))
        counts[kind] += piece.length
      }
    }
    return { outcome: 'erased', counts }
  },
} satisfies Partial<In<Privacy>>

interface ExportedRow {
  /** Null: it was too much with those before it. */
  readonly row: object | null
  readonly letters: number
}

/** The rows of a table as JSON, without those that exceed the letters. */
function exportOf(table: string, where: string, lettersMax: number): string {
  return `
    select case when sum(length(t.row)) over (rows unbounded preceding) <= ${lettersMax} then t.row::json end as row,
      length(t.row) as letters
      from (select to_json(r)::text as row from (select * from ${table} where ${where} limit ${ROWS_MAX + 1}) r) t`
}

interface Beside {
  readonly section: 'stopLists' | 'imports'
  readonly table: string
  /** `$1` is the corporation. */
  readonly where: string
  readonly valuesOf: (person: KnownPerson) => readonly (readonly string[])[]
}

/** What is kept of a person without being theirs. */
const BESIDE: readonly Beside[] = [
  {
    section: 'stopLists',
    table: 'stopped_numbers',
    where: 'corporation_id = $1 and number = any($2)',
    valuesOf: ({ numbers }) => [numbers],
  },
  {
    section: 'stopLists',
    table: 'stopped_persons',
    where: 'corporation_id = $1 and person_key = any($2)',
    valuesOf: ({ keys }) => [keys],
  },
  {
    section: 'imports',
    table: 'import_pieces',
    where: `call_tasks is not null and import_id in (select id from import_jobs where corporation_id = $1)
      and exists (select from unnest($2::text[]) word where position(word in call_tasks) > 0)`,
    // Without the plus: numbers may be written with a zero instead. Of a key the customer.
    valuesOf: ({ numbers, keys }) => [
      [...numbers.map((number) => number.slice(1)), ...keys.map((key) => JSON.stringify(key.replace(/^\d+:/, '')))],
    ],
  },
]

/** What files beside the database know them by. */
async function tracesOf(transaction: Transaction, person: KnownPerson, things: PersonThings): Promise<PersonTraces> {
  const text = 'select call from call_activities where id = any($1)'
  const calls = (await ask<{ call: string }>(transaction, text, [things.calls])).map(({ call }) => call)
  return { calls, words: person.numbers }
}

interface Begun {
  readonly things: PersonThings
  readonly traces: PersonTraces
}

interface Erasable {
  readonly person: KnownPerson
  readonly things: PersonThings
}

async function erasable(transaction: Transaction, subject: DataSubject): Promise<Erased | Erasable> {
  const person = await findPerson(transaction, subject)
  if (person.outcome !== 'found') return person
  const things = await thingsOf(transaction, person)
  if (isNothing(things) && !(await isStopped(transaction, person))) return { outcome: 'nobody' }
  return (await isHeld(transaction, person, things)) ? { outcome: 'held' } : { person, things }
}

/** Whether a stop list says more of them than that they were erased. */
async function isStopped(transaction: Transaction, { corporation, keys, numbers }: KnownPerson): Promise<boolean> {
  const text = `
    select from stopped_numbers where corporation_id = $1 and number = any($2) and reason is distinct from '${ERASED}'
    union all
    select from stopped_persons where corporation_id = $1 and person_key = any($3)
       and reason is distinct from '${ERASED}'`
  return (await ask(transaction, text, [corporation, numbers, keys])).length > 0
}

async function endDialing(transaction: Transaction, subject: DataSubject, atMs: AtMs): Promise<Erased | Begun> {
  const found = await erasable(transaction, subject)
  if ('outcome' in found) return found
  const { person, things } = found
  await stopDialing(transaction, person, things, atMs)
  const open = await ask(transaction, OPEN, [things.tasks, subject.corporation, person.numbers])
  if (open.length > 0) return { outcome: 'underWay' }
  return { things, traces: await tracesOf(transaction, person, things) }
}

/** Their calls in progress, in either direction. */
const OPEN = `
select from attempts where task_id = any($1) and (ended_at_ms is null or holds_person)
union all
select from open_calls where corporation_id = $2 and caller = any($3)
limit 1`

const ERASED = 'erased'

async function stopDialing(
  transaction: Transaction,
  { corporation, keys, numbers }: KnownPerson,
  { tasks }: PersonThings,
  atMs: AtMs,
): Promise<void> {
  for (const [table, column, values] of [
    ['stopped_persons', 'person_key', keys],
    ['stopped_numbers', 'number', numbers],
  ] as const) {
    // What people wrote about them goes.
    const text = `insert into ${table} as s (corporation_id, ${column}, created_at_ms, reason)
      select $1, v, $3, '${ERASED}' from unnest($2::text[]) as v
      on conflict (corporation_id, ${column}) do update set reason = excluded.reason where s.reason is distinct from
        excluded.reason`
    await transaction.query(text, [corporation, values, atMs])
  }
  await transaction.query(
    `update call_tasks set status = 'endedByUser', finished_at_ms = $2, updated_at_ms = $2, next_call_at_ms = null,
       reserved_by = null, reserved_fence = null where id = any($1) and finished_at_ms is null`,
    [tasks, atMs],
  )
  await notify(transaction, 'tasks')
}

function isNothing(things: PersonThings): boolean {
  return ORDER.every((kind) => things[kind].length === 0)
}

/** Exports and erasures of data subjects, retention and legal holds in PostgreSQL. */
export function postgresPrivacy(pools: Pools): Privacy {
  return portOf<Privacy>(pools, { ...privacy, ...retention, ...leftBytes, ...legalHolds })
}
