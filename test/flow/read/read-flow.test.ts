import { describe, expect, test } from 'vitest'
import { readFlow } from '../../../src/flow/read/read-flow.ts'
import { flowOf, problemsOf } from './problems-of.ts'

function read(text: string) {
  const { flow, problems } = readFlow('flows/test.yaml', text)
  if (!flow) throw new Error(problems.map(({ message }) => message).join('\n'))
  return flow
}

const bye = '  bye: { hangup: }\n'

describe('defaults', () => {
  test('given the shortest flow, all defaults are filled in', () => {
    const flow = read('flow: tiny\nstart: bye\nsteps:\n  bye:\n    hangup:\n')
    expect(flow).toMatchObject({
      name: 'tiny',
      title: 'tiny',
      file: 'flows/test.yaml',
      languages: ['en'],
      limits: { steps: 200, durationMs: 15 * 60_000 },
      onHangup: [],
      vars: {},
    })
    expect(flow.steps.get('bye' as never)).toEqual({
      name: 'bye',
      line: 4,
      kind: 'hangup',
      on: {},
      next: undefined,
      as: undefined,
      mark: undefined,
      limit: undefined,
      spec: { say: undefined, outcome: undefined },
    })
  })

  test('the revision is a hash of the bytes of the file', () => {
    const text = 'flow: tiny\nstart: bye\nsteps: { bye: { hangup: } }\n'
    expect(read(text).revision).toMatch(/^[0-9a-f]{12}$/)
    expect(read(text).revision).toBe(read(text).revision)
    expect(read(`${text}# note`).revision).not.toBe(read(text).revision)
  })

  test.each([
    [
      'gather: { prompt: Number?, digits: 4 }',
      {
        min: 4,
        max: 4,
        finish: '#',
        firstDigitTimeoutMs: 5_000,
        interDigitTimeoutMs: 3_000,
        tries: 3,
        bargeIn: true,
        secret: false,
      },
    ],
    ['http: { get: "https://x.example/" }', { method: 'GET', timeoutMs: 4_000, retry: 1, required: [] }],
    ['http: { post: "https://x.example/" }', { method: 'POST', retry: 0 }],
    [
      'queue: { team: help }',
      { team: 'help', priority: 0, timeoutMs: 600_000, announceEveryMs: undefined, announcePosition: false },
    ],
    ['queue: { team: help, announce: { position: true } }', { announceEveryMs: 45_000, announcePosition: true }],
  ])('given %s the defaults are those of flow-language.md 3.2', (step, spec) => {
    const flow = read(flowOf(`  a: { ${step}, next: bye }\n${bye}`))
    expect(flow.steps.get('a' as never)?.spec).toMatchObject(spec)
  })

  test("the file's own defaults come before ours", () => {
    const flow = read(
      `defaults: { gather: { tries: 2, firstDigitTimeout: 7s }, http: { timeout: 2s, retry: 0 } }
flow: test
start: a
steps:
  a: { gather: { prompt: Number?, digits: 4 }, next: b }
  b: { menu: { prompt: Key?, tries: 1, keys: { "1": c } } }
  c: { http: { get: "https://x.example/" }, next: bye }
${bye}`,
    )
    const specs = ['a', 'b', 'c'].map((name) => flow.steps.get(name as never)?.spec)
    expect(specs).toMatchObject([
      { tries: 2, firstDigitTimeoutMs: 7_000 },
      { tries: 1, firstDigitTimeoutMs: 7_000 },
      { timeoutMs: 2_000, retry: 0 },
    ])
  })
})

describe('prompts', () => {
  test('a text, a fragment and a list become segments in order', () => {
    const flow = read(`flow: test
start: a
prompts: { hello: { en: Hello } }
steps:
  a:
    play:
      - Hi
      - { prompt: hello }
      - { digits: "47" }
      - { money: "3", currency: EUR }
      - { pause: 500ms }
      - { file: sounds/bell.wav }
    next: bye
${bye}`)
    expect(flow.steps.get('a' as never)?.spec).toMatchObject({
      prompt: [
        { kind: 'say', text: { source: 'Hi' } },
        { kind: 'prompt', name: 'hello' },
        { kind: 'digits', value: { source: '47' } },
        { kind: 'money', value: { source: '3' }, currency: 'EUR' },
        { kind: 'pause', ms: 500 },
        { kind: 'file', file: 'sounds/bell.wav' },
      ],
    })
  })

  test('a list of reprompts is one prompt for each try, not one prompt', () => {
    const flow = read(
      flowOf(`  a:
    gather:
      prompt: Number?
      digits: 4
      reprompt: { noInput: [Once more., [Last, try.]], invalid: Wrong. }
    next: bye
${bye}`),
    )
    const spec = flow.steps.get('a' as never)?.spec as unknown as { reprompt: Record<string, unknown[]> }
    expect(spec.reprompt['noInput']).toHaveLength(2)
    expect(spec.reprompt['noInput']?.[1]).toHaveLength(2)
    expect(spec.reprompt['invalid']).toHaveLength(1)
  })
})

describe('opening hours', () => {
  test('days and ranges become minutes of weekdays', () => {
    const flow = read(`flow: test
start: a
hours:
  office:
    timezone: Europe/Tallinn
    weekly: { sat-mon: "09:00-12:00, 13:00-24:00", fri: "09:00-16:00" }
    holidays: ["2026-12-25"]
steps:
  a: { branch: { cases: [{ open: office, next: bye }], else: bye } }
${bye}`)
    const office = flow.hours['office']!
    expect([...office.weekly.keys()].sort()).toEqual([1, 5, 6, 7])
    expect(office.weekly.get(7)).toEqual([
      [540, 720],
      [780, 1440],
    ])
  })

  test.each([
    ['timezone: Europe/Talinn', '5:15 error there is no time zone "Europe/Talinn"; did you mean "Europe/Tallinn"?'],
    [
      'weekly: { mon: "17:00-09:00" }',
      '5:20 error "17:00-09:00" ends before it begins; write hours past midnight at the next day',
    ],
    ['weekly: { mon: "09:00-25:00" }', '5:20 error "09:00-25:00": the day ends at 24:00'],
    [
      'weekly: { mon: "09:00-12:00, 11:00-13:00" }',
      '5:20 error "09:00-12:00, 11:00-13:00": write the ranges in order, without overlap',
    ],
    ['weekly: { mon-fri: "09:00-12:00", tue: "09:00-10:00" }', '5:44 error tue is named twice; name every day once'],
    [
      'weekly: { monday: "09:00-12:00" }',
      '5:15 error "monday" does not fit here; write a day or a range of days, mon or mon-fri',
    ],
    ['holidays: ["2026-02-30"]', '5:16 error there is no day 2026-02-30'],
  ])('given %s the mistake is named', (line, problem) => {
    const rest = ['timezone: Europe/Tallinn', 'weekly: { mon: "09:00-12:00" }'].filter(
      (one) => one.split(':')[0] !== line.split(':')[0],
    )
    const text = `flow: test
start: a
hours:
  office:
    ${line}
    ${rest.join('\n    ')}
steps:
  a: { branch: { cases: [{ open: office, next: bye }], else: bye } }
${bye}`
    expect(problemsOf(text)).toEqual([problem])
  })
})

test('given hours with an invalid day, the other days are still checked', () => {
  const text = `flow: test
start: bye
hours: { office: { timezone: Europe/Tallinn, weekly: { mon: never, tue: "17:00-09:00" } } }
steps:
${bye}`
  expect(problemsOf(text)).toEqual([
    '3:61 error mon must be "09:00-17:00", or several: "09:00-12:00, 13:00-17:00", not "never"',
    '3:73 error "17:00-09:00" ends before it begins; write hours past midnight at the next day',
  ])
})

test('given more warnings than are shown, an error after them still makes the flow invalid', () => {
  const lost = Array.from({ length: 250 }, (_, place) => `  lost${place}: { hangup: }\n`).join('')
  const { flow, problems } = readFlow(
    'a.yaml',
    flowOf(`  a: { hangup: }\n${lost}  last: { play: Hi, next: nowhere }\n`),
  )
  expect(flow).toBeUndefined()
  expect(problems.filter(({ severity }) => severity === 'error')).toHaveLength(1)
})

describe('bad files', () => {
  const aliasBomb = [
    'a: &a [x, x, x, x, x, x, x, x, x]',
    ...'bcdefgh'.split('').map((name, index) => {
      const before = 'abcdefg'[index]
      return `${name}: &${name} [${Array.from({ length: 9 }, () => `*${before}`).join(', ')}]`
    }),
  ].join('\n')

  test.each([
    ['an empty file', '', '1:1 error the file must be a map with flow, start and steps, not empty'],
    ['a list', '- a', '1:1 error the file must be a map with flow, start and steps, not a list'],
    ['a bomb of aliases', aliasBomb, '1:1 error too many aliases (more than 50 expansions); write the values out'],
    [
      'an alias inside itself',
      'a: &a [*a, *a]',
      '1:1 error more than 10000 values, 1000 in one place or 64 levels; split the flow',
    ],
    ['a megabyte', `# ${'x'.repeat(1024 * 1024)}`, '1:1 error the file is larger than 1024 kB'],
    [
      'two documents',
      'flow: a\n---\nflow: b',
      '2:1 error a file holds one flow; remove everything from the second --- on',
    ],
    [
      'many values',
      `vars:\n${Array.from({ length: 5_000 }, (_, n) => `  v${n}: 0${n}`).join('\n')}`,
      '1:1 error more than 10000 values, 1000 in one place or 64 levels; split the flow',
    ],
    [
      'a thousand steps',
      flowOf(Array.from({ length: 1_000 }, (_, n) => `  s${n}: { hangup: }`).join('\n'), 's0'),
      '3:1 error 1000 steps; a flow has at most 500; split it',
    ],
    [
      'ten thousand steps',
      flowOf(Array.from({ length: 10_000 }, (_, n) => `  s${n}: { hangup: }`).join('\n'), 's0'),
      '1:1 error more than 10000 keys or entries; split the flow',
    ],
  ])('given %s there is one message', (_, text, problem) => {
    expect(problemsOf(text)).toEqual([problem])
  })

  test('given brackets without end, the file is refused', () => {
    expect(problemsOf(`flow: ${'['.repeat(100_000)}`)[0]).toMatch(/^1:\d+ error too many brackets within each other$/)
  })

  test('given a value without quotes inside braces, the message names the remedy', () => {
    expect(problemsOf('flow: { a: ${x} }')).toEqual([expect.stringContaining('a value must stand in quotes: "${…}"')])
  })

  test('given broken steps only, each has its own message', () => {
    const steps = [
      '{ play: 3, next: a }',
      'x',
      '[]',
      '{ hangup: , hangup: }',
      '{ gather: { prompt: Hi }, next: a }',
      '{ play: Hi, next: { a: b } }',
    ]
    const problems = steps.map((step) => problemsOf(flowOf(`  a: ${step}\n`))[0])
    expect(problems).toEqual([
      '4:14 error play must be words to speak, a map such as {digits: "${caseNumber}"}, or a list of these, ' +
        'not 3 (a number); put it in quotes: "3"',
      '4:6 error a must be a step such as {play: Hello., next: bye}, not "x"',
      '4:6 error a must be a step such as {play: Hello., next: bye}, not a list; write keys, not dashes',
      '4:18 error "hangup" is already used above; rename it, or remove one',
      '4:8 error gather has no digits; add it: a number of digits, or {min: 3, max: 10}',
      '4:24 error next must be the name of a step, not a map',
    ])
  })

  test('names that every object inherits are ordinary names for the author', () => {
    const text = `flow: constructor
start: constructor
prompts: { toString: { en: Hello } }
steps:
  constructor: { play: { prompt: toString }, next: valueOf }
  valueOf: { set: { hasOwnProperty: 1 }, next: bye }
${bye}`
    const flow = read(text)
    expect([...flow.steps.keys()]).toEqual(['constructor', 'valueOf', 'bye'])
    expect(flow.prompts['constructor']).toBeUndefined()
    expect(flow.steps.get('constructor' as never)?.on['toString']).toBeUndefined()
    expect(problemsOf(flowOf('  a: { play: "${constructor}", next: toString }\n'))).toEqual([
      '4:14 error nothing sets "constructor"; name it in `as` of a step, in set or in vars',
      '4:38 error there is no step "toString"; add it under steps',
    ])
  })
})
