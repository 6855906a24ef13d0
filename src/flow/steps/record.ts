import type { TeamName } from '../../kernel/ids.ts'
import type { Step } from '../model/flow.ts'
import { isTrue } from '../model/template.ts'
import { recordMachine } from './record.machine.ts'
import type { Begun, Scene } from './step-messages.ts'

/** record: takes a message. Consent is asked by a step before, as for the queue step (calls-and-flows-51). */
export function beginRecord({ spec }: Extract<Step, { kind: 'record' }>, scene: Scene): Begun {
  const { prompt, finish, maxMs, silenceMs, consent, team } = spec
  if (consent && !isTrue(consent, scene)) {
    return { ended: { end: 'declined', why: 'the value of consent is not true; nothing is recorded' } }
  }
  return {
    machine: recordMachine,
    input: { prompt, finish, maxMs },
    errand: { message: { maxMs, silenceMs, team: team as TeamName | undefined } },
  }
}
