/** `switchboard flow test --phone` as an author meets it: the tests of a flow on a real Asterisk. */
import { execFile } from 'node:child_process'
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'

const FLOW = `flow: debts
start: ask
onError: bye
steps:
  ask:
    gather: { prompt: "Please enter your case number, then press hash.", digits: { min: 1, max: 8 }, finish: "#" }
    as: number
    next: look
    on: { failed: bye }
  look: { http: { get: "\${env.cases}/case/\${number}" }, as: case, next: tell, on: { failed: message } }
  tell: { play: [{ say: You owe }, { money: "\${case.amount}", currency: EUR }], next: team }
  team: { queue: { team: people, timeout: 10s, whisper: A case }, next: bye }
  message: { record: { prompt: Speak after the tone. }, as: message, next: bye, on: { failed: bye } }
  bye: { hangup: { say: Goodbye. } }
`

const TESTS = `flow: debts
given: { http: { GET /case/4711: { body: { amount: 90 } }, GET /case/1: { status: 404 } } }
tests:
  - test: the debt is told, and an agent helps
    call:
      - hear: enter your case number
      - press: "4711#"
      - expect: { http: GET /case/4711 }
      - hear: You owe 90 euros
      - expect: { queue: people, whisper: A case }
      - agent: answers
      - agent: leaves
      - hear: Goodbye
    then: { path: [ask, look, tell, team, bye], outcome: talked, requests: 1 }
  - test: the wrong amount
    call:
      - press: "4711#"
      - hear: You owe 91 euros
  - test: who waits for long
    call: [{ wait: 10m }]
`

const HOURS = `flow: hours
start: told
onError: told
steps:
  told: { play: "We are open from eight to five, on every day of the week.", bargeInByVoice: true, next: bye }
  bye: { hangup: { say: Goodbye. } }
`

const HOURS_TESTS = `flow: hours
tests:
  - { test: who listens, call: [{ hear: every day of the week }, { hear: Goodbye }] }
  - test: who speaks hears no more
    call:
      - hear: We are open
      - say: 1s
      - hear: every day of the week
`

let directory = ''
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'flow-test-phone-'))
  // As root, the database runs under another user, who needs access.
  chmodSync(directory, 0o755)
  linkAll(resolve(process.env['SWITCHBOARD_TEST_TREE']!), join(directory, 'asterisk'), 'bin')
  linkAll(resolve(process.env['SWITCHBOARD_TEST_TREE']!, 'bin'), join(directory, 'asterisk', 'bin'), 'asterisk')
  refusesToStart(0)
  writeFileSync(join(directory, 'debts.yaml'), FLOW)
  writeFileSync(join(directory, 'debts.test.yaml'), TESTS)
  writeFileSync(join(directory, 'hours.yaml'), HOURS)
  writeFileSync(join(directory, 'hours.test.yaml'), HOURS_TESTS)
})
afterAll(() => rmSync(directory, { recursive: true, force: true }))

/** A folder like another one, without one of its entries. */
function linkAll(from: string, to: string, but: string): void {
  mkdirSync(to)
  for (const name of readdirSync(from)) if (name !== but) symlinkSync(join(from, name), join(to, name))
}

/** From now on, Asterisk ends so often before it takes calls. */
function refusesToStart(times: number): void {
  const refusals = Array.from({ length: times }, (_, index) => join(directory, `refusal-${index}`))
  for (const file of refusals) writeFileSync(file, '')
  const program = [
    '#!/bin/sh',
    ...refusals.map((file) => `rm ${file} 2>/dev/null && exit 1`),
    `exec ${resolve(process.env['SWITCHBOARD_TEST_TREE']!, 'bin/asterisk')} "$@"`,
  ]
  writeFileSync(join(directory, 'asterisk/bin/asterisk'), program.join('\n'), { mode: 0o755 })
}

/** What the command prints and how it ends. */
function run(...args: readonly string[]): Promise<{ readonly status: number; readonly printed: string }> {
  const cwd = resolve(import.meta.dirname, '../..')
  const program = ['src/cli/switchboard.ts', 'flow', 'test', ...args, '--phone']
  const env = { PATH: process.env['PATH'], DATA_DIR: directory }
  return new Promise((done) => {
    execFile(process.execPath, program, { cwd, env }, (error, printed, progress) => {
      const status = error ? Number(error.code) : 0
      done({ status, printed: status === 0 || printed !== '' ? printed : progress })
    })
  })
}

test('the same tests are played by phone: who passes, who fails and where, and who cannot be played', async () => {
  const junit = join(directory, 'report.xml')
  const { status, printed } = await run(join(directory, 'debts.yaml'), '--junit', junit)
  const report = printed.replaceAll(`${directory}/`, '')
  expect(report).toMatch(/✓ the debt is told, and an agent helps \(\d+\.\ds of call\)/)
  const wrong = TESTS.split('\n').findIndex((line) => line.includes('91 euros')) + 1
  expect(report).toContain(
    `✗ the wrong amount\n    debts.test.yaml:${wrong}:9 error "You owe 91 euros" is never heard; heard last: `,
  )
  expect(report).toMatch(/→ presses 4 \(\d+ ms\)/)
  expect(report).toContain('– who waits for long: not by phone: it waits 600 s')
  expect(report).toContain('1 passed, 1 failed, 1 not by phone')
  expect(status).toBe(1)
  const xml = readFileSync(junit, 'utf8')
  expect(xml).toContain(`<testsuite name="${join(directory, 'debts.yaml')}" tests="3" failures="1" skipped="1">`)
  expect(xml).toContain('<skipped message="not by phone: it waits 600 s"/>')
})

test('a test whose Asterisk does not start, not even again, fails with its reason; the next is played', async () => {
  refusesToStart(3)
  const { status, printed } = await run(join(directory, 'hours.yaml'), '--json')
  const [listens, speaks] = JSON.parse(printed).flows[0].tests
  expect(listens).toMatchObject({ name: 'who listens', passed: false, line: 3, story: [] })
  expect(listens.message).toContain('the phone cannot call, also when it is tried again: Asterisk ended while it was')
  expect(speaks).toMatchObject({ name: 'who speaks hears no more', passed: false, line: 8, column: 9 })
  expect(speaks.message).toBe('"every day of the week" is never heard; heard last: "Goodbye."')
  expect(status).toBe(1)
})

test('what needs virtual time is refused', async () => {
  const { status, printed } = await run(join(directory, 'debts.yaml'), '--mutate')
  expect(printed).toContain('--mutate needs virtual time; leave it out, or leave out --phone')
  expect(status).toBe(1)
})
