/** Agents at work: their states, their orders, and the ticket to their event socket. Our addition. */
import { Type } from 'typebox'
import { type AgentName, FIRST_CORPORATION } from '../../kernel/ids.ts'
import type { User } from '../../ports/directory.ts'
import type { RestDependencies } from '../http/dependencies.ts'
import { isInForce } from '../http/in-force.ts'
import { InstantOut, instantText, totals } from '../http/list-params.ts'
import { refuse } from '../http/problem-response.ts'
import { type Asker, PLAIN_READ, type Route, route } from '../http/route.ts'
import { type AgentPhones, agentPhoneRoutes } from './agent-phone.ts'
import { fieldOf, OrderIn, orderOf, STATUS } from './agent-schema.ts'
import type { AgentTickets } from './agent-tickets.ts'
import { seesAgent } from './seen-agents.ts'

export type AgentDependencies = Pick<RestDependencies, 'agentDesktop' | 'directory' | 'credentials' | 'clock'> & {
  readonly tickets: AgentTickets
  /** Undefined: the switch has no phones in browsers. */
  readonly phones?: AgentPhones | undefined
}

/** Our choice: more than anybody looks through. */
const COLLEAGUES_MAX = 50

const NO_AGENT = refuse(
  'forbidden',
  'this credential does not belong to an agent; use the credential of an agent of the configuration',
)

/** All operations. */
export function agentRoutes(dependencies: AgentDependencies): Route[] {
  const agent = { agentOf: (asker: Asker) => agentOf(dependencies, asker), noAgent: NO_AGENT }
  return [
    listAgents(dependencies),
    listColleagues(dependencies),
    listCampaignsToDialIn(dependencies),
    giveOrder(dependencies),
    giveTicket(dependencies),
    ...agentPhoneRoutes({ ...agent, phones: dependencies.phones }),
  ]
}

/** Agents of the configuration belong to the first corporation; a user of another may have the same name (D-04). */
export function isAgent({ active, corporation, roles }: User): boolean {
  return active && corporation.id === FIRST_CORPORATION && roles.includes('agent')
}

/** The agent of a credential, by their name in the configuration; undefined if it belongs to no agent. */
export async function agentOf(
  { directory }: Pick<AgentDependencies, 'directory'>,
  asker: Asker,
): Promise<AgentName | undefined> {
  const { user, corporations } = asker
  if (!user || !corporations.includes(FIRST_CORPORATION)) return undefined
  const known = await directory.userByName(user.userName)
  return known?.id === user.id && isAgent(known) ? (known.userName as AgentName) : undefined
}

function listAgents({ agentDesktop }: AgentDependencies): Route {
  return route({
    method: 'GET',
    path: '/svcpbx/agents',
    scope: 'users:read',
    audit: PLAIN_READ,
    summary: 'The states of the agents who are logged in at this node',
    description:
      'Agents belong to the corporation of the configuration; other corporations get an empty list. A supervisor who ' +
      'belongs to teams gets the agents of these.',
    answers: { 200: Type.Array(STATUS.schema) },
    handle: async ({ asker }) => {
      const all = asker.corporations.includes(FIRST_CORPORATION) ? agentDesktop.statuses() : []
      const statuses = all.filter(({ agent }) => seesAgent(agentDesktop, asker, agent))
      return { headers: totals(statuses.length), body: statuses.map(STATUS.show) }
    },
  })
}

function listColleagues(dependencies: AgentDependencies): Route {
  return route({
    method: 'GET',
    path: '/svcpbx/agents/me/colleagues',
    scope: 'any',
    audit: PLAIN_READ,
    summary: 'Agents of this node whom the agent of the credential could consult now: ready and free',
    description:
      'Without those who are needed for a line that is being dialed. ' +
      `Without the agent themselves; at most ${COLLEAGUES_MAX}, those first who are ready for longest. ` +
      'A supervisor who belongs to teams gets the agents of these.',
    answers: {
      200: Type.Array(Type.Object({ userName: Type.String(), name: Type.String({ description: 'To show' }) })),
    },
    handle: async ({ asker }) => {
      const agent = await agentOf(dependencies, asker)
      if (!agent) return NO_AGENT
      const ready = dependencies.agentDesktop
        .statuses()
        .filter((one) => dependencies.agentDesktop.isSpare(one.agent) && one.agent !== agent)
        .filter((one) => seesAgent(dependencies.agentDesktop, asker, one.agent))
        .sort((one, other) => one.sinceAtMs - other.sinceAtMs)
        .slice(0, COLLEAGUES_MAX)
      const users = await Promise.all(ready.map((one) => dependencies.directory.userByName(one.agent)))
      const body = ready.map((one, place) => ({ userName: one.agent, name: users[place]?.name ?? one.agent }))
      return { headers: totals(body.length), body }
    },
  })
}

function listCampaignsToDialIn(dependencies: AgentDependencies): Route {
  return route({
    method: 'GET',
    path: '/svcpbx/agents/me/campaigns',
    scope: 'any',
    audit: PLAIN_READ,
    summary: 'The campaigns in which the agent of the credential may dial numbers, by name',
    description:
      'Active campaigns of the teams of the agent that have agentsDialNumbers. The order dialNumber is for them.',
    answers: { 200: Type.Array(Type.Object({ callCode: Type.Integer(), name: Type.String() })) },
    handle: async ({ asker }) => {
      const agent = await agentOf(dependencies, asker)
      if (!agent) return NO_AGENT
      const campaigns = dependencies.agentDesktop.campaignsToDialIn(agent)
      const body = campaigns.map(({ campaign, name }) => ({ callCode: campaign, name }))
      return { headers: totals(body.length), body }
    },
  })
}

function giveOrder(dependencies: AgentDependencies): Route {
  return route({
    method: 'POST',
    path: '/svcpbx/agents/me/orders',
    scope: 'any',
    audit: { none: 'the engine’s own journal tells what agents do' },
    summary: 'Log in and out, pause, dial, skip, hang up, wrap up, save an outcome',
    description:
      'The order of the agent who owns the credential. 409 says why it is not possible now. Of an outcome everything ' +
      'is saved, or nothing: 400 names the field that does not fit the catalogue of the campaign.',
    body: OrderIn,
    answers: { 200: Type.Object({ ok: Type.Literal(true) }) },
    handle: async ({ body, asker }) => {
      const agent = await agentOf(dependencies, asker)
      if (!agent) return NO_AGENT
      const order = orderOf(body)
      if (typeof order === 'string') return refuse('validation', order)
      const answer = await dependencies.agentDesktop.order(agent, order)
      if (answer.ok) return { body: { ok: true } }
      const { about, why } = answer
      if (about === undefined) return refuse('conflict', why)
      const error = { path: fieldOf(about), code: 'outcome', message: why }
      return refuse('validation', `${error.path}: ${why}`, { errors: [error] })
    },
  })
}

function giveTicket(dependencies: AgentDependencies): Route {
  return route({
    method: 'POST',
    path: '/svcpbx/agents/me/tickets',
    scope: 'any',
    audit: { none: 'a ticket lives for seconds and opens only the agent’s own socket' },
    summary: 'A ticket that opens the event socket once, within 30 s',
    description: 'Open GET /svcpbx/agents/me/events?ticket=… as a WebSocket. Tokens are never part of a URL (D-03).',
    answers: { 200: Type.Object({ ticket: Type.String(), expiresTs: InstantOut('End of its validity') }) },
    handle: async ({ asker }) => {
      const agent = await agentOf(dependencies, asker)
      if (!agent) return NO_AGENT
      const isStill = async () =>
        (await isInForce(dependencies, asker)) && (await agentOf(dependencies, asker).catch(() => agent)) === agent
      const { ticket, untilAtMs } = dependencies.tickets.give({ agent, isStill }, dependencies.clock.nowMs())
      return { body: { ticket, expiresTs: instantText(untilAtMs) } }
    },
  })
}
