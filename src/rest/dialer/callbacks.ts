/** Promised callbacks: supervisors list, move, reassign and cancel them. Our addition. */
import { Type } from 'typebox'
import type { AtMs } from '../../kernel/clock.ts'
import type { AgentName, CallTaskId, CampaignId } from '../../kernel/ids.ts'
import type { CallbackChange, KeptCallback } from '../../ports/dialer-admin-repository.ts'
import type { Answer } from '../http/answer.ts'
import type { RestDependencies } from '../http/dependencies.ts'
import { Id, InstantIn, readInstant } from '../http/list-params.ts'
import { PAGE_FACTS, PAGE_FIELDS, pageFacts, readPage } from '../http/paging.ts'
import { refuse } from '../http/problem-response.ts'
import { type Asker, PLAIN_READ, type Route, route } from '../http/route.ts'
import { field, flag, instant, int, ref, refOrNull, shape, text, textOrNull } from '../http/shape.ts'

/** D-30. */
const ENTRIES_MAX = 1_000
/** A promise is dialed or explained within this time (campaigns-49). */
const OVERDUE_MS = 5 * 60_000

interface Shown extends KeptCallback {
  readonly shownAtMs: AtMs
}

/** Why a callback is not called yet, the first that fits. */
const WHY: readonly (readonly [why: string, fits: (shown: Shown) => boolean])[] = [
  ['notDue', ({ atMs, shownAtMs }) => shownAtMs < atMs],
  ['calling', ({ status }) => status === 'dialing' || status === 'inCall'],
  ['offered', ({ status }) => status === 'reserved'],
  ['notReached', (shown) => isPutOff(shown) && (shown.lastCallAtMs ?? 0) >= shown.atMs],
  ['putOff', (shown) => isPutOff(shown)],
  ['waits', () => true],
]

function isPutOff({ nextCallAtMs, shownAtMs }: Shown): boolean {
  return (nextCallAtMs ?? 0) > shownAtMs
}

const whyOf = (shown: Shown): string => WHY.find(([, fits]) => fits(shown))![0]
const isOverdue = ({ atMs, shownAtMs }: Shown): boolean => shownAtMs >= atMs + OVERDUE_MS

const CALLBACK = shape<Shown>({
  itcaId: int(({ task }) => task, 'The call task that is called back.'),
  follows: refOrNull('itcaId', ({ follows }) => follows, 'The finished call task that it goes on from.'),
  campaign: ref('callCode', ({ campaign }) => campaign),
  corporation: ref('corpId', ({ corporation }) => corporation),
  callReceiverName: text(({ receiverName }) => receiverName),
  callBackTs: instant(({ atMs }) => atMs, 'The date that was promised.'),
  promisedTs: instant(({ promisedAtMs }) => promisedAtMs, 'When it was promised; null for older ones.'),
  nextCallTs: instant(({ nextCallAtMs }) => nextCallAtMs, 'The earliest instant of the call.'),
  userName: textOrNull(({ agent }) => agent, 'The agent for whom it is kept; null: the team.'),
  number: textOrNull(({ number }) => number, 'The number that was talked on; null: the next of the call task.'),
  askedByContact: flag(({ askedByContact }) => askedByContact),
  overdue: flag(isOverdue, 'Whether it was promised for more than 5 minutes ago.'),
  why: field(
    Type.Enum(['notDue', 'calling', 'offered', 'notReached', 'putOff', 'waits'], {
      description:
        'Why it is not called yet: its date has not come; it is being called; an agent looks at it; the call reached ' +
        'nobody and is repeated; a rule such as the calling hours puts it off to nextCallTs; it waits for an agent.',
    }),
    (shown) => whyOf(shown) as 'waits',
  ),
})

const Where = Type.Object({ itcaId: Id('The call task that is called back') })
const Changed = Type.Object({ itcaId: Type.Integer() })

/** The three operations. */
export function callbackRoutes(dependencies: RestDependencies): Route[] {
  return [list(dependencies), move(dependencies), cancel(dependencies)]
}

function list({ clock, dialerAdmin }: RestDependencies): Route {
  return route({
    method: 'GET',
    path: '/dialer/callbacks',
    scope: 'dialer:read',
    audit: PLAIN_READ,
    summary: 'Promised callbacks',
    description: 'Those that are not done yet, the oldest promise first.',
    query: Type.Object({
      callCode: Type.Optional(Id('Only those of this campaign')),
      userName: Type.Optional(Type.String({ maxLength: 64, description: 'Only those of this agent.' })),
      state: Type.Optional(Type.Enum(['all', 'due', 'overdue'], { description: 'Default: all.' })),
      ...PAGE_FIELDS,
    }),
    answers: { 200: Type.Object({ callbacks: Type.Array(CALLBACK.schema), ...PAGE_FACTS }) },
    async handle({ query, asker: { corporations, boundTo } }) {
      const { callCode, userName, state = 'all' } = query
      const nowMs = clock.nowMs()
      const page = readPage(query, ENTRIES_MAX)
      const { foundRows, callbacks } = await dialerAdmin.listCallbacks({
        corporations,
        seenBy: boundTo,
        ...(callCode !== undefined && { campaigns: [callCode as CampaignId] }),
        ...(userName !== undefined && { agent: userName as AgentName }),
        ...(state !== 'all' && { beforeAtMs: state === 'due' ? nowMs : nowMs - OVERDUE_MS }),
        ...page,
      })
      const shown = callbacks.map((one) => CALLBACK.show({ ...one, shownAtMs: nowMs }))
      return { body: { callbacks: shown, ...pageFacts(page, shown.length, foundRows) } }
    },
  })
}

function move({ clock, dialerAdmin }: RestDependencies): Route {
  return route({
    method: 'PUT',
    path: '/dialer/callbacks/{itcaId}',
    scope: 'dialer:write',
    audit: { action: 'change', object: 'callback', by: 'itcaId' },
    summary: 'Move or reassign a callback',
    params: Where,
    body: Type.Object(
      {
        callBackTs: Type.Optional(InstantIn('The new date; not in the past')),
        userName: Type.Optional(
          Type.Union([Type.String({ minLength: 1, maxLength: 64 }), Type.Null()], {
            description: 'The agent for whom it is kept from now on; null: the team.',
          }),
        ),
      },
      { additionalProperties: false },
    ),
    answers: { 200: Changed },
    example: { body: { callBackTs: '2026-12-01T10:00:00Z', userName: 'anna' } },
    async handle({ params, body: { callBackTs, userName }, asker }) {
      const nowMs = clock.nowMs()
      const atMs = callBackTs === undefined ? undefined : readInstant(callBackTs)
      if (callBackTs !== undefined && (atMs === undefined || atMs < nowMs)) {
        return wrongDate('must be an instant that is not past')
      }
      return changed(dialerAdmin, {
        what: 'move',
        ...callbackOf(params.itcaId, asker, nowMs),
        ...(atMs !== undefined && { atMs }),
        ...(userName !== undefined && { agent: userName as AgentName | null }),
      })
    },
  })
}

function cancel({ clock, dialerAdmin }: RestDependencies): Route {
  return route({
    method: 'DELETE',
    path: '/dialer/callbacks/{itcaId}',
    scope: 'dialer:write',
    audit: { action: 'delete', object: 'callback', by: 'itcaId' },
    summary: 'Cancel a callback',
    description: 'A call task that was made for the callback alone is ended; any other goes on by its interval.',
    params: Where,
    answers: { 200: Changed },
    handle: ({ params, asker }) =>
      changed(dialerAdmin, {
        what: 'cancel',
        ...callbackOf(params.itcaId, asker, clock.nowMs()),
        status: asker.user === undefined ? 'endedBySystem' : 'endedByUser',
      }),
  })
}

function wrongDate(message: string): Answer {
  return refuse('validation', `callBackTs ${message}`, { errors: [{ path: 'callBackTs', code: 'format', message }] })
}

function callbackOf(itcaId: number, { corporations }: Asker, nowMs: AtMs) {
  return { corporations, task: itcaId as CallTaskId, nowMs }
}

async function changed(dialerAdmin: RestDependencies['dialerAdmin'], change: CallbackChange): Promise<Answer> {
  const outcome = await dialerAdmin.changeCallback(change)
  if (outcome === 'no such callback') return refuse('notFound', 'this call task has no open callback')
  if (outcome === 'over by then') return wrongDate('is when the call task is not valid any more (validTo)')
  if (outcome === 'under way') return refuse('conflict', 'the callback is being called; try again after the call')
  return { body: { itcaId: change.task } }
}
