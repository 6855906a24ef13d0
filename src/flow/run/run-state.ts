import type { AtMs } from '../../kernel/clock.ts'
import type { AgentName, CallId, StepName } from '../../kernel/ids.ts'
import type { LegEnd } from '../../ports/pbx.ts'
import type { TransferFact } from '../model/call-messages.ts'
import type { Flow, Step } from '../model/flow.ts'

/** The state of a run outside of both machines. */
export interface RunState {
  /** The step of the flow, or of `onHangup`, that the call is in. */
  at: { readonly step: StepName } | { readonly afterHangup: number } | undefined
  enteredAtMs: AtMs
  typeAhead: string
  /** The finish key of an entry that was complete without it; it belongs to that entry if it is the next key. */
  lateKey: string
  stepsEntered: number
  /** Time with or before a person, or before an outside event, does not count against the flow's patience. */
  queuedMs: number
  marks: readonly string[]
  agent: AgentName | undefined
  /** A transfer reached somebody. */
  transferred: boolean
  answeredAtMs: AtMs | undefined
  apologised: boolean
  hungUpByUs: boolean
  endedBy: LegEnd | undefined
  /** When the caller had gone; the steps of `onHangup` come after it. */
  endedAtMs: AtMs | undefined
  /** Values of `secret: true` gathers: masked in journal and log. */
  secrets: readonly string[]
}

/** The state of a call that has just arrived. */
export function freshState(): RunState {
  return {
    at: undefined,
    enteredAtMs: 0,
    typeAhead: '',
    lateKey: '',
    stepsEntered: 0,
    queuedMs: 0,
    marks: [],
    agent: undefined,
    transferred: false,
    answeredAtMs: undefined,
    apologised: false,
    hungUpByUs: false,
    endedBy: undefined,
    endedAtMs: undefined,
    secrets: [],
  }
}

/** Names a visit of a step, for what may happen once in it (flow-language.md 0.7). */
export function visitKey(call: CallId, { at }: RunState, visits: Readonly<Record<string, number>>): string {
  if (!at || 'afterHangup' in at) return `${call}/after-hangup/${at?.afterHangup ?? 0}`
  return `${call}/${at.step}/${visits[at.step]}`
}

/** Why the flow must end: too many steps, or too much time of its own. Undefined while it may go on. */
export function overLimit(
  { limits: { steps, durationMs } }: Flow,
  { stepsEntered, queuedMs }: RunState,
  beganAtMs: AtMs,
  nowMs: AtMs,
): string | undefined {
  if (stepsEntered > steps) return `the call took more than ${steps} steps`
  return nowMs - beganAtMs - queuedMs > durationMs ? `the flow took more than ${durationMs / 1000} s` : undefined
}

/** Whether the time in the step does not count against the flow's patience. */
export function isPatient({ kind }: Step): boolean {
  return kind === 'queue' || kind === 'wait' || kind === 'transfer'
}

/** Whether the caller was brought to somebody outside. */
export function isReached(fact: { readonly type: string } | TransferFact): boolean {
  return fact.type === 'transfer.connected' || (fact.type === 'transfer.ended' && 'end' in fact && fact.end === 'done')
}
