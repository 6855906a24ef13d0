import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { silentLog } from '../../../src/kernel/log.ts'
import type { DatabaseNotification } from '../../../src/ports/dialer-repository.ts'
import { NotificationChannel, notify } from '../../../src/store/db/notifications.ts'
import type { Pools } from '../../../src/store/db/pools.ts'
import { inTransaction } from '../../../src/store/db/transaction.ts'
import { VirtualClock } from '../../support/virtual-clock.ts'
import { makeDatabase, servers, type TestDatabase } from './database.ts'

describe.each(servers)('notifications on $name', (server) => {
  let database: TestDatabase

  beforeAll(async () => {
    database = await makeDatabase(server, false)
  })
  afterAll(() => database.drop())

  const tell = (pools: Pools, notification: DatabaseNotification) =>
    inTransaction(pools.api, (transaction) => notify(transaction, notification))

  /** A connection on a stopped clock: it sends no periodic notifications. */
  const openWire = () => {
    const clock = new VirtualClock()
    const wire = new NotificationChannel({ connect: () => database.pools.connection('news'), clock, log: silentLog })
    return { clock, wire }
  }

  test('are heard by others after the commit, and never after a rollback', async () => {
    const { wire } = openWire()
    const heard = listenTo(wire)
    await heard.until('access')
    heard.forget()
    const work = inTransaction(database.pools.api, async (transaction) => {
      await notify(transaction, 'orders')
      throw new Error('rolled back on purpose')
    })
    await expect(work).rejects.toThrow('on purpose')
    await tell(database.pools, 'tasks')
    await heard.until('tasks')
    expect(heard.all()).toEqual(['tasks'])
    await wire.close()
  })

  test('given a cut connection, every kind is notified after the reconnection', async () => {
    const { clock, wire } = openWire()
    const heard = listenTo(wire)
    await heard.until('access')
    await cutNotifications(database)
    heard.forget()
    // The pause before the next try passes on the virtual clock; the loss itself is noticed in real time.
    while (!heard.has('access')) {
      clock.run(250)
      await database.pools.api.query('select 1')
    }
    await tell(database.pools, 'deliveries')
    await heard.until('deliveries')
    await wire.close()
  })

  test('given an unreachable server, orders and tasks are polled every second all the same', async () => {
    const clock = new VirtualClock()
    const connect = () => database.pools.connection('news')
    const nowhere = () => Object.assign(connect(), { connect: () => Promise.reject(new Error('no connection')) })
    const wire = new NotificationChannel({ connect: nowhere, clock, log: silentLog })
    const heard = listenTo(wire)
    clock.run(3_000)
    expect(heard.all()).toEqual(['orders', 'tasks', 'orders', 'tasks', 'orders', 'tasks'])
    await wire.close()
    clock.run(10_000)
    expect(heard.all()).toHaveLength(6)
  })

  test('a failing listener does not affect the others, and one that unsubscribed hears no more', async () => {
    const { clock, wire } = openWire()
    wire.onNotification(() => {
      throw new Error('a mistake of ours')
    })
    const heard = listenTo(wire)
    clock.run(1_000)
    expect(heard.all()).toEqual(['orders', 'tasks'])
    heard.stop()
    clock.run(1_000)
    expect(heard.all()).toEqual(['orders', 'tasks'])
    await wire.close()
  })
})

function listenTo(wire: NotificationChannel) {
  let all: DatabaseNotification[] = []
  let waiting: { readonly news: DatabaseNotification; readonly resolve: () => void }[] = []
  const stop = wire.onNotification((notification) => {
    all.push(notification)
    for (const one of waiting.filter((waiter) => waiter.news === notification)) one.resolve()
    waiting = waiting.filter((waiter) => waiter.news !== notification)
  })
  return {
    stop,
    all: () => all,
    has: (notification: DatabaseNotification) => all.includes(notification),
    forget: () => {
      all = []
    },
    until: (notification: DatabaseNotification) =>
      all.includes(notification)
        ? Promise.resolve()
        : new Promise<void>((resolve) => waiting.push({ news: notification, resolve })),
  }
}

async function cutNotifications({ pools }: TestDatabase): Promise<void> {
  await pools.jobs.query(
    `select pg_terminate_backend(pid, 5000) from pg_stat_activity
      where datname = current_database() and application_name = 'switchboard news'`,
  )
}
