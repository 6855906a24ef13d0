/** From what an agent has typed to the order that saves it: what may mean two things is asked for again. */
import { expect, test } from 'vitest'
import type { DeskCall } from '../../../src/console/desk/desk-state.ts'
import {
  contentOf,
  emptyDraft,
  isUnsaved,
  type Outcome,
  outcomeOrder,
} from '../../../src/console/desk/outcome-order.ts'

const CALL: DeskCall = {
  callId: 'call',
  isIncoming: false,
  number: '+4520123456',
  task: null,
  queue: null,
  typedCode: null,
}
const PROMISED = {
  outcomeId: 1,
  name: 'Promised',
  final: true,
  needsCallBackDate: false,
  fields: [{ name: 'Amount', kind: 'number', required: true, choices: [] }],
} as unknown as Outcome

/** The amount that is saved for what was typed; undefined: it is asked for again. */
function amountOf(typed: string): unknown {
  const draft = { ...emptyDraft(CALL), outcomeId: 1, fields: { Amount: typed } }
  const made = outcomeOrder(draft, [PROMISED], { nowMs: 0, zone: 'Europe/Copenhagen' })
  if (!made.ok) return made.why === 'number' ? undefined : made.why
  return (made.body as { readonly fields: readonly { readonly value: unknown }[] }).fields[0]?.value
}

test.for([
  ['1500', 1_500],
  ['60.5', 60.5],
  ['60,50', 60.5],
  ['-3', -3],
  ['0,125', 0.125],
  ['1500,50', 1_500.5],
] as const)('%s is %d in either language', ([typed, amount]) => {
  expect(amountOf(typed)).toBe(amount)
})

test.for(['1.500', '1,500', '12.500', '1.500,50', '1 500', '1e9', '1e400', 'Infinity', '0x10', '12,', 'NaN'])(
  '%s may mean something else, or nothing: it is not saved',
  (typed) => {
    expect(amountOf(typed)).toBeUndefined()
  },
)

const LATER = { ...PROMISED, outcomeId: 2, final: false, needsCallBackDate: true, fields: [] }

test.each([
  ['unless the agent says otherwise', undefined, true],
  ['where the agent says so', true, true],
  ['not where nobody asked: after a machine, or by the agent', false, false],
])('a callback comes before the minimum interval is over %s', (_, asked, askedByContact) => {
  const draft = { ...emptyDraft(CALL), outcomeId: 2, callback: 'tomorrow 9', ...(asked !== undefined && { asked }) }
  expect(outcomeOrder(draft, [LATER], { nowMs: 0, zone: 'UTC' })).toMatchObject({ ok: true, body: { askedByContact } })
})

test('whether they asked for the time is something new to save only where there is one', () => {
  const empty = emptyDraft(CALL)
  expect(isUnsaved({ ...empty, asked: false })).toBe(false)
  const dated = { ...empty, callback: 'tomorrow 9' }
  expect(isUnsaved({ ...dated, saved: contentOf(dated) })).toBe(false)
  expect(isUnsaved({ ...dated, saved: contentOf(dated), asked: false })).toBe(true)
})
