import type { AgentName } from '../kernel/ids.ts'

/** The result of a request to the switch. `why` is a sentence for an operator. */
export type PhoneGiven = { readonly ok: true } | { readonly ok: false; readonly why: string }

/**
 * Phones in browsers, as a switch knows them: each registers by SIP over a WebSocket (RFC 7118) with a password that
 * the switch keeps in memory. The user name is `sipUserOf`.
 */
export interface BrowserPhones {
  /** Where the switch takes SIP over WebSocket, `ws://host:port/path`. It need be reachable by the service only. */
  readonly signallingUrl: string
  /** From now on only this password registers the browser of the agent. */
  give(agent: AgentName, password: string): Promise<PhoneGiven>
  /** From now on none does. Harmless if none did. */
  take(agent: AgentName): Promise<void>
}

/** The SIP user of an agent's browser; also the name of the endpoint that the switch rings. */
export const sipUserOf = (agent: AgentName) => `agent-${agent}`

/** The header of an INVITE that names the leg; a browser answers only a leg that was announced to it. */
export const LEG_HEADER = 'X-Switchboard-Leg'
