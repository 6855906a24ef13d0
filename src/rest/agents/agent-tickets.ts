import type { AgentName } from '../../kernel/ids.ts'
import { OneTimeTickets } from '../sockets/one-time-tickets.ts'

/** Who may open the socket. */
export interface Admission {
  readonly agent: AgentName
  /** False: the credential has ended, or is no agent's any more. */
  readonly isStill: () => Promise<boolean>
}

/** Tickets of agents' event sockets. */
export class AgentTickets extends OneTimeTickets<Admission> {}
