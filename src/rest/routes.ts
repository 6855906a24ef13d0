/** All operations except those that the server itself adds; a new section is added only here. */
import { auditRoutes } from './admin/audit-trail.ts'
import { dataSubjectRoutes } from './admin/data-subjects.ts'
import { deadLetterRoutes } from './admin/dead-letters.ts'
import { legalHoldRoutes } from './admin/legal-holds.ts'
import { agentStateRoute } from './agents/agent-state.ts'
import { type AgentDependencies, agentRoutes } from './agents/agents.ts'
import { superviseRoutes } from './agents/supervise.ts'
import { callListRoute } from './calls/call-list.ts'
import { callPageRoute } from './calls/call-page.ts'
import { callSearchRoutes } from './calls/calls-search.ts'
import { deliveryReportRoute } from './calls/delivery-reports.ts'
import { flowEventRoute } from './calls/flow-events.ts'
import { recordingPeaksRoute } from './calls/recording-peaks.ts'
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
import { saveEntityRoute } from './contacts/save-contact.ts'
import { dialerControlRoutes, dialerRoutes } from './dialer/dialer-routes.ts'
import { flowCanaryRoutes } from './flows/flow-canaries.ts'
import { flowPublishingRoutes } from './flows/flow-publishing.ts'
import { flowSimulationRoute } from './flows/flow-simulation.ts'
import { flowTrafficRoute } from './flows/flow-traffic.ts'
import { flowReadingRoutes } from './flows/stored-flows.ts'
import type { RestDependencies } from './http/dependencies.ts'
import type { Route } from './http/route.ts'
import { emailContentRoutes } from './mail/email-content.ts'
import { emailRoutes } from './mail/emails.ts'
import { type StreamTicketDependencies, streamTicketRoute } from './stream/stream-ticket.ts'
import { webhookRoutes } from './webhooks/subscriptions.ts'

type SectionDependencies = RestDependencies &
  Pick<AgentDependencies, 'tickets' | 'phones'> &
  Pick<StreamTicketDependencies, 'streamTickets'>

/** Served by the core; also the source of the OpenAPI document, the typed client and tests of all routes. */
export function sectionRoutes(dependencies: SectionDependencies): Route[] {
  return [
    ...dialerRoutes(dependencies),
    ...callSearchRoutes(dependencies),
    callListRoute(dependencies),
    callPageRoute(dependencies),
    recordingPeaksRoute(dependencies),
    ...dialerControlRoutes(dependencies),
    flowEventRoute(dependencies),
    ...flowReadingRoutes(dependencies),
    ...flowPublishingRoutes(dependencies),
    ...flowCanaryRoutes(dependencies),
    flowTrafficRoute(dependencies),
    flowSimulationRoute(dependencies),
    deliveryReportRoute(dependencies),
    ...summaryRoutes(dependencies),
    ...transcriptRoutes(dependencies),
    ...entityRoutes(dependencies),
    saveEntityRoute(dependencies),
    ...[saveCaseRoute(dependencies), searchCasesRoute(dependencies), addTextRoute(dependencies)],
    ...caseListRoutes(dependencies),
    ...caseListChangeRoutes(dependencies),
    ...coreFileRoutes(dependencies),
    ...activityRoutes(dependencies),
    ...emailContentRoutes(dependencies),
    ...emailRoutes(dependencies),
    ...activityLinkRoutes(dependencies),
    ...webhookRoutes(dependencies),
    ...agentRoutes(dependencies),
    streamTicketRoute(dependencies),
    agentStateRoute(dependencies),
    ...superviseRoutes(dependencies),
    ...auditRoutes(dependencies),
    ...dataSubjectRoutes(dependencies),
    ...legalHoldRoutes(dependencies),
    ...deadLetterRoutes(dependencies),
  ]
}
