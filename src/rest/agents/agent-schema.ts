import { type Static, Type } from 'typebox'
import type { AgentName, CallId, CallTaskId, CampaignId, OutcomeId } from '../../kernel/ids.ts'
import type {
  AgentNotification,
  AgentOrder,
  AgentStatus,
  OfferedTask,
  OutcomeGiven,
  WrongPart,
} from '../../ports/agent-desktop.ts'
import { OUTCOME_FIELDS_MAX } from '../../ports/outcome.ts'
import { Id, InstantIn, instantText, readInstant } from '../http/list-params.ts'
import { readJson } from '../http/parse-json.ts'
import { instant, shape, text, textOrNull } from '../http/shape.ts'
import { inputReader } from '../http/validate-input.ts'

const plain = <const Name extends string>(type: Name) => Type.Object({ type: Type.Literal(type) })
const CALL = {
  callId: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 200,
      description:
        'The call that the order is about, as its notification named it. Default: the present or the last call; ' +
        'in the first seconds of a new call an order without it is refused',
    }),
  ),
}
const aboutCall = <const Name extends string>(type: Name) => Type.Object({ type: Type.Literal(type), ...CALL })

/** Exactly one of the two. */
const consultIn = <const Name extends string>(type: Name) =>
  Type.Object({
    type: Type.Literal(type),
    ...CALL,
    number: Type.Optional(
      Type.String({ minLength: 1, maxLength: 32, description: 'A number, as somebody writes it; of our own country' }),
    ),
    userName: Type.Optional(Type.String({ minLength: 1, maxLength: 64, description: 'An agent who is ready' })),
  })

const OUTCOME = Type.Object({
  type: Type.Literal('outcome'),
  ...CALL,
  outcomeId: Id('An active outcome of the campaign of the call; of a call that came in, of its queue'),
  note: Type.Optional(Type.String({ maxLength: 1_000 })),
  callBackTs: Type.Optional(
    InstantIn(
      'When to call again; an outcome may need it, and a final one refuses it. Without it the date of an earlier ' +
        'outcome of the agent about this call is taken back',
    ),
  ),
  callBackForMe: Type.Optional(
    Type.Boolean({ description: 'The agent who promised it calls back; otherwise any agent of the team' }),
  ),
  askedByContact: Type.Optional(
    Type.Boolean({ description: 'Allows a callback before the minimum interval has passed' }),
  ),
  fields: Type.Optional(
    Type.Array(
      Type.Object({
        name: Type.String({ minLength: 1, maxLength: 64, description: 'The name of a field of the outcome' }),
        value: Type.Union([Type.Number(), Type.String({ maxLength: 1_000 })], {
          description: 'As the kind of the field says: a text, a number, a day such as 2026-01-31, one of the choices',
        }),
      }),
      { maxItems: OUTCOME_FIELDS_MAX, description: 'The values of its fields' },
    ),
  ),
})

export const OrderIn = Type.Union([
  plain('logIn'),
  plain('logOut'),
  plain('ready'),
  plain('renewLeg'),
  plain('doubtPhone'),
  Type.Object({ type: Type.Literal('pause'), reason: Type.String({ minLength: 1, maxLength: 200 }) }),
  Type.Object({
    type: Type.Literal('dial'),
    itcaId: Type.Optional(Id('The call task to dial; default: the offered one')),
    number: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 32,
        description: 'The only number that may ring, as somebody writes it; default: the one whose turn it is',
      }),
    ),
  }),
  Type.Object({
    type: Type.Literal('dialNumber'),
    number: Type.String({
      minLength: 1,
      maxLength: 32,
      description: 'As somebody writes it: +4520123456, 20 12 34 56',
    }),
    callCode: Id('A campaign of agents/me/campaigns: its caller id, hours and outcomes'),
  }),
  Type.Object({
    type: Type.Literal('skip'),
    itcaId: Type.Optional(Id('The call task to skip; default: the offered one')),
    reason: Type.Optional(Type.String({ minLength: 1, maxLength: 200, description: 'Why the agent skips the task' })),
  }),
  aboutCall('hangUp'),
  aboutCall('hold'),
  aboutCall('resume'),
  aboutCall('mute'),
  aboutCall('unmute'),
  Type.Object({
    type: Type.Literal('digits'),
    ...CALL,
    digits: Type.String({ pattern: '^[0-9*#]{1,32}$', description: 'Keys to press for the other side' }),
  }),
  consultIn('consult'),
  consultIn('transfer'),
  aboutCall('connect'),
  aboutCall('join'),
  aboutCall('back'),
  aboutCall('endWrapUp'),
  Type.Object({
    type: Type.Literal('feedback'),
    ...CALL,
    feedbackType: Type.String({ minLength: 1, maxLength: 64 }),
    final: Type.Optional(
      Type.Boolean({
        description:
          'The customer cannot be imported into this campaign again before the quarantine ends (code 204). ' +
          'It ends no open call task: use doNotCall, or end the call task.',
      }),
    ),
    note: Type.Optional(Type.String({ maxLength: 1_000 })),
  }),
  OUTCOME,
  Type.Object({
    type: Type.Literal('callback'),
    ...CALL,
    callBackTs: InstantIn('When to call again'),
    askedByContact: Type.Optional(
      Type.Boolean({ description: 'Allows a callback before the minimum interval has passed' }),
    ),
  }),
  Type.Object({
    type: Type.Literal('doNotCall'),
    ...CALL,
    reason: Type.String({ minLength: 1, maxLength: 200, description: 'What the person said; kept as evidence' }),
  }),
  aboutCall('recordingConsent'),
  aboutCall('machine'),
])

/** What an agent does. */
export const STATUS = shape<AgentStatus>({
  userName: text(({ agent }) => agent),
  state: text(({ state }) => state, 'loggedOut, calling, ready, reserved, talking, wrapUp or paused'),
  sinceTs: instant(({ sinceAtMs }) => sinceAtMs, 'Start of the state'),
  untilTs: textOrNull(({ untilAtMs }) => instantText(untilAtMs), 'When the state ends by itself'),
  reason: textOrNull(({ reason }) => reason ?? null),
  asked: textOrNull(
    ({ asked }) => asked ?? null,
    'pause or logOut, which waits until the outgoing calls have ended; logIn, which waits until the phone is free',
  ),
})

const readOrderIn = inputReader(OrderIn, 'body')

/** `message`: an order and its `id`, as the event socket gets them. The same conversions and rules as over HTTP. */
export function readOrder(message: Uint8Array): AgentOrder | { readonly why: string } {
  const json = readJson(message)
  if (!json.ok) return { why: `the message ${json.why}` }
  const reading = readOrderIn((json.value as { readonly order?: unknown } | null)?.order)
  if (reading.ok) {
    const order = orderOf(reading.value as Parameters<typeof orderOf>[0])
    return typeof order === 'string' ? { why: order } : order
  }
  const [{ path, message: what } = { path: '', message: '' }] = reading.errors
  return { why: `this is not an order: ${[path, what].join(' ').trim()}; see the operation agents/me/orders` }
}

const WHO = 'give number, or userName of an agent who is ready, and not both'
const BAD_CALLBACK = 'callBackTs is not an instant; write it as 2026-01-02T15:04:05Z'
const NO_DATE = 'without callBackTs nobody calls back; give it, or leave callBackForMe and askedByContact out'

/** Reads an order that fits `OrderIn`; a text says why it is refused. */
export function orderOf(body: Readonly<Record<string, unknown>> & { readonly type: string }): AgentOrder | string {
  const { callId, ...rest } = body
  const about = callId === undefined ? {} : { call: callId as CallId }
  switch (body.type) {
    case 'dial': {
      const { number } = body as { number?: string }
      return { type: 'dial', ...taskOf(body), ...(number !== undefined && { number }) }
    }
    case 'skip': {
      const { reason } = body as { reason?: string }
      return { type: 'skip', ...taskOf(body), ...(reason !== undefined && { reason }) }
    }
    case 'dialNumber': {
      const { number, callCode } = body as unknown as { number: string; callCode: number }
      return { type: 'dialNumber', number, campaign: callCode as CampaignId }
    }
    case 'feedback': {
      const { feedbackType, final, note } = body as unknown as { feedbackType: string; final?: boolean; note?: string }
      const words = note === undefined ? {} : { note }
      return { type: 'feedback', ...about, feedbackType, isFinal: final === true, ...words }
    }
    case 'callback': {
      const atMs = readInstant(body['callBackTs'] as string | number)
      return atMs === undefined
        ? BAD_CALLBACK
        : { type: 'callback', ...about, atMs, askedByContact: body['askedByContact'] === true }
    }
    case 'consult':
    case 'transfer': {
      const { number, userName } = body as { number?: string; userName?: string }
      if ((number === undefined) === (userName === undefined)) return WHO
      const to = userName === undefined ? { number: number! } : { colleague: userName as AgentName }
      return { type: body.type, ...about, to }
    }
    case 'outcome': {
      const given = outcomeOf(body as unknown as Static<typeof OUTCOME>)
      return typeof given === 'string' ? given : { type: 'outcome', ...about, ...given }
    }
    default:
      return { ...rest, ...about } as unknown as AgentOrder
  }
}

function taskOf({ itcaId }: Readonly<Record<string, unknown>>): { readonly task?: CallTaskId } {
  return itcaId === undefined ? {} : { task: itcaId as CallTaskId }
}

function outcomeOf(body: Static<typeof OUTCOME>): OutcomeGiven | string {
  const { outcomeId, note, callBackTs, callBackForMe, askedByContact, fields = [] } = body
  const given = { outcome: outcomeId as OutcomeId, ...(note !== undefined && { note }), fields }
  if (callBackTs === undefined) return callBackForMe || askedByContact ? NO_DATE : given
  const atMs = readInstant(callBackTs)
  if (atMs === undefined) return BAD_CALLBACK
  return { ...given, callback: { atMs, askedByContact: askedByContact === true, isForTeam: callBackForMe !== true } }
}

/** The field of the order that a part of it is. */
export function fieldOf(about: WrongPart): string {
  if (typeof about === 'number') return `fields[${about}].value`
  return { outcome: 'outcomeId', callback: 'callBackTs', fields: 'fields' }[about]
}

/** A notification for the wire: a plain object with a `type`. */
export function notificationOut(notification: AgentNotification): Readonly<Record<string, unknown>> {
  switch (notification.type) {
    case 'status':
      return { type: 'status', ...STATUS.show(notification.status) }
    case 'leg':
    case 'legEnded':
      return { type: notification.type, legId: notification.leg }
    case 'preview':
      return { type: 'preview', callTask: taskOut(notification.task), untilTs: instantText(notification.untilAtMs) }
    case 'call': {
      const { call, direction, number, activity, task, team, typedCode } = notification.call
      return {
        type: 'call',
        callId: call,
        direction: direction === 'in' ? 1 : 2,
        number,
        ...(activity !== undefined && { eactId: activity }),
        ...(task && { callTask: taskOut(task) }),
        ...(team && { queueCode: team }),
        ...(typedCode && { typedCode }),
      }
    }
    case 'callEnded':
      return { type: 'callEnded', callId: notification.call, resultName: notification.why ?? null }
    case 'notConnected':
      return { type: 'notConnected', callId: notification.call, why: notification.why }
    case 'sound':
      return { type: 'sound', muted: notification.isMuted, held: notification.isHeld }
    case 'consult': {
      const { with: who, name, state, sinceAtMs, why } = notification
      return { type: 'consult', with: who, name, state, sinceTs: instantText(sinceAtMs), why: why ?? null }
    }
    case 'popup': {
      const { reason, url, call, activity, task } = notification
      return {
        type: 'popup',
        reason,
        url,
        callId: call,
        ...(activity !== undefined && { eactId: activity }),
        ...(task !== undefined && { itcaId: task }),
      }
    }
    case 'taskEnded':
      return { type: 'taskEnded', itcaId: notification.task }
    case 'supervisor': {
      const { call, supervisor, mode } = notification
      return { type: 'supervisor', callId: call, userName: supervisor, mode }
    }
    case 'callbackRefused':
      return { type: 'callbackRefused', itcaId: notification.task, why: notification.why }
  }
}

function taskOut({ task, campaign, receiverName, externalCaseNumber, externalCustomer }: OfferedTask) {
  return {
    itcaId: task,
    callCode: campaign,
    callReceiverName: receiverName,
    systemLookupCode: externalCaseNumber ?? null,
    extCustId: externalCustomer ?? null,
  }
}
