/** Every verb and every part of the world that a test may describe, through the command line's own reader. */
import { describe, expect, test } from 'vitest'
import { readFlow } from '../../src/flow/read/read-flow.ts'
import { readTestFile } from '../../src/flow-test/read-test-file.ts'
import { testFlow } from '../../src/flow-test/test-flow.ts'
import { YamlSource } from '../../src/kernel/yaml-source.ts'
import { faultsOf } from './faults-of.ts'

const BYE = 'bye: { hangup: { say: Goodbye. } }'

describe('hear', () => {
  const STEPS = `steps:
  first: { play: [One two, { pause: 2s }, { file: sounds/chime.mp3 }, "three."], next: ask }
  ask: { menu: { prompt: "Four, five; SIX.", keys: { "1": bye }, tries: 1, bargeIn: false }, on: { failed: bye } }
  ${BYE}
`
  const passes = (call: string) => faultsOf(STEPS, `  - test: a\n    call: ${call}\n`)

  test.each([
    [
      'goes on within a prompt, and over prompts',
      '[{ hear: one }, { hear: two }, { hear: three }, { hear: four five six }]',
    ],
    ['hears a recording as its file', '[{ hear: sounds/chime.mp3 }]'],
    ['hears what a key cannot cut off', '[{ hear: four }, { press: "1" }, { hear: six }]'],
    ['takes several phrases in any order', '[{ hear: [six, four] }]'],
    ['hears what was spoken while the caller waited', '[{ wait: 20s }, { hear: one }, { hear: goodbye }]'],
  ])('%s', (_, call) => expect(passes(call)).toEqual([]))

  test.each([
    ['a word twice', '[{ hear: one }, { hear: one }]'],
    ['parts of words', '[{ hear: wo }]'],
    ['words across two prompts', '[{ hear: three four }]'],
    ['words before those that were heard', '[{ hear: four }, { hear: two }]'],
  ])('does not hear %s', (_, call) => expect(passes(call)).toEqual([expect.stringContaining('is never heard')]))
})

test('text messages: what is sent, to whom, and what comes of it', () => {
  const steps = `steps:
  first:
    sms: { text: "Hello \${caller.number | default 'you'}" }
    next: bye
    on: { noMobile: a, undelivered: b, timeout: c, failed: d }
  a: { play: no mobile, next: bye }
  b: { play: undelivered, next: bye }
  c: { play: too late, next: bye }
  d: { play: it failed, next: bye }
  ${BYE}
`
  const cases = {
    noMobile: 'no mobile',
    undelivered: 'undelivered',
    timeout: 'too late',
    failed: 'it failed',
    sent: 'goodbye',
  }
  const tests = Object.entries(cases).map(
    ([sms, words]) => `  - test: ${sms}
    given: { sms: ${sms} }
    call: [{ expect: { sms: { to: "+37255512345", contains: Hello } } }, { hear: ${words} }]
    then: { texts: 1 }
`,
  )
  const withheld =
    '  - test: withheld\n    given: { caller: withheld }\n    call: [{ hear: no mobile }]\n    then: { texts: 0 }\n'
  expect(faultsOf(steps, [...tests, withheld].join(''))).toEqual([])
  const wrong = (what: string) => faultsOf(steps, `  - test: a\n    call: [{ expect: { sms: ${what} } }]\n`)
  expect(wrong('Bye')).toEqual(['the text message does not contain "Bye"; it is "Hello +37255512345"'])
  expect(wrong('{ to: "+1" }')).toEqual(['the text message goes to +37255512345, not to +1'])
})

test('each visit of a step sends its own text message', () => {
  const steps = `steps:
  first: { sms: { text: Hello }, next: ask }
  ask:
    menu: { prompt: Press 1 for another., keys: { "1": first }, tries: 1 }
    limit: 2
    on: { failed: bye, limit: bye }
  ${BYE}
`
  const call = '[{ hear: another }, { press: "1" }, { hear: another }, { press: "1" }, { hear: Goodbye }]'
  expect(faultsOf(steps, `  - test: twice\n    call: ${call}\n    then: { texts: 3 }\n`)).toEqual([])
})

test('the queue: refusal, place, loss of a phone, and what the agent is told', () => {
  const steps = `steps:
  first:
    queue:
      { team: front-desk, priority: 3, skills: [danish], recording: consent, recordingConsent: "true",
        popup: "\${caller.number}", whisper: A caller,
        announce: { every: 20s, position: true }, timeout: 1m }
    next: bye
    on: { full: full, closed: closed, timeout: late, failed: late }
  full: { play: The queue is full, next: bye }
  closed: { play: We are closed, next: bye }
  late: { play: Nobody is free, next: bye }
  ${BYE}
`
  const queue =
    'queue: front-desk, priority: 3, skills: [danish], recording: consent, popup: "+37255512345", ' +
    'whisper: a caller, recordingConsent: true'
  expect(
    faultsOf(
      steps,
      `  - test: served
    given: { position: 2 }
    call:
      - expect: { ${queue} }
      - hear: You are number 2 in the queue
      - agent: answers
      - wait: 5s
      - agent: lost
      - hear: One moment, please
      - agent: answers
      - agent: leaves
      - hear: Goodbye
    then: { outcome: talked }
  - test: full
    given: { queue: { front-desk: full } }
    call: [{ hear: The queue is full }]
  - test: closed
    given: { queue: { front-desk: closed } }
    call: [{ hear: We are closed }]
  - test: a phone rings for the caller, and nobody answers
    given: { position: 0 }
    call: [{ hear: Nobody is free }]
  - test: an agent who talks until the test is over
    call: [{ agent: answers }]
    then: { path: [first, bye], outcome: talked }
`,
    ),
  ).toEqual([])
  const wrong = (what: string) =>
    faultsOf(steps, `  - test: a\n    call: [{ expect: { queue: front-desk, ${what} } }]\n`)
  expect(wrong('priority: 2')).toEqual(['priority is 3, not 2'])
  expect(wrong('recording: always')).toEqual(['recording is "consent", not "always"'])
  expect(wrong('skills: []')).toEqual(['skills is ["danish"], not []'])
  expect(wrong('popup: x')).toEqual(['popup is "+37255512345", not "x"'])
  expect(wrong('whisper: x')).toEqual(['the agent hears "A caller" first, without "x"'])
  expect(wrong('recordingConsent: false')).toEqual(['recordingConsent is true, not false'])
})

test('requests: answers one after another, late ones, and those that fail', () => {
  const steps = `steps:
  first:
    http: { get: "\${env.shop}/items?of=\${caller.number}", expect: { required: [name] }, retry: 2, timeout: 2s }
    as: item
    next: tell
    on: { timeout: late, 409: conflict, unavailable: away, malformed: odd, failed: other }
  tell: { play: "Your item is \${item.name}.", next: bye }
  late: { play: too late, next: bye }
  conflict: { play: conflict, next: bye }
  away: { play: away, next: bye }
  odd: { play: odd, next: bye }
  other: { play: other, next: bye }
  ${BYE}
`
  const of = (reply: string, words: string, requests: number) => `  - test: ${words} after ${requests}
    given: { http: { "GET /items?of=%2B37255512345": ${reply} } }
    call: [{ hear: ${words} }]
    then: { requests: ${requests} }
`
  const tests = [
    of('[{ status: 502 }, { fails: network }, { body: { name: a lamp } }]', 'your item is a lamp', 3),
    of('{ after: 2s }', 'too late', 1).replace('too late after', 'slow after'),
    of('{ fails: timeout }', 'too late', 1),
    of('{ status: 409 }', 'conflict', 1),
    of('{ fails: unavailable }', 'away', 1),
    of('{ text: "<html>" }', 'odd', 1),
    of('{ fails: tooLarge }', 'odd', 1).replace('odd after', 'large after'),
    of('{ fails: forbidden }', 'other', 1),
  ]
  expect(faultsOf(steps, tests.join(''))).toEqual([])
  const whole = `  - test: by its whole address
    given:
      env: { shop: "https://shop.example/v1" }
      http: { "GET https://shop.example/v1/items?of=%2B37255512345": {} }
    call: [{ hear: odd }]
`
  expect(faultsOf(steps, whole)).toEqual([])
})

test('the stop list, the language of a number, and steps after the hang-up', () => {
  const steps = `languages: [en, et]
prompts: { hello: { en: Hello., et: Tere. } }
steps:
  first: { play: { prompt: hello }, next: stop }
  stop: { doNotCall: { reason: pressed 9 }, next: bye, on: { failed: sorry } }
  sorry: { play: It did not work, next: bye }
  ${BYE}
onHangup:
  - http: { post: "\${env.log}/calls", body: { call: "\${call.id}" } }
`
  const http = 'http: { POST /calls: { } }'
  expect(
    faultsOf(
      steps,
      `  - test: stopped
    given: { language: et, ${http} }
    call: [{ hear: Tere }, { expect: { doNotCall: pressed 9 } }, { hear: Goodbye }, { expect: { http: POST /calls } }]
  - test: not stopped
    given: { doNotCall: failed, ${http} }
    call: [{ hear: Hello }, { hear: It did not work }]
  - test: the caller leaves, and is counted
    given: { ${http} }
    call: [{ hear: Hello }, hangup, { expect: { http: POST /calls, body: { call: test-toy } } }]
    then: { path: [first], outcome: abandoned, requests: 1 }
`,
    ),
  ).toEqual([])
})

test('a crash: the caller is served in the step that they were in, and nothing is sent again', () => {
  const steps = `steps:
  first: { play: Welcome., next: text }
  text: { sms: { text: Hello }, next: ask, on: { failed: ask } }
  ask: { menu: { prompt: Press 1., keys: { "1": bye } }, on: { failed: bye } }
  ${BYE}
`
  const tests = `  - test: crash
    call: [{ hear: Press 1 }, crash, { hear: Press 1 }, { press: "1" }, { hear: Goodbye }]
    then: { path: [first, text, ask, bye], texts: 1 }
  - test: crash while the gateway thinks
    given: { sms: timeout }
    call: [{ hear: Welcome }, { expect: { sms: Hello } }, crash, { hear: Press 1 }, hangup]
    then: { texts: 1 }
`
  expect(faultsOf(steps, tests)).toEqual([])
  const refused = (call: string) => faultsOf(steps, `  - test: a\n    call: ${call}\n`)
  expect(refused('[hangup, crash]')).toEqual(['the call is over; no crash can disturb it'])
})

test('events: one that came before, one of somebody else, one that cannot come, and a crash while waiting', () => {
  const steps = `steps:
  first: { play: Please pay., next: await }
  await:
    wait: { event: payment.completed, key: "\${call.called}", for: 1m, hold: We are waiting. }
    as: payment
    next: thanks
    on: { timeout: late, failed: never }
  thanks: { play: "Thank you for \${payment.amount | money EUR}.", next: bye }
  late: { play: Too late., next: bye }
  never: { play: No event can come., next: bye }
  ${BYE}
`
  const event = (key: string) => `event: { name: payment.completed, key: "${key}", data: { amount: 5 } }`
  const tests = `  - test: before the wait
    call:
      - ${event('+3726000000')}
      - expect: { event: payment.completed, key: "+3726000000" }
      - hear: Thank you
    then: { shorterThan: 4s }
  - test: somebody else
    call: [{ hear: we are waiting }, { ${event('x')} }, { hear: too late }]
  - test: none
    given: { events: none }
    call: [{ hear: no event can come }]
  - test: a crash does not make the wait longer
    call: [{ hear: we are waiting }, { wait: 40s }, crash, { hear: we are waiting }, { hear: too late }]
    then: { shorterThan: 25s }
`
  expect(faultsOf(steps, tests)).toEqual([])
  const wrong = faultsOf(steps, '  - test: a\n    call: [{ expect: { event: payment.completed, key: "4" } }]\n')
  expect(wrong).toEqual(['the caller waits for payment.completed of +3726000000, not for payment.completed of 4'])
})

test('a text whose delivery is awaited: delivered, refused, no report, no mailbox, and a crash in between', () => {
  const steps = `steps:
  first: { sms: { text: Hi, awaitDelivery: 30s }, as: id, next: ok, on: { undelivered: no, timeout: late, failed: no } }
  ok: { play: "Sent \${id}.", next: bye }
  no: { play: Not sent., next: bye }
  late: { play: Not known., next: bye }
  ${BYE}
`
  const tests = `  - test: delivered
    call: [{ hear: Sent }]
    then: { path: [first, ok, bye], texts: 1 }
  - test: undelivered
    given: { sms: undelivered }
    call: [{ hear: Not sent }]
  - test: no report
    given: { sms: timeout }
    call: [{ expect: { sms: Hi } }, { wait: 29s }, { hear: Not known }]
    then: { path: [first, late, bye], texts: 1, shorterThan: 35s }
  - test: no mailbox
    given: { events: none }
    call: [{ hear: Not known }]
    then: { texts: 1, shorterThan: 5s }
  - test: the engine dies between the text and its report
    call: [{ expect: { sms: Hi } }, crash, { hear: Sent }]
    then: { texts: 1 }
`
  expect(faultsOf(steps, tests)).toEqual([])
})

test('a secret number is masked in the story of a failure', () => {
  const steps = `steps:
  first:
    gather: { prompt: Your pin, digits: 6, secret: true, confirm: { digits: "\${pin}" } }
    as: pin
    next: bye
    on: { failed: bye }
  ${BYE}
`
  const { flow } = readFlow('toy.yaml', `flow: toy\nstart: first\n${steps}`)
  const call = '[{ press: "918273" }, { hear: 9 1 8 2 7 3 }, { press: "1" }, { hear: never }]'
  const file = readTestFile('toy.test.yaml', `flow: toy\ntests:\n  - test: a\n    call: ${call}\n`)
  const source = new YamlSource('toy.yaml', steps, 'flow')
  const { played, properties } = testFlow(flow!, source, file.readScripts(flow!).scripts, { seed: 1, mutates: false })
  expect(properties.faults).toEqual([])
  const story = JSON.stringify(played[0]!.failure!.lines)
  expect(story).toContain('••••••')
  expect(story).not.toMatch(/918273|9, 1, 8/)
})

describe('a callback that keeps the place', () => {
  const STEPS = `steps:
  first:
    queue:
      team: help
      timeout: 9m
      announce: { every: 3m, wait: true }
      callback: { after: 1m, key: "5", next: kept }
    next: bye
    on: { failed: bye }
  kept: { play: See you., next: bye }
  ${BYE}
`
  const passes = (call: string, given = '{}', then = '{}') =>
    faultsOf(STEPS, `  - test: a\n    given: ${given}\n    call: ${call}\n    then: ${then}\n`)

  test.each([
    [
      'is offered after a while, kept when the key is pressed, and goes on by its own next',
      '[{ expect: { queue: help } }, { hear: press 5 }, { press: "5" }, { expect: { callback: help } }, ' +
        '{ hear: keep your place }, { hear: see you }]',
      '{}',
      '{ path: [first, kept, bye] }',
    ],
    [
      'is offered again with each announcement, and the key counts from the first offer on',
      '[{ press: "5" }, { hear: press 5 }, { wait: 1m }, { hear: [about 4 minutes, press 5] }, { press: "15" }, ' +
        '{ expect: { callback: help } }]',
      '{ expectedWait: 200s }',
      '{ path: [first, kept, bye] }',
    ],
    [
      'is not offered to a withheld number, and its key does nothing',
      '[{ wait: 2m }, { press: "5" }, { agent: answers }, { wait: 1m }, { agent: leaves }]',
      '{ caller: withheld }',
      '{ path: [first, bye] }',
    ],
    [
      'is not offered where nobody is called back',
      '[{ wait: 2m }, { press: "5" }, { hear: goodbye }]',
      '{ callback: refused }',
      '{ path: [first, bye] }',
    ],
    [
      'is told no wait that is not known, nothing is announced',
      '[{ wait: 8m }, { agent: answers }, { wait: 1m }, { agent: leaves }, { hear: goodbye }]',
      '{ callback: refused }',
      '{ path: [first, bye] }',
    ],
    [
      'is offered again after the engine died',
      '[{ hear: press 5 }, { crash }, { hear: press 5 }, { press: "5" }, { hear: keep your place }]'.replace(
        '{ crash }',
        'crash',
      ),
      '{}',
      '{ path: [first, kept, bye] }',
    ],
  ])('%s', (_, call, given, then) => expect(passes(call, given, then)).toEqual([]))

  test('a place that is never kept fails the test', () => {
    expect(passes('[{ expect: { callback: help } }]')).toEqual([expect.stringContaining('no place is kept')])
    expect(passes('[{ hear: press 5 }, { press: "5" }, { expect: { callback: other } }]')).toEqual([
      'the place is kept in the queue of help, not of other',
    ])
  })
})
