/** Ledgers and hit rate when an agent says that a machine answered: in the call, after it, twice (campaigns-40). */
import { describe, expect, test } from 'vitest'
import type { AttemptId, PhoneNumber } from '../../src/kernel/ids.ts'
import type { Contact } from '../../src/sim/person.ts'
import { CALLER_ID, CAMPAIGN, CampaignWorld, SYSTEM } from './campaign-world.ts'
import { ledgerFaults, recordedTally } from './ledger-truth.ts'

const MINUTE_MS = 60_000
const NAMES = ['anna', 'ben', 'cleo', 'dina', 'emil', 'fie']
const placeOf = (number: PhoneNumber) => (Number(number.slice(3)) - 22_100_000) / 7
const isMachine = (number: PhoneNumber) => placeOf(number) % 2 === 0
const LISTENS: Contact = { does: 'answer', ringsAfterMs: 500, afterMs: 3_000, hangsUpAfterMs: 12_000 }
const RULES = [
  { maxAbandonRate: 0.03 },
  { maxAbandonRate: 0.03, window: '24hours', scope: 'client', denominator: 'allAnswered' },
  { maxAbandonRate: 0.03, window: 'month', scope: 'callerId' },
]

async function open(settings: object = {}): Promise<CampaignWorld> {
  const world = new CampaignWorld({ teams: { collections: NAMES }, logLevel: 'warn', contactOf: () => LISTENS })
  await world.campaign({ dialMode: 'predictive', wrapUpSeconds: 6, ledgers: RULES, ...settings })
  await world.import(2_000)
  await world.start()
  await world.logIn(...NAMES)
  return world
}

const attemptsOf = ({ dialerRepository }: CampaignWorld) => [...dialerRepository.view.attempts.values()]
const run = (world: CampaignWorld) => world.engine.dialer!.campaigns.get(CAMPAIGN)!
const boardOf = (world: CampaignWorld) =>
  world.boards.get(CAMPAIGN)!.ledgers.map(({ answered, abandoned }) => ({ answered, abandoned }))
const recorded = (world: CampaignWorld) =>
  run(world).campaign.ledgers.map((rule) => recordedTally(world, CAMPAIGN, rule))

/** Agents say *machine* two seconds after the hang-up, for every second number. */
async function live(world: CampaignWorld, ms: number): Promise<void> {
  const told = new Set<AttemptId>()
  for (const untilMs = world.clock.nowMs() + ms; world.clock.nowMs() < untilMs; ) {
    await world.run(1_000)
    const late = world.clock.nowMs() - 2_000
    for (const { id, agent, number, result, endedAtMs } of attemptsOf(world)) {
      if (told.has(id) || agent === null || !isMachine(number) || result !== 'answered' || endedAtMs! > late) continue
      told.add(id)
      await world.order(agent, { type: 'machine' })
    }
    expect(ledgerFaults(world)).toEqual([])
  }
}

describe('an agent says that a machine answered', () => {
  test('two seconds after the hang-up: the board says what the records say, also after a restart', async () => {
    const world = await open()
    await live(world, 40 * MINUTE_MS)
    expect(world.dialerRepository.view.corrections.length).toBeGreaterThan(100)
    await world.during(world.dialerRepository.setKillSwitch(true, 'night', world.clock.nowMs()))
    await live(world, 2 * MINUTE_MS)
    const before = boardOf(world)
    expect(before).toEqual(recorded(world))
    const all = attemptsOf(world).filter(({ answeredAtMs }) => answeredAtMs !== null)
    expect(before[0]!.answered).toBeLessThan(0.6 * all.length)
    const { hitRate } = run(world).pace.learnt
    expect(hitRate).toBeGreaterThan(0.3)
    expect(hitRate).toBeLessThan(0.7)
    await world.crash()
    await world.run(5_000)
    await world.start()
    await world.run(5_000)
    expect(boardOf(world)).toEqual(before)
  })

  test('in the call, and once more after it: it counts once, and at once', async () => {
    const world = await open()
    await world.until(() => attemptsOf(world).some(({ connectedAtMs }) => connectedAtMs !== null))
    const { agent } = attemptsOf(world).find(({ connectedAtMs }) => connectedAtMs !== null)!
    const live = [...world.engine.dialer!.callPlacer.attempts.all()].find((one) => one.agent === agent)!
    const { clock } = world
    const nothing = { inFlight: 0, waiting: 0, idleAgents: 0 }
    const persons = () => run(world).ledgers(nothing, clock.nowMs())[0]!.tally.answered
    const [before, { hitRate }] = [persons(), run(world).pace.learnt]
    const atMs = clock.nowMs()
    const word = world.engine.agentDesktop!.order(agent!, { type: 'machine' })
    expect([persons(), clock.nowMs()]).toEqual([before - 1, atMs])
    await world.during(word)
    const told = run(world).pace.learnt
    expect(told.hitRate).toBeLessThan(hitRate)
    await world.order(agent!, { type: 'machine' })
    expect(run(world).pace.learnt).toBe(told)
    await world.until(() => live.report !== undefined)
    await world.run(2_000)
    await world.order(agent!, { type: 'machine' })
    await world.run(1_000)
    expect(world.dialerRepository.view.attempts.get(live.attempt)!.result).toBe('voicemail')
    expect(ledgerFaults(world)).toEqual([])
  })

  test.for([
    ['goes on after the engine that heard it died', 2_000],
    ['ended while no engine ran', 60_000],
  ] as const)('in a call that %s', async ([_, awayMs]) => {
    const world = new CampaignWorld({
      teams: { collections: ['anna'] },
      contactOf: () => LISTENS,
      hasCallEventLog: true,
    })
    await world.campaign({ retryMinutes: { voicemail: 60 } })
    await world.import(1, () => ({}), { intervalMs: 0 })
    await world.start()
    await world.logIn('anna')
    await world.until(() => attemptsOf(world).some(({ connectedAtMs }) => connectedAtMs !== null))
    expect(await world.order('anna', { type: 'machine' })).toEqual({ ok: true })
    await world.run(500)
    await world.crash()
    await world.run(awayMs)
    await world.start()
    await world.logIn('anna')
    await world.run(MINUTE_MS)
    // It waits as after a machine: nobody believes that a person has talked.
    expect(attemptsOf(world)).toMatchObject([{ result: 'voicemail', agent: 'anna' }])
    expect([...world.dialerRepository.view.tasks.values()]).toMatchObject([{ status: 'waiting', attemptsCounted: 1 }])
    expect([...world.dialerRepository.view.calls.values()]).toMatchObject([{ result: 'voicemail' }])
    expect(ledgerFaults(world)).toEqual([])
  })

  test('between the hang-up and the end of the leg: the word is kept', async () => {
    const world = await open()
    await world.until(() => attemptsOf(world).some(({ connectedAtMs }) => connectedAtMs !== null))
    const { agent, id } = attemptsOf(world).find(({ connectedAtMs }) => connectedAtMs !== null)!
    const desktop = world.engine.agentDesktop!
    const orders = [desktop.order(agent!, { type: 'hangUp' }), desktop.order(agent!, { type: 'machine' })]
    await world.during(Promise.all(orders))
    await world.run(3_000)
    expect(world.dialerRepository.view.attempts.get(id)!.correction).toMatchObject({ agent })
    expect(ledgerFaults(world)).toEqual([])
  })
})

test('a change while lines are up: activity and ledger follow the caller id and the team of the permit', async () => {
  const second = '+4570000099' as PhoneNumber
  const world = new CampaignWorld({
    teams: { collections: ['anna', 'ben'], business: ['anna', 'ben'] },
    callerIds: [CALLER_ID, second],
    contactOf: () => ({ ...LISTENS, afterMs: 6_000 }),
  })
  const ledgers = [{ maxAbandonRate: 0.03, scope: 'callerId' }]
  await world.campaign({ ledgers })
  await world.import(2)
  await world.start()
  await world.logIn('anna', 'ben')
  await world.until(() => world.pbx.carrier.invites.length === 2)
  const stored = world.dialerRepository.view.campaigns.get(CAMPAIGN)!
  const changed = { ...stored, externalSystem: SYSTEM, settings: { ...stored.settings, callerId: second } }
  const saving = world.dialerRepository.saveCampaign({ ...changed, team: 'business' as never }, world.clock.nowMs())
  await world.during(saving)
  await world.run(MINUTE_MS)
  const calls = [...world.dialerRepository.view.calls.values()]
  expect(calls.map(({ caller, team }) => [caller, team])).toEqual([
    [CALLER_ID, 'collections'],
    [CALLER_ID, 'collections'],
  ])
  expect(ledgerFaults(world)).toEqual([])
})
