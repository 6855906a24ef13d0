/** Flows that go through other flows of their folder, as their author meets them: files in, lines out. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { readSettings } from '../../src/app/settings.ts'
import { flowCheck } from '../../src/cli/flow-check.ts'
import { flowDiff } from '../../src/cli/flow-diff.ts'
import { flowShow } from '../../src/cli/flow-show.ts'
import { flowTest } from '../../src/cli/flow-test.ts'

/** Both have a variable `entry`, a prompt `ask` and hours `office`. */
const DESK = `flow: desk
start: first
onError: sorry
vars: { entry: ours }
prompts: { ask: { en: How are you? } }
hours: { office: { timezone: Europe/Tallinn, weekly: { mon-sun: "00:00-24:00" } } }
steps:
  first: { play: { prompt: ask }, next: who }
  who:
    subflow: { flow: identify, with: { greeting: "\${entry} guest" } }
    as: found
    mark: identified
    next: known
    on: { failed: team }
  known:
    branch: { in: found, cases: [{ when: "$[?(@.outcome == 'identified')]", next: tell }], else: again }
  again: { branch: { cases: [{ open: office, next: who }], else: team }, limit: 1, on: { limit: team } }
  tell: { play: ["Case", { digits: "\${found.entry}" }, "and \${entry}"], next: bye, on: { failed: bye } }
  team: { queue: { team: help }, next: bye }
  sorry: { play: Sorry., next: bye, on: { failed: bye } }
  bye: { hangup: { say: Goodbye. } }
`
const IDENTIFY = `flow: identify
start: open
vars: { greeting: Hello }
prompts: { ask: { en: Please enter your case number. } }
hours: { office: { timezone: Europe/Tallinn, weekly: { mon-fri: "09:00-17:00" } } }
steps:
  open: { branch: { cases: [{ open: office, next: greet }], else: closed } }
  greet: { play: "\${greeting}", next: ask, on: { failed: ask } }
  ask:
    gather: { prompt: { prompt: ask }, digits: 4, tries: 1 }
    as: entry
    next: lookup
    on: { failed: unknown }
  lookup: { http: { get: "\${env.shop}/cases/\${entry}" }, next: found, on: { notFound: unknown } }
  found: { hangup: { say: Thank you., outcome: identified } }
  unknown: { hangup: }
  closed: { hangup: { outcome: closed } }
`
const TESTS = `flow: desk
tests:
  - test: the number is found, and each flow keeps its own variables, prompts and hours
    given: { http: { GET /cases/4711: {} } }
    call:
      - hear: How are you
      - hear: ours guest
      - hear: enter your case number
      - press: "4711"
      - hear: Thank you.
      - hear: Case 4 7 1 1 and ours
    then:
      path: [first, who, who.open, who.greet, who.ask, who.lookup, who.found, known, tell, bye]
      marks: [identified]
      outcome: completed
  - test: it begins anew each time
    given: { http: { GET /cases/4711: { status: 404 } } }
    call:
      - hear: enter your case number
      - press: "4711"
      - hear: ours guest
      - wait: 20s
      - expect: { queue: help }
      - agent: answers
    then: { marks: [identified], outcome: talked }
  - test: what it leaves to its author is a failure of the step
    given: { http: { GET /cases/4711: { status: 500 } } }
    call:
      - press: "4711"
      - expect: { queue: help }
    then: { path: [first, who, who.open, who.greet, who.ask, who.lookup, team, sorry, bye], marks: [] }
  - test: an engine dies while it asks
    given: { http: { GET /cases/4711: {} } }
    call:
      - hear: enter your case number
      - crash
      - hear: enter your case number
      - press: "4711"
      - hear: Case 4 7 1 1 and ours
  - test: its own hours count
    given: { time: "2026-03-07T10:00:00+02:00" }
    call:
      - expect: { queue: help }
      - agent: answers
    then: { path: [first, who, who.open, who.closed, known, again, who, who.open, who.closed, known, again, team, bye] }
`

test('the example of docs/flows.md is without errors', () => {
  const page = readFileSync(new URL('../../docs/flows.md', import.meta.url), 'utf8')
  const [section] = page.split('### Flows within flows')[1]!.split('\n### ')
  const files = [...section!.matchAll(/```yaml\n# (\S+)\n([\s\S]*?)```/g)].map(([, name, text]) => [name!, text!])
  const { file, context, printed } = folder(Object.fromEntries(files))
  expect(flowCheck([file('identify.yaml'), file('front-desk.yaml')], context)).toBe(0)
  expect(printed()).toMatch(/^identify\.yaml: identify@\w{12}, 3 steps\nfront-desk\.yaml: front-desk@\w{12}, 8 steps\n/)
})

const flowOf = (name: string, step: string, rest = '') =>
  `flow: ${name}\nstart: a\n${rest}steps:\n  a: ${step}\n  bye: { hangup: }\n`

function folder(files: Readonly<Record<string, string>>) {
  const directory = mkdtempSync(join(tmpdir(), 'subflows-'))
  onTestFinished(() => rmSync(directory, { recursive: true }))
  for (const [name, text] of Object.entries(files)) writeFileSync(join(directory, name), text)
  const { settings } = readSettings({ FLOWS_DIR: directory, SETUP_FILE: join(directory, 'none') })
  const lines: string[] = []
  const context = { settings: settings!, env: {}, write: (line: string) => void lines.push(line) }
  const printed = () => lines.splice(0).join('\n').replaceAll(`${directory}/`, '')
  return { file: (name: string) => join(directory, name), context, printed }
}

const desk = { 'desk.yaml': DESK, 'identify.yaml': IDENTIFY, 'desk.test.yaml': TESTS }

test('a call goes through the other flow and comes back', () => {
  const { file, context, printed } = folder(desk)
  flowTest([file('desk.yaml')], {}, context)
  const report = printed()
  expect(report).toMatch(/\d+ disturbed and random calls keep every promise/)
  expect(report).toContain('5 passed, 0 failed')
})

test('tests go through the ways of their own file, and mistakes in it are noticed', () => {
  const { file, context, printed } = folder(desk)
  flowTest([file('desk.yaml')], { coverage: true, mutate: true }, context)
  const report = printed()
  expect(report).toMatch(/coverage \d+ %: 8 of 8 steps/)
  const missing = [...report.matchAll(/never taken: (.*)/g)].map(([, what]) => what)
  expect(missing).toEqual(['again (else) → team', 'tell (failed) → bye', 'sorry (failed) → bye'])
  const unnoticed = [...report.matchAll(/no test notices: (.*)/g)].map(([, what]) => what)
  expect(unnoticed.filter((what) => what!.startsWith('who'))).toEqual([])
})

test('tests are proposed for ways out of the other flow', () => {
  const { file, context, printed } = folder({ 'desk.yaml': DESK, 'identify.yaml': IDENTIFY })
  flowTest([file('desk.yaml')], { propose: true }, context)
  expect(printed()).toMatch(/test: known \(case 1\) → tell.*\n( .*\n)*? +- who\.found\n +- known\n +- tell\n/)
})

test('the revision changes with the other flow, which a comparison tells', async () => {
  const before = folder(desk)
  const after = folder({ ...desk, 'identify.yaml': IDENTIFY.replace('Thank you.', 'Many thanks.') })
  const revisions = [before, after].map(({ file, context, printed }) => {
    flowCheck([file('desk.yaml')], context)
    return /desk@\w{12}/.exec(printed())![0]
  })
  expect(new Set(revisions).size).toBe(2)
  const stored = async () => undefined
  await flowDiff(before.file('desk.yaml'), after.file('desk.yaml'), {}, { write: after.context.write, stored })
  expect(after.printed()).toMatch(/who\.found(.*\n)*.*Thank you\.(.*\n)*.*Many thanks\./)
})

test('description and diagram show what the caller hears in it', () => {
  const { file, context, printed } = folder(desk)
  flowShow('describe', file('desk.yaml'), context.write)
  const text = printed()
  expect(text).toContain('The call goes through the flow "identify".')
  expect(text).toMatch(/5\. who\.ask\n {3}The caller hears: "Please enter your case number\."/)
  expect(text).toContain('The flow of step who ends: identified.')
  flowShow('diagram', file('desk.yaml'), context.write)
  expect(printed()).toContain('["who.ask: gather"]')
})

test('flows within flows come back step by step', () => {
  const { file, context, printed } = folder({
    'a.yaml': flowOf('a', '{ subflow: b, as: got, next: tell }').replace(
      '  bye',
      '  tell: { play: "${got.outcome} ${got.inner.word}", next: bye, on: { failed: bye } }\n  bye',
    ),
    'b.yaml': flowOf('b', '{ subflow: { flow: c, with: { word: deep } }, as: inner, next: bye }').replace(
      '{ hangup: }',
      '{ hangup: { outcome: middle } }',
    ),
    'c.yaml': flowOf('c', '{ play: "${word}", next: bye }', 'vars: { word: none }\n'),
    'a.test.yaml': `flow: a
tests:
  - test: all three
    call: [{ hear: deep }, { hear: middle deep }]
    then: { path: [a, a.a, a.a.a, a.a.bye, a.bye, tell, bye], outcome: completed }
`,
  })
  flowTest([file('a.yaml')], {}, context)
  expect(printed()).toContain('1 passed, 0 failed')
})

const SMALL = flowOf('b', '{ play: Hi, next: bye, on: { failed: bye } }', 'vars: { tries: 3 }\n')

test.for<[string, Record<string, string>, string]>([
  ['no such flow', { 'a.yaml': flowOf('a', '{ subflow: b, next: bye }') }, '4:17 error there is no flow "b" beside'],
  [
    'a flow of another name',
    { 'a.yaml': flowOf('a', '{ subflow: b, next: bye }'), 'b.yaml': SMALL.replace('flow: b', 'flow: c') },
    'a.yaml:4:17 error b.yaml holds the flow "c"; give both the same name',
  ],
  [
    'a flow with an error',
    { 'a.yaml': flowOf('a', '{ subflow: b, next: bye }'), 'b.yaml': SMALL.replace('failed: bye', 'failed: bey') },
    'a.yaml:4:17 error the flow "b" has an error: b.yaml:5:43 error there is no step "bey"; did you mean "bye"?',
  ],
  [
    'itself',
    { 'a.yaml': flowOf('a', '{ subflow: { flow: a }, next: bye }') },
    'a.yaml:4:25 error flows a → a contain each other; remove this step',
  ],
  [
    'a circle',
    { 'a.yaml': flowOf('a', '{ subflow: b, next: bye }'), 'b.yaml': flowOf('b', '{ subflow: a, next: bye }') },
    'b.yaml:4:17 error flows a → b → a contain each other; remove this step',
  ],
  [
    'too many within each other',
    {
      'a.yaml': flowOf('a', '{ subflow: b, next: bye }'),
      'b.yaml': flowOf('b', '{ subflow: c, next: bye }'),
      'c.yaml': flowOf('c', '{ subflow: d, next: bye }'),
      'd.yaml': flowOf('d', '{ subflow: e, next: bye }'),
      'e.yaml': flowOf('e', '{ play: Hi, next: bye }'),
    },
    'a.yaml:4:17 error 5 flows within each other; at most 4 are allowed',
  ],
  [
    'too many steps',
    {
      'a.yaml': flowOf('a', '{ subflow: b, next: c }').replace('  bye', '  c: { subflow: b, next: bye }\n  bye'),
      'b.yaml': SMALL + Array.from({ length: 260 }, (_, n) => `  x${n}: { hangup: }\n`).join(''),
    },
    'a.yaml:3:1 error 527 steps together with the subflows; a flow has at most 500; use fewer',
  ],
  [
    'a variable that it does not know',
    { 'a.yaml': flowOf('a', '{ subflow: { flow: b, with: { tires: 2 } }, next: bye }'), 'b.yaml': SMALL },
    'a.yaml:4:36 error the flow "b" has no variable "tires" under vars; did you mean "tries"?',
  ],
  [
    'other languages',
    {
      'a.yaml': flowOf('a', '{ subflow: b, next: bye }', 'languages: [et]\n'),
      'b.yaml': SMALL,
    },
    'a.yaml:5:17 error the flow "b" has no words in "et"; add it to its languages',
  ],
  [
    'steps that are left out',
    { 'a.yaml': flowOf('a', '{ subflow: b, next: bye }'), 'b.yaml': `${SMALL}onHangup: [{ set: { tries: 0 } }]\n` },
    'a.yaml:4:17 warn  onHangup of the flow "b" counts only where it answers a call itself',
  ],
  [
    'a circle in silence',
    {
      'a.yaml': flowOf('a', '{ subflow: b, next: a }'),
      'b.yaml': flowOf('b', '{ set: { tries: 1 }, next: bye }', 'vars: { tries: 3 }\n'),
    },
    'a.yaml:4:3 error steps a → a.a → a.bye → a go in a circle without a prompt to the caller',
  ],
  [
    'patience',
    {
      'a.yaml': flowOf('a', '{ subflow: b, next: bye }', 'budget: { person: 1s }\n').replace(
        '{ hangup: }',
        '{ queue: { team: help }, next: end }\n  end: { hangup: }',
      ),
      'b.yaml': SMALL.replace('Hi', 'These words take much longer than a second.'),
    },
    '(a → a.a → a.bye → bye)',
  ],
])('given %s, the check names the place', ([, files, problem]) => {
  const { file, context, printed } = folder(files)
  flowCheck([file('a.yaml')], context)
  expect(printed()).toContain(problem)
})
