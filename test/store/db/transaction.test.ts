import { readFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { TLSSocket } from 'node:tls'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { RealClock } from '../../../src/kernel/clock.ts'
import { silentLog } from '../../../src/kernel/log.ts'
import { DatabaseUnavailable } from '../../../src/ports/dialer-repository.ts'
import type { Transaction } from '../../../src/store/db/connection.ts'
import { openPools } from '../../../src/store/db/pools.ts'
import { inTransaction, query } from '../../../src/store/db/transaction.ts'
import { makeDatabase, servers, type TestDatabase } from './database.ts'

describe.each(servers)('a transaction on $name', (server) => {
  let database: TestDatabase

  beforeAll(async () => {
    database = await makeDatabase(server, false)
    await database.pools.jobs.query('create table marks (id bigint primary key, value bigint not null)')
    await database.pools.jobs.query('insert into marks values (1, 0), (2, 0)')
  })
  afterAll(() => database.drop())

  const raise = (transaction: Transaction, state: string) =>
    transaction.query(`do $$ begin raise exception 'planted' using errcode = '${state}'; end $$`)

  test.each(['40001', '40P01'])('restarts after %s, and takes effect once', async (state) => {
    let tries = 0
    await inTransaction(database.pools.control, async (transaction) => {
      await transaction.query('update marks set value = value + 1 where id = 1')
      if (++tries < 5) await raise(transaction, state)
    })
    expect(tries).toBe(5)
    const rows = await query(database.pools.control, 'update marks set value = 0 where id = 1 returning 1', [])
    expect(rows).toHaveLength(1)
  })

  test('is given up after five tries', async () => {
    let tries = 0
    const work = inTransaction(database.pools.control, async (transaction) => {
      tries++
      await raise(transaction, '40001')
    })
    await expect(work).rejects.toBeInstanceOf(DatabaseUnavailable)
    expect(tries).toBe(5)
  })

  test('of two in a deadlock, both succeed', async () => {
    const both = [deferred(), deferred()]
    const add = (first: number, second: number, mine: number) => {
      let isFirstTry = true
      return inTransaction(database.pools.jobs, async (transaction) => {
        await transaction.query('update marks set value = value + 1 where id = $1', [first])
        both[mine]!.resolve()
        if (isFirstTry) await both[1 - mine]!.promise
        isFirstTry = false
        await transaction.query('update marks set value = value + 1 where id = $1', [second])
      })
    }
    await Promise.all([add(1, 2, 0), add(2, 1, 1)])
    const rows = await query(database.pools.control, 'select value from marks order by id', [])
    expect(rows).toEqual([{ value: 2 }, { value: 2 }])
  })

  test('a held lock is awaited for a second in the dial path, and then it is an outage', async () => {
    const holder = await database.pools.jobs.connect()
    await holder.query('begin; lock table marks')
    const work = query(database.pools.control, 'select * from marks', [])
    await expect(work).rejects.toBeInstanceOf(DatabaseUnavailable)
    await holder.query('rollback')
    holder.release()
  })

  test('a mistake of ours is rolled back and keeps its type', async () => {
    const work = inTransaction(database.pools.control, async (transaction) => {
      await transaction.query('insert into marks values (9, 9)')
      throw new TypeError('a mistake')
    })
    await expect(work).rejects.toBeInstanceOf(TypeError)
    await expect(query(database.pools.control, 'select nonsense', [])).rejects.not.toBeInstanceOf(DatabaseUnavailable)
    expect(await query(database.pools.control, 'select * from marks where id = 9', [])).toEqual([])
  })

  test('given a connection that is cut as it is handed over, the process survives (F-D1)', async () => {
    const client = await database.pools.control.connect()
    expect(() => client.emit('error', new Error('terminating connection'))).not.toThrow()
    client.release(true)
  })

  test('given a connection that is cut, it is an outage, and the next one works', async () => {
    const work = inTransaction(database.pools.control, async (transaction) => {
      const { rows } = await transaction.query('select pg_backend_pid() as pid')
      await database.pools.jobs.query('select pg_terminate_backend($1)', [(rows[0] as { pid: number }).pid])
      await transaction.query('select 1')
    })
    await expect(work).rejects.toBeInstanceOf(DatabaseUnavailable)
    expect(await query(database.pools.control, 'select 1 as one', [])).toEqual([{ one: 1 }])
  })
})

test('given a server that falls silent, it is an outage, and the wait is limited', async () => {
  const { pools, drop } = await makeDatabase(servers[0]!, false)
  const [backend] = await query<{ pid: number }>(pools.control, 'select pg_backend_pid() as pid', [])
  process.kill(backend!.pid, 'SIGSTOP')
  try {
    const work = inTransaction(pools.control, (transaction) => transaction.query('select 1'))
    await expect(work).rejects.toBeInstanceOf(DatabaseUnavailable)
    expect(await query(pools.control, 'select 1 as one', [])).toEqual([{ one: 1 }])
  } finally {
    process.kill(backend!.pid, 'SIGCONT')
  }
  await drop()
})

// As after a change of the password, or where a standby without our role has taken over.
test.each([{ user: 'nobody_it_knows' }, { database: 'none_that_is_there' }])(
  'given a server that does not let us in: %o, it is an outage',
  async (who) => {
    const { connection, drop } = await makeDatabase(servers[0]!, false)
    const outside = openPools({ ...connection, ...who }, { clock: new RealClock(), log: silentLog })
    await expect(query(outside.control, 'select 1', [])).rejects.toBeInstanceOf(DatabaseUnavailable)
    const work = inTransaction(outside.control, (transaction) => transaction.query('select 1'))
    await expect(work).rejects.toBeInstanceOf(DatabaseUnavailable)
    await outside.close()
    await drop()
  },
)

test('given a service that is closing, it is an outage', async () => {
  const { pools, open, drop } = await makeDatabase(servers[0]!, false)
  const closing = open()
  await Promise.all([closing.close(), closing.close()])
  await expect(query(closing.api, 'select 1', [])).rejects.toBeInstanceOf(DatabaseUnavailable)
  expect(await query(pools.api, 'select 1 as one', [])).toEqual([{ one: 1 }])
  await drop()
})

test('given a server that cannot be reached, it is an outage', async () => {
  const nobody = createServer()
  await new Promise<void>((resolve) => nobody.listen(0, '127.0.0.1', resolve))
  const { port } = nobody.address() as { port: number }
  await new Promise((resolve) => nobody.close(resolve))
  const parts = { clock: new RealClock(), log: silentLog }
  const pools = openPools({ host: '127.0.0.1', port, user: 'x', database: 'x' }, parts)
  await expect(query(pools.api, 'select 1', [])).rejects.toBeInstanceOf(DatabaseUnavailable)
  await expect(inTransaction(pools.api, async () => 1)).rejects.toBeInstanceOf(DatabaseUnavailable)
  await pools.close()
})

/** A PostgreSQL server as far as its certificate, which was valid in January 2020. */
async function expiredServer() {
  const pem = readFileSync(join(import.meta.dirname, '../../fixtures/expired-certificate.pem'), 'utf8')
  const server = createServer((socket) => {
    socket.on('error', () => {})
    socket.once('data', () => {
      socket.write('S')
      new TLSSocket(socket, { isServer: true, key: pem, cert: pem }).on('error', () => {})
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { server, pem, port: (server.address() as AddressInfo).port }
}

// Set aside, the outcomes of that night would be lost: it is mended with a new certificate.
test('given a server whose certificate has expired, it is an outage', async () => {
  const { server, pem, port } = await expiredServer()
  const where = { host: '127.0.0.1', port, user: 'x', database: 'x', ssl: { servername: 'localhost', ca: pem } }
  const pools = openPools(where, { clock: new RealClock(), log: silentLog })
  const refused = await query(pools.api, 'select 1', []).catch((error: unknown) => error)
  expect(refused).toBeInstanceOf(DatabaseUnavailable)
  expect((refused as Error).cause).toMatchObject({ code: 'CERT_HAS_EXPIRED' })
  await expect(inTransaction(pools.control, async () => 1)).rejects.toBeInstanceOf(DatabaseUnavailable)
  await pools.close()
  server.close()
})

function deferred() {
  return Promise.withResolvers<void>()
}
