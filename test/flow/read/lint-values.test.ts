import { describe, expect, test } from 'vitest'
import { bye, flowOf, marked, problemsOf, withStep } from './problems-of.ts'

const SET_IT = '; name it in `as` of a step, in set or in vars'

describe('values', () => {
  test.each([
    ['{ play: ▸"${nobody}", next: bye }', `error nothing sets "nobody"${SET_IT}`],
    ['{ play: ▸"${caller.nummer}", next: bye }', 'error "caller" has no "nummer"; did you mean "number"?'],
    [
      '{ play: ▸"${secret.key}", next: bye }',
      'error a secret is allowed in auth and headers of http steps only; remove it here',
    ],
    [
      '{ http: { get: ▸"https://x.example/${secret.key}" }, next: bye }',
      'error a secret is allowed in auth and headers of http steps only; remove it here',
    ],
    [
      '{ http: { post: "https://x.example/", body: { k: ▸"${secret.key}" } }, next: bye }',
      'error a secret is allowed in auth and headers of http steps only; remove it here',
    ],
    [
      '{ branch: { cases: [{ has: ▸secret.key, next: bye }], else: bye } }',
      'error a secret is allowed in auth and headers of http steps only; remove it here',
    ],
    [
      '{ branch: { cases: [{ has: ▸"a b", next: bye }], else: bye } }',
      'error " " is not allowed in a path; write a path such as caseInfo.caseNumber (at "b")',
    ],
    [
      '{ branch: { cases: [{ when: ▸"$[?(@.scor == 1)]", next: bye }], else: bye } }',
      `error nothing sets "scor"${SET_IT}`,
    ],
    [
      '{ branch: { in: ▸nobody, cases: [{ has: task.x, next: bye }], else: bye } }',
      `error nothing sets "nobody"${SET_IT}`,
    ],
    ['{ set: { ▸caller: 1 }, next: bye }', 'error "caller" is set by the engine; choose another name'],
    [
      '{ http: { get: "https://x.example/" }, ▸as: task, next: bye }',
      'error "task" is set by the engine; choose another name',
    ],
    [
      '{ set: { ▸a b: 1 }, next: bye }',
      'error "a b" does not fit here; write the name of a variable: letters, digits and _',
    ],
  ])('%s', (step, message) => {
    const { text, problem } = marked(withStep(step), message)
    expect(problemsOf(text)).toEqual([problem])
  })

  test('the time of the engine without a zone is a warning: it is that of Greenwich', () => {
    const warned = 'warn  call.startedAt is UTC; write `| time Europe/Copenhagen`, with your time zone'
    const { text, problem } = marked(withStep('{ play: ▸"At ${call.startedAt | time}.", next: bye }'), warned)
    expect(problemsOf(text)).toEqual([problem])
    expect(problemsOf(text.replace('| time', '| time Asia/Tokyo'))).toEqual([])
    expect(problemsOf(text.replace('| time', '| time Asia/Tokio'))[0]).toContain('time takes a time zone such as')
  })

  test('initial values of variables are plain', () => {
    expect(problemsOf(`vars: { x: "\${caller.number}" }\n${withStep('{ play: "${x}", next: bye }')}`)).toEqual([
      '1:12 error vars hold plain values only; use a set step for `${…}`',
    ])
  })

  test('a value that is not set on every path is a warning, unless it has a default', () => {
    const steps = (
      text: string,
    ) => `  a: { gather: { prompt: Hi, digits: 4, confirm: "\${number}?" }, as: number, next: b, on: { noInput: b } }
  b: { play: "${text}", next: bye }
${bye}`
    expect(problemsOf(flowOf(steps('${number}')))).toEqual([
      '5:14 warn  "number" is not set on every way to step "b"; ' +
        "write a default, ${number | default '…'}, or set it earlier",
    ])
    expect(problemsOf(flowOf(steps("${number | default 'none'}")))).toEqual([])
    expect(problemsOf(`vars: { number: "0" }\n${flowOf(steps('${number}'))}`)).toEqual([])
  })

  test('a value counts as set behind a branch that tests it', () => {
    const steps = `  a: { gather: { prompt: Hi, digits: 4 }, as: number, next: b, on: { noInput: b } }
  b: { branch: { cases: [{ has: number, next: c }], else: bye } }
  c: { play: "\${number}", next: bye }
${bye}`
    expect(problemsOf(flowOf(steps))).toEqual([])
  })

  test('given the names of the configuration, unknown ones are errors', () => {
    const known = { teams: ['help'], env: ['integrator'], secrets: ['key'] }
    const steps = `  a: { http: { get: "\${env.integratr}/x", auth: "\${secret.kye}" }, next: b }
  b: { queue: { team: { by: task.x, map: { "1": hlep }, else: help } }, next: c }
  c: { queue: { team: nobody }, next: bye }
${bye}`
    expect(problemsOf(flowOf(steps))).toEqual([])
    expect(problemsOf(flowOf(steps), known)).toEqual([
      '4:21 error the configuration has no env "integratr"; did you mean "integrator"?',
      '4:49 error the configuration has no secret "kye"; did you mean "key"?',
      '5:49 error the configuration has no team "hlep"; did you mean "help"?',
      '6:23 error the configuration has no team "nobody"; add it under teams',
    ])
  })
})

describe('other systems', () => {
  test('given numbers without an external system, a lookup there is a warning, once for each', () => {
    const steps = `  a: { http: { lookup: "\${call.called}" }, next: bye }\n${bye}`
    const known = {
      systemless: new Map([
        ['test', ['+4570001000', '+4570001001']],
        ['other', ['+4570001002']],
      ]),
    }
    expect(problemsOf(flowOf(steps))).toEqual([])
    const has = 'has no external system that could be asked; add externalSystem to the number'
    expect(problemsOf(flowOf(steps), known)).toEqual([
      `4:24 warn  the number +4570001000 ${has}`,
      `4:24 warn  the number +4570001001 ${has}`,
    ])
  })

  test.each([
    'https://${x}/',
    'https://x.example${x}',
    '${x}',
    '${env.a}${x}',
    '${env.a}.example/',
    'ftp://x.example/',
    'x.example/',
    'https://me@x.example/',
    '/CaseInfo',
  ])('given the address %s, call data or chance would choose the host', (url) => {
    const [problem] = problemsOf(`vars: { x: "1" }\n${withStep(`{ http: { get: "${url}" }, next: bye }`)}`)
    expect(problem).toMatch(/^5:21 error call data must not choose the host; write https:/)
  })

  test.each([
    'https://x.example/${x}',
    'https://x.example',
    'http://127.0.0.1:8080/a?b=${x}',
    '${env.a}',
    '${env.a}/x/${x}',
    '${env.a}:8080/${x}',
    '${env.a}?q=${x}',
  ])('given the address %s, the host is fixed', (url) => {
    expect(problemsOf(`vars: { x: "1" }\n${withStep(`{ http: { get: "${url}" }, next: bye }`)}`)).toEqual([])
  })

  /** The condition stands on line 5. */
  const judged = (expected: string, when: string) => {
    const cases = `[{ when: "${when}", next: bye }]`
    const judge = `  judge: { branch: { in: info, cases: ${cases}, else: bye } }\n`
    const http = `{ get: "https://x.example/"${expected} }`
    return flowOf(`  lookup: { http: ${http}, as: info, next: judge }\n${judge}${bye}`, 'lookup')
  }

  test.each([
    ['', '$[?(@.closedDate == null)]', ['closedDate']],
    [', expect: { required: [closedDate] }', '$[?(@.closedDate == null && @.amount > 0)]', ['amount']],
    [', expect: { required: [closedDate], match: { amount: "1" } }', '$[?(@.closedDate == null && @.amount > 0)]', []],
    ['', '$[?(@.a == 1 || @.b == 2)].c', ['a', 'b', 'c']],
    ['', '$.lines[?(@.a == 1)]', ['lines']],
  ])('given http%s, the condition %s must not rest on %j', (expected, when, members) => {
    const messages = problemsOf(judged(expected, when))
    expect(messages).toEqual(
      members.map(
        (name) =>
          `5:48 error the condition reads "${name}", which the answer may lack; ` +
          `add ${name} to expect.required of step "lookup"`,
      ),
    )
  })

  test('the same rule applies to conditions on all variables', () => {
    const text = judged('', '$[?(@.info.closedDate == null)]').replace('in: info, ', '')
    expect(problemsOf(text)).toEqual([
      '5:38 error the condition reads "closedDate", which the answer may lack; ' +
        'add closedDate to expect.required of step "lookup"',
    ])
  })
})

describe('prompts and languages', () => {
  const withPrompts = (prompts: string, step = '{ play: { prompt: hello }, next: bye }') =>
    `prompts: ${prompts}\n${flowOf(`  a: ${step}\n  bye: { hangup: }\n`)}`

  test.each([
    [
      '{ hello: { et: Tere } }',
      [
        '1:12 error prompt "hello" has no wording in "en"; add one',
        '1:21 warn  "et" is not a language of the flow; add it to languages',
      ],
    ],
    ['{ helo: { en: Hi } }', ['5:24 error there is no prompt "hello"; did you mean "helo"?']],
    [
      '{ hello: { en: { prompt: other } }, other: { en: { prompt: hello } } }',
      ['1:12 error prompt "hello" contains itself; remove it from its own text'],
    ],
    [
      '{ hello: { en: 3 } }',
      [
        '1:25 error en must be words to speak, a map such as {digits: "${caseNumber}"}, or a list of these, ' +
          'not 3 (a number); put it in quotes: "3"',
      ],
    ],
  ])('%s', (prompts, problems) => {
    expect(problemsOf(withPrompts(prompts))).toEqual(problems)
  })

  test('a flow with two languages keeps its texts in the catalogue', () => {
    const text = `languages: [en, et]\n${withStep('{ play: Hello, next: bye }')}`
    expect(problemsOf(text)).toEqual([
      '5:14 warn  the flow has the languages en, et; move this text to prompts, with a wording for each',
      '6:25 warn  the flow has the languages en, et; move this text to prompts, with a wording for each',
    ])
  })
})

describe('entries', () => {
  const gather = (keys: string) => withStep(`{ gather: { prompt: Hi, ${keys} }, next: bye }`)

  test.each([
    '[1-5]{4}',
    '\\d{4}',
    '47\\d\\d',
    '(47|48)\\d{2}',
    '\\d?\\d{3}',
    '1*',
    '^\\d+$',
    '[^0]\\d{3}',
    '(?:12)?34|\\d{4}',
  ])('the pattern %s can be typed with 4 digits', (pattern) => {
    expect(problemsOf(gather(`digits: 4, pattern: '${pattern}'`))).toEqual([])
  })

  test.each([
    ['[1-5]', 'no entry of 4 digits can match "[1-5]"; change the pattern or the number of digits'],
    ['\\d{5,}', 'no entry of 4 digits can match "\\d{5,}"; change the pattern or the number of digits'],
    ['[A-Z]{4}', 'no entry of 4 digits can match "[A-Z]{4}"; change the pattern or the number of digits'],
    ['(', 'pattern: this is not a valid regular expression; correct it'],
    ['abcd', 'pattern: "ab" is not for keys; use digits, \\d, [1-5], {2,4}, ?, *, +, (a|b)'],
    ['(\\d+)+', 'pattern: a group in parentheses cannot be repeated; write its content out'],
    ['\\d*\\d*\\d*\\d*\\d*', 'pattern: at most 4 repeats of changing length'],
    ['(\\d)\\1', 'pattern: "\\1" is not for keys; use digits, \\d, [1-5], {2,4}, ?, *, +, (a|b)'],
    ['(?=1)\\d{4}', 'pattern: "?=" is not for keys; use digits, \\d, [1-5], {2,4}, ?, *, +, (a|b)'],
    ['#\\d{3}', 'the pattern needs "#", but "#" ends the entry; set finish to another key or to ""'],
  ])('the pattern %s cannot', (pattern, message) => {
    expect(problemsOf(gather(`digits: 4, pattern: '${pattern}'`))).toEqual([`4:50 error ${message}`])
  })

  test('a finish key that is a digit is a warning, and min must not be above max', () => {
    expect(problemsOf(gather('digits: 4, finish: "1"'))).toEqual([
      '4:49 warn  "1" ends the entry, so no number with a 1 in it can be typed; use "#" or "*"',
    ])
    expect(problemsOf(gather('digits: { min: 5, max: 3 }'))).toEqual([
      '4:38 error no entry has at least 5 and at most 3 digits; swap them',
    ])
  })
})

describe('text messages', () => {
  const sms = (text: string) => problemsOf(withStep(`{ sms: { text: "${text}" }, next: bye }`))

  test('characters outside GSM-7 and long texts are reported with their cost', () => {
    expect(sms('Tere hommikust, võlg')).toEqual([
      '4:21 warn  "õ" outside GSM-7: a part holds 70 characters instead of 160 (about 20 characters, 1 part); ' +
        'replace them to save parts',
    ])
    expect(sms('x'.repeat(400))).toEqual([
      '4:21 warn  the text message is long: about 400 characters, 3 parts; shorten it',
    ])
  })

  test.each(['Pay €5, ä ö ü ø å', 'x'.repeat(306), '${caller.number} {call}'])('%s gives no message', (text) => {
    expect(sms(text)).toEqual([])
  })
})

test('a text too long for speech is reported before the first call, and a text that just fits is not', () => {
  const play = (length: number) => `{ play: ${'a'.repeat(length)}, next: bye }`
  const message =
    'this text has 1001 characters, at most 1000 can be spoken in one go; split it into a list of shorter texts'
  expect(problemsOf(withStep(play(1_001)))).toEqual([`4:14 error ${message}`])
  expect(problemsOf(withStep(play(1_000)))).toEqual([])
})
