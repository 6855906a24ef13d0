/** A call activity on the wire (contract.md §2.4, D-15). */
import { Type } from 'typebox'
import type { CallActivity, CallAgent, CallFeedback, CallRecording } from '../../ports/call-activity.ts'
import { CALLBACK_OWN, OutcomeValues, RESULT_CODES, RESULT_NAMES } from '../dialer/call-attempt-schema.ts'
import {
  field,
  flag,
  instant,
  int,
  intOrNull,
  list,
  nested,
  nestedOrNull,
  optionalNested,
  ref,
  refOrNull,
  shape,
  text,
  textOrNull,
} from '../http/shape.ts'

type Part<Name extends keyof CallActivity> = NonNullable<CallActivity[Name]>

/** Ours; the contract fixes other kinds of activities only (contract.md §2.6). */
const TYPE = Type.Object({ eatyId: Type.Literal(10) })
const DIRECTIONS = { in: 1, out: 2 } as const

/** A recording of a call. */
export const RECORDING = shape<CallRecording>({
  pcreId: int(({ id }) => id),
  startTs: instant(({ startedAtMs }) => startedAtMs, 'Start of the recording'),
  endTs: instant(({ endedAtMs }) => endedAtMs, 'End of the recording'),
  cfreId: intOrNull(({ state, file }) => (state === 'ready' ? file : null), 'The file; null if recording failed'),
  voicemail: flag(
    ({ isMessage }) => isMessage,
    'Whether the caller left it as a message; its queue is that of the call.',
  ),
})

const AGENT = shape<CallAgent>({
  userId: intOrNull(({ userId }) => userId),
  name: text(({ title, name }) => title ?? name),
})

const OUTCOME = shape<CallFeedback>({
  outcomeId: int(({ outcome }) => Number(outcome)),
  name: text(({ feedbackType }) => feedbackType, 'The name of the outcome when it was saved.'),
})

const FEEDBACK = shape<CallFeedback>({
  feedbackType: text(({ feedbackType }) => feedbackType),
  final: flag(({ isFinal }) => isFinal),
  note: textOrNull(({ note }) => note),
  agent: nested(AGENT, ({ agent }) => agent),
  creationTs: instant(({ atMs }) => atMs, 'When the agent said it.'),
  outcome: nestedOrNull(OUTCOME, (said) => (said.outcome === null ? null : said)),
  fields: field(OutcomeValues, ({ fields }) => fields.map(({ name, value }) => ({ name, value }))),
  callBackTs: instant(({ callbackAtMs }) => callbackAtMs, 'The callback that was promised with it.'),
  callBackForMe: flag(({ isCallbackOwn }) => isCallbackOwn, CALLBACK_OWN.description),
})

const MODES =
  'attended, blind; of agents attended (they left the two), consultation (nobody else heard it), conference (all three)'

const TRANSFER = shape<CallActivity['transfers'][number]>({
  target: text(({ to }) => to, 'The number, `sip:user@host`, or the user name of a colleague.'),
  mode: text(({ mode }) => mode, MODES),
  creationTs: instant(({ beganAtMs }) => beganAtMs, 'When the flow or the agent asked for it.'),
  startTs: instant(
    ({ connectedAtMs }) => connectedAtMs ?? null,
    'When both could talk, or the other network took over; null if nobody was reached.',
  ),
  endTs: instant(({ endedAtMs }) => endedAtMs ?? null, 'When it ended.'),
  outcome: text(({ end }) => end ?? 'failed', 'done, busy, noAnswer, refused, failed'),
})

const QUEUE = shape<Part<'team'>>({ ucquId: intOrNull(({ id }) => id), name: text(({ name }) => name) })

const SYSTEM = shape<Part<'externalSystem'>>({
  itsyId: int(({ id }) => id),
  systemCode: text(({ code }) => code),
})

const ATTEMPT = shape<Part<'attempt'>>({
  iccaId: int(({ id }) => id),
  itcaId: int(({ task }) => task),
  callCode: int(({ campaign }) => campaign),
})

/** The object itself. */
export const CALL = shape<CallActivity>({
  eactId: int(({ id }) => id, 'Id of the call activity; all activities share one number space.'),
  activityType: field(TYPE, () => ({ eatyId: 10 as const })),
  direction: int(({ direction }) => DIRECTIONS[direction], '1 in, 2 out'),
  callNumber: text(({ caller }) => caller, 'The caller, as presented to the other side.'),
  calledNumber: text(({ called }) => called),
  creationTs: instant(({ createdAtMs }) => createdAtMs, 'When the call began.'),
  ringTs: instant(({ ringingAtMs }) => ringingAtMs, 'When it started to ring.'),
  startTs: instant(({ answeredAtMs }) => answeredAtMs, 'When it was answered; null if it was not answered.'),
  endTs: instant(({ endedAtMs }) => endedAtMs, 'When it ended.'),
  talkSeconds: int(({ talkMs }) => Math.round(talkMs / 1_000)),
  waitSeconds: int(({ waitMs }) => Math.round(waitMs / 1_000)),
  result: intOrNull(({ result }) => result && RESULT_CODES[result]),
  resultName: textOrNull(({ result }) => result && RESULT_NAMES[result]),
  agent: nestedOrNull(AGENT, ({ agent }) => agent),
  queue: nestedOrNull(QUEUE, ({ team }) => team),
  corporation: ref('corpId', ({ corporation }) => corporation),
  entityExtension: refOrNull('eeexId', ({ extension }) => extension, 'The contact; null if it is unknown.'),
  externalSystem: optionalNested(
    SYSTEM,
    ({ externalSystem }) => externalSystem,
    'Absent if the call belongs to no external system.',
  ),
  systemLookupCode: textOrNull(({ externalCaseNumber }) => externalCaseNumber),
  callAttempt: optionalNested(ATTEMPT, ({ attempt }) => attempt, 'Absent if the call belongs to no call task.'),
  recordings: list(RECORDING, ({ recordings }) => recordings),
  transfers: list(
    TRANSFER,
    ({ transfers }) => transfers,
    'Whom the flow or an agent asked, or brought the other side to, in order.',
  ),
  feedback: list(FEEDBACK, ({ feedback }) => feedback, 'What agents said about the call, oldest first.'),
  hangupCause: intOrNull(({ hangupCause }) => hangupCause),
  hangupBy: field(
    Type.Union([Type.String({ description: 'caller, callee, agent, us' }), Type.Null()]),
    ({ hungUpBy }) => hungUpBy,
  ),
  summaryStatus: text(({ summary }) => summary ?? 'none', 'none, pending, ready, failed'),
})
