import type { Pools } from '../db/pools.ts'

/** The id that a database carries since its first start; a copy and a restored backup carry it as well. */
export async function installationOf({ jobs }: Pick<Pools, 'jobs'>): Promise<string> {
  const { rows } = await jobs.query<{ installation: string }>('select installation from dial_state')
  // The migration made the row, and no statement removes it.
  return rows[0]!.installation
}

/** How much a database holds, for people who compare two. */
export async function contentOf({ jobs }: Pick<Pools, 'jobs'>) {
  const { rows } = await jobs.query<{ tasks: number; calls: number; files: number }>(
    `select (select count(*)::int from call_tasks) as tasks, (select count(*)::int from call_activities) as calls,
            (select count(*)::int from files) as files`,
  )
  // A select without a table returns one row.
  return rows[0]!
}
