import { expect, test } from 'vitest'
import { growthOf } from './soak-growth.ts'

const sizes = (handles: readonly number[], heapMiB: readonly number[] = handles.map(() => 90)) =>
  handles.map((count, place) => ({ handles: count, openFiles: 100, heapBytes: heapMiB[place]! * 2 ** 20 }))

test('a leak is told, also a slow one; one busy moment at the end is not', () => {
  // As an engine was that had 50 calls a second for an hour; the last minute was busy.
  expect(growthOf(sizes([360, 243, 259, 247, 255, 246, 266, 247, 245, 291]))).toEqual([])
  expect(growthOf(sizes([360, 243, 250, 252, 255, 258, 261, 265, 268, 271]))).toEqual(['handles grew from 252 to 268'])
  const heap = [70, 80, 90, 95, 100, 110, 118, 126, 133, 140]
  expect(growthOf(sizes(Array(10).fill(250), heap))[0]).toMatch(/^the heap grew from 99614720 to/)
  expect(growthOf(sizes([1, 2, 3, 400]))).toEqual([])
})
