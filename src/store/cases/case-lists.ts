/** Lookup lists of cases: custom statuses, priorities, categories (D-23). */

import type { CaseLists } from '../../cases/case-state.ts'
import type { CorporationId } from '../../kernel/ids.ts'
import {
  type CaseRepository,
  type EntryAdded,
  LIST_ENTRIES_MAX,
  type NewCategory,
  type NewCustomStatus,
  type NewPriority,
} from '../../ports/case-repository.ts'
import type { Category, CustomStatus, Priority } from '../../ports/cases.ts'
import type { Transaction } from '../db/connection.ts'
import type { Pools } from '../db/pools.ts'
import type { In } from '../db/port-methods.ts'
import { ask, inTransaction, type Prepared, query } from '../db/transaction.ts'

/** Columns of a custom status, from `ems_statuses`. */
export const STATUS = `id, name, status, is_default as "isDefault", active, color, sort_order as "sortOrder"`
/** Columns of a priority, from `priorities`. */
export const PRIORITY = `id, name, level, is_default as "isDefault", active, color, sort_order as "sortOrder"`
/** Columns of a category, from `categories`. */
export const CATEGORY = `id, name, parent_id as parent, active, sort_order as "sortOrder"`

/** All lists of a corporation, including retired entries; empty for an unknown corporation. */
export async function listsOf(transaction: Transaction, corporation: CorporationId): Promise<CaseLists> {
  const [lists] = await ask<CaseLists>(transaction, ALL, [corporation])
  // The statement always returns one row.
  return lists!
}

const allOf = (columns: string, table: string) => `(select coalesce(json_agg(l), '[]'::json)
  from (select ${columns} from ${table} where corporation_id = $1) l)`
const ALL: Prepared = {
  name: 'lists-of-cases',
  text: `select ${allOf(STATUS, 'ems_statuses')} as customs, ${allOf(PRIORITY, 'priorities')} as priorities,
    ${allOf(CATEGORY, 'categories')} as categories`,
}

export const caseLists = {
  categories({ api }, corporations, withInactive) {
    return listOf(api, [CATEGORY, 'categories', 'sort_order, name'], corporations, withInactive)
  },

  customStatuses({ api }, corporations, withInactive) {
    return listOf(api, [STATUS, 'ems_statuses', 'sort_order, name'], corporations, withInactive)
  },

  priorities({ api }, corporations, withInactive) {
    return listOf(api, [PRIORITY, 'priorities', 'sort_order, name'], corporations, withInactive)
  },

  addCategory(pools, corporation, entry) {
    return adding(pools, 'categories', corporation, (transaction) => addCategory(transaction, corporation, entry))
  },

  addCustomStatus(pools, corporation, entry) {
    return adding(pools, 'ems_statuses', corporation, (transaction) => addCustomStatus(transaction, corporation, entry))
  },

  addPriority(pools, corporation, entry) {
    return adding(pools, 'priorities', corporation, (transaction) => addPriority(transaction, corporation, entry))
  },
} satisfies Partial<In<CaseRepository>>

function listOf<T>(
  api: Pools['api'],
  [columns, table, order]: readonly [columns: string, table: string, order: string],
  corporations: readonly CorporationId[],
  withInactive: boolean,
): Promise<T[]> {
  const text = `select ${columns} from ${table} where corporation_id = any($1) and (active or $2) order by ${order}, id`
  return query<T>(api, text, [corporations, withInactive])
}

function adding<T>(
  { api }: Pools,
  table: string,
  corporation: CorporationId,
  work: (transaction: Transaction) => Promise<EntryAdded<T>>,
): Promise<EntryAdded<T>> {
  return inTransaction(api, async (transaction): Promise<EntryAdded<T>> => {
    if (!(await lockLists(transaction, corporation))) return { outcome: 'no such corporation' }
    const count = `select count(*)::int as entries from ${table} where corporation_id = $1`
    const [there] = await ask<{ entries: number }>(transaction, count, [corporation])
    if (there!.entries >= LIST_ENTRIES_MAX) return { outcome: 'list is full' }
    return work(transaction)
  })
}

/** Serializes changes of a corporation's lists: a default always exists. */
export async function lockLists(transaction: Transaction, corporation: CorporationId): Promise<boolean> {
  const text = 'select from corporations where id = $1 for no key update'
  return (await ask(transaction, text, [corporation])).length > 0
}

async function addCategory(
  transaction: Transaction,
  corporation: CorporationId,
  { name, parent, sortOrder }: NewCategory,
): Promise<EntryAdded<Category>> {
  const known = 'select from categories where id = $1 and corporation_id = $2'
  if (parent !== null && (await ask(transaction, known, [parent, corporation])).length === 0) {
    return { outcome: 'no such parent' }
  }
  const text = `insert into categories (corporation_id, name, parent_id, sort_order) values ($1, $2, $3, $4)
                on conflict do nothing returning ${CATEGORY}`
  return added(await ask<Category>(transaction, text, [corporation, name, parent, sortOrder]))
}

async function addCustomStatus(
  transaction: Transaction,
  corporation: CorporationId,
  { name, status, isDefault, color, sortOrder }: NewCustomStatus,
): Promise<EntryAdded<CustomStatus>> {
  const taken = 'select from ems_statuses where corporation_id = $1 and name = $2'
  if ((await ask(transaction, taken, [corporation, name])).length > 0) return { outcome: 'name is taken' }
  const clear = 'update ems_statuses set is_default = false where corporation_id = $1 and status = $2 and is_default'
  if (isDefault) await transaction.query(clear, [corporation, status])
  const text = `insert into ems_statuses (corporation_id, name, status, is_default, color, sort_order)
                values ($1, $2, $3, $4, $5, $6) returning ${STATUS}`
  return added(await ask<CustomStatus>(transaction, text, [corporation, name, status, isDefault, color, sortOrder]))
}

async function addPriority(
  transaction: Transaction,
  corporation: CorporationId,
  { name, level, isDefault, color, sortOrder }: NewPriority,
): Promise<EntryAdded<Priority>> {
  const taken = 'select from priorities where corporation_id = $1 and name = $2'
  if ((await ask(transaction, taken, [corporation, name])).length > 0) return { outcome: 'name is taken' }
  const clear = 'update priorities set is_default = false where corporation_id = $1 and is_default'
  if (isDefault) await transaction.query(clear, [corporation])
  const text = `insert into priorities (corporation_id, name, level, is_default, color, sort_order)
                values ($1, $2, $3, $4, $5, $6) returning ${PRIORITY}`
  return added(await ask<Priority>(transaction, text, [corporation, name, level, isDefault, color, sortOrder]))
}

function added<T>([entry]: readonly T[]): EntryAdded<T> {
  return entry === undefined ? { outcome: 'name is taken' } : { outcome: 'added', entry }
}
