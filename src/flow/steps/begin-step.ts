/** Begins steps of each kind: fills in values, then ends the step at once or starts its machine. */
import type { AnyStateMachine } from 'xstate'
import type { Step, StepKindName } from '../model/flow.ts'
import { beginBranch } from './branch.ts'
import { gatherMachine } from './gather.machine.ts'
import { beginHttp } from './http.ts'
import { beginMenu } from './menu.ts'
import { playMachine } from './play.machine.ts'
import { beginQueue } from './queue.ts'
import { beginRecord } from './record.ts'
import { beginSet } from './set.ts'
import { beginSms } from './sms.ts'
import type { Begun, Scene } from './step-messages.ts'
import type { StepEnd } from './step-talk.ts'
import { beginDoNotCall } from './stop-caller.ts'
import { beginSubflow } from './subflow.ts'
import { beginTransfer } from './transfer.ts'
import { beginWait } from './wait.ts'

type Begin<K extends StepKindName> = (step: Extract<Step, { kind: K }>, scene: Scene, visit: string) => Begun

const BEGIN: { [K in StepKindName]: Begin<K> } = {
  play: ({ spec }) => ({ machine: playMachine, input: spec, errand: {} }),
  gather: ({ spec, as }, { typeAhead, language }) => ({
    machine: gatherMachine,
    input: { spec, as, ahead: typeAhead, language },
    errand: {},
  }),
  menu: beginMenu,
  http: beginHttp,
  branch: beginBranch,
  set: beginSet,
  sms: beginSms,
  doNotCall: beginDoNotCall,
  wait: beginWait,
  queue: beginQueue,
  record: beginRecord,
  transfer: beginTransfer,
  subflow: beginSubflow,
  hangup: ({ spec }) =>
    spec.say ? { machine: playMachine, input: { prompt: spec.say }, errand: {} } : { ended: { end: 'done' } },
}

/** Begins a step of any kind. `visit` names this visit of it. */
export function beginStep(step: Step, scene: Scene, visit: string): Begun {
  return (BEGIN[step.kind] as Begin<StepKindName>)(step as never, scene, visit)
}

/** The machine of a step that is restored in the middle. */
export function machineOf(step: Step, scene: Scene, visit: string): AnyStateMachine | undefined {
  const begun = beginStep(step, scene, visit)
  return 'machine' in begun ? begun.machine : undefined
}

/** Whether the step takes keys; otherwise they wait for the next step that does. */
export function takesKeys(step: Step): boolean {
  if (step.kind === 'queue') return step.spec.callback !== undefined
  return step.kind === 'gather' || step.kind === 'menu' || step.kind === 'record'
}

/** Whether what the caller types is masked wherever it is written down. */
export function isSecret(step: Step): boolean {
  return step.kind === 'gather' && step.spec.secret
}

/** Whether the other system may have got the request, and may act on it once more if it came again. */
export function isSentOnce(step: Step): boolean {
  return step.kind === 'http' && step.spec.method !== 'GET'
}

/** The effect of a machine's end on the flow: the port, and the variables to set. */
export function concludeStep(step: Step, end: StepEnd): StepEnd & { readonly sets?: Record<string, unknown> } {
  // A goodbye that fails must not keep the caller.
  if (step.kind === 'hangup') return { ...end, end: 'done' }
  if (end.end !== 'done') return end
  if (step.kind === 'menu') return { ...end, end: `key:${end.value}` }
  if (step.kind === 'set') return { ...end, sets: end.value as Record<string, unknown> }
  return step.as === undefined ? end : { ...end, sets: { [step.as]: end.value } }
}
