/** The plan of the house: its rooms, their areas, and the arrows between them. The rules hold it. */
import type { Arrows } from './imports.ts'

/** Room → rooms it may import besides itself. The graph has no circle. */
export const MAY_IMPORT: Arrows = {
  kernel: [],
  ports: ['kernel'],
  acd: ['kernel', 'ports'],
  flow: ['kernel', 'ports'],
  cases: ['kernel', 'ports'],
  webhooks: ['kernel', 'ports'],
  // Sound in, facts out.
  listening: ['kernel'],
  ari: ['kernel', 'ports', 'listening'],
  live: ['kernel', 'ports'],
  sim: ['kernel', 'ports'],
  'mail-format': ['kernel', 'ports'],
  dialer: ['kernel', 'ports', 'acd'],
  // The configuration names staff, and the gateway of the port for text messages.
  installation: ['kernel', 'ports', 'acd'],
  // Runs the dialer's own rules on days of virtual time.
  'pacing-sim': ['kernel', 'ports', 'acd', 'dialer'],
  // The rules of cases run within the transaction that locks the case: they cannot be checked elsewhere.
  store: ['kernel', 'ports', 'cases'],
  adapters: ['kernel', 'ports', 'mail-format'],
  engine: ['kernel', 'ports', 'acd', 'flow', 'dialer', 'installation'],
  // The journal of a call in plain words, for the command line and for screens.
  'call-words': ['kernel', 'ports', 'acd', 'dialer', 'flow', 'engine'],
  // Plays flows with the runner and the journal of production.
  'flow-test': ['kernel', 'ports', 'flow', 'engine'],
  // Texts of flows become the flows that the engine runs, and are tested in a thread.
  publishing: ['kernel', 'ports', 'adapters', 'flow', 'engine', 'flow-test'],
  // Forecasts are simulated days.
  core: ['kernel', 'ports', 'dialer', 'webhooks', 'pacing-sim'],
  rest: ['kernel', 'ports', 'acd', 'dialer', 'mail-format', 'webhooks', 'core', 'call-words'],
  // Stands alone: pure parts only, and the signatures of webhooks, which both sides must compute alike.
  client: ['kernel', 'webhooks'],
  // Runs in browsers: of the node it knows the typed client alone. The phone is run like the machines of the node.
  console: ['kernel', 'client'],
  // Wires everything.
  app: ['*'],
  cli: ['*'],
  main: ['*'],
  // Plays tests of flows by phone: a whole service, with the phones and servers of the demo.
  'phone-test': ['*'],
  '/demo': ['*'],
  // The kit at the top level installs and configures Asterisk; it runs without the service.
  '/asterisk': ['kernel', 'installation'],
  '/bench': ['*'],
  '/scripts': ['*'],
  '/test': ['*'],
}

/** What every page of the console may use. */
const CONSOLE_BASE = ['shell', 'look', 'session', 'texts']
const BELOW_LOOP = ['.', 'campaigns', 'outbound']

/** Room → area of it → areas of the same room that it may import. `.` is the room's own folder. */
export const AREAS_MAY_IMPORT: Readonly<Record<string, Arrows>> = {
  engine: {
    '.': [],
    campaigns: ['.'],
    outbound: ['.', 'campaigns'],
    inbound: BELOW_LOOP,
    agents: BELOW_LOOP,
    recovery: BELOW_LOOP,
    loop: [...BELOW_LOOP, 'inbound', 'agents', 'recovery'],
  },
  flow: {
    model: [],
    read: ['model'],
    show: ['model'],
    steps: ['model'],
    run: ['model', 'steps'],
  },
  rest: {
    // The server and the list of all routes.
    '.': ['*'],
    http: [],
    // The document describes events as webhooks send them.
    openapi: ['http', 'webhooks'],
    // Whether a user is an agent.
    access: ['http', 'agents'],
    admin: ['http'],
    // How WebSockets are opened.
    sockets: ['http'],
    agents: ['http', 'sockets'],
    // The result codes of an attempt.
    calls: ['http', 'dialer'],
    // A recording as a file.
    cases: ['http', 'calls'],
    // The default country of a number.
    contacts: ['http', 'dialer'],
    dialer: ['http'],
    // What agents and boards are shown, in the same words.
    stream: ['http', 'sockets', 'agents', 'dialer'],
    flows: ['http'],
    mail: ['http'],
    webhooks: ['http'],
  },
  console: {
    // The live stream; its ticket comes with the session.
    stream: ['session'],
    // Starts it, and lists its pages.
    '.': ['*'],
    texts: [],
    session: [],
    phone: [],
    look: ['texts'],
    shell: ['look', 'session', 'texts'],
    // Each page is an area, which knows no other page.
    login: CONSOLE_BASE,
    calls: CONSOLE_BASE,
    desk: [...CONSOLE_BASE, 'stream', 'phone'],
    // The beep of the phone is chosen there.
    me: [...CONSOLE_BASE, 'phone'],
    board: [...CONSOLE_BASE, 'stream'],
  },
  store: {
    db: ['db/migrations'],
    'db/migrations': [],
    access: ['db'],
    // The fields of call tasks that an erasure clears, and what a legal hold of a case reaches.
    admin: ['db', 'dialer', 'cases'],
    // The events of summaries and calls.
    calls: ['db', 'webhooks'],
    nodes: ['db'],
    // The contacts of an import, and the one that a call is listed under.
    dialer: ['db', 'webhooks', 'contacts', 'limits', 'outcomes', 'by-hand'],
    // Numbers that agents type.
    'by-hand': ['db'],
    outcomes: ['db'],
    // What is sent and dialed within a day.
    limits: ['db'],
    cases: ['db'],
    contacts: ['db'],
    // Email is an activity of a case.
    mail: ['db', 'cases'],
    webhooks: ['db'],
  },
}

/** Imports that close circles; it stays empty. */
export const KNOWN_CIRCLES: readonly string[] = []

/**
 * Where the program starts: service, command line, console, the agent's phone in it, and each file of the client, which
 * stands by itself.
 */
export function isStart(path: string): boolean {
  const programs = ['src/main.ts', 'src/cli/switchboard.ts', 'src/console/main.tsx', 'src/console/phone/phone.ts']
  return programs.includes(path) || path.startsWith('src/client/')
}
