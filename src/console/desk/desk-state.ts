/** The rows of the topic `me`, as the desk shows them. Pure. */
import type { Fields } from '../stream/stream-frames.ts'

/** As the stream names them. */
export const STATES = ['loggedOut', 'calling', 'ready', 'reserved', 'talking', 'wrapUp', 'paused'] as const

export type DeskState = (typeof STATES)[number]

/** The call task that a call or a preview is about. */
export interface DeskTask {
  readonly itcaId: number
  readonly callCode: number
  readonly name: string
  readonly caseNumber: string | null
  readonly customer: string | null
}

/** A call of this agent. `task` null: nobody knows who it is. */
export interface DeskCall {
  readonly callId: string
  readonly isIncoming: boolean
  readonly number: string
  readonly task: DeskTask | null
  /** The team that a call came in for. */
  readonly queue: string | null
  /** What the caller typed in: a case that may be another than the call task's. */
  readonly typedCode: string | null
}

/** Somebody beside the call. `asked`: a colleague asks this agent. */
export interface DeskConsult {
  readonly name: string
  readonly state: 'ringing' | 'talking' | 'all' | 'asked'
}

/** Instants are the server's. */
export interface Desk {
  readonly state: DeskState
  readonly sinceMs: number | undefined
  readonly untilMs: number | undefined
  readonly reason: string | null
  readonly asked: string | null
  /** Whether the agent's phone is the browser. */
  readonly isBrowserPhone: boolean
  /** Which is talked, or was: in the wrap-up its person is still there. */
  readonly call: DeskCall | undefined
  readonly isConnected: boolean
  /** Nobody hears the agent. */
  readonly isMuted: boolean
  /** Whether the node has said that they are muted, or not any more; else it knows of no mute. */
  readonly isMuteSaid: boolean
  /** The other side of the call hears music. */
  readonly isHeld: boolean
  readonly consult: DeskConsult | undefined
  readonly preview: { readonly task: DeskTask; readonly untilMs: number | undefined } | undefined
}

/** Undefined: the stream has said nothing yet. */
export function readDesk(rows: {
  readonly agent: Fields | undefined
  readonly call: Fields | undefined
  readonly wrap: Fields | undefined
  readonly preview: Fields | undefined
  readonly sound: Fields | undefined
  readonly consult: Fields | undefined
}): Desk | undefined {
  const { agent, call, wrap, preview, sound, consult } = rows
  if (!agent) return undefined
  const state = STATES.find((one) => one === agent['state']) ?? 'loggedOut'
  const present = call ? callOf(call) : undefined
  const offered = preview ? taskOf(preview['callTask']) : null
  return {
    state,
    sinceMs: instantOf(agent['sinceTs']),
    untilMs: instantOf(agent['untilTs']),
    reason: textOf(agent['reason']),
    asked: textOf(agent['asked']),
    isBrowserPhone: agent['browserPhone'] === true,
    call: present ?? (state === 'wrapUp' && wrap ? callOf(wrap) : undefined),
    isConnected: present !== undefined && state === 'talking',
    isMuted: sound?.['muted'] === true,
    isMuteSaid: sound !== undefined,
    isHeld: sound?.['held'] === true,
    consult: consult && consultOf(consult),
    preview: offered ? { task: offered, untilMs: instantOf(preview?.['untilTs']) } : undefined,
  }
}

/** What has the agent's attention, by a name of its own: a call, an offered task, a colleague who asks. */
export function takenBy({ call, preview, consult }: Desk): string | undefined {
  if (call) return `call ${call.callId}`
  if (preview) return `task ${preview.task.itcaId}`
  return consult?.state === 'asked' ? `asked ${consult.name}` : undefined
}

function consultOf(row: Fields): DeskConsult | undefined {
  const state = (['ringing', 'talking', 'all', 'asked'] as const).find((one) => one === row['state'])
  return state && { name: textOf(row['name']) ?? '', state }
}

function callOf(row: Fields): DeskCall | undefined {
  const callId = textOf(row['callId'])
  if (callId === null) return undefined
  const { direction, number } = row
  const [queue, typedCode] = [textOf(row['queueCode']), textOf(row['typedCode'])]
  const shown = { callId, isIncoming: direction === 1, number: textOf(number) ?? '' }
  return Object.assign(shown, { task: taskOf(row['callTask']), queue, typedCode })
}

function taskOf(shown: unknown): DeskTask | null {
  if (typeof shown !== 'object' || shown === null) return null
  const { itcaId, callCode, callReceiverName, systemLookupCode, extCustId } = shown as Fields
  return {
    itcaId: Number(itcaId),
    callCode: Number(callCode),
    name: textOf(callReceiverName) ?? '',
    caseNumber: textOf(systemLookupCode),
    customer: textOf(extCustId),
  }
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null
}

function instantOf(value: unknown): number | undefined {
  const atMs = typeof value === 'string' ? Date.parse(value) : Number.NaN
  return Number.isNaN(atMs) ? undefined : atMs
}
