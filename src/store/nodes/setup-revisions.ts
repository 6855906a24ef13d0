/** The agents and teams in force for all nodes: the last file that was new to the database (storage-12). */
import { createHash } from 'node:crypto'
import type { AtMs } from '../../kernel/clock.ts'
import type { StaffEntry } from '../../ports/directory.ts'
import { LOCKS } from '../db/advisory-locks.ts'
import type { Pools } from '../db/pools.ts'
import { ask, inTransaction } from '../db/transaction.ts'

/** What another node brought into force after this file had been. */
export interface NewerSetup {
  readonly node: string
  readonly begunAtMs: AtMs
  readonly staff: StaffEntry
}

interface Row extends NewerSetup {
  readonly sha256: string
}

const LATEST = `
select node, begun_at_ms as "begunAtMs", staff, sha256 from setup_revisions order by id desc limit 1`
const KEPT = 200

/** Brings this staff into force; the answer is what another node has replaced it by, if it was in force before. */
export async function bringStaffIntoForce(
  { jobs }: Pick<Pools, 'jobs'>,
  node: string,
  { agents, teams }: StaffEntry,
  atMs: AtMs,
): Promise<NewerSetup | undefined> {
  const staff = JSON.stringify({
    agents: agents.map(({ name, title }) => ({ name, title })),
    teams: teams.map(({ name, title, agents: members }) => ({ name, title, agents: members })),
  })
  const sha256 = createHash('sha256').update(staff).digest('hex')
  return inTransaction(jobs, async (transaction) => {
    await transaction.query('select pg_advisory_xact_lock($1)', [LOCKS.staff])
    const [latest] = await ask<Row>(transaction, LATEST, [])
    if (latest?.sha256 === sha256) return undefined
    const before = 'select 1 from setup_revisions where sha256 = $1 limit 1'
    const isOld = latest !== undefined && (await ask(transaction, before, [sha256])).length > 0
    // Whoever had the newer file and went back on the same node did so on purpose.
    if (isOld && latest.node !== node) return latest
    await transaction.query(
      'insert into setup_revisions (node, staff, sha256, begun_at_ms) values ($1, $2::jsonb, $3, $4)',
      [node, staff, sha256, atMs],
    )
    await transaction.query(
      'delete from setup_revisions where id <= (select max(id) - $1::bigint from setup_revisions)',
      [KEPT],
    )
    return undefined
  })
}
