import { resolve } from 'node:path'
import type { Clock } from '../kernel/clock.ts'
import type { Log } from '../kernel/log.ts'
import { postgresAccess } from '../store/access/credentials.ts'
import { postgresDirectory } from '../store/access/directory.ts'
import { postgresAudit } from '../store/admin/audit.ts'
import { postgresPrivacy } from '../store/admin/privacy.ts'
import { postgresCallJobs } from '../store/calls/call-jobs.ts'
import { postgresCallList } from '../store/calls/call-list.ts'
import { postgresDeadLetters } from '../store/calls/dead-letters.ts'
import { postgresFlowCanaries } from '../store/calls/flow-canaries.ts'
import { postgresFlowEvents } from '../store/calls/flow-events.ts'
import { postgresFlowRevisions } from '../store/calls/flow-revisions.ts'
import { postgresFlowTraffic } from '../store/calls/flow-traffic.ts'
import { postgresSummaries } from '../store/calls/summaries.ts'
import { postgresTranscripts } from '../store/calls/transcripts.ts'
import { postgresActivities } from '../store/cases/activities.ts'
import { postgresCases } from '../store/cases/cases.ts'
import { postgresFiles } from '../store/cases/files.ts'
import { postgresEntities } from '../store/contacts/contacts.ts'
import type { Refusal } from '../store/db/embedded-postgres.ts'
import { type Database, openDatabase } from '../store/db/open-database.ts'
import type { Pools } from '../store/db/pools.ts'
import { postgresDialerAdmin } from '../store/dialer/dialer-admin-repository.ts'
import { postgresDialerRepository } from '../store/dialer/dialer-repository.ts'
import { postgresSentTexts } from '../store/limits/text-counts.ts'
import { postgresMails } from '../store/mail/mail-repository.ts'
import { postgresOutbox } from '../store/webhooks/outbox.ts'
import type { Settings } from './settings.ts'

export type Repositories = ReturnType<typeof portsOf>

export interface OpenDatabase extends Repositories {
  readonly ok: true
  readonly database: Database
}

/** Opens the database of the settings and creates the first corporation if it is missing. */
export async function openDatabaseFor(
  { dataDir, databaseUrl, environment, corporation }: Settings,
  { clock, log, onLine }: { readonly clock: Clock; readonly log: Log; readonly onLine: (line: string) => void },
): Promise<OpenDatabase | Refusal> {
  const place = { dataDirectory: resolve(dataDir), ...(databaseUrl !== undefined && { databaseUrl }) }
  const database = await openDatabase({ ...place, clock, log, onLine })
  if (!database.ok) return database
  const { pools } = database
  await postgresDirectory(pools).ensureCorporation(corporation, clock.nowMs())
  return { ok: true, database, ...portsOf(pools, environment) }
}

/** The ports over an open database. */
export function portsOf(pools: Pools, environment: Settings['environment']) {
  return {
    directory: postgresDirectory(pools),
    dialerRepository: postgresDialerRepository(pools),
    flowEvents: postgresFlowEvents(pools),
    flowRevisions: postgresFlowRevisions(pools),
    flowCanaries: postgresFlowCanaries(pools),
    flowTraffic: postgresFlowTraffic(pools),
    credentials: postgresAccess(pools),
    dialerAdmin: postgresDialerAdmin(pools),
    outbox: postgresOutbox(pools, environment),
    summaries: postgresSummaries(pools),
    transcripts: postgresTranscripts(pools),
    callJobs: postgresCallJobs(pools),
    callList: postgresCallList(pools),
    deadLetters: postgresDeadLetters(pools),
    entities: postgresEntities(pools),
    cases: postgresCases(pools),
    files: postgresFiles(pools),
    activities: postgresActivities(pools),
    mails: postgresMails(pools),
    audit: postgresAudit(pools),
    privacy: postgresPrivacy(pools),
    sentTexts: postgresSentTexts(pools),
  }
}
