/** Rules about gathers that listen (calls-and-flows-66): what is heard proves nothing, and somebody has to listen. */
import type { GatherSpec } from '../model/flow.ts'
import { error, type Rule, type Subject } from './lint-subject.ts'

/** Speech for secrets, for keys that nobody can say, without keys, and where no engine listens. */
export const lintEars: Rule = (subject) =>
  [...subject.flow.steps.values()].flatMap((step) => {
    if (step.kind !== 'gather' || !step.spec.hears) return []
    const message = faultOf(subject, step.spec)
    return message === undefined ? [] : [error(subject, ['steps', step.name, 'gather', 'by'], message)]
  })

function faultOf({ known }: Subject, { secret }: GatherSpec): string | undefined {
  if (secret) return 'a secret must not be said aloud, and what is heard proves nobody; remove speech, or secret'
  if (known.hasEars === false) return 'no engine listens; set LISTEN_URL or LISTEN_PROGRAM, or remove speech'
  return undefined
}
