/** A broken invariant. It ends the one call in which it happens, never the process (law 7). */
export class AssertionError extends Error {
  override readonly name = 'AssertionError'
}

/** States an invariant. Active in production: a call that ends is better than one that goes wrong. */
export function assert(condition: unknown, sentence: string): asserts condition {
  if (!condition) throw new AssertionError(sentence)
}
