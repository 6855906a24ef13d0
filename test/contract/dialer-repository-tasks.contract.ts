import { describe, expect, test } from 'vitest'
import { type AttemptId, type CallTaskId, callOf, type PhoneNumber } from '../../src/kernel/ids.ts'
import type { ClaimedAttempt } from '../../src/ports/attempt.ts'
import type { DoNotCall } from '../../src/ports/dialer-repository.ts'
import { ANNA, BO, CORPORATION, HOUR_MS, MINUTE_MS, OTHERS, type Shop, SYSTEM } from './dialer-repository-world.ts'

/** Changes of call tasks from outside the dialer. */
export function tasksContract(shop: () => Shop): void {
  describe('a call task that is ended', () => {
    test('is finished, and not dialed any more', async () => {
      const { dialerRepository } = shop()
      const id = await shop().importOne()
      const end = shop().endOf(id, { reason: 'paid' })
      expect(await dialerRepository.endCallTask(end)).toEqual({
        outcome: 'ended',
        status: 'endedBySystem',
        answered: false,
        finishedAtMs: end.atMs,
        activeCall: null,
        cancel: [],
        followers: [],
      })
      expect(await shop().claim()).toEqual([])
      expect(await shop().claim({ only: id })).toEqual([])
    })

    test('keeps its first end when it is ended again', async () => {
      const { dialerRepository } = shop()
      const id = await shop().importOne()
      const end = shop().endOf(id)
      await dialerRepository.endCallTask(end)
      const again = { ...end, atMs: end.atMs + HOUR_MS, status: 'stopped' } as const
      expect(await dialerRepository.endCallTask(again)).toMatchObject({
        outcome: 'already finished',
        status: 'endedBySystem',
        finishedAtMs: end.atMs,
      })
    })

    test('is not found by another corporation', async () => {
      const { dialerRepository } = shop()
      const id = await shop().importOne()
      const foreign = shop().endOf(id, { corporations: [OTHERS] })
      expect(await dialerRepository.endCallTask(foreign)).toEqual({ outcome: 'no such call task' })
      const unknown = shop().endOf(999_999_999 as CallTaskId)
      expect(await dialerRepository.endCallTask(unknown)).toEqual({ outcome: 'no such call task' })
      expect(await shop().claim()).toHaveLength(1)
    })

    test('keeps a conversation in progress and names it, and lists what still rings', async () => {
      const { dialerRepository } = shop()
      const numbers = [shop().number(), shop().number()]
      const id = await shop().importOne(shop().debtorWith(numbers))
      const permit = {}
      const decide = () => ({ verdict: 'dial', numbers: numbers.map((number) => ({ number, permit })) }) as const
      const [talking, ringing] = await shop().claim({ decide })
      await dialerRepository.attemptConnected(shop().connected(talking!))
      expect(await dialerRepository.endCallTask(shop().endOf(id))).toMatchObject({
        outcome: 'ended',
        activeCall: talking!.activity,
        cancel: [ringing!.id],
      })
    })

    test('keeps its end reason when its conversation ends, and knows that it was answered', async () => {
      const { dialerRepository } = shop()
      const attempt = await shop().dialed()
      await dialerRepository.attemptConnected(shop().connected(attempt))
      await dialerRepository.endCallTask(shop().endOf(attempt.task.id))
      await dialerRepository.endAttempt(shop().talked(attempt))
      expect(await dialerRepository.endCallTask(shop().endOf(attempt.task.id))).toMatchObject({
        outcome: 'already finished',
        status: 'endedBySystem',
        answered: true,
      })
    })
  })

  describe('a machine that was taken for a person', () => {
    const talkedToMachine = async (attemptsMax: number) => {
      const attempt = await shop().dialed(shop().debtor(), { attemptsMax, intervalMs: 0 })
      // Longer ago than the minimum between two attempts (D-12).
      const atMs = shop().nowMs() - MINUTE_MS
      await shop().dialerRepository.endAttempt(shop().talked(attempt, { atMs, answeredAtMs: atMs }))
      return attempt
    }

    test('is recorded beside the attempt, whose own result stands', async () => {
      const { dialerRepository, campaign } = shop()
      const attempt = await talkedToMachine(3)
      expect(await dialerRepository.correctToMachine(attempt.id, BO, shop().nowMs())).toBe('corrected')
      expect(await dialerRepository.correctToMachine(attempt.id, BO, shop().nowMs())).toBe('corrected')
      expect(await shop().attemptsOf(attempt.task.id)).toMatchObject([{ result: 'answered' }])
      expect(await dialerRepository.answeredCalls({ campaign }, 0)).toMatchObject([
        { isMachine: true, isAbandoned: false },
      ])
    })

    test('is tried again by a task that follows the finished one', async () => {
      const { dialerRepository } = shop()
      const attempt = await talkedToMachine(3)
      expect(await shop().claim()).toEqual([])
      await dialerRepository.correctToMachine(attempt.id, BO, shop().nowMs())
      await dialerRepository.correctToMachine(attempt.id, BO, shop().nowMs())
      const tasks = await shop().shown()
      expect(tasks).toMatchObject([{ status: 'new', attemptsMax: 2, person: attempt.task.person }])
      expect(tasks[0]!.id).not.toBe(attempt.task.id)
      expect(tasks[0]).not.toHaveProperty('lastTalkAtMs')
      expect(await shop().task(attempt.task.id)).toMatchObject({ status: 'answered' })
    })

    test('counts: after the last attempt none follows', async () => {
      const attempt = await talkedToMachine(1)
      await shop().dialerRepository.correctToMachine(attempt.id, BO, shop().nowMs())
      expect(await shop().shown()).toEqual([])
    })

    test('counts for the gate if its task continues', async () => {
      const attempt = await shop().dialed()
      const next = { status: 'callback', nextCallAtMs: shop().nowMs() } as const
      await shop().dialerRepository.endAttempt(shop().talked(attempt, { next }))
      await shop().dialerRepository.correctToMachine(attempt.id, BO, shop().nowMs())
      expect(await shop().shown()).toMatchObject([{ id: attempt.task.id, attempts: [{ result: 'voicemail' }] }])
    })

    test('during the conversation counts at its end, and is followed then', async () => {
      const { dialerRepository } = shop()
      const attempt = await shop().dialed(shop().debtor(), { attemptsMax: 2, intervalMs: 0 })
      await dialerRepository.attemptConnected(shop().connected(attempt))
      await dialerRepository.correctToMachine(attempt.id, BO, shop().nowMs())
      expect(await shop().task(attempt.task.id)).toMatchObject({ status: 'inCall' })
      // An engine after a crash finds the word with the attempt.
      expect(await shop().attemptsOf(attempt.task.id)).toMatchObject([{ result: null, isMarkedMachine: true }])
      await dialerRepository.endAttempt(shop().talked(attempt, { atMs: shop().nowMs() - 2 * MINUTE_MS }))
      expect(await shop().task(attempt.task.id)).toMatchObject({ status: 'answered' })
      expect(await shop().shown()).toMatchObject([{ status: 'new', attemptsMax: 1 }])
    })

    test('of an unknown attempt is refused', async () => {
      const corrected = await shop().dialerRepository.correctToMachine(999_999_999 as AttemptId, BO, shop().nowMs())
      expect(corrected).toBe('no such attempt')
    })
  })

  describe('an inbound caller', () => {
    test('matches the active task of the number, before any finished one', async () => {
      const { dialerRepository } = shop()
      const number = shop().number()
      const active = shop().debtorWith([number])
      const id = await shop().importOne(active, { atMs: shop().nowMs() - HOUR_MS })
      const finished = await shop().importOne(shop().debtorWith([number]))
      await dialerRepository.endCallTask(shop().endOf(finished))
      const { receiverName, externalCustomer, externalCaseNumber } = active
      expect(await dialerRepository.matchCaller(CORPORATION, number)).toEqual({
        task: id,
        campaign: shop().campaign,
        corporation: CORPORATION,
        isFinished: false,
        externalSystem: SYSTEM,
        receiverName,
        externalCustomer,
        externalCaseNumber,
        ringing: [],
      })
    })

    test('matches the most recent task if none is active', async () => {
      const { dialerRepository } = shop()
      const number = shop().number()
      const tasks: CallTaskId[] = []
      for (let round = 0; round < 2; round++) {
        const attempt = await shop().dialed(shop().debtorWith([number]))
        await dialerRepository.endAttempt(shop().talked(attempt))
        tasks.push(attempt.task.id)
      }
      expect(await dialerRepository.matchCaller(CORPORATION, number)).toMatchObject({
        task: tasks[1],
        isFinished: true,
      })
    })

    test('matches the attempt that rings at this moment, and not a conversation', async () => {
      const { dialerRepository } = shop()
      const [dialed, spare] = [shop().number(), shop().number()]
      const attempt = await shop().dialed(shop().debtorWith([dialed, spare]))
      const ringing = [attempt.id]
      expect(await dialerRepository.matchCaller(CORPORATION, dialed)).toMatchObject({
        task: attempt.task.id,
        ringing,
      })
      // From another telephone of theirs.
      expect(await dialerRepository.matchCaller(CORPORATION, spare)).toMatchObject({
        task: attempt.task.id,
        ringing,
      })
      await dialerRepository.attemptConnected(shop().connected(attempt))
      expect(await dialerRepository.matchCaller(CORPORATION, dialed)).toMatchObject({ ringing: [] })
    })

    test('of another corporation is unknown', async () => {
      const number = shop().number()
      await shop().importOne(shop().debtorWith([number]))
      expect(await shop().dialerRepository.matchCaller(OTHERS, number)).toBeUndefined()
    })

    test('is unknown if the number was never imported', async () => {
      expect(await shop().dialerRepository.matchCaller(CORPORATION, shop().number())).toBeUndefined()
    })
  })

  describe('a person who asks not to be called again', () => {
    const asks = (attempt: ClaimedAttempt, change: Partial<DoNotCall> = {}): DoNotCall => ({
      corporation: CORPORATION,
      number: attempt.number,
      task: attempt.task.id,
      call: callOf(attempt.leg),
      activity: attempt.activity,
      by: ANNA,
      reason: 'leave me alone',
      atMs: shop().nowMs(),
      ...change,
    })
    const statusesOf = async (ids: readonly CallTaskId[]) =>
      (await shop().dialerRepository.describeTasks(ids, 0)).map(({ status }) => status)

    test('is stopped by number and person, and their open tasks end, the dialed one included', async () => {
      const { dialerRepository } = shop()
      const attempt = await shop().dialed()
      const { externalCustomer = '', id } = attempt.task
      const more = (customer: string, numbers: readonly PhoneNumber[], caseNumber: string) =>
        shop().importOne(shop().debtorWith(numbers, { externalCustomer: customer, externalCaseNumber: caseNumber }))
      const sameNumber = await more('somebody else', [attempt.number], 'second')
      const twoNumbers = await more('a third person', [attempt.number, shop().number()], 'third')
      const samePerson = await more(externalCustomer, [shop().number()], 'fourth')
      const ended = await dialerRepository.doNotCall(asks(attempt))
      expect(ended).toEqual([id, sameNumber, samePerson])
      expect(await statusesOf([id, sameNumber, twoNumbers, samePerson])).toEqual([
        'stopped',
        'stopped',
        'new',
        'stopped',
      ])
      const person = { kind: 'person', externalSystem: SYSTEM, externalCustomer } as const
      const number = { kind: 'number', number: attempt.number } as const
      expect(await dialerRepository.isStopped(CORPORATION, person)).toBe(true)
      expect(await dialerRepository.isStopped(CORPORATION, number)).toBe(true)
      expect(await dialerRepository.doNotCall(asks(attempt))).toEqual([])
    })

    test('after the talk is not called back at another number as was promised, and nothing follows', async () => {
      const { dialerRepository } = shop()
      const numbers = [shop().number(), shop().number()]
      const { externalCustomer: _, ...nobody } = shop().debtorWith(numbers)
      const attempt = await shop().dialed(nobody)
      const { id } = attempt.task
      const promised = { task: id, askedByContact: true, agent: ANNA }
      const promise = () => dialerRepository.setCallback({ ...promised, atMs: shop().nowMs(), nowMs: shop().nowMs() })
      await dialerRepository.endAttempt(shop().talked(attempt))
      const follower = (await promise()) as CallTaskId
      const ringing = await shop().claimOne({ only: follower })
      expect(await dialerRepository.doNotCall(asks(attempt))).toEqual([follower])
      expect(await statusesOf([id, follower])).toEqual(['answered', 'stopped'])
      expect(await dialerRepository.attemptsToCancel(shop().lease)).toEqual([{ attempt: ringing.id, why: 'taskEnded' }])
      expect(await promise()).toBe('task ended')
    })

    test('is stopped by number alone where they called in: a number proves no identity', async () => {
      const { dialerRepository } = shop()
      const attempt = await shop().dialed()
      const numbers = [shop().number(), shop().number()]
      const id = await shop().importOne(shop().debtorWith(numbers, { externalCustomer: 'caller' }))
      const { task: _, activity: __, ...caller } = asks(attempt, { number: numbers[0]! })
      expect(await dialerRepository.doNotCall(caller)).toEqual([])
      expect(await statusesOf([id])).toEqual(['new'])
      const person = { kind: 'person', externalSystem: SYSTEM, externalCustomer: 'caller' } as const
      expect(await dialerRepository.isStopped(CORPORATION, person)).toBe(false)
      expect(await dialerRepository.doNotCall({ ...caller, number: numbers[1]! })).toEqual([id])
    })

    test('means nothing for another corporation', async () => {
      const attempt = await shop().dialed()
      const { dialerRepository } = shop()
      expect(await dialerRepository.doNotCall(asks(attempt, { corporation: OTHERS }))).toEqual([])
      const number = { kind: 'number', number: attempt.number } as const
      expect(await dialerRepository.isStopped(CORPORATION, number)).toBe(false)
    })
  })

  describe('the feedback of an agent', () => {
    test('may precede the call record, come twice, and have a task or none', async () => {
      const { dialerRepository } = shop()
      const attempt = await shop().dialed()
      const { activity, task } = attempt
      const said = { activity, agent: ANNA, feedbackType: 'promised to pay', isFinal: false, atMs: shop().nowMs() }
      await expect(
        dialerRepository.recordFeedback({ ...said, task: task.id, note: 'on Friday' }),
      ).resolves.toBeUndefined()
      await expect(
        dialerRepository.recordFeedback({ ...said, task: task.id, note: 'on Friday' }),
      ).resolves.toBeUndefined()
      await expect(dialerRepository.recordFeedback({ ...said, agent: BO })).resolves.toBeUndefined()
    })
  })
}
