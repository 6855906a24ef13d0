/** The address of the list of calls: what it filters by, and what it says to the node. */
import { expect, test } from 'vitest'
import { askedOf, filterOf, searchWith } from '../../src/console/calls/call-filter-query.ts'
import { length } from '../../src/console/calls/call-wording.ts'
import { plainText } from '../../src/console/texts/outside-text.ts'

const of = (text: string) => filterOf(new URLSearchParams(text))

test('an address filters by what it says rightly, and by nothing that it says wrongly', () => {
  const wrong = 'from=yesterday&to=1999-01-01&agent=-1&team=x&result=99&recorded=maybe&min=-5&max=86401&direction=up'
  expect(of(wrong)).toEqual({})
  expect(of('number=+4520&result=toString&other=1&campaign=7')).toEqual({ number: ' 4520', campaign: '7' })
  expect(of('number=%20')).toEqual({})
})

test('a filter is added and taken away, and the others stay', () => {
  const filter = of('campaign=7&from=2026-11-28')
  expect(String(searchWith(filter, 'number', '+45 20'))).toBe('from=2026-11-28&number=%2B45+20&campaign=7')
  expect(String(searchWith(filter, 'from', ''))).toBe('campaign=7')
})

test('the last day is whole, also at the end of a year', () => {
  const { sinceTs, untilTs } = askedOf(of('from=2026-12-31&to=2026-12-31'))
  expect(new Date(String(sinceTs))).toEqual(new Date(2026, 11, 31))
  expect(new Date(String(untilTs))).toEqual(new Date(2027, 0, 1))
})

test('names are one short line without signs that nobody sees', () => {
  expect(plainText('a\u202Eb\nc')).toBe('a␣b␣c')
  expect([...plainText('😀'.repeat(10_000))]).toHaveLength(81)
})

test('lengths are read as people write them', () => {
  expect([0, 59.9, 187, 3_787].map(length)).toEqual(['0:00', '0:59', '3:07', '1:03:07'])
})
