import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  signsApart,
  spokenDate,
  spokenDigits,
  spokenMoney,
  spokenNumber,
  writtenDate,
  writtenMoney,
  writtenTime,
} from '../../../src/flow/model/spoken.ts'

describe('digits', () => {
  test.each([
    ['4711', '4, 7, 1, 1'],
    [4711, '4, 7, 1, 1'],
    ['0047', '0, 0, 4, 7'],
    ['RF18 53-9', 'R, F, 1, 8, 5, 3, 9'],
    ['+45#', 'plus, 4, 5, hash'],
    ['unknown', 'unknown'],
  ])('%j is said as %s', (value, said) => {
    expect(spokenDigits(value, 'en')).toBe(said)
  })

  test.each([[''], [' '], [null], [undefined], [1.5], [-3], [{}], [['1']], [true], ['1'.repeat(65)]])(
    '%j is not spoken',
    (value) => {
      expect(spokenDigits(value, 'en')).toBeUndefined()
    },
  )
})

describe('sounds of digits', () => {
  test('case numbers and telephone numbers are said from the same few sounds', () => {
    const numbers = fc.array(fc.stringMatching(/^[+#*]?[0-9]{2,20}$/), { minLength: 50, maxLength: 50 })
    fc.assert(
      fc.property(numbers, (values) => {
        const said = values.map((value) => spokenDigits(value, 'en')!)
        const sounds = said.map(signsApart)
        expect(sounds.map((parts) => parts.join(' '))).toEqual(said)
        // Each digit and sign, in the middle and at the end.
        expect(new Set(sounds.flat()).size).toBeLessThanOrEqual(26)
      }),
    )
  })

  test.each([['unknown'], ['Yes, no'], ['4, 7 and 1'], ['You have 4, 7, 1'], ['']])('"%s" stays whole', (text) => {
    expect(signsApart(text)).toEqual([text])
  })
})

describe('numbers', () => {
  test.each([
    [0, 'en', '0'],
    [-5, 'en', 'minus 5'],
    ['12.50', 'en', '12.5'],
    [12.5, 'et', '12,5'],
    [1234567, 'de', '1234567'],
    [0.1 + 0.2, 'en', '0.3'],
    [-1e-3 / 3, 'en', 'minus 0.000333'],
  ])('%j in %s is said as %s', (value, language, said) => {
    expect(spokenNumber(value, language)).toBe(said)
  })
})

describe('money', () => {
  test.each([
    [120.5, 'EUR', '120 euros and 50 cents'],
    [1, 'EUR', '1 euro'],
    [1.01, 'EUR', '1 euro and 1 cent'],
    [0.99, 'USD', '99 cents'],
    [0, 'EUR', '0 euros'],
    ['120.50', 'EUR', '120 euros and 50 cents'],
    [-2, 'EUR', 'minus 2 euros'],
    [-0.001, 'EUR', '0 euros'],
    [1.005, 'EUR', '1 euro and 1 cent'],
    [19.999, 'EUR', '20 euros'],
    [2.01, 'GBP', '2 pounds and 1 penny'],
    [2.5, 'GBP', '2 pounds and 50 pence'],
    [1, 'DKK', '1 krone'],
    [2, 'SEK', '2 kronor'],
    [2.25, 'NOK', '2 kroner and 25 øre'],
    [5, 'CHF', '5 francs'],
    [5.01, 'PLN', '5 zlotys and 1 grosz'],
    [1200, 'JPY', '1,200 Japanese yen'],
  ])('%j %s is said as %s', (value, currency, said) => {
    expect(spokenMoney(value, currency, 'en')).toBe(said)
  })

  test('other languages format amounts in their own way, with plain spaces', () => {
    expect(spokenMoney(120.5, 'EUR', 'et')).toBe('120,50 eurot')
    expect(spokenMoney(120.5, 'EUR', 'de')).toBe('120,50 Euro')
    expect(writtenMoney(1234.5, 'EUR', 'et')).toBe('1234,50 €')
  })

  test('an unknown language falls back to English, whatever the system locale', () => {
    expect(spokenMoney(2, 'JPY', 'xx')).toBe('2 Japanese yen')
    expect(writtenDate('2026-03-02', 'xx')).toBe('Mar 2, 2026')
  })

  test('given any value, NaN is never spoken', () => {
    fc.assert(
      fc.property(fc.anything(), fc.constantFrom('en', 'et', 'de'), (value, language) => {
        for (const said of [
          spokenMoney(value, 'EUR', language),
          spokenNumber(value, language),
          writtenMoney(value, 'EUR', language),
        ]) {
          expect(said ?? '').not.toMatch(/NaN|Infinity|undefined|object/)
        }
      }),
    )
  })

  test('whole cents survive formatting', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 1e9 }), (cents) => {
        const [, euros = '0'] = /(\d+) euro/.exec(spokenMoney(cents / 100, 'EUR', 'en')!) ?? []
        const [, rest = '0'] = /(\d+) cent/.exec(spokenMoney(cents / 100, 'EUR', 'en')!) ?? []
        expect(Number(euros) * 100 + Number(rest)).toBe(cents)
      }),
    )
  })
})

describe('dates', () => {
  test.each([
    ['2026-03-02', 'March 2nd, 2026'],
    ['2026-03-02T23:59:59Z', 'March 2nd, 2026'],
    ['2026-03-02T00:10:00+02:00', 'March 2nd, 2026'],
    ['2026-01-01', 'January 1st, 2026'],
    ['2026-01-03', 'January 3rd, 2026'],
    ['2026-01-11', 'January 11th, 2026'],
    ['2026-01-22', 'January 22nd, 2026'],
    ['2024-02-29', 'February 29th, 2024'],
  ])('%s is said as %s', (value, said) => {
    expect(spokenDate(value, 'en')).toBe(said)
  })

  test('an instant is formatted in the requested zone, a day is not', () => {
    expect(spokenDate('2026-03-02T23:30:00Z', 'en', 'Europe/Tallinn')).toBe('March 3rd, 2026')
    expect(spokenDate('2026-03-02', 'en', 'Pacific/Auckland')).toBe('March 2nd, 2026')
    expect(writtenTime('2026-03-02T10:00:00Z', 'et', 'Europe/Tallinn')).toBe('12:00')
    expect(writtenTime('2026-03-02', 'en')).toBeUndefined()
    expect(spokenDate('2026-03-02', 'et')).toBe('2. märts 2026')
  })

  test.each([
    '',
    'tomorrow',
    '2026-02-30',
    '2026-13-01',
    '2026-00-10',
    '2026-01-01T25:00',
    '02.03.2026',
    1_772_409_600_000,
    null,
    {},
  ])('%j is no date', (value) => {
    expect(spokenDate(value, 'en')).toBeUndefined()
  })
})
