/** The caller id of each INVITE: by destination, and always the same one for a person and a number (campaigns-70). */
import { expect, test } from 'vitest'
import type { CampaignId, PhoneNumber } from '../../../src/kernel/ids.ts'
import type { Contact } from '../../../src/sim/person.ts'
import { CALLER_ID, CAMPAIGN, CampaignWorld, type CampaignWorldOptions, numberOf } from '../../worlds/campaign-world.ts'

const MINUTE_MS = 60_000
const OTHER = 8 as CampaignId
const [FIRST, SECOND, BERLIN, GERMAN] = ['+4511111111', '+4522222222', '+49301234567', '+49891234567'] as PhoneNumber[]
const OURS = [CALLER_ID, FIRST!, SECOND!, BERLIN!, GERMAN!]
const ROTATED = [FIRST, SECOND].map((number) => ({ number, destinations: ['+45'] }))
const BUSY: Contact = { does: 'busy', afterMs: 800 }
const RINGS: Contact = { does: 'ignore', ringsAfterMs: 500, afterMs: 0 }
const TALKS: Contact = { does: 'answer', afterMs: 1_000, ringsAfterMs: 500, hangsUpAfterMs: 2_000 }

const listed = (...numbers: readonly PhoneNumber[]) => ({
  numbers: numbers.map((number) => ({ given: number, number })),
})
const open = (options: CampaignWorldOptions = {}) =>
  new CampaignWorld({ contactOf: () => BUSY, callerIds: OURS, ...options })

async function begin(world: CampaignWorld): Promise<void> {
  await world.start()
  await world.logIn('anna', 'ben')
}

/** What each number saw, once each. */
function seenBy({ pbx }: CampaignWorld): Map<PhoneNumber, string[]> {
  const seen = new Map<PhoneNumber, string[]>()
  for (const { number, callerId } of pbx.carrier.invites) {
    seen.set(number as PhoneNumber, [...new Set([...(seen.get(number as PhoneNumber) ?? []), callerId])])
  }
  return seen
}

test('callees see the id of their area, else of their country, else the campaign’s; activities say which', async () => {
  const world = open()
  await world.campaign({
    allowedDestinations: ['DK', 'DE', 'SE'],
    callerIds: [
      { number: GERMAN, destinations: ['DE'] },
      { number: BERLIN, destinations: ['+4930'] },
      { number: FIRST, destinations: ['DK', 'NO'] },
    ],
  })
  const expected = new Map([
    ['+493012345678', [BERLIN]],
    ['+4915123456789', [GERMAN]],
    ['+46701234567', [CALLER_ID]],
    [numberOf(0), [FIRST]],
  ])
  const numbers = [...expected.keys()] as PhoneNumber[]
  await world.import(numbers.length, (index) => listed(numbers[index]!))
  await begin(world)
  await world.run(10 * MINUTE_MS)
  expect(seenBy(world)).toEqual(expected)
  for (const { called, caller } of world.dialerRepository.view.calls.values()) {
    expect([caller]).toEqual(expected.get(called as PhoneNumber))
  }
})

test('of two ids a person sees one, at every attempt, number and task, and a number sees one', async () => {
  const world = open()
  await world.campaign({ callerIds: ROTATED, parallelCalls: 2, frequencyCap: { calls: 50, days: 7 } })
  await world.campaign({ callerIds: [...ROTATED].reverse(), frequencyCap: { calls: 50, days: 7 } }, OTHER)
  const both = (index: number) => listed(numberOf(index), numberOf(1_000 + index))
  await world.import(20, both, { intervalMs: 20 * MINUTE_MS, attemptsMax: 4 })
  await begin(world)
  await world.run(60 * MINUTE_MS)
  const before = seenBy(world)
  // The same phone under another customer number, whose own choice may be the other id.
  const sharing = (index: number) => ({ ...listed(numberOf(index)), externalCustomer: `partner ${index}` })
  await world.import(20, sharing, { campaign: OTHER, intervalMs: 0 })
  await world.run(2 * 60 * MINUTE_MS)
  const calls = [...world.dialerRepository.view.attempts.values()]
  expect(calls.filter(({ campaign }) => campaign === OTHER).length).toBeGreaterThanOrEqual(20)
  const seen = seenBy(world)
  expect(seen).toEqual(before)
  for (let index = 0; index < 20; index++) {
    const [own, second] = [seen.get(numberOf(index)), seen.get(numberOf(1_000 + index))]
    expect(own).toHaveLength(1)
    expect(second).toEqual(own)
  }
  expect(new Set([...seen.values()].flat())).toEqual(new Set([FIRST, SECOND]))
})

test('a trunk that does not own every id carries no call of the campaign', async () => {
  const world = open({ callerIds: [CALLER_ID, FIRST!] })
  await world.campaign({ callerIds: ROTATED })
  await world.import(3)
  await begin(world)
  await world.run(MINUTE_MS)
  expect(world.pbx.carrier.invites).toEqual([])
  expect(world.boards.get(CAMPAIGN)).toMatchObject({ refused: 'callerIdNotOurs' })
})

test.each([
  [OURS, true],
  [[CALLER_ID, FIRST!], false],
])('a further trunk with the ids %j takes over: %j', async (spareIds, takesOver) => {
  const trunks = ['main', 'spare']
  const world = open({
    trunks,
    contactOf: (_, { trunk }) => (trunk === 'main' ? { does: 'fail', code: 503, afterMs: 300 } : RINGS),
    parts: ({ dialer }) => ({
      dialer: {
        ...dialer!,
        trunks: () => dialer!.trunks().map((one) => (one.name === 'spare' ? { ...one, callerIds: spareIds } : one)),
      },
    }),
  })
  await world.campaign({ trunks, callerIds: ROTATED })
  await world.import(40)
  await begin(world)
  await world.run(5 * MINUTE_MS)
  expect(world.pbx.carrier.invites.some(({ trunk }) => trunk === 'spare')).toBe(takesOver)
  // The first trunk stays the campaign's: its probes go on.
  expect(world.boards.get(CAMPAIGN)!.refusals).not.toHaveProperty('callerIdNotOurs')
})

/** The most lines at once of a campaign that has earned credit, for two agents. */
async function linesAtOnce(callerIdOfOther: PhoneNumber): Promise<number> {
  let isAnswered = true
  const world = open({ contactOf: () => (isAnswered ? TALKS : RINGS) })
  const rotated = { callerIds: [{ number: FIRST, destinations: ['SE'] }], wrapUpSeconds: 0 }
  await world.campaign({ ...rotated, allowedDestinations: ['DK', 'SE'] })
  const ledgers = [{ maxAbandonRate: 0.03, scope: 'callerId' }]
  await world.campaign({ callerId: callerIdOfOther, ledgers }, OTHER)
  await world.import(160)
  await begin(world)
  await world.until(() => world.pbx.carrier.invites.length >= 120)
  await world.run(10_000)
  isAnswered = false
  await world.campaign({ ...rotated, dialMode: 'power', linesPerAgent: 3 })
  await world.import(40, (index) => listed(numberOf(5_000 + index)))
  let most = 0
  for (let second = 0; second < 120; second++) {
    await world.run(1_000)
    most = Math.max(most, world.pbx.carrier.calls.filter(({ endedAtMs }) => endedAtMs === undefined).length)
  }
  return most
}

test('the ledger of an id limits every campaign that may show it', async () => {
  expect(await linesAtOnce(SECOND!)).toBeGreaterThan(2)
  expect(await linesAtOnce(FIRST!)).toBe(2)
})
