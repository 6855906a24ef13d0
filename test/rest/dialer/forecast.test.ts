import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { processForecaster } from '../../../src/core/forecast/process-forecaster.ts'
import { type Learnt, learnFact, nothingLearnt } from '../../../src/dialer/pacing/learned-distributions.ts'
import type { PacingFact } from '../../../src/dialer/pacing/pacer-interface.ts'
import { keptLearning } from '../../../src/dialer/pacing/saved-learning.ts'
import { RealClock } from '../../../src/kernel/clock.ts'
import { type Random, seededRandom } from '../../../src/kernel/random.ts'
import type { Forecaster, Forecasting, ForecastOrder } from '../../../src/ports/forecaster.ts'
import { CAMPAIGN, type DialerWorld, debtors, openDialerWorld, THEIR_CAMPAIGN } from './dialer-world.ts'
import { quickForecaster } from './quick-forecaster.ts'

/** However busy the machine is. */
const real = processForecaster({ clock: new RealClock(), timeoutMs: 300_000 })
/** Its answer in place of a forecast, if a test sets it. */
let instead: Forecasting | undefined
const forecaster: Forecaster = {
  forecast: async (corporation, order) => instead ?? real.forecast(corporation, order),
  close: () => real.close(),
}

let world: DialerWorld
beforeAll(async () => {
  world = await openDialerWorld({ parts: { forecaster } })
})
afterAll(async () => {
  await forecaster.close()
  await world.close()
})

const ask = (body?: object, campaign: number = CAMPAIGN) =>
  world.call('POST', `/dialer/callcode/${campaign}/forecast`, body)
const SMALL = { agents: 5, hours: 2, days: 4 }

/** The statistics of so many calls of a list: two of five are answered, and talks last about two minutes. */
function taught(lines: number, random: Random): Learnt {
  let learnt = nothingLearnt()
  const learn = (fact: PacingFact) => {
    learnt = learnFact(learnt, fact, world.parts.clock.nowMs())
  }
  for (let line = 0; line < lines; line++) {
    if (random.next() >= 0.4) learn({ type: 'line.failed', ageMs: 15_000 + 10_000 * random.next() })
    else {
      learn({ type: 'line.answered', ageMs: 4_000 + 10_000 * random.next() })
      learn({ type: 'talk.ended', lengthMs: -120_000 * Math.log(1 - random.next()) })
    }
  }
  return learnt
}

const keep = async (node: string, learnt: Learnt) =>
  world.dialerRepository.keepLearning(await world.dialerRepository.takeLease(node, 60_000), {
    campaign: CAMPAIGN,
    data: keptLearning(learnt),
    atMs: world.parts.clock.nowMs(),
  })

describe('a forecast of a campaign', () => {
  test('needs agents if none are known, and names its assumptions', async () => {
    const { status, body } = await ask()
    expect([status, body.errors[0].path]).toEqual([400, 'agents'])
    expect((await ask(SMALL)).body.laws).toMatchObject({ source: 'guess', lines: 0, hitRate: 0.3 })
  })

  test('uses the campaign’s statistics, list and roster; one seed gives the same bytes', async () => {
    await keep('node2', taught(600, seededRandom(1)))
    await keep('node1', taught(30, seededRandom(2)))
    await world.importTasks(debtors(1, 4))
    const [first, again, other] = [await ask(SMALL), await ask(SMALL), await ask({ ...SMALL, seed: 2 })]
    expect(first.status).toBe(200)
    // An instant follows the clock.
    const figures = ({ body: { finishTs: _, ...all } }: typeof first) => all
    expect(figures(again)).toEqual(figures(first))
    expect(figures(other)).not.toEqual(figures(first))
    const { body } = first
    expect(body).toMatchObject({ ...SMALL, callCode: CAMPAIGN, pacing: 'price', maxAbandonRate: 0.03, seed: 1 })
    expect(body.laws.source).toBe('learnt')
    expect(body.laws.lines).toBeGreaterThan(400)
    expect(Math.abs(body.laws.hitRate - 0.4)).toBeLessThan(0.08)
    expect(Math.abs(body.laws.meanTalkS - 120)).toBeLessThan(25)
    expect(body.laws.meanWrapUpS).toBe(20)
    expect(body.occupancyPct.mean).toBeGreaterThan(70)
    expect(body.occupancyPct.mean).toBeLessThan(97)
    expect(body.abandonedPct.mean).toBeLessThan(3)
    expect(body.timeAboveCapPct).toBe(0)
    expect(body.dueTasks).toBe(3)
    expect(body.hoursForDueTasks.mean).toBeCloseTo((3 * 2) / body.dials.mean, 2)
  })

  test('answers what-if questions: nothing may be abandoned, one line for each agent', async () => {
    const { body } = await ask({ ...SMALL, pacing: 'oneToOne', maxAbandonRate: 0 })
    expect(body).toMatchObject({ pacing: 'oneToOne', maxAbandonRate: 0 })
    expect(body.abandonedPct).toEqual({ mean: 0, low: 0, high: 0 })
  })

  test('uses the agents of its queue and the length of its call windows', async () => {
    await world.pools.jobs.query('insert into team_members (team_id, user_id) values (12, 41)')
    const { body } = await ask({ pacing: 'oneToOne' })
    expect(body).toMatchObject({ agents: 1, hours: 12, days: 20 })
  })
})

describe('a refused forecast', () => {
  test('a campaign of others, and an unknown one', async () => {
    expect((await ask(SMALL, THEIR_CAMPAIGN)).status).toBe(404)
    expect((await ask(SMALL, 4_711)).status).toBe(404)
  })

  test('more than can be counted in time, or by field', async () => {
    const { status, body } = await ask({ agents: 300, hours: 12, days: 50 })
    expect([status, body.errors[0].path, body.detail]).toEqual([400, 'days', expect.stringContaining('use at most 2,')])
    for (const wrong of [{ agents: 301 }, { hours: 13 }, { days: 1 }, { pacing: 'wild' }, { agent: 3 }]) {
      expect((await ask(wrong)).status).toBe(400)
    }
  })

  test('a campaign that cannot dial yet: 409 says what it lacks', async () => {
    const { body } = await world.call('POST', '/dialer/callcode', { name: 'New', corporation: { corpId: 1 } })
    const reply = await ask(SMALL, body.callCode)
    expect([reply.status, reply.body.detail]).toEqual([409, expect.stringContaining('queue, callerId, callWindows')])
  })

  test('says when, by the hours with open call windows, and nothing of what is too far off', async () => {
    const quick = await quickForecaster().forecast(0 as never, { seed: 1, dueTasks: 3_000, agents: 5 } as ForecastOrder)
    if (!quick.ok) throw new Error(quick.why)
    instead = { ok: true, forecast: { ...quick.forecast, hoursForDueTasks: { mean: 30, low: 29, high: 10_000 } } }
    const { finishTs } = (await ask(SMALL)).body
    expect(Date.parse(finishTs.mean) - Date.parse(finishTs.low)).toBe(3_600_000)
    expect(finishTs.high).toBeNull()
    instead = { ok: true, forecast: { ...quick.forecast, hoursForDueTasks: undefined } }
    expect((await ask(SMALL)).body.finishTs).toBeNull()
    instead = undefined
  })

  test('during another one, after a timeout, at the close: each says what to do', async () => {
    const said = async (why: 'busy' | 'tooLong' | 'closed') => {
      instead = { ok: false, why }
      const { status, body } = await ask(SMALL)
      return `${status} ${body.detail}`
    }
    expect(await said('busy')).toMatch(/^429 .*try again/)
    expect(await said('tooLong')).toMatch(/^503 .*fewer days or agents/)
    expect(await said('closed')).toMatch(/^503 .*another node/)
    instead = undefined
  })
})
