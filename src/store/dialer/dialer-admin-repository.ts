import type { DialerAdminRepository } from '../../ports/dialer-admin-repository.ts'
import type { Pools } from '../db/pools.ts'
import { portOf } from '../db/port-methods.ts'
import { outcomeCatalogues } from '../outcomes/outcome-catalogue.ts'
import { callSearch } from './call-search.ts'
import { callTaskStream } from './call-task-stream.ts'
import { callbackAdmin } from './callback-admin.ts'
import { callerIdCounts } from './caller-id-counts.ts'
import { campaignAdmin } from './campaign-admin.ts'
import { campaignBudgets } from './campaign-budgets.ts'
import { importRehearsal } from './import-call-tasks.ts'
import { importJobs } from './import-jobs.ts'
import { killSwitchAdmin } from './kill-switch.ts'
import { recycleCallTasks } from './recycle-call-tasks.ts'
import { stopListAdmin } from './stop-list-admin.ts'

/** The dialer's administration in PostgreSQL. */
export function postgresDialerAdmin(pools: Pools): DialerAdminRepository {
  return portOf<DialerAdminRepository>(pools, {
    ...campaignAdmin,
    ...outcomeCatalogues,
    ...campaignBudgets,
    ...callerIdCounts,
    ...callTaskStream,
    ...callSearch,
    ...importRehearsal,
    ...importJobs,
    ...recycleCallTasks,
    ...stopListAdmin,
    ...callbackAdmin,
    ...killSwitchAdmin,
  })
}
