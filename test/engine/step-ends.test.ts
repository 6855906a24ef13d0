/** How the steps of a call ended, from the facts and notes that the engine sees. */
import { describe, expect, test } from 'vitest'
import { StepEnds, trafficOf } from '../../src/engine/step-ends.ts'
import type { CallFact, CallNote, CallRecord } from '../../src/flow/model/call-messages.ts'
import type { CanaryId, StepName } from '../../src/kernel/ids.ts'

const enter = (step: string, kind = 'menu'): CallNote => ({
  type: 'step.entered',
  step: step as StepName,
  line: 1,
  kind,
  visit: 1,
})
const leave = (step: string, end: string): CallNote => ({
  type: 'step.left',
  step: step as StepName,
  end,
  to: undefined,
  why: undefined,
})
const fact = (type: string, more: object = {}) => ({ type, ...more }) as unknown as CallFact
const HANGS_UP = fact('leg.ended')

function endsOf(story: readonly (CallNote | CallFact)[], steps = new StepEnds()) {
  for (const item of story) item.type.startsWith('step.') ? steps.note(item as CallNote) : steps.fact(item as CallFact)
  return steps.ends
}

describe('a visit counts when it ends', () => {
  test.each([
    [
      'by its own end, each visit',
      [enter('a'), leave('a', 'noInput'), enter('a'), leave('a', 'key:1')],
      { a: { noInput: 1, 'key:1': 1 } },
    ],
    ['by a hang-up', [enter('a'), HANGS_UP], { a: { hangup: 1 } }],
    ['by an internal error', [enter('a'), fact('call.broken')], { a: { broken: 1 } }],
    ['a hang-up during the farewell is none', [enter('a', 'hangup'), HANGS_UP], { a: { done: 1 } }],
    [
      'a hang-up after a message is none',
      [enter('a', 'record'), fact('leg.ended', { left: { seconds: 2 } })],
      { a: { done: 1 } },
    ],
    ['a hang-up in a talk is none', [enter('a', 'queue'), fact('agent.connected'), HANGS_UP], { a: { done: 1 } }],
    [
      'a hang-up after the agent was lost is one',
      [enter('a', 'queue'), fact('agent.connected'), fact('agent.lost'), HANGS_UP],
      { a: { hangup: 1 } },
    ],
    [
      'a talk before does not excuse a later step',
      [enter('a', 'queue'), fact('agent.connected'), leave('a', 'done'), enter('b'), HANGS_UP],
      { a: { done: 1 }, b: { hangup: 1 } },
    ],
    [
      'steps after the hang-up are not the caller’s',
      [enter('a'), HANGS_UP, enter('b', 'sms'), leave('b', 'done')],
      { a: { hangup: 1 } },
    ],
    ['between two steps nobody hangs up in one', [enter('a'), leave('a', 'failed'), HANGS_UP], { a: { failed: 1 } }],
  ] as const)('%s', (_, story, expected) => expect(endsOf(story)).toEqual(expected))

  test('a step that a later engine begins again counts once; what ended before is kept', () => {
    const first = endsOf([enter('a'), leave('a', 'done'), enter('b')])
    expect(endsOf([enter('b'), leave('b', 'key:1')], new StepEnds(first))).toEqual({
      a: { done: 1 },
      b: { 'key:1': 1 },
    })
  })
})

describe('what a call leaves for a canary', () => {
  const record = {
    flow: 'f',
    revision: 'r',
    outcome: 'abandoned',
    marks: [],
    answeredAtMs: 1,
    endedAtMs: 2,
  } as unknown as CallRecord
  const canary = { id: 7 as CanaryId, isNew: true }
  const ends = { a: { noInput: 2, 'key:1': 1 }, b: { timeout: 1, broken: 1 }, c: { 'case:else': 1 }, d: { hangup: 1 } }

  test('each step once for each risk, and the whole call', () => {
    expect(trafficOf(record, ends, canary).canary).toEqual({
      ...canary,
      steps: [
        { step: '', risks: ['hangup'] },
        { step: 'a', risks: ['noInput'] },
        { step: 'b', risks: ['failed'] },
        { step: 'c', risks: [] },
        { step: 'd', risks: ['hangup'] },
      ],
    })
  })

  test('a call that was never answered, or that counts for none, leaves its ends alone', () => {
    expect(trafficOf({ ...record, answeredAtMs: undefined }, ends, canary)).not.toHaveProperty('canary')
    expect(trafficOf(record, ends, undefined)).not.toHaveProperty('canary')
  })
})
