/** Who still hears what an earlier engine said is let into no bridge until it is over (calls-and-flows-111). */
import { expect, test } from 'vitest'
import type { AgentName, PlaybackId } from '../../../src/kernel/ids.ts'
import { CampaignWorld, INBOUND, STAYS } from '../../worlds/campaign-world.ts'

const ANNA = 'anna' as AgentName
const FLOW = `flow: direct
start: team
steps:
  team: { queue: { team: collections, timeout: 10m }, next: bye, on: { failed: bye } }
  bye: { hangup: { say: Goodbye. } }
`

test('the agent is not paused for it, and talks to them as soon as it is over', async () => {
  const world = new CampaignWorld({ teams: { collections: [ANNA] }, flow: FLOW })
  await world.start()
  world.pbx.agentPhone(ANNA, STAYS)
  await world.logIn(ANNA)
  await world.run(5_000)
  await world.order(ANNA, { type: 'pause', reason: 'lunch' })
  const caller = world.pbx.callIn({ called: INBOUND, caller: '+4551234567', person: { waitsMaxMs: 600_000 } })
  await world.run(20_000)
  await world.crash()
  const leg = [...world.pbx.switch.legs.values()].find(({ kind }) => kind === 'arrived')!
  leg.player.play('sb-play-old' as PlaybackId, [{ file: '/sim/old', text: 'You are number one.', durationMs: 20_000 }])
  await world.start()
  world.engine.agentDesktop!.attach(ANNA, () => {})
  await world.run(2_000)
  await world.order(ANNA, { type: 'ready' })
  const status = () => world.engine.agentDesktop!.statuses()[0]
  const isPaused = () => status()?.state === 'paused'
  const talks = () => caller.heard.some(({ what, untilMs }) => what === 'person' && untilMs === undefined)
  expect(await world.until(() => talks() || isPaused(), 30_000)).toBe(true)
  await world.run(5_000)
  expect([status()?.state, talks()]).toEqual(['talking', true])
})
