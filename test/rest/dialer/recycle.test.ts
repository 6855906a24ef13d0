/** Finished call tasks that are called again, by their last result (campaigns-60). */
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { CallTaskId, PhoneNumber } from '../../../src/kernel/ids.ts'
import type { AttemptEnd } from '../../../src/ports/attempt.ts'
import { OURS } from '../rest-world.ts'
import {
  CAMPAIGN,
  type DialerWorld,
  debtors,
  endOf,
  HOUR_MS,
  numberOf,
  openDialerWorld,
  THEIR_CAMPAIGN,
} from './dialer-world.ts'

let world: DialerWorld

beforeAll(async () => {
  world = await openDialerWorld()
})
afterAll(() => world.close())

const nowMs = () => world.parts.clock.nowMs()
const recycle = async (body: object, campaign = CAMPAIGN) =>
  world.call('POST', `/dialer/callcode/${campaign}/recycle`, body)
/** Imports debtors, and ends the one attempt of each in its own way. */
const called = async (from: number, ends: readonly Partial<AttemptEnd>[]) => {
  const list = debtors(from, from + ends.length)
  const { body } = await world.importTasks(list, { maxCallAttempts: 1 }, '?returnImportedCallTasks=true')
  const ids: CallTaskId[] = body.callTasks.map(({ itcaId }: { itcaId: CallTaskId }) => itcaId)
  const lease = await world.lease()
  const attempts = await world.claim(lease)
  for (const [place, id] of ids.entries()) {
    const attempt = attempts.find(({ task }) => task.id === id)!
    const end = endOf(attempt, lease, nowMs(), { next: { status: 'maxAttempts' }, ...ends[place] })
    await world.dialerRepository.endAttempt(end)
  }
  return ids
}
const BUSY = { result: 'busy' } as const
const TALKED = { result: 'answered', reach: 'answered', next: { status: 'answered' } } as const

test('tasks come again by their last result, once, and not before their interval', async () => {
  const ids = await called(100, [{}, BUSY, {}, TALKED])
  const order = { results: [2, 1], maxCallAttempts: 5, minCallIntervalHours: 6 }
  const counts = { recycledCount: 2, recycled: [{ result: 2, count: 2 }], skipped: [{ reason: 'TALKED', count: 1 }] }
  expect((await recycle({ ...order, dryRun: true })).body).toEqual({ dryRun: true, ...counts })
  expect((await recycle({ ...order, dryRun: true })).body).toEqual({ dryRun: true, ...counts })
  expect((await recycle(order)).body).toEqual({ dryRun: false, ...counts })
  const again = (await recycle(order)).body
  expect(again).toMatchObject({ recycledCount: 0 })
  expect(again.skipped).toContainEqual({ reason: 'DUPLICATE', count: 2 })
  const { body } = await world.search({ extCustIds: ['c100', 'c101'], finishedList: [false], detail: true })
  expect(body.callTasks).toMatchObject([
    { maxCallAttempts: 5, minCallIntervalHours: 6, callAttemptCount: 0, statusId: 1 },
  ])
  expect(Date.parse(body.callTasks[0].nextCallTs)).toBeGreaterThan(nowMs() + 5 * HOUR_MS)
  expect(ids).not.toContain(body.callTasks[0].itcaId)
  expect(await world.claim(await world.lease())).toEqual([])
})

test('nothing follows what was ended, expired or stopped, and talks only where they are asked for', async () => {
  const FAILED = { result: 'failed' } as const
  const [ended, , , talked] = await called(200, [FAILED, FAILED, FAILED, FAILED])
  await world.pools.jobs.query(`update call_tasks set status = 'endedBySystem' where id = $1`, [ended])
  await world.pools.jobs.query(`update call_tasks set status = 'expired' where external_customer = 'c201'`)
  await world.dialerRepository.addStop(OURS, { kind: 'number', number: numberOf(202) as PhoneNumber }, nowMs())
  const [other] = await called(203, [TALKED])
  expect(other).not.toBe(talked)
  const order = { results: [7], dryRun: true }
  const reasons = ['ENDED', 'EXPIRED', 'STOPPED'].map((reason) => ({ reason, count: 1 }))
  const { body } = await recycle({ results: [7], dryRun: true })
  expect(body.recycledCount).toBe(0)
  expect(body.skipped).toEqual(reasons)
  expect((await recycle({ ...order, finishedTo: new Date(0).toISOString() })).body.skipped).toEqual([])
  expect((await recycle({ results: [1], talked: true, dryRun: true })).body).toMatchObject({ recycledCount: 2 })
  expect(await recycle(order, THEIR_CAMPAIGN)).toMatchObject({ status: 404 })
})
