/** Hostile lives of one ledger, at random: whatever happens, the rule is kept, or what broke it is counted by name. */
import fc from 'fast-check'
import { capOf, isWithin } from '../../src/dialer/ledger.ts'
import {
  afterEvent,
  excessOf,
  type LedgerBreaker,
  type LedgerEvent,
  type LedgerWatch,
  openLedger,
} from './ledger-watch.ts'
import { capOfThree } from './samples.ts'

/** Ordinary life, and what can break the ledger. Bytes → events, so that a failing sequence shrinks. */
const LIFE: readonly LedgerEvent[] = [
  { type: 'lines.wanted', lines: 1 },
  { type: 'lines.wanted', lines: 1_000 },
  { type: 'line.failed' },
  { type: 'line.answered' },
  { type: 'line.answered' },
  { type: 'line.answered' },
  { type: 'caller.left' },
  { type: 'call.abandoned' },
  { type: 'call.abandoned' },
  { type: 'agent.freed' },
]
const BREAKERS: readonly LedgerEvent[] = [
  { type: 'agent.left' },
  { type: 'agent.failed' },
  { type: 'window.moved', gone: { answered: 20, abandoned: 0 } },
]

/** What is proved: how many sequences, and whether agents leave, phones fail and windows move in them. */
export interface LedgerProof {
  readonly sequences: number
  readonly withBreakers: boolean
  /** Another seed than chance's own. */
  readonly seed?: number
}

/** Throws at the first sequence in which the rule was broken for no named reason. What was broken by whom, in calls. */
export function proveLedger({ sequences, withBreakers, seed }: LedgerProof): Record<LedgerBreaker, number> {
  const events = withBreakers ? [...LIFE, ...BREAKERS] : LIFE
  const sum = { 'agent.left': 0, 'agent.failed': 0, 'window.moved': 0 }
  const lives = fc.tuple(fc.uint8Array({ maxLength: 80 }), fc.nat(400), fc.constantFrom(0, 100, 300, 777, 10_000))
  fc.assert(
    fc.property(lives, ([bytes, history, cap]) => {
      const { broken } = live(events, bytes, withHistory(history, cap))
      for (const cause of Object.keys(sum) as LedgerBreaker[]) sum[cause] += broken[cause]
    }),
    { numRuns: sequences, ...(seed !== undefined && { seed }) },
  )
  return sum
}

/** A ledger with a history, which has credit to lose. */
function withHistory(history: number, capBasisPoints: number): LedgerWatch {
  const opened = openLedger({ ...capOfThree, capBasisPoints })
  return { ...opened, tally: { answered: history, abandoned: 0 } }
}

/** Runs the events and, after each, holds the ledger against what may be. */
function live(events: readonly LedgerEvent[], bytes: Uint8Array, begin: LedgerWatch): LedgerWatch {
  let watch = begin
  for (const byte of bytes) {
    const event = events[byte % events.length]!
    const next = afterEvent(watch, event)
    const { rule, tally, broken, live: lines } = next
    const brokenSum = broken['agent.left'] + broken['agent.failed'] + broken['window.moved']
    // The plain statement: never more abandoned than the cap allows, but for what was broken and counted by name.
    const isKept = tally.abandoned <= Math.floor((capOf(rule) * tally.answered) / 10_000) + brokenSum
    const isCounted = excessOf(next) <= brokenSum && (brokenSum > 0 || isWithin(next))
    const isSane = lines.inFlight >= 0 && lines.waiting >= 0 && lines.idleAgents >= 0
    if (!isKept || !isCounted || !isSane) throw new Error(`${JSON.stringify(event)} led to ${JSON.stringify(next)}`)
    watch = next
  }
  return watch
}
