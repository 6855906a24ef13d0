/** Ledgers of several campaigns: on one team, and of one client. */
import { expect, test } from 'vitest'
import type { CampaignId } from '../../../src/kernel/ids.ts'
import type { Contact } from '../../../src/sim/person.ts'
import { CAMPAIGN, CampaignWorld, numberOf } from '../../worlds/campaign-world.ts'

const TALKS: Contact = { does: 'answer', ringsAfterMs: 500, afterMs: 3_000, hangsUpAfterMs: 30_000 }
const RINGS: Contact = { does: 'ignore', ringsAfterMs: 500, afterMs: 0 }
const SECOND = (CAMPAIGN + 1) as CampaignId
const NAMES = Array.from({ length: 8 }, (_, place) => `agent-${place}`)

async function open(teams: Readonly<Record<string, readonly string[]>>, settings: object): Promise<CampaignWorld> {
  const contactOf = (number: string) => (((Number(number.slice(3)) - 22_100_000) / 7) % 5 < 2 ? TALKS : RINGS)
  const world = new CampaignWorld({ teams, logLevel: 'warn', contactOf })
  const [first, second = first] = Object.keys(teams)
  for (const [place, team] of [first!, second!].entries()) {
    const campaign = (CAMPAIGN + place) as CampaignId
    await world.campaign({ dialMode: 'predictive', wrapUpSeconds: 1, ...settings }, campaign, team)
    const numbersOf = (index: number) => [{ given: '', number: numberOf(place * 1_000 + index) }]
    const change = (index: number) => ({ numbers: numbersOf(index), externalCustomer: `${place}-${index}` })
    await world.import(400, change, { campaign, importId: `import-${place}` })
  }
  return world.start()
}

const run = (world: CampaignWorld, id: CampaignId) => world.engine.dialer!.campaigns.get(id)!
const tallyOf = (world: CampaignWorld, id: CampaignId) => {
  const [ledger] = run(world, id).ledgers({ inFlight: 0, waiting: 0, idleAgents: 0 }, world.clock.nowMs())
  return ledger!.tally
}
const linesOf = (world: CampaignWorld, id: CampaignId) =>
  [...world.engine.dialer!.callPlacer.attempts.all()].filter(({ campaign }) => campaign.campaign.id === id).length

test('two campaigns on one team both dial beyond their agents, and each keeps its own cap', async () => {
  const world = await open({ collections: NAMES }, {})
  await world.logIn(...NAMES)
  let isAheadTogether = false
  await world.until(() => {
    const lines = [linesOf(world, CAMPAIGN), linesOf(world, SECOND)] as const
    if (lines[0] + lines[1] > NAMES.length && lines[0] > 0 && lines[1] > 0) isAheadTogether = true
    for (const id of [CAMPAIGN, SECOND]) {
      const { answered, abandoned } = tallyOf(world, id)
      expect(abandoned * 100).toBeLessThanOrEqual(answered * 3)
    }
    return world.dialerRepository.view.attempts.size >= 500
  }, 4 * 3_600_000)
  expect(isAheadTogether).toBe(true)
})

test('a ledger of the client counts the calls of all its campaigns, whatever their teams', async () => {
  const teams = { collections: NAMES.slice(0, 4), business: NAMES.slice(4) }
  const world = await open(teams, { ledgers: [{ maxAbandonRate: 0.02, window: '24hours', scope: 'client' }] })
  await world.logIn(...NAMES)
  await world.until(() => {
    const { answered, abandoned } = tallyOf(world, CAMPAIGN)
    expect(abandoned * 100).toBeLessThanOrEqual(answered * 2)
    expect(tallyOf(world, SECOND)).toEqual({ answered, abandoned })
    return world.dialerRepository.view.attempts.size >= 300
  }, 4 * 3_600_000)
  const persons = [...world.dialerRepository.view.attempts.values()].filter(({ answeredAtMs }) => answeredAtMs !== null)
  expect(new Set(persons.map(({ campaign }) => campaign))).toEqual(new Set([CAMPAIGN, SECOND]))
  expect(tallyOf(world, CAMPAIGN).answered).toBeGreaterThanOrEqual(persons.length)
})

test('the ledger of a day begins anew at midnight in the time zone of its own campaign', async () => {
  // 15:50 in Copenhagen: ten minutes to midnight in Tokyo.
  const world = new CampaignWorld({ teams: { one: ['anna'], two: ['ben'] }, startAtMs: Date.UTC(2026, 2, 2, 14, 50) })
  const places = [
    [CAMPAIGN, 'one', 'Europe/Copenhagen'],
    [SECOND, 'two', 'Asia/Tokyo'],
  ] as const
  for (const [campaign, team, timeZone] of places) {
    const callWindows = [{ days: [1, 2, 3, 4, 5, 6, 7], from: '00:00', to: '24:00', timeZone }]
    await world.campaign({ maxAbandonRate: 0.03, callWindows }, campaign, team)
    const number = numberOf(campaign)
    const change = () => ({ numbers: [{ given: number, number }], externalCustomer: `c${campaign}` })
    await world.import(1, change, { campaign, importId: `import-${campaign}` })
  }
  await world.start()
  await world.logIn('anna', 'ben')
  const answered = () => places.map(([campaign]) => world.boards.get(campaign)?.ledgers[0]?.answered)
  await world.run(5 * 60_000)
  expect(answered()).toEqual([1, 1])
  await world.run(10 * 60_000)
  expect(answered()).toEqual([1, 0])
})

test('the ledger of a month counts what was answered days before an engine began', async () => {
  const world = new CampaignWorld({ teams: { one: ['anna'] } })
  await world.campaign({ ledgers: [{ maxAbandonRate: 0.03, window: 'month' }] }, CAMPAIGN, 'one')
  await world.import(1)
  await world.start()
  await world.logIn('anna')
  await world.run(5 * 60_000)
  await world.crash()
  await world.run(3 * 24 * 3_600_000)
  await world.start()
  await world.run(60_000)
  const counted = world.boards.get(CAMPAIGN)!.ledgers.map(({ name, answered }) => [name, answered])
  expect(counted).toContainEqual(['ledgers[0]', 1])
})
