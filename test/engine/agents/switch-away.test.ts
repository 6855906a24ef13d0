/** The line to the switch is cut, or the switch is started again: what becomes of agents who are called meanwhile. */
import { expect, test } from 'vitest'
import { CampaignWorld } from '../../worlds/campaign-world.ts'

test.each([8_000, 60_000])(
  '%i ms long no phone can be called: the agent is not logged out, and is ready soon',
  async (awayMs) => {
    const world = new CampaignWorld({ teams: { collections: ['anna'] } })
    await world.start()
    await world.logIn('anna')
    const state = () => world.engine.agentDesktop!.statuses()[0]?.state
    expect(await world.until(() => state() === 'ready', 10_000)).toBe(true)
    world.pbx.cut(awayMs)
    // As the page of a browser does that was loaded again.
    expect(await world.order('anna', { type: 'renewLeg' })).toEqual({ ok: true })
    await world.run(awayMs)
    const calls = world.news.filter(({ news }) => news.type === 'leg').length
    // The first at the log-in, and then after 0, 1, 3, 7, 15 s and so on.
    expect(calls).toBeLessThanOrEqual(5 + awayMs / 8_000)
    const refused = 'the telephone system takes no calls to the phone'
    expect(world.engine.agentDesktop!.statuses()).toMatchObject([{ state: 'calling', reason: refused }])
    expect(await world.until(() => state() === 'ready', 10_000)).toBe(true)
    expect(world.engine.agentDesktop!.statuses()[0]).not.toHaveProperty('reason')
    expect([...world.pbx.switch.legs.values()].map(({ name }) => name)).toEqual(['anna'])
  },
)

test('a browser that asks for its phone every 2 s changes nothing about the waits', async () => {
  const world = new CampaignWorld({ teams: { collections: ['anna'] } })
  await world.start()
  await world.logIn('anna')
  const state = () => world.engine.agentDesktop!.statuses()[0]?.state
  expect(await world.until(() => state() === 'ready', 10_000)).toBe(true)
  world.pbx.cut(60_000)
  for (let asked = 0; asked < 30; asked++) {
    expect(await world.order('anna', { type: 'renewLeg' })).toEqual({ ok: true })
    await world.run(2_000)
  }
  expect(world.news.filter(({ news }) => news.type === 'leg').length).toBeLessThan(14)
  expect(await world.until(() => state() === 'ready', 10_000)).toBe(true)
})

test('at a log-in of which the switch took no call, that is said, and not that the phone did not answer', async () => {
  const world = new CampaignWorld({ teams: { collections: ['anna'] } })
  await world.start()
  world.pbx.cut(60_000)
  await world.logIn('anna')
  await world.run(1_000)
  const [last] = world.news.flatMap(({ news }) => (news.type === 'status' ? [news.status] : [])).slice(-1)
  expect(last).toMatchObject({ state: 'loggedOut', reason: 'the telephone system takes no calls to the phone' })
})
