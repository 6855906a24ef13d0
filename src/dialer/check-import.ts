/** Checks call tasks of an import without the database (D-07), for the API and spreadsheets alike (contract.md §1). */

import { cleanText } from '../kernel/clean-text.ts'
import type { AtMs } from '../kernel/clock.ts'
import type { NewCallTask, TaskProperty } from '../ports/dialer-repository.ts'
import { normalizeNumber } from './phone-number.ts'
import { examineNumber, numberCheckOf } from './phone-zone.ts'

export interface GivenCallTask {
  readonly receiverName: unknown
  readonly numbers: unknown
  readonly externalCustomer: unknown
  readonly externalCaseNumber: unknown
  /** Language of the customer, BCP 47. */
  readonly language?: unknown
  readonly properties: unknown
  /** Instants in milliseconds. */
  readonly validFrom?: unknown
  readonly validTo?: unknown
  readonly priority?: unknown
}

export interface GivenProperty {
  readonly field: unknown
  readonly value: unknown
  readonly addToName: unknown
}

export interface ImportRules {
  /** Country of numbers without `+`; ISO 3166-1. */
  readonly country: string | undefined
  readonly allowedCountries: readonly string[]
  readonly skipInvalidNumbers: boolean
  /** As of the campaign. */
  readonly acceptsPossibleNumbers?: boolean | undefined
  readonly fields: ReadonlySet<number>
}

/** Why a call task is refused without looking at the database, in the order of the contract's codes. */
const GIVEN_FAULTS = ['unexpected', 'propertyWrong', 'nameMissing', 'numbersMissing', 'numberInvalid'] as const

type GivenFault = (typeof GIVEN_FAULTS)[number]

/** A valid call task, or every problem with it. No text repeats a phone number. */
export type CheckedCallTask =
  | { readonly ok: true; readonly task: NewCallTask }
  | { readonly ok: false; readonly index: number; readonly kinds: readonly GivenFault[]; readonly text: string }

/** Smallest and largest priority of a call task; higher ones are dialed first. Our choice: room for finer lists. */
export const PRIORITY = { minimum: -100, maximum: 100 } as const

/** Whether a request may give this priority. */
export function isPriority(given: unknown): given is number {
  return Number.isInteger(given) && Number(given) >= PRIORITY.minimum && Number(given) <= PRIORITY.maximum
}

/** The limits of one call task: of its lists, and of its texts in characters (D-30). */
export const CALL_TASK_LIMITS = { numbers: 20, properties: 50, name: 255, code: 64, value: 1_000 } as const
const { numbers: NUMBERS_MAX, properties: PROPERTIES_MAX, name: NAME_MAX } = CALL_TASK_LIMITS
const { code: CODE_MAX, value: VALUE_MAX } = CALL_TASK_LIMITS
/** Tasks checked before the event loop continues; about 3 ms. */
const TASKS_AT_A_TIME = 100

/** Checks a list and yields to the event loop in between: 10,000 tasks never delay a call. */
export async function checkCallTasks(
  given: readonly GivenCallTask[],
  firstIndex: number,
  rules: ImportRules,
  pause: () => Promise<void>,
): Promise<readonly CheckedCallTask[]> {
  const checked: CheckedCallTask[] = []
  for (const [place, task] of given.entries()) {
    if (place > 0 && place % TASKS_AT_A_TIME === 0) await pause()
    checked.push(checkCallTask(task, firstIndex + place, rules))
  }
  return checked
}

/** Checks one call task; `index` is its place in the import. */
export function checkCallTask(given: GivenCallTask, index: number, rules: ImportRules): CheckedCallTask {
  const found = new Findings()
  const properties = readProperties(given.properties, rules, found)
  const { contactName, receiverName } = readName(given.receiverName, properties, found)
  const numbers = readNumbers(given.numbers, rules, found)
  const externalCustomer = readCode(given.externalCustomer, 'the customer number', found)
  const externalCaseNumber = readCode(given.externalCaseNumber, 'the case number', found)
  const language = readLanguage(given.language, found)
  const validity = readValidity(given, found)
  const priority = readPriority(given.priority, found)
  if (!found.isEmpty) return { ok: false, index, ...found.result() }
  const task: NewCallTask = {
    index,
    receiverName,
    ...(contactName === receiverName ? {} : { contactName }),
    numbers,
    properties: properties.map(({ field, value }) => ({ field, value })),
    ...(externalCustomer === undefined ? {} : { externalCustomer }),
    ...(externalCaseNumber === undefined ? {} : { externalCaseNumber }),
    ...(language === undefined ? {} : { language }),
    ...validity,
    ...(priority === undefined ? {} : { priority }),
  }
  return { ok: true, task }
}

/** Checks the numbers of a call task alone, by the rules of an import. */
export function checkNumbers(given: readonly string[], rules: Omit<ImportRules, 'fields'>) {
  const found = new Findings()
  const numbers = readNumbers(given, rules, found)
  if (found.isEmpty) return { ok: true as const, numbers }
  return { ok: false as const, kind: 'numberInvalid' as const, text: found.result().text }
}

const SHOWS_SOMETHING = /[\p{L}\p{N}\p{P}\p{S}]/u

interface NamedProperty extends TaskProperty {
  readonly addToName: boolean
}

class Findings {
  readonly #kinds = new Set<GivenFault>()
  readonly #texts: string[] = []

  get isEmpty(): boolean {
    return this.#texts.length === 0
  }

  say(kind: GivenFault, text: string): void {
    this.#kinds.add(kind)
    this.#texts.push(text)
  }

  result() {
    return { kinds: GIVEN_FAULTS.filter((kind) => this.#kinds.has(kind)), text: this.#texts.join('; ') }
  }
}

/** The name, and the name with what is added to it. */
function readName(given: unknown, properties: readonly NamedProperty[], found: Findings) {
  const name = typeof given === 'string' && given.length <= NAME_MAX * 8 ? cleanText(given) : ''
  if (typeof given !== 'string' || (given.length <= NAME_MAX * 8 && !SHOWS_SOMETHING.test(name))) {
    found.say('nameMissing', 'the name is missing, is no text, or is blank')
    return { contactName: name, receiverName: name }
  }
  const added = properties.filter(({ addToName }) => addToName).map(({ value }) => value.trim())
  const whole = [name, ...added].filter((part) => part !== '').join(' ')
  if (name === '' || lengthOf(whole) > NAME_MAX) {
    found.say('nameMissing', `the name has more than ${NAME_MAX} characters, with what is added to it`)
  }
  return { contactName: name, receiverName: whole }
}

function readNumbers(given: unknown, rules: Omit<ImportRules, 'fields'>, found: Findings): NewCallTask['numbers'] {
  if (!Array.isArray(given) || given.length === 0) {
    const what = Array.isArray(given) ? 'is empty' : given === undefined || given === null ? 'is missing' : 'is none'
    found.say('numbersMissing', `the list of numbers ${what}`)
    return []
  }
  if (given.length > NUMBERS_MAX) {
    found.say('numberInvalid', `the list has more than ${NUMBERS_MAX} numbers`)
    return []
  }
  const read = given.map((entry: unknown, place) => readNumber(entry, `number ${place + 1} of the list`, rules))
  const good = read.filter((number) => typeof number !== 'string')
  const bad = read.filter((number) => typeof number === 'string')
  const isRefused = bad.length > 0 && (!rules.skipInvalidNumbers || good.length === 0)
  if (isRefused) found.say('numberInvalid', bad.join('; '))
  return good
}

/** One number by the rules of an import; a text says what is wrong with it. `where` begins the sentence. */
export function readNumber(
  given: unknown,
  where: string,
  rules: Omit<ImportRules, 'fields'>,
): NewCallTask['numbers'][number] | string {
  if (typeof given !== 'string') return `${where} is no text`
  const number = normalizeNumber(given, rules.country)
  if (number === undefined) return `${where} is no telephone number; write + and digits`
  const facts = examineNumber(number, numberCheckOf(rules))
  if (!facts.ok) return `${where} ${WHY_NOT[facts.why]}`
  if (!rules.allowedCountries.includes(facts.country)) return `${where} is in a country the campaign may not call`
  return { given: cleanText(given), number }
}

const WHY_NOT: Readonly<Record<Extract<ReturnType<typeof examineNumber>, { ok: false }>['why'], string>> = {
  notInternational: 'is no telephone number; write + and digits',
  tooShort: 'is an emergency or another short number',
  notInUse: 'is not in use in its country',
  noCountry: 'belongs to no country',
  costly: 'costs more than a call to a person',
  noPerson: 'is not the number of a person or an office',
}

/** A single entry may stand without a list: the contract declares an object and shows a list (contract.md §2.1). */
function readProperties(given: unknown, rules: ImportRules, found: Findings): NamedProperty[] {
  if (given === undefined || given === null) return []
  const entries: readonly unknown[] = Array.isArray(given) ? given : [given]
  if (entries.length > PROPERTIES_MAX) {
    found.say('propertyWrong', `there are more than ${PROPERTIES_MAX} properties`)
    return []
  }
  return entries.flatMap((entry, place) => readProperty(entry, `property ${place + 1}`, rules, found) ?? [])
}

function readProperty(given: unknown, where: string, rules: ImportRules, found: Findings): NamedProperty | undefined {
  const wrong = (text: string) => {
    found.say('propertyWrong', `${where}${text}`)
    return undefined
  }
  if (typeof given !== 'object' || given === null || Array.isArray(given)) return wrong(' is no object')
  const { field, value, addToName = false } = given as Partial<GivenProperty>
  const id = readId(field)
  if (id === undefined || !rules.fields.has(id)) return wrong(' names no information field that there is')
  const text = readText(value)
  if (text === undefined) return wrong(' has no value, or one that is no text')
  if (lengthOf(text) > VALUE_MAX) return wrong(` has a value of more than ${VALUE_MAX} characters`)
  if (typeof addToName !== 'boolean') return wrong(' says neither true nor false about being added to the name')
  return { field: id, value: text, addToName }
}

function readValidity({ validFrom, validTo }: GivenCallTask, found: Findings) {
  const limits = Object.entries({ validFrom, validTo }).filter(([, limit]) => limit !== undefined && limit !== null)
  for (const [name, limit] of limits) {
    if (!Number.isSafeInteger(limit)) found.say('unexpected', `${name} is no timestamp; write ISO 8601 with an offset`)
  }
  const { validFrom: from, validTo: to } = Object.fromEntries(limits) as Record<string, AtMs | undefined>
  if (from !== undefined && to !== undefined && to <= from) {
    found.say('unexpected', 'validTo is not later than validFrom')
  }
  return { ...(from !== undefined && { validFromAtMs: from }), ...(to !== undefined && { validToAtMs: to }) }
}

/** A language and, where it matters, a script or a country: `et`, `pt-BR`. */
const LANGUAGE = /^[a-z]{2,3}(-[a-z0-9]{2,8}){0,2}$/i

/** Whether a text names a language as BCP 47 does. */
export function isLanguage(text: string): boolean {
  return LANGUAGE.test(text)
}

/** Absent, null and blank mean no value. */
function readLanguage(given: unknown, found: Findings): string | undefined {
  if (given === undefined || given === null || given === '') return undefined
  if (typeof given === 'string' && isLanguage(given)) return given
  found.say('unexpected', 'language is no language tag; write one such as et or pt-BR')
  return undefined
}

function readPriority(given: unknown, found: Findings): number | undefined {
  if (given === undefined || given === null) return undefined
  if (isPriority(given)) return given
  found.say('unexpected', `priority is no whole number from ${PRIORITY.minimum} to ${PRIORITY.maximum}`)
  return undefined
}

/** Absent, null and blank mean no value. An exact number is read as text (D-07). */
function readCode(given: unknown, name: string, found: Findings): string | undefined {
  if (given === undefined || given === null) return undefined
  const text = readText(given)
  if (text === undefined) found.say('unexpected', `${name} is neither a text nor a whole number`)
  else if (lengthOf(text) > CODE_MAX) found.say('unexpected', `${name} has more than ${CODE_MAX} characters`)
  return text === '' ? undefined : text
}

function readText(given: unknown): string | undefined {
  if (typeof given === 'number') return Number.isSafeInteger(given) ? String(given) : undefined
  return typeof given === 'string' && given.length <= VALUE_MAX * 8 ? cleanText(given) : undefined
}

/** A whole number, or its decimal text (D-05). */
function readId(given: unknown): number | undefined {
  const id = typeof given === 'string' && /^[0-9]{1,15}$/.test(given) ? Number(given) : given
  return typeof id === 'number' && Number.isSafeInteger(id) ? id : undefined
}

/** Length in code points. */
function lengthOf(text: string): number {
  return text.length <= CODE_MAX / 2 ? text.length : [...text].length
}
