import { describe, expect, test } from 'vitest'
import type { AtMs } from '../../src/kernel/clock.ts'
import type { AttemptId, CallTaskId } from '../../src/kernel/ids.ts'
import { ANNA, BO, CORPORATION, HOUR_MS, MINUTE_MS, OTHERS, type Shop, SYSTEM } from './dialer-repository-world.ts'

/** What becomes of call tasks from outside the dialer. */
export function tasksContract(shop: () => Shop): void {
  const command = (task: CallTaskId, atMs: AtMs, askedByContact = true) => {
    return { task, atMs, askedByContact, agent: ANNA, nowMs: shop().nowMs() }
  }

  describe('a call task that is ended', () => {
    test('is finished, and nothing of it is dialed any more [acc 148, 149, 152]', async () => {
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
      })
      expect(await shop().claim()).toEqual([])
      expect(await shop().claim({ only: id })).toEqual([])
    })

    test('shows its first end when it is ended again', async () => {
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

    test('is nobody’s who belongs to another corporation', async () => {
      const { dialerRepository } = shop()
      const id = await shop().importOne()
      const foreign = shop().endOf(id, { corporations: [OTHERS] })
      expect(await dialerRepository.endCallTask(foreign)).toEqual({ outcome: 'no such call task' })
      const unknown = shop().endOf(999_999_999 as CallTaskId)
      expect(await dialerRepository.endCallTask(unknown)).toEqual({ outcome: 'no such call task' })
      expect(await shop().claim()).toHaveLength(1)
    })

    test('lets a conversation go on and names it, and lists what still rings', async () => {
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

    test('keeps the way it ended when its conversation ends, and knows that it was answered', async () => {
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

  describe('a callback', () => {
    test('of an active task comes at its instant, and not before', async () => {
      const { dialerRepository } = shop()
      const id = await shop().importOne()
      expect(await dialerRepository.setCallback(command(id, shop().nowMs() + HOUR_MS))).toBe(id)
      expect(await shop().claim()).toEqual([])
      expect(await dialerRepository.setCallback(command(id, shop().nowMs()))).toBe(id)
      expect((await shop().claim()).map(({ task }) => task.id)).toEqual([id])
    })

    test('wished during a call does not disturb it', async () => {
      const { dialerRepository } = shop()
      const attempt = await shop().dialed()
      await dialerRepository.attemptConnected(shop().connected(attempt))
      const atMs = shop().nowMs() + HOUR_MS
      expect(await dialerRepository.setCallback(command(attempt.task.id, atMs))).toBe(attempt.task.id)
      expect(await shop().task(attempt.task.id)).toMatchObject({ status: 'inCall' })
      const next = { status: 'callback', nextCallAtMs: atMs } as const
      await dialerRepository.endAttempt(shop().talked(attempt, { next }))
      expect(await shop().task(attempt.task.id)).toMatchObject({
        status: 'callback',
        callback: { atMs, askedByContact: true, agent: ANNA },
      })
      expect(await shop().claim()).toEqual([])
    })

    test('wished in a conversation that finishes its task is carried by one that follows it', async () => {
      const { dialerRepository } = shop()
      const attempt = await shop().dialed()
      await dialerRepository.attemptConnected(shop().connected(attempt))
      const atMs = shop().nowMs() + HOUR_MS
      await dialerRepository.setCallback(command(attempt.task.id, atMs))
      await dialerRepository.endAttempt(shop().talked(attempt))
      expect(await shop().task(attempt.task.id)).toMatchObject({ status: 'answered' })
      const matched = await dialerRepository.matchCaller(attempt.number, shop().nowMs())
      expect(matched).toMatchObject({ isFinished: false })
      expect(await shop().task(matched!.task)).toMatchObject({ status: 'callback', callback: { atMs, agent: ANNA } })
      expect(await shop().claim()).toEqual([])
    })

    test('stands while nobody was dialed at or after its date, and is served by who was', async () => {
      const { dialerRepository } = shop()
      const attempt = await shop().dialed()
      const atMs = shop().nowMs() + HOUR_MS
      await dialerRepository.setCallback(command(attempt.task.id, atMs))
      await shop().endAndRetry(attempt)
      expect(await shop().task(attempt.task.id)).toMatchObject({ status: 'callback', callback: { atMs } })
      expect(await shop().claim()).toEqual([])
      await dialerRepository.setCallback(command(attempt.task.id, shop().nowMs() - 1))
      await shop().endAndRetry(await shop().claimOne())
      const [task] = await shop().shown()
      expect(task).toMatchObject({ id: attempt.task.id, status: 'waiting' })
      expect(task).not.toHaveProperty('callback')
    })

    test('of a finished task is carried by one that follows it, to the same person', async () => {
      const { dialerRepository } = shop()
      const debtor = shop().debtorWith([shop().number(), shop().number()])
      const attempt = await shop().dialed(debtor)
      await dialerRepository.endAttempt(shop().talked(attempt))
      const atMs = shop().nowMs()
      const follower = await dialerRepository.setCallback(command(attempt.task.id, atMs))
      expect(follower).not.toBe(attempt.task.id)
      expect(await shop().task(attempt.task.id)).toMatchObject({ status: 'answered' })
      const { receiverName, externalCustomer, externalCaseNumber, person } = attempt.task
      expect(await shop().shown()).toMatchObject([
        {
          id: follower,
          receiverName,
          externalCustomer,
          externalCaseNumber,
          person,
          status: 'callback',
          callback: { atMs, askedByContact: true, agent: ANNA },
          numbers: debtor.numbers.map(({ number }) => ({ number })),
          intervalMs: HOUR_MS,
        },
      ])
    })

    test('of a finished task is followed once, however often it is wished', async () => {
      const { dialerRepository } = shop()
      const id = await shop().importOne()
      await dialerRepository.endCallTask(shop().endOf(id))
      const follower = await dialerRepository.setCallback(command(id, shop().nowMs()))
      expect(await dialerRepository.setCallback(command(id, shop().nowMs()))).toBe(follower)
      expect((await shop().shown()).map((task) => task.id)).toEqual([follower])
    })

    test('of a finished case that was imported again is carried by the new one', async () => {
      const { dialerRepository } = shop()
      const debtor = shop().debtor()
      const id = await shop().importOne(debtor)
      await dialerRepository.endCallTask(shop().endOf(id))
      const again = await shop().importOne(debtor)
      expect(await dialerRepository.setCallback(command(id, shop().nowMs()))).toBe(again)
    })

    test('of a task that does not exist says so', async () => {
      const nobodys = command(999_999_999 as CallTaskId, shop().nowMs())
      expect(await shop().dialerRepository.setCallback(nobodys)).toBe('no such call task')
    })
  })

  describe('a machine that was taken for a person', () => {
    const talkedToMachine = async (attemptsMax: number) => {
      const attempt = await shop().dialed(shop().debtor(), { attemptsMax, intervalMs: 0 })
      // Longer ago than the floor between two attempts (D-12).
      const atMs = shop().nowMs() - MINUTE_MS
      await shop().dialerRepository.endAttempt(shop().talked(attempt, { atMs, answeredAtMs: atMs }))
      return attempt
    }

    test('is noted beside the attempt, whose own result stands', async () => {
      const { dialerRepository, campaign } = shop()
      const attempt = await talkedToMachine(3)
      expect(await dialerRepository.correctToMachine(attempt.id, BO, shop().nowMs())).toBe('corrected')
      expect(await dialerRepository.correctToMachine(attempt.id, BO, shop().nowMs())).toBe('corrected')
      expect(await shop().attemptsOf(attempt.task.id)).toMatchObject([{ result: 'answered' }])
      expect(await dialerRepository.answeredCalls({ campaign }, 0)).toMatchObject([
        { isMachine: true, isAbandoned: false },
      ])
    })

    test('is tried again by another task, which follows the one it had finished', async () => {
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

    test('counts: after the last attempt nothing follows', async () => {
      const attempt = await talkedToMachine(1)
      await shop().dialerRepository.correctToMachine(attempt.id, BO, shop().nowMs())
      expect(await shop().shown()).toEqual([])
    })

    test('counts for the gate where its task goes on', async () => {
      const attempt = await shop().dialed()
      const next = { status: 'callback', nextCallAtMs: shop().nowMs() } as const
      await shop().dialerRepository.endAttempt(shop().talked(attempt, { next }))
      await shop().dialerRepository.correctToMachine(attempt.id, BO, shop().nowMs())
      expect(await shop().shown()).toMatchObject([{ id: attempt.task.id, attempts: [{ result: 'voicemail' }] }])
    })

    test('while the conversation still goes on, counts at its end, and is followed then', async () => {
      const { dialerRepository } = shop()
      const attempt = await shop().dialed(shop().debtor(), { attemptsMax: 2, intervalMs: 0 })
      await dialerRepository.attemptConnected(shop().connected(attempt))
      await dialerRepository.correctToMachine(attempt.id, BO, shop().nowMs())
      expect(await shop().task(attempt.task.id)).toMatchObject({ status: 'inCall' })
      await dialerRepository.endAttempt(shop().talked(attempt, { atMs: shop().nowMs() - 2 * MINUTE_MS }))
      expect(await shop().task(attempt.task.id)).toMatchObject({ status: 'answered' })
      expect(await shop().shown()).toMatchObject([{ status: 'new', attemptsMax: 1 }])
    })

    test('of an attempt that does not exist is said so', async () => {
      const corrected = await shop().dialerRepository.correctToMachine(999_999_999 as AttemptId, BO, shop().nowMs())
      expect(corrected).toBe('no such attempt')
    })
  })

  describe('somebody who calls in', () => {
    test('is matched to the active task of their number, before any finished one', async () => {
      const { dialerRepository } = shop()
      const number = shop().number()
      const active = shop().debtorWith([number])
      const id = await shop().importOne(active, { atMs: shop().nowMs() - HOUR_MS })
      const finished = await shop().importOne(shop().debtorWith([number]))
      await dialerRepository.endCallTask(shop().endOf(finished))
      const { receiverName, externalCustomer, externalCaseNumber } = active
      expect(await dialerRepository.matchCaller(number, shop().nowMs())).toEqual({
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

    test('is matched to the most recent task where none is active', async () => {
      const { dialerRepository } = shop()
      const number = shop().number()
      const tasks: CallTaskId[] = []
      for (let round = 0; round < 2; round++) {
        const attempt = await shop().dialed(shop().debtorWith([number]))
        await dialerRepository.endAttempt(shop().talked(attempt))
        tasks.push(attempt.task.id)
      }
      expect(await dialerRepository.matchCaller(number, shop().nowMs())).toMatchObject({
        task: tasks[1],
        isFinished: true,
      })
    })

    test('is told of what rings at them at this moment, and not of a conversation', async () => {
      const { dialerRepository } = shop()
      const [dialed, spare] = [shop().number(), shop().number()]
      const attempt = await shop().dialed(shop().debtorWith([dialed, spare]))
      const ringing = [attempt.id]
      expect(await dialerRepository.matchCaller(dialed, shop().nowMs())).toMatchObject({
        task: attempt.task.id,
        ringing,
      })
      // From another of their telephones.
      expect(await dialerRepository.matchCaller(spare, shop().nowMs())).toMatchObject({
        task: attempt.task.id,
        ringing,
      })
      await dialerRepository.attemptConnected(shop().connected(attempt))
      expect(await dialerRepository.matchCaller(dialed, shop().nowMs())).toMatchObject({ ringing: [] })
    })

    test('is nobody we know by a number that was never imported', async () => {
      expect(await shop().dialerRepository.matchCaller(shop().number(), shop().nowMs())).toBeUndefined()
    })
  })

  describe('what an agent says about a call', () => {
    test('may be said before the call is written, twice, and with or without a task', async () => {
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
