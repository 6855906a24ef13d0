/** A rule of ours was broken. It ends the one call in which it happens, never the process (law 7). */
export class AssertionError extends Error {
  override readonly name = 'AssertionError'
}

/** States what must hold. On in production: a wrong call that ends is better than one that goes on wrongly. */
export function assert(condition: unknown, sentence: string): asserts condition {
  if (!condition) throw new AssertionError(sentence)
}
