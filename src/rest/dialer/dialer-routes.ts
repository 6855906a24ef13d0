import { callSearchRoutes } from '../calls/calls-search.ts'
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

/** Everything of the dialer's section: Interface §4.1, the calls of §4.2, and what we added to them. */
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
    ...callSearchRoutes(parts),
    ...stopListRoutes(parts),
    ...killSwitchRoutes(parts),
    ...boardRoutes(parts),
  ]
}
