/** A client that follows changes of cases by their updateTs misses none, whatever changes while it reads (cases-24). */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { holdExpiryWorker } from '../../../src/core/workers/hold-expiry-worker.ts'
import { silentLog } from '../../../src/kernel/log.ts'
import { VirtualClock } from '../../support/virtual-clock.ts'
import { type CaseWorld, openCaseWorld } from './case-world.ts'

let clock: VirtualClock
let world: CaseWorld

beforeAll(async () => {
  clock = new VirtualClock()
  world = await openCaseWorld(clock)
})
afterAll(() => world.close())

interface Seen {
  readonly eactId: number
  readonly description: string
  readonly updateTs: string
}

/** A round of a client: its cases, and where the next one begins; without the header at the latest time it saw. */
async function round(updateTsFrom: string | number) {
  const { body, headers } = await world.find({ updateTsFrom, limitTo: 1_000 })
  const seen = body as readonly Seen[]
  const latest =
    seen
      .map(({ updateTs }) => updateTs)
      .sort()
      .at(-1) ?? updateTsFrom
  return { seen, next: headers['svc-next-updatetsfrom'] ?? latest }
}

test('a change that waited for another one, and is committed late, comes with the next round', async () => {
  const [slow, quick] = [(await world.create()).eactId, (await world.create()).eactId]
  const other = await world.pools.jobs.connect()
  try {
    await other.query('begin')
    await other.query('select from cases where activity_id = $1 for no key update', [slow])
    clock.run(1_000)
    const late = world.save({ eactId: slow, description: 'Late' })
    const waiting = `select count(*)::int as count from pg_locks l join pg_stat_activity a using (pid)
      where not l.granted and a.datname = current_database()`
    await expect.poll(async () => (await world.pools.jobs.query(waiting)).rows[0].count).toBe(1)
    clock.run(1_000)
    await world.save({ eactId: quick, description: 'Quick' })
    const first = await round(0)
    expect(first.seen.map(({ description }) => description)).toEqual(['Quick', 'Rent'])
    await other.query('commit')
    expect((await late).status).toBe(200)
    clock.run(1_000)
    const second = await round(first.next)
    expect(second.seen.map(({ description }) => description)).toContain('Late')
  } finally {
    other.release(true)
  }
  expect((await world.find({ eactIds: [slow] })).headers['svc-next-updatetsfrom']).toBeUndefined()
})

test('holds that end by the hundred are changed at the time at which they are, and not at the first one', async () => {
  const onHoldToTs = clock.nowMs() + 60_000
  for (let made = 0; made < 101; made++) await world.create({ status: 8, onHoldToTs })
  const { cases } = world.parts
  const slow = async (nowMs: number) => {
    const ended = await cases.endHolds(nowMs)
    clock.run(180_000)
    return ended
  }
  const worker = holdExpiryWorker({ cases: { endHolds: slow }, clock, log: silentLog })
  worker.start(60_000)
  clock.run(60_000)
  const seen = async () => new Set((await round(onHoldToTs)).seen.map(({ updateTs }) => Date.parse(updateTs)))
  await expect.poll(async () => [...(await seen())]).toEqual([onHoldToTs + 180_000, onHoldToTs])
  await worker.stop()
})

test('pages by the last id have no gap when a case of a page that was read leaves the search', async () => {
  const made = [await world.create(), await world.create(), await world.create(), await world.create()]
  const ids = made.map(({ eactId }) => eactId)
  const until = { eactIds: ids, updateTsTo: made[3]!.updateTs }
  const page = async (more: object) => {
    const { status, body } = await world.find({ ...until, limitTo: 2, ...more })
    return [status, ...body.map(({ eactId }: Seen) => eactId)]
  }
  expect(await page({})).toEqual([200, ids[3], ids[2]])
  clock.run(1_000)
  await world.save({ eactId: ids[3], description: 'Moved on' })
  expect(await page({ limitFrom: 2, limitTo: 4 }), 'rows moved').toEqual([200, ids[0]])
  expect(await page({ eactIdBelow: ids[2] })).toEqual([200, ids[1], ids[0]])
  expect((await world.find({ eactIdBelow: ids[2] })).status, 'it is a window and no filter').toBe(400)
})
