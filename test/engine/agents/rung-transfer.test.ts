/** An agent who is not logged in, and whose phone was rung for a caller, leaves the caller with somebody else. */
import { expect, test } from 'vitest'
import type { AgentName } from '../../../src/kernel/ids.ts'
import { CampaignWorld, INBOUND, STAYS } from '../../worlds/campaign-world.ts'

const ANNA = 'anna' as AgentName
const BEN = 'ben' as AgentName
const EXPERT = '+4526900001'
const FLOW = `flow: direct
start: team
steps:
  team: { queue: { team: collections, timeout: 10m }, next: bye, on: { failed: bye } }
  bye: { hangup: { say: Goodbye. } }
`

async function talking(hasCrashed: boolean) {
  const world = new CampaignWorld({
    teams: { collections: ['anna'], experts: ['ben'] },
    flow: FLOW,
    transferCountries: ['DK'],
    parts: ({ dialer }) => ({ dialer: { ...dialer!, keepSupervised: async () => {} } }),
    contactOf: () => ({ does: 'answer', afterMs: 2_000, ringsAfterMs: 500, hangsUpAfterMs: 120_000 }),
  })
  await world.start()
  const phone = world.pbx.agentPhone(ANNA, STAYS)
  const person = { waitsMaxMs: 600_000 }
  const caller = world.pbx.callIn({ called: INBOUND, caller: '+4551234567', trunk: 'main', person })
  const stateOf = () => world.engine.agentStates().get(ANNA)
  expect(await world.until(() => stateOf() === 'talking')).toBe(true)
  await world.run(5_000)
  if (hasCrashed) {
    await world.crash()
    await world.start()
    await world.run(5_000)
  }
  const hears = () => caller.heard.filter(({ untilMs }) => untilMs === undefined).map(({ text }) => text)
  return { world, phone, caller, stateOf, hears }
}

test.each([
  ['of this engine', false],
  ['of an earlier engine', true],
])('their phone is free at once, and the two talk on: a caller %s', async (_, hasCrashed) => {
  const { world, phone, caller, stateOf, hears } = await talking(hasCrashed)
  expect(await world.order('anna', { type: 'transfer', to: { number: EXPERT } })).toEqual({ ok: true })
  expect(await world.until(() => hears().includes(EXPERT), 10_000)).toBe(true)
  expect(await world.until(() => !phone.isBusy && stateOf() === 'free', 10_000)).toBe(true)
  expect(world.engine.supervisions?.talks()).toEqual([])
  await world.run(60_000)
  expect([hears(), caller.result]).toEqual([[EXPERT], undefined])
  // The flow goes on when the number hangs up; that of an earlier engine's caller is over.
  expect(await world.until(() => caller.result !== undefined, 120_000)).toBe(true)
  expect(caller.ear.words.includes('Goodbye.')).toBe(!hasCrashed)
  expect(world.pbx.switch.bridges.size).toBe(0)
})

test.each([
  ['of this engine', 'transfer', false],
  ['of this engine, after words with them', 'consult', false],
  ['of an earlier engine', 'transfer', true],
] as const)('a colleague has the call, and the phone is free: a caller %s', async (_, type, hasCrashed) => {
  const { world, phone, caller, stateOf, hears } = await talking(hasCrashed)
  await world.logIn('ben')
  const ben = () => world.engine.agentDesktop!.statuses().find(({ agent }) => agent === BEN)?.state
  expect(await world.until(() => ben() === 'ready', 60_000)).toBe(true)
  expect(await world.order('anna', { type, to: { colleague: BEN } })).toEqual({ ok: true })
  if (type === 'consult') {
    expect(await world.until(() => hears().includes('default'), 10_000)).toBe(true)
    expect(await world.order('anna', { type: 'connect' })).toEqual({ ok: true })
  }
  expect(await world.until(() => !phone.isBusy && stateOf() === 'free', 10_000)).toBe(true)
  await world.run(60_000)
  expect([hears(), ben(), caller.result]).toEqual([['ben'], 'talking', undefined])
  caller.hangUp()
  expect(await world.until(() => ben() === 'ready', 10_000)).toBe(true)
  const { calls } = world.dialerRepository.view
  expect(await world.until(() => calls.size > 0, 30_000)).toBe(true)
  expect([...calls.values()]).toMatchObject([{ agent: 'ben', transfers: [{ to: 'ben', mode: 'attended' }] }])
  expect(world.pbx.switch.bridges.size).toBe(1)
})
