import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { RealClock } from '../../../src/kernel/clock.ts'
import { silentLog } from '../../../src/kernel/log.ts'
import { LOCKS } from '../../../src/store/db/advisory-locks.ts'
import { guardOneNode, type NodeGuard } from '../../../src/store/nodes/single-node-guard.ts'
import { makeDatabase, servers, type TestDatabase } from '../db/database.ts'

describe.each(servers)('one engine without Redis on $name', (server) => {
  let database: TestDatabase
  const guards: NodeGuard[] = []

  beforeAll(async () => {
    database = await makeDatabase(server, false)
  })
  afterEach(async () => {
    await Promise.all(guards.splice(0).map((guard) => guard.release()))
  })
  afterAll(() => database.drop())

  /** A node that requests the right, and its notifications afterwards. */
  async function node(name: string) {
    const changes = new Changes()
    const options = { node: name, clock: new RealClock(), log: silentLog, onChange: changes.add }
    const guard = await guardOneNode(database.pools, options)
    if (guard.ok) guards.push(guard)
    return { guard, changes }
  }

  const cut = (name: string) =>
    database.pools.jobs.query(
      `select pg_terminate_backend(pid, 5000) from pg_stat_activity
        where datname = current_database() and application_name = $1`,
      [`switchboard node ${name}`],
    )

  test('a second one is refused with the first’s name and the remedy, and let in when the first has gone', async () => {
    const { guard: first } = await node('copenhagen')
    expect(first).toMatchObject({ ok: true })
    const { guard: second } = await node('malmö')
    expect(second).toMatchObject({
      ok: false,
      why: expect.stringMatching(/"copenhagen", connected since \d{4}-\d\d-\d\d /),
      remedy: expect.stringContaining('REDIS_URL'),
    })
    if (first.ok) await first.release()
    expect((await node('malmö')).guard).toMatchObject({ ok: true })
  })

  test('a machine that loses its power keeps the right for seconds: the server looks whether it is there', async () => {
    let client: ReturnType<typeof database.pools.connection> | undefined
    const connection = (purpose: string) => {
      client = database.pools.connection(purpose)
      return client
    }
    const options = { node: 'dead', clock: new RealClock(), log: silentLog, onChange: () => {} }
    const guard = await guardOneNode({ connection }, options)
    if (guard.ok) guards.push(guard)
    // On a socket of the same machine the value itself has no effect, and is not shown.
    const text = `select source from pg_settings where name = 'tcp_keepalives_idle'`
    expect((await client!.query(text)).rows).toEqual([{ source: 'session' }])
  })

  test('given a connection that breaks, the engine is notified at once, and when it has the right back', async () => {
    const { guard, changes } = await node('one')
    await cut('one')
    expect(await changes.next()).toBe(false)
    expect(await changes.next()).toBe(true)
    expect(guard.ok && guard.isHeld()).toBe(true)
    expect((await node('two')).guard).toMatchObject({ ok: false })
  })

  test('given a faster engine, the right returns only when that one goes', async () => {
    const { guard, changes } = await node('one')
    const other = await database.pools.jobs.connect()
    // It waits in line, and is the next.
    const taken = other.query('select pg_advisory_lock($1)', [LOCKS.node])
    await cut('one')
    await taken
    expect(await changes.next()).toBe(false)
    expect((await node('two')).guard).toMatchObject({ ok: false })
    expect(guard.ok && guard.isHeld()).toBe(false)
    other.release(true)
    expect(await changes.next()).toBe(true)
    expect(changes.all).toEqual([false, true])
  })

  test('an engine that gave it up gets no further notifications', async () => {
    const { guard, changes } = await node('one')
    if (guard.ok) await guard.release()
    if (guard.ok) await guard.release()
    expect(guard.ok && guard.isHeld()).toBe(false)
    expect((await node('two')).guard).toMatchObject({ ok: true })
    expect(changes.all).toEqual([])
  })
})

/** The notifications of an engine, in order; `next` waits for the one to come. */
class Changes {
  readonly all: boolean[] = []
  readonly #unread: boolean[] = []
  #wake = Promise.withResolvers<void>()

  readonly add = (isHeld: boolean): void => {
    this.all.push(isHeld)
    this.#unread.push(isHeld)
    this.#wake.resolve()
  }

  async next(): Promise<boolean> {
    while (this.#unread.length === 0) {
      this.#wake = Promise.withResolvers()
      await this.#wake.promise
    }
    return this.#unread.shift()!
  }
}
