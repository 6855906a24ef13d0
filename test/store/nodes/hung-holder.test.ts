/** A node that hangs keeps its connections open; its lease ends all the same (storage-23). */
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { RealClock } from '../../../src/kernel/clock.ts'
import { type Log, silentLog } from '../../../src/kernel/log.ts'
import { guardOneNode, type NodeGuard, waitToDial } from '../../../src/store/nodes/single-node-guard.ts'
import { SOON } from '../../support/soon.ts'
import { VirtualClock } from '../../support/virtual-clock.ts'
import { makeDatabase, servers, type TestDatabase } from '../db/database.ts'

/** PostgreSQL cuts the name of a connection, and knows no other letters in it than English ones. */
const HOLDER = `malmö ${'m'.repeat(60)}`
const AT_ONCE_MS = 0

describe.each(servers)('the right to dial of a node that hangs, on $name', (server) => {
  let database: TestDatabase
  const guards: NodeGuard[] = []

  beforeAll(async () => {
    database = await makeDatabase(server)
  })
  afterEach(async () => {
    await Promise.all(guards.splice(0).map((guard) => guard.release()))
    await database.pools.jobs.query('delete from node_leases')
  })
  afterAll(() => database.drop())

  /** Its latest renewal is so long ago. */
  const lease = (node: string, lifeS: number) =>
    database.pools.jobs.query(
      `insert into node_leases (node, fence, expires_at)
       values ($1, nextval('fences'), clock_timestamp() + $2 * interval '1 s')
       on conflict (node) do update set expires_at = excluded.expires_at`,
      [node, lifeS],
    )

  /** A node with the right, and another one that waits for it. `looks`: how often that one has looked. */
  async function twoNodes() {
    const seen = { looks: 0, said: [] as string[] }
    const say = (_: object, text: string) => void seen.said.push(text)
    const log = { debug: say, info: say, warn: say, error: say } as unknown as Log
    const options = (node: string, of: Log) => ({ node, clock: new RealClock(), log: of, onChange: () => {} })
    const holder = await guardOneNode(database.pools, options(HOLDER, silentLog))
    if (!holder.ok) throw new Error(holder.why)
    const connection = (purpose: string) => {
      seen.looks++
      return database.pools.connection(purpose)
    }
    const waiting = await waitToDial({ connection }, options('two', log), AT_ONCE_MS)
    guards.push(holder, waiting)
    return { holder, waiting, seen }
  }

  test('goes to a healthy node that waits, which says so', async () => {
    await lease(HOLDER, 3_600)
    await lease('two', 3_600)
    const { holder, waiting, seen } = await twoNodes()
    await expect.poll(() => seen.looks, SOON).toBeGreaterThan(3)
    expect([holder.isHeld(), waiting.isHeld()]).toEqual([true, false])
    await lease(HOLDER, -1)
    await expect.poll(() => waiting.isHeld(), SOON).toBe(true)
    await expect.poll(() => holder.isHeld(), SOON).toBe(false)
    expect(seen.said).toContainEqual(expect.stringContaining('hangs: its lease is long over'))
  })

  test('goes to it also when the lease of that node was taken away', async () => {
    await lease('two', 3_600)
    const { waiting } = await twoNodes()
    await expect.poll(() => waiting.isHeld(), SOON).toBe(true)
  })

  test('stays where the node that waits has no lease either', async () => {
    await lease(HOLDER, -1)
    const { holder, waiting, seen } = await twoNodes()
    await expect.poll(() => seen.looks, SOON).toBeGreaterThan(3)
    expect([holder.isHeld(), waiting.isHeld()]).toEqual([true, false])
  })

  test('is doubted by that node itself when it wakes, until the database answers', async () => {
    const clock = new VirtualClock()
    const guard = await guardOneNode(database.pools, { node: 'one', clock, log: silentLog, onChange: () => {} })
    if (!guard.ok) throw new Error(guard.why)
    guards.push(guard)
    expect(guard.isHeld()).toBe(true)
    clock.run(15_000)
    expect(guard.isHeld()).toBe(false)
    const beat = () => {
      clock.run(1_000)
      return guard.isHeld()
    }
    await expect.poll(beat, SOON).toBe(true)
  })
})
