import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  type CheckedCallTask,
  checkCallTask,
  checkCallTasks,
  type GivenCallTask,
  type ImportRules,
} from '../../src/dialer/check-import.ts'
import { normalizeNumber } from '../../src/dialer/phone-number.ts'
import { cleanText } from '../../src/kernel/clean-text.ts'

const RULES: ImportRules = { country: 'DK', allowedCountries: ['DK'], skipInvalidNumbers: false, fields: new Set([5]) }

const given = (change: Partial<GivenCallTask> = {}): GivenCallTask => ({
  receiverName: 'Jane Doe',
  numbers: ['+4526000001'],
  externalCustomer: undefined,
  externalCaseNumber: undefined,
  properties: undefined,
  ...change,
})
const check = (change: Partial<GivenCallTask>, rules: Partial<ImportRules> = {}) =>
  checkCallTask(given(change), 4, { ...RULES, ...rules })
const kindsOf = (checked: CheckedCallTask) => (checked.ok ? [] : checked.kinds)
const numbersOf = (checked: CheckedCallTask) => (checked.ok ? checked.task.numbers.map(({ number }) => number) : [])

describe('a call task', () => {
  test('keeps its position when valid, and omits absent fields', () => {
    expect(check({})).toEqual({
      ok: true,
      task: {
        index: 4,
        receiverName: 'Jane Doe',
        numbers: [{ given: '+4526000001', number: '+4526000001' }],
        properties: [],
      },
    })
  })

  test('with several mistakes gets all errors, in the order of the codes', () => {
    const checked = check({ receiverName: 7, numbers: [], externalCustomer: {}, properties: [null] })
    expect(kindsOf(checked)).toEqual(['unexpected', 'propertyWrong', 'nameMissing', 'numbersMissing'])
  })

  test('is refused, or loses the number, when the country of the number is not allowed', () => {
    const numbers = ['+46701234567', '+4526000001']
    expect(kindsOf(check({ numbers }))).toEqual(['numberInvalid'])
    expect(numbersOf(check({ numbers }, { skipInvalidNumbers: true }))).toEqual(['+4526000001'])
    expect(numbersOf(check({ numbers }, { allowedCountries: ['DK', 'SE'] }))).toEqual(numbers)
    expect(kindsOf(check({ numbers: numbers.slice(0, 1) }, { skipInvalidNumbers: true }))).toEqual(['numberInvalid'])
  })

  test('counts an emoji as one of 255 characters, added text included', () => {
    const value = { field: 5, value: 'x'.repeat(5), addToName: true }
    expect(kindsOf(check({ receiverName: '\u{1F600}'.repeat(255) }))).toEqual([])
    expect(kindsOf(check({ receiverName: '\u{1F600}'.repeat(256) }))).toEqual(['nameMissing'])
    expect(kindsOf(check({ receiverName: 'n'.repeat(249), properties: [value] }))).toEqual([])
    expect(kindsOf(check({ receiverName: 'n'.repeat(250), properties: [value] }))).toEqual(['nameMissing'])
    expect(kindsOf(check({ receiverName: `a${'\u0301'.repeat(1_000_000)}` }))).toEqual(['nameMissing'])
  })
})

test('checking a long list yields to the event loop between its parts', async () => {
  let turns = 0
  const list = Array.from({ length: 1_000 }, () => given())
  const checked = await checkCallTasks(list, 50, RULES, async () => void turns++)
  expect(checked).toHaveLength(1_000)
  expect(checked.at(-1)).toMatchObject({ ok: true, task: { index: 1_049 } })
  expect(turns).toBe(9)
})

describe('any input', () => {
  test('the check answers, and no answer repeats a number', () => {
    const anything = fc.oneof(fc.anything(), fc.string({ unit: 'binary' }))
    const numbers = fc.oneof(fc.array(fc.oneof(fc.string({ unit: 'binary' }), anything)), anything)
    const task = fc.record({
      receiverName: anything,
      numbers,
      externalCustomer: anything,
      externalCaseNumber: anything,
      properties: anything,
    })
    fc.assert(
      fc.property(task, (one) => {
        const checked = checkCallTask(one, 0, RULES)
        if (!checked.ok) expect(checked.text).not.toMatch(/[0-9]{5}/)
        else for (const { number } of checked.task.numbers) expect(number).toMatch(/^\+45[0-9]{8}$/)
      }),
      { numRuns: 2_000 },
    )
  })

  test('a number is dialed as plus and ASCII digits, or not at all', () => {
    const written = fc.string({
      unit: fc.constantFrom(...'0123456789+ -().;&@/*#abٱ٢２\u202a\u00ad\u200f'),
      maxLength: 24,
    })
    fc.assert(
      fc.property(written, (text) => {
        const number = normalizeNumber(text, 'DK')
        if (number !== undefined) expect(number).toMatch(/^\+[1-9][0-9]{6,14}$/)
        // Letters, extensions and the words of addresses never become a number.
        if (/[ab;&@*#]/.test(text)) expect(number).toBeUndefined()
      }),
      { numRuns: 5_000 },
    )
  })

  test('a kept text is one line, composed, well-formed, and cleaning it again changes nothing', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 40 }), (text) => {
        const clean = cleanText(text)
        expect(clean).not.toMatch(/[\p{Cc}\u202A-\u202E\u2066-\u2069]/u)
        expect(clean.isWellFormed()).toBe(true)
        expect(cleanText(clean)).toBe(clean)
      }),
      { numRuns: 3_000 },
    )
  })
})
