/** Agents' phones that vanish, and phones that are up and dumb: nobody is left alone with them (campaigns-86). */
import { expect, test } from 'vitest'
import type { AgentName } from '../../../src/kernel/ids.ts'
import type { Contact } from '../../../src/sim/person.ts'
import { CampaignWorld, INBOUND, STAYS } from '../../worlds/campaign-world.ts'
import { types } from '../../worlds/set-up.ts'

const SECOND_MS = 1_000
const TALKS: Contact = { does: 'answer', ringsAfterMs: 500, afterMs: 3_000 }

async function centre(agents: readonly string[], employed = agents): Promise<CampaignWorld> {
  const world = new CampaignWorld({ teams: { collections: employed }, contactOf: () => TALKS })
  await world.campaign()
  await world.start()
  for (const agent of agents) {
    await world.logIn(agent)
    await world.run(SECOND_MS)
  }
  return world
}

const phoneOf = (world: CampaignWorld, agent: string) => world.pbx.agentPhone(agent as AgentName, STAYS)
const callsOf = ({ dialerRepository }: CampaignWorld) => [...dialerRepository.view.calls.values()]
const callee = ({ pbx }: CampaignWorld) => pbx.carrier.calls.at(-1)!
const heardBy = ({ pbx }: CampaignWorld) =>
  (pbx.carrier.calls.at(-1)?.heard ?? []).map(({ what, text }) => `${what} ${text}`)
const WORDS = 'words One moment, please.'

/** Anna, who is idle for longest, talks to the callee. */
async function talking(agents: readonly string[]): Promise<CampaignWorld> {
  const world = await centre(agents)
  await world.import(1)
  expect(await world.until(() => heardBy(world).includes('person anna'), 60 * SECOND_MS)).toBe(true)
  await world.run(10 * SECOND_MS)
  return world
}

test('a callee whose agent vanishes hears words, and then the next agent', async () => {
  const world = await talking(['anna', 'ben'])
  const vanishedAtMs = world.clock.nowMs()
  phoneOf(world, 'anna').vanish()
  await world.run(10 * SECOND_MS)
  // Ben is free: the music is over as soon as it begins.
  expect(heardBy(world)).toEqual(['person anna', WORDS, 'music default', 'person ben'])
  const [music] = callee(world).heard.filter(({ what }) => what === 'music')
  expect(music!.untilMs! - music!.fromMs).toBeLessThan(SECOND_MS)
  expect(callee(world).heard.at(-1)!.fromMs - vanishedAtMs).toBeLessThan(5 * SECOND_MS)
  await world.order('ben', { type: 'hangUp' })
  await world.run(10 * SECOND_MS)
  expect(callsOf(world)).toMatchObject([{ result: 'answered', agent: 'ben', hungUpBy: 'agent' }])
})

test('the next agent has the call on the screen, and the first one has it no more', async () => {
  const world = await talking(['anna', 'ben'])
  phoneOf(world, 'anna').vanish()
  await world.run(10 * SECOND_MS)
  const seen = world.news.flatMap(({ agent, news: { type } }) => (type.startsWith('call') ? [`${agent} ${type}`] : []))
  expect(seen).toEqual(['anna call', 'anna callEnded', 'ben call'])
})

test('an agent whose phone is dead when the callee is passed on is not in the records', async () => {
  const world = await talking(['anna', 'ben'])
  for (const agent of ['anna', 'ben']) phoneOf(world, agent).vanish()
  await world.run(60 * SECOND_MS)
  expect(heardBy(world).filter((heard) => heard.startsWith('person'))).toEqual(['person anna'])
  expect(callsOf(world)).toMatchObject([{ result: 'answered', agent: 'anna' }])
})

test('without another agent the callee gets the same one, whose phone is back within seconds', async () => {
  const world = await talking(['anna'])
  phoneOf(world, 'anna').vanish()
  await world.run(4 * SECOND_MS)
  phoneOf(world, 'anna').returns()
  await world.run(15 * SECOND_MS)
  expect(heardBy(world).filter((heard) => heard.startsWith('person'))).toEqual(['person anna', 'person anna'])
  expect(heardBy(world)).toContain(WORDS)
})

test('a callee whose agent is given up, because the phone was lost once too often, gets the next agent', async () => {
  const world = await centre(['anna'], ['anna', 'ben'])
  const isAnnaReady = () => world.engine.agentDesktop!.statuses().some(({ state }) => state === 'ready')
  phoneOf(world, 'anna').vanish()
  await world.run(20 * SECOND_MS)
  phoneOf(world, 'anna').returns()
  expect(await world.until(isAnnaReady, 60 * SECOND_MS)).toBe(true)
  await world.import(1)
  expect(await world.until(() => heardBy(world).includes('person anna'), 20 * SECOND_MS)).toBe(true)
  await world.logIn('ben')
  await world.run(2 * SECOND_MS)
  phoneOf(world, 'anna').vanish()
  expect(await world.until(() => heardBy(world).includes('person ben'), 10 * SECOND_MS)).toBe(true)
  expect(
    world.news.find(({ agent, news }) => agent === 'anna' && JSON.stringify(news).includes('could not be called')),
  ).toBeDefined()
})

test('without any agent the callee hears words and an end: answered, and abandoned in no ledger', async () => {
  const world = await talking(['anna'])
  phoneOf(world, 'anna').vanish()
  const abandoned: number[] = []
  for (let second = 0; second < 60; second++) {
    await world.run(SECOND_MS)
    for (const { ledgers } of world.boards.values()) abandoned.push(...ledgers.map((ledger) => ledger.abandoned))
  }
  expect(Math.max(...abandoned)).toBe(0)
  expect(heardBy(world).filter((heard) => heard === WORDS).length).toBeGreaterThan(2)
  expect(heardBy(world).at(-1)).toMatch(/^words /)
  expect(callee(world).endedBy).toBe('switch')
  expect(callsOf(world)).toMatchObject([{ result: 'answered', agent: 'anna', hungUpBy: 'agent' }])
})

test('a phone that is dumb when the callee answers is passed over', async () => {
  const world = await centre(['anna', 'ben'])
  await world.import(1)
  await world.until(() => callee(world)?.rangAtMs !== undefined, 60 * SECOND_MS)
  await world.run(2 * SECOND_MS)
  phoneOf(world, 'anna').vanish()
  await world.run(10 * SECOND_MS)
  expect(heardBy(world)).toEqual([WORDS, 'person ben'])
  await world.order('ben', { type: 'hangUp' })
  await world.run(10 * SECOND_MS)
  expect(callsOf(world)).toMatchObject([{ result: 'answered', agent: 'ben' }])
})

test('a phone that answers again and sends no packet gets nobody, until packets come from it', async () => {
  const world = await centre(['anna', 'ben'])
  phoneOf(world, 'anna').mute()
  await world.run(3 * SECOND_MS)
  await world.import(3)
  expect(await world.until(() => world.pbx.carrier.calls.length === 1, 60 * SECOND_MS)).toBe(true)
  const talks = () => world.pbx.carrier.calls.flatMap(({ heard }) => heard.map(({ what, text }) => `${what} ${text}`))
  expect(await world.until(() => talks().length > 0, 20 * SECOND_MS)).toBe(true)
  expect(talks()).toEqual(['person ben'])
  expect(world.pbx.carrier.calls).toHaveLength(1)
  phoneOf(world, 'anna').returns()
  expect(await world.until(() => talks().includes('person anna'), 60 * SECOND_MS)).toBe(true)
  expect(talks()).toEqual(['person ben', 'person anna'])
})

test('an agent who logs in with a phone that sends no packet is told why they are out', async () => {
  const world = await centre([], ['anna'])
  phoneOf(world, 'anna').mute()
  await world.logIn('anna')
  await world.run(10 * SECOND_MS)
  const states = world.news.flatMap(({ news }) => (news.type === 'status' ? [news.status] : []))
  expect(states.map(({ state }) => state)).not.toContain('ready')
  expect(states.at(-1)).toMatchObject({ state: 'loggedOut', reason: 'the phone answered and sent no sound' })
})

test('where no phone sends a packet, the callee is dropped with words', async () => {
  const world = await centre(['anna'])
  await world.import(1)
  await world.until(() => callee(world)?.rangAtMs !== undefined, 60 * SECOND_MS)
  await world.run(2 * SECOND_MS)
  phoneOf(world, 'anna').vanish()
  await world.run(60 * SECOND_MS)
  expect(heardBy(world).filter((heard) => heard.startsWith('person'))).toEqual([])
  expect(heardBy(world)).toContain(WORDS)
  expect(callsOf(world)).toMatchObject([{ result: 'dropped' }])
})

test.for([
  ['who are logged in', true],
  ['whose phones are rung', false],
] as const)(
  'a caller whose agent vanishes hears words and gets the next agent, of those %s',
  async ([, isLoggedIn]) => {
    const world = await centre(isLoggedIn ? ['anna', 'ben'] : [], ['anna', 'ben'])
    const presses = [types('0', 'press 0', { into: true })]
    const caller = { called: INBOUND, caller: '+4551000001', person: { presses, hangsUpAfterMs: 60_000 } }
    const { ear } = world.pbx.callIn(caller)
    const talks = () => ear.heard.filter(({ what }) => what === 'person')
    expect(await world.until(() => talks().length === 1, 60 * SECOND_MS)).toBe(true)
    const first = talks()[0]!.text
    const beforeMs = world.clock.nowMs()
    phoneOf(world, first).vanish()
    expect(await world.until(() => talks().length === 2, 10 * SECOND_MS)).toBe(true)
    expect(new Set(talks().map(({ text }) => text))).toEqual(new Set(['anna', 'ben']))
    const words = ear.heard.filter(({ what, fromMs }) => what === 'words' && fromMs > beforeMs)
    expect(words.map(({ text }) => text)).toEqual(['One moment, please.'])
    await world.run(120 * SECOND_MS)
    expect(callsOf(world)).toMatchObject([{ direction: 'in', result: 'answered', hungUpBy: 'caller' }])
  },
)
