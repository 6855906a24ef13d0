/** A request whose commit got no answer, sent again with its key: its change is made once (rest-46). */
import type { Pool, PoolClient } from 'pg'
import { Type } from 'typebox'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { silentLog } from '../../../src/kernel/log.ts'
import { DatabaseUnavailable } from '../../../src/ports/dialer-repository.ts'
import { saveCaseRoute } from '../../../src/rest/cases/cases.ts'
import { type Route, route } from '../../../src/rest/http/route.ts'
import { postgresCases } from '../../../src/store/cases/cases.ts'
import type { Pools } from '../../../src/store/db/pools.ts'
import { query } from '../../../src/store/db/transaction.ts'
import { VirtualClock } from '../../support/virtual-clock.ts'
import { openRestWorld, type RestWorld } from '../rest-world.ts'

/** What becomes of a commit before its connection is lost. */
type Loss = (commit: () => Promise<unknown>, client: PoolClient) => Promise<unknown>

let loss: Loss | undefined
let world: RestWorld
const clock = new VirtualClock()

beforeEach(async () => {
  world = await openRestWorld({
    clock,
    parts: (pools) => ({ cases: postgresCases(losing(pools)), log: silentLog }),
    routes: (dependencies, pools) => [saveCaseRoute(dependencies), inPieces(pools)],
  })
})
afterEach(() => world.close())

/** Commits a piece, and breaks down before the next one; the second time it is done. */
function inPieces(pools: Pools): Route {
  let tries = 0
  return route({
    method: 'POST',
    path: '/test/pieces',
    scope: 'cases:write',
    audit: { action: 'change', object: 'test' },
    goesOn: true,
    summary: 'In pieces',
    answers: { 200: Type.Object({ tries: Type.Integer() }) },
    async handle() {
      await query(pools.api, 'update corporations set name = name where id = 1', [])
      if (++tries === 1) throw new DatabaseUnavailable('not now')
      return { body: { tries } }
    },
  })
}

/** The same pools; the next commit of a change is lost as the test says. */
function losing(pools: Pools): Pools {
  const bound = <T extends object>(target: T, name: string | symbol): unknown => {
    const value: unknown = Reflect.get(target, name)
    return typeof value === 'function' ? value.bind(target) : value
  }
  const faulty = (client: PoolClient): PoolClient =>
    new Proxy(client, {
      get(target, name) {
        if (name !== 'query') return bound(target, name)
        return async (...args: Parameters<PoolClient['query']>) => {
          const [statement, now] = [args[0] as unknown, loss]
          if (statement !== 'commit' || !now) return target.query(...args)
          loss = undefined
          await now(async () => target.query('commit'), target)
          throw new Error('Connection terminated unexpectedly')
        }
      },
    })
  const api = new Proxy(pools.api, {
    get: (target: Pool, name) =>
      name === 'connect' ? async () => faulty(await target.connect()) : bound(target, name),
  })
  return { ...pools, api }
}

const create = (key: string) =>
  world.call(
    'POST',
    '/rest/svcems/case',
    { description: 'Rent', status: 1, corporation: { corpId: 1 } },
    { headers: { 'idempotency-key': key } },
  )
const cases = async () => (await world.pools.jobs.query('select count(*)::int as count from cases')).rows[0].count

describe('a request with a key', () => {
  test('that was committed without an answer is not carried out again, and says so', async () => {
    loss = (commit) => commit()
    expect((await create('one')).status).toBe(503)
    const again = await create('one')
    expect([again.status, again.body.detail]).toEqual([
      409,
      'this request was executed, but its answer cannot be read any more; search for its result',
    ])
    clock.run(10 * 60_000)
    expect([(await create('one')).status, await cases()]).toEqual([409, 1])
    expect([(await create('two')).status, await cases()]).toEqual([200, 2])
  })

  test('whose commit was lost may be sent again at once', async () => {
    loss = (_commit, client) => client.query('rollback')
    expect((await create('one')).status).toBe(503)
    const again = await create('one')
    expect([again.status, again.headers['svc-idempotent-replay'], await cases()]).toEqual([200, undefined, 1])
    expect([(await create('one')).headers['svc-idempotent-replay'], await cases()]).toEqual(['true', 1])
  })

  test('whose server died after the commit is not carried out by the next one', async () => {
    await create('one')
    await world.pools.jobs.query('update idempotency_keys set answer = null')
    expect((await create('one')).status, 'it may still run').toBe(409)
    clock.run(3 * 60_000)
    const again = await create('one')
    expect([again.status, again.body.detail]).toEqual([409, expect.stringContaining('this request was executed')])
    expect(await cases()).toBe(1)
  })

  test('of an operation in pieces goes on after an error', async () => {
    const send = () => world.call('POST', '/test/pieces', undefined, { headers: { 'idempotency-key': 'one' } })
    expect((await send()).status).toBe(503)
    expect((await send()).body).toEqual({ tries: 2 })
  })
})
