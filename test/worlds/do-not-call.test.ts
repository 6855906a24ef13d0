/** "Never call me again": the order `doNotCall` at an agent's socket, and the step of a flow (campaigns-57, 71). */
import { afterEach, expect, test } from 'vitest'
import type { CampaignId, PhoneNumber } from '../../src/kernel/ids.ts'
import type { Contact } from '../../src/sim/person.ts'
import { type AgentScreen, openScreen } from './agent-screen.ts'
import { CAMPAIGN, CampaignWorld, CORPORATION, INBOUND, numberOf, SYSTEM } from './campaign-world.ts'
import { types } from './set-up.ts'

const MINUTE_MS = 60_000
const OK = { ok: true }
const OTHER_CAMPAIGN = (CAMPAIGN + 1) as CampaignId
const WORDS = { type: 'doNotCall', reason: 'never call me again' }
let screen: AgentScreen | undefined

afterEach(async () => {
  await screen?.close()
  screen = undefined
})

/** One person with two cases in two campaigns, each with a number of its own. */
async function twoCases(contactOf: (number: PhoneNumber) => Contact, more: object = {}): Promise<CampaignWorld> {
  const world = new CampaignWorld({ teams: { collections: ['anna'] }, contactOf, ...more })
  for (const [place, campaign] of [CAMPAIGN, OTHER_CAMPAIGN].entries()) {
    await world.campaign({}, campaign)
    const numbers = [{ given: '', number: numberOf(place) }]
    await world.import(1, () => ({ numbers }), { campaign, importId: `case ${place}`, intervalMs: 2 * MINUTE_MS })
  }
  await world.start()
  screen = await openScreen(world, 'anna')
  return world
}

const TALKS: Contact = { does: 'answer', ringsAfterMs: 500, afterMs: 3_000, hangsUpAfterMs: 30_000 }
const RINGS: Contact = { does: 'ignore', ringsAfterMs: 500, afterMs: 0 }
const stateOf = ({ engine }: CampaignWorld) => engine.agentDesktop?.statuses()[0]?.state
const talking = async (world: CampaignWorld) =>
  expect(await world.until(() => stateOf(world) === 'talking', 5 * MINUTE_MS)).toBe(true)
const statusesOf = ({ dialerRepository }: CampaignWorld) =>
  [...dialerRepository.view.tasks.values()].map(({ status }) => status)
const isStopped = (world: CampaignWorld, number: PhoneNumber) =>
  world.during(world.dialerRepository.isStopped(CORPORATION, { kind: 'number', number }))

test('in a call it ends all tasks of the person at once, in every campaign, and the talk goes on', async () => {
  const world = await twoCases(() => TALKS)
  await talking(world)
  expect(await screen!.order(WORDS)).toMatchObject(OK)
  await world.run(2_000)
  expect(stateOf(world)).toBe('talking')
  expect(statusesOf(world)).toEqual(['stopped', 'stopped'])
  await world.run(20 * MINUTE_MS)
  expect(world.pbx.carrier.invites).toHaveLength(1)
  const person = { kind: 'person', externalSystem: SYSTEM, externalCustomer: 'c0' } as const
  expect(await world.during(world.dialerRepository.isStopped(CORPORATION, person))).toBe(true)
})

test('after the call it takes back what rings at the person', async () => {
  const world = await twoCases((number) => (number === numberOf(0) ? TALKS : RINGS))
  await talking(world)
  const [callId] = await screen!.calls()
  expect(await world.until(() => world.pbx.carrier.invites.length === 2, 10 * MINUTE_MS)).toBe(true)
  await world.run(2_000)
  const ringing = world.pbx.carrier.calls.at(-1)!
  expect(ringing.endedAtMs).toBeUndefined()
  const saidAtMs = world.clock.nowMs()
  expect(await screen!.order({ ...WORDS, callId })).toMatchObject(OK)
  await world.run(2_000)
  expect(ringing.endedAtMs! - saidAtMs).toBeLessThanOrEqual(2_000)
  expect(statusesOf(world)).toContain('stopped')
})

test('survives an outage of the database', async () => {
  const world = await twoCases(() => TALKS)
  await talking(world)
  const fromAtMs = world.clock.nowMs()
  world.dialerRepository.away = [{ fromAtMs, untilAtMs: fromAtMs + 5 * MINUTE_MS }]
  expect(await screen!.order(WORDS)).toMatchObject(OK)
  await world.run(MINUTE_MS)
  expect(world.spool).toContainEqual(
    expect.objectContaining({
      what: 'doNotCall',
      value: expect.objectContaining({ number: numberOf(0), by: 'anna', reason: WORDS.reason }),
    }),
  )
  await world.run(20 * MINUTE_MS)
  expect(await isStopped(world, numberOf(0))).toBe(true)
  expect(world.pbx.carrier.invites).toHaveLength(1)
})

test('after the talk it takes back the callback that was promised in it, at whichever number', async () => {
  const world = new CampaignWorld({ teams: { collections: ['anna'] }, contactOf: () => TALKS })
  await world.campaign()
  const numbers = [0, 1].map(numberOf).map((number) => ({ given: '', number }))
  await world.during(
    world.dialerRepository.importCallTasks({
      importId: 'of nobody',
      campaign: CAMPAIGN,
      externalSystem: SYSTEM,
      attemptsMax: 3,
      intervalMs: 2 * MINUTE_MS,
      stoppedNumbers: 'reject',
      atMs: world.clock.nowMs(),
      callTasks: [{ index: 0, receiverName: 'Somebody', numbers, externalCaseNumber: 'a case', properties: [] }],
    }),
  )
  await world.start()
  screen = await openScreen(world, 'anna')
  await talking(world)
  const [callId] = await screen.calls()
  const atMs = world.clock.nowMs() + 5 * MINUTE_MS
  expect(await world.order('anna', { type: 'callback', atMs, askedByContact: true })).toEqual(OK)
  await world.run(2 * MINUTE_MS)
  expect(statusesOf(world)).toEqual(['answered', 'callback'])
  expect(await screen.order({ ...WORDS, callId })).toMatchObject(OK)
  await world.run(30 * MINUTE_MS)
  expect(statusesOf(world)).toEqual(['answered', 'stopped'])
  expect(world.pbx.carrier.invites).toHaveLength(1)
})

test('of a caller stops the number alone', async () => {
  const world = await twoCases(() => RINGS)
  world.pbx.callIn({
    called: INBOUND,
    caller: '+4551000001',
    person: { presses: [types('0', 'press 0', { into: true })], hangsUpAfterMs: 5 * MINUTE_MS },
  })
  await talking(world)
  const [callId] = await screen!.calls()
  expect(await screen!.order({ ...WORDS, callId })).toMatchObject(OK)
  await world.run(2_000)
  expect(await isStopped(world, '+4551000001' as PhoneNumber)).toBe(true)
  expect(await isStopped(world, numberOf(0))).toBe(false)
})

const FLOW = `
flow: never-again
start: ask
steps:
  ask:
    menu: { prompt: "Press 9, and we never call you again.", keys: { "9": stop } }
    on: { noInput: bye, invalid: bye, failed: bye }
  stop: { doNotCall: { reason: "pressed 9" }, next: done, on: { noNumber: sorry, failed: sorry } }
  done: { hangup: { say: "We will not call you again." } }
  sorry: { hangup: { say: "We cannot see your number." } }
  bye: { hangup: {} }
`

test('a flow stops the number of a caller who asks for it, and what rings there', async () => {
  const world = await twoCases(() => RINGS, { flow: FLOW })
  const caller = numberOf(1)
  await world.run(1_000)
  const person = { presses: [types('9', 'Press 9', { into: true })] }
  const withheld = world.pbx.callIn({ called: INBOUND, person })
  const known = world.pbx.callIn({ called: INBOUND, caller, person })
  await world.run(MINUTE_MS)
  const heard = (one: typeof known) => one.heard.map(({ text }) => text).join(' ')
  expect(heard(known)).toContain('We will not call you again.')
  expect(heard(withheld)).toContain('We cannot see your number.')
  expect(await isStopped(world, caller)).toBe(true)
  expect(statusesOf(world)[1]).toBe('stopped')
  await world.run(30 * MINUTE_MS)
  expect(world.pbx.carrier.invites.filter(({ number }) => number === caller)).toHaveLength(0)
})
