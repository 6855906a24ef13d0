/** `POST /core/stream/ticket` (our addition): opens the live stream once. */
import { Type } from 'typebox'
import { agentOf } from '../agents/agents.ts'
import type { RestDependencies } from '../http/dependencies.ts'
import { InstantOut, instantText } from '../http/list-params.ts'
import { type Route, route } from '../http/route.ts'
import { OneTimeTickets } from '../sockets/one-time-tickets.ts'
import type { Reader } from './live-topics.ts'

/** Who opens the stream. */
export interface StreamAdmission {
  readonly reader: Reader
  /** Of the page that fetched the ticket; undefined: a program. */
  readonly origin: string | undefined
}

/** Tickets of the live stream. */
export class StreamTickets extends OneTimeTickets<StreamAdmission> {}

export type StreamTicketDependencies = Pick<RestDependencies, 'directory' | 'clock'> & {
  readonly streamTickets: StreamTickets
}

/** The operation, for every credential; each topic asks for its own rights. */
export function streamTicketRoute({ directory, clock, streamTickets }: StreamTicketDependencies): Route {
  return route({
    method: 'POST',
    path: '/core/stream/ticket',
    scope: 'any',
    audit: { none: 'a ticket lives for seconds, and the stream shows what reads show' },
    summary: 'A ticket that opens the live stream once, within 30 s',
    description:
      'Open GET /rest/core/stream as a WebSocket with the sub-protocols `switchboard.v1` and the ticket, in this ' +
      'order. The ticket is no part of the URL. A page opens it from the origin that fetched the ticket.',
    answers: { 200: Type.Object({ ticket: Type.String(), expiresTs: InstantOut('End of its validity') }) },
    handle: async ({ asker, headers }) => {
      const agent = await agentOf({ directory }, asker)
      const origin = headers['origin'] === undefined ? undefined : String(headers['origin'])
      const { ticket, untilAtMs } = streamTickets.give({ reader: { asker, agent }, origin }, clock.nowMs())
      return { body: { ticket, expiresTs: instantText(untilAtMs) } }
    },
  })
}
