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

test('every country has callable mobile numbers and known zones, but for Ascension and Tristan da Cunha', () => {
  const unknown = getCountries().filter((country) => {
    const facts = examineNumber(getExampleNumber(country, examples)!.number)
    return !facts.ok || facts.zones.length === 0 || !facts.zones.every(isZone)
  })
  expect(unknown).toEqual(['AC', 'TA'])
})
