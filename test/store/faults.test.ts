/** A fault at every statement of a transaction: afterwards everything is stored once, or nothing is (F-D6, F-D7). */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { AgentName, CallId, CampaignId } from '../../src/kernel/ids.ts'
import type { NodeLease } from '../../src/ports/attempt.ts'
import { DatabaseUnavailable, type DialerRepository, type FinishedCall } from '../../src/ports/dialer-repository.ts'
import { postgresDialerRepository } from '../../src/store/dialer/dialer-repository.ts'
import { makeDatabase, servers, type TestDatabase } from './db/database.ts'
import { type Fault, faultsOf, plantFault } from './db/plant-fault.ts'
import {
  answered,
  CORPORATION,
  campaign,
  claim,
  claimOf,
  debtor,
  importOf,
  NOON,
  noAnswer,
  number,
  openShop,
} from './shop.ts'

describe.each(servers)('given a fault at any statement on $name', (server) => {
  let database: TestDatabase
  let dialerRepository: DialerRepository
  let lease: NodeLease
  let rounds = 0

  beforeAll(async () => {
    database = await makeDatabase(server)
    dialerRepository = await openShop(database.pools)
    lease = await dialerRepository.takeLease('one', 3_600_000)
  })
  afterAll(() => database.drop())

  const FAULTS = faultsOf(() => database.pools)

  /** A campaign with one debtor of its own. */
  async function oneDebtor(): Promise<CampaignId> {
    const id = (1000 + ++rounds) as CampaignId
    const numbers = [{ given: '', number: number(rounds) }]
    await dialerRepository.saveCampaign(campaign(id), NOON)
    await dialerRepository.importCallTasks(
      importOf([debtor(0, { externalCustomer: `r${rounds}`, numbers })], { campaign: id }),
    )
    return id
  }

  /** Runs `work` with the fault at each statement in turn, until no statements are left. */
  async function atEveryStatement(fault: Fault, work: (faulty: DialerRepository, isRetried: boolean) => Promise<void>) {
    for (let statement = 0; ; statement++) {
      const planted = plantFault(database.pools, statement, fault)
      await work(postgresDialerRepository(planted.pools), fault === FAULTS['deadlock'])
      if (!planted.hasStruck()) return statement
    }
  }

  test.each(Object.keys(FAULTS))('(%s), a claim is made once, and a repeat finds it', async (name) => {
    const statements = await atEveryStatement(FAULTS[name]!, async (faulty, isRetried) => {
      const id = await oneDebtor()
      const first = faulty.claimDueTasks(claimOf(lease, { campaign: id }))
      if (isRetried) expect(await first).toMatchObject({ attempts: [{ attemptNumber: 1 }] })
      else await first.catch((error) => expect(error).toBeInstanceOf(DatabaseUnavailable))
      await claim(dialerRepository, lease, { campaign: id })
      const open = (await dialerRepository.openAttempts(lease)).filter((attempt) => attempt.campaign === id)
      expect(open).toMatchObject([{ attemptNumber: 1, result: null }])
    })
    // From the first statement to the commit.
    expect(statements).toBeGreaterThanOrEqual(5)
  })

  test.each(Object.keys(FAULTS))('(%s), the end of a call is written once when it is reported again', async (name) => {
    const statements = await atEveryStatement(FAULTS[name]!, async (faulty, isRetried) => {
      const [attempt] = await claim(dialerRepository, lease, { campaign: await oneDebtor() })
      const over: FinishedCall = {
        call: `call-${rounds}` as CallId,
        activity: attempt!.activity,
        corporation: CORPORATION,
        direction: 'out',
        caller: '+4570000000',
        called: attempt!.number,
        createdAtMs: NOON,
        endedAtMs: NOON + 30_000,
        talkMs: 0,
        waitMs: 0,
        recordings: [],
        eventName: `evt_${rounds}`,
        attempt: noAnswer(attempt!, lease),
      }
      const first = faulty.finishCall(over)
      if (isRetried) expect(await first).toMatchObject({ outcome: 'recorded' })
      else await first.catch((error) => expect(error).toBeInstanceOf(DatabaseUnavailable))
      expect(await dialerRepository.finishCall(over)).toMatchObject({ activity: attempt!.activity })
      const { rows } = await database.pools.api.query(
        `select attempts_counted, (select count(*) from events where activity_id = $2) as events
           from call_tasks where id = $1`,
        [attempt!.task.id, attempt!.activity],
      )
      expect(rows).toEqual([{ attempts_counted: 1, events: 1 }])
    })
    expect(statements).toBeGreaterThanOrEqual(5)
  })

  test.each(Object.keys(FAULTS))(
    '(%s), one task follows a finished one when the callback is requested again',
    async (name) => {
      const statements = await atEveryStatement(FAULTS[name]!, async (faulty, isRetried) => {
        const [attempt] = await claim(dialerRepository, lease, { campaign: await oneDebtor() })
        await dialerRepository.endAttempt(answered(attempt!, lease))
        const task = attempt!.task.id
        const input = { task, atMs: NOON, askedByContact: true, agent: 'anna' as AgentName, nowMs: NOON }
        const first = faulty.setCallback(input)
        if (isRetried) await first
        else await first.catch((error) => expect(error).toBeInstanceOf(DatabaseUnavailable))
        const follower = await dialerRepository.setCallback(input)
        const { rows } = await database.pools.api.query(
          'select id, status from call_tasks where follows_task_id = $1',
          [task],
        )
        expect(rows).toEqual([{ id: follower, status: 'callback' }])
      })
      expect(statements).toBeGreaterThanOrEqual(5)
    },
  )

  test.each(Object.keys(FAULTS))('(%s), a machine correction counts once when it is reported again', async (name) => {
    const statements = await atEveryStatement(FAULTS[name]!, async (faulty, isRetried) => {
      const [attempt] = await claim(dialerRepository, lease, { campaign: await oneDebtor() })
      await dialerRepository.endAttempt(answered(attempt!, lease))
      const correct = (told: DialerRepository) => told.correctToMachine(attempt!.id, 'anna' as AgentName, NOON)
      if (isRetried) expect(await correct(faulty)).toBe('corrected')
      else await correct(faulty).catch((error) => expect(error).toBeInstanceOf(DatabaseUnavailable))
      expect(await correct(dialerRepository)).toBe('corrected')
      const { rows } = await database.pools.api.query(
        `select attempts_counted, (select count(*) from call_tasks where follows_task_id = $1) as followers
           from call_tasks where id = $1`,
        [attempt!.task.id],
      )
      expect(rows).toEqual([{ attempts_counted: 1, followers: 1 }])
    })
    expect(statements).toBeGreaterThanOrEqual(5)
  })
})
