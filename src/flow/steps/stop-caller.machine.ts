/** doNotCall: one entry of the stop list. Whoever accepts it keeps it until the database has it: `done` is final. */
import { setup } from 'xstate'
import { command } from '../../kernel/machine.ts'
import type { StepEnd, StepFact } from './step-talk.ts'

/** Ends: done, noNumber, failed. */
export const doNotCallMachine = setup({
  types: { events: {} as StepFact },
  actions: { stopCaller: command(), end: command<StepEnd>() },
}).createMachine({
  id: 'doNotCall',
  initial: 'stopping',
  states: {
    stopping: {
      entry: 'stopCaller',
      on: {
        'caller.stopped': {
          target: 'over',
          actions: { type: 'end', params: ({ event: { end, why } }) => ({ end, why }) },
        },
      },
    },
    over: { type: 'final' },
  },
})
