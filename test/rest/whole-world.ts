/** Every section of REST on one database, and corporations that have something of everything. */
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { tracePlaces } from '../../src/adapters/files/erase-files.ts'
import { openFileStore } from '../../src/adapters/files/file-store.ts'
import { keptBytes } from '../../src/adapters/files/stored-bytes.ts'
import { addressGuard, webhookUrls } from '../../src/adapters/http/address-guard.ts'
import { webOverUndici } from '../../src/adapters/http/http-client.ts'
import { peaksInFolder } from '../../src/adapters/recordings/recorded-peaks.ts'
import { sheetReader } from '../../src/adapters/sheets/sheet-reader.ts'
import { RealClock } from '../../src/kernel/clock.ts'
import type { AgentName, CampaignId, CorporationId, ExternalSystemId, TeamName } from '../../src/kernel/ids.ts'
import { silentLog } from '../../src/kernel/log.ts'
import type { AgentDesktop } from '../../src/ports/agent-desktop.ts'
import type { MailboxEntry } from '../../src/ports/mail.ts'
import type { CallSupervision } from '../../src/ports/supervision.ts'
import type { GuardedWeb, WebRequest } from '../../src/ports/web.ts'
import { nodeWorkshop } from '../../src/publishing/node-workshop.ts'
import { PublishedFlows } from '../../src/publishing/published-flows.ts'
import { sessionRoutes } from '../../src/rest/access/session.ts'
import { tokenRoutes } from '../../src/rest/access/tokens.ts'
import { userRoutes } from '../../src/rest/access/users.ts'
import { AgentTickets } from '../../src/rest/agents/agent-tickets.ts'
import { systemRoutes } from '../../src/rest/dialer/external-systems.ts'
import type { CredentialValues } from '../../src/rest/http/credential-values.ts'
import type { RestDependencies } from '../../src/rest/http/dependencies.ts'
import { type Route, SCOPES } from '../../src/rest/http/route.ts'
import { sectionRoutes } from '../../src/rest/routes.ts'
import { StreamTickets } from '../../src/rest/stream/stream-ticket.ts'
import { postgresCallJobs } from '../../src/store/calls/call-jobs.ts'
import { postgresCallList } from '../../src/store/calls/call-list.ts'
import { postgresDeadLetters } from '../../src/store/calls/dead-letters.ts'
import { postgresFlowCanaries } from '../../src/store/calls/flow-canaries.ts'
import { postgresFlowEvents } from '../../src/store/calls/flow-events.ts'
import { postgresFlowRevisions } from '../../src/store/calls/flow-revisions.ts'
import { postgresFlowTraffic } from '../../src/store/calls/flow-traffic.ts'
import { postgresSummaries } from '../../src/store/calls/summaries.ts'
import { postgresTranscripts } from '../../src/store/calls/transcripts.ts'
import { postgresActivities } from '../../src/store/cases/activities.ts'
import { postgresCases } from '../../src/store/cases/cases.ts'
import { postgresFiles } from '../../src/store/cases/files.ts'
import { postgresEntities } from '../../src/store/contacts/contacts.ts'
import type { Pools } from '../../src/store/db/pools.ts'
import { inTransaction } from '../../src/store/db/transaction.ts'
import { postgresDialerAdmin } from '../../src/store/dialer/dialer-admin-repository.ts'
import { postgresDialerRepository } from '../../src/store/dialer/dialer-repository.ts'
import { openCaseOf } from '../../src/store/mail/mail-case.ts'
import { postgresMails } from '../../src/store/mail/mail-repository.ts'
import { postgresOutbox } from '../../src/store/webhooks/outbox.ts'
import { callOf, endOf, SETTINGS } from './dialer/dialer-world.ts'
import { quickForecaster } from './dialer/quick-forecaster.ts'
import { openRestWorld, type RestWorld } from './rest-world.ts'

/** A world with all operations of the node. */
export interface WholeWorld extends RestWorld {
  readonly routes: readonly Route[]
  /** The requests that would leave: webhook addresses are checked as in production, and nothing is sent. */
  readonly asked: readonly WebRequest[]
}

/** One id, or more, for each name of an id in the contract. */
export type Ids = Readonly<Record<string, string | number>>

/** A corporation of the world, with the ids of one object of each kind. */
export interface Tenant {
  readonly corporation: CorporationId
  readonly as: CredentialValues
  readonly ids: Ids
}

/** Opens it; `checksAnswers: false` makes faults look as in production; `other` replaces parts. */
export async function openWholeWorld(checksAnswers = true, other: Partial<RestDependencies> = {}): Promise<WholeWorld> {
  const recordingsDirectory = mkdtempSync(join(tmpdir(), 'switchboard-recordings-'))
  writeFileSync(join(recordingsDirectory, 'talk.wav'), 'sound')
  const fileStore = await openFileStore({
    directory: join(recordingsDirectory, 'files'),
    clock: new RealClock(),
    log: silentLog,
    secretBytes: randomBytes,
  })
  const sheets = sheetReader({ clock: new RealClock() })
  const asked: WebRequest[] = []
  const webhookWeb = silentWeb(asked)
  const sections = (dependencies: RestDependencies): Route[] =>
    sectionRoutes({ ...dependencies, ...ticketsOf(dependencies) })
  const world = await openRestWorld({
    routes: sections,
    parts: (pools) => ({
      dialerAdmin: postgresDialerAdmin(pools),
      dialerRepository: postgresDialerRepository(pools),
      recordingsDirectory,
      outbox: postgresOutbox(pools, 'development'),
      flowEvents: postgresFlowEvents(pools),
      ...flowsOf(pools),
      webhookWeb,
      agentDesktop: silentAgentDesktop(),
      supervision: noConversations(),
      summaries: postgresSummaries(pools),
      entities: postgresEntities(pools),
      cases: postgresCases(pools),
      keptBytes: keptBytes({
        recordingsDirectory,
        filesDirectory: join(recordingsDirectory, 'files'),
        quarantineDirectory: join(recordingsDirectory, 'quarantine'),
        fileStore,
        ...tracePlaces(recordingsDirectory),
      }),
      mails: postgresMails(pools),
      mailboxes: [1, 2, 3, 4].map(mailboxOf),
      files: postgresFiles(pools),
      fileStore,
      transcripts: postgresTranscripts(pools),
      callList: postgresCallList(pools),
      recordedPeaks: peaksInFolder(recordingsDirectory),
      deadLetters: postgresDeadLetters(pools),
      activities: postgresActivities(pools),
      sheets,
      forecaster: quickForecaster(),
      ...other,
    }),
    rest: { checksAnswers },
  })
  const parts = { ...world.parts, authenticator: world.rest.authenticator }
  const routes = [
    ...sessionRoutes(parts),
    ...tokenRoutes(parts),
    ...userRoutes(parts),
    ...systemRoutes(parts),
    ...sections(parts),
  ]
  const close = async () => {
    await world.close()
    await sheets.close()
    rmSync(recordingsDirectory, { recursive: true })
  }
  return { ...world, routes, asked, close }
}

function ticketsOf({ secretBytes }: RestDependencies) {
  return { tickets: new AgentTickets(secretBytes), streamTickets: new StreamTickets(secretBytes) }
}

/** Checks URLs by the rules of webhooks in production; sends nothing. */
function silentWeb(asked: WebRequest[]): GuardedWeb {
  const guard = addressGuard({ allowedHosts: [], rules: webhookUrls('production') })
  const web = webOverUndici({ clock: new RealClock(), guard, log: silentLog, connectTimeoutMs: 1 })
  return {
    judge: (url) => web.judge(url),
    request: (request, done) => {
      asked.push(request)
      done({ outcome: 'network', why: 'nobody is there' })
      return { cancel: () => {} }
    },
  }
}

function noConversations(): CallSupervision {
  const begin: CallSupervision['begin'] = async () => ({ ok: false, kind: 'notFound', why: 'nobody talks' })
  return { begin, end: async () => false, talks: () => [], shownTalks: () => [] }
}

function silentAgentDesktop(): AgentDesktop {
  return {
    order: async () => ({ ok: true }),
    attach: () => () => {},
    statuses: () => [{ agent: 'anna' as AgentName, state: 'ready', sinceAtMs: 0 }],
    listen: () => () => {},
    queues: () => [],
    isSpare: () => false,
    teamsOf: () => [],
    campaignsToDialIn: () => [],
  }
}

/** Lets all ids continue from here, each kind from a start of its own: no two ids are equal. */
export async function beginIdsAt({ pools }: WholeWorld, first: number): Promise<void> {
  const { rows } = await pools.jobs.query<{ name: string }>(
    `select sequencename as name from pg_sequences where schemaname = 'public' and sequencename <> 'fences' order by 1`,
  )
  for (const [place, { name }] of rows.entries()) {
    await pools.jobs.query('select setval($1::regclass, $2)', [name, first + place * 1_000])
  }
}

/** Gives a corporation something of everything; `tag` is in every text of it, and `place` in its numbers. */
export async function settle(world: WholeWorld, corporation: CorporationId, tag: string, place: number) {
  const as = await world.credential(SCOPES, [corporation])
  const ask = async (method: string, path: string, body?: unknown) => {
    const reply = await world.call(method, path, body, { as })
    if (reply.status >= 300) throw new Error(`${method} ${path} ${reply.status} ${reply.text}`)
    return reply.body
  }
  const number = (count: number) => `+4526${place}0${String(count).padStart(4, '0')}`
  const user = { userName: `user-${tag}`, name: tag, email: `${tag}@example.com`, phone: number(9_999) }
  const userId = await world.parts.directory.addUser({ ...user, corporation, roles: ['agent'] }, 0)
  const { rows } = await world.pools.jobs.query<{ id: number }>(
    'insert into teams (corporation_id, name, title) values ($1, $2, $2) returning id',
    [corporation, `team-${tag}`],
  )
  const ucquId = rows[0]?.id ?? 0
  const [systemCode, popupUrlTemplate] = [`SYS-${tag}`, `https://${tag}.example.com/case?no={$CODE}`]
  const { itsyId } = await ask('POST', '/core/externalsystems', { systemCode, name: tag, popupUrlTemplate })
  const { emprId } = await ask('POST', '/svcems/infofields', { name: `field-${tag}` })
  const references = { corporation: { corpId: corporation }, externalSystem: { itsyId }, queue: { ucquId } }
  const { callCode } = await ask('POST', '/dialer/callcode', { name: `campaign-${tag}`, ...references, ...SETTINGS })
  const { outcomeId } = await ask('POST', `/dialer/callcode/${callCode}/outcomes`, { name: `outcome-${tag}` })
  const hook = { url: `https://${tag}.example.com/hook`, events: ['phone-call.ended'], description: tag }
  const { webhookId } = await ask('POST', '/core/webhooks', hook)
  const callTasks = [1, 2, 3].map((count) => ({
    callReceiverName: `Debtor ${tag} ${count}`,
    callNumberList: [number(count)],
    extCustId: `cust-${tag}-${count}`,
    systemLookupCode: `case-${tag}-${count}`,
    properties: [{ emprId, value: `value-${tag}` }],
  }))
  const order = { systemCode, callCode, maxCallAttempts: 3, minCallIntervalHours: 4 }
  const path = '/svcdialer/calltaskimport'
  const { importId, callTasks: made } = await ask('POST', `${path}?returnImportedCallTasks=true`, {
    ...order,
    callTasks,
  })
  await ask('POST', '/dialer/stoplist/numbers', { numbers: [number(500)], reason: tag })
  await ask('POST', '/dialer/stoplist/persons', { persons: [{ systemCode, extCustId: `stopped-${tag}` }], reason: tag })
  const token = { name: `token-${tag}`, scopes: ['users:read'], corpIds: [corporation] }
  const { rcntrl } = await ask('POST', '/core/tokens', token)
  const [{ itcaId }, , { itcaId: callbackId }] = made
  const nowMs = world.parts.clock.nowMs()
  const promise = { task: callbackId, atMs: nowMs + 3_600_000, askedByContact: true, agent: 'anna' as AgentName, nowMs }
  await world.parts.dialerRepository.setCallback(promise)
  const { eactId, iccaId } = await addCall(world, corporation, callCode, itsyId, `team-${tag}` as TeamName)
  const [call] = await ask('POST', '/svcems/calls/search', { eactIds: [eactId] })
  const [{ cfreId, pcreId }] = call.recordings
  const deadLetterId = await writeDown(world, tag)
  const [{ deliveryId }] = await ask('GET', `/core/webhooks/${webhookId}/deliveries`)
  const mailed = await sendMail(world, corporation, tag, ask)
  const contact = await addContact(world, corporation, itsyId, tag)
  const cases = await openCases(ask, corporation, tag)
  await world.parts.summaries.complete(eactId, { text: tag, language: 'en', eventName: `summary-${tag}`, atMs: 0 })
  const { holdId } = await ask('POST', '/core/legalholds', { number: number(501), reason: 'request 7' })
  const named = { systemCode, extCustId: `cust-${tag}-1`, systemLookupCode: `case-${tag}-1`, number: number(1) }
  const stopped = { stoppedNumber: number(500), stoppedCustomer: `stopped-${tag}` }
  const kept = {
    itcaId,
    callbackId,
    eactId,
    iccaId,
    callCode,
    outcomeId,
    queueOutcomeId: (await ask('POST', `/svcpbx/queue/${ucquId}/outcomes`, { name: `queue-${tag}` })).outcomeId,
    itsyId,
    emprId,
    ucquId,
    webhookId,
    deliveryId,
    importId,
    rcntrl,
    cfreId,
    pcreId,
    holdId,
    deadLetterId,
  }
  const ids: Ids = {
    ...kept,
    ...mailed,
    ...contact,
    ...cases,
    ...named,
    ...stopped,
    corpId: corporation,
    userId: Number(userId),
  }
  return { corporation, as, ids } satisfies Tenant
}

/** Transcripts of the remaining recordings. The summary is given up: the dead letter. */
async function writeDown({ pools, parts: dependencies }: WholeWorld, text: string): Promise<string> {
  const jobs = postgresCallJobs(pools)
  const atMs = dependencies.clock.nowMs()
  await jobs.begin({ sinceAtMs: 0, countMax: 10, atMs })
  const job = await jobs.claim(atMs, atMs + 60_000)
  if (!job) throw new Error('no recording is to be written down')
  const part = { channel: 0, speaker: 'customer' as const, startMs: 0, endMs: 900, text, confidence: null }
  const settling = { eventName: `transcript-${text}`, atMs }
  await jobs.keepTranscript(job, { language: 'en', durationMs: 9_000, parts: [part] }, settling)
  const next = await jobs.claim(atMs, atMs + 60_000)
  if (!next) throw new Error('no call is to be summed up')
  await jobs.bury(next, text, settling)
  return `summary-${next.id}`
}

/** A case of a corporation, and an email from it. */
async function sendMail(
  { pools }: WholeWorld,
  corporation: CorporationId,
  title: string,
  ask: (method: string, path: string, body?: unknown) => Promise<{ readonly eactId: number }>,
) {
  const input = { corporation, team: undefined, title, extension: null, atMs: 0 }
  const mailCase = await inTransaction(pools.jobs, (transaction) => openCaseOf(transaction, input))
  const email = {
    activity: { eactId: mailCase },
    to: [{ address: 'petra@debtor.example' }],
    subject: title,
    text: title,
  }
  return { mailCase, emailId: (await ask('POST', '/svcems/emails', email)).eactId }
}

function mailboxOf(corporation: number): MailboxEntry {
  const address = `help${corporation}@us.example`
  return { corporation: corporation as CorporationId, address, name: '', team: undefined, opensCases: true }
}

/** Revisions in the database, and a node that serves no calls. */
function flowsOf(
  pools: Pools,
): Pick<RestDependencies, 'flowRevisions' | 'flowWorkshop' | 'flowCanaries' | 'flowTraffic'> {
  const clock = new RealClock()
  const flowRevisions = postgresFlowRevisions(pools)
  const flowCanaries = postgresFlowCanaries(pools)
  const revisions = { revisions: flowRevisions, canaries: flowCanaries }
  const published = new PublishedFlows({ ...revisions, node: 'node1', clock, log: silentLog })
  const flowTraffic = postgresFlowTraffic(pools)
  return { flowRevisions, flowCanaries, flowTraffic, flowWorkshop: nodeWorkshop(published, { clock }) }
}

/** Two cases, one of which has something of everything, and entries of the lists. */
async function openCases(
  // biome-ignore lint/suspicious/noExplicitAny: tests check what an answer holds
  ask: (method: string, path: string, body?: unknown) => Promise<any>,
  corpId: CorporationId,
  tag: string,
) {
  const { ctnoId } = await ask('POST', '/svcems/categories', { name: `category-${tag}` })
  const { emstId } = await ask('POST', '/svcems/statuses', { name: `status-${tag}`, internalStatus: 1 })
  const { empriId } = await ask('POST', '/svcems/priorities', { name: `priority-${tag}`, level: 1 })
  const body = { description: `case-${tag}`, status: 1, corporation: { corpId }, emsTags: [`tag-${tag}`] }
  const lists = { category: { ctnoId }, emsStatus: { emstId }, priority: { empriId } }
  const { eactId: caseId } = await ask('POST', '/svcems/case', { ...body, ...lists })
  const { eactId: otherCaseId } = await ask('POST', '/svcems/case', body)
  await ask('POST', '/svcems/activitytexts', { text: `comment-${tag}`, activity: { eactId: caseId } })
  return { caseId, otherCaseId, ctnoId, emstId, empriId }
}

/** The contact of the first debtor of a corporation. */
async function addContact(
  { parts: dependencies }: WholeWorld,
  corporation: CorporationId,
  itsyId: ExternalSystemId,
  tag: string,
) {
  const saved = await dependencies.entities.saveEntity({
    corporation,
    kind: 'private',
    name: tag,
    numbers: [],
    atMs: 0,
    customers: [{ externalSystem: itsyId, externalCustomer: `cust-${tag}-1` }],
  })
  if (saved.outcome !== 'saved') throw new Error(saved.outcome)
  return { emenId: saved.id, eeexId: saved.extensions[0] ?? 0 }
}

/** One attempt at a campaign's first task: answered, recorded, and over. */
async function addCall(
  { parts: dependencies }: WholeWorld,
  corporation: CorporationId,
  campaign: CampaignId,
  externalSystem: ExternalSystemId,
  team: TeamName,
) {
  const { dialerRepository, clock } = dependencies
  const lease = await dialerRepository.takeLease('node1', 60_000)
  const atMs = clock.nowMs()
  const claim = await dialerRepository.claimDueTasks({
    lease,
    campaign,
    tasksMax: 1,
    atMs,
    dialedSinceAtMs: atMs - 3_600_000,
    decide: ({ numbers }) => ({ verdict: 'dial', numbers: [{ number: numbers[0]?.number as never, permit: {} }] }),
  })
  if (claim.outcome !== 'claimed' || !claim.attempts[0]) throw new Error(claim.outcome)
  const [attempt] = claim.attempts
  const recordings = [{ file: 'talk.wav', startedAtMs: atMs - 9_000, endedAtMs: atMs, state: 'ready' as const }]
  const answered = { answeredAtMs: atMs - 9_000, result: 'answered' as const }
  const end = endOf(attempt, lease, atMs, {
    ...answered,
    reach: 'answered',
    next: { status: 'waiting', nextCallAtMs: atMs },
  })
  const about = { corporation, activity: attempt.activity, called: attempt.number, externalSystem, team, recordings }
  const finished = await dialerRepository.finishCall(
    callOf(`call-${corporation}-${attempt.id}`, atMs, { ...about, ...answered, attempt: end }),
  )
  if (finished.outcome === 'refused') throw new Error(finished.why)
  return { eactId: attempt.activity, iccaId: attempt.id }
}
