/** `switchboard flow test --propose`: what it prints is a file of tests that passes. */
import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { readSettings } from '../../src/app/settings.ts'
import { type FlowTestOptions, flowTest } from '../../src/cli/flow-test.ts'

const root = join(import.meta.dirname, '../..')

function folderWith(flow: string, tests?: string): string {
  const directory = mkdtempSync(join(tmpdir(), 'flow-propose-'))
  onTestFinished(() => rmSync(directory, { recursive: true }))
  writeFileSync(join(directory, 'a.yaml'), flow)
  if (tests !== undefined) writeFileSync(join(directory, 'a.test.yaml'), tests)
  return directory
}

function run(directory: string, options: FlowTestOptions): string {
  const lines: string[] = []
  const { settings } = readSettings({ FLOWS_DIR: directory })
  flowTest([], options, { settings: settings!, write: (line) => lines.push(line) })
  return lines.join('\n').replaceAll(`${directory}/`, '')
}

/** Every way in which a step can go on. */
const FLOW = `flow: a
start: known
onError: sorry
hours: { office: { timezone: Europe/Tallinn, weekly: { mon-fri: "09:00-17:00" } } }
steps:
  known: { branch: { cases: [{ has: task.systemLookupCode, next: take }, { open: office, next: ask }], else: bye } }
  take: { set: { number: "\${task.systemLookupCode}" }, next: look }
  ask:
    gather:
      prompt: Please type your number.
      digits: { min: 3, max: 8 }
      pattern: "2[0-9]+"
      confirm: ["You typed", { digits: "\${number}" }]
    as: number
    limit: 2
    next: look
    on: { noInput: bye, invalid: sorry, limit: team }
  look:
    http:
      get: "https://a.test/\${number}"
      expect: { required: [open, amount], match: { number: "\${number}" } }
    as: found
    next: choose
    on: { notFound: ask, 503: sorry, failed: team }
  choose:
    branch:
      in: found
      cases:
        - { when: "$[?(@.open == true && @.amount > 100)]", next: large }
        - { when: "$[?(@.open == true)]", next: text }
      else: bye
  large: { play: ["You owe", { money: "\${found.amount}", currency: EUR }], next: pay, on: { failed: team } }
  pay: { wait: { event: payment.completed, key: "\${number}", for: 1m }, as: payment, next: bye, on: { timeout: team } }
  text: { sms: { text: "\${found.amount | money EUR}" }, next: stop, on: { noMobile: bye, failed: team } }
  stop: { doNotCall: { reason: paid }, next: bye, on: { noNumber: bye } }
  team: { queue: { team: front-desk, timeout: 1m }, next: bye, on: { timeout: sorry, full: bye, closed: sorry } }
  sorry: { play: We are sorry., next: bye, on: { failed: bye } }
  bye: { hangup: { say: Goodbye. } }
`

test('the proposals for a flow without tests pass, and go through nearly all of it', () => {
  const directory = folderWith(FLOW)
  const proposed = run(directory, { propose: true })
  expect(proposed).toMatch(/^# a\.yaml: \d+ tests for branches that no test takes; write them to a\.test\.yaml, and/)
  writeFileSync(join(directory, 'a.test.yaml'), proposed)
  const report = run(directory, { coverage: true })
  expect(report).toMatch(/\d\d passed, 0 failed$/)
  const unreached = [...proposed.matchAll(/^# a\.yaml:(\d+) no call was found that takes: (.*)$/gm)].map(
    ([, , what]) => what,
  )
  const missing = [...report.matchAll(/never taken: (.*)/g)].map(([, what]) => what)
  expect(missing).toEqual(unreached)
  expect(missing).toEqual([])
})

const VOICEMAIL = `flow: a
start: voicemail
steps:
  voicemail: { record: { prompt: Please speak., max: 2m }, as: message, next: thanks, on: { failed: bye } }
  thanks: { play: "You spoke for \${message.seconds} seconds.", next: again, on: { failed: bye } }
  again:
    queue: { team: desk, timeout: 5m, announce: { every: 30s, position: true } }
    next: bye
    on: { failed: bye }
  bye: { hangup: { say: Goodbye. } }
`

test('a message is left, and what a queue repeats is heard once at the end', () => {
  const directory = folderWith(VOICEMAIL)
  const proposed = run(directory, { propose: true })
  expect(proposed).not.toContain('no call was found')
  expect(proposed).toMatch(/- say: 5s\n/)
  expect(proposed).not.toMatch(/(\n +- hear: .*)\1\n +then:/)
  expect(proposed).not.toMatch(/[&*]a\d/)
  writeFileSync(join(directory, 'a.test.yaml'), proposed)
  expect(run(directory, { coverageMin: 100 })).toMatch(/\d+ passed, 0 failed$/)
})

test('a file of tests that a shell has emptied is no mistake: proposals are about to be written into it', () => {
  expect(run(folderWith(SMALL, ''), { propose: true })).toMatch(/^# a\.yaml: 3 tests for branches/)
})

const SMALL = `flow: a
start: ask
steps:
  ask: { menu: { prompt: Press 1 or 2., keys: { "1": bye, "2": late } }, on: { failed: bye } }
  late: { set: { x: 1 }, limit: 9, next: bye, on: { limit: bye } }
  bye: { hangup: {} }
`
const TESTS = 'flow: a\ntests:\n  - test: one\n    call: [{ press: "1" }]\n  - test: none\n    call: [{ wait: 1s }]\n'

test('only branches that no test takes get one, the shortest; what cannot be reached is named', () => {
  const proposed = run(folderWith(SMALL, TESTS), { propose: true })
  expect(proposed).toBe(
    `# a.yaml: 1 test for branches that no test takes; add them to a.test.yaml, and say what each shows
# a.yaml:5 no call was found that takes: late (limit) → bye
# yaml-language-server: $schema=./flow-test.schema.json
flow: a
tests:
  - test: ask (2) → late, late (next) → bye
    call:
      - hear: Press 1 or 2.
      - press: "2"
    then:
      path: [ ask, late, bye ]
      outcome: completed`,
  )
})

test('nothing is proposed where nothing is missing', () => {
  const flow = SMALL.replace(', "2": late', '').replace(/ {2}late.*\n/, '')
  expect(run(folderWith(flow, TESTS), { propose: true })).toMatch(/^# a\.yaml: 0 tests for branches[^\n]*$/)
})

test('the program proposes tests of a shipped flow that pass', async () => {
  const directory = folderWith(
    readFileSync(join(root, 'flows/office-hours.yaml'), 'utf8').replace('flow: office-hours', 'flow: a'),
  )
  const args = ['src/cli/switchboard.ts', 'flow', 'test', join(directory, 'a.yaml'), '--propose']
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: root })
  writeFileSync(join(directory, 'a.test.yaml'), stdout)
  expect(run(directory, { coverageMin: 90 })).toMatch(/\d+ passed, 0 failed$/)
})
