import fc from 'fast-check'
import { type JSONValue, query } from 'json-p3'
import { describe, expect, test } from 'vitest'
import { holds } from '../../../src/flow/model/json-path.ts'
import { parseCondition } from '../../../src/flow/model/json-path-parser.ts'

function check(text: string, document: unknown) {
  const read = parseCondition(text)
  if (!read.ok) throw new Error(`${text}: ${read.message}`)
  return holds(read.condition, document)
}

const open = { caseNumber: '4711', closedDate: null, remainingAmount: 120.5, paymentUrl: 'https://pay.example/x' }
const closed = { ...open, closedDate: '2026-03-02T10:00:00Z', remainingAmount: 0 }
const { closedDate: _, ...missing } = open

describe('the contract: closedDate tells open from closed', () => {
  test.each([
    ['$[?(@.closedDate == null)]', [true, false, false]],
    ['$[?(@.closedDate != null)]', [false, true, false]],
    ['$[?(@.closedDate && @.closedDate != null)]', [false, true, false]],
    ['$[?(!@.closedDate)]', [true, false, false]],
    ['$[?(!(@.closedDate != null))]', [true, false, false]],
    ['$[?(@.remainingAmount > 0 && @.closedDate == null)]', [true, false, false]],
    ['$[?(@.closedDate == null)].paymentUrl', [true, false, false]],
    ['$[?(@.closedDate == null)].nothing', [false, false, false]],
    ['$.closedDate', [true, true, false]],
    ["$['closedDate']", [true, true, false]],
  ])('%s holds for [open, closed, without closedDate]: %j', (text, expected) => {
    expect([open, closed, missing].map((document) => check(text, document).holds)).toEqual(expected)
  })

  test.each([null, 'text', 42, true, [], undefined, [null], ['closedDate']])(
    'given %j instead of a case, no condition holds',
    (document) => {
      expect(check('$[?(@.closedDate == null)]', document).holds).toBe(false)
      expect(check('$[?(@.closedDate != null)]', document).holds).toBe(false)
    },
  )

  test('given an array, the filter tests its entries', () => {
    expect(check('$[?(@.closedDate == null)]', [closed, open]).holds).toBe(true)
    expect(check('$[?(@.closedDate == null)]', [closed, missing]).holds).toBe(false)
    expect(check("$.tags[?(@ == 'vip')]", { tags: ['new', 'vip'] }).holds).toBe(true)
  })

  test('the explanation of a condition shows the tested values, truncated', () => {
    expect(check('$[?(@.closedDate == null)]', open).why).toBe('$[?(@.closedDate == null)] holds: closedDate is null')
    expect(check('$[?(@.closedDate != null)]', missing).why).toBe(
      '$[?(@.closedDate != null)] does not hold: closedDate is missing',
    )
    expect(check('$[?(@.a == 1)]', { a: 'x'.repeat(500) }).why).toMatch(/does not hold: a is "x{58}…$/)
  })
})

describe('a missing member never decides', () => {
  test.each([
    ['$[?(@.gone == 1 || @.a == 1)]', true],
    ['$[?(@.gone == 1 && @.a == 1)]', false],
    ['$[?(!(@.gone == 1) && @.a == 1)]', false],
    ['$[?(!(@.gone == 1 && @.a == 2))]', true],
    ['$[?(!(@.gone == 1 || @.a == 2))]', false],
    ['$[?(@.gone.deeper == null)]', false],
    ['$[?(@.a.deeper == null)]', false],
    ['$[?(@.list[9] != 1)]', false],
  ])('%s on {a: 1, list: []} is %j: true only if it is true whatever the member were', (text, expected) => {
    expect(check(text, { a: 1, list: [] }).holds).toBe(expected)
  })

  test('given any filter over members of which some are missing, it holds only if every value for them agrees', () => {
    const leaf = fc.constantFrom('@.a == 1', '@.a != 1', '@.b == 1', '@.b != 1', '@.c > 0', '!@.c')
    const { filter } = fc.letrec<{ filter: string }>((tie) => ({
      filter: fc.oneof(
        { maxDepth: 3 },
        leaf,
        fc.tuple(tie('filter'), fc.constantFrom('&&', '||'), tie('filter')).map(([l, o, r]) => `(${l} ${o} ${r})`),
        tie('filter').map((inner) => `!(${inner})`),
      ),
    }))
    const known = fc.record(
      { a: fc.constantFrom(0, 1), b: fc.constantFrom(0, 1), c: fc.constantFrom(0, 1) },
      { requiredKeys: [] },
    )
    fc.assert(
      fc.property(filter, known, (text, document) => {
        if (!check(`$[?(${text})]`, document).holds) return
        for (const a of [0, 1]) {
          for (const b of [0, 1]) {
            for (const c of [0, 1]) expect(check(`$[?(${text})]`, { a, b, c, ...document }).holds).toBe(true)
          }
        }
      }),
    )
  })

  test.each([
    ['$[?(@.amount < 5)]', { amount: null }],
    ['$[?(@.amount <= 0)]', { amount: null }],
    ['$[?(@.amount >= 0)]', { amount: [] }],
    ['$[?(@.amount == 0)]', { amount: [] }],
    ["$[?(@.amount == '[object Object]')]", { amount: {} }],
  ])('given %s and %j, the order of null and the value of a list decide nothing', (text, document) => {
    expect(check(text, document).holds).toBe(false)
  })

  test.each(['constructor', '__proto__', 'toString', 'length', 'hasOwnProperty'])(
    'what every object inherits, %s, is missing',
    (name) => {
      expect(check(`$[?(@.${name} != 1)]`, { a: 1 }).holds).toBe(false)
      expect(check(`$[?(@.list.${name} != 1)]`, { list: [1] }).holds).toBe(false)
      expect(check(`$[?(@['${name}'] == 1)]`, JSON.parse(`{"${name}": 1}`)).holds).toBe(true)
    },
  )
})

describe('words of the author', () => {
  const odd = ['@path', '@number()', 'a]b', "it's", 'a)b', '`', '$', '^', '..', '?(', 'a"b', '\\', '||', '&& true', '']

  test.each(odd)('given the text %j, it is compared unchanged', (text) => {
    const literal = `'${text.replace(/[\\']/g, '\\$&')}'`
    expect(check(`$[?(@.a == ${literal})]`, { a: text }).holds).toBe(true)
    expect(check(`$[?(@.a == ${literal})]`, { a: `${text}x` }).holds).toBe(false)
    expect(check(`$[?(@[${literal}] == 1)]`, { [text]: 1 }).holds).toBe(true)
  })
})

describe('refused paths', () => {
  test.each([
    ['closedDate', 'begins with $'],
    ['$', 'alone is not a condition'],
    ['$..closedDate', '".." is not allowed'],
    ['$[?@.a == 1]', 'put the filter in parentheses'],
    ['$[?(@.a === null)]', 'write == instead of ==='],
    ['$[?(@.a !== null)]', 'write != instead of !=='],
    ['$[?(@.a = 1)]', 'write == to compare'],
    ['$[?(@.a =~ /x/)]', 'regular expressions'],
    ['$[?(/x/.test(@.a))]', 'regular expressions'],
    ["$[?(match(@.a, 'x'))]", 'functions'],
    ['$[?(@.a.match(1))]', 'functions'],
    ['$.a^', '(parent)'],
    ['$.a~', '(property name)'],
    ['$[?(@parent.a)]', '"@parent" is not allowed'],
    ['$[?(@root.a)]', '"@root" is not allowed'],
    ['$[?(@property == 1)]', '"@property" is not allowed'],
    ['$[?(@path == 1)]', '"@path" is not allowed'],
    ['$.`a', 'backticks'],
    ['$.*', 'name the member'],
    ['$[*]', 'name the member'],
    ['$[0:2]', 'slices'],
    ['$[0,1]', 'brackets take one member'],
    ['$[-1]', 'from 0 on'],
    ['$[(@.length-1)]', 'scripts'],
    ['$[?($.a == 1)]', 'write @'],
    ['$[?(1 == 1)]', 'one side must be a member'],
    ['$[?(true)]', 'a value alone is not a condition'],
    ['$[?(@.a == open)]', "'open' for a text"],
    ['$[?(@.a == 1)][?(@.b == 2)]', 'only one filter'],
    ['$[?(!@.a == 1)]', 'put parentheses after "!"'],
    ['$[?(@.a == 1 and @.b == 2)]', 'write &&'],
    ['$[?(@.a == 1 == 2)]', 'join two comparisons'],
    ['$[?((@.a) == 1)]', 'a group cannot be compared'],
    ['$[?(@.a-b == 1)]', 'needs brackets'],
    ["$[?(@.a == '\\x41')]", '"\\" must be followed'],
    ["$[?(@.a == 'x)]", 'missing here'],
    ['$[?(@.a == 1', 'add )'],
    ['$[?(@.a == 1)', 'add ]'],
    ['$.a b', 'the condition ends here'],
    [`$[?(${'('.repeat(40)}@.a${')'.repeat(40)})]`, 'parentheses within each other'],
    [`$[?(${'!'.repeat(40)}@.a)]`, 'parentheses within each other'],
    [`$.${'a'.repeat(600)}`, 'at most 500'],
  ])('%s', (text, message) => {
    expect(parseCondition(text)).toMatchObject({ ok: false, message: expect.stringContaining(message) })
  })

  test('given any text, parsing ends, and an accepted path can be applied to any value', () => {
    const pieces = [
      '$',
      '@',
      '[',
      ']',
      '?',
      '(',
      ')',
      '.',
      'a',
      '==',
      '!',
      '&&',
      '||',
      '1',
      "'x'",
      'null',
      '<',
      ' ',
      '-',
      '"',
    ]
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...pieces), { maxLength: 14 }), fc.json(), (texts, json) => {
        const text = texts.join('')
        const read = parseCondition(text)
        if (read.ok) holds(read.condition, JSON.parse(json))
        else expect(read.offset).toBeLessThanOrEqual(text.length)
      }),
      { numRuns: 2_000 },
    )
  })
})

/** json-p3 passes the whole compliance suite of RFC 9535. The object-root rule is ours, so it is applied here too. */
function byRfc(text: string, document: JSONValue): boolean {
  const isRootFilter = text.startsWith('$[?') && typeof document === 'object' && !Array.isArray(document)
  return query(text, isRootFilter ? [document] : document).values().length > 0
}

describe('beside RFC 9535', () => {
  const scalar = fc.oneof(
    fc.constantFrom(null, true, false),
    fc.integer({ min: -3, max: 3 }),
    fc.constantFrom('', 'a', 'b'),
  )
  const element = fc.record({
    a: scalar,
    b: scalar,
    n: fc.integer({ min: -3, max: 3 }),
    s: fc.constantFrom('a', 'b', 'ab'),
  })
  const members = { n: fc.integer({ min: -3, max: 3 }).map(String), s: fc.constantFrom("'a'", "'b'", "'ab'") }
  const comparison = fc.oneof(
    fc
      .tuple(fc.constantFrom('a', 'b'), fc.constantFrom('==', '!='))
      .map(([name, operator]) => `@.${name} ${operator} null`),
    fc
      .tuple(fc.constantFrom('==', '!=', '<', '<=', '>', '>='), members.n)
      .map(([operator, value]) => `@.n ${operator} ${value}`),
    fc
      .tuple(fc.constantFrom('==', '!=', '<', '<=', '>', '>='), members.s)
      .map(([operator, value]) => `@['s'] ${operator} ${value}`),
  )
  const { filter } = fc.letrec<{ filter: string }>((tie) => ({
    filter: fc.oneof(
      { maxDepth: 4 },
      comparison,
      fc.tuple(tie('filter'), fc.constantFrom('&&', '||'), tie('filter')).map(([l, o, r]) => `(${l} ${o} ${r})`),
      tie('filter').map((inner) => `!(${inner})`),
    ),
  }))
  const after = fc.constantFrom('', '.a', "['b']", '.gone', '[0]')
  const document = fc.oneof(element, fc.array(element, { maxLength: 4 }))

  test('given existing members and values of one type, both agree', () => {
    fc.assert(
      fc.property(filter, after, document, (text, rest, data) => {
        const condition = `$[?(${text})]${rest}`
        expect([condition, check(condition, data).holds]).toEqual([condition, byRfc(condition, data as JSONValue)])
      }),
      { numRuns: 500 },
    )
  })

  test('given a path without a filter, both find the same', () => {
    const path = fc.array(fc.constantFrom('.a', '.b', '[0]', '[1]', "['n']", '.gone'), { minLength: 1, maxLength: 4 })
    const { tree } = fc.letrec((tie) => ({
      tree: fc.oneof(
        { maxDepth: 3 },
        scalar,
        fc.array(tie('tree'), { maxLength: 3 }),
        fc.dictionary(fc.constantFrom('a', 'b', 'n'), tie('tree')),
      ),
    }))
    fc.assert(
      fc.property(path, tree, (parts, data) => {
        const condition = `$${parts.join('')}`
        expect([condition, check(condition, data).holds]).toEqual([condition, byRfc(condition, data as JSONValue)])
      }),
    )
  })

  test('difference 1: a missing member decides nothing; RFC 9535 takes it for a value that equals nothing else', () => {
    expect([check('$[?(@.gone != null)]', {}).holds, byRfc('$[?(@.gone != null)]', {})]).toEqual([false, true])
    expect([check('$[?(!@.gone)]', {}).holds, byRfc('$[?(!@.gone)]', {})]).toEqual([false, true])
  })

  test('difference 2: a member alone must be true as JavaScript sees it; RFC 9535 asks whether it is there', () => {
    expect([check('$[?(@.a)]', { a: null }).holds, byRfc('$[?(@.a)]', { a: null })]).toEqual([false, true])
    expect([check('$[?(@.a)]', { a: 0 }).holds, byRfc('$[?(@.a)]', { a: 0 })]).toEqual([false, true])
  })

  test("difference 3: '1' equals 1 and can be ordered with it, as in JavaScript; RFC 9535 compares one type", () => {
    expect([check('$[?(@.a == 1)]', { a: '1' }).holds, byRfc('$[?(@.a == 1)]', { a: '1' })]).toEqual([true, false])
    expect([check('$[?(@.a > 1)]', { a: '2' }).holds, byRfc('$[?(@.a > 1)]', { a: '2' })]).toEqual([true, false])
  })

  test('difference 4: null has no order; RFC 9535 lets null <= null hold', () => {
    expect([check('$[?(@.a <= null)]', { a: null }).holds, byRfc('$[?(@.a <= null)]', { a: null })]).toEqual([
      false,
      true,
    ])
  })

  test('difference 5: a list or an object equals nothing; RFC 9535 compares their content', () => {
    const data = { a: [1], b: [1] }
    expect([check('$[?(@.a == @.b)]', data).holds, byRfc('$[?(@.a == @.b)]', data)]).toEqual([false, true])
  })
})
