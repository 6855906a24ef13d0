/** Predictive campaigns dial with policy E: what they learn of their lines and agents, and what they never do. */
import { expect, test } from 'vitest'
import { soonIdle } from '../../../src/dialer/pacing/lines-to-place.ts'
import type { Placing } from '../../../src/dialer/placing.ts'
import type { CampaignRun } from '../../../src/engine/campaigns/campaign-run.ts'
import type { EngineDependencies } from '../../../src/engine/context.ts'
import { pacingAges } from '../../../src/engine/outbound/pacing-ages.ts'
import type { CampaignBoard } from '../../../src/ports/board.ts'
import type { Contact } from '../../../src/sim/person.ts'
import { aCampaign } from '../../dialer/samples.ts'
import { CAMPAIGN, CampaignWorld, type CampaignWorldOptions } from '../../worlds/campaign-world.ts'

const MINUTE_MS = 60_000
const TALKS: Contact = { does: 'answer', ringsAfterMs: 500, afterMs: 3_000, hangsUpAfterMs: 30_000 }
const BUSY: Contact = { does: 'busy', afterMs: 1_000 }
const RINGS: Contact = { does: 'ignore', ringsAfterMs: 500, afterMs: 0 }

async function open(contactOf: (place: number) => Contact, settings: object, tasks: number, more = {}) {
  const options: CampaignWorldOptions = {
    contactOf: (number) => contactOf((Number(number.slice(3)) - 22_100_000) / 7),
    ...more,
  }
  const world = new CampaignWorld(options)
  await world.campaign({ dialMode: 'predictive', ...settings })
  await world.import(tasks)
  return world.start()
}

const learntIn = (world: CampaignWorld) => world.engine.dialer!.campaigns.get(CAMPAIGN)!.pace.learnt
const resultsIn = (world: CampaignWorld) =>
  [...world.dialerRepository.view.attempts.values()].map(({ result }) => result)
const linesIn = (world: CampaignWorld) => learntIn(world).hours.reduce((sum, { lines }) => sum + lines, 0)

test('each dialed line is learned from once, when a person answers or when it ends unanswered', async () => {
  const world = await open((place) => (place % 2 === 0 ? TALKS : BUSY), {}, 20)
  await world.logIn('anna', 'ben')
  await world.run(15 * MINUTE_MS)
  const results = resultsIn(world)
  expect([results.length, new Set(results)]).toEqual([20, new Set(['answered', 'busy'])])
  expect(linesIn(world)).toBeCloseTo(20, 0)
  const { laws: distributions, known } = learntIn(world)
  // Twenty lines and ten conversations; the wrap-up is automatic: its length need not be learned.
  expect(known).toBe(30)
  // All of them were answered after 3 s, and busy after 1 s: half a second each, from the dial.
  expect(distributions.rings.answers[6]).toBeGreaterThan(9)
  expect(distributions.rings.failures[2]).toBeGreaterThan(9)
  expect(distributions.talks.ends.reduce((sum, count) => sum + count, 0)).toBeGreaterThan(14)
})

test('a withdrawn line and a line that was never sent are not learned from', async () => {
  const world = await open(() => RINGS, {}, 2)
  await world.logIn('anna')
  await world.until(() => world.pbx.carrier.calls[0]?.rangAtMs !== undefined)
  await world.during(world.dialerRepository.setKillSwitch(true, 'supervisor', world.clock.nowMs()))
  await world.run(MINUTE_MS)
  expect(resultsIn(world)).toEqual(['cancelled'])
  expect(learntIn(world).known).toBe(0)
})

test('a manual wrap-up is learned with its duration', async () => {
  const world = await open(() => TALKS, { wrapUpMode: 'byHand' }, 1)
  await world.logIn('anna')
  await world.until(() => world.engine.agentDesktop?.statuses()[0]?.state === 'wrapUp')
  const { spentS } = learntIn(world).laws.wrapUps
  await world.run(10_000)
  await world.order('anna', { type: 'endWrapUp' })
  const after = learntIn(world).laws.wrapUps.spentS
  const total = (spans: readonly number[]) => spans.reduce((sum, span) => sum + span, 0)
  expect(total(after) - total(spentS)).toBeGreaterThan(9.5)
  expect(total(after) - total(spentS)).toBeLessThan(10.5)
})

test('an agent who logs out of a manual wrap-up tells nothing of its length', async () => {
  const world = await open(() => TALKS, { wrapUpMode: 'byHand' }, 1)
  await world.logIn('anna')
  await world.until(() => world.engine.agentDesktop?.statuses()[0]?.state === 'wrapUp')
  const { wrapUps } = learntIn(world).laws
  await world.run(10_000)
  await world.order('anna', { type: 'logOut' })
  await world.run(MINUTE_MS)
  expect(world.engine.agentDesktop?.statuses()).toEqual([])
  expect(learntIn(world).laws.wrapUps).toEqual(wrapUps)
})

test('the pacer dials beyond its idle agents once it has credit, and never abandons more than its cap', async () => {
  const names = Array.from({ length: 8 }, (_, place) => `agent-${place}`)
  const options = { teams: { collections: names }, logLevel: 'warn' }
  const world = await open((place) => (place % 5 < 2 ? TALKS : RINGS), { wrapUpSeconds: 1 }, 900, options)
  await world.logIn(...names)
  let isAhead = false
  const dialer = world.engine.dialer!
  await world.until(() => {
    const { live, tally } = dialer.campaigns
      .get(CAMPAIGN)!
      .ledgers({ inFlight: dialer.callPlacer.attempts.count, waiting: 0, idleAgents: 0 }, world.clock.nowMs())[0]!
    if (live.inFlight > names.length) isAhead = true
    expect(tally.abandoned * 100).toBeLessThanOrEqual(tally.answered * 3)
    return resultsIn(world).length >= 700
  }, 4 * 3_600_000)
  expect(isAhead).toBe(true)
  expect(dialer.campaigns.get(CAMPAIGN)!.pace.placing.why).not.toBe('notKnown')
})

test('an agent near the end of wrap-up is forecast, but gets no line before the end', () => {
  const run = { campaign: aCampaign({ mode: 'predictive' }) } as CampaignRun
  const session = { work: 'wrapUp', sinceAtMs: 0, isAsked: false, wrapUpEndsAtMs: 20_000 } as const
  const ages = pacingAges(run, [], [session], 19_900)
  expect(ages.wrapUpsLeftMs).toEqual([2_000])
  expect(soonIdle({ ages } as never, 2_000)).toBe(0)
})

test('an agent who has asked for a break is forecast in no state', () => {
  const run = { campaign: aCampaign({ mode: 'predictive' }) } as CampaignRun
  const works = [{ work: 'talking' }, { work: 'wrapUp' }, { work: 'wrapUp', wrapUpEndsAtMs: 20_000 }] as const
  const agesOf = (isAsked: boolean) => {
    const sessions = works.map((one) => ({ wrapUpEndsAtMs: undefined, ...one, sinceAtMs: 0, isAsked }))
    const { talksMs, wrapUpsMs, wrapUpsLeftMs } = pacingAges(run, [], sessions, 10_000)
    return [talksMs, wrapUpsMs, wrapUpsLeftMs]
  }
  expect(agesOf(false)).toEqual([[10_000], [10_000], [10_000]])
  expect(agesOf(true)).toEqual([[], [], []])
})

test('every attempt records its reason and figures; refusals are counted by reason', async () => {
  const names = ['agent-1', 'agent-2', 'agent-3', 'agent-4', 'agent-5', 'agent-6']
  const options = { teams: { collections: names }, logLevel: 'warn' }
  const world = await open((place) => (place % 3 === 0 ? TALKS : BUSY), { wrapUpSeconds: 1 }, 300, options)
  await world.logIn(...names)
  await world.run(30 * MINUTE_MS)
  const placings = [...world.dialerRepository.view.attempts.values()].map(
    ({ permit }) => (permit as { placing: Placing }).placing,
  )
  expect(placings.length).toBeGreaterThan(200)
  expect(placings.every(({ lines, why }) => lines > 0 && why !== undefined)).toBe(true)
  const weighed = placings.find((placing) => placing.weighed)?.weighed
  expect(Object.keys(weighed ?? {})).toEqual(expect.arrayContaining(['risk', 'riskMax', 'credit', 'room']))
  const { hours } = world.engine.dialer!.campaigns.get(CAMPAIGN)!.pace.stats
  const total = (counts: Partial<Record<string, number>>) =>
    Object.values(counts).reduce<number>((a, b) => a + (b ?? 0), 0)
  expect(hours.reduce((sum, { placed }) => sum + total(placed), 0)).toBe(placings.length)
  expect(hours.some(({ held }) => total(held) > 0)).toBe(true)
})

test('learned figures are stored every few minutes, and the next engine continues with them', async () => {
  const world = await open((place) => (place % 2 === 0 ? TALKS : BUSY), {}, 12)
  await world.logIn('anna', 'ben')
  await world.run(10 * MINUTE_MS)
  const before = learntIn(world)
  await world.crash()
  await world.start()
  const { laws: distributions, hitRate, known } = learntIn(world)
  expect(known).toBe(before.known)
  expect(hitRate).toBeCloseTo(before.hitRate, 4)
  expect(distributions.rings.answers[6]).toBeCloseTo(before.laws.rings.answers[6]!, 3)
  expect(world.engine.dialer!.campaigns.get(CAMPAIGN)!.pace.stats.hours).toHaveLength(1)
})

test('figures stored in another shape are learned again, without an error', async () => {
  const world = new CampaignWorld()
  await world.campaign({ dialMode: 'predictive' })
  const lease = await world.during(world.dialerRepository.takeLease('one', 1_000))
  for (const data of [{ shape: 99 }, { shape: 1, rings: { answers: [1] } }, { account: [{ fromAtMs: 'x' }, 7] }]) {
    await world.during(world.dialerRepository.keepLearning(lease, { campaign: CAMPAIGN, data, atMs: 0 }))
    await world.start()
    expect(learntIn(world).known).toBe(0)
    await world.crash()
  }
})

test('a shadow pacer changes no call: the day is the same with and without it', async () => {
  const names = ['agent-1', 'agent-2', 'agent-3', 'agent-4', 'agent-5']
  const day = async (settings: object) => {
    const options = { teams: { collections: names }, logLevel: 'warn' }
    const world = await open(
      (place) => (place % 5 < 2 ? TALKS : RINGS),
      { wrapUpSeconds: 1, ...settings },
      250,
      options,
    )
    await world.logIn(...names)
    await world.run(40 * MINUTE_MS)
    const calls = world.pbx.carrier.calls.map(({ invite, endedAtMs, endedBy }) => [invite, endedAtMs, endedBy])
    return { calls: JSON.stringify(calls), pace: world.engine.dialer!.campaigns.get(CAMPAIGN)!.pace }
  }
  const alone = await day({ pacing: 'ratio' })
  const shadowed = await day({ pacing: 'ratio', shadowPacing: 'price' })
  expect(shadowed.calls).toBe(alone.calls)
  const commands = ({ pace: { stats } }: typeof alone) =>
    stats.hours.reduce((sum, h) => sum + h.shadowMore + h.shadowLess, 0)
  expect([commands(alone), commands(shadowed) > 0]).toEqual([0, true])
})

test('boards get each change, at most once a second, with ledgers and the last reason', async () => {
  const boards: { board: CampaignBoard; atMs: number }[] = []
  const parts = ({ dialer }: EngineDependencies) => ({
    dialer: { ...dialer!, onBoard: (board: CampaignBoard) => void boards.push({ board, atMs: world.clock.nowMs() }) },
  })
  const world = await open((place) => (place % 2 === 0 ? TALKS : BUSY), { shadowPacing: 'oneToOne' }, 30, { parts })
  await world.logIn('anna', 'ben')
  await world.run(10 * MINUTE_MS)
  const apart = boards.slice(1).map(({ atMs }, place) => atMs - boards[place]!.atMs)
  expect(boards.length).toBeGreaterThan(20)
  expect(Math.min(...apart)).toBeGreaterThanOrEqual(1_000)
  const { board } = boards.at(-1)!
  expect(board).toMatchObject({ campaign: CAMPAIGN, pace: 'price', live: { agents: 2 }, shadow: { pace: 'oneToOne' } })
  expect(board.ledgers).toMatchObject([{ capBasisPoints: 300, answered: 15, abandoned: 0, atRisk: 0, allowed: 0 }])
  expect(board.learnt.known).toBe(45)
  expect(Object.values(board.placed).reduce((sum, count) => sum + count, 0)).toBe(30)
})
