import { describe, expect, test } from 'vitest'
import { bye, flowOf, marked, problemsOf, withStep } from './problems-of.ts'

describe('one mistake, one message, at its place (flow-language.md 3.4)', () => {
  test('given the faulty example of the design, each mistake is reported once', () => {
    const text = `flow: bad
start: hello
vars: { phone: +37255512345 }
steps:
  hello:
    play: Hi \${calller.number}
    next: aks-case
  ask-case:
    gather:
      prompt: Number?
      tris: 3
      digits: 4
    as: caseNumber
    next: lookup
  lookup:
    http: { get: "https://x.example/\${caseNumber}" }
    as: caseInfo
    next: triage
    on: { unknown: again }
  triage:
    branch:
      in: caseInfo
      cases:
        - { when: "$[?(@.a === 1)]", next: again }
        - { when: "$[?(@.closedDate != null)]", next: again }
      else: again
  again: { play: Hi, next: text }
  text: { sms: { text: "\${secret.key}" }, next: both }
  both: { play: Hi, hangup: }
  lost: { play: "Hello {{name}}", next: both }
  braces: { play: {{ name }}, next: both }
`
    expect(problemsOf(text)).toEqual([
      '3:16 error `+37255512345` would be read as the number 37255512345; put it in quotes',
      '6:11 error nothing sets "calller"; did you mean "caller"?',
      '7:11 error there is no step "aks-case"; did you mean "ask-case"?',
      '11:7 error unknown key "tris"; did you mean "tries"?',
      '19:11 error a http step never ends with "unknown"; it can end with notFound, timeout, malformed, ' +
        'unavailable, failed or a status such as 409',
      '24:19 error JSONPath: write == instead of === (at "=== 1)]")',
      '25:19 error the condition reads "closedDate", which the answer may lack; ' +
        'add closedDate to expect.required of step "lookup"',
      '28:24 error a secret is allowed in auth and headers of http steps only; remove it here',
      '29:3 error step "both" has two kinds (play, hangup); split it into one step for each',
      '30:17 error write `${…}` for a value, not `{{…}}`',
      '31:19 error write `${…}` for a value, not `{{…}}`',
    ])
  })

  test('given doubled keys, each is named', () => {
    expect(problemsOf('flow: a\nflow: b\nstart: c\nstart: d\n')).toEqual([
      '2:1 error "flow" is already used above; rename it, or remove one',
      '4:1 error "start" is already used above; rename it, or remove one',
    ])
  })
})

describe('YAML traps', () => {
  test.each([
    ['0047', 'the number 47'],
    ['+372555', 'the number 372555'],
    ['12345678901234567890', 'the number 12345678901234567000'],
    ['0x1F', 'the number 31'],
    ['1e3', 'the number 1000'],
  ])('given %s without quotes, the loss is named', (written, read) => {
    const message = `error \`${written}\` would be read as ${read}; put it in quotes`
    const { text, problem } = marked(withStep(`{ set: { x: ▸${written} }, next: bye }`), message)
    expect(problemsOf(text)).toEqual([problem])
  })

  test.each(['5', '-5', '120.50', '"0047"', 'no', '09:00', '~'])('given %s the value is kept', (written) => {
    expect(problemsOf(withStep(`{ set: { x: ${written} }, next: bye }`))).toEqual([])
  })

  test('given a comma inside a text, the message asks for quotes', () => {
    const step = '{ gather: { prompt: From 1 to 5, how content are you?, digits: 1 }, next: bye }'
    expect(problemsOf(withStep(step))).toEqual([
      '4:39 error unknown key "how content are you?"; a text with a comma inside { } must stand in quotes',
    ])
  })
})

describe('kinds and keys of a step', () => {
  test.each([
    ['{ ▸plya: Hi, next: bye }', 'error unknown key "plya"; did you mean "play"?'],
    ['{ hangup: , ▸next: bye }', 'error a hangup step continues by nothing: the call is over; remove next'],
    [
      '{ menu: { prompt: Hi, keys: { "1": bye } }, ▸next: bye }',
      'error a menu step continues by its keys; remove next',
    ],
    [
      '{ menu: { prompt: Hi, keys: { ▸"12": bye } } }',
      'error "12" does not fit here; write one key in quotes, "0" to "9", "*" or "#"',
    ],
    [
      '{ play: Hi, ▸as: x, next: bye }',
      'error a play step has no result; remove as, which only gather, http, sms, wait, record, subflow steps have',
    ],
    [
      '{ play: Hi, next: bye, on: { ▸noInput: bye } }',
      'error a play step never ends with "noInput"; it can end with failed',
    ],
    [
      '{ branch: { cases: [{ has: task.x, next: bye }], else: bye }, on: { ▸failed: bye } }',
      'error a branch step never fails; remove "failed"',
    ],
    ['{ ▸branch: { cases: [{ has: task.x, next: bye }] } }', 'error branch has no else; add it: the name of a step'],
    ['{ branch: { cases: [▸{ next: bye }], else: bye } }', 'error a case has exactly one of when, has, open and same'],
    ['{ play: Hi, next: bye, ▸limit: 2 }', 'error the way on after 2 visits is missing; add on: { limit: … }'],
    [
      '{ play: Hi, next: bye, on: { ▸limit: bye } }',
      'error the step has no limit; add limit: with the maximum of visits, or remove this',
    ],
    [
      '{ http: { get: "https://x.example/" }, next: bye, on: { ▸404: bye } }',
      'error status 404 has the name notFound; write notFound',
    ],
    ['{ http: ▸{ }, next: bye }', 'error a http step has exactly one of get, lookup, post and put'],
    [
      '{ http: { post: "https://x.example/", retry: ▸1 }, next: bye }',
      'error only a GET may be tried again: a second POST or PUT could be done twice',
    ],
    [
      '{ http: { get: "https://x.example/", body: ▸{} }, next: bye }',
      'error a GET has no body; use post, or remove it',
    ],
    [
      '{ http: { get: "https://x.example/", timeout: ▸5 }, next: bye }',
      'error timeout must be a duration such as 5s, 500ms or 2m, not 5 (a number)',
    ],
    [
      '{ http: { get: "https://x.example/", timeout: ▸2h }, next: bye }',
      'error timeout must be from 100ms to 1m, not 2h',
    ],
    ['{ play: { money: ▸"3" }, next: bye }', 'error money needs a currency: {money: …, currency: EUR}'],
    ['{ play: { money: ▸"3", currency: EURO }, next: bye }', 'error there is no currency "EURO"; did you mean "EUR"?'],
    [
      '{ play: ▸{ say: x, digits: "3" }, next: bye }',
      'error one piece of a prompt says exactly one thing (say, prompt, file, digits, number, money, date, pause)',
    ],
    [
      '{ play: { file: ▸../../etc/passwd }, next: bye }',
      'error file must be a path such as sounds/welcome.mp3: letters, digits, "_", "-" and "/", ' +
        'ending in .wav, .mp3 or .ogg, not "../../etc/passwd"',
    ],
    [
      '{ play: ▸"Hi ${x | mony EUR}", next: bye }',
      'error there is no filter "mony"; did you mean "money"? (at "| mony EUR}")',
    ],
  ])('%s', (step, message) => {
    const { text, problem } = marked(withStep(step), message)
    expect(problemsOf(text)).toEqual([problem])
  })

  test('a step without effect or without a next step is reported by its name', () => {
    expect(problemsOf(withStep('{ next: bye }'))).toEqual([
      '4:3 error step "a" does nothing; give it one of play, gather, menu, http, branch, set, sms, doNotCall, wait, ' +
        'queue, record, transfer, subflow, hangup',
    ])
    expect(problemsOf(withStep('{ play: Hi }'))).toEqual(['4:3 error step "a" has no next step; add next'])
  })

  test('statuses and all named ends of a request are accepted', () => {
    const ends = ['notFound', 'timeout', 'malformed', 'unavailable', 'failed', '409', '302', '503']
    const on = ends.map((end) => `${end}: bye`).join(', ')
    expect(problemsOf(withStep(`{ http: { get: "https://x.example/" }, next: bye, on: { ${on} } }`))).toEqual([])
  })
})

describe('after the hang-up', () => {
  const withLast = (step: string) => `${withStep('{ set: { x: 1 }, next: bye }')}onHangup:\n  - ${step}\n`

  test.each([
    ['▸{ play: Hi }', 'error onHangup allows http, sms, doNotCall and set steps only; remove a play step'],
    ['{ sms: { text: x, ▸awaitDelivery: 5s } }', 'error nobody waits after the hang-up; remove awaitDelivery'],
    ['{ set: { x: 1 }, ▸next: bye }', 'error steps of onHangup run in order; remove next'],
    ['{ set: { x: 1 }, ▸on: { failed: bye } }', 'error steps of onHangup run in order; remove on'],
    [
      '{ set: { x: 1 }, ▸as: y }',
      'error a set step has no result; remove as, which only gather, http, sms, wait, record, subflow steps have',
    ],
    ['{ set: { ▸caller: 1 } }', 'error "caller" is set by the engine; choose another name'],
    ['{ http: { get: "https://x.example/" }, ▸as: task }', 'error "task" is set by the engine; choose another name'],
    [
      '{ http: { post: ▸"https://${x}/" } }',
      'error call data must not choose the host; write https://host/… or take it from ${env.…}',
    ],
  ])('%s', (step, message) => {
    const { text, problem } = marked(withLast(step), message)
    expect(problemsOf(text)).toEqual([problem])
  })
})

describe('the graph', () => {
  test('an unreachable step is a warning', () => {
    expect(problemsOf(`${withStep('{ play: Hi, next: bye }')}  lost: { play: Hi, next: bye }\n`)).toEqual([
      '6:3 warn  step "lost" is never reached; name it in another step or remove it',
    ])
  })

  test.each([
    [
      'two steps of data',
      '  a: { set: { x: 1 }, next: b }\n  b: { branch: { cases: [{ has: x, next: a }], else: bye } }\n',
      '4:3 error steps a → b → a go in a circle without a prompt to the caller; add a step that speaks',
    ],
    [
      'a step by itself',
      '  a: { set: { x: 1 }, next: a }\n',
      '4:3 error step a → a goes in a circle without a prompt to the caller; add a step that speaks',
    ],
    [
      'a prompt that cannot be played',
      '  a: { play: Hi, next: bye, on: { failed: a } }\n',
      '4:3 error step a → a goes in a circle without a prompt to the caller; add a step that speaks',
    ],
    [
      'a queue that is full',
      '  a: { queue: { team: x }, next: bye, on: { full: b } }\n  b: { set: { x: 1 }, next: a }\n',
      '4:3 error steps a → b → a go in a circle without a prompt to the caller; add a step that speaks',
    ],
    [
      'a limit that leads back',
      '  a: { play: Hi, limit: 2, next: bye, on: { limit: b } }\n  b: { set: { x: 1 }, next: a }\n',
      '4:3 error steps a → b → a go in a circle without a prompt to the caller; add a step that speaks',
    ],
    [
      'a failure left to onError',
      '  a: { http: { get: "https://x.example/" }, next: bye }\n  b: { set: { x: 1 }, next: a }\nonError: b\n',
      '4:3 error steps a → b → a go in a circle without a prompt to the caller; add a step that speaks',
    ],
  ])('given %s going round in silence, it is an error', (_, steps, problem) => {
    expect(
      problemsOf(flowOf(`${steps.replace('onError', `${bye}onError`)}${steps.includes('onError') ? '' : bye}`)),
    ).toContain(problem)
  })

  test.each([
    ['a prompt on the way', '  a: { play: Hi, next: b }\n  b: { set: { x: 1 }, next: a }\n'],
    [
      'a limit on the way',
      '  a: { http: { get: "https://x.example/" }, limit: 3, next: bye, on: { failed: a, limit: bye } }\n',
    ],
    [
      'a caller who waits',
      '  a: { queue: { team: x }, next: bye, on: { timeout: b } }\n  b: { set: { x: 1 }, next: a }\n',
    ],
    [
      'a caller who is asked',
      '  a: { gather: { prompt: Hi, digits: 1 }, next: bye, on: { failed: b } }\n  b: { set: { x: 1 }, next: a }\n',
    ],
  ])('given %s, going round is allowed', (_, steps) => {
    expect(problemsOf(flowOf(`${steps}${bye}`)).filter((problem) => problem.includes('in a circle'))).toEqual([])
  })
})
