import { expect, test } from 'vitest'
import { endOf } from '../../src/ari/causes.ts'

/** As measured on Asterisk 22.10.1 (asterisk.md 4): what the phone did, cause, SIP status, our word for it. */
const UNANSWERED = [
  ['is busy', 17, 486, 'busy'],
  ['is busy everywhere', 17, 600, 'busy'],
  ['declines', 21, 603, 'rejected'],
  ['forbids', 21, 403, 'rejected'],
  ['does not exist', 1, 404, 'notFound'],
  ['is not there (408)', 18, 408, 'unreachable'],
  ['is not available', 19, 480, 'noAnswer'],
  ['has an incomplete number', 28, 484, 'notFound'],
  ['speaks another codec', 58, 488, 'failed'],
  ['breaks down', 38, 500, 'failed'],
  ['has no line free', 34, 503, 'congestion'],
  ['redirects, which we never follow', 0, 302, 'failed'],
] as const

test.each(UNANSWERED)('a phone that %s ends with cause %d and status %d: %s', (_what, cause, techCause, reason) => {
  const end = endOf({ cause, techCause, connected: false, hangUpAsked: false })
  expect(end).toEqual({ reason, code: techCause })
})

test.each([
  [16, 'hungUp'],
  [19, 'noAnswer'],
  [20, 'unreachable'],
  [127, 'failed'],
  [-1, 'failed'],
] as const)('given no SIP status, cause %d means %s', (cause, reason) => {
  expect(endOf({ cause, techCause: undefined, connected: false, hangUpAsked: false })).toEqual({ reason })
})

test('a status that is not a SIP status is not reported as one', () => {
  const end = endOf({ cause: 16, techCause: 1001, connected: false, hangUpAsked: false })
  expect(end).toEqual({ reason: 'hungUp' })
})

test('given a connected leg, a normal clearing is a hang-up and anything else a failure', () => {
  const connected = (cause: number) => endOf({ cause, techCause: undefined, connected: true, hangUpAsked: false })
  expect(connected(16)).toEqual({ reason: 'hungUp' })
  expect(connected(44)).toEqual({ reason: 'failed' })
})

test('given that we requested the hang-up, the cause is ignored', () => {
  expect(endOf({ cause: 17, techCause: 486, connected: false, hangUpAsked: true })).toEqual({ reason: 'hungUp' })
})
