import { afterEach, describe, expect, test, vi } from 'vitest'
import { formatProblem } from '../../src/kernel/file-problem.ts'
import { YamlSource } from '../../src/kernel/yaml-source.ts'

function problemsOf(text: string): string[] {
  return new YamlSource('a.yaml', text, 'flow').problems.map((problem) =>
    formatProblem(problem).slice('a.yaml:'.length),
  )
}

const manyKeys = (count: number, written: (key: string) => string, between: string) =>
  Array.from({ length: count }, (_, place) => written(`k${place}`)).join(between)

const TOO_MANY_KEYS = ['1:1 error more than 10000 keys or entries; split the flow']
const TOO_MANY_ALIASES = ['1:1 error too many aliases (more than 50 expansions); write the values out']

describe('a file too large for a person to write is refused, given', () => {
  test.each([
    ['keys on lines', manyKeys(30_000, (key) => `${key}: 1`, '\n'), TOO_MANY_KEYS],
    ['keys without colons', `{${manyKeys(30_000, (key) => key, ',')}}`, TOO_MANY_KEYS],
    ['keys behind question marks', manyKeys(30_000, (key) => `? ${key}`, '\n'), TOO_MANY_KEYS],
    ['keys in many maps', manyKeys(6_000, (key) => `- { ${key}: 1, b: 2 }`, '\n'), TOO_MANY_KEYS],
    [
      'many anchors, each used once',
      `- [${manyKeys(60, (key) => `&${key} 1`, ',')}]\n- [${manyKeys(60, (key) => `*${key}`, ',')}]`,
      TOO_MANY_ALIASES,
    ],
    [
      'few anchors that multiply',
      'a: &a [1,2,3,4,5,6,7,8]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b,*b,*b,*b,*b]\nd: [*c,*c,*c,*c]',
      TOO_MANY_ALIASES,
    ],
    ['more than a megabyte', `# ${'x'.repeat(1024 * 1024)}`, ['1:1 error the file is larger than 1024 kB']],
  ])('%s', (_, text, problems) => {
    expect(problemsOf(text)).toEqual(problems)
  })

  test('as many keys as are allowed', () => {
    expect(problemsOf(manyKeys(10_000, (key) => `${key}: "a: b: c"`, '\n'))).toEqual([])
  })
})

describe('mistakes of YAML', () => {
  test.each([
    ['the same text', 'a: 1\nb: { c: 1, c: 2 }\na: 3', ['2:12 error "c"', '3:1 error "a"']],
    ['a number and the same as text', '1: a\n"1": b', ['2:1 error "1"']],
    ['nothing and the empty text', ': a\n"": b', ['2:1 error ""']],
  ])('given two keys that are %s, the second is a duplicate', (_, text, places) => {
    expect(problemsOf(text)).toEqual(places.map((place) => `${place} is already used above; rename it, or remove one`))
  })

  test('given an alias as a key, what stands below it keeps its line', () => {
    const text = 'p:\n  m: 1\n  b:\n    *a: N\n    de: x\n\n  m:\n    b: 1\n'
    expect(problemsOf(text)).toContain('7:3 error "m" is already used above; rename it, or remove one')
  })

  test('given an alias of nothing, such as an unquoted star, its place is named', () => {
    expect(problemsOf('finish: *key')).toEqual(['1:9 error no &key stands above this *key; text with a * needs quotes'])
  })

  test('given a syntax error, its consequences are omitted', () => {
    expect(problemsOf('a: [\nb: ]]\nc: }')).toHaveLength(1)
  })

  test('given two documents, the second is refused in the words of the author', () => {
    expect(problemsOf('a: 1\n---\nb: 2')).toEqual([
      '2:1 error a file holds one flow; remove everything from the second --- on',
    ])
  })
})

describe('values', () => {
  test('given tags for types outside JSON, their texts are taken as they stand', () => {
    const { value } = new YamlSource('a.yaml', 'a: !!binary aGk=\nb: !!set { x, y }\nc: 2026-01-01', 'flow')
    expect(value).toEqual({ a: 'aGk=', b: { x: null, y: null }, c: '2026-01-01' })
  })

  test('given a path, the place and the text of its value are known', () => {
    const source = new YamlSource('a.yaml', 'a:\n  404: [x, 0047]', 'flow')
    expect(source.writtenAt(['a', '404', 1])).toBe('0047')
    expect(source.problem(['a', '404', 1], 'lost')).toMatchObject({ line: 2, column: 12 })
    expect(source.problemAtKey(['a', '404'], 'odd')).toMatchObject({ line: 2, column: 3 })
    expect(source.problem(['a', '404', 7, 'b'], 'nearest')).toMatchObject({ line: 2, column: 8 })
  })
})

describe('the parser', () => {
  afterEach(() => void vi.restoreAllMocks())

  test.each(['a: {{ x }}', 'a: !!mine x', '%ODD 1\n---\na: 1'])('given %s it prints nothing by itself', (text) => {
    const warnings = vi.spyOn(process, 'emitWarning')
    expect(problemsOf(text)).toEqual([])
    expect(warnings).not.toHaveBeenCalled()
  })
})
