import { expect, test } from 'vitest'
import { matchable } from '../../src/acd/match-caller.ts'

test('a caller is matched in any spelling of the number', () => {
  const written = ['+4533123456', '004533123456', '4533123456', '+45 33 12 34 56', '+45-(33)-12.34.56']
  expect(written.map(matchable)).toEqual(written.map(() => '+4533123456'))
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
  expect(nobody.map(matchable)).toEqual(nobody.map(() => undefined))
})
