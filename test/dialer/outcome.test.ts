import { describe, expect, test } from 'vitest'
import { endOf } from '../../src/ari/causes.ts'
import { countsAsAttempt, type EarlyEnd, type LegFacts, outcomeOf } from '../../src/dialer/outcome.ts'
import type { AttemptResult, EarlierAttempt, Reach } from '../../src/ports/attempt.ts'
import type { LegEnd } from '../../src/ports/pbx.ts'

function facts(different: Partial<LegFacts> = {}): LegFacts {
  return {
    isBlocked: false,
    reach: 'sent',
    earlyEnd: undefined,
    agentConnected: false,
    isMachine: false,
    endedByUs: false,
    end: { reason: 'hungUp' },
    ...different,
  }
}

describe('causes of unanswered calls (measured: asterisk.md 4)', () => {
  const MEASURED: readonly (readonly [string, number, number | undefined, Reach, AttemptResult])[] = [
    ['486', 17, 486, 'rang', 'busy'],
    ['486 at once', 17, 486, 'sent', 'busy'],
    ['603', 21, 603, 'rang', 'rejected'],
    ['403 of the carrier', 21, 403, 'sent', 'failed'],
    ['403 after it rang', 21, 403, 'rang', 'rejected'],
    ['404', 1, 404, 'sent', 'invalidNumber'],
    ['408 of the far end', 18, 408, 'sent', 'failed'],
    ['408 after it rang', 18, 408, 'rang', 'noAnswer'],
    ['480', 19, 480, 'rang', 'noAnswer'],
    ['484', 28, 484, 'sent', 'invalidNumber'],
    ['488', 58, 488, 'sent', 'failed'],
    ['500', 38, 500, 'sent', 'failed'],
    ['503', 34, 503, 'sent', 'failed'],
    ['the ring timeout of the switch', 19, 480, 'rang', 'noAnswer'],
    ['cleared while it rang', 16, undefined, 'rang', 'noAnswer'],
    ['cleared before it rang', 16, undefined, 'sent', 'failed'],
  ]
  test.each(MEASURED)('%s (cause %i, status %s, %s) is %s', (_name, cause, techCause, reach, result) => {
    const end = endOf({ cause, techCause, connected: false, hangUpAsked: false })
    expect(outcomeOf(facts({ reach, end }))).toBe(result)
  })
})

describe('our own actions before the answer', () => {
  const OURS: readonly (readonly [EarlyEnd, AttemptResult])[] = [
    ['cancel', 'cancelled'],
    ['withdraw', 'withdrawn'],
    ['ringTimeout', 'noAnswer'],
  ]
  test.each(OURS)('%s gives %s, whatever cause the switch writes afterwards', (earlyEnd, result) => {
    for (const reason of ['hungUp', 'busy', 'failed'] as const satisfies LegEnd[]) {
      expect(outcomeOf(facts({ reach: 'rang', earlyEnd, end: { reason } }))).toBe(result)
    }
    expect(outcomeOf(facts({ reach: 'rang', earlyEnd, end: undefined }))).toBe(result)
  })

  test('a call that the gate refuses is blocked', () => {
    expect(outcomeOf(facts({ isBlocked: true, reach: 'nothing', end: undefined }))).toBe('blocked')
  })

  test('a call that the switch refuses to place has failed', () => {
    expect(outcomeOf(facts({ reach: 'nothing', end: undefined }))).toBe('failed')
  })

  test('an unseen end is unknown', () => {
    expect(outcomeOf(facts({ reach: 'rang', end: undefined }))).toBe('unknown')
    expect(outcomeOf(facts({ reach: 'rang', end: { reason: 'lost' } }))).toBe('unknown')
    for (const [earlyEnd] of OURS) {
      expect(outcomeOf(facts({ reach: 'rang', earlyEnd, end: { reason: 'lost' } }))).toBe('unknown')
    }
  })
})

describe('a call that was answered', () => {
  const answered = (different: Partial<LegFacts>) => outcomeOf(facts({ reach: 'answered', ...different }))

  test('given an agent, it is answered whichever party hung up, even if the end was not seen', () => {
    expect(answered({ agentConnected: true })).toBe('answered')
    expect(answered({ agentConnected: true, endedByUs: true })).toBe('answered')
    expect(answered({ agentConnected: true, end: undefined })).toBe('answered')
  })

  test('a machine is voicemail, by detection or by the mark of the agent who heard it', () => {
    expect(answered({ isMachine: true, endedByUs: true })).toBe('voicemail')
    expect(answered({ isMachine: true, agentConnected: true })).toBe('voicemail')
  })

  test('a person who leaves before an agent comes is lost', () => {
    expect(answered({})).toBe('lost')
    expect(answered({ end: { reason: 'failed' } })).toBe('lost')
  })

  test('a person is dropped when no agent is available', () => {
    expect(answered({ endedByUs: true })).toBe('dropped')
  })

  test('given an answer that crossed our cancellation, the person heard silence and is dropped', () => {
    expect(answered({ earlyEnd: 'cancel' })).toBe('dropped')
    expect(answered({ earlyEnd: 'withdraw' })).toBe('dropped')
  })

  test('given a crash after the answer, the call counts as dropped', () => {
    expect(answered({ end: undefined })).toBe('dropped')
    expect(answered({ end: { reason: 'lost' } })).toBe('dropped')
  })
})

describe('what counts against maxCallAttempts (D-12)', () => {
  const COUNTS: Readonly<Record<EarlierAttempt['result'], readonly Reach[]>> = {
    inProgress: [],
    answered: [],
    noAnswer: ['nothing', 'sent', 'rang', 'answered'],
    busy: ['nothing', 'sent', 'rang', 'answered'],
    voicemail: ['nothing', 'sent', 'rang', 'answered'],
    dropped: ['nothing', 'sent', 'rang', 'answered'],
    lost: ['nothing', 'sent', 'rang', 'answered'],
    failed: ['sent', 'rang', 'answered'],
    invalidNumber: ['nothing', 'sent', 'rang', 'answered'],
    rejected: ['nothing', 'sent', 'rang', 'answered'],
    cancelled: ['rang', 'answered'],
    withdrawn: [],
    blocked: [],
    unknown: ['nothing', 'sent', 'rang', 'answered'],
  }
  test.each(Object.entries(COUNTS))('%s counts from: %s', (result, reaches) => {
    for (const reach of ['nothing', 'sent', 'rang', 'answered'] as const) {
      expect(countsAsAttempt(result as EarlierAttempt['result'], reach)).toBe(reaches.includes(reach))
    }
  })
})
