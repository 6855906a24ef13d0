import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { writeWav } from '../../src/adapters/speech/wav.ts'
import { readSettings } from '../../src/app/settings.ts'
import { flowCheck } from '../../src/cli/flow-check.ts'

const FLOW = `flow: hello
start: say
steps:
  say: { play: [{ file: sounds/welcome.wav }, { file: sounds/hours.mp3 }], next: bye }
  bye: { hangup: }
`

function placeOf(recordings: Readonly<Record<string, Uint8Array | string>>) {
  const directory = mkdtempSync(join(tmpdir(), 'switchboard-flows-'))
  onTestFinished(() => rmSync(directory, { recursive: true }))
  mkdirSync(join(directory, 'sounds'))
  const file = join(directory, 'hello.yaml')
  writeFileSync(file, FLOW)
  for (const [name, bytes] of Object.entries(recordings)) writeFileSync(join(directory, 'sounds', name), bytes)
  const lines: string[] = []
  const { settings } = readSettings({ FLOWS_DIR: directory, SETUP_FILE: 'no-setup.yaml' })
  const code = flowCheck([], { settings: settings!, write: (line) => lines.push(line) })
  return { code, lines, sounds: join(directory, 'sounds'), file }
}

test('given recordings that are there, the flow has no errors', () => {
  const { code, lines } = placeOf({ 'welcome.wav': writeWav(new Int16Array(80)), 'hours.mp3': 'ID3 and sound' })
  expect(code).toBe(0)
  expect(lines.at(-1)).toBe('no errors')
})

test('given a missing recording and one without sound, each is an error at its place', () => {
  const { code, lines, sounds, file } = placeOf({ 'hours.mp3': 'We are open from nine to five' })
  expect(code).toBe(1)
  expect(lines).toEqual([
    `${file}:4:25 error ${sounds}/welcome.wav cannot be read (ENOENT); put the recording there`,
    `${file}:4:55 error ${sounds}/hours.mp3 holds no mp3 sound; export it again as mp3`,
    'teams, numbers, env and secrets were not checked: no-setup.yaml does not exist; that is all right until a ' +
      'number gets the flow',
    '2 errors',
  ])
})

test('given studio recordings, those that no caller would hear are named at their places', () => {
  const directory = mkdtempSync(join(tmpdir(), 'switchboard-flows-'))
  onTestFinished(() => rmSync(directory, { recursive: true }))
  mkdirSync(join(directory, 'recordings'))
  writeFileSync(
    join(directory, 'hello.yaml'),
    'flow: hello\nstart: bye\nsteps: { bye: { hangup: { say: "Goodbye, and thanks." } } }\n',
  )
  const list = join(directory, 'recordings', 'en.yaml')
  writeFileSync(
    list,
    '"Goodby, and thanks.": bye.wav\n"Hello.": hello.wav\n"Something is wrong on our side.": bye.wav\n',
  )
  writeFileSync(join(directory, 'recordings', 'bye.wav'), writeWav(new Int16Array(80)))
  const lines: string[] = []
  const { settings } = readSettings({ FLOWS_DIR: directory, SETUP_FILE: 'no-setup.yaml' })
  const code = flowCheck([], { settings: settings!, write: (line) => lines.push(line) })
  expect(code).toBe(1)
  expect(lines.filter((line) => line.startsWith(list))).toEqual([
    `${list}:2:1 error ${directory}/recordings/hello.wav cannot be read (ENOENT); put the recording there`,
    `${list}:1:1 warn  no flow says this word for word; did you mean "Goodbye, and thanks."?`,
  ])
})

test('given the slips of a first flow, each has its place, its reason and its remedy', () => {
  const { code, lines } = checkedBeside(
    SETUP,
    'slips',
    `flow: slips
start: ask
steps:
  ask:
    gather:
      prompt: Your number.
      digits: "4"
      as: number
  Say: { play: You typed it., Next: again }
  again: { <<: { next: ask }, hangup: }
`,
  )
  expect(code).toBe(1)
  expect(lines).toEqual([
    '7:15 error digits must be a number of digits, or {min: 3, max: 10}, not "4"; remove the quotes',
    '8:7 error as stands beside gather, not in it; move it there',
    '9:31 error unknown key "Next"; did you mean "next"?',
    '10:12 error maps are not merged with <<; write the keys out',
    '4 errors',
  ])
})

test('given a flow that goes round, or a value without braces, the check warns', () => {
  const { code, lines } = checkedBeside(
    SETUP,
    'round',
    `flow: round
languages: [en, dk]
start: ask
steps:
  ask: { gather: { prompt: Your number., digits: 4 }, as: number, next: say, on: { noInput: ask, invalid: ask } }
  say: { play: You typed $number., next: ask }
`,
  )
  expect(code).toBe(0)
  expect(lines.slice(0, 2)).toEqual([
    '2:17 warn  there is no language "dk"; DK is Denmark; did you mean "da"?',
    '5:3 warn  steps ask, say lead to no hangup, queue or transfer; ' +
      'add a way out, or limits end the call with an apology',
  ])
  expect(lines).toContain('6:16 warn  "$number" stays as it is written; write ${number} for the value')
})

const SETUP = `numbers: { "+4570001000": { flow: used } }
trunks: { carrier: { host: 192.0.2.10 } }
teams: { help: { title: Help, agents: [anna] } }
agents: { anna: { title: Anna, phone: { host: 192.0.2.31 }, skills: [danish] } }
env: { integrator: INTEGRATOR_URL_THAT_IS_NOT_SET }
secrets: { key: KEY_THAT_IS_NOT_SET }
`

const ADD = 'add skills to an agent of the configuration'

const askingFor = (name: string) => `flow: ${name}
start: which
steps:
  which: { branch: { cases: [{ when: "$[?(@.call.called == '+4570001001')]", next: team }], else: look } }
  look: { http: { get: "\${env.integratr}/x", auth: "\${secret.kye}" }, next: team, on: { failed: team } }
  team: { queue: { team: hlep }, next: bye, on: { failed: able } }
  able: { queue: { team: help, skills: [danish, technics] }, next: bye, on: { failed: bye } }
  bye: { hangup: }
`

/** Checks a flow beside a configuration, as one command does. */
function checkedBeside(setupText: string, name: string, text: string, env: Readonly<Record<string, string>> = {}) {
  const directory = mkdtempSync(join(tmpdir(), 'switchboard-flows-'))
  onTestFinished(() => rmSync(directory, { recursive: true }))
  const setup = join(directory, 'setup.yml')
  writeFileSync(setup, setupText)
  const { settings } = readSettings({ FLOWS_DIR: directory, SETUP_FILE: setup, ...env })
  const file = join(directory, `${name}.yaml`)
  writeFileSync(file, text)
  const lines: string[] = []
  const code = flowCheck([file], { settings: settings!, write: (line) => lines.push(line) })
  return { code, lines: lines.map((line) => line.replace(`${file}:`, '').replace(directory, '')) }
}

test('given the configuration, what it lacks is an error in a flow that answers a number, else a warning', () => {
  const checked = (name: string) => checkedBeside(SETUP, name, askingFor(name))
  const said = (severity: string) => [
    `4:38 ${severity} the configuration has no number "+4570001001"; did you mean "+4570001000"?`,
    `5:24 ${severity} the configuration has no env "integratr"; did you mean "integrator"?`,
    `5:52 ${severity} the configuration has no secret "kye"; did you mean "key"?`,
    `6:26 ${severity} the configuration has no team "hlep"; did you mean "help"?`,
    `7:40 ${severity} no agent of the team "help" has all of danish, technics; ${ADD}`,
  ]
  expect(checked('used')).toEqual({ code: 1, lines: [...said('error'), '5 errors'] })
  expect(checked('draft')).toEqual({
    code: 0,
    lines: [...said('warn '), expect.stringMatching(/^ draft@.*, 5 steps$/), 'no errors'],
  })
})

const TEXTING = `flow: used
languages: [en, da]
start: tell
steps:
  tell: { sms: { text: Hello }, next: bye, on: { failed: bye } }
  bye: { hangup: }
`
const MAYBE = SETUP.replace('flow: used', 'flow: used, language: da')

test('a step that sends texts is warned about where nothing can send them', () => {
  const said = '5:11 warn  no text message can be sent; set TWILIO_ACCOUNT_SID, TWILIO_AUTH_TOKEN and TWILIO_FROM, '
  const unsent = checkedBeside(MAYBE, 'used', TEXTING)
  expect(unsent).toEqual({
    code: 0,
    lines: [`${said}or add sms: to the configuration`, expect.stringMatching(/^ used@/), 'no errors'],
  })
  const twilio = { TWILIO_ACCOUNT_SID: 'AC1', TWILIO_AUTH_TOKEN: 'x', TWILIO_FROM: '+4570001000' }
  const gateway = `${MAYBE}sms: { url: "https://sms.example/x" }\n`
  for (const { lines } of [checkedBeside(MAYBE, 'used', TEXTING, twilio), checkedBeside(gateway, 'used', TEXTING)]) {
    expect(lines).toEqual([expect.stringMatching(/^ used@/), 'no errors'])
  }
})

test('a number in a language that its flow does not have is an error', () => {
  const { code, lines } = checkedBeside(SETUP.replace('flow: used', 'flow: used, language: sv'), 'used', TEXTING)
  expect(code).toBe(1)
  expect(lines).toContain(
    '2:12 error the number +4570001000 has the language "sv", and the flow has en, da; add the language to the flow, ' +
      'or change language of the number',
  )
})

test('a configuration with errors is told from one that is not there', () => {
  const { lines } = checkedBeside('numbrs: {}\n', 'draft', TEXTING.replace('used', 'draft'))
  expect(lines.at(-2)).toBe(
    'teams, numbers, env and secrets were not checked: /setup.yml has errors; "apply --dry-run" names them',
  )
})

test('a mistyped file is named with the one that was meant', () => {
  const directory = mkdtempSync(join(tmpdir(), 'switchboard-flows-'))
  onTestFinished(() => rmSync(directory, { recursive: true }))
  writeFileSync(join(directory, 'clinic.yaml'), TEXTING)
  const lines: string[] = []
  const { settings } = readSettings({ SETUP_FILE: join(directory, 'none.yaml') })
  const context = { settings: settings!, write: (line: string) => lines.push(line) }
  expect(flowCheck([join(directory, 'clinc.yaml'), join(directory, 'pharmacy.yaml')], context)).toBe(1)
  expect(lines.slice(0, 2)).toEqual([
    `${directory}/clinc.yaml:1:1 error there is no such file; did you mean ${directory}/clinic.yaml?`,
    `${directory}/pharmacy.yaml:1:1 error there is no such file; name a flow file`,
  ])
})
