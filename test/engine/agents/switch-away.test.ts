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
    expect(state()).toBe('calling')
    expect(await world.until(() => state() === 'ready', 10_000)).toBe(true)
    expect([...world.pbx.switch.legs.values()].map(({ name }) => name)).toEqual(['anna'])
  },
)
