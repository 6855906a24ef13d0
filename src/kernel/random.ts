/** The only source of randomness below `main.ts`. The same seed gives the same numbers. */
export interface Random {
  /** Uniform in [0, 1). */
  next(): number
}

/** The sfc32 generator (Chris Doty-Humphrey, PractRand): small, fast, passes the usual batteries. Not for secrets. */
export function seededRandom(seed: number): Random {
  let a = seed | 0
  let b = (seed / 2 ** 32) | 0
  let c = 0x9e3779b9
  let counter = 1
  const next = () => {
    const sum = (((a + b) | 0) + counter) | 0
    counter = (counter + 1) | 0
    a = b ^ (b >>> 9)
    b = (c + (c << 3)) | 0
    c = (c << 21) | (c >>> 11)
    c = (c + sum) | 0
    return (sum >>> 0) / 2 ** 32
  }
  for (let warmUp = 0; warmUp < 15; warmUp++) next()
  return { next }
}

/** An integer of [from, to], both included. */
export function randomInt(random: Random, from: number, to: number): number {
  return from + Math.floor(random.next() * (to - from + 1))
}

/** One of `choices`, which must not be empty. */
export function randomOf<T>(random: Random, choices: readonly T[]): T {
  return choices[randomInt(random, 0, choices.length - 1)]!
}

/** `length` lower-case letters and digits, for ids that may have to be read aloud. */
export function randomText(random: Random, length: number): string {
  const LETTERS = 'abcdefghijkmnpqrstuvwxyz23456789'
  let text = ''
  for (let i = 0; i < length; i++) text += LETTERS[randomInt(random, 0, LETTERS.length - 1)]
  return text
}
