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

/** The admission while it holds: whoever has signed out since they got their ticket does not come in with it. */
export async function stillOf(admission: Admission | undefined): Promise<Admission | undefined> {
  return (await admission?.isStill()) ? admission : undefined
}
