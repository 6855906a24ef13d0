/** Callers who wait while something happens to the agents of their team. */
import { expect, test } from 'vitest'
import { FlowRegistry } from '../../../src/engine/flow-registry.ts'
import type { AgentName, FlowName } from '../../../src/kernel/ids.ts'
import { CampaignWorld, INBOUND, STAYS } from '../../worlds/campaign-world.ts'
import { flowOf, staffOf } from '../../worlds/set-up.ts'
import { ANNA, Talk } from './one-talk.ts'

const BEN = 'ben' as AgentName
const FLOW = `flow: debtor-self-service
start: team
steps:
  team:
    queue: { team: collections, timeout: 20m }
    next: bye
    on: { failed: bye, closed: nobody }
  nobody: { hangup: { say: We are closed. } }
  bye: { hangup: { say: Goodbye. } }
`

test('whose agent does not answer, and whose team has no agents any more, does not wait for nobody', async () => {
  const world = new CampaignWorld({ teams: { collections: ['anna'] }, flow: FLOW })
  await world.start()
  const phone = world.pbx.agentPhone(ANNA, { does: 'ignore', afterMs: 0 })
  const person = { waitsMaxMs: 1_800_000 }
  const caller = world.pbx.callIn({ called: INBOUND, caller: '+4551000001', trunk: 'main', person })
  expect(await world.until(() => phone.rings > 0, 10_000)).toBe(true)
  const numbers = new Map([[INBOUND, { flow: 'debtor-self-service' as FlowName, language: undefined }]])
  world.engine.follow({ numbers, staff: staffOf({ collections: [], others: ['anna'] }) })
  expect(await world.until(() => caller.result !== undefined, 60_000)).toBe(true)
  expect(caller.ear.words).toContain('We are closed.')
})

test('who waits while a consulted colleague loses the phone is not given to that phone', async () => {
  const world = new CampaignWorld({ teams: { collections: ['anna', 'ben'] }, flow: FLOW })
  await world.start()
  await world.logIn('anna')
  const callIn = (caller: string) =>
    world.pbx.callIn({ called: INBOUND, caller, trunk: 'main', person: { waitsMaxMs: 1_800_000 } })
  const stateOf = (agent: string) =>
    world.engine.agentDesktop!.statuses().find((one) => one.agent === (agent as AgentName))?.state
  expect(await world.until(() => stateOf('anna') === 'ready', 60_000)).toBe(true)
  callIn('+4551000001')
  expect(await world.until(() => stateOf('anna') === 'talking', 60_000)).toBe(true)
  await world.logIn('ben')
  expect(await world.until(() => stateOf('ben') === 'ready', 60_000)).toBe(true)
  expect(await world.order('anna', { type: 'consult', to: { colleague: BEN } })).toEqual({ ok: true })
  const next = callIn('+4551000002')
  await world.run(10_000)
  const now = () => next.heard.filter(({ untilMs }) => untilMs === undefined).map(({ text }) => text)
  expect(now()).toEqual(['default'])
  const heard = next.heard.length
  world.pbx.agentPhone(BEN, { does: 'ignore', afterMs: 0 }).hangUp()
  await world.run(15_000)
  expect(next.heard.slice(heard)).toEqual([])
  expect(now()).toEqual(['default'])
  world.pbx.agentPhone(BEN, STAYS)
  expect(await world.until(() => now().includes('ben'), 60_000)).toBe(true)
})

test('a log-out that was asked for during a call outlives a crash', async () => {
  const talk = await new Talk().open(['anna'])
  expect(await talk.order({ type: 'logOut' })).toEqual({ ok: true })
  await talk.world.run(5_000)
  expect(talk.state('anna')).toBe('talking')
  await talk.world.crash()
  await talk.world.start()
  await talk.world.run(5_000)
  expect(talk.state('anna')).toBe('talking')
  talk.line(0)!.hangUp()
  expect(await talk.world.until(() => talk.state('anna') === undefined, 10_000)).toBe(true)
})

test('who waits is not given to an agent who did not look at the task that was offered', async () => {
  const world = new CampaignWorld({
    teams: { collections: ['anna'] },
    parts: () => ({ flows: new FlowRegistry([flowOf(FLOW)]) }),
  })
  await world.campaign({ dialMode: 'preview', previewSeconds: 30 })
  await world.import(1)
  await world.start()
  await world.logIn('anna')
  const state = () => world.engine.agentDesktop!.statuses().find(({ agent }) => agent === ANNA)
  expect(await world.until(() => state()?.state === 'reserved', 60_000)).toBe(true)
  const person = { waitsMaxMs: 1_800_000 }
  const caller = world.pbx.callIn({ called: INBOUND, caller: '+4551000001', trunk: 'main', person })
  await world.run(60_000)
  expect(state()).toMatchObject({ state: 'paused', reason: 'did not look at the task that was offered' })
  expect(caller.heard.map(({ text }) => text)).toEqual(['default'])
})
