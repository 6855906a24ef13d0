/** The record of an ended call, which later becomes its call activity. */
import type { AtMs } from '../../kernel/clock.ts'
import type { StepName } from '../../kernel/ids.ts'
import type { CallBegins, CallRecord } from '../model/call-messages.ts'
import type { Flow, Step } from '../model/flow.ts'
import { render } from '../model/template.ts'
import type { Scope } from '../model/variable-path.ts'
import type { FlowContext } from './compile.ts'
import type { RunState } from './run-state.ts'

type RunFacts = Pick<
  RunState,
  'agent' | 'transferred' | 'answeredAtMs' | 'apologised' | 'hungUpByUs' | 'endedBy' | 'marks'
> & {
  readonly machineContext: FlowContext | undefined
  readonly endedAtMs: AtMs
  readonly scope: Scope
}

/** Our choice: longer than any case number, and what an index of the database takes. */
const FIELD_MAX = 200

/** What the flow says about its call. Fields whose value is unknown or too long are left out. */
export function activityOf(flow: Flow, begins: Pick<CallBegins, 'language'>, scope: Scope): Record<string, string> {
  const activity: Record<string, string> = {}
  const language = begins.language ?? flow.languages[0]!
  for (const [field, template] of Object.entries(flow.activity)) {
    const text = render(template, scope, { language })
    if (text.ok && text.text.length <= FIELD_MAX) activity[field] = text.text
  }
  return activity
}

/** Makes the record. */
export function recordOf(flow: Flow, begins: CallBegins, facts: RunFacts): CallRecord {
  return {
    call: begins.call,
    flow: flow.name,
    revision: flow.revision,
    called: begins.called,
    caller: begins.caller,
    outcome: outcomeOf(facts, flow.steps.get(facts.machineContext?.path.at(-1) as StepName)),
    path: facts.machineContext?.path ?? [],
    marks: facts.marks,
    activity: activityOf(flow, begins, facts.scope),
    agent: facts.agent,
    arrivedAtMs: begins.atMs,
    answeredAtMs: facts.answeredAtMs,
    endedAtMs: facts.endedAtMs,
    endedBy: facts.hungUpByUs ? 'us' : (facts.endedBy ?? 'failed'),
  }
}

/** `hangup.outcome`, else `talked`, `transferred`, `failed` (apology), `completed`, or `abandoned` (by the caller). */
function outcomeOf({ agent, transferred, apologised, hungUpByUs }: RunFacts, lastStep: Step | undefined): string {
  const named = lastStep?.kind === 'hangup' ? lastStep.spec.outcome : undefined
  if (named !== undefined && hungUpByUs) return named
  if (agent !== undefined) return 'talked'
  if (transferred) return 'transferred'
  if (apologised) return 'failed'
  return hungUpByUs ? 'completed' : 'abandoned'
}
