/** The shape of `subflow` steps. */
import Type from 'typebox'
import { map, NAME, optional, variables } from './schema-words.ts'

export const subflow = Type.Union(
  [
    Type.String({ pattern: NAME, description: 'The name of a flow of the same folder.', hint: 'the name of a flow' }),
    map(
      {
        flow: Type.String({
          pattern: NAME,
          description: 'The name of a flow of the same folder; `identify` is in `identify.yaml`.',
          hint: 'the name of a flow',
        }),
        with: optional(variables('What its variables begin with, instead of the values under its `vars`.')),
      },
      'The flow and what it is given.',
    ),
  ],
  {
    description: 'Goes through another flow and comes back at its `hangup`. Gives its variables and its `outcome`.',
    hint: 'the name of a flow, or {flow, with}',
  },
)
