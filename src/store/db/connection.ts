import type { PoolClient } from 'pg'

/** One connection with an open transaction. */
export type Transaction = Pick<PoolClient, 'query'>
