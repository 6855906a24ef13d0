/** Every section that is served beside what the server brings itself; a new section is named here and nowhere else. */
import { activityRoutes } from './activities.ts'
import { activityLinkRoutes } from './activity-links.ts'
import { summaryRoutes } from './activity-summaries.ts'
import { addTextRoute } from './activity-texts.ts'
import { type AgentParts, agentRoutes } from './agents.ts'
import { auditRoutes } from './audit-trail.ts'
import { caseListChangeRoutes } from './case-list-changes.ts'
import { caseListRoutes } from './case-lists.ts'
import { searchCasesRoute } from './case-search.ts'
import { saveCaseRoute } from './cases.ts'
import { coreFileRoutes } from './core-files.ts'
import { deadLetterRoutes } from './dead-letters.ts'
import { dialerRoutes } from './dialer-routes.ts'
import { emailContentRoutes } from './email-content.ts'
import { emailRoutes } from './emails.ts'
import { entityRoutes } from './entities.ts'
import { legalHoldRoutes } from './legal-holds.ts'
import type { RestParts } from './parts.ts'
import { personRoutes } from './persons.ts'
import type { Route } from './route.ts'
import { transcriptRoutes } from './transcripts.ts'
import { webhookRoutes } from './webhooks.ts'

/** What the sections work with together. */
export type SectionParts = RestParts & Pick<AgentParts, 'tickets'>

/** All of them: the core serves these, tests walk over these, the document and the client are made of these. */
export function sectionRoutes(parts: SectionParts): Route[] {
  return [
    ...dialerRoutes(parts),
    ...summaryRoutes(parts),
    ...transcriptRoutes(parts),
    ...entityRoutes(parts),
    ...[saveCaseRoute(parts), searchCasesRoute(parts), addTextRoute(parts)],
    ...caseListRoutes(parts),
    ...caseListChangeRoutes(parts),
    ...coreFileRoutes(parts),
    ...activityRoutes(parts),
    ...emailContentRoutes(parts),
    ...emailRoutes(parts),
    ...activityLinkRoutes(parts),
    ...webhookRoutes(parts),
    ...agentRoutes(parts),
    ...auditRoutes(parts),
    ...personRoutes(parts),
    ...legalHoldRoutes(parts),
    ...deadLetterRoutes(parts),
  ]
}
