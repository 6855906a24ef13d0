/** What `flow test` holds every flow to, without a test of its author: random callers, and a fault in the runner. */
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import type { Flow } from '../../src/flow/model/flow.ts'
import { readFlow } from '../../src/flow/read/read-flow.ts'
import { compileFlow } from '../../src/flow/run/compile.ts'
import { checkProperties } from '../../src/flow-test/check-properties.ts'
import { brokenPromises, type Judged } from '../../src/flow-test/promises.ts'
import { randomLife } from '../../src/flow-test/random-life.ts'

const everything = readFlow(
  'everything.yaml',
  readFileSync(new URL('../flow/fixtures/everything.yaml', import.meta.url), 'utf8'),
).flow!

const LIVES = Array.from({ length: 300 }, (_, seed) => randomLife(compileFlow(everything), {}, seed))

test('random callers keep every promise of the flow that uses every key, wherever chance leads them', () => {
  expect(LIVES.flatMap((call) => brokenPromises(call, everything))).toEqual([])
  const entered = new Set(LIVES.flatMap(({ notes }) => notes.map(({ step }) => step)))
  const missed = [...everything.steps.keys()].filter((step) => !entered.has(step))
  // Only a caller with the number 47 comes to `tell` and what follows it.
  expect(missed[0]).toBe('tell')
  expect(missed.length).toBeLessThan(everything.steps.size / 2)
  expect(LIVES.filter(({ secrets }) => secrets.some((secret) => secret.length >= 4)).length).toBeGreaterThan(10)
})

test('the same seed gives the same life', () => {
  const again = randomLife(compileFlow(everything), {}, 7)
  expect(again.lines).toEqual(LIVES[7]!.lines)
})

const LOOP = readFlow(
  'loop.yaml',
  `flow: loop
start: say
limits: { steps: 7 }
steps:
  say: { play: Once more., next: again }
  again: { play: And again., next: say }
`,
).flow!

test('a flow that goes round is ended by its limit, with an apology', () => {
  const { faults, calls } = checkProperties(compileFlow(LOOP), [], 1)
  expect(faults).toEqual([])
  expect(calls).toBe(100)
  const call = randomLife(compileFlow(LOOP), {}, 1)
  expect(call.notes.filter(({ type }) => type === 'step.entered').length).toBeLessThanOrEqual(8)
})

/** A call as a faulty runner would leave it. */
function faulty(change: Partial<Judged>, flow: Flow = everything): readonly string[] {
  const { faults, isOver, record, queue, notes, lines, secrets, tape, transfers } = LIVES[0]!
  return brokenPromises({ faults, isOver, record, queue, notes, lines, secrets, tape, transfers, ...change }, flow)
}

test('each broken promise is named', () => {
  const say = (text: string): Judged['lines'] => {
    const what = { type: 'play', say: [{ text, voice: 'en' }] }
    return [{ atMs: 0, call: LIVES[0]!.lines[0]!.call, kind: 'command', by: 'call', what }]
  }
  expect(faulty({})).toEqual([])
  expect(faulty({ faults: ['play after the hang-up'] })).toEqual(['play after the hang-up'])
  expect(faulty({ isOver: false })).toEqual(['the call does not end'])
  expect(faulty({ record: undefined })).toEqual(['the call does not end'])
  expect(faulty({ queue: 'waiting' })).toEqual(['the call is over, and its place in the queue is kept'])
  expect(faulty({ tape: { isOn: true } })).toEqual(['the call is over, and the caller is still recorded'])
  expect(faulty({}, { ...LOOP, limits: { steps: 0, durationMs: 1 } })[0]).toMatch(/steps, more than limits.steps/)
  expect(faulty({ secrets: ['4711'], lines: say('You entered 4, 7, 1, 2') })).toEqual([])
  expect(faulty({ secrets: ['4711'], lines: say('You entered 4, 7, 1, 1') })).toEqual(['a secret stands in the trace'])
})
