/** Promised callbacks: dialed first, for their agent, on their number; and never for a debtor who has paid. */
import { describe, expect, test } from 'vitest'
import type { CallTaskId } from '../../src/kernel/ids.ts'
import type { Contact } from '../../src/sim/person.ts'
import { CAMPAIGN, CampaignWorld, type CampaignWorldOptions, CORPORATION, numberOf } from './campaign-world.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const TEAM = { collections: ['anna', 'ben'] }
const ANSWERS: Contact = { does: 'answer', ringsAfterMs: 500, afterMs: 3_000, hangsUpAfterMs: 30_000 }
const BUSY: Contact = { does: 'busy', afterMs: 1_000 }
/** Without a promise that is due, nobody else is dialed at the debtor of the promise. */
const INTERVAL_MS = 4 * HOUR_MS

async function open(settings: object = {}, options: CampaignWorldOptions = {}): Promise<CampaignWorld> {
  const world = new CampaignWorld({ teams: TEAM, ...options })
  await world.campaign({ ...settings })
  await world.import(1, () => ({}), { intervalMs: INTERVAL_MS })
  await world.start()
  await world.logIn('anna')
  return world
}

const stateOf = (world: CampaignWorld, agent: string) =>
  world.engine.agentDesktop?.statuses().find((one) => one.agent === agent)?.state

const attemptsAtFirst = ({ dialerRepository }: CampaignWorld) =>
  [...dialerRepository.view.attempts.values()].filter(({ number }) => number === numberOf(0))

/** Anna talks to the debtor, and promises to call back in two hours. */
async function promised(world: CampaignWorld): Promise<number> {
  expect(await world.until(() => stateOf(world, 'anna') === 'talking')).toBe(true)
  const atMs = world.clock.nowMs() + 2 * HOUR_MS
  expect(await world.order('anna', { type: 'callback', atMs, askedByContact: true })).toEqual({ ok: true })
  await world.run(2 * MINUTE_MS)
  return atMs
}

/** Three hundred others wait before it; no agent is idle. */
async function busyDay(world: CampaignWorld): Promise<void> {
  const others = { importId: 'others', intervalMs: INTERVAL_MS }
  await world.import(300, (index) => personOf(index + 1), others)
}

function personOf(index: number) {
  const number = numberOf(index)
  return {
    externalCustomer: `c${index}`,
    externalCaseNumber: `case-${index}`,
    numbers: [{ given: number, number }],
  }
}

describe('a promised callback', () => {
  test.for(['progressive', 'predictive', 'preview', 'manual'] as const)(
    'comes first, on time and for its agent, in mode %s',
    async (dialMode) => {
      const world = await open({ frequencyCap: { calls: 7, days: 7, quietDaysAfterTalk: 7 } })
      const atMs = await promised(world)
      await world.campaign({ dialMode, frequencyCap: { calls: 7, days: 7, quietDaysAfterTalk: 7 } })
      await world.run(atMs - world.clock.nowMs() - 10 * MINUTE_MS)
      await world.logIn('ben')
      await busyDay(world)
      const isHandled = dialMode === 'preview' || dialMode === 'manual'
      const answerOffers = async () => {
        for (const { agent, news, atMs: toldAtMs } of world.news.splice(0)) {
          if (news.type === 'preview' && toldAtMs > world.clock.nowMs() - MINUTE_MS) {
            await world.order(agent, { type: 'dial' })
          }
        }
      }
      while (world.clock.nowMs() < atMs + 5 * MINUTE_MS) {
        if (isHandled) await answerOffers()
        await world.run(5_000)
      }
      const [, called] = attemptsAtFirst(world)
      expect(called).toMatchObject({ agent: 'anna', result: 'answered' })
      expect(called!.claimedAtMs - atMs).toBeGreaterThanOrEqual(0)
      expect(called!.claimedAtMs - atMs).toBeLessThan(5 * MINUTE_MS)
    },
  )

  test('goes to the team when its agent has logged out', async () => {
    const world = await open()
    const atMs = await promised(world)
    await world.logIn('ben')
    await world.order('anna', { type: 'logOut' })
    await world.run(atMs - world.clock.nowMs() + 2 * MINUTE_MS)
    expect(attemptsAtFirst(world)[1]).toMatchObject({ agent: 'ben' })
  })

  test('goes to the team when its minutes are over and its agent is not free', async () => {
    const world = await open({ callbackAgentMinutes: 20 })
    const other = (CAMPAIGN + 1) as typeof CAMPAIGN
    await world.campaign({}, other)
    const atMs = await promised(world)
    await world.logIn('ben')
    await world.order('anna', { type: 'pause', reason: 'lunch' })
    await world.run(atMs - world.clock.nowMs() + 19 * MINUTE_MS)
    expect(attemptsAtFirst(world)).toHaveLength(1)
    expect(world.boards.get(CAMPAIGN)!.callbacks).toEqual({ due: 1, overdue: 1 })
    expect(world.boards.get(other)!.callbacks).toEqual({ due: 0, overdue: 0 })
    const alarms = world.logged.filter((line) => line.includes('a promised callback is overdue'))
    expect(alarms).toHaveLength(1)
    expect(alarms[0]).toContain('keptForAgent')
    await world.run(3 * MINUTE_MS)
    expect(attemptsAtFirst(world)[1]).toMatchObject({ agent: 'ben' })
  })

  test('that finds the line busy comes again within minutes, on the same number', async () => {
    const second = numberOf(50)
    const numbers = [numberOf(0), second].map((number) => ({ given: number, number }))
    const tries: Contact[] = [ANSWERS, BUSY, BUSY, ANSWERS]
    const contactOf = () => tries.shift() ?? ANSWERS
    const world = new CampaignWorld({ teams: TEAM, contactOf })
    await world.campaign({ callbackRetryMinutes: 7 })
    await world.import(1, () => ({ numbers }), { intervalMs: INTERVAL_MS })
    await world.start()
    await world.logIn('anna')
    const atMs = await promised(world)
    await world.run(atMs - world.clock.nowMs() + 30 * MINUTE_MS)
    expect(world.pbx.carrier.invites.map(({ number }) => number)).toEqual([0, 0, 0, 0].map(numberOf))
    const [, first, next, last] = attemptsAtFirst(world)
    expect([first, next, last].map((one) => one?.result)).toEqual(['busy', 'busy', 'answered'])
    expect(next!.claimedAtMs - first!.endedAtMs!).toBeGreaterThanOrEqual(7 * MINUTE_MS)
    expect(next!.claimedAtMs - first!.endedAtMs!).toBeLessThan(8 * MINUTE_MS)
  })
})

test('what an agent promises and says in a talk survives an engine that dies before its end', async () => {
  const settings = { frequencyCap: { calls: 7, days: 7, quietDaysAfterTalk: 7 } }
  const world = await open(settings)
  await world.until(() => stateOf(world, 'anna') === 'talking')
  const atMs = world.clock.nowMs() + 2 * HOUR_MS
  expect(await world.order('anna', { type: 'callback', atMs, askedByContact: true })).toEqual({ ok: true })
  await world.order('anna', { type: 'feedback', feedbackType: 'willPay', isFinal: false, note: 'on Friday' })
  await world.run(1_000)
  await world.crash()
  await world.run(2_000)
  await world.start()
  await world.logIn('anna')
  expect(world.dialerRepository.view.feedback).toMatchObject([{ note: 'on Friday' }])
  await world.run(atMs - world.clock.nowMs() + 5 * MINUTE_MS)
  const statuses = [...world.dialerRepository.view.tasks.values()].map(({ status }) => status)
  expect(statuses).toEqual(['answered', 'answered'])
  const [, again] = world.pbx.carrier.invites
  expect(again).toMatchObject({ number: numberOf(0) })
  expect(again!.atMs - atMs).toBeLessThan(5 * MINUTE_MS)
})

describe('a debtor who has paid', () => {
  const pay = (world: CampaignWorld) => {
    const [task] = world.dialerRepository.view.tasks.keys()
    const end = { corporations: [CORPORATION], status: 'endedBySystem', atMs: world.clock.nowMs() } as const
    return world.during(world.dialerRepository.endCallTask({ task: task as CallTaskId, ...end }))
  }

  test('during the talk is promised nothing, and the agent hears so at once', async () => {
    const world = await open()
    await world.until(() => stateOf(world, 'anna') === 'talking')
    await pay(world)
    const atMs = world.clock.nowMs() + HOUR_MS
    const answer = await world.order('anna', { type: 'callback', atMs, askedByContact: true })
    expect(answer).toEqual({ ok: false, why: expect.stringContaining('ended or stopped') })
    await world.run(3 * HOUR_MS)
    expect(world.pbx.carrier.invites).toHaveLength(1)
  })

  test('after the promise was given is not called, and the agent is told', async () => {
    const world = await open()
    await world.until(() => stateOf(world, 'anna') === 'talking')
    const atMs = world.clock.nowMs() + HOUR_MS
    expect(await world.order('anna', { type: 'callback', atMs, askedByContact: true })).toEqual({ ok: true })
    await pay(world)
    await world.run(3 * HOUR_MS)
    expect(world.pbx.carrier.invites).toHaveLength(1)
    expect(world.news.filter(({ news }) => news.type === 'callbackRefused')).toMatchObject([{ agent: 'anna' }])
  })

  test('after the talk is not called by the task that follows', async () => {
    const world = await open()
    await promised(world)
    expect(await pay(world)).toMatchObject({ outcome: 'ended', status: 'answered', followers: [expect.any(Number)] })
    await world.run(4 * HOUR_MS)
    expect(world.pbx.carrier.invites).toHaveLength(1)
  })
})
