import { getCountries, getExampleNumber } from 'libphonenumber-js'
import examples from 'libphonenumber-js/mobile/examples'
import { expect, test } from 'vitest'
import { isZone } from '../../src/dialer/call-window.ts'
import { examineNumber, type NumberFault } from '../../src/dialer/phone-zone.ts'

const CALLABLE: readonly (readonly [string, string, readonly string[]])[] = [
  ['+4551234578', 'DK', ['Europe/Copenhagen']],
  ['+3725123456', 'EE', ['Europe/Tallinn']],
  ['+442079460000', 'GB', ['Europe/London']],
  ['+34612345678', 'ES', ['Africa/Ceuta', 'Atlantic/Canary', 'Europe/Madrid']],
  ['+38343201234', 'XK', ['Europe/Belgrade']],
  ['+18002345678', 'US', ['America/New_York', 'Pacific/Honolulu']],
]

test.each(CALLABLE)('%s is in %s, in %j', (text, country, zones) => {
  const facts = examineNumber(text)
  expect(facts).toMatchObject({ ok: true, number: text, country })
  expect(facts.ok && facts.zones).toEqual(expect.arrayContaining([...zones]))
})

const REFUSED: readonly (readonly [string, NumberFault])[] = [
  ['', 'notInternational'],
  ['112', 'notInternational'],
  ['51234578', 'notInternational'],
  ['004551234578', 'notInternational'],
  ['+45 51 23 45 78', 'notInternational'],
  ['+45512345\u0661\u0662', 'notInternational'],
  ['+4551234578;ext=9', 'notInternational'],
  ['+1234567890123456', 'notInternational'],
  ['+112', 'tooShort'],
  ['+45112', 'tooShort'],
  ['+45123456789', 'notInUse'],
  ['+4407400123456', 'notInUse'],
  ['+00000000000', 'notInUse'],
  ['+9991234567', 'notInUse'],
  ['+4590112233', 'costly'],
  ['+447012345678', 'costly'],
  ['+882161234567', 'noCountry'],
  ['+447640123456', 'noPerson'],
  ['+445512345678', 'noPerson'],
  ['+247540123', 'noPerson'],
]

test.each(REFUSED)('%s is refused: %s', (text, why) => {
  expect(examineNumber(text)).toEqual({ ok: false, why })
})

/** By the plan in the package; when it learns of a range, take another one. */
const UNKNOWN: readonly (readonly [string, NumberFault | 'DK' | 'FO'])[] = [
  ['+4540012345', 'DK'],
  ['+37271234567', 'notInUse'],
  ['+298123456', 'notInUse'],
  ['+298999999', 'FO'],
  // Digits behind a number in use, which a network would call.
  ['+467012345678', 'notInUse'],
  // A premium number with a digit too little, and one that begins like one.
  ['+49900123456', 'notInUse'],
  ['+49137123', 'notInUse'],
  ['+34803012', 'notInUse'],
  ['+351760083616', 'costly'],
  ['+49116117', 'notInUse'],
  ['+4540', 'tooShort'],
  ['+454001234', 'notInUse'],
  ['+45400123456', 'notInUse'],
  ['+4590123456', 'costly'],
  ['+882161234567', 'noCountry'],
  // Of which country of its calling code is not known.
  ['+19999999999', 'noCountry'],
]

test.each(UNKNOWN)('%s may be possible although the plan does not know it: %s', (text, result) => {
  const facts = examineNumber(text, 'possible')
  expect(facts.ok ? facts.country : facts.why).toBe(result)
  expect(examineNumber(text).ok).toBe(false)
})

test.each(CALLABLE)('%s, in use, is possible as well', (text) => {
  expect(examineNumber(text, 'possible')).toEqual(examineNumber(text))
})

test('every country has callable mobile numbers and known zones, but for Ascension and Tristan da Cunha', () => {
  const unknown = getCountries().filter((country) => {
    const facts = examineNumber(getExampleNumber(country, examples)!.number)
    return !facts.ok || facts.zones.length === 0 || !facts.zones.every(isZone)
  })
  expect(unknown).toEqual(['AC', 'TA'])
})
