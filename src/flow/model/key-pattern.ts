/**
 * Patterns for entries on the keypad: the plain part of regular expressions. Keys, `\d`, `.`, `[1-5]`, `{2,4}`, `?`,
 * `*`, `+`, and groups with `|`. Repeated groups are refused, because they can take for ever on a short entry.
 */

type KeyPattern =
  | { readonly ok: true; readonly shortest: number; readonly longest: number }
  | { readonly ok: false; readonly message: string }

const LENGTH_MAX = 100
/** Each of these multiplies the ways to match an entry; four of them on 32 digits are still instant. */
const VARIABLE_REPEATS_MAX = 4
const DEPTH_MAX = 8

const ATOM = /\\d|\.|\[\^?(?:\\d|[^\]\\])+\]|[0-9#]|\\[*+?.]/y
const REPEAT = /\{(\d{1,2})(?:(,)(\d{1,2})?)?\}|[?*+]/y

interface Lengths {
  readonly shortest: number
  readonly longest: number
}

class Complaint extends Error {}

/** Reads a pattern. Infinity is a fine `longest`; a pattern that no keys can match has none. */
export function readKeyPattern(pattern: string): KeyPattern {
  if (pattern.length > LENGTH_MAX)
    return { ok: false, message: `a pattern has at most ${LENGTH_MAX} characters; shorten it` }
  try {
    new RegExp(pattern, 'u')
    return { ok: true, ...new PatternWalk(pattern).read() }
  } catch (error) {
    if (error instanceof Complaint) return { ok: false, message: error.message }
    if (error instanceof SyntaxError)
      return { ok: false, message: 'this is not a valid regular expression; correct it' }
    throw error
  }
}

class PatternWalk {
  readonly #pattern: string
  #at = 0
  #depth = 0
  #variableRepeats = 0

  constructor(pattern: string) {
    this.#pattern = pattern
  }

  read(): Lengths {
    const lengths = this.#choices()
    if (this.#at < this.#pattern.length) throw this.#unknown()
    return lengths
  }

  #choices(): Lengths {
    let lengths = this.#sequence()
    while (this.#take('|')) {
      const other = this.#sequence()
      lengths = {
        shortest: Math.min(lengths.shortest, other.shortest),
        longest: Math.max(lengths.longest, other.longest),
      }
    }
    return lengths
  }

  #sequence(): Lengths {
    let lengths: Lengths = { shortest: 0, longest: 0 }
    // The whole entry is matched, so ^ and $ say nothing new.
    while (this.#at < this.#pattern.length && !'|)'.includes(this.#pattern[this.#at]!)) {
      if (this.#take('^') || this.#take('$')) continue
      const { shortest, longest } = this.#repeated()
      lengths = { shortest: lengths.shortest + shortest, longest: lengths.longest + longest }
    }
    return lengths
  }

  #repeated(): Lengths {
    const isGroup = this.#pattern[this.#at] === '('
    const inner = isGroup ? this.#group() : this.#atom()
    const repeat = this.#match(REPEAT)
    if (!repeat) return inner
    const [text, from, comma, to] = repeat
    const [least, most] =
      from === undefined ? RANGES[text]! : [Number(from), comma ? Number(to ?? Number.POSITIVE_INFINITY) : Number(from)]
    if (isGroup && text !== '?') throw new Complaint('a group in parentheses cannot be repeated; write its content out')
    if (most !== least && ++this.#variableRepeats > VARIABLE_REPEATS_MAX) {
      throw new Complaint(`at most ${VARIABLE_REPEATS_MAX} repeats of changing length`)
    }
    // 0 × Infinity is no number.
    const longest = most === 0 || inner.longest === 0 ? 0 : inner.longest * most
    return { shortest: least === 0 ? 0 : inner.shortest * least, longest }
  }

  #group(): Lengths {
    this.#at++
    if (this.#pattern.startsWith('?:', this.#at)) this.#at += 2
    if (++this.#depth > DEPTH_MAX) throw new Complaint(`more than ${DEPTH_MAX} groups within each other`)
    const inner = this.#choices()
    this.#depth--
    if (!this.#take(')')) throw this.#unknown()
    return inner
  }

  #atom(): Lengths {
    const atom = this.#match(ATOM)
    if (!atom) throw this.#unknown()
    const isKey = [...KEYS].some((key) => new RegExp(`^${atom[0]}$`, 'u').test(key))
    // No key fits: longer than any entry, so that only another choice can match.
    return isKey
      ? { shortest: 1, longest: 1 }
      : { shortest: Number.POSITIVE_INFINITY, longest: Number.NEGATIVE_INFINITY }
  }

  #unknown(): Complaint {
    const sign = this.#pattern.slice(this.#at, this.#at + 2)
    return new Complaint(`"${sign}" is not for keys; use digits, \\d, [1-5], {2,4}, ?, *, +, (a|b)`)
  }

  #take(text: string): boolean {
    const isThere = this.#pattern.startsWith(text, this.#at)
    if (isThere) this.#at += text.length
    return isThere
  }

  #match(expression: RegExp): RegExpExecArray | null {
    expression.lastIndex = this.#at
    const match = expression.exec(this.#pattern)
    if (match) this.#at = expression.lastIndex
    return match
  }
}

const KEYS = '0123456789*#'
const RANGES: Readonly<Record<string, readonly [number, number]>> = {
  '?': [0, 1],
  '*': [0, Number.POSITIVE_INFINITY],
  '+': [1, Number.POSITIVE_INFINITY],
}
