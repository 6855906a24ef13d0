import type { AtMs } from '../../kernel/clock.ts'
import type { DataSubject, Erased, LeftBytes, PersonTraces, Privacy } from '../../ports/privacy.ts'
import { LOCKS } from '../db/advisory-locks.ts'
import type { Transaction } from '../db/connection.ts'
import { keepFromContacts } from '../db/living-contacts.ts'
import { notify } from '../db/notifications.ts'
import type { Pools } from '../db/pools.ts'
import { type In, portOf } from '../db/port-methods.ts'
import { ask, inTransaction } from '../db/transaction.ts'
import { findPerson, type KnownPerson, type PersonThings, thingsOf } from './data-subject.ts'
import { eraseThings } from './erase.ts'
import { isNothing, personExport, tracesOf } from './export-person.ts'
import { leftBytes } from './left-bytes.ts'
import { isHeld, legalHolds } from './legal-holds.ts'
import { MARKED, type PersonalKind } from './personal-data.ts'
import { retention } from './retention.ts'

/** Records erased in one transaction: others wait briefly for their locks. */
const PIECE = 200
/** Kinds that are found through others come before them. */
const ORDER: readonly PersonalKind[] = ['calls', 'activities', 'tasks', 'contacts']

const privacy = {
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
    const erase = async (kind: PersonalKind, ids: readonly number[]) => {
      for (let from = 0; from < ids.length; from += PIECE) {
        const piece = ids.slice(from, from + PIECE)
        await onLeft(await inTransaction(jobs, (transaction) => eraseThings(transaction, kind, piece, atMs)))
        counts[kind] += piece.length
      }
    }
    for (const kind of ORDER) if (kind !== 'contacts') await erase(kind, things[kind])
    const last = await inTransaction(jobs, (transaction) => eraseContacts(transaction, begun, atMs))
    if (last.traces.calls.length > 0) await onTraces(last.traces)
    for (const { kind, ids, left } of last.late) {
      await onLeft(left)
      counts[kind] += ids.length
    }
    counts.contacts = things.contacts.length
    return { outcome: 'erased', counts }
  },
} satisfies Partial<In<Privacy>>

/** What somebody may make about a person while the person is being erased; imports read the stop lists. */
const LATE = ['calls', 'activities', 'tasks'] as const

/**
 * Erases the contacts, and what was made about them since the erasure began, or it would stay (cases-27). Whoever is
 * making it now has locked the contact and is waited for; who comes later finds it erased.
 */
async function eraseContacts(transaction: Transaction, { person, things: { contacts } }: Begun, atMs: AtMs) {
  await keepFromContacts(transaction, contacts)
  const things = await thingsOf(transaction, person)
  const late: { kind: PersonalKind; ids: readonly number[]; left: LeftBytes }[] = []
  const calls = await unerasedOf(transaction, 'calls', things.calls)
  const traces = await tracesOf(transaction, person, { calls })
  for (const kind of LATE) {
    const ids = await unerasedOf(transaction, kind, things[kind])
    // A list that is called again makes call tasks of finished ones.
    if (kind === 'tasks' && ids.length > 0) await stopDialing(transaction, person, { ...things, tasks: ids }, atMs)
    if (ids.length > 0) late.push({ kind, ids, left: await eraseThings(transaction, kind, ids, atMs) })
  }
  await eraseThings(transaction, 'contacts', contacts, atMs)
  return { late, traces }
}

async function unerasedOf(transaction: Transaction, kind: PersonalKind, ids: readonly number[]): Promise<number[]> {
  const text = `select id from ${MARKED[kind]} where id = any($1) and erased_at_ms is null order by id`
  return (await ask<{ id: number }>(transaction, text, [ids])).map(({ id }) => id)
}

interface Begun {
  readonly person: KnownPerson
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
  return { person, things, traces: await tracesOf(transaction, person, things) }
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

/** Exports and erasures of data subjects, retention and legal holds in PostgreSQL. */
export function postgresPrivacy(pools: Pools): Privacy {
  return portOf<Privacy>(pools, { ...privacy, ...personExport, ...retention, ...leftBytes, ...legalHolds })
}
