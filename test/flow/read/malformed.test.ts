import { describe, expect, test } from 'vitest'
import { malformedFlows } from './malformed-corpus.ts'
import { problemsOf } from './problems-of.ts'

const corpus = malformedFlows()
const KNOWN = {
  teams: ['help'],
  skills: new Map([['help', [['danish'], ['technics']]]]),
  numbers: ['+4570001000'],
  sipHosts: ['office'],
  env: ['integrator'],
  secrets: ['key'],
  spoken: new Map([['in-swedish', [{ number: '+4570001000', language: 'sv' }]]]),
  voices: new Map([
    ['en', 'http'],
    ['et', 'espeak'],
    ['da', 'espeak'],
  ]),
  hasEars: false,
  whyNoRecording: (file: string) => `${file} cannot be read; put the recording there`,
}

describe('the corpus of malformed flows', () => {
  test.each(corpus.map((flow) => [`${flow.file}:${flow.line}`, flow.rule, flow] as const))('%s %s', (_, __, flow) => {
    const canText = flow.rule !== 'text messages that nothing can send'
    expect(problemsOf(flow.text, { ...KNOWN, canText })).toEqual(flow.problems)
  })

  test('has more than 300 flows, at least three for every rule, each with a message', () => {
    const rules = Object.entries(Object.groupBy(corpus, ({ rule }) => rule))
    expect(corpus.length).toBeGreaterThan(300)
    expect(rules.filter(([, flows]) => (flows ?? []).length < 3).map(([rule]) => rule)).toEqual([])
    expect(
      corpus.filter(({ problems }) => problems.some((problem) => !/^\d+:\d+ (error|warn ) /.test(problem))),
    ).toEqual([])
  })
})

describe('bombs', () => {
  const nested = (open: (name: string, before: string) => string) =>
    ['a: &a [x, x]', ...[...'bcdefgh'].map((name, index) => `${name}: &${name} ${open(name, 'abcdefg'[index]!)}`)].join(
      '\n',
    )
  const nine = (name: string) => Array.from({ length: 9 }, (_, place) => `k${place}: *${name}`).join(', ')
  const tooManyAliases = '1:1 error too many aliases (more than 50 expansions); write the values out'
  const tooDeep = 'error too many brackets within each other'

  // Keys, entries and levels are counted before the parser begins. Once the braces took two minutes, the list 13 s.
  test.each([
    ['lists of aliases', nested((_, before) => `[${Array(9).fill(`*${before}`).join(', ')}]`), tooManyAliases],
    ['maps of aliases', nested((_, before) => `{ ${nine(before)} }`), tooManyAliases],
    [
      'one long text many times',
      `a: &a "${'x'.repeat(100_000)}"\nb: [${Array(51).fill('*a').join(', ')}]`,
      tooManyAliases,
    ],
    ['brackets', `flow: ${'['.repeat(100_000)}`, `1:71 ${tooDeep}`],
    ['braces', `flow: ${'{a: '.repeat(100_000)}`, `1:263 ${tooDeep}`],
    ['lists in one line', `flow:\n  ${'- '.repeat(100_000)}x`, `2:259 ${tooDeep}`],
    ['keys that are maps', `${'? '.repeat(100_000)}x`, `1:259 ${tooDeep}`],
    ['levels', Array.from({ length: 1_400 }, (_, level) => `${' '.repeat(level)}a:`).join('\n'), `258:259 ${tooDeep}`],
    [
      'many keys',
      Array.from({ length: 50_000 }, (_, place) => `a${place}: x`).join('\n'),
      '1:1 error more than 10000 keys or entries; split the flow',
    ],
    ['a long list', `a: [${'x,'.repeat(400_000)}]`, '1:1 error more than 10000 keys or entries; split the flow'],
  ])('given %s, there is one message', (_, text, problem) => {
    expect(problemsOf(text)).toEqual([problem])
  })

  test('a flow of 500 steps is read', () => {
    const steps = Array.from({ length: 499 }, (_, place) => `  s${place}: { play: Hi, next: s${place + 1} }`).join('\n')
    expect(problemsOf(`flow: long\nstart: s0\nsteps:\n${steps}\n  s499: { hangup: }\n`)).toEqual([])
  })
})
