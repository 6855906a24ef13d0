/** `switchboard flow diff` as an author meets it: two files in, sentences out. */
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { flowDiff } from '../../src/cli/flow-diff.ts'

const FLOW = `flow: desk
languages: [en, et]
start: ask
onError: bye
hours: { office: { timezone: Europe/Tallinn, weekly: { mon: "09:00-17:00" } } }
activity: { systemLookupCode: "\${number}" }
prompts: { hello: { en: Hello., et: Tere. } }
onHangup: [{ set: { over: yes } }]
steps:
  ask:
    menu:
      prompt: [{ prompt: hello }, To ask press 1.]
      keys: { "1": number, "2": team }
      reprompt: { invalid: That was wrong. }
      tries: 2
    on: { noInput: bye }
  number: { gather: { prompt: Your number, digits: 2 }, as: number, next: look, on: { failed: bye } }
  look:
    http: { get: "https://a.test/\${number}", expect: { required: [a, b] } }
    as: found
    next: choose
  choose:
    branch:
      in: found
      cases: [{ when: "$[?(@.a == 1)]", next: team }, { when: "$[?(@.b == 1)]", next: bye }]
      else: team
  team: { queue: { team: front-desk, priority: 1, timeout: 2m }, mark: waited, next: bye }
  bye: { hangup: { say: Goodbye., outcome: served } }
`

async function diff(change: (flow: string) => string, options = {}) {
  const directory = mkdtempSync(join(tmpdir(), 'flow-diff-'))
  onTestFinished(() => rmSync(directory, { recursive: true }))
  const changed = change(FLOW)
  writeFileSync(join(directory, 'old.yaml'), FLOW)
  writeFileSync(join(directory, 'new.yaml'), changed)
  const lines: string[] = []
  const status = await flowDiff(join(directory, 'old.yaml'), join(directory, 'new.yaml'), options, {
    write: (line) => void lines.push(line),
    stored: async () => undefined,
  })
  return { status, isChanged: changed !== FLOW, printed: lines.join('\n').replaceAll(`${directory}/`, '') }
}

/** What an author changes, and the lines below the title. */
const CHANGES: readonly (readonly [string, string, string])[] = [
  ['Goodbye.', 'Bye.', 'bye\n  before: The caller hears: "Goodbye."\n  now:    The caller hears: "Bye."'],
  ['"2": team', '"3": team', 'ask\n  gone:   Key 2: go on with team.\n  new:    Key 3: go on with team.'],
  ['tries: 2', 'tries: 1', 'ask\n  before: The caller has 2 tries.\n  now:    The caller has one try.'],
  [
    'tries: 2',
    'tries: 2\n      firstDigitTimeout: 9s',
    'ask\n  before: After the prompt it waits 5s for a key.\n  now:    After the prompt it waits 9s for a key.',
  ],
  [
    'That was wrong',
    'Wrong',
    'ask\n  before: After a wrong key the caller hears first: "That was wrong."\n' +
      '  now:    After a wrong key the caller hears first: "Wrong."',
  ],
  [
    '{ noInput: bye }',
    '{ noInput: team }',
    'ask\n  before: If nothing comes from the caller: go on with bye.\n' +
      '  now:    If nothing comes from the caller: go on with team.',
  ],
  [
    'digits: 2',
    'digits: 3',
    'The flow\n  before: The longest way to a person takes about 7 s and 3 keys.\n' +
      '  now:    The longest way to a person takes about 8 s and 4 keys.\n\n' +
      'number\n  before: The caller types 2 digits.\n  now:    The caller types 3 digits.',
  ],
  [
    '[a, b]',
    '[a, b, c]',
    'look\n  before: An answer needs to have: a, b.\n  now:    An answer needs to have: a, b, c.',
  ],
  [
    '@.a == 1',
    '@.a == 2',
    'choose\n  before: If found.a is 1: go on with team.\n  now:    If found.a is 2: go on with team.',
  ],
  [
    '[{ when: "$[?(@.a == 1)]", next: team }, { when: "$[?(@.b == 1)]", next: bye }]',
    '[{ when: "$[?(@.b == 1)]", next: bye }, { when: "$[?(@.a == 1)]", next: team }]',
    'choose\n  before: If found.a is 1: go on with team. If found.b is 1: go on with bye.\n' +
      '  now:    If found.b is 1: go on with bye. If found.a is 1: go on with team.',
  ],
  ['priority: 1, ', '', 'team\n  gone:   The caller has the priority 1.'],
  ['mark: waited, ', '', 'team\n  gone:   The step is counted as "waited".'],
  [
    'outcome: served',
    'outcome: done',
    'bye\n  before: The call is counted as "served".\n  now:    The call is counted as "done".',
  ],
  [
    'et: Tere',
    'et: Tervist',
    'The flow\n  before: The words of "hello" in "et" are: "Tere."\n' +
      '  now:    The words of "hello" in "et" are: "Tervist."',
  ],
  [
    'mon: "09:00-17:00" }',
    'mon: "09:00-18:00" }, holidays: ["2026-12-25"]',
    'The flow\n  before: The hours "office" are: Mon 09:00-17:00 (Europe/Tallinn).\n' +
      '  now:    The hours "office" are: Mon 09:00-18:00 (Europe/Tallinn); not on 2026-12-25.',
  ],
  [
    'over: yes',
    'over: no',
    'The flow\n  before: After the call: The system notes over: "yes".\n' +
      '  now:    After the call: The system notes over: "no".',
  ],
  ['  bye: {', '  # A comment.\n  bye: {', 'Callers notice nothing.'],
  ['digits: 2', 'digits: { min: 2, max: 2 }', 'Callers notice nothing.'],
]

test.each(CHANGES)('%s → %s', async (before, after, told) => {
  const { status, isChanged, printed } = await diff((flow) => flow.replace(before, after))
  expect(isChanged).toBe(true)
  expect(printed.split('\n').slice(1).join('\n').trim()).toBe(told)
  expect(status).toBe(0)
})

test('a step that only has another name is said to be the same, wherever it is named', async () => {
  const { printed } = await diff((flow) =>
    flow.replaceAll('team:', 'people:').replaceAll(': team', ': people').replace('people: front', 'team: front'),
  )
  expect(printed).toMatch(/^desk@\w+ → desk@\w+\n\npeople \(was team\); callers notice nothing of it$/)
})

test('a new step and one that is gone are told with all that they say', async () => {
  const { printed } = await diff((flow) =>
    flow.replace('"2": team', '"2": say').replace('  bye:', '  say: { play: Please wait., next: bye }\n  bye:'),
  )
  expect(printed).toContain('  before: Key 2: go on with team.\n  now:    Key 2: go on with say.')
  expect(printed).toContain(
    'say (new step)\n  new:    The caller hears: "Please wait."\n  new:    Then go on with bye.',
  )
  const { printed: gone } = await diff((flow) =>
    flow.replaceAll(/: team( |,|\n)/g, ': bye$1').replace(/ {2}team:.*\n/, ''),
  )
  expect(gone).toMatch(/team \(step is gone\)\n {2}gone: {3}The caller waits for an agent of the team front-desk/)
  expect(gone).toContain('new:    No way leads to a person.')
})

test('--json has the same for programs', async () => {
  const { printed } = await diff((flow) => flow.replace('tries: 2', 'tries: 1'), { json: true })
  expect(JSON.parse(printed)).toMatchObject({
    old: expect.stringMatching(/^desk@/),
    steps: [
      {
        step: 'ask',
        what: 'changed',
        changes: [{ what: 'changed', before: 'The caller has 2 tries.', after: 'The caller has one try.' }],
      },
    ],
  })
})

test('a file with errors is not compared', async () => {
  const { printed, status } = await diff((flow) => flow.replace('next: look', 'next: lok'))
  expect(printed).toMatch(/^new\.yaml:17:\d+ error there is no step "lok"; did you mean "look"\?$/m)
  expect(status).toBe(1)
  const lines: string[] = []
  const context = { write: (line: string) => void lines.push(line), stored: async () => undefined }
  expect(await flowDiff('nowhere.yaml', 'nowhere.yaml', {}, context)).toBe(1)
  expect(lines[0]).toBe('nowhere.yaml:1:1 error there is no such file; name a flow file')
})

test('the program compares two files', async () => {
  const args = ['src/cli/switchboard.ts', 'flow', 'diff', 'flows/office-hours.yaml', 'flows/office-hours.yaml']
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: join(import.meta.dirname, '../..') })
  expect(stdout).toMatch(/Callers notice nothing\.\n$/)
})
