import { expect, test } from 'vitest'
import { matchable, spellingsOf } from '../../src/acd/match-caller.ts'

test('a caller is matched in any spelling of the number', () => {
  const written = ['+4533123456', '004533123456', '4533123456', '+45 33 12 34 56', '+45-(33)-12.34.56']
  expect(written.map((caller) => matchable(caller))).toEqual(written.map(() => '+4533123456'))
})

test('a withheld, invented or malformed number matches no contact', () => {
  const nobody = [
    undefined,
    '',
    'anonymous',
    'Restricted',
    '33123456', // a national number: of which country?
    '112',
    '+450',
    '+0000000000',
    '+999123456789',
    '+4533123456789012',
    '+45331234567', // a digit too many
    'sip:+4533123456@carrier.example',
    "+4533123456' or 1=1",
    '+٤٥٣٣١٢٣٤٥٦', // digits of another script
    '＋4533123456',
    '++4533123456',
    '00+4533123456',
    '4533123456#',
  ]
  expect(nobody.map((caller) => matchable(caller))).toEqual(nobody.map(() => undefined))
})

test.each([
  ['33123456', 'DK', '+4533123456'],
  ['4533123456', 'DK', '+4533123456'],
  ['004533123456', 'DK', '+4533123456'],
  ['+4533123456', 'DK', '+4533123456'],
  ['46701234567', 'DK', '+46701234567'],
  ['03012345678', 'DE', '+493012345678'],
  ['0012025550123', 'DE', '+12025550123'],
  ['2025550123', 'US', '+12025550123'],
  ['112', 'DK', undefined],
  ['331234567', 'DK', undefined],
])('the caller %s on a trunk of %s is %s', (caller, country, number) => {
  expect(matchable(caller, country)).toBe(number)
})

test.each([
  ['4570001016', undefined, '+4570001016'],
  ['004570001016', undefined, '+4570001016'],
  ['+4570001016', undefined, '4570001016'],
  ['+4570001016', undefined, '004570001016'],
  ['70001016', 'DK', '+4570001016'],
  ['+4570001016', 'DK', '70001016'],
  ['+493012345678', 'DE', '03012345678'],
  ['100', 'DK', '100'],
  ['*98', undefined, '*98'],
])('the called number %s on a trunk of %s is the configured %s', (called, country, configured) => {
  expect(spellingsOf(called, country)).toContain(configured)
})

test('a national number is not the number of another country', () => {
  expect(spellingsOf('70001016', undefined)).not.toContain('+4570001016')
  expect(spellingsOf('70001016', 'SE')).not.toContain('+4570001016')
})
