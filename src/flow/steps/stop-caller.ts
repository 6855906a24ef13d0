import type { Step } from '../model/flow.ts'
import { render } from '../model/template.ts'
import type { Begun, Scene } from './step-messages.ts'
import { doNotCallMachine } from './stop-caller.machine.ts'

/** doNotCall: the caller's number goes to the stop list (campaigns-71). Without a number there is nothing to stop. */
export function beginDoNotCall(
  { spec }: Extract<Step, { kind: 'doNotCall' }>,
  { flow, scope, language, caller }: Scene,
): Begun {
  const reason = render(spec.reason, scope, { language })
  if (!reason.ok) return { ended: { end: 'malformed', why: reason.why } }
  if (caller === undefined) return { ended: { end: 'noNumber', why: 'the caller withholds their number' } }
  return {
    machine: doNotCallMachine,
    input: undefined,
    errand: { stop: { by: `flow ${flow.name}`, reason: reason.text } },
  }
}
