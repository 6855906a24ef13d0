import type { RestParts } from '../http/dependencies.ts'
import type { Route } from '../http/route.ts'
import { boardRoutes } from './board.ts'
import { callAttemptRoutes } from './call-attempts.ts'
import { callTaskEndRoutes } from './call-task-end.ts'
import { callTaskImportRoutes } from './call-task-import.ts'
import { importJobRoutes } from './call-task-import-jobs.ts'
import { callTaskSearchRoutes } from './call-task-search.ts'
import { callTaskSheetRoutes } from './call-task-sheet.ts'
import { campaignBudgetRoutes } from './campaign-budgets.ts'
import { forecastRoutes } from './campaign-forecast.ts'
import { campaignRoutes } from './campaigns.ts'
import { killSwitchRoutes } from './kill-switch.ts'
import { stopListRoutes } from './stop-lists.ts'

/** Imports, campaigns, call tasks and attempts: contract.md §4.1, and what we added to it. */
export function dialerRoutes(parts: RestParts): Route[] {
  return [
    ...callTaskImportRoutes(parts),
    ...importJobRoutes(parts),
    ...callTaskSheetRoutes(parts),
    ...campaignRoutes(parts),
    ...campaignBudgetRoutes(parts),
    ...forecastRoutes(parts),
    ...callTaskSearchRoutes(parts),
    ...callTaskEndRoutes(parts),
    ...callAttemptRoutes(parts),
  ]
}

/** What stops dialing and what shows it. Listed behind the calls: the order is that of the OpenAPI document. */
export function dialerControlRoutes(parts: RestParts): Route[] {
  return [...stopListRoutes(parts), ...killSwitchRoutes(parts), ...boardRoutes(parts)]
}
