import { expect, test } from 'vitest'
import { type AnswersByHour, partBeginsAtMs } from '../../src/dialer/part-of-day.ts'

const COPENHAGEN = ['Europe/Copenhagen']
const ALL_DAY = { windows: [{ weekdays: [1, 2, 3, 4, 5], fromMinute: 480, toMinute: 1_200 }], holidays: [] }
/** A Monday in winter: an hour ahead of UTC. */
const at = (time: string) => Date.parse(`2026-11-23T${time}+01:00`)
const tomorrow = (time: string) => Date.parse(`2026-11-24T${time}+01:00`)

/** The same lines in every hour, and answers by the hour of Copenhagen. */
function answersAt(answers: (hour: number) => number, lines = 100): AnswersByHour {
  return Array.from({ length: 24 }, (_, hour) => ({ lines, answers: answers((hour + 1) % 24) }))
}

const here = { zones: COPENHAGEN, hours: ALL_DAY, answers: undefined }

test.each([
  ['11:59', at('12:00')],
  ['12:00', at('16:00')],
  ['15:10', at('16:00')],
  ['16:00', tomorrow('00:00')],
  ['19:59', tomorrow('00:00')],
])('after %s the next part begins', (time, expected) => {
  expect(partBeginsAtMs('next', at(time), here)).toBe(expected)
})

test('the best of the other two parts has the higher rate of answers', () => {
  const evening = answersAt((hour) => (hour >= 16 ? 40 : 10))
  expect(partBeginsAtMs('best', at('10:00'), { ...here, answers: evening })).toBe(at('16:00'))
  const afternoon = answersAt((hour) => (hour >= 12 && hour < 16 ? 40 : 10))
  expect(partBeginsAtMs('best', at('10:00'), { ...here, answers: afternoon })).toBe(at('12:00'))
  // The evening is the best part, but it is the one that was tried.
  expect(partBeginsAtMs('best', at('17:00'), { ...here, answers: evening })).toBe(tomorrow('00:00'))
})

test('too few lines say nothing, and closed hours do not count', () => {
  const few = answersAt((hour) => (hour >= 16 ? 4 : 1), 10)
  expect(partBeginsAtMs('best', at('10:00'), { ...here, answers: few })).toBe(at('12:00'))
  const evening = answersAt((hour) => (hour >= 16 ? 40 : 10))
  const untilFour = { ...ALL_DAY, windows: [{ weekdays: [1, 2, 3, 4, 5], fromMinute: 480, toMinute: 960 }] }
  expect(partBeginsAtMs('best', at('10:00'), { ...here, answers: evening, hours: untilFour })).toBe(at('12:00'))
})

test('a callee in one of several zones has left the part in all of them', () => {
  const zones = ['America/New_York', 'America/Los_Angeles']
  const noonInLosAngeles = Date.parse('2026-11-23T12:00-08:00')
  expect(partBeginsAtMs('next', Date.parse('2026-11-23T11:00-05:00'), { ...here, zones })).toBe(noonInLosAngeles)
})

test('in an unknown zone no instant is late enough', () => {
  expect(partBeginsAtMs('next', at('10:00'), { ...here, zones: ['Europe/Atlantis'] })).toBeNaN()
  expect(partBeginsAtMs('next', at('10:00'), { ...here, zones: [] })).toBeNaN()
})
