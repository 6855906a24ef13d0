/** The rules of a catalogue of outcomes. Pure: the store runs them while it holds the catalogue locked. */
import { cleanText } from '../../kernel/clean-text.ts'
import type { Outcome, OutcomeField, OutcomeRules, OutcomeToSave } from '../../ports/outcome.ts'
import type { FieldError } from '../http/problem-kinds.ts'
import type { OutcomeFieldsIn } from './outcome-schema.ts'

/** Our choice: what an agent can still read and choose during a call. */
export const OUTCOMES_MAX = 30
/** With the retired ones, which stay for ever. */
const KEPT_MAX = 500

const NONE: OutcomeRules = {
  name: '',
  key: null,
  isFinal: false,
  needsCallback: false,
  fields: [],
  isActive: true,
}

/** Queues have the outcomes of calls that come in, which are about no call task. */
type OwnerKind = 'campaign' | 'queue'

const NO_TASK = 'a call that came in has no call task'

type Decided = OutcomeToSave | FieldError[]

/** A new outcome of the catalogue, or what is wrong with it. */
export function newOutcome(present: readonly Outcome[], given: OutcomeFieldsIn, owner: OwnerKind): Decided {
  if (present.length >= KEPT_MAX) {
    const message = `the ${owner} has had ${KEPT_MAX} outcomes; bring a retired one back, and rename it`
    return [{ path: 'name', code: 'tooMany', message }]
  }
  return checked(present, merged(NONE, given), owner)
}

/** The outcome after a change, or what is wrong with it. */
export function changedOutcome(
  present: readonly Outcome[],
  before: Outcome,
  given: OutcomeFieldsIn,
  owner: OwnerKind,
): Decided {
  const others = present.filter(({ id }) => id !== before.id)
  const after = checked(others, merged(before, given), owner)
  return Array.isArray(after) ? after : { ...after, id: before.id }
}

function merged(before: OutcomeRules, given: OutcomeFieldsIn): OutcomeRules {
  return {
    name: given.name === undefined ? before.name : cleanText(given.name),
    key: given.key === undefined ? before.key : given.key,
    isFinal: given.final ?? before.isFinal,
    needsCallback: given.needsCallBackDate ?? before.needsCallback,
    fields: given.fields === undefined ? before.fields : given.fields.map(fieldOf),
    isActive: given.active ?? before.isActive,
  }
}

function fieldOf({ name, kind, required = false, choices = [] }: NonNullable<OutcomeFieldsIn['fields']>[number]) {
  return { name: cleanText(name), kind, isRequired: required, choices: choices.map(cleanText) }
}

function checked(others: readonly Outcome[], rules: OutcomeRules, owner: OwnerKind): OutcomeRules | FieldError[] {
  const errors: FieldError[] = []
  const wrong = (path: string, code: string, message: string) => errors.push({ path, code, message })
  const { name, key, isFinal, needsCallback, fields, isActive } = rules
  const active = isActive ? others.filter((other) => other.isActive) : []
  if (name === '') wrong('name', 'blank', 'is blank; write what the agent is to read')
  const namesake = active.find((other) => other.name.toLowerCase() === name.toLowerCase())
  if (namesake) wrong('name', 'taken', `another active outcome has this name; choose another, or retire ${namesake.id}`)
  const holder = key === null ? undefined : active.find((other) => other.key === key)
  if (holder) wrong('key', 'taken', `the outcome "${holder.name}" has this key; choose another, or take it away there`)
  if (active.length >= OUTCOMES_MAX) {
    wrong('active', 'tooMany', `the ${owner} has ${OUTCOMES_MAX} active outcomes; retire one first`)
  }
  if (isFinal && needsCallback) {
    wrong('needsCallBackDate', 'final', 'a final outcome ends the call task: nobody calls back; set one of the two')
  }
  if (owner === 'queue' && isFinal) wrong('final', 'noTask', `is true, and ${NO_TASK} to be ended; leave it out`)
  if (owner === 'queue' && needsCallback) {
    wrong('needsCallBackDate', 'noTask', `is true, and ${NO_TASK} to be called back; leave it out`)
  }
  for (const [place, field] of fields.entries()) checkField(fields, field, place, wrong)
  return errors.length > 0 ? errors : rules
}

function checkField(
  fields: readonly OutcomeField[],
  { name, kind, choices }: OutcomeField,
  place: number,
  wrong: (path: string, code: string, message: string) => void,
): void {
  const path = `fields[${place}]`
  if (name === '') wrong(`${path}.name`, 'blank', 'is blank; write what the agent is to read')
  if (fields.findIndex((other) => other.name === name) < place) {
    wrong(`${path}.name`, 'twice', 'another field of the outcome has this name; choose another')
  }
  const hasChoices = choices.length > 0
  if (kind === 'choice' && !hasChoices) wrong(`${path}.choices`, 'required', 'a choice needs its values')
  if (kind !== 'choice' && hasChoices)
    wrong(`${path}.choices`, 'kind', 'only the kind choice has choices; leave it out')
  const isTwice = choices.some((choice, at) => choice === '' || choices.indexOf(choice) < at)
  if (isTwice) wrong(`${path}.choices`, 'twice', 'has a blank value, or one value twice; take it out')
}
