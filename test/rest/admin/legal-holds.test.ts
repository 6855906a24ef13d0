/** What a legal hold protects from retention, years later. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { eraseExpired } from '../../../src/core/workers/retention-worker.ts'
import { silentLog } from '../../../src/kernel/log.ts'
import { VirtualClock } from '../../support/virtual-clock.ts'
import { OURS } from '../rest-world.ts'
import { openWholeWorld, settle, type Tenant, type WholeWorld } from '../whole-world.ts'

const DAY_MS = 24 * 3_600_000
const DAYS = { recordings: 90, transcripts: 90, tasks: 90, calls: 90, activities: 90, contacts: 90, audit: 900 }
const [HELD, OTHER] = ['+4526100801', '+4526100802']

let world: WholeWorld
let us: Tenant

beforeAll(async () => {
  world = await openWholeWorld()
  us = await settle(world, OURS, 'p', 1)
})
afterAll(() => world.close())

const ask = async (method: string, path: string, body?: unknown) => {
  const reply = await world.call(method, path, body, { as: us.as })
  if (reply.status >= 300) throw new Error(reply.text)
  return reply.body
}

/** Retention as it runs so many days from now. */
function expire(days: number) {
  const { privacy, audit, flowEvents, keptBytes, clock } = world.parts
  const anchors = { keep: () => 0, read: () => [] }
  const parts = { privacy, audit, flowEvents, anchors, bytes: keptBytes, days: DAYS, log: silentLog }
  return eraseExpired({ ...parts, clock: new VirtualClock(clock.nowMs() + days * DAY_MS) })
}

test('a hold on a number keeps the call tasks that have it and no customer, until it is lifted', async () => {
  const { systemCode, callCode } = us.ids
  const order = { systemCode, callCode, maxCallAttempts: 3, minCallIntervalHours: 4 }
  const callTasks = [HELD, OTHER].map((number) => ({ callReceiverName: `At ${number}`, callNumberList: [number] }))
  const imported = await ask('POST', '/svcdialer/calltaskimport?returnImportedCallTasks=true', { ...order, callTasks })
  const itcaIds: number[] = imported.callTasks.map(({ itcaId }: { itcaId: number }) => itcaId)
  for (const itcaId of itcaIds) await ask('PUT', `/v1/calltasks/${itcaId}/end`)
  const names = async () => {
    const { callTasks: found } = await ask('POST', '/dialer/calltaskget', { itcaIds })
    return found.map(({ callReceiverName }: { callReceiverName: string }) => callReceiverName)
  }
  const { holdId } = await ask('POST', '/core/legalholds', { number: HELD, reason: 'a lawsuit' })
  await expire(91)
  expect(await names()).toEqual([`At ${HELD}`, ''])
  await ask('DELETE', `/core/legalholds/${holdId}`)
  await expire(91)
  expect(await names()).toEqual(['', ''])
})
