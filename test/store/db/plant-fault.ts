/** Database faults, planted before a statement of ours. */
import type { Pool, PoolClient } from 'pg'
import type { Pools } from '../../../src/store/db/pools.ts'

/** What happens to a connection before its next statement. */
export type Fault = (client: PoolClient) => Promise<unknown>

/** One that our code retries by itself, and one that cannot be retried for the client. */
export function faultsOf(pools: () => Pools): Readonly<Record<string, Fault>> {
  return {
    deadlock: (client) => client.query(`do $$ begin raise exception 'planted' using errcode = '40P01'; end $$`),
    // Ended by another connection, as by a failing network or an administrator.
    cut: async (client) => {
      const { rows } = await client.query('select pg_backend_pid() as pid')
      await pools().jobs.query('select pg_terminate_backend($1, 5000)', [(rows[0] as { pid: number }).pid])
    },
  }
}

/** The same pools, but before one statement of one of them the fault occurs, once. */
export function plantFault(
  pools: Pools,
  statement: number,
  fault: Fault,
  which: 'control' | 'api' | 'jobs' = 'control',
) {
  let statementsLeft = statement
  let hasStruck = false
  const faulty = (client: PoolClient): PoolClient =>
    new Proxy(client, {
      get(target, name) {
        if (name !== 'query') return bound(target, name)
        return async (...args: Parameters<PoolClient['query']>) => {
          if (!hasStruck && statementsLeft-- === 0) {
            hasStruck = true
            await fault(target)
          }
          return target.query(...args)
        }
      },
    })
  const pool = new Proxy(pools[which], {
    get: (target: Pool, name) =>
      name === 'connect' ? async () => faulty(await target.connect()) : bound(target, name),
  })
  return { pools: { ...pools, [which]: pool }, hasStruck: () => hasStruck }
}

/** The same pools, but the first commit of `which` is carried out, and its answer never comes. */
export function deafToCommit(pools: Pools, which: 'api' | 'jobs' = 'jobs'): Pools {
  let hasStruck = false
  const deaf = (client: PoolClient): PoolClient =>
    new Proxy(client, {
      get(target, name) {
        if (name !== 'query') return bound(target, name)
        return async (...args: Parameters<PoolClient['query']>) => {
          const answer: unknown = await target.query(...args)
          if (hasStruck || (args[0] as unknown) !== 'commit') return answer
          hasStruck = true
          throw new Error('Connection terminated unexpectedly')
        }
      },
    })
  const pool = new Proxy(pools[which], {
    get: (target: Pool, name) => (name === 'connect' ? async () => deaf(await target.connect()) : bound(target, name)),
  })
  return { ...pools, [which]: pool }
}

function bound<T extends object>(target: T, name: string | symbol): unknown {
  const value: unknown = Reflect.get(target, name)
  return typeof value === 'function' ? value.bind(target) : value
}
