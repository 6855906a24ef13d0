/** Supervisors in conversations: listen, whisper, join. Our addition. */
import { Type } from 'typebox'
import type { AgentName } from '../../kernel/ids.ts'
import type { LiveTalk, Supervision } from '../../ports/supervision.ts'
import { totals } from '../http/list-params.ts'
import { refuse } from '../http/problem-response.ts'
import { PLAIN_READ, type Route, route } from '../http/route.ts'
import { instant, intOrNull, nestedOrNull, shape, text } from '../http/shape.ts'
import { isSeen, isSupervisor, type RightsDependencies, SupervisedRights } from './supervised-rights.ts'

const CALL_ID = Type.Object({
  callId: Type.String({
    pattern: '^[A-Za-z0-9._-]{1,200}$',
    description: 'callId of the agent’s conversation, or its eactId, as GET /svcpbx/calls/live shows them',
  }),
})

const SUPERVISION = shape<Supervision>({
  callId: text(({ call }) => call, 'The call, as notifications to its agent name it.'),
  userName: text(({ agent }) => agent, 'The agent.'),
  supervisor: text(({ supervisor }) => supervisor, 'Whose phone rings, and who hears.'),
  mode: text(({ mode }) => mode, 'listen, whisper or join'),
  state: text(({ state }) => state, 'ringing: the supervisor hears nothing yet; on'),
  sinceTs: instant(({ sinceAtMs }) => sinceAtMs, 'Start of the state.'),
})

const NO_PERSON = refuse(
  'forbidden',
  'this credential belongs to no user, so it has no phone; use that of a supervisor',
)
const NONE = refuse('notFound', 'you take part in no such conversation')

const NO_TALK = refuse(
  'notFound',
  'no agent of this node is in a conversation of this call; GET /svcpbx/calls/live lists them',
)

const TALK = shape<LiveTalk>({
  callId: text(({ call }) => call, 'The call, as notifications to its agent name it.'),
  eactId: intOrNull(({ activity }) => activity ?? null, 'Its activity; null of a call that came in.'),
  userName: text(({ agent }) => agent, 'The agent.'),
  supervision: nestedOrNull(
    SUPERVISION,
    ({ supervision: present }) => present ?? null,
    'Who takes part; null if nobody does.',
  ),
})

const AUDITED = { none: 'the engine writes an entry at the beginning, every ten seconds and at the end' } as const

/** All three operations. */
export function superviseRoutes(dependencies: RightsDependencies): Route[] {
  const { supervision } = dependencies
  const rights = new SupervisedRights(dependencies)
  const begin = route({
    method: 'POST',
    path: '/svcpbx/calls/{callId}/supervise',
    scope: 'dialer:write',
    audit: AUDITED,
    summary: 'Listen to a conversation, whisper to its agent, or join it',
    description:
      'Rings the phone of the supervisor who owns the credential: one of switchboard.yaml, under their user name. ' +
      'listen: nobody hears them; whisper: the agent alone; join: both sides. Again with another mode: changes it at ' +
      'once. One supervisor takes part in a conversation. It ends when they hang up, with DELETE, and with the ' +
      'conversation; the audit trail has every second of it. 409 says why it is not possible, such as a campaign ' +
      'whose setting supervision is refused.',
    params: CALL_ID,
    body: Type.Object(
      { mode: Type.Enum(['listen', 'whisper', 'join'], { description: 'Who hears the supervisor.' }) },
      { additionalProperties: false },
    ),
    answers: { 200: SUPERVISION.schema },
    example: { body: { mode: 'listen' } },
    async handle({ params, body, asker, address, traceId }) {
      const { user, corporations, credential } = asker
      if (!isSupervisor(asker) || !user) return NO_PERSON
      const talk = supervision.talks().find(({ call, activity }) => [call, String(activity)].includes(params.callId))
      if (talk && !isSeen(dependencies, asker, talk)) return NO_TALK
      const by = { agent: user.userName as AgentName, corporations, credential, user: user.id, address, traceId }
      const answer = await supervision.begin(by, params.callId, body.mode)
      if (!answer.ok) return refuse(answer.kind, answer.why)
      rights.watch(asker, answer.supervision)
      return { body: SUPERVISION.show(answer.supervision) }
    },
  })
  const end = route({
    method: 'DELETE',
    path: '/svcpbx/calls/{callId}/supervise',
    scope: 'dialer:write',
    audit: AUDITED,
    summary: 'Leave a conversation',
    description: 'Hangs up the phone of the supervisor. The conversation goes on.',
    params: CALL_ID,
    answers: { 204: Type.Null() },
    async handle({ params, asker }) {
      const { user } = asker
      if (!isSupervisor(asker) || !user) return NO_PERSON
      const isLeft = await supervision.end(user.userName as AgentName, params.callId)
      return isLeft ? { status: 204 } : NONE
    },
  })
  return [listTalks(dependencies), begin, end]
}

function listTalks(dependencies: RightsDependencies): Route {
  return route({
    method: 'GET',
    path: '/svcpbx/calls/live',
    scope: 'users:read',
    audit: PLAIN_READ,
    summary: 'The conversations of agents that go on at this node, and who supervises them',
    answers: { 200: Type.Array(TALK.schema) },
    handle: async ({ asker }) => {
      const talks = dependencies.supervision.talks().filter((talk) => isSeen(dependencies, asker, talk))
      return { headers: totals(talks.length), body: talks.map(TALK.show) }
    },
  })
}
