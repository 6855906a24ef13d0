import type { CaseRepository } from '../../ports/case-repository.ts'
import type { Pools } from '../db/pools.ts'
import { changesOfLists } from './case-list-changes.ts'
import { listsOfCases } from './case-lists.ts'
import { searchCases } from './case-search.ts'
import { addText } from './comments.ts'
import { endHolds } from './expire-holds.ts'
import { changeCase, createCase } from './save-case.ts'

/** Cases in PostgreSQL. What each method does is said at the port. */
export function postgresCases(pools: Pools): CaseRepository {
  return {
    createCase: (wish, hand) => createCase(pools, wish, hand),
    changeCase: (change, hand) => changeCase(pools, change, hand),
    addText: (text, hand) => addText(pools, text, hand),
    searchCases: (search) => searchCases(pools, search),
    endHolds: (nowMs) => endHolds(pools, nowMs),
    ...listsOfCases(pools),
    ...changesOfLists(pools),
  }
}
