/** The installation that the black-box suite meets: what an operator would have written, one part per test file. */
import { readFileSync } from 'node:fs'
import { talkative } from '../../worlds/set-up.ts'

/** One test file's share: nobody else uses these numbers, phones and ports. */
export interface Room {
  readonly agents: readonly string[]
  /** Our number → flow. */
  readonly numbers: Readonly<Record<string, string>>
  /** The number that callees see. */
  readonly callerId: string
  /** The carrier's address. */
  readonly carrierHost: string
}

/** Name of the room = name of its team and its trunk. */
export const ROOMS = {
  tasks: { agents: ['theo'], numbers: {}, callerId: '+4570001000', carrierHost: '127.0.0.80' },
  dialing: {
    agents: ['dora', 'dan'],
    numbers: {},
    callerId: '+4570002000',
    carrierHost: '127.0.0.81',
  },
  events: {
    agents: ['eva', 'eli'],
    numbers: { '+4570003001': '{ flow: to-events, language: en, recording: { mode: always, transcribe: false } }' },
    callerId: '+4570003000',
    carrierHost: '127.0.0.82',
  },
  flows: {
    agents: ['fie', 'finn'],
    numbers: {
      '+4570004001': '{ flow: debtor-self-service, language: en, externalSystem: FLOWS }',
      '+4570004002': '{ flow: free-names, language: en }',
      '+4570004003': '{ flow: own-lookup, language: en, externalSystem: FLOWS-3 }',
      '+4570004004': '{ flow: own-lookup, language: en, externalSystem: FLOWS-4 }',
    },
    callerId: '+4570004000',
    carrierHost: '127.0.0.83',
  },
  filters: { agents: ['frida'], numbers: {}, callerId: '+4570006000', carrierHost: '127.0.0.85' },
  popups: {
    agents: ['pia'],
    numbers: {
      '+4570005001': '{ flow: ask-case, language: en, externalSystem: POPUPS }',
      '+4570005002': '{ flow: to-popups, language: en }',
    },
    callerId: '+4570005000',
    carrierHost: '127.0.0.84',
  },
  transcripts: {
    agents: ['tia'],
    numbers: {
      '+4570031001': '{ flow: to-transcripts, language: en, recording: { mode: always } }',
      '+4570031002': '{ flow: to-transcripts-twice, language: en, recording: { mode: always } }',
    },
    callerId: '+4570031000',
    carrierHost: '127.0.0.91',
  },
  records: { agents: ['rosa', 'rolf', 'ruth'], numbers: {}, callerId: '+4570019000', carrierHost: '127.0.0.99' },
  search: { agents: ['sara'], numbers: {}, callerId: '+4570011000', carrierHost: '127.0.0.92' },
  codes: { agents: ['cora'], numbers: {}, callerId: '+4570012000', carrierHost: '127.0.0.93' },
} satisfies Readonly<Record<string, Room>>

export type RoomName = keyof typeof ROOMS

/** A flow of one step: callers wait for the team of the room. */
const straightTo = (room: RoomName) => `flow: to-${room}
start: team
steps:
  team: { queue: { team: ${room}, timeout: 1m }, next: bye, on: { timeout: bye, full: bye, closed: bye } }
  bye: { hangup: {} }
`

/** Flows beside the shipped ones. */
export const FLOWS: Readonly<Record<string, string>> = {
  // The contract's example answer has no number on file: the text goes to whoever types the case.
  'debtor-self-service': talkative(shippedFlow('debtor-self-service')),
  'to-events': straightTo('events'),
  'to-transcripts': straightTo('transcripts'),
  'to-transcripts-twice': `flow: to-transcripts-twice
start: team
steps:
  team: { queue: { team: transcripts, timeout: 1m }, next: again, on: { timeout: bye, full: bye, closed: bye } }
  again: { queue: { team: transcripts, timeout: 1m }, next: bye, on: { timeout: bye, full: bye, closed: bye } }
  bye: { hangup: {} }
`,
  'free-names': `flow: free-names
start: ask
steps:
  ask:
    gather: { prompt: "Number, please.", digits: { min: 4, max: 4 } }
    as: number
    next: look
    on: { failed: bye }
  look:
    http: { get: "\${env.integrator}/CaseInfo/\${number}", auth: "\${secret.caseInfo}", expect: { required: [state] } }
    as: matter
    next: triage
    on: { failed: bye }
  triage:
    branch:
      in: matter
      cases:
        - { when: "$[?(@.state.closedOn == null)]", next: text }
        - { when: "$[?(@.state.closedOn != null)]", next: voice }
      else: bye
  text:
    sms: { text: "\${matter.who['full name']} owes \${matter.sums[1].open | money EUR} at \${$.matter.link}" }
    next: bye
    on: { failed: bye }
  voice: { play: ["\${matter.who['full name']} paid", { digits: "\${matter.sums[1].reference}" }], next: bye }
  bye: { hangup: {} }
`,
  'own-lookup': `flow: own-lookup
start: ask
steps:
  ask:
    gather: { prompt: "Number, please.", digits: { min: 4, max: 4 } }
    as: number
    next: look
    on: { failed: bye }
  look: { http: { lookup: "\${number}" }, as: matter, next: bye, on: { failed: bye } }
  bye: { hangup: {} }
`,
  'to-popups': straightTo('popups'),
  'ask-case': `flow: ask-case
start: ask
activity: { systemLookupCode: "\${caseNumber}" }
steps:
  ask:
    gather: { prompt: "Your case number, please.", digits: { min: 4, max: 4 } }
    as: caseNumber
    next: team
    on: { noInput: team }
  team:
    queue: { team: popups, popup: "\${caseNumber}", timeout: 1m }
    next: bye
    on: { timeout: bye, full: bye, closed: bye }
  bye: { hangup: {} }
`,
}

/** Ports and addresses of one start. */
export interface PlacePorts {
  readonly sip: number
  readonly ari: number
  /** Of each carrier, at its own address. */
  readonly carrier: Readonly<Record<RoomName, number>>
  /** Of every agent's phone, at its own address. */
  readonly phone: number
  readonly imap: number
  readonly intake: number
  readonly outbound: number
  /** Loopback servers of the tests which the service may call. */
  readonly peers: Readonly<Record<PeerName, number>>
}

/** Servers of the outside world: a test file that needs one opens it at its port. */
export const PEERS = ['receiver', 'events', 'integrator', 'twilio', 'transcripts'] as const
export type PeerName = (typeof PEERS)[number]

/** Our mailbox. */
export const MAILBOX = 'help@switchboard.example'

/** Every agent with the address of the phone. */
export function phoneHosts(): ReadonlyMap<string, string> {
  const names = Object.values(ROOMS).flatMap(({ agents }) => agents)
  return new Map(names.map((name, index) => [name, `127.0.0.${111 + index}`]))
}

/** `switchboard.yaml`. */
export function setupFile(ports: PlacePorts): string {
  const rooms = Object.entries(ROOMS) as [RoomName, Room][]
  const list = (words: readonly string[]) => words.map((word) => `"${word}"`).join(', ')
  return [
    'numbers:',
    ...rooms.flatMap(([, { numbers }]) => Object.entries(numbers).map(([number, how]) => `  "${number}": ${how}`)),
    'trunks:',
    ...rooms.map(([name, { carrierHost: host, callerId }]) => {
      const port = ports.carrier[name]
      return `  ${name}: { host: ${host}, port: ${port}, callerIds: ["${callerId}"], lines: 20, callsPerSecond: 20 }`
    }),
    'teams:',
    ...rooms.map(([name, { agents }]) => `  ${name}: { title: ${name}, agents: [${list(agents)}] }`),
    '  collections: { title: Collections, agents: [fie] }',
    '  collections-consumer: { title: Consumer cases, agents: [fie] }',
    '  collections-business: { title: Business cases, agents: [finn] }',
    'agents:',
    ...[...phoneHosts()].map(([name, host]) => `  ${name}: { phone: { host: ${host}, port: ${ports.phone} } }`),
    'env: { integrator: INTEGRATOR_URL }',
    'secrets: { caseInfo: CASE_INFO_TOKEN }',
    `allowedHosts: [${list(Object.values(ports.peers).map((port) => `127.0.0.1:${port}`))}]`,
    'mail:',
    '  mailboxes:',
    `    help: { address: ${MAILBOX}, title: Help, queue: tasks, opensCases: true, imap: {`,
    `      host: 127.0.0.1, port: ${ports.imap}, tls: none, username: help, passwordFrom: MAIL_PASSWORD, every: 5s } }`,
    `  intake: { protocol: smtp, host: 127.0.0.1, port: ${ports.intake} }`,
    `  outbound: { host: 127.0.0.1, port: ${ports.outbound}, tls: none, username: help, passwordFrom: MAIL_PASSWORD }`,
    `asterisk: { sipHost: 127.0.0.1, sipPort: ${ports.sip}, rtp: 20000-25999, ariPort: ${ports.ari} }`,
    '',
  ].join('\n')
}

function shippedFlow(name: string): string {
  return readFileSync(new URL(`../../../flows/${name}.yaml`, import.meta.url), 'utf8')
}
