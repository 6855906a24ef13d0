/** The proof of form L1 (`src/dialer/ledger.ts`), clause by clause: each event keeps what the ledger promises. */
import fc from 'fast-check'
import { test } from 'vitest'
import { isWithin, type LedgerState, linesAllowed, linesCovered } from '../../src/dialer/ledger.ts'
import { afterEvent, type LedgerEvent, openLedger } from './ledger-watch.ts'
import { capOfThree } from './samples.ts'

const RUNS = { numRuns: 5_000 }

/** The promise as it is written, for every j, not only for the two ends that the code looks at. */
function holds({ rule, tally, live }: LedgerState): boolean {
  for (let j = 0; j <= live.inFlight; j++) {
    const lost = tally.abandoned + Math.max(0, live.waiting + j - live.idleAgents)
    if (lost * 10_000 > rule.capBasisPoints * (tally.answered + j)) return false
  }
  return true
}

const figures = fc.record({
  cap: fc.constantFrom(0, 100, 300, 777, 3_000),
  answered: fc.nat(400),
  abandoned: fc.nat(8),
  inFlight: fc.nat(25),
  waiting: fc.nat(3),
  idleAgents: fc.nat(20),
})

/** No callee waits while an agent is idle: a waiting callee is served at once. */
const anyState = figures.map(({ cap, answered, abandoned, inFlight, waiting, idleAgents }): LedgerState => {
  const live = { inFlight, waiting, idleAgents: waiting > 0 ? 0 : idleAgents }
  return { rule: { ...capOfThree, capBasisPoints: cap }, tally: { answered, abandoned }, live }
})
/** Most random states are in debt: the debt is forgiven first, which keeps most states usable. */
const keptState = anyState
  .map(({ rule, tally, live }) => {
    const abandoned = Math.min(tally.abandoned, Math.floor((rule.capBasisPoints * tally.answered) / 10_000))
    return { rule, tally: { ...tally, abandoned }, live }
  })
  .filter(holds)

function after(state: LedgerState, event: LedgerEvent): LedgerState {
  return afterEvent({ ...openLedger(state.rule), ...state }, event)
}

function staysKept(event: LedgerEvent): void {
  fc.assert(
    fc.property(keptState, (state) => holds(after(state, event))),
    RUNS,
  )
}

test('L1, "the left side minus the right is convex in j": its two ends say the same as all of it', () => {
  fc.assert(
    fc.property(anyState, (state) => isWithin(state) === holds(state)),
    RUNS,
  )
})

test('L1, "failure: D falls, fewer cases": a line that fails keeps it', () => staysKept({ type: 'line.failed' }))

test('L1, "answer: M + 1, D − 1 and either I − 1 or Q + 1": an answer keeps it, served or not', () => {
  staysKept({ type: 'line.answered' })
})

test('L1, "loss: Q − 1, A + 1: unchanged": a waiting callee who is lost keeps it, and never exceeds the cap', () => {
  fc.assert(
    fc.property(keptState, (state) => {
      const lost = after(state, { type: 'call.abandoned' })
      return holds(lost) && lost.tally.abandoned * 10_000 <= lost.rule.capBasisPoints * lost.tally.answered
    }),
    RUNS,
  )
})

test('L1, "agent free: I + 1 or Q − 1: easier": an agent who is freed keeps it, as a caller who leaves does', () => {
  staysKept({ type: 'agent.freed' })
  staysKept({ type: 'caller.left' })
})

test('L1, "one-to-one dials (D + Q ≤ I) add only cases with zero on the left": they need no credit', () => {
  fc.assert(
    fc.property(keptState, (state) => {
      const { live } = state
      const covered = { ...live, inFlight: live.inFlight + linesCovered(live) }
      return linesAllowed(state) >= linesCovered(live) && holds({ ...state, live: covered })
    }),
    RUNS,
  )
})

test('L1, "j = D is what room enforces": what is placed within the room keeps it, and one line more would not', () => {
  fc.assert(
    fc.property(keptState, (state) => {
      const { live } = state
      const placed = (lines: number) => ({ ...state, live: { ...live, inFlight: live.inFlight + lines } })
      return holds(placed(linesAllowed(state))) && !holds(placed(linesAllowed(state) + 1))
    }),
    RUNS,
  )
})
