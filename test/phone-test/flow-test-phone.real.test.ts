/** `switchboard flow test --phone` as an author meets it: the tests of a flow on a real Asterisk. */
import { execFile } from 'node:child_process'
import { chmodSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'

const FLOW = `flow: debts
start: known
onError: bye
steps:
  known: { branch: { cases: [{ has: task.systemLookupCode, next: pay }], else: ask } }
  ask:
    gather: { prompt: "Please enter your case number, then press hash.", digits: { min: 1, max: 8 }, finish: "#" }
    as: number
    next: look
    on: { failed: bye }
  look:
    http: { get: "\${env.cases}/case/\${number}", auth: "Bearer \${secret.cases}" }
    as: case
    next: tell
    on: { failed: message }
  tell: { play: [{ say: You owe }, { money: "\${case.amount}", currency: EUR }], next: text }
  text: { sms: { text: "Pay \${case.amount | money EUR}" }, next: team, on: { failed: bye } }
  team: { queue: { team: { by: case.kind, map: { firm: firms }, else: people }, whisper: A case }, next: bye }
  pay: { wait: { event: paid, key: "\${task.systemLookupCode}", for: 20s }, as: paid, next: bye, on: { failed: bye } }
  message: { record: { prompt: Speak after the tone., max: 20s, silence: 2s }, as: message, next: bye, on: { failed: bye } }
  bye: { hangup: { say: Goodbye. } }
`

const TESTS = `flow: debts
given: { http: { GET /case/4711: { body: { amount: 90, kind: firm } }, GET /case/1: { status: 404 } } }
tests:
  - test: the debt is told, and an agent helps
    call:
      - hear: enter your case number
      - press: "4711#"
      - expect: { http: GET /case/4711 }
      - hear: You owe 90 euros
      - expect: { sms: { to: "+37255512345", contains: "Pay €90.00" } }
      - expect: { queue: firms, whisper: A case }
      - agent: answers
      - wait: 1s
      - agent: leaves
      - hear: Goodbye
    then: { path: [known, ask, look, tell, text, team, bye], outcome: talked, texts: 1, requests: 1 }
  - test: without a case the caller leaves a message
    given: { caller: withheld }
    call: [{ hear: enter }, { press: "1#" }, { hear: after the tone }, { say: 3s }, { expect: { message: { seconds: 3 } } }]
    then: { path: [known, ask, look, message, bye] }
  - test: a known caller pays
    given: { task: { systemLookupCode: "4711" }, time: 2026-03-01T10:00:00+02:00 }
    call:
      - expect: { event: paid, key: "4711" }
      - event: { name: paid, key: "4711", data: { amount: 90 } }
      - hear: Goodbye
    then: { path: [known, pay, bye] }
  - test: the wrong amount
    call:
      - hear: enter your case number
      - press: "4711#"
      - hear: You owe 91 euros
  - test: who waits for long
    call: [{ wait: 10m }]
`

let directory = ''
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'flow-test-phone-'))
  // As root, the database runs under another user, who needs access.
  chmodSync(directory, 0o755)
  symlinkSync(resolve(process.env['SWITCHBOARD_TEST_TREE']!), join(directory, 'asterisk'))
  writeFileSync(join(directory, 'debts.yaml'), FLOW)
  writeFileSync(join(directory, 'debts.test.yaml'), TESTS)
})
afterAll(() => rmSync(directory, { recursive: true, force: true }))

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
  expect(report).toMatch(/✓ without a case the caller leaves a message/)
  expect(report).toMatch(/✓ a known caller pays/)
  const wrong = TESTS.split('\n').findIndex((line) => line.includes('91 euros')) + 1
  expect(report).toContain(
    `✗ the wrong amount\n    debts.test.yaml:${wrong}:9 error "You owe 91 euros" is never heard; heard last: `,
  )
  expect(report).toMatch(/→ presses 4 \(\d+ ms\)/)
  expect(report).toContain('– who waits for long: not by phone: it waits 600 s')
  expect(report).toContain('3 passed, 1 failed, 1 not by phone')
  expect(status).toBe(1)
  const xml = readFileSync(junit, 'utf8')
  expect(xml).toContain('<testsuite name="' + join(directory, 'debts.yaml') + '" tests="5" failures="1" skipped="1">')
  expect(xml).toContain('<skipped message="not by phone: it waits 600 s"/>')
})

test('a shipped flow passes by phone, and the report for programs says so', async () => {
  const { status, printed } = await run('flows/two-language-welcome.yaml', '--json')
  const { passed, flows } = JSON.parse(printed)
  expect(flows[0].tests.filter((one: { passed: boolean }) => !one.passed)).toEqual([])
  expect(flows[0].tests).toHaveLength(5)
  expect(flows[0].properties).toBeUndefined()
  expect([passed, status]).toEqual([true, 0])
})

test('what needs virtual time is refused', async () => {
  const { status, printed } = await run(join(directory, 'debts.yaml'), '--mutate')
  expect(printed).toContain('--mutate needs virtual time; leave it out, or leave out --phone')
  expect(status).toBe(1)
})
