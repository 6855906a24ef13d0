/** What agents do while the database is away, and the next engine. */
import { expect, test } from 'vitest'
import type { AgentName } from '../../../src/kernel/ids.ts'
import { CampaignWorld, STAYS } from '../../worlds/campaign-world.ts'

const ANNA = 'anna' as AgentName
const MINUTE_MS = 60_000

async function atWork() {
  const world = new CampaignWorld({ teams: { collections: ['anna'] } })
  await world.campaign({})
  await world.start()
  await world.order('anna', { type: 'logIn' })
  const state = () => world.engine.agentDesktop!.statuses().find(({ agent }) => agent === ANNA)?.state
  expect(await world.until(() => state() === 'ready', MINUTE_MS)).toBe(true)
  await world.run(5_000)
  return { world, state, phone: world.pbx.agentPhone(ANNA, STAYS) }
}

test.each([
  ['a moment', 4_000],
  ['longer than the lease', 5 * MINUTE_MS],
])('who logs out while the database is away for %s is not at work after a restart', async (_, awayMs) => {
  const { world, state, phone } = await atWork()
  const fromAtMs = world.clock.nowMs()
  world.dialerRepository.away = [{ fromAtMs, untilAtMs: fromAtMs + awayMs }]
  await world.run(awayMs / 2)
  expect(await world.order('anna', { type: 'logOut' })).toEqual({ ok: true })
  expect(await world.until(() => state() === undefined, 1_000)).toBe(true)
  await world.run(awayMs + MINUTE_MS)
  await world.crash()
  const { rings } = phone
  await world.start()
  await world.run(2 * MINUTE_MS)
  expect([state(), phone.rings]).toEqual([undefined, rings])
})
