import type { RestDependencies } from '../http/dependencies.ts'
import type { Route } from '../http/route.ts'
import { boardRoutes } from './board.ts'
import { callAttemptRoutes } from './call-attempts.ts'
import { callTaskChangeRoutes } from './call-task-change.ts'
import { callTaskEndRoutes } from './call-task-end.ts'
import { callTaskImportRoutes } from './call-task-import.ts'
import { importJobRoutes } from './call-task-import-jobs.ts'
import { callTaskRecycleRoutes } from './call-task-recycle.ts'
import { callTaskSearchRoutes } from './call-task-search.ts'
import { callTaskSheetRoutes } from './call-task-sheet.ts'
import { callbackRoutes } from './callbacks.ts'
import { campaignBudgetRoutes } from './campaign-budgets.ts'
import { campaignCallerIdRoutes } from './campaign-caller-ids.ts'
import { forecastRoutes } from './campaign-forecast.ts'
import { campaignReasonRoutes } from './campaign-reasons.ts'
import { campaignRoutes } from './campaigns.ts'
import { killSwitchRoutes } from './kill-switch.ts'
import { outcomeCatalogueRoutes } from './outcome-catalogues.ts'
import { stopListRoutes } from './stop-lists.ts'
import { withinTeams } from './within-teams.ts'

/** Imports, campaigns, call tasks and attempts: contract.md §4.1, and what we added to it. */
export function dialerRoutes(dependencies: RestDependencies): Route[] {
  const routes = [
    ...callTaskImportRoutes(dependencies),
    ...importJobRoutes(dependencies),
    ...callTaskSheetRoutes(dependencies),
    ...campaignRoutes(dependencies),
    ...campaignBudgetRoutes(dependencies),
    ...campaignCallerIdRoutes(dependencies),
    ...campaignReasonRoutes(dependencies),
    ...outcomeCatalogueRoutes(dependencies),
    ...forecastRoutes(dependencies),
    ...callTaskRecycleRoutes(dependencies),
    ...callTaskSearchRoutes(dependencies),
    ...callTaskEndRoutes(dependencies),
    ...callTaskChangeRoutes(dependencies),
    ...callbackRoutes(dependencies),
    ...callAttemptRoutes(dependencies),
  ]
  return withinTeams(routes, dependencies)
}

/** What stops dialing and what shows it. Listed behind the calls: the order is that of the OpenAPI document. */
export function dialerControlRoutes(dependencies: RestDependencies): Route[] {
  return [...stopListRoutes(dependencies), ...killSwitchRoutes(dependencies), ...boardRoutes(dependencies)]
}
