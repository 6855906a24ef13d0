/** Whether an outcome that an agent chose fits its catalogue (campaigns-104). */
import type { AtMs } from '../kernel/clock.ts'
import type { OutcomeGiven, WrongPart } from '../ports/agent-desktop.ts'
import type { FieldValue, Outcome, OutcomeField } from '../ports/outcome.ts'

/** `why` says what is wrong and what helps, for the agent. */
export interface OutcomeRefusal {
  readonly about: WrongPart
  readonly why: string
}

/** The outcome itself, or why nothing can be saved. */
export function readOutcome(
  catalogue: readonly Outcome[],
  given: OutcomeGiven,
  nowMs: AtMs,
  owner: 'campaign' | 'team' = 'campaign',
): Outcome | OutcomeRefusal {
  const outcome = catalogue.find(({ id }) => id === given.outcome)
  if (!outcome) return { about: 'outcome', why: `The ${owner} has no such outcome. Choose one of its catalogue.` }
  if (!outcome.isActive) {
    return { about: 'outcome', why: `The outcome "${outcome.name}" is retired. Choose another one.` }
  }
  return wrongDate(outcome, given, nowMs) ?? wrongField(outcome, given.fields) ?? outcome
}

/** Tells the two answers of `readOutcome` apart. */
export function isRefused(read: Outcome | OutcomeRefusal): read is OutcomeRefusal {
  return 'why' in read
}

function wrongDate(
  { name, needsCallback, isFinal }: Outcome,
  { callback }: OutcomeGiven,
  nowMs: AtMs,
): OutcomeRefusal | undefined {
  const wrong = (why: string): OutcomeRefusal => ({ about: 'callback', why })
  if (!callback) return needsCallback ? wrong(`The outcome "${name}" needs the date of a callback.`) : undefined
  if (isFinal) {
    return wrong(`The outcome "${name}" ends the call task: nobody calls back. Leave the date out, or choose another.`)
  }
  return callback.atMs <= nowMs ? wrong('The date of a callback must be in the future.') : undefined
}

function wrongField({ name, fields }: Outcome, values: readonly FieldValue[]): OutcomeRefusal | undefined {
  for (const [place, given] of values.entries()) {
    const field = fields.find((one) => one.name === given.name)
    const isTwice = values.findIndex((one) => one.name === given.name) < place
    if (!field) return { about: place, why: `The outcome "${name}" has no field "${given.name}". Leave it out.` }
    if (isTwice) return { about: place, why: `The field "${given.name}" is given twice. Leave one of them out.` }
    const must = whyNot(field, given.value)
    if (must !== undefined) return { about: place, why: `The field "${given.name}" must be ${must}.` }
  }
  const missing = fields.find((one) => one.isRequired && !values.some((given) => given.name === one.name))
  return missing && { about: 'fields', why: `The outcome "${name}" needs its field "${missing.name}".` }
}

const DAY = /^\d{4}-\d\d-\d\d$/

/** What the value must be; undefined if it is that. */
function whyNot({ kind, choices }: OutcomeField, value: string | number): string | undefined {
  switch (kind) {
    case 'text':
      return typeof value === 'string' && value.trim() !== '' ? undefined : 'a text that is not blank'
    case 'number':
      return typeof value === 'number' ? undefined : 'a number'
    case 'date':
      return typeof value === 'string' && isDay(value) ? undefined : 'a day such as 2026-01-31'
    case 'choice':
      return choices.some((choice) => choice === value) ? undefined : `one of ${choices.join(', ')}`
  }
}

/** Also whether the month has such a day. */
function isDay(text: string): boolean {
  const atMs = DAY.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN
  return Number.isFinite(atMs) && new Date(atMs).toISOString().startsWith(text)
}
