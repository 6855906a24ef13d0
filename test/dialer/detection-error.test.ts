import { describe, expect, test } from 'vitest'
import { decidingOn, mayAct, NOTHING_MEASURED } from '../../src/dialer/detection-error.ts'
import type { AttemptId } from '../../src/kernel/ids.ts'
import { shareInterval } from '../../src/kernel/share-interval.ts'

/** Errors of the pauses; known greetings made none. */
const counts = (persons: number, personsTaken = 0) => ({
  ...NOTHING_MEASURED,
  persons,
  pauses: { personsTaken, machinesMissed: 0 },
})
/** Of twenty attempts: which detectors decide. */
const decisions = (machineErrorMax: number | undefined, persons: number, personsTaken = 0) =>
  Array.from({ length: 20 }, (_, at) =>
    decidingOn({ machineErrorMax }, counts(persons, personsTaken), at as AttemptId).join(' '),
  )

describe('whether detection acts on its verdict', () => {
  test('without a bound it never does, however good it was', () => {
    expect(new Set(decisions(undefined, 1_000_000))).toEqual(new Set(['']))
  })

  test('with a bound it does once the bound is proved, and again not when it is not any more', () => {
    const bound = { machineErrorMax: 0.03 }
    expect(mayAct(bound, NOTHING_MEASURED, 'pauses')).toBe(false)
    expect(mayAct(bound, counts(124), 'pauses')).toBe(false)
    expect(mayAct(bound, counts(125), 'pauses')).toBe(true)
    expect(mayAct(bound, counts(125, 1), 'pauses')).toBe(false)
    expect(mayAct(bound, counts(190, 1), 'pauses')).toBe(true)
  })

  test('each detector is judged by its own errors', () => {
    expect(new Set(decisions(0.03, 125, 1))).toEqual(new Set(['', 'greeting']))
  })

  test('one call in ten is measured all the same', () => {
    expect(decisions(0.03, 1_000).filter((deciding) => deciding === '')).toHaveLength(2)
  })

  test('a bound of 100 % needs no proof, and measures nothing', () => {
    expect(new Set(decisions(1, 0))).toEqual(new Set(['pauses greeting']))
  })
})

test('the interval of a share is that of Wilson, also for no cases and for nothing at all', () => {
  const rounded = (cases: number, of: number) => {
    const { from, to } = shareInterval(cases, of)
    return [from, to].map((share) => Number(share.toFixed(3)))
  }
  // Newcombe, "Two-sided confidence intervals for the single proportion", 1998, table I.
  expect(rounded(81, 263)).toEqual([0.255, 0.366])
  expect(rounded(0, 20)).toEqual([0, 0.161])
  expect(rounded(1, 29)).toEqual([0.006, 0.172])
  expect(rounded(0, 0)).toEqual([0, 1])
})
