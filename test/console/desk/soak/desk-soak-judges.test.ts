/** What the long proof of the desks takes for a fault. */
import { expect, test } from 'vitest'
import { deskGrowth, growthFaults, type HeldLook } from './desk-growth.ts'
import { type DeskWork, type SoakAttempt, type SoakInvite, type SoakPerson, soakCounts } from './desk-verdict.ts'

const PERSON: SoakPerson = { number: '+4520100001', caseNumber: 'C-1', outcome: 'Paid', note: 'about C-1' }
const DESK: DeskWork = { name: 'desk1', shown: ['Debtor C-1'], saved: ['C-1'] }
const FEEDBACK = { feedbackType: 'Paid', note: 'about C-1' }
const ATTEMPT: SoakAttempt = { resultName: 'ANSWERED', agent: { name: 'desk1' }, feedback: [FEEDBACK] }
const CALL: SoakInvite = { number: PERSON.number, answeredAtMs: 1, heardMs: 500 }

/** The names of the counts that are not empty. */
function judged({
  desks = [DESK],
  attempts = [ATTEMPT],
  calls = [CALL],
}: {
  readonly desks?: readonly DeskWork[]
  readonly attempts?: readonly SoakAttempt[]
  readonly calls?: readonly SoakInvite[]
}): string[] {
  const counts = soakCounts([PERSON], desks, new Map([['C-1', attempts]]), calls)
  return Object.entries(counts).flatMap(([name, { length }]) => (length > 0 ? [name] : []))
}

const changed = <T extends object>(one: T, part: Partial<T>): T => Object.assign({}, one, part)

test('a call that was talked, shown once and saved is no fault', () => {
  expect(judged({})).toEqual([])
})

test('an attempt that called nobody, before the call, is no fault', () => {
  const blocked: SoakAttempt = { resultName: 'BLOCKED', agent: null, feedback: [] }
  expect(judged({ attempts: [blocked, ATTEMPT] })).toEqual([])
})

test.each([
  ['was never answered', { calls: [] }, ['lost']],
  ['did not hear the agent', { calls: [changed(CALL, { heardMs: 0 })] }, ['lost']],
  ['was abandoned', { attempts: [changed(ATTEMPT, { resultName: 'ABANDONED' })] }, ['lost']],
  ['was called twice', { calls: [CALL, CALL] }, ['doubled']],
  ['has two attempts', { attempts: [ATTEMPT, ATTEMPT] }, ['doubled']],
  ['was shown twice', { desks: [changed(DESK, { shown: ['Debtor C-1', 'Debtor C-1'] })] }, ['popupsDoubled']],
  ['was shown at two desks', { desks: [DESK, changed(DESK, { name: 'desk2', saved: [] })] }, ['popupsDoubled']],
  ['was shown at another desk', { desks: [changed(DESK, { name: 'desk2' })] }, ['popupsWrong']],
  ['was shown nowhere', { desks: [changed(DESK, { shown: [] })] }, ['popupsWrong']],
  ['was saved by nobody', { desks: [changed(DESK, { saved: [] })] }, ['outcomesLost']],
  ['lost its outcome', { attempts: [changed(ATTEMPT, { feedback: [] })] }, ['outcomesLost']],
  ['has its outcome twice', { attempts: [changed(ATTEMPT, { feedback: [FEEDBACK, FEEDBACK] })] }, ['outcomesWrong']],
  [
    'has the note of another',
    { attempts: [changed(ATTEMPT, { feedback: [changed(FEEDBACK, { note: 'about C-2' })] })] },
    ['outcomesWrong'],
  ],
])('who %s is a fault', (_, world, faults) => {
  expect(judged(world)).toEqual(faults)
})

const looksOf = (bytesOf: (at: number) => number): HeldLook[] =>
  Array.from({ length: 16 }, (_, at) => ({ calls: 4 * at, bytes: bytesOf(at), nodes: 200, listeners: 200 }))

test('a page that grows with each look is a fault, and one large look is none', () => {
  const steady = deskGrowth(looksOf((at) => (at === 15 ? 60_000_000 : 7_000_000)))
  expect(growthFaults(steady!)).toEqual([])
  const growing = deskGrowth(looksOf((at) => 7_000_000 + 1_500_000 * at))
  expect(growthFaults(growing!)).toEqual(['the heap of a page grew by 13.5 MB'])
})

test('what a page held before it was warm does not count, and few looks say nothing', () => {
  expect(deskGrowth(looksOf((at) => (at < 3 ? 0 : 7_000_000)))!.early.bytes).toBe(7_000_000)
  expect(deskGrowth(looksOf(() => 1).slice(0, 8))).toBeUndefined()
})
