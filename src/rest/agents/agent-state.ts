/** A supervisor ends an agent's wrap-up, pauses them, or logs them out. Our addition. */
import { type Static, Type } from 'typebox'
import { type AgentName, FIRST_CORPORATION } from '../../kernel/ids.ts'
import type { AgentOrder, AgentStatus } from '../../ports/agent-desktop.ts'
import { InstantIn, readInstant } from '../http/list-params.ts'
import { refuse } from '../http/problem-response.ts'
import { isSupervising, type Route, route } from '../http/route.ts'
import { STATUS } from './agent-schema.ts'
import type { AgentDependencies } from './agents.ts'
import { seesAgent } from './seen-agents.ts'

const StateIn = Type.Object(
  {
    state: Type.Enum(['ready', 'paused', 'loggedOut'], {
      description:
        'ready: ends a wrap-up or a pause. During a conversation paused and loggedOut wait for the end of its ' +
        'wrap-up; they end a wrap-up at once.',
    }),
    sinceTs: Type.Optional(
      InstantIn(
        'With ready: sinceTs of the state that it ends. 409 if the agent is in another one by now. Default: any state',
      ),
    ),
    reason: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 200,
        description: 'Shown to the agent and on boards, and kept in the audit trail; required with paused. No names.',
      }),
    ),
  },
  { additionalProperties: false },
)

const NOT_IN = refuse('conflict', 'this agent is not logged in at this node; GET /svcpbx/agents lists those who are')
const NO_REASON = refuse('validation', 'reason: is missing; say why the agent is paused')

/** The operation. */
export function agentStateRoute({ agentDesktop, directory }: AgentDependencies): Route {
  return route({
    method: 'PUT',
    path: '/svcpbx/agents/{userName}/state',
    scope: 'dialer:write',
    audit: { action: 'change', object: 'agentState', by: 'userId', keepsReason: true },
    summary: 'End the wrap-up of an agent, pause them, or log them out',
    description: 'The answer is what the agent does now; asked says what waits until their conversation is over.',
    params: Type.Object({ userName: Type.String({ minLength: 1, maxLength: 255, description: 'The agent.' }) }),
    body: StateIn,
    answers: {
      200: Type.Object({
        userId: Type.Integer({ description: 'The user of the agent.' }),
        ...STATUS.schema.properties,
      }),
    },
    example: { body: { state: 'paused', reason: 'talk with the team leader' } },
    async handle({ params, body, asker }) {
      const user = await directory.userByName(params.userName)
      const agent = params.userName as AgentName
      const statusOf = () => agentDesktop.statuses().find((one) => one.agent === agent)
      const isTheirs = user?.corporation.id === FIRST_CORPORATION && asker.corporations.includes(FIRST_CORPORATION)
      const isSeen = isTheirs && isSupervising(asker) && seesAgent(agentDesktop, asker, agent)
      if (!user || !isSeen || !statusOf()) return NOT_IN
      const order = orderOf(body)
      if (!order) return NO_REASON
      const answer = await agentDesktop.order(agent, order)
      if (!answer.ok) return refuse('conflict', answer.why)
      const gone: AgentStatus = { agent, state: 'loggedOut', sinceAtMs: 0 }
      return { body: { userId: user.id, ...STATUS.show(statusOf() ?? gone) } }
    },
  })
}

function orderOf({ state, reason, sinceTs }: Static<typeof StateIn>): AgentOrder | undefined {
  switch (state) {
    case 'ready':
      // What is no instant is the beginning of no state.
      return sinceTs === undefined
        ? { type: 'ready' }
        : { type: 'ready', sinceAtMs: readInstant(sinceTs) ?? Number.NaN }
    case 'paused':
      return reason === undefined ? undefined : { type: 'pause', reason }
    case 'loggedOut':
      return { type: 'logOut', ...(reason !== undefined && { reason }) }
  }
}
