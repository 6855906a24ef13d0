import type { Pools } from './pools.ts'

/** Removes everything; the next start makes the tables again. For databases that hold nothing of anybody. */
export async function emptyDatabase({ jobs }: Pick<Pools, 'jobs'>): Promise<void> {
  // One message is one transaction: where the schema cannot be made again, nothing is dropped.
  await jobs.query('drop schema public cascade; create schema public')
}
