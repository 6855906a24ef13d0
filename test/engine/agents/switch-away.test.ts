/** The line to the switch is cut, or the switch is started again: what becomes of agents who are called meanwhile. */
import { expect, test } from 'vitest'
import type { AgentName } from '../../../src/kernel/ids.ts'
import { CampaignWorld, INBOUND, STAYS } from '../../worlds/campaign-world.ts'

const FLOW = `flow: direct
start: team
steps:
  team: { queue: { team: collections, timeout: 10m }, next: bye, on: { failed: bye } }
  bye: { hangup: { say: Goodbye. } }
`

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

test('an agent whose phone the switch could not ring gets the caller when it is back', async () => {
  const agents = ['anna', 'ben'] as AgentName[]
  const world = new CampaignWorld({ teams: { collections: agents }, flow: FLOW })
  await world.start()
  for (const agent of agents) world.pbx.agentPhone(agent, { does: 'ignore', afterMs: 0 })
  const caller = world.pbx.callIn({ called: INBOUND, caller: '+4551234567', person: { waitsMaxMs: 600_000 } })
  await world.run(10_000)
  // The first agent does not answer within 17 s, and the second is to be rung while the line is cut.
  world.pbx.cut(12_000)
  for (const agent of agents) world.pbx.agentPhone(agent, STAYS)
  await world.run(11_000)
  expect([...world.engine.agentStates().values()]).not.toContain('ringing')
  await world.run(5_000)
  expect(caller.heard.some(({ what, untilMs }) => what === 'person' && untilMs === undefined)).toBe(true)
})

test('an agent who could not be connected while the line was cut is not paused, and gets the caller', async () => {
  const code = 'gather: { prompt: Your code., digits: 4, firstDigitTimeout: 5s, tries: 1 }, as: code'
  const flow = FLOW.replace('start: team', 'start: code').replace(
    'steps:',
    `steps:\n  code: { ${code}, next: team, on: { noInput: team } }`,
  )
  const world = new CampaignWorld({ teams: { collections: ['anna'] }, flow })
  await world.start()
  await world.logIn('anna')
  await world.run(5_000)
  const caller = world.pbx.callIn({ called: INBOUND, caller: '+4551234567', person: { waitsMaxMs: 600_000 } })
  expect(await world.until(() => caller.ear.words.includes('Your code.'), 10_000)).toBe(true)
  await world.run(3_000)
  world.pbx.cut(12_000)
  await world.run(20_000)
  expect(world.engine.agentDesktop!.statuses()).toMatchObject([{ state: 'talking' }])
  expect(caller.heard.some(({ what, untilMs }) => what === 'person' && untilMs === undefined)).toBe(true)
})
