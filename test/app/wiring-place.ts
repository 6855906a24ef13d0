/** The service as `npm start` runs it, on simulated phones, and the servers that it works with. */
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../../asterisk/ports.ts'
import { sendJson, serve } from '../../demo/servers/web-server.ts'
import { type OpenDatabase, openDatabaseFor } from '../../src/app/repositories.ts'
import { readSettings } from '../../src/app/settings.ts'
import type { RealClock } from '../../src/kernel/clock.ts'
import { silentLog } from '../../src/kernel/log.ts'
import { mailServer } from '../adapters/mail/mail-server.ts'
import { joined, tone, writeRecording } from '../adapters/recordings/call-audio.ts'
import { startReceiver } from '../e2e/campaign-live.ts'
import { CALLER_ID, TEAM } from '../e2e/campaign-place.ts'
import { callOf } from '../rest/dialer/dialer-world.ts'
import { HELP, OURS } from '../store/mail/mail-world.ts'
import { startServiceProcess } from './service-process.ts'

const DAY_MS = 24 * 3_600_000

/** The transcript that the service returns for every recording. */
export const HEARD = 'Jeg betaler den 3. maj.'
/** The summary that the service returns for every call. */
export const SUMMARY = 'Kunden betaler den 3. maj.'
/** The number of a person who will be erased. */
export const ERASED = '+4520123499'
/** The user of the audit intent. */
export const DEAD_PROCESS = 'a process that died'

/** A recording that no row knows. */
export const ORPHAN = 'nobodys.wav'

function leaveOrphan(file: string, nowMs: number): void {
  writeFileSync(file, 'RIFF')
  const seconds = (nowMs - 9 * DAY_MS) / 1_000
  utimesSync(file, seconds, seconds)
}

/** Starts those servers, writes what an earlier service left in the database, and starts the service. */
export async function openWiringPlace(clock: RealClock) {
  const directory = mkdtempSync(join(tmpdir(), 'switchboard-wiring-'))
  // As root, the database runs under another user, who needs access.
  chmodSync(directory, 0o755)
  const [receiver, speech, elsewhere, imap] = [
    ...[await startReceiver(clock), await serve(answerSpeech), await mailServer(), await imapServer()],
  ] as const
  const [http, sso, lmtp] = [await freeTcp(), await freeTcp(), await freeTcp()]
  const configFile = join(directory, 'switchboard.yaml')
  const flowsDir = join(directory, 'flows')
  mkdirSync(flowsDir)
  writeFileSync(
    configFile,
    configOf({ receiver: new URL(receiver.url).host, out: elsewhere.port, imap: imap.port, lmtp }),
  )
  const dataDir = join(directory, 'data')
  const env = {
    DATA_DIR: dataDir,
    SETUP_FILE: configFile,
    FLOWS_DIR: flowsDir,
    PBX: 'simulated',
    ENVIRONMENT: 'development',
    HTTP_PORT: String(http),
    SSO_PORT: String(sso),
    SMTP_PASSWORD: 'secret',
    IMAP_PASSWORD: 'secret',
    TRANSCRIBE_URL: `${speech.url}/v1`,
    SUMMARISE_URL: `${speech.url}/v1`,
    SUMMARISE_MODEL: 'any',
    RETENTION_RECORDING_DAYS: '1',
    RETENTION_CASE_DAYS: '2',
    RETENTION_CONTACT_DAYS: '4',
  }
  const { settings } = readSettings(env)
  if (!settings) throw new Error('the settings of the test are wrong')
  const opened = await openDatabaseFor(settings, { clock, log: silentLog, onLine: () => {} })
  if (!opened.ok) throw new Error(`${opened.why}; ${opened.remedy}`)
  const recordings = join(dataDir, 'recordings')
  const left = await leaveBehind(opened, recordings, clock.nowMs())
  leaveOrphan(join(recordings, ORPHAN), clock.nowMs())
  const journal = leaveJournal(join(dataDir, 'journal'), clock.nowMs())
  const service = startServiceProcess(env)
  await service.ready
  return {
    opened,
    env,
    receiver,
    elsewhere,
    imap,
    lmtp,
    ...left,
    ssoUrl: `http://127.0.0.1:${sso}`,
    url: `http://127.0.0.1:${http}`,
    isKept: (file: string) => existsSync(join(recordings, file)),
    journal: () => readFileSync(journal, 'utf8'),
    async close() {
      await service.stop()
      await opened.database.close()
      await Promise.all([receiver.close(), speech.close(), elsewhere.close(), imap.close()])
      rmSync(directory, { recursive: true, force: true })
    },
  }
}

interface Outside {
  readonly receiver: string
  readonly out: number
  readonly imap: number
  readonly lmtp: number
}

function configOf({ receiver, out, imap, lmtp }: Outside): string {
  const account = `{ host: 127.0.0.1, port: ${imap}, tls: none, username: us, passwordFrom: IMAP_PASSWORD, every: 30s }`
  return `
trunks: { carrier: { host: 127.0.0.81, callerIds: ["${CALLER_ID}"] } }
teams: { ${TEAM}: { title: Campaign, agents: [anna] } }
agents: { anna: { phone: { host: 127.0.0.101 } } }
allowedHosts: ["${receiver}"]
mail:
  mailboxes: { help: { address: ${HELP}, title: Help, queue: ${TEAM}, opensCases: true, imap: ${account} } }
  intake: { protocol: lmtp, port: ${lmtp} }
  outbound: { host: 127.0.0.1, port: ${out}, tls: none, username: us, passwordFrom: SMTP_PASSWORD }
`
}

/** A call without a transcript, an expired recording and conversation, and a change whose process died. */
async function leaveBehind({ dialerRepository, database }: OpenDatabase, folder: string, nowMs: number) {
  mkdirSync(folder, { recursive: true })
  const call = async (name: string, endedAtMs: number) => {
    const file = `${name}.wav`
    writeRecording(join(folder, file), joined(tone(400, 300), tone(600, 0)), joined(tone(500, 0), tone(500, 700)))
    const recordings = [{ file, startedAtMs: endedAtMs - 9_000, endedAtMs, state: 'ready' as const }]
    const finished = await dialerRepository.finishCall(callOf(name, endedAtMs, { recordings }))
    if (finished.outcome === 'refused') throw new Error(finished.why)
    return finished.activity
  }
  const entry = {
    atMs: nowMs,
    credential: DEAD_PROCESS,
    user: null,
    action: 'change',
    object: 'cases',
    ids: [],
    count: 1,
    operation: 'POST /rest/svcems/case',
    reason: null,
    address: '',
    traceId: '',
  }
  const text = 'insert into audit_intents (corporation_ids, entry, due_at_ms) values ($1, $2, $3)'
  await database.pools.jobs.query(text, [[OURS], JSON.stringify(entry), nowMs])
  const activity = `insert into activities (corporation_id, kind, subject, created_at_ms, updated_at_ms)
    values ($1, 'conversation', 'Old', $2, $2) returning id`
  const { rows } = await database.pools.jobs.query(activity, [OURS, nowMs - 3 * DAY_MS])
  const contact = `insert into entities (corporation_id, kind, name, created_at_ms, updated_at_ms)
    values ($1, 'private', $2, $3, $3)`
  await database.pools.jobs.query(contact, [OURS, 'Old Contact', nowMs - 5 * DAY_MS])
  await database.pools.jobs.query(contact, [OURS, 'Young Contact', nowMs - 3 * DAY_MS])
  const [recentCall, oldCall] = [await call('recent', nowMs), await call('old', nowMs - 2 * DAY_MS)]
  return { recentCall, oldCall, oldConversation: rows[0].id as number }
}

/** A call of an hour ago, by whoever is erased later. */
function leaveJournal(folder: string, nowMs: number): string {
  mkdirSync(folder, { recursive: true })
  const file = join(folder, `journal-${nowMs - 3_600_000}.jsonl`)
  const line = { atMs: nowMs, call: 'sb-call-gone', kind: 'note', by: 'call', what: { type: 'noted', caller: ERASED } }
  writeFileSync(file, `${JSON.stringify(line)}\n`)
  return file
}

/** A transcription service and a summary service in one. */
async function answerSpeech(request: IncomingMessage, response: ServerResponse): Promise<void> {
  for await (const _ of request);
  if (request.url?.endsWith('/transcriptions')) {
    const segments = [{ start: 0.1, end: 0.4, text: HEARD }]
    sendJson(response, 200, { task: 'transcribe', language: 'danish', text: HEARD, segments })
  } else sendJson(response, 200, { choices: [{ message: { content: SUMMARY } }] })
}

/** A mail server that rejects every client and counts the connections. */
async function imapServer() {
  let visits = 0
  const server = createServer((socket) => {
    visits++
    socket.on('error', () => {})
    socket.end('* BYE not today\r\n')
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const { port } = server.address() as { port: number }
  return {
    port,
    get visits() {
      return visits
    },
    close: () => new Promise<void>((closed) => server.close(() => closed())),
  }
}

function freeTcp(): Promise<number> {
  return freePort('tcp', '127.0.0.1')
}
