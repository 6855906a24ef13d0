/** `switchboard flow test` as an author meets it: files in, lines and an exit code out. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { readSettings } from '../../src/app/settings.ts'
import { type FlowTestOptions, flowTest } from '../../src/cli/flow-test.ts'

const FLOW = `flow: survey
start: ask
onError: bye
steps:
  ask:
    menu:
      prompt: Were you content? Press 1 for yes, 2 for no.
      keys: { "1": send, "2": sorry }
      tries: 1
    on: { noInput: bye }
  send:
    http: { post: "\${env.surveys}/answers", body: { answer: "yes", caller: "\${caller.number | default 'none'}" } }
    next: bye
    on: { 503: sorry }
  sorry:
    play: We are sorry.
    next: bye
  bye: { hangup: { say: Thank you. } }
`

const YES = `  - test: a content caller is counted
    given: { http: { POST /answers: {} } }
    call:
      - hear: press 1 for yes
      - press: "1"
      - expect: { http: POST /answers, body: { answer: "yes" } }
      - hear: thank you
    then: { path: [ask, send, bye] }
`

function run(tests: string, options: FlowTestOptions = {}, flow = FLOW) {
  const directory = mkdtempSync(join(tmpdir(), 'flow-test-'))
  onTestFinished(() => rmSync(directory, { recursive: true }))
  writeFileSync(join(directory, 'survey.yaml'), flow)
  if (tests !== '') writeFileSync(join(directory, 'survey.test.yaml'), `flow: survey\ntests:\n${tests}`)
  const lines: string[] = []
  const { settings } = readSettings({ FLOWS_DIR: directory })
  const status = flowTest([], options, { settings: settings!, write: (line) => lines.push(line) })
  const printed = lines.join('\n').replaceAll(`${directory}/`, '')
  return { status, printed, directory }
}

test('a test that passes is counted, with the length of the call', () => {
  const { status, printed } = run(YES)
  expect(printed).toMatch(/^survey\.test\.yaml\n {2}✓ a content caller is counted \(\d+\.\ds of call\)\n/)
  expect(printed).toMatch(/✓ \d+ disturbed and random calls keep every promise\n\n1 passed, 0 failed$/)
  expect(status).toBe(0)
})

/** Actions of a test that fails, its world, and what the author is told. */
const FAILURES: readonly (readonly [string, string, string, RegExp])[] = [
  [
    'words that nobody says',
    '[{ hear: Press 3 }]',
    '',
    /survey\.test\.yaml:4:12 error "Press 3" is never heard; heard last: "Thank you\."/,
  ],
  [
    'words that a key cut off',
    '[{ hear: content }, { press: "2" }, { hear: 2 for no }]',
    '',
    /4:47 error "2 for no" is never heard/,
  ],
  ['words of two prompts', '[{ hear: [Press 1, Thank you] }]', '', /"Press 1" and "Thank you" are never heard in one/],
  ['words that were said before the key', '[{ wait: 6s }, { press: "2" }, { hear: content }]', '', /is never heard/],
  [
    'a request that nobody answers',
    '[{ press: "1" }, { hear: Thank you }]',
    'http: { POST /answer: {} }',
    /4:12 error nothing answers POST \/answers; add it to given.http; did you mean "POST \/answer"\?/,
  ],
  [
    'another body',
    '[{ press: "1" }, { expect: { http: POST /answers, body: { answer: "no" } } }]',
    'http: { POST /answers: {} }',
    /body\.answer of the request is "yes", not "no"/,
  ],
  [
    'a request that is not made',
    '[{ press: "1" }, { expect: { http: GET /answers } }]',
    'http: { POST /answers: {} }',
    /GET \/answers is never requested; requested: POST \/answers/,
  ],
  ['a text message that is not sent', '[{ expect: { sms: Hello } }]', '', /no text message is sent/],
  ['a queue that is not there', '[{ expect: { queue: team } }]', '', /the caller never waits for team/],
  ['a stop that is not there', '[{ expect: { doNotCall: x } }]', '', /number is never stopped/],
  ['an agent without a queue', '[{ agent: answers }]', '', /the caller waits in no queue/],
  ['an agent who was not there', '[{ agent: leaves }]', '', /no agent talks to the caller; write agent: answers/],
  ['a key after the call', '[{ hear: Thank you }, { wait: 9s }, { press: "1" }]', '', /key 1 reaches nobody/],
  ['a hang-up after the call', '[{ hear: Thank you }, { wait: 9s }, hangup]', '', /the call is over already/],
]

test.each(FAILURES)('%s: the line, what was heard and the story are told', (_, call, given, message) => {
  const { status, printed } = run(`  - test: this fails\n    call: ${call}\n    given: { ${given} }\n`)
  expect(printed).toMatch(message)
  expect(printed).toMatch(/✗ this fails\n/)
  expect(printed).toMatch(/\+0\.0s {2}→ calls/)
  expect(printed).toMatch(/▸ ask: menu, line 5/)
  expect(printed).toMatch(/0 passed, 1 failed$/)
  expect(status).toBe(1)
})

const ENDINGS: readonly (readonly [string, string])[] = [
  ['path: [ask, sorry, bye]', 'the path is ask, send, bye, not ask, sorry, bye'],
  ['outcome: talked', 'the outcome is completed, not talked'],
  ['texts: 1', 'the number of text messages is 0, not 1'],
  ['requests: 2', 'the number of requests is 1, not 2'],
  ['shorterThan: 1s', 'the call takes 2.85 s, not less than 1s'],
  ['longerThan: 1m', 'the call takes 2.85 s, not more than 1m'],
]

test.each(ENDINGS)('then: { %s }', (ending, message) => {
  const { status, printed } = run(YES.replace('path: [ask, send, bye]', ending))
  expect(printed).toContain(`survey.test.yaml:10:${13 + ending.indexOf(':') + 2} error ${message}`)
  expect(status).toBe(1)
})

/** A mistake in the file of tests, and its place and remedy. */
const MISTAKES: readonly (readonly [string, string])[] = [
  ['  - test: a\n    call: [{ heer: hello }]', '4:14 error unknown key "heer"; did you mean "hear"?'],
  ['  - test: a\n    call: [{ press: 12 }]', '4:21 error press must be keys in quotes'],
  ['  - test: a\n    call: [hangs up]', '4:12 error call[0] must be hangup or crash'],
  ['  - test: a\n    call: []', '4:11 error call is an empty list'],
  ['  - test: a', '3:5 error tests[0] has no call; add it: a list of actions'],
  ['  - test: a\n    call: [{ hear: hi, press: "1" }]', '4:12 error an action does one thing'],
  ['  - test: a\n    call: [{ hear: "…" }]', '4:20 error "…" has no word that could be heard'],
  ['  - test: a\n    call: [{ expect: { body: 1 } }]', '4:22 error expect names exactly one of http, sms, queue'],
  ['  - test: a\n    call: [{ expect: { sms: hi, popup: x } }]', '4:40 error popup says nothing about sms; remove it'],
  [
    '  - test: a\n    call: [hangup]\n    then: { path: [aks] }',
    '5:20 error survey has no step "aks"; did you mean "ask"?',
  ],
  ['  - test: a\n    call: [hangup]\n    then: { marks: [x] }', '5:21 error no step of survey has the mark "x"'],
  ['  - test: a\n    call: [hangup]\n    then: { activity: { x: y } }', '5:28 error survey writes no field "x"'],
  ['  - test: a\n    call: [hangup]\n    given: { time: noon }', '5:20 error time must be an instant such as'],
  ['  - test: a\n    call: [hangup]\n    given: { caller: +3725551 }', '5:22 error caller must be an international'],
  ['  - test: a\n    call: [hangup]\n    given: { http: { /answers: {} } }', '5:22 error "/answers" does not fit here'],
  [
    '  - test: a\n    call: [hangup]\n    given: { task: { code: 0047 } }',
    '5:28 error `0047` would be read as the number',
  ],
  ['  - test: a\n    call: [hangup]\n  - test: a\n    call: [hangup]', '5:11 error test 1 has this name already'],
  ['  - test: "a', '3:11 error the quote " that begins here is not closed'],
]

test.each(MISTAKES)('the mistake in %j is told with its place', (tests, message) => {
  const { status, printed } = run(`${tests}\n`)
  expect(printed).toContain(`survey.test.yaml:${message}`)
  expect(printed).toMatch(/0 passed, 0 failed, 1 flow with errors$/)
  expect(status).toBe(1)
})

test('the example of docs/flows.md passes', () => {
  const page = readFileSync(new URL('../../docs/flows.md', import.meta.url), 'utf8')
  const [flow, tests] = [...page.matchAll(/```yaml\n# flows\/survey\S+\n(.*?)```/gs)].map(([, text]) => text!)
  const { status, printed } = run(tests!.split('tests:\n')[1]!, { coverageMin: 70 }, flow)
  expect(printed).toMatch(/2 passed, 0 failed$/)
  expect(status).toBe(0)
})

test('a file that names another flow, and a flow with an error, are not tested', () => {
  const { directory, printed } = run(YES, {}, FLOW.replace('next: bye', 'next: by'))
  expect(printed).toMatch(/survey\.yaml:13:11 error there is no step "by"; did you mean "bye"\?/)
  writeFileSync(join(directory, 'survey.yaml'), FLOW.replace('flow: survey', 'flow: poll'))
  const lines: string[] = []
  const { settings } = readSettings({})
  const write = (line: string) => void lines.push(line)
  expect(flowTest([join(directory, 'survey.test.yaml')], {}, { settings: settings!, write })).toBe(1)
  expect(lines[0]).toMatch(/survey\.test\.yaml:1:7 error the flow beside this file is poll; name it, or rename/)
  expect(flowTest([join(directory, 'other.yaml')], {}, { settings: settings!, write })).toBe(1)
  expect(lines.join('\n')).toMatch(/other\.yaml:1:1 error there is no such file; name a flow file/)
  rmSync(join(directory, 'survey.test.yaml'))
  expect(flowTest([join(directory, 'survey.yaml')], {}, { settings: settings!, write })).toBe(1)
  expect(lines.join('\n').replaceAll(`${directory}/`, '')).toContain(
    'survey.test.yaml:1:1 error there is no test file yet; write tests of survey.yaml into survey.test.yaml, or let ' +
      '"flow test survey.yaml --propose" print some',
  )
})

describe('coverage', () => {
  test('names each step and branch that no test goes through, with its line', () => {
    const { status, printed } = run(YES, { coverage: true })
    expect(printed.split('\n').filter((line) => /coverage|never/.test(line))).toEqual([
      '  coverage 45 %: 3 of 4 steps, 2 of 7 branches',
      '    survey.yaml:15 never entered: sorry',
      '    survey.yaml:8 never taken: ask (2) → sorry',
      '    survey.yaml:10 never taken: ask (noInput) → bye',
      '    survey.yaml:14 never taken: send (503) → sorry',
      '    survey.yaml:17 never taken: sorry (next) → bye',
      '    survey.yaml:3 never taken: onError → bye',
    ])
    expect(status).toBe(0)
  })

  test('fails below its minimum', () => {
    const { status, printed } = run(YES, { coverageMin: 46 })
    expect(printed).toContain('coverage 45 %: 3 of 4 steps, 2 of 7 branches; FAILED, the minimum is 46 %')
    expect(status).toBe(1)
    expect(run(YES, { coverageMin: 45 }).status).toBe(0)
  })

  test('of a flow without tests is nothing, and its promises are tried all the same', () => {
    const { status, printed } = run('', { coverageMin: 1 })
    expect(printed).toMatch(/^survey\.yaml: no tests; write survey\.test\.yaml\n {2}✓ 100 disturbed and random calls/)
    expect(printed).toContain('coverage 0 %: 0 of 4 steps, 0 of 7 branches; FAILED')
    expect(status).toBe(1)
  })
})

describe('mutation', () => {
  test('names each mistake that no test notices, with its line', () => {
    const { status, printed } = run(YES, { mutate: true })
    const survivors = printed.split('\n').filter((line) => /mutation|notices/.test(line))
    expect(survivors[0]).toMatch(/^ {2}mutation score \d\d %: \d+ of \d+ mistakes found$/)
    expect(survivors).toContain('    survey.yaml:8 no test notices: ask (2) → bye instead of sorry')
    expect(survivors).toContain('    survey.yaml:9 no test notices: ask without tries')
    expect(printed).not.toContain('survey.yaml:8 no test notices: ask (1)')
    expect(status).toBe(0)
  })

  test('fails below its minimum, and is not measured while a test fails', () => {
    expect(run(YES, { mutationMin: 90 }).status).toBe(1)
    expect(run(YES, { mutationMin: 10 }).status).toBe(0)
    const { printed } = run(YES.replace('thank you', 'no thanks'), { mutate: true })
    expect(printed).toContain('mutation score: not measured while a test fails')
  })
})

test('--json prints one document, --junit writes the report for build servers', () => {
  const failing = YES.replace('thank you', 'a < b & "c"')
  const { directory } = run(YES)
  const junit = join(directory, 'report.xml')
  const { status, printed } = run(failing, { json: true, junit })
  const report = JSON.parse(printed)
  expect(status).toBe(1)
  expect(report).toMatchObject({
    passed: false,
    flows: [{ testFile: 'survey.test.yaml', coverage: { steps: { total: 4 } } }],
  })
  expect(report.flows[0].tests).toEqual([
    {
      name: 'a content caller is counted',
      passed: false,
      line: 9,
      column: 9,
      message: '"a < b & "c"" is never heard; heard last: "Thank you."',
      story: expect.arrayContaining([expect.stringContaining('→ presses 1')]),
    },
  ])
  const xml = readFileSync(junit, 'utf8')
  expect(xml).toMatch(/<testsuite name="[^"]*survey\.yaml" tests="2" failures="1">/)
  expect(xml).toContain('message="&quot;a &lt; b &amp; &quot;c&quot;&quot; is never heard; heard last')
  expect(xml).toMatch(/<testcase [^>]*name="disturbed and random calls keep every promise" time="0"\/>/)
})

test('a report that cannot be written fails the run', () => {
  const { status, printed } = run(YES, { junit: '/nowhere/report.xml' })
  expect(printed).toMatch(/\n\/nowhere\/report\.xml cannot be written \(ENOENT.*; name a file in a folder/)
  expect(status).toBe(1)
})

const QUEUE = `flow: survey
start: ask
steps:
  ask:
    queue: { team: desk, announce: { every: 30s, position: true }, callback: { after: 1m, key: "1", next: kept } }
    next: bye
    on: { timeout: bye, full: bye, closed: bye }
  kept: { set: { x: 1 }, mark: kept, next: bye }
  bye: { hangup: { say: Thank you. } }
`
const KEEP = `  - test: the caller keeps the place
    call:
      - wait: 70s
      - press: "1"
      - expect: { callback: desk }
    then: { path: [ask, kept, bye], marks: [kept], longerThan: 1m }
`

test('the branch of a callback is covered by a caller who keeps the place, and a mistake in it is noticed', () => {
  const { printed } = run(KEEP, { coverage: true, mutate: true }, QUEUE)
  expect(printed).toMatch(/1 passed, 0 failed$/)
  expect(printed).not.toMatch(/never taken: ask \(1\)/)
  expect(printed).not.toMatch(/no test notices: ask \(1\)/)
})

test('of a long call the beginning and the end are shown', () => {
  const { printed } = run('  - test: a\n    call: [{ wait: 9m }, { hear: never }]\n', {}, QUEUE)
  expect(printed).toMatch(/▸ ask: queue, line 4/)
  expect(printed).toMatch(/… \d+ lines between/)
  expect(printed).toMatch(/“Thank you\.”/)
})

test('a request that times out takes as long as the step waits, so the filler is heard', () => {
  const flow = FLOW.replace('answers",', 'answers", timeout: 4s, filler: One moment.,')
  const { printed } = run(
    `  - test: a
    given: { http: { POST /answers: { fails: timeout } } }
    call: [{ press: "1" }, { hear: One moment }, { hear: thank you }]
    then: { longerThan: 4s }
`,
    {},
    flow,
  )
  expect(printed).toMatch(/1 passed, 0 failed$/)
})
