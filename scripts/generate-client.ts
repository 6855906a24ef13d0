/** Writes `src/client/operations.ts` from the declarations of the operations. Run it after changing them. */
import { writeFileSync } from 'node:fs'
import { sessionRoutes } from '../src/rest/access/session.ts'
import { signOnRoutes } from '../src/rest/access/sign-on.ts'
import { tokenRoutes } from '../src/rest/access/tokens.ts'
import { userRoutes } from '../src/rest/access/users.ts'
import { AgentTickets } from '../src/rest/agents/agent-tickets.ts'
import { systemRoutes } from '../src/rest/dialer/external-systems.ts'
import type { RestDependencies } from '../src/rest/http/dependencies.ts'
import { openApiDocument } from '../src/rest/openapi/openapi.ts'
import { sectionRoutes } from '../src/rest/routes.ts'
import { StreamTickets } from '../src/rest/stream/stream-ticket.ts'
import { type ClientDocument, clientTypes } from './client-types.ts'

/** Declarations do not use their dependencies before a request arrives. */
const dependencies = { live: { onBoard: () => () => {} } } as unknown as RestDependencies
const own = {
  ...dependencies,
  authenticator: undefined as never,
  tickets: new AgentTickets((count) => Buffer.alloc(count)),
  streamTickets: new StreamTickets((count) => Buffer.alloc(count)),
}
const routes = [
  ...signOnRoutes(own),
  ...sessionRoutes(own),
  ...tokenRoutes(own),
  ...userRoutes(own),
  ...systemRoutes(own),
]
const document = openApiDocument([...routes, ...sectionRoutes(own)])
const text = clientTypes(JSON.parse(JSON.stringify(document)) as ClientDocument)
writeFileSync(new URL('../src/client/operations.ts', import.meta.url), text)
