/** An outcome of a campaign's catalogue on the wire (campaigns-104). Our addition. */
import { type Static, Type } from 'typebox'
import { FIELD_KINDS, OUTCOME_FIELDS_MAX, type Outcome, type OutcomeField } from '../../ports/outcome.ts'
import { field, flag, instant, int, shape, text } from '../http/shape.ts'

const NAME_MAX = 64
const CHOICES_MAX = 20

const FieldIn = Type.Object(
  {
    name: Type.String({
      minLength: 1,
      maxLength: NAME_MAX,
      description: 'What the agent reads, unique in the outcome',
    }),
    kind: Type.Union(
      FIELD_KINDS.map((kind) => Type.Literal(kind)),
      { description: 'What it holds; a date is a day such as 2026-01-31' },
    ),
    required: Type.Optional(Type.Boolean({ description: 'Nothing is saved without it; default false' })),
    choices: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: NAME_MAX }), {
        maxItems: CHOICES_MAX,
        description: 'The values to choose from; only of the kind choice, which needs them',
      }),
    ),
  },
  { additionalProperties: false },
)

const RULES = {
  name: Type.String({ minLength: 1, maxLength: NAME_MAX, description: 'What the agent reads' }),
  key: Type.Union([Type.String({ pattern: '^[1-9]$' }), Type.Null()], {
    description: 'The key that chooses it, 1 to 9; unique among the active outcomes; null: no key',
  }),
  final: Type.Boolean({
    description:
      'Ends the call task, and the customer cannot be imported into the campaign again before the quarantine ends ' +
      '(code 204); otherwise the call task goes on by the rules of the campaign',
  }),
  needsCallBackDate: Type.Boolean({ description: 'Nothing is saved without callBackTs; a final outcome needs none' }),
  fields: Type.Array(FieldIn, { maxItems: OUTCOME_FIELDS_MAX, description: 'Form fields, in their order' }),
}

const { name, ...optional } = RULES
export const NewOutcome = Type.Object({ name, ...Type.Partial(Type.Object(optional)).properties }, closed())
export const OutcomeChange = Type.Partial(
  Type.Object({ ...RULES, active: Type.Boolean({ description: 'false retires it, true brings it back' }) }),
  closed(),
)
/** Of `OutcomeChange`; a new outcome has the same fields. */
export type OutcomeFieldsIn = Static<typeof OutcomeChange>

const FieldOut = Type.Object({
  name: Type.String(),
  kind: Type.String({ description: FIELD_KINDS.join(', ') }),
  required: Type.Boolean({ description: 'Nothing is saved without it' }),
  choices: Type.Array(Type.String(), { description: 'The values to choose from; empty for the other kinds' }),
})

/** The object itself. */
export const OUTCOME = shape<Outcome>({
  outcomeId: int(({ id }) => id),
  name: text(({ name }) => name),
  key: field(Type.Union([Type.String(), Type.Null()], { description: '1 to 9; null: no key' }), ({ key }) => key),
  final: flag(({ isFinal }) => isFinal),
  needsCallBackDate: flag(({ needsCallback }) => needsCallback),
  fields: field(Type.Array(FieldOut), ({ fields }) => fields.map(fieldOut)),
  active: flag(({ isActive }) => isActive, 'Whether agents can choose it; a retired outcome stays in old answers'),
  version: int(({ version }) => version, 'Grows with each change; the ETag is "outcomeId-version"'),
  creationTs: instant(({ createdAtMs }) => createdAtMs, 'When it was made.'),
  updateTs: instant(({ updatedAtMs }) => updatedAtMs, 'When it was last changed.'),
})

function fieldOut({ name, kind, isRequired, choices }: OutcomeField) {
  return { name, kind, required: isRequired, choices: [...choices] }
}

function closed() {
  return { additionalProperties: false } as const
}
