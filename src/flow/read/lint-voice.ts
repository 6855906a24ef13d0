/** Rules about barge-in by voice. */
import type { Problem } from '../../kernel/file-problem.ts'
import type { Path } from '../../kernel/yaml-source.ts'
import type { Step } from '../model/flow.ts'
import { aStep } from '../model/kinds.ts'
import { errorAtKey, type Rule, type Subject, warnAtKey } from './lint-subject.ts'

/** A voice can stop prompts of four kinds of steps only, which must have one and let themselves be interrupted. */
export const lintVoice: Rule = (subject) => [
  ...[...subject.flow.steps.values()].flatMap((step) => ofStep(subject, step, ['steps', step.name])),
  ...subject.flow.onHangup.flatMap((step, index) => ofStep(subject, step, ['onHangup', index])),
]

function ofStep(subject: Subject, step: Step, stepPath: Path): Problem[] {
  if (!step.bargeInByVoice) return []
  const path = [...stepPath, 'bargeInByVoice']
  switch (step.kind) {
    case 'play':
      return []
    case 'gather':
    case 'menu':
      if (step.spec.bargeIn) return []
      return [
        warnAtKey(
          subject,
          path,
          'a voice stops this prompt, and with bargeIn: false a key does not; remove one of the two',
        ),
      ]
    case 'queue': {
      const { announcePosition, announceWait, callback } = step.spec
      if (announcePosition || announceWait || callback) return []
      return [warnAtKey(subject, path, 'this queue announces nothing that a voice could stop; remove bargeInByVoice')]
    }
    default: {
      const message = `a voice stops prompts of play, gather, menu and queue steps only, not of ${aStep(step.kind)}`
      return [errorAtKey(subject, path, `${message}; remove bargeInByVoice`)]
    }
  }
}
