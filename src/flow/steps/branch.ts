import type { BranchCase, Step } from '../model/flow.ts'
import { isOpen } from '../model/hours.ts'
import { holds } from '../model/json-path.ts'
import { valueAtPath } from '../model/variable-path.ts'
import type { Begun, Scene } from './step-messages.ts'

/** branch: the first case that holds, else `else`. It never fails; the trace holds the reason. */
export function beginBranch({ spec }: Extract<Step, { kind: 'branch' }>, scene: Scene): Begun {
  const document = spec.in === undefined ? scene.scope : valueAtPath(spec.in, scene.scope)
  const reasons: string[] = []
  for (const [index, branchCase] of spec.cases.entries()) {
    const { is, why } = judge(branchCase, document, scene)
    reasons.push(`${is ? 'yes' : 'no'}: ${why}`)
    if (is) return { ended: { end: `case:${index}`, why: reasons.join('; ') } }
  }
  return { ended: { end: 'case:else', why: [...reasons, 'no case holds'].join('; ') } }
}

function judge(branchCase: BranchCase, document: unknown, scene: Scene): { is: boolean; why: string } {
  switch (branchCase.kind) {
    case 'when': {
      const { holds: is, why } = holds(branchCase.condition, document)
      return { is, why }
    }
    case 'has': {
      const value = valueAtPath(branchCase.path, scene.scope)
      const is = value !== undefined && value !== null
      return { is, why: `${branchCase.path} is ${is ? 'there' : 'not there'}` }
    }
    case 'same': {
      const texts = branchCase.paths.map((path) => textAt(valueAtPath(path, scene.scope)))
      const is = texts[0] !== undefined && texts[0] === texts[1]
      // The values may be secrets.
      return { is, why: `${branchCase.paths.join(' and ')} are ${is ? 'the same' : 'not the same'}` }
    }
    case 'open': {
      const hours = scene.flow.hours[branchCase.hours]
      const is = hours !== undefined && isOpen(hours, scene.nowMs)
      return { is, why: `${branchCase.hours} is ${is ? 'open' : 'closed'}` }
    }
  }
}

/** Undefined: nothing that could be equal to anything. */
function textAt(value: unknown): string | undefined {
  const text = typeof value === 'string' || typeof value === 'number' ? String(value).trim() : ''
  return text === '' ? undefined : text
}
