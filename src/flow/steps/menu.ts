import type { GatherSpec, Step } from '../model/flow.ts'
import { gatherMachine } from './gather.machine.ts'
import type { Begun, Scene } from './step-messages.ts'

/** menu: a gather of exactly one key, which must be one of the choices; it has no finish key. */
export function beginMenu({ spec }: Extract<Step, { kind: 'menu' }>, { typeAhead, language }: Scene): Begun {
  const asGather: GatherSpec = {
    ...spec,
    min: 1,
    max: 1,
    finish: '',
    pattern: `[${Object.keys(spec.keys).join('')}]`,
    confirm: undefined,
    secret: false,
    hears: false,
  }
  return { machine: gatherMachine, input: { spec: asGather, as: undefined, ahead: typeAhead, language }, errand: {} }
}
