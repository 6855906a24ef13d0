/** A caller's place in a flow, as plain JSON: what an engine after a crash goes on from (calls-and-flows-48). */
import type { MachineRun, SavedRun } from '../../kernel/machine.ts'
import type { CallBegins } from '../model/call-messages.ts'
import { type FlowCommand, type FlowContext, stateAfterHangup, stateOf } from './compile.ts'
import type { RunState } from './run-state.ts'
import type { SavedStepRun } from './step-run.ts'

/** A run at any moment, also within a step. */
export interface SavedFlowRun {
  readonly begins: CallBegins
  readonly state: RunState
  readonly flow: SavedRun | undefined
  readonly step: SavedStepRun
}

/** The flow as it entered a step. What happened within the step is not kept: the step begins again. */
export interface Place {
  readonly flow: SavedRun
  readonly state: Pick<RunState, 'stepsEntered' | 'marks' | 'agent' | 'transferred'> & {
    readonly at: NonNullable<RunState['at']>
  }
}

/** Our choice: it is written at every step. An answer of another system may have 256 kB. */
const LENGTH_MAX = 16_000
/** Most steps leave the variables as they are, and all calls begin with the same ones. */
const known = new WeakMap<FlowContext['vars'], boolean>()

/**
 * The place of a run, which is `last` while the step is the same, and during apology and farewell. Undefined when the
 * caller has typed a secret, which must not reach the database, or when the variables are too long.
 */
export function placeIn(
  flow: MachineRun<FlowCommand> | undefined,
  { at, stepsEntered, marks, agent, transferred, secrets }: RunState,
  last: Place | undefined,
): Place | undefined {
  if (!flow || !at || flow.value !== stateAt(at) || last?.state.at === at) return last
  const place = { flow: flow.save(), state: { at, stepsEntered, marks, agent, transferred } }
  return secrets.length > 0 || isLong((flow.context as FlowContext).vars) ? undefined : place
}

function isLong(vars: FlowContext['vars']): boolean {
  const long = known.get(vars) ?? JSON.stringify(vars).length > LENGTH_MAX
  known.set(vars, long)
  return long
}

function stateAt(at: Place['state']['at']): string {
  return 'step' in at ? stateOf(at.step) : stateAfterHangup(at.afterHangup)
}

/** The place in which an earlier engine left the call; undefined: the flow begins at its start. */
export function placeFrom({ place }: CallBegins): Place | undefined {
  return place && (structuredClone(place) as Place)
}
