/** Callers whose conversation an earlier engine connected, and whose agent's phone is then lost for good. */
import { expect, test } from 'vitest'
import type { AgentName } from '../../../src/kernel/ids.ts'
import { CampaignWorld, INBOUND, STAYS } from '../../worlds/campaign-world.ts'

const CALLER = '+4551234567'
const FLOW = `flow: direct
start: welcome
steps:
  welcome: { play: Welcome., next: team }
  team: { queue: { team: collections, timeout: 10m }, next: bye, on: { failed: bye } }
  bye: { hangup: { say: Goodbye. } }
`

/** The caller talks with the agent whom an earlier engine connected. */
async function kept(isLoggedIn: boolean, phoneGraceMs?: number) {
  const world = new CampaignWorld({
    teams: { collections: ['anna', 'ben'] },
    flow: FLOW,
    recording: { mode: 'always', isTranscribed: true },
    ...(phoneGraceMs !== undefined && { phoneGraceMs }),
  })
  await world.start()
  const anna = world.pbx.agentPhone('anna' as AgentName, STAYS)
  world.pbx.agentPhone('ben' as AgentName, { does: 'ignore', afterMs: 0 })
  if (isLoggedIn) await world.logIn('anna')
  const person = { waitsMaxMs: 600_000 }
  const caller = world.pbx.callIn({ called: INBOUND, caller: CALLER, trunk: 'main', person })
  const hears = () => caller.heard.filter(({ untilMs }) => untilMs === undefined).map(({ text }) => text)
  expect(await world.until(() => hears().includes('anna'), 60_000)).toBe(true)
  await world.run(10_000)
  await world.crash()
  await world.start()
  world.engine.agentDesktop!.attach('anna' as AgentName, (news) =>
    world.news.push({ agent: 'anna' as AgentName, news, atMs: world.clock.nowMs() }),
  )
  await world.run(5_000)
  expect(hears()).toEqual(['anna'])
  return { world, anna, caller, hears }
}

test.each([
  ['a SIP phone', true, undefined],
  ['a browser', true, 15_000],
  ['a phone that was rung', false, undefined],
] as const)(
  'they wait with music for the next agent, and are one call in the record: %s',
  async (_, isLoggedIn, graceMs) => {
    const { world, anna, caller, hears } = await kept(isLoggedIn, graceMs)
    anna.vanish()
    expect(await world.until(() => hears().includes('default'), 60_000)).toBe(true)
    await world.run(30_000)
    expect([hears(), caller.result, caller.ear.words.split('Welcome').length - 1]).toEqual([['default'], undefined, 1])
    expect(world.news.findLast(({ news }) => news.type.startsWith('call'))?.news).toMatchObject({ type: 'callEnded' })
    world.pbx.agentPhone('ben' as AgentName, STAYS)
    await world.logIn('ben')
    expect(await world.until(() => hears().includes('ben'), 60_000)).toBe(true)
    await world.run(10_000)
    caller.hangUp()
    const { calls } = world.dialerRepository.view
    expect(await world.until(() => calls.size > 0, 30_000)).toBe(true)
    expect([...calls.values()]).toMatchObject([
      { result: 'answered', agent: 'ben', hungUpBy: 'caller', recordings: [{ state: 'ready' }, { state: 'ready' }] },
    ])
    expect(world.pbx.switch.bridges.size).toBe(1)
  },
)

test.each([
  ['a SIP phone', undefined],
  ['a browser', 15_000],
] as const)(
  'their agent loses the phone while no engine runs: the two find each other again: %s',
  async (_, graceMs) => {
    const { world, anna, caller, hears } = await kept(true, graceMs)
    await world.crash()
    anna.vanish()
    await world.run(4_000)
    anna.returns()
    await world.start()
    world.engine.agentDesktop!.attach('anna' as AgentName, () => {})
    const state = () => world.engine.agentDesktop!.statuses()[0]?.state
    expect(await world.until(() => hears().includes('anna') && state() === 'talking', 30_000)).toBe(true)
    caller.hangUp()
    await world.run(10_000)
    expect(state()).toBe('ready')
    expect(world.pbx.switch.bridges.size).toBe(1)
  },
)
