import { EVENT_KEY } from '../../ports/flows/flow-events.ts'
import type { Step } from '../model/flow.ts'
import { render } from '../model/template.ts'
import type { Begun, Scene } from './step-messages.ts'
import { waitMachine } from './wait.machine.ts'

const KEY = new RegExp(EVENT_KEY)

/** wait: for an outside event of this name and key. What an earlier engine began ends when it would have ended. */
export function beginWait(
  { spec }: Extract<Step, { kind: 'wait' }>,
  { scope, language, nowMs, waitsUntilMs }: Scene,
): Begun {
  const key = render(spec.key, scope, { language })
  if (!key.ok) return { ended: { end: 'malformed', why: key.why } }
  const of = key.text.toWellFormed().normalize('NFC')
  if (!KEY.test(of)) {
    return { ended: { end: 'malformed', why: 'the key must have 1 to 100 characters without spaces' } }
  }
  const untilMs = waitsUntilMs ?? nowMs + spec.forMs
  return {
    machine: waitMachine,
    input: { forMs: Math.max(0, untilMs - nowMs), hold: spec.hold },
    errand: { wait: { event: spec.event, of, untilMs } },
  }
}
