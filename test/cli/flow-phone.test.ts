/** `switchboard flow run` as an author meets it: lines in, lines out. */
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'
import { readSettings } from '../../src/app/settings.ts'
import { flowPhone } from '../../src/cli/flow-phone.ts'
import { flowTest } from '../../src/cli/flow-test.ts'

const root = join(import.meta.dirname, '../..')
const FLOW = `flow: desk
start: ask
onError: bye
hours: { office: { timezone: Europe/Tallinn, weekly: { mon-fri: "09:00-17:00" } } }
activity: { answer: "\${answer}" }
steps:
  ask:
    menu: { prompt: To hear your balance press 1. To reach us press 2., keys: { "1": number, "2": open }, tries: 2 }
    on: { noInput: bye }
  number:
    gather: { prompt: Please type your number., digits: 2 }
    as: answer
    next: look
    on: { failed: bye }
  look:
    http: { get: "\${env.bank}/balance/\${answer}", expect: { required: [amount] } }
    as: balance
    next: say
  say: { play: "You have \${balance.amount} euros.", mark: told, next: bye }
  open: { branch: { cases: [{ open: office, next: team }], else: pay } }
  team: { queue: { team: front-desk, popup: x, whisper: A guest, timeout: 2m }, next: bye }
  pay: { wait: { event: payment.completed, key: "7", for: 1m, hold: Please pay now. }, as: payment, next: bye }
  bye: { hangup: { say: Goodbye. } }
`

async function call(orders: readonly string[], options: Parameters<typeof flowPhone>[1] = {}, given?: string) {
  const directory = mkdtempSync(join(tmpdir(), 'flow-phone-'))
  onTestFinished(() => rmSync(directory, { recursive: true }))
  const file = join(directory, 'desk.yaml')
  writeFileSync(file, FLOW)
  if (given !== undefined) writeFileSync(join(directory, 'given.yaml'), given)
  const printed: string[] = []
  const left = [...orders]
  const context = {
    write: (line: string) => void printed.push(line),
    ask: async (question: string) => {
      printed.push(question)
      return left.shift()
    },
  }
  const world = given === undefined ? {} : { given: join(directory, 'given.yaml') }
  const status = await flowPhone(file, { ...options, ...world }, context)
  return { status, directory, left, printed: printed.join('\n').replaceAll(`${directory}/`, '') }
}

/** The test that was printed passes, played from its file. */
function playedBack(printed: string, directory: string): string {
  writeFileSync(join(directory, 'desk.test.yaml'), printed.slice(printed.indexOf('# yaml-language-server')))
  const lines: string[] = []
  const { settings } = readSettings({ FLOWS_DIR: directory })
  flowTest([], {}, { settings: settings!, write: (line) => lines.push(line) })
  return lines.join('\n')
}

test('a call shows what is heard, each step with its line, and the record', async () => {
  const { status, printed } = await call(['1', '42', '', '{ amount: 3.5 }', ''])
  expect(printed).toMatch(/0\.0s {2}desk\.yaml:7 ask \(menu\)\n +0\.0s {4}“To hear your balance press 1/)
  expect(printed).toMatch(/presses 1 .*\n.*ask key:1 → number\n.*desk\.yaml:10 number \(gather\)/)
  expect(printed).toContain('requests GET https://bank.test/balance/42\n  status of GET /balance/42')
  expect(printed).toMatch(/“You have 3\.5 euros\.”\n> \n.*say done → bye/)
  expect(printed).toMatch(/The call is over after 6\.6s: completed\.\n {2}path: ask → number → look → say → bye\n/)
  expect(printed).toContain('  marks: told\n  activity: answer: 42\n  requests: 1')
  expect(status).toBe(0)
})

test('keys are pressed when the prompt was heard, and at once with !', async () => {
  const heard = await call(['2', 'h'])
  expect(heard.printed).toMatch(/3\.\ds {4}presses 2/)
  const atOnce = await call(['!2', 'h'])
  expect(atOnce.printed).toMatch(/0\.2s {4}presses 2/)
})

test('Enter waits for what happens next: silence, the second try, the end', async () => {
  const { printed } = await call(['', '', ''])
  expect(printed.match(/“To hear your balance/g)).toHaveLength(2)
  expect(printed).toContain('ask noInput → bye')
})

test('the queue: an agent answers and leaves', async () => {
  const { printed, status } = await call(['2', 'a', '', 'a'])
  expect(printed).toMatch(/waits for front-desk\n> \n.*connected with anna\n> \nnothing happens by itself now; a: /)
  expect(printed).toContain('anna has left')
  expect(printed).toContain(': talked.')
  expect(status).toBe(0)
})

test('--time closes the office; the event that the caller waits for comes', async () => {
  const { printed } = await call(['2', '', 'e {amount: 5}'], { time: '2026-03-01T10:00:00+02:00' })
  expect(printed).toMatch(/open else → pay/)
  expect(printed).toMatch(/“Please pay now\.”\n> \n.*the event came: \{"amount":5\}/)
})

test('--caller and --language are those of the call, and a wrong one is told', async () => {
  const { printed, status } = await call([], { caller: '123' })
  expect(printed).toMatch(/^the options:1:\d+ error caller must be an international number/)
  expect(status).toBe(1)
  const { printed: asTest } = await call(['h'], { caller: 'withheld', language: 'en', asTest: true })
  expect(asTest).toContain('given:\n      caller: withheld\n      language: en\n')
  expect(await call(['h'], { language: 'de' })).toMatchObject({
    status: 1,
    printed: 'the flow desk has no language "de"; it has en',
  })
})

test('--given answers requests; what it does not answer is asked', async () => {
  const given = 'given: { http: { GET /balance/42: { body: { amount: 7 } } } }\n'
  const { printed } = await call(['1', '42', ''], {}, given)
  expect(printed).toContain('“You have 7 euros.”')
  expect(printed).not.toContain('status of')
  const wrong = await call([], {}, 'given: { htp: {} }')
  expect(wrong.printed).toContain('given.yaml:1:10 error unknown key "htp"; did you mean "http"?')
  expect(wrong.status).toBe(1)
})

test('a failure may be the answer, and a wrong one is asked for again', async () => {
  const { printed } = await call(['1', '42', '7', 'timeout', ''])
  expect(printed).toContain('a status has three digits')
  expect(printed).toContain('timeout: no answer within 4000 ms')
  expect(printed).toContain('look timeout → bye')
})

test('without an answer the call cannot go on: exit status 1', async () => {
  const { printed, status } = await call(['1', '42'])
  expect(printed).toMatch(/nothing answers GET \/balance\/42; answer it here, or write given.http into a file/)
  expect(status).toBe(1)
})

test('wrong orders change nothing', async () => {
  const { printed } = await call(['x', '4711a', 'w', 'a', 'e', '?', '2', 'h'])
  for (const message of ['none of the orders', 'keys are digits', 'write how long: w 30s', 'in no queue', 'no event']) {
    expect(printed).toContain(message)
  }
  expect(printed).toContain('!1 presses at once')
  expect(printed).toContain('path: ask → open → team\n')
})

/** Orders of a call, and what the test of it must say. */
const CALLS: readonly (readonly [string, readonly string[], readonly string[]])[] = [
  ['a balance', ['1', '42', '', '{ amount: 3.5 }', ''], ['- press: "42"', '- expect: { http: GET /balance/42 }']],
  ['a failure', ['1', '42', '404', '', ''], ['GET /balance/42: { status: 404 }', 'path: [ ask, number, look, bye ]']],
  ['keys at once', ['!1', '!4', '!2', '503', '', ''], ['- press: "4"']],
  ['silence', ['', '', ''], ['- hear: To hear your balance press 1. To reach us press 2.\n      - hear: To hear']],
  ['an agent', ['2', 'w 20s', 'a', 'w 30s', 'a'], ['queue: front-desk', 'whisper: A guest', 'outcome: talked']],
  ['a hang-up', ['2', 'h'], ['- hangup', 'outcome: abandoned']],
  ['nothing at all', [], ['outcome: completed']],
]

test.each(CALLS)('%s: --as-test prints a test that passes', async (_, orders, texts) => {
  const { printed, directory } = await call(orders, { asTest: true })
  for (const line of texts) expect(printed).toContain(line)
  expect(playedBack(printed, directory)).toMatch(/✓ a (silent )?caller .*\n(.*\n)*1 passed, 0 failed$/)
})

test('an event by hand is in the test', async () => {
  const options = { time: '2026-03-01T10:00:00+02:00', asTest: true }
  const { printed, directory } = await call(['2', '', 'e {amount: 5}', ''], options)
  expect(printed).toMatch(/- expect: \{ event: payment.completed, key: "7" \}/)
  expect(playedBack(printed, directory)).toMatch(/1 passed, 0 failed$/)
})

test('the program takes its orders from a pipe', async () => {
  const program = spawn(process.execPath, ['src/cli/switchboard.ts', 'flow', 'run', 'flows/office-hours.yaml'], {
    cwd: root,
  })
  program.stdin.end('1\na\na\n\nt\n')
  const printed = await text(program.stdout)
  expect(printed).toContain('flows/office-hours.yaml:20 main (menu)')
  expect(printed).toContain('The call is over after')
  expect(printed).toContain('flow: office-hours\ntests:\n  - test: a caller who presses 1 comes to bye\n')
})

test('the call comes in on the number that is said', async () => {
  const { printed } = await call(['h'], { called: '+4570001003', asTest: true })
  expect(printed).toMatch(/given:\n +called: "\+4570001003"/)
})

test('whoever reads only the beginning sees no stack trace', async () => {
  const args = ['src/cli/switchboard.ts', 'flow', 'describe', 'flows/debtor-self-service.yaml']
  const child = spawn(process.execPath, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] })
  child.stdout.destroy()
  expect(await text(child.stderr)).toBe('')
})
