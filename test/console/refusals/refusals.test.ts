/** What the node refuses is read in the language of the page: every sentence that the source has (console-32). */
import { Type } from 'typebox'
import { expect, test } from 'vitest'
import { SwitchboardProblem } from '../../../src/client/problem.ts'
import { knownOf, REFUSALS, spoken, spokenRefusal } from '../../../src/console/texts/spoken-refusal.ts'
import { inputReader } from '../../../src/rest/http/validate-input.ts'
import { sentencesOf, VALUE } from './said-sentences.ts'
import { ANSWERS, FOR_PROGRAMS } from './sources.ts'

const said = [...new Set(Object.entries(ANSWERS).flatMap(([path, sinks]) => sentencesOf(path, sinks)))]
/** Places are numbered: what an entry takes for a value is one, or a sentence of its own. */
const MARK = /^⟨\d+⟩$/
const marked = (sentence: string) => {
  let count = 0
  return sentence.replaceAll(VALUE, () => `⟨${count++}⟩`)
}

/** The entries by which a sentence is known; undefined: it is not. */
function entriesOf(sentence: string): string[] | undefined {
  const known = knownOf(sentence)
  if (!known) return undefined
  const within = Object.values(known.values).map((value) => (MARK.test(value) ? [] : entriesOf(value)))
  return within.some((one) => one === undefined) ? undefined : [known.key, ...within.flatMap((one) => one ?? [])]
}

const places = (text: string) => [...text.matchAll(/\{\w+\}/g)].map(([place]) => place).sort()

test('every sentence of the source that a person may get has an entry', () => {
  expect(said.length).toBeGreaterThan(150)
  const unknown = said.filter((one) => !(one in FOR_PROGRAMS) && !entriesOf(marked(one)))
  expect(unknown).toEqual([])
})

test('every entry is a sentence of the source still', () => {
  const used = new Set(said.flatMap((one) => entriesOf(marked(one)) ?? []))
  expect(Object.keys(REFUSALS).filter((key) => !used.has(key))).toEqual([])
})

test('what is for programs alone is still said, and has no entry', () => {
  expect(Object.keys(FOR_PROGRAMS).filter((one) => !said.includes(one) || entriesOf(marked(one)))).toEqual([])
})

test.for([
  ['too long', Type.String({ maxLength: 3 }), 'long'],
  ['too short', Type.String({ minLength: 2 }), ''],
  ['of another form', Type.String({ pattern: '^[0-9]$' }), 'a'],
  ['no date', Type.String({ format: 'date-time' }), 'x'],
  ['no number', Type.Number(), 'x'],
  ['no number and no text', Type.Union([Type.Number(), Type.String()]), {}],
  ['no whole number', Type.Integer(), 'x'],
  ['too small', Type.Integer({ minimum: 3 }), 1],
  ['too large', Type.Integer({ maximum: 3 }), 9],
  ['missing', Type.String(), undefined],
] as const)('a field that is %s is told in the language of the page', ([, schema, field]) => {
  const reading = inputReader(Type.Object({ field: schema }), 'body')(JSON.parse(JSON.stringify({ field })))
  const [error] = reading.ok ? [] : reading.errors
  expect(error?.path).toBe('field')
  expect(spoken(error!.message, 'da')).toMatch(/^Dette (er|skal|må) /)
  expect(spoken(error!.message, 'en')).toMatch(/^This (is|must) /)
})

test('every text has the places of its sentence; of a pair both have the same', () => {
  const wrong = Object.entries(REFUSALS).filter(([key, texts]) => {
    if (typeof texts === 'string') return `${places(texts)}` !== `${places(key)}`
    const [english, danish] = texts.map(places)
    return `${english}` !== `${danish}` || english?.some((place) => !places(key).includes(place))
  })
  expect(wrong).toEqual([])
})

test('values stay as they are, and what is unknown too', () => {
  const whole = 'The outcome "Lovet {field} $1" needs its field "The line is busy.".'
  expect(spoken(whole, 'da')).toBe('Udfaldet "Lovet {field} $1" kræver feltet "The line is busy.".')
  expect(spoken(whole, 'en')).toBe(whole)
  const refused = '+4520123456 is not called: The time zone of the person is unknown.'
  expect(spoken(refused, 'da')).toBe('+4520123456 ringes ikke op: Personens tidszone er ukendt.')
  expect(spoken('A newer node says this.', 'da')).toBe('A newer node says this.')
  expect(spoken('constructor', 'da')).toBe('constructor')
})

test('a refused field is told by its own sentence where that is known, else with its path', () => {
  const problem = (message: string) => {
    const body = { detail: `code: ${message}`, errors: [{ path: 'code', code: 'wrong', message }] }
    return new SwitchboardProblem('PUT /rest/core/session/second-factor', { status: 400, body })
  }
  const known = problem('this is not the code of now; check the clock of the phone')
  expect(spokenRefusal(known, 'da')).toBe('Det er ikke den kode, der gælder nu; kontrollér telefonens ur.')
  expect(spokenRefusal(problem('is too new'), 'da')).toBe('code: is too new')
})
