/** The agent's phone in the browser: credentials for one shift. Our addition. */
import { Type } from 'typebox'
import type { AtMs } from '../../kernel/clock.ts'
import type { AgentName } from '../../kernel/ids.ts'
import { LEG_HEADER, sipUserOf } from '../../ports/browser-phones.ts'
import type { Answer } from '../http/answer.ts'
import { InstantOut, instantText } from '../http/list-params.ts'
import { refuse } from '../http/problem-response.ts'
import { type Asker, type Route, route } from '../http/route.ts'
import type { IceServer } from './ice-servers.ts'
import { type PhoneHolders, TAKEN_OVER } from './phone-holders.ts'
import { type PhoneReports, POOR_SOUNDS } from './phone-reports.ts'
import { PHONE_PATH } from './phone-socket.ts'

/** Phones in browsers, where the switch has them. */
export interface AgentPhones {
  readonly holders: PhoneHolders
  /** Whether the configuration gives this agent one. */
  readonly isBrowser: (agent: AgentName) => boolean
  readonly reports: PhoneReports
  /** What finds the way to the switch from outside. Credentials are valid until then. */
  readonly iceServers: (agent: AgentName, untilAtMs: AtMs) => readonly IceServer[]
}

interface AgentPhoneDependencies {
  /** Undefined: this switch has no phones in browsers. */
  readonly phones?: AgentPhones | undefined
  /** Undefined: the credential belongs to no agent. */
  readonly agentOf: (asker: Asker) => Promise<AgentName | undefined>
  readonly noAgent: Answer
}

const ICE_SERVER = Type.Object({
  urls: Type.String({ description: 'Address of a STUN or TURN server' }),
  username: Type.Optional(Type.String({ description: 'Of a TURN server: until when, and for whom' })),
  credential: Type.Optional(Type.String({ description: 'Of a TURN server: valid until expiresTs' })),
})

const PHONE_OUT = Type.Object({
  wsUrl: Type.String({
    description: 'Path at this node. Open it with the sub-protocols "sip" and a ticket of agents/me/tickets (RFC 7118)',
  }),
  sipUser: Type.String({ description: 'User of the REGISTER (RFC 3261), without a host' }),
  sipPassword: Type.String({ description: 'Valid until expiresTs, the next request of this kind, or DELETE' }),
  expiresTs: InstantOut('End of the password'),
  iceServers: Type.Array(ICE_SERVER, { description: 'For RTCPeerConnection: those of `phones.ice` of the setup file' }),
  legHeader: Type.String({ description: 'The header of an INVITE that names the announced leg' }),
  epoch: Type.String({ description: 'Names this tab: send it again after the page was loaded again' }),
})

const PHONE_IN = Type.Object({
  epoch: Type.Optional(Type.String({ minLength: 1, maxLength: 64, description: 'From an earlier answer to this tab' })),
  takeOver: Type.Optional(Type.Boolean({ description: 'Takes the phone from another tab or computer' })),
})

const END_IN = Type.Object({
  epoch: Type.Optional(Type.String({ minLength: 1, maxLength: 64, description: 'Ends the phone of this tab alone' })),
})

const REPORT_IN = Type.Object({
  what: Type.Union(
    (['good', ...POOR_SOUNDS, 'noSound', 'strangeInvite'] as const).map((one) => Type.Literal(one)),
    {
      description:
        'loss: more than 5 % of the packets; delay: a round trip of more than 400 ms, over 10 s; silentIn, ' +
        'silentOut: nothing comes from the other side, or from the agent; good: again; noSound: a leg was answered ' +
        'in vain; strangeInvite: one rang that was not announced',
    },
  ),
  lossPercent: Type.Optional(Type.Number({ minimum: 0, maximum: 100, description: 'Of the worse way, over 10 s' })),
  roundTripMs: Type.Optional(Type.Integer({ minimum: 0, maximum: 60_000, description: 'On average, over 10 s' })),
})

/** All operations. */
export function agentPhoneRoutes(dependencies: AgentPhoneDependencies): Route[] {
  return [givePhone(dependencies), endPhone(dependencies), reportPhone(dependencies)]
}

function givePhone({ phones, agentOf, noAgent }: AgentPhoneDependencies): Route {
  return route({
    method: 'POST',
    path: '/svcpbx/agents/me/phone',
    scope: 'any',
    audit: { none: 'the password opens the agent’s own phone, and Asterisk logs each registration' },
    summary: 'Credentials of the agent’s phone in the browser, for one shift',
    description:
      '409: the phone is open elsewhere, or the agent has none in the browser. ' +
      `A tab that loses the phone has its connection closed with ${TAKEN_OVER}.`,
    body: PHONE_IN,
    answers: { 200: PHONE_OUT },
    handle: async ({ body, asker }) => {
      const agent = await agentOf(asker)
      if (!agent) return noAgent
      if (!phones) return refuse('conflict', 'this switch has no phones in browsers')
      if (!phones.isBrowser(agent))
        return refuse('conflict', 'the phone of this agent is no browser; see the setup file')
      const given = await phones.holders.give(agent, body)
      if (!given.ok) return refuse(given.kind === 'elsewhere' ? 'conflict' : 'unavailable', given.why)
      const { password: sipPassword, untilAtMs, epoch } = given
      const who = { sipUser: sipUserOf(agent), sipPassword, expiresTs: instantText(untilAtMs) }
      const iceServers = [...phones.iceServers(agent, untilAtMs)]
      return { body: { wsUrl: `/rest${PHONE_PATH}`, ...who, iceServers, legHeader: LEG_HEADER, epoch } }
    },
  })
}

function reportPhone({ phones, agentOf, noAgent }: AgentPhoneDependencies): Route {
  return route({
    method: 'POST',
    path: '/svcpbx/agents/me/phone/report',
    scope: 'any',
    audit: { none: 'figures of the agent’s own sound' },
    summary: 'How the agent’s browser hears: kept with the present call, and shown on boards',
    description: 'At most 30 a minute for each agent. What is poor is shown for 30 s: say it again every 10 s.',
    body: REPORT_IN,
    answers: { 204: Type.Null() },
    handle: async ({ body, asker }) => {
      const agent = await agentOf(asker)
      if (!agent) return noAgent
      if (!phones?.isBrowser(agent)) return refuse('conflict', 'the phone of this agent is no browser')
      if (!phones.reports.report(agent, body)) return refuse('tooManyRequests', 'more than 30 reports in a minute')
      return { status: 204 }
    },
  })
}

function endPhone({ phones, agentOf, noAgent }: AgentPhoneDependencies): Route {
  return route({
    method: 'DELETE',
    path: '/svcpbx/agents/me/phone',
    scope: 'any',
    audit: { none: 'the end of a password of the agent’s own phone' },
    summary: 'Ends the agent’s phone in the browser: its connection and its password',
    query: END_IN,
    answers: { 204: Type.Null() },
    handle: async ({ query, asker }) => {
      const agent = await agentOf(asker)
      if (!agent) return noAgent
      await phones?.holders.revoke(agent, query.epoch)
      return { status: 204 }
    },
  })
}
