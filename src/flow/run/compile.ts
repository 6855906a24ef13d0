/**
 * A flow becomes one flat machine, once per revision, shared by all its calls (flow-language.md 0.1). Its states are
 * the author's steps; it gets one event per step, named after the step's end, and gives one `runStep` per state.
 * Digits, prompts, HTTP and texts live outside of it.
 */
import { type AnyStateMachine, assign, setup } from 'xstate'
import type { StepName } from '../../kernel/ids.ts'
import { command } from '../../kernel/machine.ts'
import type { Flow, Step } from '../model/flow.ts'

export interface CompiledFlow {
  readonly flow: Flow
  readonly machine: AnyStateMachine
}

export interface FlowContext {
  readonly vars: Readonly<Record<string, unknown>>
  readonly visits: Readonly<Record<string, number>>
  readonly path: readonly StepName[]
}

/** How the last step ended. `type` is a port of the step (see `portsOf`). */
interface StepEnded {
  readonly type: string
  readonly sets?: Readonly<Record<string, unknown>>
}

export type FlowCommand =
  | { readonly type: 'runStep'; readonly step: StepName; readonly visit: number }
  /** The n-th step of `onHangup`. */
  | { readonly type: 'runAfterHangup'; readonly index: number }
  | { readonly type: 'apologise' }
  /** Ask for the end of the leg; `leg.ended` follows. */
  | { readonly type: 'leave' }
  | { readonly type: 'finish' }

/** Ends of any step, besides those of its kind. */
export const LIMIT = 'limit'

/** Every end of a step of `onHangup`: the next one follows. */
export const AFTER_HANGUP = 'step.over'

/** Where an end leads when neither the step nor the flow has an answer. */
const UNHANDLED = 'unhandled'

/** An apology that never ends must not keep a line open. */
const APOLOGY_MAX_MS = 30_000
const LEAVE_AGAIN_MS = 5_000

/** Compiles a checked flow. Pure; about 0.1 ms per step. */
export function compileFlow(flow: Flow): CompiledFlow {
  const states: Record<string, object> = {}
  for (const step of flow.steps.values()) states[stateOf(step.name)] = stepState(step, flow)
  for (const index of flow.onHangup.keys())
    states[stateAfterHangup(index)] = afterHangupState(index, flow.onHangup.length)
  const afterLeg = flow.onHangup.length > 0 ? `#${stateAfterHangup(0)}` : '#over'
  const machine = setup({
    types: { input: {} as FlowContext, context: {} as FlowContext, events: {} as StepEnded },
    actions: {
      runStep: command<{ step: StepName; visit: number }>(),
      runAfterHangup: command<{ index: number }>(),
      apologise: command(),
      leave: command(),
      finish: command(),
    },
  }).createMachine({
    id: flow.name,
    context: ({ input }: { input: FlowContext }) => input,
    initial: stateOf(flow.start),
    // A hang-up is not a failure: it leaves every state (flow-language.md 3.2).
    on: { 'leg.ended': { target: afterLeg, actions: setVars }, broken: '#apologising' },
    states: {
      ...states,
      apologising: {
        id: 'apologising',
        entry: { type: 'apologise' },
        // A second failure during the apology: say no more.
        on: { apologised: '#leaving', broken: '#leaving' },
        after: { [APOLOGY_MAX_MS]: '#leaving' },
      },
      leaving: {
        id: 'leaving',
        entry: { type: 'leave' },
        on: { broken: {} },
        // A hang-up is only a command (law 5); a lost one is repeated.
        after: { [LEAVE_AGAIN_MS]: { target: '#leaving', reenter: true } },
      },
      over: { id: 'over', type: 'final', entry: { type: 'finish' } },
    },
  } as never)
  return { flow, machine: machine as unknown as AnyStateMachine }
}

/** The end's own name, else `failed`, else the flow's `onError`, else the apology. `onError` never leads to itself. */
export function portFor(end: string, step: Step, flow: Flow): string {
  if (end === 'done' || end.startsWith('key:') || end.startsWith('case:')) return end
  if (end in step.on) return `on:${end}`
  if ('failed' in step.on && end !== LIMIT) return 'on:failed'
  return flow.onError !== undefined && flow.onError !== step.name ? 'onError' : UNHANDLED
}

/** Where a port of a step leads; undefined when the call leaves the flow there. */
export function targetOf(port: string, step: Step, flow: Flow): StepName | undefined {
  if (port.startsWith('on:')) return step.on[port.slice('on:'.length)]
  if (port === 'onError') return flow.onError
  if (port === 'done') return step.next
  if (step.kind === 'menu' && port.startsWith('key:')) return step.spec.keys[port.slice('key:'.length)]
  if (step.kind === 'queue' && port === `key:${step.spec.callback?.key}`) return step.spec.callback?.next
  if (step.kind === 'branch' && port === 'case:else') return step.spec.else
  if (step.kind === 'branch' && port.startsWith('case:'))
    return step.spec.cases[Number(port.slice('case:'.length))]?.next
  return undefined
}

function portsOf(step: Step): string[] {
  const ports = ['done', 'onError', ...Object.keys(step.on).map((end) => `on:${end}`)]
  if (step.kind === 'menu') ports.push(...Object.keys(step.spec.keys).map((key) => `key:${key}`))
  if (step.kind === 'queue' && step.spec.callback) ports.push(`key:${step.spec.callback.key}`)
  if (step.kind === 'branch') ports.push('case:else', ...step.spec.cases.map((_, index) => `case:${index}`))
  return ports
}

const setVars = assign({
  vars: ({ context, event }: { context: FlowContext; event: StepEnded }) =>
    event.sets ? { ...context.vars, ...event.sets } : context.vars,
})

function stepState(step: Step, flow: Flow): object {
  const on: Record<string, object> = { [UNHANDLED]: { target: '#apologising' } }
  for (const port of portsOf(step)) {
    const target = targetOf(port, step, flow)
    if (target !== undefined) on[port] = { target: `#${stateOf(target)}`, reenter: true, actions: setVars }
  }
  // A step without a way on ends the call: only `hangup` is written like that.
  on['done'] ??= { target: '#leaving', actions: setVars }
  return {
    id: stateOf(step.name),
    entry: [
      assign(({ context }: { context: FlowContext }) => ({
        visits: { ...context.visits, [step.name]: visitsOf(context, step.name) + 1 },
        path: [...context.path, step.name],
      })),
      {
        type: 'runStep',
        params: ({ context }: { context: FlowContext }) => ({ step: step.name, visit: context.visits[step.name]! }),
      },
    ],
    on,
  }
}

/** A step may be called `constructor`: only what was counted counts. */
function visitsOf({ visits }: FlowContext, step: StepName): number {
  return Object.hasOwn(visits, step) ? visits[step]! : 0
}

function afterHangupState(index: number, count: number): object {
  const next = index + 1 < count ? `#${stateAfterHangup(index + 1)}` : '#over'
  return {
    id: stateAfterHangup(index),
    entry: { type: 'runAfterHangup', params: { index } },
    // The caller is gone: a failed step does not keep the next ones from running.
    on: { [AFTER_HANGUP]: { target: next, actions: setVars }, 'leg.ended': {}, broken: '#over' },
  }
}

/** The state of the flow's machine in which the n-th step of `onHangup` runs. */
export function stateAfterHangup(index: number): string {
  return `hangup:${index}`
}

/** The state of the flow's machine in which this step runs. */
export function stateOf(step: StepName): string {
  // For XState a dot leads into a state.
  return `step:${step.replaceAll('.', '/')}`
}
