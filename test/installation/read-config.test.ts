import { readFileSync } from 'node:fs'
import fastCheck from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Known } from '../../src/installation/check-references.ts'
import { readConfig } from '../../src/installation/read-config.ts'
import { formatProblem } from '../../src/kernel/file-problem.ts'
import type { AgentName, TeamName } from '../../src/kernel/ids.ts'

/** Every problem of a configuration as `line:column severity message`. */
function problemsOf(text: string, known?: Known): string[] {
  return readConfig('s.yaml', text, known).problems.map((problem) => formatProblem(problem).slice('s.yaml:'.length))
}

describe('a configuration', () => {
  test('that is the shipped example has no problem', () => {
    const text = readFileSync('switchboard.example.yaml', 'utf8')
    const { installation: config, problems } = readConfig('switchboard.example.yaml', text, { hasEnv: () => true })
    expect(problems).toEqual([])
    expect(config?.numbers.get('+4570001000')).toEqual({ flow: 'debtor-self-service', language: 'en' })
    expect(config?.phones.get('ben' as AgentName)).toEqual({ kind: 'fixed', host: '192.0.2.31', port: 5060 })
    const phone = { kind: 'registers', username: 'anna', passwordFrom: 'ANNA_PHONE_PASSWORD' }
    expect(config?.phones.get('anna' as AgentName)).toEqual(phone)
  })

  test.for([
    ['30s', { kind: 'timed', lengthMs: 30_000 }],
    ['byHand', { kind: 'byHand' }],
  ] as const)('gives a team the wrap-up %s after its callers', ([wrapUp, read]) => {
    const text = `teams: { sales: { agents: [anna], wrapUp: ${wrapUp} } }
agents: { anna: { phone: { host: 10.0.0.1 } } }`
    expect(readConfig('s.yaml', text).installation?.staff.teams.get('sales' as TeamName)?.wrapUp).toEqual(read)
    const { installation, problems } = readConfig('s.yaml', text.replace(wrapUp, '16m'))
    expect(installation).toBeUndefined()
    expect(problems[0]?.message).toContain('a duration up to 15m, such as 30s, or byHand')
  })

  test.for([
    ['{ mode: consent }', { mode: 'consent', isTranscribed: true }],
    ['{ mode: always, transcribe: false }', { mode: 'always', isTranscribed: false }],
  ] as const)('says of a number, and of a team, what is recorded: %s', ([recording, read]) => {
    const text = `numbers: { "+4511": { flow: a, recording: ${recording} } }`
    expect(readConfig('s.yaml', text).installation?.numbers.get('+4511')?.recording).toEqual(read)
    const team = `teams: { sales: { agents: [anna], recording: ${recording} } }
agents: { anna: { phone: { host: 10.0.0.1 } } }`
    expect(readConfig('s.yaml', team).installation?.staff.teams.get('sales' as TeamName)?.recording).toEqual(read)
    const { installation, problems } = readConfig('s.yaml', text.replace(/mode: \w+/, 'mode: sometimes'))
    expect(installation).toBeUndefined()
    expect(problems[0]?.message).toContain('off, consent or always')
  })

  test('says what an agent can do', () => {
    const text = `teams: { sales: { agents: [anna] } }
agents: { anna: { phone: { host: 10.0.0.1 }, skills: [danish, technics] } }`
    const anna = { name: 'anna', title: 'anna', skills: ['danish', 'technics'] }
    expect(readConfig('s.yaml', text).installation?.staff.agents.get('anna' as AgentName)).toEqual(anna)
    const { installation, problems } = readConfig('s.yaml', text.replace('[danish, technics]', 'danish'))
    expect(installation).toBeUndefined()
    expect(problems[0]?.message).toContain('a list of skills')
  })

  test('is filled in with defaults', () => {
    const text = 'teams: { sales: { agents: [anna] } }\nagents: { anna: { phone: { host: 10.0.0.1 } } }'
    const { installation: config } = readConfig('s.yaml', text)
    expect(config?.staff.teams.get('sales' as TeamName)).toEqual({
      name: 'sales',
      title: 'sales',
      agents: ['anna'],
      music: 'default',
      waitingMax: 50,
      ringTimeoutMs: 15_000,
      pauseAfterMissMs: 120_000,
    })
    const trunk = readConfig('s.yaml', 'trunks: { carrier: { host: 192.0.2.10 } }').installation?.trunks.get('carrier')
    expect(trunk).toEqual({
      name: 'carrier',
      host: '192.0.2.10',
      port: 5060,
      username: undefined,
      passwordFrom: undefined,
      linesMax: 30,
      callsPerSecondMax: 10,
      callerIds: [],
      transferCountries: [],
      sipTransfers: false,
    })
    const asterisk = { sipHost: '0.0.0.0', sipPort: 5060, rtpFrom: 10_000, rtpTo: 20_000, ariPort: 8088 }
    expect(config?.asterisk).toEqual(asterisk)
  })

  test('with several mistakes has one message for each, in the order of the file', () => {
    const text = [
      'numbers:',
      '  "+4511": { flow: 7 }',
      'trunks:',
      '  carrier: { host: 127.0.0.256, port: 99999 }',
      'teams:',
      '  sales: { titel: Sales, agents: [bem, 5, 6], ringTimeout: 15 }',
      'agents:',
      '  ben: { phone: { host: 10.0.0.1, port: "5060" } }',
      'recordings: true',
    ].join('\n')
    expect(problemsOf(text).map((problem) => problem.split(' ')[0])).toEqual([
      '2:20',
      '4:20',
      '4:39',
      '6:12',
      '6:35',
      '6:40',
      '6:43',
      '6:60',
      '8:41',
      '9:1',
    ])
  })

  test('never causes an exception', () => {
    const keys = ['numbers', 'trunks', 'teams', 'agents', 'env', 'allowedHosts', 'sms', 'asterisk', 'phone', 'host']
    const { tree } = fastCheck.letrec((tie) => ({
      leaf: fastCheck.oneof(fastCheck.constantFrom(null, true, 5060, -1, '', 'anna', '15s'), fastCheck.string()),
      map: fastCheck.dictionary(fastCheck.constantFrom(...keys, 'anna', '"', '__proto__'), tie('tree'), { maxKeys: 4 }),
      list: fastCheck.array(tie('tree'), { maxLength: 3 }),
      tree: fastCheck.oneof({ maxDepth: 4 }, tie('leaf'), tie('map'), tie('list')),
    }))
    fastCheck.assert(
      fastCheck.property(tree, (value) => {
        const { installation: config, problems } = readConfig('s.yaml', JSON.stringify(value), {
          flows: [],
          hasEnv: () => false,
        })
        expect(config === undefined).toBe(problems.some((problem) => problem.severity === 'error'))
      }),
      { seed: 1, numRuns: 300 },
    )
    fastCheck.assert(
      fastCheck.property(fastCheck.string(), (text) => void readConfig('s.yaml', text)),
      { seed: 1, numRuns: 300 },
    )
  })
})

const ANNA = 'agents: { anna: { phone: { host: 10.0.0.1 } } }\nteams: { sales: { agents: [anna] } }\n'

/** The text, and its one problem. */
const MISTAKES: readonly (readonly [string, string, string])[] = [
  ['nothing', '', '1:1 error the file is empty; start with the numbers that people call'],
  ['a list', '- 1', '1:1 error the file must be a map with keys such as numbers, teams and agents, not a list'],
  ['broken YAML', 'env: {', '1:6 error the { that begins here is not closed; add }'],
  ['a key twice', 'env: {}\nenv: {}', '2:1 error "env" is already used above; rename it, or remove one'],
  [
    'a second document',
    'env: {}\n---\nsms: {}',
    '2:1 error a file holds one configuration; remove everything from the second --- on',
  ],
  [
    'more keys than people write',
    `env: { ${Array.from({ length: 30_000 }, (_, place) => `a${place}`).join(', ')} }`,
    '1:1 error more than 10000 keys or entries; split the configuration',
  ],
  [
    'a required key without anything',
    'trunks: { a: { host: } }',
    '1:22 error trunks.a.host is empty; write an IP address or a host name',
  ],
  [
    'a text that YAML takes for a number',
    'trunks: { a: { host: b.example, username: 0047, passwordFrom: A } }',
    '1:43 error trunks.a.username must be the user name at the carrier, not 0047 (a number); ' +
      'put it in quotes: "0047"',
  ],
  [
    'a mailbox that is no address',
    'mail: { mailboxes: { help: { address: help }}, intake: { port: 2424 } }',
    '1:39 error mail.mailboxes.help.address must be an email address such as help@example.com, not "help"',
  ],
  [
    'an address that two mailboxes have',
    'mail: { mailboxes: { a: { address: X@y.example }, b: { address: x@y.example } }, intake: { port: 2424 } }',
    '1:65 error mailbox a has x@y.example too; remove one',
  ],
  [
    'a queue that is not there',
    `${ANNA}mail: { mailboxes: { a: { address: x@y.example, queue: salas } }, intake: { port: 2424 } }`,
    '3:56 error there is no team "salas"; did you mean "sales"?',
  ],
  [
    'a password of a mail server',
    'mail: { mailboxes: {}, outbound: { host: b.example, password: x } }',
    '1:53 error this file must not contain passwords; set an environment variable and write ' +
      'passwordFrom: ITS_NAME',
  ],
  [
    'half of what a mail server asks for',
    'mail: { mailboxes: {}, outbound: { host: b.example, username: x } }',
    '1:53 error mail.outbound has username without passwordFrom; add it',
  ],
  [
    'a mailbox that nothing comes to',
    'mail: { mailboxes: { a: { address: x@y.example } } }',
    '1:22 warn  mailbox a receives no email; add imap to it, or add mail.intake',
  ],
  ['an unknown key', 'nunbers: {}', '1:1 error unknown key "nunbers"; did you mean "numbers"?'],
  [
    'a key that resembles none',
    'asterisk: { zebra: 1 }',
    '1:13 error unknown key "zebra"; known here: sipHost, sipPort, rtp, ariPort',
  ],
  ['a key without anything', 'teams:', '1:7 error teams is empty; write a map of keys and values, or remove it'],
  [
    'a number without quotes',
    'numbers: { +4570001000: { flow: a } }',
    '1:12 error number +4570001000 is written without quotes; YAML reads it as 4570001000; write "+4570001000"',
  ],
  [
    'a number without quotes that lost nothing',
    'numbers: { 70001000: { flow: a } }',
    '1:12 error number 70001000 is written without quotes; write "70001000"',
  ],
  [
    'a number with blanks',
    'numbers: { "+45 7000": { flow: a } }',
    '1:12 error "+45 7000" does not fit here; write a telephone number in quotes, such as "+4570001000"',
  ],
  [
    'a flow that does not exist',
    'numbers: { "+4511": { flow: debtor } }',
    '1:29 error there is no flow "debtor"; did you mean "debtors"?',
  ],
  [
    'a number without a flow',
    'numbers: { "+4511": { language: en } }',
    '1:12 error numbers.+4511 has no flow; add it: the name of the flow that answers ' +
      '(lower-case letters, digits and dashes, starting with a letter)',
  ],
  [
    'a name in capitals',
    'teams: { Sales: { agents: [] } }',
    '1:10 error "Sales" does not fit here; write the name of a team ' +
      '(lower-case letters, digits and dashes, starting with a letter)',
  ],
  [
    'a mistyped address',
    'trunks: { a: { host: 127.0.0.256 } }',
    '1:22 error trunks.a.host must be an IP address or a host name, not "127.0.0.256"',
  ],
  [
    'a trunk without a line',
    'trunks: { a: { host: b.example, lines: 0 } }',
    '1:40 error trunks.a.lines must be the most numbers dialed at once, 1 to 1000, not 0 (a number)',
  ],
  [
    'more calls in a second than any carrier takes',
    'trunks: { a: { host: b.example, callsPerSecond: 500 } }',
    '1:49 error trunks.a.callsPerSecond must be the most numbers dialed per second, 1 to 200, not 500 (a number)',
  ],
  [
    'a caller id that is no whole number',
    'trunks: { a: { host: b.example, callerIds: ["70001000"] } }',
    '1:45 error trunks.a.callerIds.0 must be a number of yours in quotes, such as "+4570001000", not "70001000"',
  ],
  [
    'a caller id twice',
    'trunks: { a: { host: b.example, callerIds: ["+4570001000", "+4570001000"] } }',
    '1:60 error +4570001000 is in the list twice; remove one',
  ],
  [
    'a port that is none',
    'trunks: { a: { host: b.example, port: 0 } }',
    '1:39 error trunks.a.port must be the SIP port of the carrier, 1 to 65535, not 0 (a number)',
  ],
  [
    'a password',
    'trunks: { a: { host: b.example, username: u, password: hunter2 } }',
    '1:46 error this file must not contain passwords; set an environment variable and write ' +
      'passwordFrom: ITS_NAME',
  ],
  [
    'a password where its variable should stand',
    'trunks: { a: { host: b.example, username: u, passwordFrom: hunter2 } }',
    '1:60 error trunks.a.passwordFrom must be the name of an environment variable that holds the password, in capitals',
  ],
  [
    'half a registration',
    'trunks: { a: { host: b.example, username: u } }',
    '1:33 error trunk a has username without passwordFrom; add it',
  ],
  [
    'an unknown agent in a team',
    `${ANNA.replace('[anna]', '[anna, ana]')}`,
    '2:34 error there is no agent "ana"; did you mean "anna"?',
  ],
  [
    'an agent twice in a team',
    `${ANNA.replace('[anna]', '[anna, anna]')}`,
    '2:34 error agent anna is in the team twice; remove one',
  ],
  [
    'an agent in no team',
    `${ANNA}`.replace('[anna]', '[ben]').replace('{ anna', '{ ben: { phone: { host: 10.0.0.2 } }, anna'),
    '1:47 warn  agent anna is in no team and gets no calls; add anna to the agents of a team',
  ],
  [
    'a team without agents',
    'teams: { sales: { agents: [] } }',
    '1:27 warn  team sales has no agents: its callers are turned away; add an agent',
  ],
  [
    'a duration without a unit',
    ANNA.replace('[anna]', '[anna], ringTimeout: 15'),
    '2:48 error teams.sales.ringTimeout must be a duration from 1s to 5m, such as 15s, not 15 (a number)',
  ],
  [
    'a phone of two kinds',
    ANNA.replace('10.0.0.1', '10.0.0.1, username: anna'),
    '1:19 error the phone of anna has both a registration and an address; write {username, passwordFrom} for a ' +
      'phone that registers, {host, port} for one at a fixed address, {browser: true} for the browser',
  ],
  [
    'a phone without its password',
    ANNA.replace('host: 10.0.0.1', 'username: anna'),
    '1:19 error the phone of anna has no passwordFrom; add it',
  ],
  [
    'two agents with one username',
    'agents:\n  a: { phone: { username: x, passwordFrom: A } }\n  b: { phone: { username: x, passwordFrom: B } }\n' +
      'teams: { sales: { agents: [a, b] } }',
    '3:27 error agents a and b share the username x; give each agent their own',
  ],
  [
    'a host that has a path',
    'allowedHosts: ["127.0.0.1:80", "http://a/"]',
    '1:32 error allowedHosts.1 must be host or host:port, in quotes, not "http://a/"',
  ],
  [
    'Flite for another language than English',
    'voices: { et: { engine: flite } }',
    '1:25 error Flite speaks English only; take espeak or http for "et"',
  ],
  [
    'a voice that Flite does not have',
    'voices: { en-GB: { engine: flite, voice: slr } }',
    '1:42 error Flite has no voice "slr"; did you mean "slt"?',
  ],
  [
    'an engine that does not exist',
    'voices: { en: { engine: festival } }',
    '1:25 error voices.en.engine must be espeak, flite, or http for the server of SPEECH_URL, not "festival"',
  ],
  [
    'a voice of no language',
    'voices: { English: { engine: espeak } }',
    '1:11 error "English" does not fit here; write a language such as en or en-GB',
  ],
  [
    'an SMS gateway that is told no text',
    'sms: { url: "https://a", body: { to: "{to}" } }',
    '1:26 error sms.body does not contain {text}; add it, because the gateway needs it',
  ],
  [
    'a SIP port among the RTP ports',
    'asterisk: { sipPort: 15060 }',
    '1:22 error sipPort 15060 lies within rtp 10000-20000; choose a port outside that range',
  ],
  [
    'one port for SIP and ARI',
    'asterisk: { ariPort: 5060 }',
    '1:22 error sipPort and ariPort are both 5060; choose another ariPort',
  ],
  [
    'a range of ports that runs backwards',
    'asterisk: { rtp: 20000-10000 }',
    '1:18 error asterisk.rtp must be a range of ports such as 10000-20000, not "20000-10000"',
  ],
  [
    'a variable that is not set',
    'env: { integrator: NOT_SET }',
    '1:20 warn  the environment variable NOT_SET is not set; set it before you start the service',
  ],
]

describe('one mistake gives one message with its place and its remedy:', () => {
  test.each(MISTAKES)('%s', (_what, text, problem) => {
    const known = { flows: ['debtors', 'a'], hasEnv: (name: string) => name !== 'NOT_SET' }
    expect(problemsOf(text, known)).toEqual([problem])
  })
})
