/** Agents at work, through the API: what they do, what they order, and the ticket to their event socket. Our addition. */
import { Type } from 'typebox'
import type { AgentName } from '../kernel/ids.ts'
import type { AgentTickets } from './agent-tickets.ts'
import { InstantOut, instantText, totals } from './lists.ts'
import type { RestParts } from './parts.ts'
import { refuse } from './problem.ts'
import { type Asker, type Route, route } from './route.ts'
import { OrderIn, orderOf, StatusOut, statusOut } from './wire/agent.ts'

/** What these operations work with. */
export type AgentParts = Pick<RestParts, 'stations' | 'clock'> & { readonly tickets: AgentTickets }

const NO_PERSON = refuse(
  'forbidden',
  'this credential belongs to a system; agents order with a credential of their own',
)

/** States, orders, tickets. */
export function agentRoutes(parts: AgentParts): Route[] {
  return [listAgents(parts), giveOrder(parts), giveTicket(parts)]
}

/** The agent behind a credential: its user, by the name that the set-up gives them. */
export function agentOf({ user }: Asker): AgentName | undefined {
  return user?.userName as AgentName | undefined
}

function listAgents({ stations }: AgentParts): Route {
  return route({
    method: 'GET',
    path: '/svcpbx/agents',
    scope: 'users:read',
    summary: 'What the agents of this node do who are logged in',
    answers: { 200: Type.Array(StatusOut) },
    handle: async () => {
      const statuses = stations.statuses()
      return { headers: totals(statuses.length), body: statuses.map(statusOut) }
    },
  })
}

function giveOrder({ stations }: AgentParts): Route {
  return route({
    method: 'POST',
    path: '/svcpbx/agents/me/orders',
    scope: 'any',
    summary: 'Log in and out, pause, dial, skip, hang up, wrap up, say what came of a call',
    description: 'For the agent whose credential asks. 409 says in a sentence why it is not possible just now.',
    body: OrderIn,
    answers: { 200: Type.Object({ ok: Type.Literal(true) }) },
    handle: async ({ body, asker }) => {
      const agent = agentOf(asker)
      if (!agent) return NO_PERSON
      const order = orderOf(body)
      if (!order) return refuse('validation', 'callBackTs is no instant; write it as 2026-01-02T15:04:05Z')
      const answer = await stations.order(agent, order)
      return answer.ok ? { body: { ok: true } } : refuse('conflict', answer.why)
    },
  })
}

function giveTicket({ tickets, clock }: AgentParts): Route {
  return route({
    method: 'POST',
    path: '/svcpbx/agents/me/tickets',
    scope: 'any',
    summary: 'A ticket that opens the event socket once, within 30 s',
    description:
      'Open GET /svcpbx/agents/me/events?ticket=… as a WebSocket. No token ever stands in an address (D-03).',
    answers: { 200: Type.Object({ ticket: Type.String(), expiresTs: InstantOut('Until when it opens anything') }) },
    handle: async ({ asker }) => {
      const agent = agentOf(asker)
      if (!agent) return NO_PERSON
      const { ticket, untilAtMs } = tickets.give(agent, clock.nowMs())
      return { body: { ticket, expiresTs: instantText(untilAtMs) } }
    },
  })
}
