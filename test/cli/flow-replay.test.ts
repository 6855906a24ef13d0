/** `switchboard flow replay` as an author meets it: journals of past calls and a draft in, counts out. */
import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { journalFiles } from '../../src/adapters/files/journal-files.ts'
import { flowReplay } from '../../src/cli/flow-replay.ts'
import { readFlow } from '../../src/flow/read/read-flow.ts'
import { compileFlow } from '../../src/flow/run/compile.ts'
import { playScript } from '../../src/flow-test/play-script.ts'
import { readTestFile } from '../../src/flow-test/read-test-file.ts'
import type { CallId } from '../../src/kernel/ids.ts'
import { silentLog } from '../../src/kernel/log.ts'
import { VirtualClock } from '../support/virtual-clock.ts'

const FLOW = `flow: desk
start: welcome
onError: sorry
steps:
  welcome: { play: Welcome., next: ask }
  ask:
    menu: { prompt: For your case press 1. For a person press 2., keys: { "1": number, "2": team }, tries: 2 }
    on: { noInput: bye, invalid: bye }
  number:
    gather: { prompt: Please type your number., digits: 3, tries: 1 }
    as: number
    next: look
  look:
    http: { get: "https://a.test/case/\${number}", expect: { required: [open] } }
    as: found
    next: choose
    on: { notFound: sorry }
  choose:
    branch: { in: found, cases: [{ when: "$[?(@.open == true)]", next: text }], else: closed }
  text: { sms: { text: "Case \${number}" }, next: bye }
  closed: { play: Your case is closed., next: bye }
  team: { queue: { team: front-desk, timeout: 2m }, next: bye, on: { failed: sorry } }
  sorry: { play: We are sorry., next: bye }
  bye: { hangup: { say: Goodbye. } }
`

/** How often each call was made, and what was done in it. */
const CALLS: readonly (readonly [number, string])[] = [
  [
    4,
    'given: { http: { GET /case/123: { body: { open: true } } } }, ' +
      'call: [{ hear: press 2 }, { press: "1" }, { hear: type }, { press: "123" }]',
  ],
  [
    3,
    'given: { http: { GET /case/124: { body: { open: false } } } }, ' +
      'call: [{ hear: press 2 }, { press: "1" }, { hear: type }, { press: "124" }]',
  ],
  [2, 'call: [{ hear: press 2 }, { press: "2" }, { agent: answers }, { wait: 1m }, { agent: leaves }]'],
  [2, 'call: [{ hear: press 2 }, { press: "2" }, { wait: 10s }, hangup]'],
  [1, 'call: [{ hear: press 2 }, { press: "7" }]'],
  [1, 'call: [{ hear: Welcome }, hangup]'],
  [1, 'given: { http: { GET /case/123: { status: 404 } } }, call: [{ press: "1" }, { wait: 1s }, { press: "123" }]'],
  [1, 'given: { queue: { front-desk: full } }, call: [{ hear: press 2 }, { press: "2" }]'],
  [1, 'call: [{ hear: press 2 }, crash, { hear: press 2 }, { press: "2" }, hangup]'],
]

/** A caller may leave a message; whoever hangs up while they speak has left one. */
const BOX = `flow: box
start: message
onError: bye
onHangup:
  - sms: { text: "You left a message of \${message.seconds} seconds." }
steps:
  message:
    record: { prompt: Speak after the tone., max: 20s, silence: 4s, team: front-desk }
    as: message
    next: thanks
    on: { noInput: nothing, failed: broken }
  thanks: { play: "Thank you for \${message.seconds} seconds.", next: bye }
  nothing: { play: Nothing was said., next: bye }
  broken: { play: No message can be left now., next: bye }
  bye: { hangup: { say: Goodbye. } }
`

const MESSAGES: typeof CALLS = [
  [2, 'call: [{ hear: after the tone }, { say: 5s }, { expect: { message: { seconds: 5 } } }, { hear: Thank you }]'],
  [1, 'call: [{ hear: after the tone }, { hear: Nothing was said }]'],
  [1, 'call: [{ hear: after the tone }, { say: 3s }, hangup, { expect: { sms: 3 seconds } }]'],
  [1, 'given: { record: failed }, call: [{ hear: No message can be left now }]'],
]

const folders = { desk: '', box: '' }
beforeAll(async () => {
  const directory = mkdtempSync(join(tmpdir(), 'flow-replay-'))
  folders.desk = await record(join(directory, 'desk/journal'), FLOW, CALLS)
  folders.box = await record(join(directory, 'box/journal'), BOX, MESSAGES)
  return () => rmSync(directory, { recursive: true })
})

/** Makes the calls, each as often as it says, and writes their journals into the folder. */
async function record(folder: string, text: string, calls: typeof CALLS): Promise<string> {
  mkdirSync(dirname(folder))
  const limits = { fileBytesMax: 20_000, filesMax: 100, daysMax: 100 }
  const journal = journalFiles({ directory: folder, ...limits, clock: new VirtualClock(), log: silentLog })
  const { flow, problems: wrong } = readFlow('flow.yaml', text)
  expect(wrong.filter(({ severity }) => severity === 'error')).toEqual([])
  const compiled = compileFlow(flow!)
  const tests = calls.map(([, words], index) => `  - { test: t${index}, ${words} }`).join('\n')
  const file = readTestFile('flow.test.yaml', `flow: ${flow!.name}\ntests:\n${tests}\n`)
  const { scripts, problems } = file.readScripts(flow!)
  expect([...file.problems, ...problems]).toEqual([])
  for (const [index, script] of scripts.entries()) {
    const { call, failure } = playScript(compiled, script)
    expect(failure).toBeUndefined()
    for (let time = 1; time <= calls[index]![0]; time++) {
      const id = `call-${index}-${time}` as CallId
      for (const line of call.lines) journal.append(JSON.parse(JSON.stringify({ ...line, call: id })))
    }
  }
  await journal.close()
  return folder
}

async function replay(change: (flow: string) => string = (flow) => flow, options = {}, name: 'desk' | 'box' = 'desk') {
  const directory = mkdtempSync(join(tmpdir(), 'flow-replay-'))
  onTestFinished(() => rmSync(directory, { recursive: true }))
  const file = join(directory, 'draft.yaml')
  writeFileSync(file, change(name === 'desk' ? FLOW : BOX))
  const lines: string[] = []
  const status = await flowReplay(file, { journals: folders[name], ...options }, (line) => lines.push(line))
  return { status, lines, printed: lines.join('\n').replaceAll(`${directory}/`, '') }
}

test('the same flow changes nothing for anybody; calls through a crash are not comparable', async () => {
  const { status, lines } = await replay()
  expect(lines).toEqual([
    expect.stringMatching(/^16 recorded calls of desk through desk@\w+$/),
    '     15 would notice nothing',
    '',
    '1 are not comparable: the record has no answer to what the draft asks',
    '      1 the engine was restarted in the call   (call-8-1)',
  ])
  expect(status).toBe(0)
})

/** A change of the flow, and the findings below the first line. */
const DRAFTS: readonly (readonly [string, string, string, readonly string[]])[] = [
  [
    'closed cases to a person',
    'else: closed',
    'else: team',
    [
      '     12 would notice nothing',
      '      3 would now reach a person (front-desk)   (call-1-1, call-1-2, call-1-3)',
      '      3 would no longer hear closed: “Your case is closed.”   (call-1-1, call-1-2, call-1-3)',
    ],
  ],
  [
    'the condition turned round',
    '@.open == true',
    '@.open != true',
    [
      '      8 would notice nothing',
      '      4 would now hear closed: “Your case is closed.”   (call-0-1, call-0-2, call-0-3, …)',
      '      4 would get one text message less   (call-0-1, call-0-2, call-0-3, …)',
      '      3 would no longer hear closed: “Your case is closed.”   (call-1-1, call-1-2, call-1-3)',
      '      3 would get one more text message   (call-1-1, call-1-2, call-1-3)',
    ],
  ],
  [
    'an answer needs more',
    '[open]',
    '[open, amount]',
    [
      '      8 would notice nothing',
      '      7 would fail at look (malformed)   (call-0-1, call-0-2, call-0-3, …)',
      '      7 would now hear sorry: “We are sorry.”   (call-0-1, call-0-2, call-0-3, …)',
      '      4 would get one text message less   (call-0-1, call-0-2, call-0-3, …)',
      '      3 would no longer hear closed: “Your case is closed.”   (call-1-1, call-1-2, call-1-3)',
    ],
  ],
  [
    'another team',
    'team: front-desk',
    'team: support',
    [
      '     10 would notice nothing',
      '      5 would reach support instead of front-desk   (call-2-1, call-2-2, call-3-1, …)',
    ],
  ],
  [
    'a longer number',
    'digits: 3',
    'digits: 4',
    [
      '      7 would notice nothing',
      '',
      '9 are not comparable: the record has no answer to what the draft asks',
      '      8 number: the recorded answer does not fit the question   (call-0-1, call-0-2, call-0-3, …)',
      '      1 the engine was restarted in the call   (call-8-1)',
    ],
  ],
  [
    'a shorter number',
    'digits: 3',
    'digits: 2',
    [
      '      7 would notice nothing',
      '',
      '9 are not comparable: the record has no answer to what the draft asks',
      '      8 number: the recorded answer does not fit the question   (call-0-1, call-0-2, call-0-3, …)',
    ],
  ],
  [
    'a new question',
    'next: ask',
    'next: consent',
    [
      '      1 would notice nothing',
      '',
      '15 are not comparable: the record has no answer to what the draft asks',
      '     14 consent: it asks what the call was not asked   (call-0-1, call-0-2, call-0-3, …)',
    ],
  ],
  [
    'another request',
    '/case/',
    '/cases/',
    [
      '      7 would notice nothing',
      '',
      '9 are not comparable: the record has no answer to what the draft asks',
      '      5 look: no answer was recorded of GET /cases/123   (call-0-1, call-0-2, call-0-3, …)',
    ],
  ],
  [
    'a key that exists now',
    '"2": team }',
    '"2": team, "7": team }',
    ['     14 would notice nothing', '      1 would now reach a person (front-desk)   (call-4-1)'],
  ],
]

test.each(DRAFTS)('%s', async (_, before, after, expected) => {
  const { lines, status } = await replay((flow) => {
    const consent = '  consent: { menu: { prompt: May we record?, keys: { "1": ask } }, on: { failed: bye } }\n'
    const changed = flow.replace(before, after)
    expect(changed).not.toBe(flow)
    return after === 'next: consent' ? changed + consent : changed
  })
  expect(lines.slice(1, 1 + expected.length)).toEqual(expected)
  expect(status).toBe(0)
})

/** A change of the flow with the message, and the findings below the first line. */
const BOX_DRAFTS: readonly (readonly [string, (flow: string) => string, readonly string[]])[] = [
  ['the same flow', (flow) => flow, ['      5 would notice nothing']],
  [
    'other thanks',
    (flow) => flow.replace('next: thanks', 'next: bye'),
    [
      '      3 would notice nothing',
      '      2 would no longer hear thanks: “Thank you for ‹message.seconds› seconds.”   (call-0-1, call-0-2)',
    ],
  ],
  [
    'the text about the message before the call is over',
    (flow) =>
      flow.replace('next: bye }\n  nothing', 'next: text }\n  text: { sms: { text: Thanks }, next: bye }\n  nothing'),
    ['      3 would notice nothing', '      2 would get one more text message   (call-0-1, call-0-2)'],
  ],
  [
    'whoever says nothing is asked again',
    (flow) => flow.replace('noInput: nothing', 'noInput: message'),
    [
      '      4 would notice nothing',
      '',
      '1 are not comparable: the record has no answer to what the draft asks',
      '      1 message: it asks what the call was not asked   (call-1-1)',
    ],
  ],
]

test.each(BOX_DRAFTS)('messages, %s', async (_, change, expected) => {
  const { lines, status } = await replay(change, {}, 'box')
  expect(lines.slice(1, 1 + expected.length)).toEqual(expected)
  expect(status).toBe(0)
})

test('answers to a question with other words are counted, and said to be taken over', async () => {
  const { printed } = await replay((flow) => flow.replace('For your case press 1', 'For an advert press 1'))
  expect(printed).toContain('15 would notice nothing')
  expect(printed).toMatch(/Answers were taken over although the words of the question have changed\n +13 ask /)
})

test('--json has the report for programs', async () => {
  const { printed } = await replay((flow) => flow.replace('else: closed', 'else: team'), { json: true })
  expect(JSON.parse(printed)).toMatchObject({
    flow: 'desk',
    otherFlows: 0,
    unfinished: 0,
    report: {
      calls: 16,
      same: 12,
      comparable: 15,
      findings: [
        { what: 'would now reach a person (front-desk)', calls: 3, examples: ['call-1-1', 'call-1-2', 'call-1-3'] },
        { calls: 3 },
      ],
    },
  })
})

test('calls of other flows are left out; without any call the exit status is 1', async () => {
  const { printed, status } = await replay((flow) => flow.replace('flow: desk', 'flow: other'))
  expect(printed).toMatch(/^no call of other in .*journal has a beginning and an end; name DATA_DIR\/journal of/)
  expect(status).toBe(1)
  expect((await replay((flow) => flow.replace('next: ask', 'next: aks'))).printed).toMatch(/^draft\.yaml:5:\d+ error/)
})

test('the program replays a folder', async () => {
  const args = ['src/cli/switchboard.ts', 'flow', 'replay', 'flows/office-hours.yaml', '--journals', folders.desk]
  const run = promisify(execFile)(process.execPath, args, { cwd: join(import.meta.dirname, '../..') })
  await expect(run).rejects.toMatchObject({ code: 1, stdout: expect.stringContaining('no call of office-hours') })
})
