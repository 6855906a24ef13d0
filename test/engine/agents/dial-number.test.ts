/** Agents who dial a number that they type (campaigns-111, campaigns-112, campaigns-113), on virtual time. */
import { describe, expect, test } from 'vitest'
import type { AgentName, CampaignId, PhoneNumber } from '../../../src/kernel/ids.ts'
import type { Contact } from '../../../src/sim/person.ts'
import {
  CAMPAIGN,
  CampaignWorld,
  type CampaignWorldOptions,
  CORPORATION,
  numberOf,
} from '../../worlds/campaign-world.ts'

const OTHER = (CAMPAIGN + 1) as CampaignId
const OUTSIDE = 'The time is outside the calling hours where the person lives, or the day is a holiday.'
const OK = { ok: true }
const HOUR_MS = 3_600_000

/** Anna and ben sit in a team whose manual campaign lets them dial numbers. */
async function open(settings: object = {}, options: CampaignWorldOptions = {}) {
  const world = new CampaignWorld({ teams: { collections: ['anna', 'ben'], service: ['carl'] }, ...options })
  await world.campaign({ dialMode: 'manual', agentsDialNumbers: true, ...settings })
  await world.campaign({ dialMode: 'manual', agentsDialNumbers: true }, OTHER, 'service')
  await world.start()
  await world.logIn('anna', 'ben')
  const state = (agent = 'anna') => world.engine.agentDesktop?.statuses().find((one) => one.agent === agent)?.state
  expect(await world.until(() => state() === 'ready' && state('ben') === 'ready')).toBe(true)
  const dial = (number: string, campaign = CAMPAIGN, agent = 'anna') =>
    world.order(agent, { type: 'dialNumber', number, campaign })
  const tasks = () => [...world.dialerRepository.view.tasks.values()]
  const why = async (number: string, campaign = CAMPAIGN) => {
    const answer = await dial(number, campaign)
    return answer.ok ? 'dialed' : answer.why
  }
  return { world, state, dial, tasks, why }
}

test('a number in national form becomes a call task with one attempt, and is dialed for the agent', async () => {
  const { world, state, dial, tasks } = await open()
  expect(await dial('20 12 34 56')).toEqual(OK)
  expect(await world.until(() => state() === 'talking')).toBe(true)
  expect(tasks()).toMatchObject([
    { receiverName: '+4520123456', attemptsMax: 1, campaign: CAMPAIGN, status: 'dialing' },
  ])
  expect(await world.until(() => tasks()[0]?.status === 'answered')).toBe(true)
})

test('the campaigns of an agent are the active ones of their teams that allow it', async () => {
  const { world } = await open()
  const of = (agent: string) => world.engine.agentDesktop?.campaignsToDialIn(agent as never)
  expect(of('anna')).toEqual([{ campaign: CAMPAIGN, name: `Campaign ${CAMPAIGN}` }])
  expect(of('carl')).toEqual([{ campaign: OTHER, name: `Campaign ${OTHER}` }])
  expect(of('nobody')).toEqual([])
})

test('what the gate refuses is told, and its call task is ended: nothing dials it when the hours begin', async () => {
  // A Monday, at 6 in Copenhagen.
  const { world, tasks, why, state } = await open({}, { startAtMs: Date.UTC(2026, 2, 2, 5) })
  expect(await why('+4520123456')).toBe(OUTSIDE)
  expect(tasks()).toMatchObject([{ status: 'endedBySystem', finishReason: `not dialed: ${OUTSIDE}` }])
  expect(state()).toBe('ready')
  await world.run(6 * 3_600_000)
  expect(world.dialerRepository.view.attempts.size).toBe(0)
})

test('an open call task with the number is dialed instead of a second one, and a refusal leaves it open', async () => {
  const { world, dial, tasks, state } = await open()
  await world.import(1)
  expect(await dial(numberOf(0))).toEqual(OK)
  expect(await world.until(() => state() === 'talking')).toBe(true)
  expect(tasks()).toMatchObject([{ receiverName: 'Debtor 0', status: 'dialing' }])
  expect(await dial(numberOf(0), CAMPAIGN, 'ben')).toMatchObject({ ok: false })
  expect(tasks()).toMatchObject([{ status: 'inCall' }])
})

test('a number of an open call task whose turn is another number is not dialed, and neither is that one', async () => {
  const { world, tasks, why, state } = await open()
  const [mobile, shared] = [numberOf(0), numberOf(1)].map((number) => ({ given: number, number }))
  await world.import(1, () => ({ numbers: [mobile!, shared!] }))
  expect(await why(numberOf(1))).toBe('Another number of the call task is next.')
  await world.run(60_000)
  expect(world.pbx.carrier.invites).toEqual([])
  expect([tasks().map(({ status }) => status), state()]).toEqual([['new'], 'ready'])
  expect(await why(numberOf(0))).toBe('dialed')
  expect(await world.until(() => state() === 'talking')).toBe(true)
  expect(world.pbx.carrier.invites).toMatchObject([{ number: numberOf(0) }])
})

test('a number whose call task dials several together is not dialed: the others would ring too', async () => {
  const { world, why } = await open({ parallelCalls: 2 })
  await world.import(1, () => ({ numbers: [0, 1].map(numberOf).map((number) => ({ given: number, number })) }))
  expect(await why(numberOf(0))).toBe('Another number of the call task is next.')
  await world.run(60_000)
  expect(world.pbx.carrier.invites).toEqual([])
})

test('a refusal makes no call task where it can be known before', async () => {
  const { world, tasks, why } = await open()
  const refused = {
    foreign: await why('20123456', OTHER),
    unknown: await why('20123456', 4_711 as CampaignId),
    emergency: await why('112'),
    costly: await why('90 12 34 56'),
    abroad: await why('+46701234567'),
    words: await why('call me'),
  }
  expect(refused).toEqual({
    foreign: 'Your teams have no such campaign, or it is not complete.',
    unknown: 'Your teams have no such campaign, or it is not complete.',
    emergency: 'The number is no telephone number; write + and digits.',
    costly: 'The number costs more than a call to a person.',
    abroad: 'The number is in a country the campaign may not call.',
    words: 'The number is no telephone number; write + and digits.',
  })
  const stop = { kind: 'number', number: '+4520123456' as PhoneNumber } as const
  await world.during(world.dialerRepository.addStop(CORPORATION, stop, world.clock.nowMs()))
  expect(await why('20123456')).toMatch(/^The number or the person is on a stop list/)
  await world.order('anna', { type: 'pause', reason: 'lunch' })
  expect(await why('20123457')).toBe('You are not ready.')
  expect(tasks()).toEqual([])
})

test('a campaign without the setting refuses', async () => {
  const { why, tasks } = await open({ agentsDialNumbers: false })
  expect(await why('20123456')).toMatch(/^Agents of this campaign may not dial numbers\./)
  expect(tasks()).toEqual([])
})

test('two agents who type the same number at once make one call task and one call', async () => {
  const { world, tasks } = await open()
  const ask = (agent: string, number: string) =>
    world.engine.agentDesktop!.order(agent as AgentName, { type: 'dialNumber', number, campaign: CAMPAIGN })
  const answers = await world.during(Promise.all([ask('anna', '20123456'), ask('ben', '+45 20 12 34 56')]))
  expect(answers.filter(({ ok }) => ok)).toHaveLength(1)
  await world.run(20_000)
  expect(tasks()).toHaveLength(1)
  expect(world.dialerRepository.view.attempts.size).toBe(1)
})

test('a database that fails says so, and the agent is ready', async () => {
  const { world, why, state } = await open()
  world.dialerRepository.strikeNext('taskOfNumber', 'before')
  expect(await why('20123456')).toMatch(/^The database is unavailable/)
  expect(state()).toBe('ready')
})

/** A supervisor makes the campaign automatic, and hours pass in which a machine could dial. */
async function dialedByMachine(world: CampaignWorld): Promise<number> {
  const before = world.pbx.carrier.invites.length
  await world.campaign({ dialMode: 'progressive' })
  await world.during(world.dialerRepository.expireTasks(world.clock.nowMs()))
  await world.run(3 * HOUR_MS)
  return world.pbx.carrier.invites.length - before
}

test('a call that does not count is over with its hand dialing: no machine dials the number later', async () => {
  let isDown = true
  const answers: Contact = { does: 'answer', afterMs: 3_000, ringsAfterMs: 500, hangsUpAfterMs: 30_000 }
  const contactOf = (): Contact => (isDown ? { does: 'fail', code: 503, afterMs: 100 } : answers)
  const { world, dial, tasks, state } = await open({}, { contactOf })
  for (let count = 10; count < 15; count++) {
    expect(await dial(`201234${count}`)).toEqual(OK)
    expect(await world.until(() => state() === 'ready')).toBe(true)
  }
  const over = { status: 'endedBySystem', finishReason: 'dialed once, by hand: failed', attemptsCounted: 0 }
  expect(await world.until(() => tasks().every(({ status }) => status === over.status))).toBe(true)
  expect(tasks()).toMatchObject([over, over, over, over, over])
  expect(world.news.filter(({ news }) => news.type === 'callEnded')).toMatchObject(
    Array.from({ length: 5 }, () => ({ agent: 'anna', news: { why: 'failed' } })),
  )
  isDown = false
  expect(await dialedByMachine(world)).toBe(0)
})

test('an agent who hangs up before it rings has not asked for another call', async () => {
  const { world, dial, tasks } = await open(
    {},
    { contactOf: () => ({ does: 'ignore', ringsAfterMs: 20_000, afterMs: 0 }) },
  )
  expect(await dial('20123456')).toEqual(OK)
  await world.run(2_000)
  expect(await world.order('anna', { type: 'hangUp' })).toEqual(OK)
  expect(await world.until(() => tasks()[0]?.status === 'endedBySystem')).toBe(true)
  expect(tasks()).toMatchObject([{ finishReason: 'dialed once, by hand: cancelled', attemptsCounted: 0 }])
  expect(await dialedByMachine(world)).toBe(0)
})

test('a callback that was promised in a call that is then marked as a machine is offered at its date', async () => {
  const { world, dial, tasks, state } = await open()
  expect(await dial('20123456')).toEqual(OK)
  expect(await world.until(() => state() === 'talking')).toBe(true)
  const atMs = world.clock.nowMs() + 2 * HOUR_MS
  expect(await world.order('anna', { type: 'callback', atMs, askedByContact: true })).toEqual(OK)
  expect(await world.order('anna', { type: 'machine' })).toEqual(OK)
  expect(await world.until(() => tasks()[0]?.status === 'maxAttempts')).toBe(true)
  expect(tasks()).toMatchObject([{}, { status: 'callback', callback: { atMs, agent: 'anna' } }])
  await world.run(2 * HOUR_MS)
  const offers = world.news.filter(({ news }) => news.type === 'preview')
  expect(offers[0]).toMatchObject({ agent: 'anna', news: { task: { task: tasks()[1]!.id } } })
})

describe('an engine that dies', () => {
  test('before it dials leaves a call task that no machine dials, until a sweep ends it', async () => {
    const { world, tasks, state } = await open()
    world.dialerRepository.strikeNext('claimDueTasks', 'before')
    const order = { type: 'dialNumber', number: '20123456', campaign: CAMPAIGN } as const
    void world.engine.agentDesktop?.order('anna' as AgentName, order)
    expect(await world.until(() => tasks().length === 1)).toBe(true)
    await world.crash()
    await world.campaign({ dialMode: 'progressive' })
    await world.start()
    await world.logIn('anna', 'ben')
    expect(await world.until(() => state() === 'ready')).toBe(true)
    await world.run(HOUR_MS)
    expect(tasks()).toMatchObject([{ status: 'new' }])
    expect(await dialedByMachine(world)).toBe(0)
    expect(tasks()).toMatchObject([{ status: 'endedBySystem', finishReason: 'not dialed: the service stopped before' }])
  })

  test('while it rings leaves a call that is over with its end', async () => {
    const { world, dial, tasks } = await open(
      {},
      { contactOf: () => ({ does: 'ignore', ringsAfterMs: 500, afterMs: 0 }) },
    )
    expect(await dial('20123456')).toEqual(OK)
    await world.until(() => world.pbx.carrier.calls[0]?.rangAtMs !== undefined)
    await world.crash()
    await world.run(120_000)
    await world.start()
    expect(await world.until(() => tasks()[0]?.finishedAtMs !== undefined)).toBe(true)
    expect(await dialedByMachine(world)).toBe(0)
  })
})
