import { Type } from 'typebox'
import type { CallId, CallTaskId } from '../../kernel/ids.ts'
import type { AgentNotification, AgentOrder, AgentStatus, OfferedTask } from '../../ports/agent-desktop.ts'
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

export const OrderIn = Type.Union([
  plain('logIn'),
  plain('logOut'),
  plain('ready'),
  Type.Object({ type: Type.Literal('pause'), reason: Type.String({ minLength: 1, maxLength: 200 }) }),
  Type.Object({
    type: Type.Literal('dial'),
    itcaId: Type.Optional(Id('The call task to dial; default: the offered one')),
  }),
  Type.Object({
    type: Type.Literal('skip'),
    reason: Type.Optional(Type.String({ minLength: 1, maxLength: 200, description: 'Why the agent skips the task' })),
  }),
  aboutCall('hangUp'),
  plain('endWrapUp'),
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
  if (reading.ok) return orderOf(reading.value as Parameters<typeof orderOf>[0]) ?? { why: BAD_CALLBACK }
  const [{ path, message: what } = { path: '', message: '' }] = reading.errors
  return { why: `this is not an order: ${[path, what].join(' ').trim()}; see the operation agents/me/orders` }
}

/** Why an order with such a date is refused. */
export const BAD_CALLBACK = 'callBackTs is not an instant; write it as 2026-01-02T15:04:05Z'

/** Reads an order that fits `OrderIn`; undefined if its date is invalid. */
export function orderOf(body: Readonly<Record<string, unknown>> & { readonly type: string }): AgentOrder | undefined {
  const { callId, ...rest } = body
  const about = callId === undefined ? {} : { call: callId as CallId }
  switch (body.type) {
    case 'dial':
      return { type: 'dial', ...(body['itcaId'] !== undefined && { task: body['itcaId'] as CallTaskId }) }
    case 'feedback': {
      const { feedbackType, final, note } = body as unknown as { feedbackType: string; final?: boolean; note?: string }
      const words = note === undefined ? {} : { note }
      return { type: 'feedback', ...about, feedbackType, isFinal: final === true, ...words }
    }
    case 'callback': {
      const atMs = readInstant(body['callBackTs'] as string | number)
      return atMs === undefined
        ? undefined
        : { type: 'callback', ...about, atMs, askedByContact: body['askedByContact'] === true }
    }
    default:
      return { ...rest, ...about } as unknown as AgentOrder
  }
}

/** A notification for the wire: a plain object with a `type`. */
export function notificationOut(notification: AgentNotification): Readonly<Record<string, unknown>> {
  switch (notification.type) {
    case 'status':
      return { type: 'status', ...STATUS.show(notification.status) }
    case 'preview':
      return { type: 'preview', callTask: taskOut(notification.task), untilTs: instantText(notification.untilAtMs) }
    case 'call': {
      const { call, direction, number, activity, task } = notification.call
      return {
        type: 'call',
        callId: call,
        direction: direction === 'in' ? 1 : 2,
        number,
        ...(activity !== undefined && { eactId: activity }),
        ...(task && { callTask: taskOut(task) }),
      }
    }
    case 'callEnded':
      return { type: 'callEnded', callId: notification.call, resultName: notification.why ?? null }
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
