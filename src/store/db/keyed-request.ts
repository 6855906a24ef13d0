/**
 * Commits with a change that its request was carried out (rest-46). After a commit that got no answer, or a crash
 * before the answer was kept, only the database knows it. The request is passed as the change is (`audit-intent.ts`).
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import type { KeyedRequest } from '../../ports/credentials.ts'
import type { Transaction } from './connection.ts'

const underWay = new AsyncLocalStorage<KeyedRequest>()

/** Runs `work`; its first transaction that changes something marks the key of the request. */
export function carryOutKeyed<T>(request: KeyedRequest, work: () => Promise<T>): Promise<T> {
  return underWay.run(request, work)
}

/** In the transaction of the change. */
export async function markCarriedOut(transaction: Transaction): Promise<void> {
  const request = underWay.getStore()
  if (!request) return
  const { realmControl, route, key } = request
  await transaction.query(MARK, [realmControl, route, key])
}

const MARK = `
update idempotency_keys set is_carried_out = true where realm_control = $1 and route = $2 and key = $3`
