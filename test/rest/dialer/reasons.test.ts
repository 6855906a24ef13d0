/** Why call tasks are not being dialed: at every step each has one reason, and the reasons add up. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { CallTaskId } from '../../../src/kernel/ids.ts'
import { VirtualClock } from '../../support/virtual-clock.ts'
import {
  ANNA,
  CAMPAIGN,
  type DialerWorld,
  debtors,
  endOf,
  HOUR_MS,
  openDialerWorld,
  THEIR_CAMPAIGN,
} from './dialer-world.ts'

const NOON = Date.UTC(2026, 2, 4, 12)

let world: DialerWorld
let clock: VirtualClock

beforeAll(async () => {
  clock = new VirtualClock(NOON)
  world = await openDialerWorld({ clock })
})
afterAll(() => world.close())

async function reasons(campaign: number = CAMPAIGN) {
  const { status, body } = await world.call('GET', `/dialer/callcode/${campaign}/reasons`)
  expect(status).toBe(200)
  const sum = Object.values(body.reasons as Record<string, number>).reduce((before, one) => before + one, 0)
  const { rows } = await world.pools.jobs.query<{ open: number }>(
    `select count(*)::integer as open from call_tasks
      where campaign_id = $1 and status in ('new', 'waiting', 'callback')`,
    [campaign],
  )
  expect([sum, body.callTasks - body.finished - body.underWay]).toEqual([body.notDialed, rows[0]!.open])
  return body
}

const effect = async () => (await world.call('GET', `/dialer/callcode/${CAMPAIGN}/effect`)).body

test('add up from the import to the end of every call task', async () => {
  expect(await reasons()).toMatchObject({ callTasks: 0, notDialed: 0, reasons: {} })
  await world.importTasks(debtors(0, 6))
  expect(await reasons()).toMatchObject({ callTasks: 6, notDialed: 6, reasons: { due: 6 } })

  const lease = await world.lease()
  const only = (await world.search({ callCodes: [CAMPAIGN] })).body.callTasks.map(
    ({ itcaId }: { itcaId: number }) => itcaId,
  )
  const [ringing] = await world.claim(lease, CAMPAIGN, only[0])
  expect(await reasons()).toMatchObject({ underWay: 1, notDialed: 5, reasons: { due: 5 } })
  expect(await effect()).toMatchObject({ active: true, ringing: 1, answered: 0, waiting: 5, due: 5 })
  await world.dialerRepository.attemptConnected({ attempt: ringing!.id, fence: lease.fence, atMs: NOON, agent: ANNA })
  await world.dialerRepository.endAttempt(endOf(ringing!, lease, NOON + 60_000))
  expect(await reasons()).toMatchObject({ underWay: 0, notDialed: 6, reasons: { due: 5, notYet: 1 } })

  await world.dialerRepository.releaseTask(only[1] as CallTaskId, NOON + HOUR_MS, 'skipped')
  const callback = { atMs: NOON + 2 * HOUR_MS, askedByContact: true, agent: ANNA, nowMs: NOON }
  await world.dialerRepository.setCallback({ task: only[2] as CallTaskId, ...callback })
  expect((await world.call('PUT', `/v1/calltasks/${only[3]}/end`)).status).toBe(200)
  const now = await reasons()
  expect(now).toMatchObject({ callTasks: 6, notDialed: 6 - now.finished })
  expect(now.reasons).toMatchObject({ notYet: 1, callback: 1 })

  await world.call('POST', '/dialer/callcode', { callCode: CAMPAIGN, active: false })
  expect((await reasons()).reasons).toEqual({ campaignInactive: now.notDialed })
  expect(await effect()).toMatchObject({ active: false, ringing: 0, waiting: now.notDialed, due: now.reasons.due })
  await world.call('POST', '/dialer/callcode', { callCode: CAMPAIGN, active: true, startsAt: '2026-03-05T08:00:00Z' })
  expect((await reasons()).reasons).toEqual({ notStarted: now.notDialed })
  await world.call('POST', '/dialer/callcode', { callCode: CAMPAIGN, startsAt: null, endsAt: '2026-03-04T08:00:00Z' })
  expect((await reasons()).reasons).toEqual({ campaignInactive: now.notDialed })
  await world.call('POST', '/dialer/callcode', { callCode: CAMPAIGN, endsAt: null })
  clock.run(3 * HOUR_MS)
  expect((await reasons()).reasons).toEqual({ due: now.notDialed })
  await world.dialerRepository.setKillSwitch(true, 'test', clock.nowMs())
  expect((await reasons()).reasons).toEqual({ killSwitch: now.notDialed })
})

test('of another corporation are not found', async () => {
  expect((await world.call('GET', `/dialer/callcode/${THEIR_CAMPAIGN}/reasons`)).status).toBe(404)
  expect((await world.call('GET', `/dialer/callcode/${THEIR_CAMPAIGN}/effect`)).status).toBe(404)
})
