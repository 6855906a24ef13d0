/** A carrier that fails every call before a phone rings: who is called pays nothing for it (campaigns-43). */
import { describe, expect, test } from 'vitest'
import type { Contact } from '../../src/sim/person.ts'
import { CAMPAIGN, CampaignWorld, type CampaignWorldOptions } from './campaign-world.ts'

const MINUTE_MS = 60_000
const UNAVAILABLE: Contact = { does: 'fail', code: 503, afterMs: 300 }
const IGNORES: Contact = { does: 'ignore', ringsAfterMs: 500, afterMs: 0 }
const NAMES = ['anna', 'ben', 'cleo']

/** Three agents, a list; `isDown` says over which trunks calls fail. */
async function open(
  isDown: (trunk: string) => boolean,
  settings: object = {},
  options: CampaignWorldOptions = {},
  count = 400,
) {
  const world = new CampaignWorld({
    teams: { collections: NAMES },
    contactOf: (_, { trunk }) => (isDown(trunk) ? UNAVAILABLE : IGNORES),
    ...options,
  })
  await world.campaign({ frequencyCap: { calls: 1, days: 7 }, ringTimeoutSeconds: 15, ...settings })
  await world.import(count, undefined, { attemptsMax: 1, intervalMs: 24 * 60 * MINUTE_MS })
  await world.start()
  await world.logIn(...NAMES)
  return world
}

const attemptsOf = ({ dialerRepository }: CampaignWorld) => [...dialerRepository.view.attempts.values()]
const failedOf = (world: CampaignWorld) => attemptsOf(world).filter(({ result }) => result === 'failed')
const boardOf = (world: CampaignWorld) => world.boards.get(CAMPAIGN)!
const alarms = ({ logged }: CampaignWorld) => logged.filter((line) => line.includes('a carrier fails'))

test('an engine that stops before it knows whether a carrier is down counts the attempts', async () => {
  const world = await open(() => true, {}, {}, 2)
  await world.run(2_000)
  expect([world.pbx.carrier.invites.length, failedOf(world)]).toEqual([2, []])
  await world.during(world.engine.stop())
  expect(failedOf(world).map(({ counts }) => counts)).toEqual([true, true])
})

describe('while a carrier is down', () => {
  test('no attempt counts, one probe at a time goes out, and everybody is called when it is back', async () => {
    let isDown = false
    const world = await open(() => isDown)
    await world.run(2 * MINUTE_MS)
    isDown = true
    await world.run(60 * MINUTE_MS)
    const probes = failedOf(world).length
    expect(probes).toBeGreaterThan(300)
    expect(probes).toBeLessThan(60 * 12 + 20)
    expect(failedOf(world).filter(({ counts }) => counts)).toEqual([])
    expect(alarms(world).map((line) => JSON.parse(line))).toMatchObject([{ level: 50, trunk: 'main' }])
    expect(boardOf(world).placing.why).toBe('carrierFailing')
    expect(boardOf(world).carrierFailing).toMatchObject({ trunk: 'main' })
    expect(world.dialerRepository.view.campaigns.get(CAMPAIGN)!.active).toBe(true)
    isDown = false
    const backAtMs = world.clock.nowMs()
    await world.run(6 * MINUTE_MS)
    expect(boardOf(world).carrierFailing).toBeNull()
    const after = attemptsOf(world).filter(({ claimedAtMs }) => claimedAtMs > backAtMs)
    expect(after.length).toBeGreaterThan(40)
    expect(after.filter(({ result }) => result !== 'noAnswer' && result !== null)).toEqual([])
    const unharmed = [...world.dialerRepository.view.tasks.values()].filter(
      ({ attemptsCounted }) => attemptsCounted > 0,
    )
    const rang = world.pbx.carrier.calls.filter(({ rangAtMs }) => rangAtMs !== undefined)
    expect(unharmed.length).toBeLessThanOrEqual(rang.length)
  })

  test('who was called in vain is due again within minutes', async () => {
    let isDown = true
    const world = await open(() => isDown, {}, {}, 12)
    await world.until(() => alarms(world).length > 0)
    await world.run(1_000)
    isDown = false
    const first = failedOf(world).map(({ task }) => task)
    await world.run(7 * MINUTE_MS)
    const again = attemptsOf(world).filter(({ task, result }) => first.includes(task) && result === 'noAnswer')
    expect(first.length).toBeGreaterThan(0)
    expect(new Set(again.map(({ task }) => task))).toEqual(new Set(first))
  })

  test('the next trunk of the campaign takes over, and the first one is tried again', async () => {
    let isDown = false
    const trunks = ['main', 'spare']
    const world = await open((trunk) => isDown && trunk === 'main', { trunks }, { trunks })
    await world.run(MINUTE_MS)
    const over = (trunk: string) => world.pbx.carrier.invites.filter((invite) => invite.trunk === trunk).length
    expect(over('spare')).toBe(0)
    isDown = true
    await world.run(5 * MINUTE_MS)
    const spare = over('spare')
    expect(spare).toBeGreaterThan(20)
    isDown = false
    const backAtMs = world.clock.nowMs()
    const probed = () =>
      world.pbx.carrier.calls.some(({ invite, rangAtMs = 0 }) => invite.trunk === 'main' && rangAtMs > backAtMs)
    await world.until(probed)
    const before = over('spare')
    await world.run(3 * MINUTE_MS)
    expect([over('spare') - before, boardOf(world).carrierFailing]).toEqual([0, null])
  })

  test('a single failure on a carrier that works counts', async () => {
    let failures = 1
    const world = await open(() => failures-- > 0)
    await world.run(MINUTE_MS)
    expect(failedOf(world)).toMatchObject([{ counts: true }])
    expect(alarms(world)).toEqual([])
  })
})

test('the lines of a trunk stay its lines when the campaign changes its trunk', async () => {
  const trunks = ['main', 'spare']
  const world = await open(() => false, { trunk: 'main' }, { trunks, linesMax: 2 })
  await world.until(() => world.pbx.carrier.invites.length === 2)
  const stored = world.dialerRepository.view.campaigns.get(CAMPAIGN)!
  const use = async (trunk: string) => {
    const changed = { ...stored, settings: { ...stored.settings, trunk } }
    await world.during(world.dialerRepository.saveCampaign(changed, world.clock.nowMs()))
    await world.run(2_000)
  }
  const up = (trunk: string) =>
    world.pbx.carrier.calls.filter(({ invite, endedAtMs }) => invite.trunk === trunk && endedAtMs === undefined).length
  await use('spare')
  expect([up('main'), up('spare')]).toEqual([2, 1])
  await use('main')
  expect([up('main'), up('spare')]).toEqual([2, 1])
})
