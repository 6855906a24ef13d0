/** A call by hand through a text of a flow. Our addition (calls-and-flows-68). */
import { Type } from 'typebox'
import type { Simulation } from '../../ports/flows/flow-simulation.ts'
import type { RestDependencies } from '../http/dependencies.ts'
import { type Route, route } from '../http/route.ts'
import { bodyBytesMax, KEEPS_NOTHING, NOT_DONE } from './flow-publishing.ts'
import { MistakeOut, mustOwnFlows, RevisionOut, TextIn } from './flow-schema.ts'

const ACTIONS_MAX = 200

const OrderIn = Type.Object({
  text: TextIn('The YAML of the flow.'),
  given: Type.Optional(
    Type.Record(Type.String(), Type.Unknown(), {
      description: 'The world of the call, as `given` of a test: caller, time, answers of other systems …',
    }),
  ),
  actions: Type.Array(Type.Unknown(), {
    maxItems: ACTIONS_MAX,
    description:
      'What the caller does, in order, as `call` of a test: {"press": "1"}, {"hear": "…"}, {"wait": "30s"}, ' +
      '{"agent": "answers"}, {"event": {…}}, "hangup" … Keys cut a prompt off unless `hear` stands before them. ' +
      'Empty: the call up to where the caller may act.',
  }),
})

const AfterMs = Type.Integer({ description: 'Milliseconds of virtual time since the call began.' })
const orNull = (schema: Parameters<typeof Type.Union>[0][number], description: string) =>
  Type.Union([schema, Type.Null()], { description })

const CallOut = Type.Object({
  flow: Type.String({ description: 'The name of the flow.' }),
  revision: RevisionOut,
  heard: Type.Array(
    Type.Object({
      afterMs: AfterMs,
      words: Type.String({ description: 'The prompt.' }),
      cutOff: Type.Boolean({ description: 'Whether the caller did not hear it to its end.' }),
    }),
    { description: 'Prompts, the first one first.' },
  ),
  trace: Type.Array(
    Type.Object({
      afterMs: AfterMs,
      kind: Type.Enum(['fact', 'command', 'note'], { description: 'What came in, what went out, and why.' }),
      what: Type.Record(Type.String(), Type.Unknown(), { description: 'The line of the journal; `type` says which.' }),
    }),
    { description: 'The journal of the call, at most 5,000 lines. Typed secrets are masked.' },
  ),
  isOver: Type.Boolean({ description: 'Whether the call has ended.' }),
  step: orNull(Type.String(), 'The step that the call is in, or ended in.'),
  unanswered: orNull(
    Type.String(),
    'The request that nobody answers, such as `GET /CaseInfo/1`: the call stands there. Put it into `given.http`.',
  ),
  notDone: orNull(
    Type.Object({
      action: Type.Integer({ description: 'Which of the actions, from 0.' }),
      why: Type.String({ description: 'Why it was not possible, or not so.' }),
    }),
    'The first action that was not possible; those after it were not tried.',
  ),
  record: orNull(
    Type.Object({
      outcome: Type.String({ description: 'How the call is counted.' }),
      path: Type.Array(Type.String(), { description: 'All steps, in order.' }),
      marks: Type.Array(Type.String(), { description: 'All marks.' }),
      activity: Type.Record(Type.String(), Type.String(), { description: 'Fields of the record of the call.' }),
    }),
    'Of a call that is over.',
  ),
})

const SimulationOut = Type.Object({
  problems: Type.Array(
    Type.Object({
      in: Type.Enum(['text', 'given', 'actions'], { description: 'Which part of the order is wrong.' }),
      line: orNull(Type.Integer(), 'In the text, from 1; null elsewhere.'),
      column: orNull(Type.Integer(), 'In the text, from 1; null elsewhere.'),
      action: orNull(Type.Integer(), 'Which of the actions, from 0; null elsewhere.'),
      severity: MistakeOut.properties.severity,
      message: MistakeOut.properties.message,
    }),
    { description: 'Errors, and then there was no call; or warnings of the text.' },
  ),
  call: orNull(CallOut, 'The call; null with an error.'),
})

/** The operation. */
export function flowSimulationRoute({ flowWorkshop }: Pick<RestDependencies, 'flowWorkshop'>): Route {
  return route({
    method: 'POST',
    path: '/svcpbx/flows/simulate',
    scope: 'flows:write',
    audit: KEEPS_NOTHING,
    rate: 'writes',
    summary: 'Call a flow by hand, on virtual time',
    description:
      'The whole call is played from its beginning: send the same actions and one more for the next thing that the ' +
      'caller does. No telephone rings, nothing is sent. What was done is a test at any moment. Two calls run at a ' +
      'time on each node, each for at most 20 s.',
    body: OrderIn,
    bodyBytesMax: 2 * bodyBytesMax,
    answers: { 200: SimulationOut },
    example: {
      body: { text: 'flow: hello\nstart: bye\nsteps:\n  bye: { hangup: { say: Goodbye. } }\n', actions: [] },
    },
    async handle({ body: { text, given = {}, actions }, asker }) {
      mustOwnFlows(asker)
      const played = await flowWorkshop.simulate({ text: text.toWellFormed(), given, actions })
      return played.ok ? { body: shown(played.result) } : NOT_DONE[played.why]
    },
  })
}

/** Arrays of the port never change; those of an answer may. */
function shown({ problems, call }: Simulation) {
  const record = call?.record && { ...call.record, path: [...call.record.path], marks: [...call.record.marks] }
  const body = call && { ...call, heard: [...call.heard], trace: [...call.trace], record: record ?? null }
  return { problems: [...problems], call: body }
}
