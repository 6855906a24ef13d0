import { Kysely, PostgresDialect } from 'kysely'
import { type Migration, Migrator } from 'kysely/migration'
import { LOCKS } from './advisory-locks.ts'
import type { Refusal } from './embedded-postgres.ts'
import { people } from './migrations/0001-people.ts'
import { callTasks } from './migrations/0002-call-tasks.ts'
import { calls } from './migrations/0003-calls.ts'
import { events } from './migrations/0004-events.ts'
import { dialing } from './migrations/0005-dialing.ts'
import { outbox } from './migrations/0006-outbox.ts'
import { access } from './migrations/0007-people.ts'
import { office } from './migrations/0008-office.ts'
import { summaries } from './migrations/0009-summaries.ts'
import { cases } from './migrations/0010-cases.ts'
import { mail } from './migrations/0011-mail.ts'
import { transcripts } from './migrations/0012-transcripts.ts'
import { audit } from './migrations/0013-audit.ts'
import { pause } from './migrations/0014-pause.ts'
import { privacy } from './migrations/0015-privacy.ts'
import { auditIntents } from './migrations/0016-audit-intents.ts'
import { bounces } from './migrations/0017-bounces.ts'
import { caseSearch } from './migrations/0018-case-search.ts'
import { pacing } from './migrations/0019-pacing.ts'
import { ledgers } from './migrations/0020-ledgers.ts'
import type { Pools } from './pools.ts'

/** In their order. A migration that was released is never changed: a later one mends it. Forward only. */
const MIGRATIONS: Readonly<Record<string, Migration>> = {
  '0001-people': people,
  '0002-call-tasks': callTasks,
  '0003-calls': calls,
  '0004-events': events,
  '0005-dialing': dialing,
  '0006-outbox': outbox,
  '0007-people': access,
  '0008-office': office,
  '0009-summaries': summaries,
  '0010-cases': cases,
  '0011-mail': mail,
  '0012-transcripts': transcripts,
  '0013-audit': audit,
  '0014-pause': pause,
  '0015-privacy': privacy,
  '0016-audit-intents': auditIntents,
  '0017-bounces': bounces,
  '0018-case-search': caseSearch,
  '0019-pacing': pacing,
  '0020-ledgers': ledgers,
}

/**
 * Brings the tables up to date, in one transaction, so that a failure leaves everything as it was (F-D9). Several
 * processes may try at once: an advisory lock lets them in one by one, and the later ones find nothing to do.
 */
export async function migrate({ jobs }: Pick<Pools, 'jobs'>): Promise<Refusal | undefined> {
  const guard = await jobs.connect()
  try {
    await guard.query('set lock_timeout = 0; set statement_timeout = 0')
    await guard.query('select pg_advisory_lock($1)', [LOCKS.migrations])
    // Kysely ends the pool it is given with itself; it is not told to, and holds nothing else.
    const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool: jobs }) })
    const migrator = new Migrator({ db, provider: { getMigrations: async () => ({ ...MIGRATIONS }) } })
    const { error } = await migrator.migrateToLatest()
    return error === undefined ? undefined : cannotMigrate(error)
  } finally {
    // The connection goes with its settings and its lock.
    guard.release(true)
  }
}

function cannotMigrate(error: unknown): Refusal {
  return {
    ok: false,
    why: `the tables cannot be brought up to date: ${error instanceof Error ? error.message : String(error)}`,
    remedy: 'nothing was changed; run the version that used this database last, or report this with the message',
  }
}
