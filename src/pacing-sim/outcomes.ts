/**
 * Random numbers of a day, by index instead of in sequence. The outcome of the n-th dial and the length of an agent's
 * k-th call depend only on the seed, the day and that index. All policies meet the same day, and none can change it
 * (common random numbers).
 */

/** A row of uniform numbers. It has a state of 64 bits, because rows of different names must not coincide. */
export interface Row {
  readonly first: number
  readonly second: number
}

/** What is drawn from a row; each kind has rows of its own. */
export const DRAWN = {
  hit: 1,
  answerAge: 2,
  failure: 3,
  detection: 4,
  detectionTime: 5,
  talk: 6,
  wrapUp: 7,
  breakAt: 8,
  patience: 9,
} as const

/** The row of a name: seed, day, campaign, kind. */
export function rowOf(...name: readonly number[]): Row {
  let first = 0x243f6a88
  let second = 0x85a308d3
  for (const part of name) {
    const [low, high] = [part | 0, Math.floor(part / 2 ** 32) | 0]
    first = mixed(mixed(first ^ low) + high)
    second = mixed(mixed(second + low) ^ high)
  }
  return { first, second }
}

/** The n-th number of a row, from 0: uniform, strictly between 0 and 1. */
export function uniformAt({ first, second }: Row, n: number): number {
  const word = mixed(mixed(Math.imul(n, 0x9e3779b1) + first) ^ second)
  return ((word >>> 0) + 0.5) / 2 ** 32
}

/** The finalizer of MurmurHash3 (Austin Appleby, public domain): every bit in moves half of the bits out. */
function mixed(word: number): number {
  let h = word | 0
  h ^= h >>> 16
  h = Math.imul(h, 0x85ebca6b)
  h ^= h >>> 13
  h = Math.imul(h, 0xc2b2ae35)
  return h ^ (h >>> 16)
}
