import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { LedgerState } from '../../src/dialer/ledger.ts'
import { manualPacer } from '../../src/dialer/pacing/manual.ts'
import { NO_AGES, type Pacer, type PacingSnapshot } from '../../src/dialer/pacing/pacer-interface.ts'
import { powerPacer } from '../../src/dialer/pacing/power.ts'
import { progressivePacer } from '../../src/dialer/pacing/progressive.ts'
import { predictivePacer } from '../../src/dialer/pacing/ratio.ts'
import type { Placing } from '../../src/dialer/placing.ts'
import { capOfThree } from './samples.ts'

const ROOMY = { answered: 10_000, abandoned: 0 }

function snapshot(
  idleAgents: number,
  { inFlight = 0, waiting = 0, tally = ROOMY, ...different }: Partial<PacingSnapshot> & Record<string, unknown> = {},
): PacingSnapshot {
  const live = { inFlight: Number(inFlight), waiting: Number(waiting), idleAgents }
  const ledgers: LedgerState[] = [{ rule: capOfThree, tally: tally as typeof ROOMY, live }]
  const rest = { wantedByHand: 0, ages: NO_AGES, shiftLeftMs: Number.POSITIVE_INFINITY }
  return { agents: 20, live, ledgers, linesFree: 100, linesPerAgentMax: 6, ...rest, ...different }
}

type Case = readonly [string, PacingSnapshot, Placing]

describe('manual and preview', () => {
  const CASES: readonly Case[] = [
    ['nothing is placed unasked', snapshot(9), { lines: 0, why: 'enoughOut' }],
    ['what agents ask for is placed', snapshot(0, { wantedByHand: 2 }), { lines: 2, why: 'byHand' }],
    ['full trunks', snapshot(0, { wantedByHand: 2, linesFree: 1 }), { lines: 1, why: 'trunkFull' }],
    ['unknown trunks', snapshot(0, { wantedByHand: 2, linesFree: Number.NaN }), { lines: 0, why: 'notKnown' }],
    ['an unknown wish', snapshot(0, { wantedByHand: Number.NaN }), { lines: 0, why: 'notKnown' }],
  ]
  test.each(CASES)('%s', (_name, seen, placing) => {
    expect(manualPacer.place(seen, undefined)).toEqual(placing)
  })
})

describe('progressive', () => {
  const CASES: readonly Case[] = [
    ['one for each idle agent', snapshot(3), { lines: 3, why: 'oneToOne' }],
    ['less what is out', snapshot(3, { inFlight: 1, waiting: 1 }), { lines: 1, why: 'oneToOne' }],
    ['enough is out', snapshot(3, { inFlight: 3 }), { lines: 0, why: 'enoughOut' }],
    ['nobody is idle', snapshot(0), { lines: 0, why: 'noIdleAgent' }],
    ['full trunks', snapshot(3, { linesFree: 2 }), { lines: 2, why: 'trunkFull' }],
    ['a ledger in debt does not stop it', snapshot(3, { tally: { answered: 9, abandoned: 9 } }), oneToOne(3)],
    ['no ledger at all does not stop it', snapshot(3, { ledgers: [] }), oneToOne(3)],
    ['the most lines for each agent', snapshot(3, { agents: 3, linesPerAgentMax: 0.5 }), { lines: 1, why: 'agentMax' }],
    ['an unknown number of agents', snapshot(3, { agents: Number.NaN }), { lines: 0, why: 'notKnown' }],
    ['an unknown number of idle agents', snapshot(Number.NaN), { lines: 0, why: 'notKnown' }],
  ]
  test.each(CASES)('%s', (_name, seen, placing) => {
    expect(progressivePacer.place(seen, undefined)).toEqual(placing)
  })
})

describe('power', () => {
  const pacer = powerPacer(2)
  const CASES: readonly Case[] = [
    ['the ratio for each idle agent', snapshot(3), { lines: 6, why: 'ratio' }],
    ['less what is out', snapshot(3, { inFlight: 2, waiting: 1 }), { lines: 3, why: 'ratio' }],
    ['an empty ledger leaves one to one', snapshot(3, { tally: { answered: 0, abandoned: 0 } }), ledgerFull(3)],
    ['one credit is one line more', snapshot(3, { tally: { answered: 34, abandoned: 0 } }), ledgerFull(4)],
    ['no ledger gives no credit', snapshot(3, { ledgers: [] }), ledgerFull(3)],
    ['nobody is idle', snapshot(0, { inFlight: 4 }), { lines: 0, why: 'noIdleAgent' }],
  ]
  test.each(CASES)('%s', (_name, seen, placing) => {
    expect(pacer.place(seen, undefined)).toEqual(placing)
  })

  test('a ratio below one is one', () => {
    expect(powerPacer(0.2).place(snapshot(3), undefined)).toEqual(oneToOne(3))
  })
})

describe('predictive, algorithm A', () => {
  const pacer = predictivePacer(300)

  test('the level starts at one and a half', () => {
    expect(pacer.place(snapshot(4), pacer.begin())).toEqual({ lines: 6, why: 'ratio' })
  })

  test('a served answer raises the level a little, an abandoned answer lowers it much', () => {
    const served = pacer.learn(pacer.begin(), { type: 'answer.resolved', isAbandoned: false }, 0)
    expect(served.level).toBeCloseTo(1.5 * Math.exp(0.02 * 0.03), 12)
    const abandoned = pacer.learn(pacer.begin(), { type: 'answer.resolved', isAbandoned: true }, 0)
    expect(abandoned.level).toBeCloseTo(1.5 * Math.exp(0.02 * (0.03 - 1)), 12)
  })

  test('the level stays between one and eight', () => {
    const levelAfter = (isAbandoned: boolean) => {
      let memory = pacer.begin()
      for (let count = 0; count < 10_000; count++)
        memory = pacer.learn(memory, { type: 'answer.resolved', isAbandoned }, 0)
      return memory.level
    }
    expect(levelAfter(true)).toBe(1)
    expect(levelAfter(false)).toBe(8)
  })
})

test('given any snapshot, no pacer places a line that a ledger, an agent or a trunk does not allow', () => {
  const figures = fc.record({
    idle: fc.nat(30),
    inFlight: fc.nat(60),
    waiting: fc.nat(5),
    answered: fc.nat(2_000),
    abandoned: fc.nat(60),
    linesFree: fc.integer({ min: -2, max: 100 }),
    level: fc.double({ min: 1, max: 8, noNaN: true }),
  })
  fc.assert(
    fc.property(figures, ({ idle, inFlight, waiting, answered, abandoned, linesFree, level }) => {
      const seen = snapshot(idle, { inFlight, waiting, tally: { answered, abandoned }, linesFree })
      const predictive: Pacer<{ level: number }> = predictivePacer(300)
      for (const { lines } of [
        progressivePacer.place(seen, undefined),
        powerPacer(level).place(seen, undefined),
        predictive.place(seen, { level }),
      ]) {
        const covered = Math.max(0, idle - inFlight - waiting)
        const atRisk = Math.max(0, inFlight + lines + waiting - idle)
        expect(Number.isInteger(lines) && lines >= 0 && lines <= Math.max(0, linesFree)).toBe(true)
        if (lines > covered) expect((abandoned + atRisk) * 100).toBeLessThanOrEqual((answered + inFlight + lines) * 3)
      }
    }),
    { numRuns: 5_000 },
  )
})

function oneToOne(lines: number): Placing {
  return { lines, why: 'oneToOne' }
}

function ledgerFull(lines: number): Placing {
  return { lines, why: 'ledgerFull' }
}
