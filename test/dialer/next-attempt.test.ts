import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { CallTask } from '../../src/dialer/call-task.ts'
import {
  DROPPED_QUIET_MS,
  FLOOR_MS,
  type NextAttempt,
  nextAttempt,
  type RetryRules,
  SPARED_MS,
} from '../../src/dialer/next-attempt.ts'
import { countsAsAttempt, wasPlaced } from '../../src/dialer/outcome.ts'
import type { AttemptId, CallTaskId, CampaignId } from '../../src/kernel/ids.ts'
import type { AttemptResult, EarlierAttempt, Reach, Touch } from '../../src/ports/attempt.ts'
import { AARHUS, anAttempt, aTask, COPENHAGEN, HOUR_MS, number, ODENSE } from './samples.ts'

const callbacks = { keptMs: 10 * 60_000, retryMs: 10 * 60_000 }
const STRICT: RetryRules = { parallelNumbers: 1, afterDropped: 'quietAndAgent', callbacks, retryAfterMs: {} }
const EITHER: RetryRules = { ...STRICT, afterDropped: 'quietOrAgent' }
const THREE = [COPENHAGEN, AARHUS, ODENSE].map((number) => ({ number, isStopped: false }))
const ended = 1_025_000

function due(task: CallTask, rules: RetryRules = STRICT): Extract<NextAttempt, { kind: 'due' }> {
  const next = nextAttempt(task, rules)
  if (next.kind !== 'due') throw new Error(`expected a next attempt, got ${JSON.stringify(next)}`)
  return next
}

describe('when', () => {
  test('a new task is due at once', () => {
    const at = { fromAtMs: 0, waitsFor: 'nothing', withoutAgentFromAtMs: 0, metNobody: {} }
    expect(due(aTask())).toEqual({ kind: 'due', attemptNo: 1, numbers: [COPENHAGEN], promisedAtMs: undefined, ...at })
  })

  test('the interval runs from the end of the last placed attempt', () => {
    expect(due(aTask({ attempts: [anAttempt()] }))).toMatchObject({
      fromAtMs: ended + 4 * HOUR_MS,
      waitsFor: 'interval',
    })
  })

  test('given an interval of zero, a minimum of one minute remains', () => {
    expect(due(aTask({ attempts: [anAttempt()], attemptIntervalMs: 0 }))).toMatchObject({
      fromAtMs: ended + FLOOR_MS,
      waitsFor: 'floor',
    })
  })

  test('an attempt that was never placed starts no interval, but is not repeated within the minimum', () => {
    const blocked = anAttempt({ result: 'blocked', reach: 'nothing' })
    expect(due(aTask({ attempts: [blocked] }))).toMatchObject({ attemptNo: 1, fromAtMs: ended + FLOOR_MS })
  })

  test('a result has its own time before the next call; a longer interval holds, and so does a promise', () => {
    const rules = { ...STRICT, retryAfterMs: { busy: 600_000, noAnswer: 6 * HOUR_MS } }
    const busy = anAttempt({ result: 'busy', reach: 'sent' })
    const atMs = (change: Partial<CallTask>) =>
      due(aTask({ attempts: [busy], attemptIntervalMs: 0, ...change }), rules).fromAtMs
    expect(atMs({})).toBe(ended + 600_000)
    expect(atMs({ attempts: [anAttempt({ result: 'noAnswer' })] })).toBe(ended + 6 * HOUR_MS)
    expect(atMs({ attemptIntervalMs: HOUR_MS })).toBe(ended + HOUR_MS)
    expect(atMs({ attempts: [anAttempt({ result: 'voicemail' })] })).toBe(ended + FLOOR_MS)
    const spared = anAttempt({ result: 'noAnswer', reach: 'sent', isSpared: true })
    expect(atMs({ attempts: [spared] }), 'no phone rang').toBe(ended + SPARED_MS)
    expect(atMs({ callback: { atMs: ended + 120_000, askedByContact: true } })).toBe(ended + 120_000)
  })

  test('a callback that the contact asked for comes before the interval is over, not before the floor', () => {
    const callback = { atMs: ended + HOUR_MS, askedByContact: true }
    expect(due(aTask({ attempts: [anAttempt()], callback }))).toMatchObject({
      fromAtMs: callback.atMs,
      waitsFor: 'callback',
    })
    const soon = { ...callback, atMs: ended + 1 }
    expect(due(aTask({ attempts: [anAttempt()], callback: soon })).fromAtMs).toBe(ended + FLOOR_MS)
  })

  test('a callback that nobody asked for can only put the call off', () => {
    const callback = { atMs: ended + HOUR_MS, askedByContact: false }
    expect(due(aTask({ attempts: [anAttempt()], callback })).fromAtMs).toBe(ended + 4 * HOUR_MS)
    const late = { ...callback, atMs: ended + 9 * HOUR_MS }
    expect(due(aTask({ attempts: [anAttempt()], callback: late })).fromAtMs).toBe(late.atMs)
  })

  test('a callback that reached nobody comes again within minutes, and later where the interval holds', () => {
    const callback = { atMs: 900_000, askedByContact: true }
    for (const result of ['busy', 'noAnswer', 'lost', 'failed'] as const) {
      const attempts = [anAttempt({ result })]
      expect(due(aTask({ attempts, callback }))).toMatchObject({ waitsFor: 'callback', fromAtMs: ended + 10 * 60_000 })
      const ours = { ...callback, askedByContact: false }
      expect(due(aTask({ attempts, callback: ours }))).toMatchObject({ waitsFor: 'interval' })
    }
  })

  test('a callback goes to the number that was talked on, unless it is stopped or does not exist any more', () => {
    const callback = { atMs: 900_000, askedByContact: true, number: ODENSE }
    expect(due(aTask({ numbers: THREE, callback })).numbers).toEqual([ODENSE])
    for (const why of ['isStopped', 'isDead']) {
      const numbers = THREE.map((one) => ({ ...one, [why]: one.number === ODENSE }))
      expect(due(aTask({ numbers, callback })).numbers).toEqual([COPENHAGEN])
    }
  })

  test('a callback that was tried is over: the interval holds again', () => {
    const callback = { atMs: 900_000, askedByContact: true }
    expect(due(aTask({ attempts: [anAttempt({ result: 'voicemail' })], callback }))).toMatchObject({
      waitsFor: 'interval',
    })
  })

  test('given a dropped person and the strict rule, 72 h of quiet follow and an agent is required', () => {
    expect(due(aTask({ attempts: [anAttempt({ result: 'dropped', reach: 'answered' })] }))).toMatchObject({
      fromAtMs: ended + DROPPED_QUIET_MS,
      waitsFor: 'quietAfterDropped',
      withoutAgentFromAtMs: undefined,
    })
  })

  test('given a dropped person and the Ofcom rule, an agent ends the quiet, and its end lifts the requirement', () => {
    expect(due(aTask({ attempts: [anAttempt({ result: 'dropped', reach: 'answered' })] }), EITHER)).toMatchObject({
      fromAtMs: ended + 4 * HOUR_MS,
      waitsFor: 'interval',
      withoutAgentFromAtMs: ended + DROPPED_QUIET_MS,
    })
  })

  const touch = (different: Partial<Touch> = {}): Touch => {
    return { ...anAttempt(), id: 5 as AttemptId, task: 82 as CallTaskId, campaign: 9 as CampaignId, ...different }
  }

  test('the interval and the floor run from the end of the person’s last call, whichever task placed it', () => {
    expect(due(aTask({ touches: [touch()] }))).toMatchObject({ attemptNo: 1, fromAtMs: ended + 4 * HOUR_MS })
    const touches = [touch({ endedAtMs: ended + HOUR_MS }), touch()]
    expect(due(aTask({ touches, attempts: [anAttempt()] })).fromAtMs).toBe(ended + 5 * HOUR_MS)
    expect(due(aTask({ touches, attemptIntervalMs: 0 })).fromAtMs).toBe(ended + HOUR_MS + FLOOR_MS)
    const callback = { atMs: 1, askedByContact: true }
    expect(due(aTask({ touches, callback }))).toMatchObject({ fromAtMs: ended + HOUR_MS + FLOOR_MS })
  })

  test('the interval runs from a conversation on the person’s own call to us as well', () => {
    expect(due(aTask({ lastTalkAtMs: ended }))).toMatchObject({ fromAtMs: ended + 4 * HOUR_MS, waitsFor: 'interval' })
  })

  test('given a person whom another task dropped, quiet and agent hold here as well', () => {
    expect(due(aTask({ lastDropAtMs: ended }))).toMatchObject({
      fromAtMs: ended + DROPPED_QUIET_MS,
      waitsFor: 'quietAfterDropped',
      withoutAgentFromAtMs: undefined,
    })
    expect(due(aTask({ lastDropAtMs: ended }), EITHER)).toMatchObject({
      fromAtMs: 0,
      withoutAgentFromAtMs: ended + DROPPED_QUIET_MS,
    })
  })

  test('no attempt is due while another is in progress', () => {
    const running = anAttempt({ result: 'inProgress', endedAtMs: undefined })
    expect(nextAttempt(aTask({ attempts: [running] }), STRICT)).toEqual({ kind: 'inFlight' })
  })

  test('an interval that is not a number never ends', () => {
    expect(due(aTask({ attempts: [anAttempt()], attemptIntervalMs: Number.NaN })).fromAtMs).toBeNaN()
  })
})

describe('which number', () => {
  const afterAttempts = (count: number, numbers: CallTask['numbers'], rules = STRICT) => {
    const attempts = Array.from({ length: count }, () => anAttempt())
    return due(aTask({ numbers, attempts, attemptsMax: 99 }), rules).numbers
  }

  test('attempt k takes position (k − 1) mod n', () => {
    const turns = [0, 1, 2, 3, 4].map((count) => afterAttempts(count, THREE)[0])
    expect(turns).toEqual([COPENHAGEN, AARHUS, ODENSE, COPENHAGEN, AARHUS])
  })

  test('stopped and unusable numbers are skipped and keep their positions', () => {
    const numbers = [THREE[0]!, { number: AARHUS, isStopped: true }, { number: undefined, isStopped: false }, THREE[2]!]
    const turns = [0, 1, 2, 3, 4].map((count) => afterAttempts(count, numbers)[0])
    expect(turns).toEqual([COPENHAGEN, ODENSE, ODENSE, ODENSE, COPENHAGEN])
  })

  test('dead ones are passed over like stopped ones; when none is left it is over', () => {
    const numbers = [{ ...THREE[0]!, isDead: true }, THREE[1]!, THREE[2]!]
    const turns = [0, 1, 2, 3].map((count) => afterAttempts(count, numbers)[0])
    expect(turns).toEqual([AARHUS, AARHUS, ODENSE, AARHUS])
    const dead = aTask({ numbers: THREE.map((one) => ({ ...one, isDead: true })) })
    expect(nextAttempt(dead, STRICT)).toEqual({ kind: 'finished', end: 'noCallableNumber' })
  })

  test('several at once: in turn, none twice, at most the remaining attempts', () => {
    const rules = { ...STRICT, parallelNumbers: 2 }
    expect(afterAttempts(2, THREE, rules)).toEqual([ODENSE, COPENHAGEN])
    expect(afterAttempts(0, [THREE[0]!, THREE[0]!], rules)).toEqual([COPENHAGEN])
    const lastOne = aTask({ numbers: THREE, attempts: [anAttempt(), anAttempt()], attemptsMax: 3 })
    expect(due(lastOne, rules).numbers).toEqual([ODENSE])
  })
})

describe('when it is over', () => {
  const end = (task: CallTask) => nextAttempt(task, STRICT)

  test('a finished task stays as it is', () => {
    expect(end(aTask({ end: 'endedBySystem' }))).toEqual({ kind: 'finished', end: 'endedBySystem' })
  })

  test('an answer finishes the task, unless a callback is open', () => {
    const answered = anAttempt({ result: 'answered', reach: 'answered' })
    expect(end(aTask({ attempts: [answered] }))).toEqual({ kind: 'finished', end: 'answered' })
    const callback = { atMs: ended + 99 * HOUR_MS, askedByContact: true }
    expect(end(aTask({ attempts: [answered], callback }))).toMatchObject({ kind: 'due', fromAtMs: callback.atMs })
  })

  test('the last counted attempt finishes it, even before a callback', () => {
    const callback = { atMs: ended + 99 * HOUR_MS, askedByContact: true }
    expect(end(aTask({ attempts: [anAttempt()], attemptsMax: 1, callback }))).toEqual({
      kind: 'finished',
      end: 'maxAttempts',
    })
  })

  test('a maximum that is not a number allows nothing', () => {
    expect(end(aTask({ attemptsMax: Number.NaN }))).toEqual({ kind: 'finished', end: 'maxAttempts' })
  })

  test('the task is finished without a callable number', () => {
    expect(end(aTask({ numbers: [{ number: COPENHAGEN, isStopped: true }] }))).toMatchObject({
      end: 'noCallableNumber',
    })
    expect(end(aTask({ numbers: [] }))).toMatchObject({ end: 'noCallableNumber' })
  })
})

const RESULTS: readonly (readonly [AttemptResult, Reach])[] = [
  ['noAnswer', 'rang'],
  ['busy', 'sent'],
  ['voicemail', 'answered'],
  ['dropped', 'answered'],
  ['lost', 'answered'],
  ['failed', 'sent'],
  ['failed', 'nothing'],
  ['invalidNumber', 'sent'],
  ['cancelled', 'rang'],
  ['cancelled', 'sent'],
  ['withdrawn', 'rang'],
  ['blocked', 'nothing'],
  ['unknown', 'sent'],
]

/** A task that is dialed whenever it may be, with one fate after another. */
function livesOf(attemptsMax: number, intervalMs: number, stopped: readonly boolean[], fates: readonly number[]) {
  const numbers = stopped.map((isStopped, place) => ({ number: number(`+45511111${10 + place}`), isStopped }))
  let task = aTask({ numbers, attemptsMax, attemptIntervalMs: intervalMs })
  for (const [place, fate] of fates.entries()) {
    const next = nextAttempt(task, STRICT)
    if (next.kind !== 'due') break
    const [result, reach] = RESULTS[fate % RESULTS.length]!
    const claimedAtMs = next.fromAtMs
    const attempt: EarlierAttempt = {
      id: place as AttemptId,
      number: next.numbers[0]!,
      result,
      reach,
      claimedAtMs,
      endedAtMs: claimedAtMs + 1 + (fate % 90_000),
    }
    task = { ...task, attempts: [...task.attempts, attempt] }
  }
  return task
}

test('with any outcomes: never too soon, never above the maximum, always the right number', () => {
  const lives = fc.tuple(
    fc.integer({ min: 1, max: 6 }),
    fc.constantFrom(0, HOUR_MS, 24 * HOUR_MS),
    fc.array(fc.boolean(), { minLength: 1, maxLength: 5 }),
    fc.array(fc.nat(1_000_000), { maxLength: 30 }),
  )
  fc.assert(
    fc.property(lives, ([attemptsMax, intervalMs, stopped, fates]) => {
      const { attempts, numbers } = livesOf(attemptsMax, intervalMs, stopped, fates)
      const counted = attempts.filter(({ result, reach }) => countsAsAttempt(result, reach))
      expect(counted.length).toBeLessThanOrEqual(attemptsMax)
      const placed = attempts.filter(({ reach }) => wasPlaced(reach))
      for (const [place, attempt] of placed.entries()) {
        const before = placed[place - 1]
        const quietMs = before?.result === 'dropped' ? DROPPED_QUIET_MS : 0
        const soonest = before ? before.endedAtMs! + Math.max(intervalMs, FLOOR_MS, quietMs) : 0
        expect(attempt.claimedAtMs).toBeGreaterThanOrEqual(soonest)
        const turn = [...numbers.keys()].map((step) => numbers[(place + step) % numbers.length]!)
        expect(attempt.number).toBe(turn.find(({ isStopped }) => !isStopped)?.number)
      }
    }),
    { numRuns: 2_000 },
  )
})
