/** A change of teams, staff or campaign while phones ring harms no callee. */
import { expect, test } from 'vitest'
import type { TeamName } from '../../../src/kernel/ids.ts'
import type { Contact } from '../../../src/sim/person.ts'
import { CAMPAIGN, CampaignWorld, CORPORATION } from '../../worlds/campaign-world.ts'
import { staffOf } from '../../worlds/set-up.ts'

const MINUTE_MS = 60_000
const AGENTS = ['a1', 'a2', 'a3', 'a4', 'a5', 'a6']
const TEAMS = { collections: AGENTS, others: ['o1'] }
const ANSWERS: Contact = { does: 'answer', ringsAfterMs: 500, afterMs: 8_000, hangsUpAfterMs: 30_000 }
const RINGS: Contact = { does: 'ignore', ringsAfterMs: 500, afterMs: 0 }

/** Six agents, six phones that ring. */
async function ringing(contact: Contact = ANSWERS, settings: Readonly<Record<string, unknown>> = {}) {
  const world = new CampaignWorld({ teams: TEAMS, contactOf: () => contact, logLevel: 'warn' })
  await world.campaign(settings)
  await world.import(6)
  await world.start()
  await world.logIn(...AGENTS, 'o1')
  await world.until(() => world.pbx.carrier.calls.filter(({ rangAtMs }) => rangAtMs !== undefined).length === 6)
  return world
}

const results = (world: CampaignWorld) => [...world.dialerRepository.view.attempts.values()].map(({ result }) => result)
const follow = (world: CampaignWorld, teams: Readonly<Record<string, readonly string[]>>) =>
  world.engine.follow({ numbers: new Map(), staff: staffOf(teams) })

async function change(world: CampaignWorld, more: object) {
  const [stored] = await world.during(world.dialerRepository.campaigns())
  const { settings, id, name, externalSystem } = stored!
  const campaign = { id, name, corporation: CORPORATION, externalSystem: externalSystem!, active: true, settings }
  const team = 'collections' as TeamName
  await world.during(world.dialerRepository.saveCampaign({ ...campaign, team, ...more }, world.clock.nowMs()))
  await world.run(100)
}

test('five of six agents are moved to another team while six phones ring: all six callees get an agent', async () => {
  const world = await ringing()
  follow(world, { collections: ['a6'], others: ['o1', 'a1', 'a2', 'a3', 'a4', 'a5'] })
  await world.run(2 * MINUTE_MS)
  expect(results(world)).toEqual(Array(6).fill('answered'))
})

test('all six agents are moved away: no phone stops ringing, and all callees get an agent', async () => {
  const world = await ringing()
  follow(world, { collections: [], others: ['o1', ...AGENTS] })
  await world.run(2 * MINUTE_MS)
  expect(results(world)).toEqual(Array(6).fill('answered'))
})

test('the campaign gets another team while six phones ring: they are served by the former team', async () => {
  const world = await ringing()
  await change(world, { team: 'others' as TeamName })
  await world.run(2 * MINUTE_MS)
  expect(results(world)).toEqual(Array(6).fill('answered'))
})

test('the new team gets lines only when those of the former team are resolved', async () => {
  const world = await ringing()
  await change(world, { team: 'others' as TeamName })
  const more = { externalCustomer: 'late', numbers: [{ given: '+4522999999', number: '+4522999999' as never }] }
  await world.import(1, () => more)
  await world.run(4_000)
  expect(results(world)).toHaveLength(6)
  await world.until(() => results(world).length === 7)
  await world.run(MINUTE_MS)
  const last = [...world.dialerRepository.view.attempts.values()].at(-1)
  expect(last).toMatchObject({ result: 'answered', agent: 'o1' })
})

test('the phones of a paused campaign ring out, and nothing new is dialed', async () => {
  const world = await ringing({ ...RINGS }, { ringTimeoutSeconds: 20 })
  const callee = 'next'
  await world.import(1, () => ({ externalCustomer: callee, numbers: [{ given: 'x', number: '+4522999999' as never }] }))
  await change(world, { active: false })
  await world.run(2 * MINUTE_MS)
  expect(results(world)).toEqual(Array(6).fill('noAnswer'))
  const rang = world.pbx.carrier.calls.map(({ rangAtMs, endedAtMs }) => (endedAtMs ?? 0) - (rangAtMs ?? 0))
  expect(Math.min(...rang)).toBeGreaterThan(15_000)
})

test('a callee who answers the phone of a paused campaign gets an agent', async () => {
  const world = await ringing()
  await change(world, { active: false })
  await world.run(2 * MINUTE_MS)
  expect(results(world)).toEqual(Array(6).fill('answered'))
})

test('the kill switch cuts the phones that ring', async () => {
  const world = await ringing(RINGS)
  await world.during(world.dialerRepository.setKillSwitch(true, 'supervisor', world.clock.nowMs()))
  await world.run(20_000)
  expect(new Set(results(world))).toEqual(new Set(['cancelled']))
})

test('a line that the switch refuses while it is being cancelled is over, and its agent is free', async () => {
  const pbx = { latencyMs: [400, 400] } as const
  const world = new CampaignWorld({ teams: TEAMS, contactOf: () => RINGS, logLevel: 'warn', pbx })
  await world.campaign({ dialMode: 'manual' })
  await world.import(1)
  await world.start()
  await world.logIn('a1')
  await world.run(10_000)
  world.pbx.switch.dial = () => 'refused'
  const [task] = [...world.dialerRepository.view.tasks.keys()]
  expect(await world.order('a1', { type: 'dial', task: task! })).toEqual({ ok: true })
  expect(await world.order('a1', { type: 'hangUp' })).toEqual({ ok: true })
  await world.run(20_000)
  expect([...world.dialerRepository.view.attempts.values()]).toMatchObject([{ result: 'cancelled', counts: false }])
  expect(world.engine.agentDesktop!.statuses().map(({ state }) => state)).toEqual(['ready'])
})

test('a line that was claimed and not yet dialed when the campaign was paused is not dialed', async () => {
  const world = new CampaignWorld({ teams: TEAMS, contactOf: () => ANSWERS, logLevel: 'warn' })
  await world.campaign()
  await world.import(1)
  await world.start()
  const { dialer } = world.engine
  await world.logIn('a1')
  const run = dialer!.campaigns.get(CAMPAIGN)!
  await world.until(() => run.claiming > 0)
  run.campaign = { ...run.campaign, isActive: false }
  await world.run(MINUTE_MS)
  expect(world.pbx.carrier.calls).toHaveLength(0)
})

test('at endsAt nothing more is dialed, ringing phones ring out, and the campaign says why it is paused', async () => {
  const world = new CampaignWorld({ teams: TEAMS, contactOf: () => ANSWERS, logLevel: 'warn' })
  const endsAtMs = world.clock.nowMs() + MINUTE_MS
  await world.campaign({ endsAt: new Date(endsAtMs).toISOString() })
  await world.import(60)
  await world.start()
  await world.logIn(...AGENTS)
  await world.run(3 * MINUTE_MS)
  const attempts = [...world.dialerRepository.view.attempts.values()]
  expect(attempts.length).toBeGreaterThan(6)
  expect(Math.max(...attempts.map(({ dialedAtMs }) => dialedAtMs ?? 0))).toBeLessThan(endsAtMs)
  expect(new Set(results(world))).toEqual(new Set(['answered']))
  const [stored] = await world.during(world.dialerRepository.campaigns())
  expect(stored).toMatchObject({ active: false, pausedReason: expect.stringContaining('endsAt') })
})

test('the order to slow down to one line per idle agent holds until its end', async () => {
  const world = new CampaignWorld({ teams: TEAMS, contactOf: () => RINGS, logLevel: 'warn' })
  const untilAtMs = world.clock.nowMs() + 2 * MINUTE_MS
  const slowDown = { oneToOne: true, until: new Date(untilAtMs).toISOString() }
  await world.campaign({ dialMode: 'power', linesPerAgent: 3, maxAbandonRate: 0.03, slowDown, ringTimeoutSeconds: 60 })
  await world.import(60)
  await world.start()
  await world.logIn(...AGENTS)
  await world.run(MINUTE_MS)
  const run = world.engine.dialer!.campaigns.get(CAMPAIGN)!
  expect(results(world)).toHaveLength(6)
  expect(run.pace.placing).toMatchObject({ lines: 0, why: 'slowedDown' })
})
