import type { HeardWords } from '../../ports/hearing.ts'

interface Word {
  readonly t?: unknown
  readonly p?: unknown
}

/**
 * Reads a line of `pocketsphinx single`: the words, and the probability of the least likely one. Silence and noises are
 * no words. Undefined if it is none.
 */
export function readHypothesis(line: string): HeardWords | undefined {
  const words = wordsIn(line)
  if (!words) return undefined
  const spoken = words.filter(({ t }) => typeof t === 'string' && /^[a-z]/.test(t))
  return {
    // `one(2)` is the second pronunciation of `one`.
    text: spoken.map(({ t }) => String(t).replace(/\(\d+\)$/, '')).join(' '),
    confidence: spoken.length === 0 ? 0 : Math.min(...spoken.map(({ p }) => (typeof p === 'number' ? p : 0))),
  }
}

function wordsIn(line: string): readonly Word[] | undefined {
  try {
    const { w } = JSON.parse(line) as { readonly w?: unknown }
    return Array.isArray(w) ? w : undefined
  } catch {
    return undefined
  }
}
