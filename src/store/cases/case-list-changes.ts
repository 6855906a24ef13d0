/** Changes of entries in the lookup lists of cases: name, place, default, retirement. */

import type { CorporationId } from '../../kernel/ids.ts'
import type { CaseRepository, EntryChanged, PriorityChange } from '../../ports/case-repository.ts'
import type { Category, CustomStatus, Priority } from '../../ports/cases.ts'
import type { Pools } from '../db/pools.ts'
import type { In } from '../db/port-methods.ts'
import { ask, inTransaction } from '../db/transaction.ts'
import { CATEGORY, lockLists, PRIORITY, STATUS } from './case-lists.ts'

interface List {
  readonly table: 'categories' | 'ems_statuses' | 'priorities'
  readonly columns: string
  /** The other entries `e` of the list that share a default with the entry `$1`. */
  readonly sameDefault: string
}

const CATEGORIES: List = { table: 'categories', columns: CATEGORY, sameDefault: 'false' }
const STATUSES: List = {
  table: 'ems_statuses',
  columns: STATUS,
  sameDefault: 'e.status = (select n.status from ems_statuses n where n.id = $1)',
}
const PRIORITIES: List = { table: 'priorities', columns: PRIORITY, sameDefault: 'true' }

/** Field → its column. Names of columns come only from this table, never from a request. */
const COLUMNS: Readonly<Record<keyof PriorityChange, string>> = {
  name: 'name',
  sortOrder: 'sort_order',
  active: 'active',
  color: 'color',
  isDefault: 'is_default',
  level: 'level',
}

/** PostgreSQL's codes for a name that exists already, and for a default that would not be active. */
const NOT_UNIQUE = '23505'
const CHECK_FAILED = '23514'

export const caseListChanges = {
  changeCategory(pools, id, corporations, change) {
    return changed<Category>(pools, CATEGORIES, id, corporations, change)
  },

  changeCustomStatus(pools, id, corporations, change) {
    return changed<CustomStatus>(pools, STATUSES, id, corporations, change)
  },

  changePriority(pools, id, corporations, change) {
    return changed<Priority>(pools, PRIORITIES, id, corporations, change)
  },
} satisfies Partial<In<CaseRepository>>

async function changed<T>(
  { api }: Pools,
  { table, columns, sameDefault }: List,
  id: number,
  corporations: readonly CorporationId[],
  change: PriorityChange,
): Promise<EntryChanged<T>> {
  const names = (Object.keys(COLUMNS) as (keyof PriorityChange)[]).filter((name) => change[name] !== undefined)
  // Without a change the entry is still returned, if it exists.
  const set = names.length === 0 ? ['active = active'] : names.map((name, place) => `${COLUMNS[name]} = $${place + 2}`)
  try {
    return await inTransaction(api, async (transaction): Promise<EntryChanged<T>> => {
      const whose = `select corporation_id as corporation from ${table} where id = $1 and corporation_id = any($2)`
      const [found] = await ask<{ corporation: CorporationId }>(transaction, whose, [id, corporations])
      if (!found) return { outcome: 'no such entry' }
      await lockLists(transaction, found.corporation)
      if (change.isDefault) {
        const clear = `update ${table} e set is_default = false
          where e.corporation_id = $2 and e.is_default and e.id <> $1 and ${sameDefault}`
        await ask(transaction, clear, [id, found.corporation])
      }
      const text = `update ${table} set ${set.join(', ')} where id = $1 returning ${columns}`
      const [entry] = await ask<T>(transaction, text, [id, ...names.map((name) => change[name])])
      // Entries are never deleted.
      return { outcome: 'changed', entry: entry! }
    })
  } catch (error) {
    const { code } = error as { readonly code?: unknown }
    if (code === NOT_UNIQUE) return { outcome: 'name is taken' }
    if (code === CHECK_FAILED) return { outcome: 'default is in use' }
    throw error
  }
}
