import type { Pools } from './pools.ts'

/** Removes everything; the next start makes the tables again. For databases that hold nothing of anybody. */
export async function emptyDatabase({ jobs }: Pick<Pools, 'jobs'>): Promise<void> {
  await jobs.query('drop schema public cascade')
  await jobs.query('create schema public')
}
