/** Every section that is served beside what the server brings itself; a new section is named here and nowhere else. */

import { auditRoutes } from './admin/audit-trail.ts'
import { personRoutes } from './admin/data-subjects.ts'
import { deadLetterRoutes } from './admin/dead-letters.ts'
import { legalHoldRoutes } from './admin/legal-holds.ts'
import { type AgentParts, agentRoutes } from './agents/agents.ts'
import { summaryRoutes } from './calls/summaries.ts'
import { transcriptRoutes } from './calls/transcripts.ts'
import { activityRoutes } from './cases/activities.ts'
import { activityLinkRoutes } from './cases/activity-links.ts'
import { caseListChangeRoutes } from './cases/case-list-changes.ts'
import { caseListRoutes } from './cases/case-lists.ts'
import { searchCasesRoute } from './cases/case-search.ts'
import { saveCaseRoute } from './cases/cases.ts'
import { addTextRoute } from './cases/comments.ts'
import { coreFileRoutes } from './cases/files.ts'
import { entityRoutes } from './contacts/contacts.ts'
import { dialerRoutes } from './dialer/dialer-routes.ts'
import type { RestParts } from './http/dependencies.ts'
import type { Route } from './http/route.ts'
import { emailContentRoutes } from './mail/email-content.ts'
import { emailRoutes } from './mail/emails.ts'
import { webhookRoutes } from './webhooks/subscriptions.ts'

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
