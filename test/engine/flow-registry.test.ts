/** Which revision a new call takes. */
import { beforeEach, describe, expect, test } from 'vitest'
import { FlowRegistry } from '../../src/engine/flow-registry.ts'
import { readFlow } from '../../src/flow/read/read-flow.ts'
import type { CallId, CanaryId, FlowName } from '../../src/kernel/ids.ts'

const HOUSE = 'house' as FlowName
const flowOf = (words: string) =>
  readFlow('', `flow: house\nstart: bye\nsteps:\n  bye: { hangup: { say: ${words}. } }\n`).flow!
const [OLD, NEW, NEXT] = [flowOf('Old'), flowOf('New'), flowOf('Next')]
const numbers = Array.from({ length: 10_000 }, (_, index) => `+4551${String(index).padStart(6, '0')}`)
let registry: FlowRegistry
let calls = 0
const call = () => `call-${++calls}` as CallId
const share = (percent: number, id = 1) => ({ id: id as CanaryId, percent })
const isNew = (number: string | undefined) =>
  registry.draw(HOUSE, number, call())!.compiled.flow === registry.onTrial(HOUSE)?.compiled.flow
const drawn = () => numbers.filter(isNew)

beforeEach(() => {
  registry = new FlowRegistry([OLD])
})

test('without a trial every call takes the live revision, and counts for nothing', () => {
  expect(registry.draw(HOUSE, '+451', call())).toEqual({ compiled: registry.get(HOUSE) })
  expect(registry.draw('none' as FlowName, '+451', call())).toBeUndefined()
})

describe('a canary', () => {
  test.each([1, 10, 50, 99])('takes %i % of the numbers, always the same ones', (percent) => {
    registry.tryOut(NEW, share(percent))
    const first = drawn()
    // Five standard deviations of 10,000 draws.
    const spread = 5 * Math.sqrt(10_000 * (percent / 100) * (1 - percent / 100))
    expect(Math.abs(first.length - 100 * percent)).toBeLessThan(spread)
    expect(drawn()).toEqual(first)
    const elsewhere = new FlowRegistry([OLD])
    elsewhere.tryOut(NEW, share(percent))
    registry = elsewhere
    expect(drawn()).toEqual(first)
  })

  test('a larger share keeps the numbers of a smaller one; another revision has others', () => {
    registry.tryOut(NEW, share(10))
    const small = drawn()
    registry.tryOut(NEW, share(20, 2))
    expect(drawn()).toEqual(expect.arrayContaining(small))
    registry.tryOut(NEXT, share(10, 3))
    const both = drawn().filter((number) => small.includes(number))
    expect(both.length).toBeLessThan(200)
  })

  test('withheld numbers are drawn by call', () => {
    registry.tryOut(NEW, share(50))
    const found = Array.from({ length: 1_000 }, () => isNew(undefined)).filter(Boolean).length
    expect(Math.abs(found - 500)).toBeLessThan(100)
  })

  test('the first call of a number counts, its next ones do not; each withheld one does', () => {
    registry.tryOut(NEW, share(50))
    const counts = (number: string | undefined) => registry.draw(HOUSE, number, call())?.canary
    expect([counts('+451'), counts('+451')]).toEqual([{ id: 1, isNew: isNew('+451') }, undefined])
    expect([counts(undefined), counts(undefined)]).toEqual([expect.anything(), expect.anything()])
  })

  test('its calls find their revision while it runs; after its end nobody is drawn', () => {
    registry.tryOut(NEW, share(99))
    expect(registry.revision(NEW.revision)?.flow).toBe(NEW)
    registry.endTrial(HOUSE)
    expect(numbers.every((number) => registry.draw(HOUSE, number, call())!.compiled.flow === OLD)).toBe(true)
  })
})
