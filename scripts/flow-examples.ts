/** What `docs/flow-reference.md` says beside the schema: an example for each kind, and the meaning of each name. */
import type { StepKindName } from '../src/flow/model/flow.ts'

/** Steps that use every key and failure of a kind. `after`, `team` and `sorry` are other steps of the flow. */
export const KIND_EXAMPLES: Readonly<Record<StepKindName, string>> = {
  play: `welcome:
  about: The first words of the call.
  play: ["Welcome. Your case is", { digits: "\${caseNumber}" }]
  bargeInByVoice: true
  mark: welcomed
  next: after
  on: { failed: sorry }`,
  gather: `ask-case:
  gather:
    prompt: Please enter your case number, then press hash.
    digits: { min: 3, max: 10 }
    finish: "#"
    pattern: "[1-9][0-9]+"
    confirm: ["You entered", { digits: "\${entered}" }, "If this is right, press 1."]
    reprompt: { noInput: I did not hear any keys., invalid: That is not a case number. }
    by: [keys, speech]
    secret: false
    firstDigitTimeout: 5s
    interDigitTimeout: 3s
    tries: 3
    bargeIn: true
  bargeInByVoice: true
  as: entered
  limit: 2
  next: after
  on: { noInput: team, invalid: team, failed: team, limit: team }`,
  menu: `choose:
  menu:
    prompt: For an order, press 1. To reach a person, press 0.
    keys: { "1": after, "0": team }
    reprompt: { noInput: I did not hear a key., invalid: That key has no choice. }
    firstDigitTimeout: 5s
    tries: 3
    bargeIn: true
  bargeInByVoice: true
  on: { noInput: team, invalid: team, failed: team }`,
  http: `lookup:
  http:
    get: \${env.integrator}/CaseInfo/\${caseNumber}
    auth: Bearer \${secret.caseInfo}
    headers: { Accept-Language: en }
    timeout: 4s
    retry: 1
    filler: One moment, please.
    expect: { required: [closedDate], match: { caseNumber: "\${caseNumber}" } }
  as: answer
  next: pay
  on: { notFound: sorry, timeout: team, malformed: team, unavailable: team, "409": sorry, failed: team }
pay:
  http: { post: "\${env.integrator}/Payments", body: { caseNumber: "\${caseNumber}" } }
  next: close
  on: { failed: team }
close:
  http: { put: "\${env.integrator}/CaseInfo/\${caseNumber}", body: { asked: true } }
  next: after
  on: { failed: team }`,
  branch: `triage:
  branch:
    in: caseInfo
    cases:
      - { has: caller.number, next: after }
      - { same: [caller.number, caseInfo.phoneNumber], next: after }
      - { open: office, next: team }
      - { when: "$[?(@.closedDate == null)]", next: after }
    else: sorry`,
  set: `remember:
  set: { language: en, asked: true, reference: "\${caseNumber}" }
  next: after
  on: { malformed: sorry, failed: sorry }`,
  sms: `pay-text:
  sms:
    text: "Case \${caseNumber}: \${caseInfo.remainingAmount | money EUR} to pay."
    to: \${caller.number}
    awaitDelivery: 30s
  as: messageId
  next: after
  on: { noMobile: sorry, undelivered: sorry, timeout: sorry, malformed: sorry, failed: sorry }`,
  doNotCall: `stop-calls:
  doNotCall: { reason: pressed 9 in the menu }
  next: after
  on: { noNumber: sorry, malformed: sorry, failed: sorry }`,
  wait: `await-payment:
  wait:
    event: payment.completed
    key: \${caseNumber}
    for: 3m
    hold: Please pay with the link now.
  as: payment
  next: after
  on: { timeout: sorry, malformed: team, failed: team }`,
  queue: `serve:
  queue:
    team: { by: caseInfo.caseCategory, map: { consumer: collections-consumer }, else: collections }
    priority: 0
    skills: [danish]
    music: default
    whisper: ["Case", { digits: "\${caseNumber}" }]
    popup: \${caseNumber}
    recording: consent
    recordingConsent: \${agreed}
    announce: { every: 45s, position: true, wait: true }
    callback: { after: 2m, key: "1", next: sorry }
    timeout: 10m
  next: after
  on: { timeout: sorry, full: sorry, closed: sorry, failed: sorry }`,
  record: `leave-message:
  record:
    prompt: Please leave your message after the tone.
    max: 2m
    silence: 5s
    finish: "#"
    consent: \${agreed}
    team: help
  as: message
  next: after
  on: { noInput: sorry, declined: sorry, failed: sorry }`,
  transfer: `ask-the-bank:
  transfer:
    to: "+4533123456"
    mode: attended
    timeout: 30s
    callerId: "+4570001000"
  next: after
  on: { busy: sorry, noAnswer: sorry, refused: sorry, malformed: sorry, failed: sorry }`,
  subflow: `who:
  subflow: { flow: identify, with: { tries: 2, digits: "\${caseNumber}" } }
  as: found
  mark: identified
  next: after
  on: { malformed: team, failed: team }`,
  hangup: `goodbye:
  hangup: { say: Goodbye., outcome: served }`,
}

/** Every key of the file that is not a step, and every piece of a prompt. */
export const FILE_EXAMPLE = `flow: example
title: An example of every key
languages: [en, et]
start: hello
budget: { person: 60s }
onError: sorry
vars: { attempts: 0 }
limits: { steps: 200, duration: 15m }
defaults: { gather: { tries: 2 }, http: { timeout: 3s } }
activity: { systemLookupCode: "\${caseNumber | default ''}" }
hours:
  office:
    timezone: Europe/Tallinn
    weekly: { mon-thu: "09:00-12:00, 13:00-17:00", fri: "09:00-16:00" }
    holidays: ["2026-12-25"]
prompts:
  welcome:
    en: [{ say: Welcome. }, { pause: 500ms }, { file: sounds/jingle.wav }]
    et: Tere tulemast.
  facts:
    en: [{ money: "120.50", currency: EUR }, { number: "3" }, { date: "2026-12-25" }, { digits: "2042" }]
    et: [{ money: "120.50", currency: EUR }, { number: "3" }, { date: "2026-12-25" }, { digits: "2042" }]
steps:
  hello: { play: [{ prompt: welcome }, { prompt: facts }], next: known }
  known: { branch: { cases: [{ has: task.systemLookupCode, next: take }], else: team } }
  take: { set: { caseNumber: "\${task.systemLookupCode}" }, next: team }
  team: { queue: { team: help }, next: bye, on: { failed: sorry } }
  sorry: { play: { prompt: welcome }, next: bye, on: { failed: bye } }
  bye: { hangup: }
onHangup:
  - http: { post: "\${env.integrator}/calls", body: { call: "\${call.id}" } }
`

/** When a step ends with a failure. */
export const FAILURES: Readonly<Record<string, string>> = {
  noInput: 'no key was pressed in the last try; `record`: nothing was said',
  declined: 'the value of `consent` is not true',
  invalid: 'the last entry did not fit',
  notFound: 'the other system answered 404',
  timeout:
    '`http`: no answer in time, in any try; `sms`: no answer of the gateway, or no delivery report; ' +
    '`queue`: no agent answered in time',
  malformed: 'a value is missing, or the answer is not JSON, is about something else or lacks a required member',
  unavailable: 'the other system cannot be reached, or failed too often a moment ago',
  noMobile: 'the number is withheld or receives no text messages',
  undelivered: 'the gateway refused the message',
  noNumber: 'the caller withholds the number',
  full: 'the queue has as many callers as it may have (`waitingMax`)',
  closed: 'no agent of the team has the skills, or there is none',
  busy: 'the line of the other side is busy',
  noAnswer: 'nobody answered there within `timeout`',
  refused: 'a rule of the dialer forbids the call; the trace says which',
  failed: 'every failure that `on` does not name',
  limit: 'the step was entered more than `limit` times',
}

/** What the engine sets. */
export const VARIABLES: Readonly<Record<string, string>> = {
  'caller.number': "the caller's number, `+4533123456`; missing if withheld",
  'call.id': 'the id of the call',
  'call.called': 'the number that was called, as the configuration writes it',
  'call.startedAt': 'when the call arrived, in UTC: `2026-11-23T09:30:00.000Z`',
  task: 'the call task that the caller was matched to, with its fields; missing if there is none',
  env: 'addresses that the configuration names under `env`',
  secret: 'secrets that the configuration names under `secrets`; in `auth` and `headers` of `http` only',
}

/** A text that uses each variable. */
export const VARIABLE_EXAMPLES: Readonly<Record<string, string>> = {
  'caller.number': '"${caller.number}"',
  'call.id': '"${call.id}"',
  'call.called': '"${call.called}"',
  'call.startedAt': '"${call.startedAt | time Europe/Copenhagen}"',
  task: '"${task.systemLookupCode}"',
  env: '"${env.integrator}/calls"',
  secret: '"Bearer ${secret.caseInfo}"',
}

/** What each filter makes of a value, and an example. */
export const FILTER_MEANINGS: Readonly<Record<string, readonly [string, string]>> = {
  money: ['an amount with its currency (ISO 4217)', '"${caseInfo.remainingAmount | money EUR}"'],
  date: [
    'a date in the language of the call: as written, or in the time zone that follows',
    '"${caseInfo.closedDate | date}"',
  ],
  time: ['a time of day: as written, or in the time zone that follows', '"${call.startedAt | time Europe/Copenhagen}"'],
  digits: ['each sign by itself', '"${caseNumber | digits}"'],
  default: ['the text in quotes, if the value is missing or null', '"${caseNumber | default \'none\'}"'],
}

const SUBFLOW = `--- # subflow identify
flow: identify
vars: { tries: 3, digits: null }
start: ask
steps:
  ask: { play: ["Is it", { digits: "\${digits}" }, "?"], next: bye, on: { failed: bye } }
  bye: { hangup: { outcome: identified } }`

/** The flow around steps of an example: the steps they lead to, and the values they use. */
export function flowAround(steps: string): string {
  const [first] = /^[\w-]+/.exec(steps)!
  const others = {
    after: '{ hangup: }',
    team: '{ queue: { team: collections }, next: finally, on: { failed: finally } }',
    sorry: '{ hangup: { say: Sorry. } }',
  }
  const used = Object.entries(others).filter(([name]) => new RegExp(`[:,] ${name}\\b`).test(steps))
  const after = used.some(([name]) => name === 'team') ? ['  finally: { hangup: }'] : []
  return [
    'flow: example',
    `start: ${first}`,
    'vars: { caseNumber: "2042", agreed: true, caseInfo: { remainingAmount: 120.5, closedDate: null } }',
    'hours: { office: { timezone: Europe/Tallinn, weekly: { mon-fri: "09:00-17:00" } } }',
    'steps:',
    ...steps.split('\n').map((line) => `  ${line}`),
    ...used.map(([name, step]) => `  ${name}: ${step}`),
    ...after,
    ...(steps.includes('subflow') ? [SUBFLOW] : []),
    '',
  ].join('\n')
}
