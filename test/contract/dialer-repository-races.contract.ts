import { describe, expect, test } from 'vitest'
import type { ClaimedAttempt, DueTask, Verdict } from '../../src/ports/attempt.ts'
import { ANNA, CORPORATION, dialFirst, HOUR_MS, importedBy, type Shop } from './dialer-repository-world.ts'

/** How often each race runs: the winner is random, the result afterwards is not. */
const ROUNDS = 8

/** Concurrent requests. PostgreSQL runs them in parallel; the simulated database applies them in any order. */
export function racesContract(shop: () => Shop): void {
  const distinct = (attempts: readonly ClaimedAttempt[], of: (attempt: ClaimedAttempt) => unknown) =>
    new Set(attempts.map(of)).size

  test('given concurrent claims, no task, number or person is dialed twice', async () => {
    const people = Array.from({ length: 60 }, (_, index) => shop().debtor(index))
    // Every third shares a telephone with the previous one, every fifth is the same person as the previous one.
    const list = people.map((one, index) => ({
      ...one,
      numbers: index % 3 === 2 ? people[index - 1]!.numbers : one.numbers,
      externalCustomer: (index % 5 === 4 ? people[index - 1]! : one).externalCustomer!,
    }))
    await shop().import(list)
    const client = async () => {
      const mine: ClaimedAttempt[] = []
      for (let round = 0; round < 6; round++) mine.push(...(await shop().claim({ tasksMax: 5 })))
      return mine
    }
    const attempts = (await Promise.all([client(), client(), client(), client()])).flat()
    expect(distinct(attempts, ({ task }) => task.id)).toBe(attempts.length)
    expect(distinct(attempts, ({ number }) => number)).toBe(attempts.length)
    expect(distinct(attempts, ({ task }) => task.person)).toBe(attempts.length)
    expect(attempts.length).toBeGreaterThan(20)
  })

  test('given two campaigns that claim one person at once, only one of them dials the person', async () => {
    const elsewhere = await shop().anotherCampaign()
    for (let round = 0; round < ROUNDS; round++) {
      const debtor = shop().debtor()
      await shop().importOne(debtor)
      await shop().importOne(debtor, { campaign: elsewhere })
      const both = await Promise.all([shop().claim(), shop().claim({ campaign: elsewhere })])
      expect(both.flat()).toHaveLength(1)
      const [winner] = both.flat()
      await shop().dialerRepository.endAttempt(shop().talked(winner!))
      // The other campaign has its turn afterwards, and is done before the next round.
      const rest = [...(await shop().claim()), ...(await shop().claim({ campaign: elsewhere }))]
      expect(rest).toHaveLength(1)
      await shop().dialerRepository.endAttempt(shop().talked(rest[0]!))
    }
  })

  test('given an end at the moment of a claim, the claimed attempts are listed for withdrawal', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const id = await shop().importOne()
      const [claimed, ended] = await Promise.all([
        shop().claim({ only: id }),
        shop().dialerRepository.endCallTask(shop().endOf(id)),
      ])
      expect(ended).toMatchObject({ outcome: 'ended', cancel: claimed.map((attempt) => attempt.id) })
      expect(await shop().claim({ only: id })).toEqual([])
    }
  })

  test('given a stop at the moment of a claim, the gate saw it or the attempt is withdrawn', async () => {
    const { dialerRepository, lease } = shop()
    const careful = (task: DueTask): Verdict => (task.numbers[0]!.stopped ? { verdict: 'leave' } : dialFirst(task))
    for (let round = 0; round < ROUNDS; round++) {
      const number = shop().number()
      const only = await shop().importOne(shop().debtorWith([number]))
      const stop = dialerRepository.addStop(CORPORATION, { kind: 'number', number }, shop().nowMs())
      const claimed = await shop().claim({ only, decide: careful })
      await stop
      const cancel = await dialerRepository.attemptsToCancel(lease)
      const ids = cancel.map(({ attempt }) => attempt)
      for (const attempt of claimed) expect(ids).toContain(attempt.id)
      expect(await shop().claim({ only, decide: careful })).toEqual([])
    }
  })

  test('given a lease taken at the moment of a claim, the new engine finds the attempts of the old one', async () => {
    const { dialerRepository, node } = shop()
    let lease = shop().lease
    for (let round = 0; round < ROUNDS; round++) {
      await shop().importOne()
      const command = shop().claimOf({ lease })
      const [claimed, newer] = await Promise.all([
        dialerRepository.claimDueTasks(command),
        dialerRepository.takeLease(node, HOUR_MS),
      ])
      const open = await dialerRepository.openAttempts(newer)
      const written = claimed.outcome === 'claimed' ? claimed.attempts.map(({ id }) => id) : []
      expect(open.map(({ id }) => id)).toEqual(written)
      const rest = await shop().claim({ lease: newer })
      expect(rest.length + written.length).toBe(1)
      for (const id of [...written, ...rest.map((attempt) => attempt.id)]) {
        await dialerRepository.endAttempt(shop().talked({ id }, { fence: newer.fence }))
      }
      lease = newer
    }
  })

  test('given concurrent ends of one attempt, one end is written and the task moves on once', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const attempt = await shop().dialed()
      const ends = [shop().noAnswer(attempt), shop().talked(attempt), shop().noAnswer(attempt, { result: 'busy' })]
      const told = await Promise.all(ends.map((end) => shop().dialerRepository.endAttempt(end)))
      expect([...told].sort()).toEqual(['already ended', 'already ended', 'written'])
      const [kept] = await shop().attemptsOf(attempt.task.id)
      expect(kept!.result).toBe(ends[told.indexOf('written')]!.result)
    }
  })

  test('given concurrent reports of one call, it is written once', async () => {
    const attempt = await shop().dialed()
    const call = shop().callOut(attempt, shop().noAnswer(attempt))
    const told = await Promise.all([call, call, call, call].map((one) => shop().dialerRepository.finishCall(one)))
    expect(told.map(({ outcome }) => outcome).sort()).toEqual([...Array(3).fill('already recorded'), 'recorded'])
    expect(await shop().eventsAbout(attempt.activity)).toBe(1)
  })

  test('given concurrent imports of one case, one task is created', async () => {
    const debtor = shop().debtor()
    const requests = [1, 2, 3, 4].map(() => shop().importOf([debtor]))
    const results = await Promise.all(requests.map((request) => shop().dialerRepository.importCallTasks(request)))
    expect(results.flatMap((result) => importedBy(result).imported)).toHaveLength(1)
  })

  test('given one import submitted concurrently, it is carried out once', async () => {
    const request = shop().importOf([shop().debtor(0), shop().debtor(1)])
    const results = await Promise.all([1, 2, 3].map(() => shop().dialerRepository.importCallTasks(request)))
    expect(new Set(results.map((result) => JSON.stringify(result))).size).toBe(1)
    expect(await shop().shown()).toHaveLength(2)
  })

  test('given several callbacks for one finished task at once, one task follows', async () => {
    const { task, ...attempt } = await shop().dialed()
    const { id } = task
    await shop().dialerRepository.endAttempt(shop().talked(attempt))
    const nowMs = shop().nowMs()
    const command = { task: id, atMs: nowMs, askedByContact: true, agent: ANNA, nowMs }
    const said = [1, 2, 3].map((one) => ({ ...command, nowMs: nowMs + one }))
    const carriers = await Promise.all(said.map((one) => shop().dialerRepository.setCallback(one)))
    expect(new Set(carriers).size).toBe(1)
    expect(await shop().shown()).toHaveLength(1)
  })

  test('given an end at the moment of a promise, nothing of the task is left to be dialed', async () => {
    const { dialerRepository } = shop()
    for (let round = 0; round < ROUNDS; round++) {
      const attempt = await shop().dialed()
      const { id } = attempt.task
      const nowMs = shop().nowMs()
      const promise = { task: id, atMs: nowMs, askedByContact: true, agent: ANNA, nowMs }
      await dialerRepository.setCallback({ ...promise, atMs: nowMs + HOUR_MS })
      // The end of the talk makes a follower of the promise, and a second word of the agent changes it.
      await Promise.all([
        dialerRepository.endAttempt(shop().talked(attempt)),
        dialerRepository.setCallback({ ...promise, nowMs: nowMs + 1 }),
        dialerRepository.endCallTask(shop().endOf(id)),
      ])
      expect(await dialerRepository.setCallback({ ...promise, nowMs: nowMs + 2 })).toBe('task ended')
      expect(await shop().shown({ atMs: nowMs + 2 * HOUR_MS })).toEqual([])
    }
  })

  test('given several agents who reserve at once, each gets a task of their own', async () => {
    const ids = await shop().import([0, 1, 2].map((index) => shop().debtor(index)))
    const given = await Promise.all(ids.map(() => shop().reserve()))
    expect(new Set(given.map(({ id }) => id))).toEqual(new Set(ids))
  })

  describe('there are no simultaneous calls to one customer:', () => {
    test('a task in progress is not claimed', async () => {
      await shop().importOne()
      await shop().claimOne()
      expect(await shop().claim()).toEqual([])
      expect(await shop().dialerRepository.reserveTask(shop().reservationOf())).toBe('nothing due')
    })

    test('a number is dialed once at a time, over all tasks and campaigns', async () => {
      const number = shop().number()
      const elsewhere = await shop().anotherCampaign()
      const first = await shop().dialed(shop().debtorWith([number]))
      await shop().importOne(shop().debtorWith([number]))
      await shop().importOne(shop().debtorWith([number]), { campaign: elsewhere })
      expect(await shop().claim()).toEqual([])
      expect(await shop().claim({ campaign: elsewhere })).toEqual([])
      await shop().dialerRepository.endAttempt(shop().noAnswer(first))
      expect(await shop().claim({ campaign: elsewhere })).toHaveLength(1)
      expect(await shop().claim()).toEqual([])
    })

    test('a person is dialed once at a time, over all campaigns, and waits without a postponement', async () => {
      const debtor = shop().debtor()
      const elsewhere = await shop().anotherCampaign()
      const first = await shop().dialed(debtor)
      const other = shop().debtor(0, { externalCustomer: debtor.externalCustomer! })
      await shop().importOne(other, { campaign: elsewhere })
      expect(await shop().claim({ campaign: elsewhere })).toEqual([])
      await shop().dialerRepository.endAttempt(shop().noAnswer(first))
      expect(await shop().claim({ campaign: elsewhere })).toHaveLength(1)
    })

    test('of two due tasks with one number or person, a claim takes one', async () => {
      const number = shop().number()
      const person = { externalCustomer: `twice ${number}` }
      await shop().import([shop().debtorWith([number]), shop().debtorWith([number], { index: 1 })])
      await shop().import([shop().debtor(0, person), shop().debtor(1, person)])
      expect(await shop().claim()).toHaveLength(2)
    })

    test('tasks that the gate leaves do not block others', async () => {
      const left = Array.from({ length: 40 }, (_, index) => shop().debtor(index))
      const leave = new Set(await shop().import(left, { atMs: shop().nowMs() - HOUR_MS }))
      const free = await shop().importOne()
      const decide = (task: DueTask): Verdict => (leave.has(task.id) ? { verdict: 'leave' } : dialFirst(task))
      expect(await shop().claim({ tasksMax: 1, decide })).toMatchObject([{ task: { id: free } }])
    })

    test('tasks that wait for another agent do not block others', async () => {
      const busy = shop().debtor()
      await shop().dialed(busy)
      const cases = Array.from({ length: 5 }, (_, index) => ({
        ...busy,
        index,
        externalCaseNumber: `${busy.externalCaseNumber} ${index}`,
      }))
      await shop().import(cases, { atMs: shop().nowMs() - HOUR_MS })
      const free = await shop().importOne()
      expect(await shop().claim({ tasksMax: 2 })).toMatchObject([{ task: { id: free } }])
    })
  })
}
