/**
 * Checks conditions when a flow is read: a subset of JSONPath (RFC 9535) that every library reads alike and that cannot
 * run code or loop (flow-language.md 0.2; why without a library: calls-and-flows-20).
 *
 *   condition = '$' member* filter? member*          member  = '.name' | '[0]' | "['any name']"
 *   filter    = '[?(' or ')]'                        or      = and ('||' and)*
 *   and       = not ('&&' not)*                      not     = '!' not | '(' or ')' | test or comparison
 */
import {
  type Condition,
  type FilterExpression,
  type Members,
  membersOf,
  type Operand,
  type Operator,
} from './json-path.ts'
import type { Misread } from './variable-path.ts'

type ConditionResult = { readonly ok: true; readonly condition: Condition } | Misread

const SOURCE_MAX = 500
/** Parentheses and `!` within each other. */
const DEPTH_MAX = 16

/** One of these after any space; `other` is what no condition may hold. */
const TOKEN_KINDS = {
  string: /'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"/,
  number: /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/,
  name: /[\p{L}_][\p{L}\p{N}_]*/u,
  sign: /===|!==|=~|==|!=|<=|>=|&&|\|\||\.\.|[$@.[\]()?!<>=^~`*,:/+%&|-]/,
  other: /\S/,
}
const ONE_OF = Object.entries(TOKEN_KINDS).map(([kind, { source }]) => `(?<${kind}>${source})`)
const TOKEN = new RegExp(`\\s*(?:${ONE_OF.join('|')})`, 'uy')

const HINTS: Readonly<Record<string, string>> = {
  '..': '".." is not allowed; name the members one by one',
  '===': 'write == instead of ===',
  '!==': 'write != instead of !==',
  '=': 'write == to compare',
  '=~': 'regular expressions are not allowed; compare with ==',
  '/': 'regular expressions are not allowed; compare with ==',
  '^': '"^" (parent) is not allowed',
  '~': '"~" (property name) is not allowed',
  '`': 'backticks are not allowed',
  '*': '"*" is not allowed; name the member',
  ':': 'slices are not allowed; name one entry, [0]',
  ',': 'brackets take one member; write one',
  '&': 'write && for "and"',
  '|': 'write || for "or"',
  and: 'write && for "and"',
  or: 'write || for "or"',
  not: 'write ! for "not"',
}

const OPERATORS: readonly string[] = ['==', '!=', '<', '<=', '>', '>=']
const LITERALS: Readonly<Record<string, boolean | null>> = { true: true, false: false, null: null }

/** Reads a condition such as `$[?(@.closedDate == null)]`. `offset` counts characters. */
export function parseCondition(text: string): ConditionResult {
  if (text.length > SOURCE_MAX)
    return { ok: false, message: `a condition has at most ${SOURCE_MAX} characters; shorten it`, offset: 0 }
  try {
    return { ok: true, condition: new ConditionParser(text).read() }
  } catch (error) {
    if (error instanceof Complaint) return { ok: false, message: error.message, offset: error.offset }
    throw error
  }
}

/** Ends the recursion of the parser below; never leaves this file. */
class Complaint extends Error {
  readonly offset: number

  constructor(message: string, offset: number) {
    super(message)
    this.offset = offset
  }
}

interface Token {
  readonly kind: keyof typeof TOKEN_KINDS | 'end'
  readonly text: string
  readonly offset: number
}

class ConditionParser {
  readonly #source: string
  readonly #tokens: readonly Token[]
  #at = 0
  #depth = 0

  constructor(source: string) {
    this.#source = source
    this.#tokens = tokensOf(source)
  }

  read(): Condition {
    if (!this.#take('$')) throw this.#complaint('a condition begins with $')
    const before = this.#members()
    const filter = this.#isAt('[', '?') ? this.#filter() : null
    const after = filter ? this.#members() : []
    if (this.#isAt('[', '?')) throw this.#complaint('only one filter is allowed; remove the second')
    if (this.#now.kind !== 'end')
      throw this.#complaint('the condition ends here; remove the rest, or join it with && or || in the filter')
    if (!filter && before.length === 0)
      throw this.#complaint('"$" alone is not a condition; name a member or add a filter')
    const asked = filter ? [...membersOf(filter), ...(after.length > 0 ? [after] : [])] : [[]]
    return { source: this.#source, before, filter, after, reads: asked.map((members) => [...before, ...members]) }
  }

  #members(): Members {
    const members: (string | number)[] = []
    for (;;) {
      if (this.#take('.')) members.push(this.#nameAfterDot())
      else if (this.#isAt('[') && !this.#isAt('[', '?')) members.push(this.#inBrackets())
      else return members
    }
  }

  #nameAfterDot(): string {
    const name = this.#now
    if (name.kind !== 'name') throw this.#complaint('"." must be followed by the name of a member')
    this.#at++
    if (this.#isAt('(')) throw this.#complaint('functions are not allowed; compare members and values', name.offset)
    const next = this.#now
    const isDashed = next.text.startsWith('-') && next.offset === name.offset + name.text.length
    if (isDashed) throw this.#complaint(`a name with a dash needs brackets: ['${name.text}-…']`)
    return name.text
  }

  #inBrackets(): string | number {
    this.#at++
    const inside = this.#now
    if (inside.text === '(') throw this.#complaint('scripts are not allowed; write a number or a quoted name')
    if (inside.kind === 'number' && !/^\d{1,6}$/.test(inside.text)) {
      throw this.#complaint('a place in a list must be a number from 0 on')
    }
    if (inside.kind !== 'string' && inside.kind !== 'number') {
      throw this.#complaint("brackets take a number or a quoted name: [0], ['pay url']")
    }
    this.#at++
    this.#expect(']', 'the bracket is not closed; add ]')
    return inside.kind === 'number' ? Number(inside.text) : this.#unquote(inside)
  }

  #filter(): FilterExpression {
    this.#at += 2
    this.#expect('(', 'put the filter in parentheses: $[?(@.closedDate == null)]')
    const filter = this.#or()
    this.#expect(')', 'the parenthesis is not closed; add )')
    this.#expect(']', 'the filter is not closed; add ]')
    return filter
  }

  #or(): FilterExpression {
    let left = this.#and()
    while (this.#take('||')) left = { kind: 'or', left, right: this.#and() }
    return left
  }

  #and(): FilterExpression {
    let left = this.#not()
    while (this.#take('&&')) left = { kind: 'and', left, right: this.#not() }
    return left
  }

  #not(): FilterExpression {
    if (++this.#depth > DEPTH_MAX) throw this.#complaint(`more than ${DEPTH_MAX} parentheses within each other`)
    const read = this.#take('!') ? this.#negation() : this.#take('(') ? this.#group() : this.#testOrComparison()
    this.#depth--
    return read
  }

  #negation(): FilterExpression {
    const inner = this.#not()
    if (inner.kind === 'compare' && !this.#closedGroup) throw this.#complaint('put parentheses after "!": !(@.a == 1)')
    return { kind: 'not', inner }
  }

  get #closedGroup(): boolean {
    return this.#tokens[this.#at - 1]?.text === ')'
  }

  #group(): FilterExpression {
    const inner = this.#or()
    this.#expect(')', 'the parenthesis is not closed; add )')
    if (OPERATORS.includes(this.#now.text))
      throw this.#complaint('a group cannot be compared; compare members and values')
    return inner
  }

  #testOrComparison(): FilterExpression {
    const start = this.#now
    const left = this.#operand()
    if (!OPERATORS.includes(this.#now.text)) {
      if ('members' in left) return { kind: 'test', members: left.members }
      throw this.#complaint('a value alone is not a condition; compare a member with it', start.offset)
    }
    const operator = this.#now.text as Operator
    this.#at++
    const right = this.#operand()
    if ('literal' in left && 'literal' in right)
      throw this.#complaint('one side must be a member, @.name', start.offset)
    if (OPERATORS.includes(this.#now.text)) throw this.#complaint('join two comparisons with && or ||')
    return { kind: 'compare', operator, left, right }
  }

  #operand(): Operand {
    const token = this.#now
    this.#at++
    if (token.text === '@') return this.#memberOperand(token)
    if (token.kind === 'string') return { literal: this.#unquote(token) }
    if (token.kind === 'number') return { literal: Number(token.text) }
    if (token.kind === 'name' && Object.hasOwn(LITERALS, token.text)) return { literal: LITERALS[token.text]! }
    if (token.text === '$') throw this.#complaint('inside a filter write @ for the element, not $', token.offset)
    if (token.kind === 'name' && this.#isAt('('))
      throw this.#complaint('functions are not allowed; compare members and values', token.offset)
    const hint = token.kind === 'name' ? `write @.${token.text} for a member, '${token.text}' for a text` : undefined
    throw this.#complaint(
      HINTS[token.text] ?? hint ?? 'a member or a value is missing here; write @.name or a value',
      token.offset,
    )
  }

  #memberOperand(token: Token): Operand {
    const name = this.#now
    if (name.kind === 'name' && name.offset === token.offset + 1) {
      throw this.#complaint(`"@${name.text}" is not allowed; a member is written @.${name.text}`, token.offset)
    }
    return { members: this.#members() }
  }

  #unquote({ text, offset }: Token): string {
    const inside = text.slice(1, -1)
    if (/\\[^\\'"]/.test(inside)) throw this.#complaint('"\\" must be followed by a quote or another "\\"', offset)
    return inside.replace(/\\(.)/g, '$1')
  }

  get #now(): Token {
    return this.#tokens[this.#at]!
  }

  #isAt(...texts: readonly string[]): boolean {
    return texts.every((text, place) => {
      const token = this.#tokens[this.#at + place]
      return token?.kind === 'sign' && token.text === text
    })
  }

  #take(text: string): boolean {
    const isThere = this.#isAt(text)
    if (isThere) this.#at++
    return isThere
  }

  #expect(text: string, message: string): void {
    if (!this.#take(text)) throw this.#complaint(message)
  }

  /** The hint for a sign of another dialect explains more than the expected token. */
  #complaint(message: string, offset?: number): Complaint {
    const { text, kind, offset: here } = this.#now
    const hint = offset === undefined && kind !== 'string' && Object.hasOwn(HINTS, text) ? HINTS[text]! : message
    return new Complaint(`JSONPath: ${hint}`, offset ?? here)
  }
}

function tokensOf(source: string): Token[] {
  const tokens: Token[] = []
  TOKEN.lastIndex = 0
  for (let match = TOKEN.exec(source); match; match = TOKEN.exec(source)) {
    const [kind, text] = Object.entries(match.groups!).find(([, text]) => text !== undefined) as [Token['kind'], string]
    tokens.push({ kind, text, offset: TOKEN.lastIndex - text.length })
  }
  tokens.push({ kind: 'end', text: '', offset: source.length })
  return tokens
}
