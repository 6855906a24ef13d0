/** Creation of cases and changes by users (D-21). */

import { type CaseChangeResult, type CaseLists, type Changer, type Refused, refused } from '../../cases/case-state.ts'
import { changeCase } from '../../cases/change-case.ts'
import { createCase } from '../../cases/create-case.ts'
import type { ActivityId, CorporationId, UserId } from '../../kernel/ids.ts'
import type { CaseHand, CaseRefused, CaseRepository, CaseToCreate } from '../../ports/case-repository.ts'
import { CASE_STATUS, type CaseChange, type CaseRecord } from '../../ports/cases.ts'
import type { Transaction } from '../db/connection.ts'
import { nextNumber } from '../db/counters.ts'
import { lockContacts } from '../db/living-contacts.ts'
import type { In } from '../db/port-methods.ts'
import { ask, inTransaction, type Prepared } from '../db/transaction.ts'
import { listsOf } from './case-lists.ts'
import { type LockedCases, lockCases, writeCaseLogs } from './case-rows.ts'
import { wholeCase } from './case-search.ts'
import { stateOf, writeLists, writeState } from './case-state-rows.ts'
import { type Moved, mergeInto, undoMerge } from './merge-cases.ts'
import { lockParts } from './sub-cases.ts'

export const saveCase = {
  async createCase({ api }, request, hand) {
    const { corporation } = request
    return inTransaction(api, async (transaction) => {
      const lists = await listsOf(transaction, corporation)
      if (lists.customs.length === 0 || !hand.corporations.includes(corporation)) {
        return { outcome: 'no such corporation' }
      }
      const unknown = await unknownOf(transaction, request, corporation)
      if (unknown) return outcomeOf(unknown)
      const opened = await openCase(transaction, request, lists, changerOf(hand))
      return opened.ok ? { outcome: 'saved', case: await wholeCase(transaction, opened.id) } : outcomeOf(opened)
    })
  },

  async changeCase({ api }, change, hand) {
    const { id, change: caseChange, seen } = change
    return inTransaction(api, async (transaction) => {
      const target = caseChange.mergedInto ?? undefined
      if (caseChange.mergedInto !== undefined) await lockParts(transaction, hand.corporations)
      const ids = target === undefined ? [id] : [id, target]
      const locked = await lockCases(transaction, ids, hand.corporations)
      const named = locked.named(id)
      if (!named) return { outcome: 'no such case' }
      const wished = withoutEcho(named, caseChange)
      const goesTo = named.merged && wished.mergedInto === undefined ? locked.end(id)! : named
      const isKnown = seen.tags?.some((tag) => tag.case === goesTo.id && tag.version === goesTo.version) ?? true
      if (!isKnown || (seen.updatedAtMs ?? goesTo.updatedAtMs) !== goesTo.updatedAtMs) return { outcome: 'stale' }
      const unknown = await unknownOf(transaction, caseChange, named.corporation, goesTo.id)
      if (unknown) return outcomeOf(unknown)
      const lists = await listsOf(transaction, named.corporation)
      const done = await carryOut(transaction, { named, locked, change: wished, lists, hand })
      if (done.ok) return { outcome: 'saved', case: await wholeCase(transaction, done.id) }
      // Undoes what was written before the refusal.
      await transaction.query('rollback to savepoint cases')
      return outcomeOf(done)
    })
  },
} satisfies Partial<In<CaseRepository>>

/** Opens a case within the caller's transaction. The caller has checked that what the request names exists. */
export async function openCase(
  transaction: Transaction,
  request: CaseToCreate,
  lists: CaseLists,
  changer: Changer,
): Promise<Moved> {
  const { corporation } = request
  const [next] = await ask<{ id: ActivityId }>(transaction, `select nextval('activity_ids') as id`, [])
  const changed = createCase({ ...request, id: next!.id }, lists, changer)
  if (!changed.ok) return changed
  // The number comes last: others wait for it.
  const { record } = changed.state
  const number = await nextNumber(transaction, corporation, 'case')
  await insert(transaction, record, number, changer.by)
  await writeLists(transaction, record, { members: [], tags: [], values: [] }, changed.state)
  await writeCaseLogs(transaction, record.id, changed.logs)
  return { ok: true, id: record.id, record }
}

async function insert(transaction: Transaction, record: CaseRecord, number: number, by: UserId | null): Promise<void> {
  const { id, corporation, title, extension, updatedAtMs, category, priority, team, deadlineAtMs } = record
  const { status, custom, lastOpen, holdUntilMs, holdComment } = record
  await ask(transaction, INSERT, [
    ...[id, corporation, title, extension, by, updatedAtMs, number, status, custom, lastOpen, category, priority],
    ...[team, deadlineAtMs, holdUntilMs, holdComment],
  ])
}

const INSERT: Prepared = {
  name: 'insert-case',
  text: `
with activity as (
  insert into activities (id, corporation_id, kind, subject, extension_id, creator_id, created_at_ms, updated_at_ms)
  values ($1, $2, 'case', $3, $4, $5, $6, $6)
)
insert into cases (activity_id, corporation_id, seq_no, status, ems_status_id, ems_status_changed_at_ms,
  last_open_ems_status_id, category_id, priority_id, team_id, deadline_at_ms, hold_until_ms, hold_comment)
values ($1, $2, $7, $8, $9, $6, $10, $11, $12, $13, $14, $15, $16)`,
}

interface Order {
  readonly named: CaseRecord
  readonly locked: LockedCases
  readonly change: CaseChange
  readonly lists: CaseLists
  readonly hand: CaseHand
}

/** A client that sends back the unchanged fields of a merged case requests no change of them. */
function withoutEcho({ status, custom, merged }: CaseRecord, caseChange: CaseChange): CaseChange {
  if (!merged) return caseChange
  const { status: newStatus, custom: newCustom, mergedInto, ...others } = caseChange
  return {
    ...others,
    ...(newStatus !== undefined && newStatus !== status && { status: newStatus }),
    ...(newCustom !== undefined && newCustom !== custom && { custom: newCustom }),
    ...(mergedInto !== undefined && mergedInto !== merged.into && { mergedInto }),
  }
}

async function carryOut(transaction: Transaction, order: Order): Promise<Moved> {
  const { named, locked, change: caseChange, hand, lists } = order
  const { mergedInto, ...others } = caseChange
  const changer = changerOf(hand)
  if (mergedInto === null && named.merged) {
    const end = locked.end(named.id)!
    const apart = await undoMerge(transaction, named, end, lists, changer)
    return apart.ok ? change(transaction, apart.record, { ...order, change: others }) : apart
  }
  if (mergedInto === undefined || mergedInto === null) {
    const isForwarded = named.merged !== null && others.status === undefined && others.custom === undefined
    return change(transaction, isForwarded ? locked.end(named.id)! : named, { ...order, change: others })
  }
  const target = locked.end(mergedInto)
  if (!target || target.corporation !== named.corporation) {
    return refused('invalid', 'mergedInto', 'there is no such case to merge into')
  }
  const { status = CASE_STATUS.merged, custom, ...fields } = others
  if (status !== CASE_STATUS.merged) {
    return refused('invalid', 'status', 'a case that is merged gets status 5; leave the status out')
  }
  // A merged case refuses all other changes; the refusal of a second merge comes first.
  const changed = named.merged ? named : await change(transaction, named, { ...order, change: fields })
  if ('ok' in changed && !changed.ok) return changed
  const record = 'record' in changed ? changed.record : changed
  return mergeInto(transaction, record, target, lists, changer)
}

async function change(
  transaction: Transaction,
  record: CaseRecord,
  { change: caseChange, lists, hand }: Order,
): Promise<Moved> {
  const before = await stateOf(transaction, record)
  const changed: CaseChangeResult = changeCase(before, caseChange, lists, changerOf(hand))
  if (!changed.ok) return changed
  await writeState(transaction, before, changed.state, changed.logs)
  return { ok: true, id: record.id, record: changed.state.record }
}

/**
 * The names in a change that are not there, or no longer (D-06: 400). What the case has may stay (cases-25). Contacts
 * are not erased from then on until the transaction has ended.
 */
async function unknownOf(
  transaction: Transaction,
  caseChange: CaseChange,
  corporation: CorporationId,
  id: ActivityId | null = null,
): Promise<Refused | undefined> {
  const members = caseChange.members ?? []
  const users = members.flatMap(({ user }) => user ?? [])
  const contacts = [...members.flatMap(({ extension }) => extension ?? []), ...[caseChange.extension ?? []].flat()]
  const fields = (caseChange.values ?? []).map(({ field }) => field)
  const teams = [caseChange.team ?? []].flat()
  if ([users, contacts, fields, teams].every(({ length }) => length === 0)) return undefined
  const values = [corporation, users, contacts, fields, teams, id]
  const look = () => ask<Record<'users' | 'contacts' | 'fields' | 'teams', boolean>>(transaction, UNKNOWN, values)
  let [found] = await look()
  if (contacts.length > 0 && found?.contacts === false) {
    await lockContacts(transaction, contacts)
    ;[found] = await look()
  }
  if (found?.users) return refused('invalid', 'members', 'there is no such user, or not any more')
  if (found?.contacts) {
    const about = caseChange.extension ? 'extension' : 'members'
    return refused('invalid', about, 'there is no such contact, or it was erased')
  }
  if (found?.fields) return refused('invalid', 'values', 'there is no such information field, or not any more')
  return found?.teams ? refused('invalid', 'team', 'there is no such queue, or not any more') : undefined
}

/** `isKept`: the case `$6` has the row `t`. */
const missing = (place: number, table: string, isInUse: string, isKept: string) => `
  exists (select from unnest($${place}::bigint[]) as w(id) where not exists (
    select from ${table} t where t.id = w.id and t.corporation_id = $1 and (${isInUse} or ${isKept})))`
const isMember = (column: string) => `exists (select from activity_members m
      where m.activity_id = $6::bigint and m.${column} = t.id and m.ended_at_ms is null)`

const UNKNOWN = `
select ${missing(2, 'users', 't.active', isMember('user_id'))} as users, ${missing(
  3,
  'entity_extensions',
  'not exists (select from entities e where e.id = t.entity_id and e.erased_at_ms is not null)',
  isMember('extension_id'),
)} as contacts, ${missing(
  4,
  'property_fields',
  't.active',
  'exists (select from case_values v where v.case_id = $6::bigint and v.field_id = t.id)',
)} as fields, ${missing(
  5,
  'teams',
  't.active',
  'exists (select from cases c where c.activity_id = $6::bigint and c.team_id = t.id)',
)} as teams`

function changerOf({ by, isAdmin, atMs }: CaseHand) {
  return { by, isAdmin, nowMs: atMs }
}

function outcomeOf({ why, about, message }: Refused): CaseRefused {
  return { outcome: 'refused', why, about, message }
}
