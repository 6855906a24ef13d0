import type { CaseRepository } from '../../ports/case-repository.ts'
import type { Pools } from '../db/pools.ts'
import { portOf } from '../db/port-methods.ts'
import { caseListChanges } from './case-list-changes.ts'
import { caseLists } from './case-lists.ts'
import { caseSearch } from './case-search.ts'
import { comments } from './comments.ts'
import { expireHolds } from './expire-holds.ts'
import { saveCase } from './save-case.ts'

/** Cases in PostgreSQL. */
export function postgresCases(pools: Pools): CaseRepository {
  return portOf<CaseRepository>(pools, {
    ...saveCase,
    ...caseSearch,
    ...comments,
    ...expireHolds,
    ...caseLists,
    ...caseListChanges,
  })
}
