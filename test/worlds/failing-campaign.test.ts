import { describe, expect, test } from 'vitest'
import type { PhoneNumber } from '../../src/kernel/ids.ts'
import type { Contact } from '../../src/sim/person.ts'
import { CAMPAIGN, CampaignWorld, type CampaignWorldOptions } from './campaign-world.ts'

const MINUTE_MS = 60_000
const NO_SUCH_NUMBER: Contact = { does: 'fail', code: 404, afterMs: 300 }
const FORBIDDEN: Contact = { does: 'fail', code: 403, afterMs: 300 }
const REJECTS: Contact = { does: 'reject', afterMs: 2_000, ringsAfterMs: 500 }
const HANGS_UP: Contact = { does: 'answer', afterMs: 2_000, ringsAfterMs: 500, hangsUpAfterMs: 400 }
const TALKS: Contact = { does: 'answer', afterMs: 2_000, ringsAfterMs: 500, hangsUpAfterMs: 60_000 }
const BUSY: Contact = { does: 'busy', afterMs: 800 }
const FAILURES = 31

/** Three agents and a list of 150; everybody on it is as `contactOf` says, by their place. */
async function open(contactOf: (place: number) => Contact, options: CampaignWorldOptions = {}, settings = {}) {
  const place = (number: PhoneNumber) => (Number(number.slice(3)) - 22_100_000) / 7
  const world = new CampaignWorld({
    teams: { collections: ['anna', 'ben', 'cleo'] },
    contactOf: (number) => contactOf(place(number)),
    ...options,
  })
  await world.campaign(settings)
  await world.import(150)
  await world.start()
  await world.logIn('anna', 'ben', 'cleo')
  return world
}

const storedOf = ({ dialerRepository }: CampaignWorld) => dialerRepository.view.campaigns.get(CAMPAIGN)!
const invitesOf = ({ pbx }: CampaignWorld) => pbx.carrier.invites.length
const activate = (world: CampaignWorld) =>
  world.during(world.dialerRepository.saveCampaign({ ...storedOf(world), active: true }, world.clock.nowMs()))
const isPaused = (world: CampaignWorld) => world.until(() => !storedOf(world).active, 60 * MINUTE_MS)

describe('a campaign pauses itself (F-F7)', () => {
  test.each([
    ['numbers that do not exist', NO_SUCH_NUMBER, 'no such number'],
    ['a caller id that people or networks refuse', REJECTS, 'rejected'],
    ['a caller id that the carrier forbids', FORBIDDEN, 'not put through'],
    ['people who hang up at once', HANGS_UP, 'hung up within a second'],
  ])('for %s', async (_, contact, words) => {
    const world = await open(() => contact)
    expect(await isPaused(world)).toBe(true)
    const most = FAILURES + 3
    expect(invitesOf(world)).toBeGreaterThanOrEqual(FAILURES)
    expect(invitesOf(world)).toBeLessThanOrEqual(most)
    expect(storedOf(world).pausedReason).toBe(`31 of its last 31 calls failed: 31 ${words}`)
    const timers = world.logged.filter((line) =>
      line.includes('a campaign paused itself: too many of its calls failed'),
    )
    expect(timers.map((line) => JSON.parse(line))).toMatchObject([{ level: 50, campaign: CAMPAIGN }])
    await world.run(3 * 60 * MINUTE_MS)
    expect(invitesOf(world)).toBeLessThanOrEqual(most)
  })

  test('not for busy lines, no answers and machines', async () => {
    const machine: Contact = { ...TALKS, voice: 'machine' }
    const kinds: Contact[] = [BUSY, { does: 'ignore', ringsAfterMs: 500, afterMs: 0 }, machine, BUSY]
    const settings = { machineDetection: { enabled: true, maxErrorPercent: 100 }, ringTimeoutSeconds: 15 }
    const world = await open((place) => kinds[place % kinds.length]!, {}, settings)
    await world.run(50 * MINUTE_MS)
    expect(invitesOf(world)).toBeGreaterThan(140)
    expect(storedOf(world)).toMatchObject({ active: true })
  })

  test('not for a carrier that is down for all calls: dialing continues when it is back', async () => {
    const world = await open(() => BUSY)
    await world.run(5_000)
    const trunk = world.pbx.carrier.trunks.get('main')!
    trunk.isDown = true
    await world.run(5 * MINUTE_MS)
    expect(world.dialerRepository.view.attempts.size).toBeGreaterThan(FAILURES + 20)
    expect(storedOf(world)).toMatchObject({ active: true })
    trunk.isDown = false
    const before = invitesOf(world)
    await world.run(5 * MINUTE_MS)
    expect(invitesOf(world)).toBeGreaterThan(before + 20)
  })

  test('and conversations and ringing lines continue', async () => {
    const world = await open((place) => (place === 0 || place === 30 ? TALKS : NO_SUCH_NUMBER))
    await isPaused(world)
    await world.run(5 * MINUTE_MS)
    const results = [...world.dialerRepository.view.attempts.values()].map(({ result }) => result)
    expect(results.filter((result) => result === 'answered')).toHaveLength(2)
    const talked = world.pbx.carrier.calls.filter(({ answeredAtMs }) => answeredAtMs !== undefined)
    expect(talked.map(({ endedBy }) => endedBy)).toEqual(['contact', 'contact'])
  })

  test.each([1, 2])('at once: no line is placed while the records are told (%i)', async (seed) => {
    const settings = { dialMode: 'power', linesPerAgent: 3 }
    const options = { seed, records: { latencyMs: [700, 900] } } as const
    const world = await open(
      (place) => ({ ...NO_SUCH_NUMBER, afterMs: 100 + ((place * 637) % 3_000) }),
      options,
      settings,
    )
    await isPaused(world)
    await world.run(10 * MINUTE_MS)
    const { calls } = world.pbx.carrier
    const failedAtMs = calls.map(({ endedAtMs }) => endedAtMs!).sort((a, b) => a - b)[FAILURES - 1]!
    expect(calls.filter(({ invite }) => invite.atMs > failedAtMs + 50)).toEqual([])
  })

  test('also while the database is unavailable, and the pause is written in the end', async () => {
    const world = await open(() => NO_SUCH_NUMBER)
    for (let times = 0; times < 20; times++) world.dialerRepository.strikeNext('pauseCampaign', 'before')
    await world.until(() => invitesOf(world) >= FAILURES)
    await world.run(3_000)
    expect(storedOf(world).active).toBe(true)
    const before = invitesOf(world)
    expect(await isPaused(world)).toBe(true)
    await world.run(10 * MINUTE_MS)
    expect(invitesOf(world)).toBe(before)
  })
})

describe('a campaign that paused itself', () => {
  test('starts a new count when a supervisor activates it, and pauses again if calls still fail', async () => {
    const world = await open(() => NO_SUCH_NUMBER)
    await isPaused(world)
    await world.run(MINUTE_MS)
    const before = invitesOf(world)
    await activate(world)
    expect(storedOf(world).pausedReason).toBeUndefined()
    expect(await isPaused(world)).toBe(true)
    expect(invitesOf(world) - before).toBeGreaterThanOrEqual(FAILURES)
    expect(invitesOf(world) - before).toBeLessThanOrEqual(FAILURES + 3)
  })

  test('continues dialing after the activation with a good list', async () => {
    let isGood = false
    const world = await open(() => (isGood ? BUSY : NO_SUCH_NUMBER))
    await isPaused(world)
    isGood = true
    await world.run(MINUTE_MS)
    const before = invitesOf(world)
    await activate(world)
    await world.run(20 * MINUTE_MS)
    expect(storedOf(world).active).toBe(true)
    expect(invitesOf(world)).toBeGreaterThan(before + 60)
  })

  test('survives an engine change: earlier attempts count', async () => {
    const world = await open(() => NO_SUCH_NUMBER)
    await world.until(() => invitesOf(world) >= 20)
    await world.crash()
    await world.run(5_000)
    await world.start()
    expect(await isPaused(world)).toBe(true)
    expect(invitesOf(world)).toBeLessThanOrEqual(FAILURES + 6)
  })
})
