import { describe, expect, test } from 'vitest'
import type { AtMs } from '../../src/kernel/clock.ts'
import type { CallId, CallTaskId, CampaignId } from '../../src/kernel/ids.ts'
import type { KeepPlace } from '../../src/ports/queue-place.ts'
import { ANNA, CORPORATION, HOUR_MS, MINUTE_MS, type Shop, SYSTEM } from './dialer-repository-world.ts'

/** Promised callbacks, and the call tasks that follow finished ones. */
export function callbacksContract(shop: () => Shop): void {
  let saidAtMs = 0
  /** Each is said later than the one before. */
  const command = (task: CallTaskId, atMs: AtMs, askedByContact = true) => {
    saidAtMs = Math.max(saidAtMs + 1, shop().nowMs())
    return { task, atMs, askedByContact, agent: ANNA, nowMs: saidAtMs }
  }

  const talkedWith = async (debtor = shop().debtor()): Promise<CallTaskId> => {
    const attempt = await shop().dialed(debtor)
    await shop().dialerRepository.endAttempt(shop().talked(attempt))
    return attempt.task.id
  }

  describe('what follows a task', () => {
    const followed = async () => {
      const id = await talkedWith()
      const follower = (await shop().dialerRepository.setCallback(command(id, shop().nowMs()))) as CallTaskId
      return { id, follower }
    }

    test('ends with it, and with it what rings', async () => {
      const { dialerRepository } = shop()
      const { id, follower } = await followed()
      const ringing = await shop().claimOne({ only: follower })
      const end = shop().endOf(id, { reason: 'paid' })
      expect(await dialerRepository.endCallTask(end)).toMatchObject({
        outcome: 'ended',
        status: 'answered',
        cancel: [ringing.id],
        followers: [follower],
      })
      expect(await shop().task(follower)).toMatchObject({ status: 'endedBySystem' })
      expect(await dialerRepository.attemptsToCancel(shop().lease)).toEqual([{ attempt: ringing.id, why: 'taskEnded' }])
      await dialerRepository.endAttempt(shop().noAnswer(ringing))
      expect(await dialerRepository.endCallTask(end)).toMatchObject({ outcome: 'already finished', followers: [] })
      expect(await shop().shown()).toEqual([])
    })

    test('ends with it through all that follow each other', async () => {
      const { dialerRepository } = shop()
      const { id, follower } = await followed()
      await dialerRepository.endAttempt(shop().talked(await shop().claimOne({ only: follower })))
      const last = await dialerRepository.setCallback(command(follower, shop().nowMs()))
      expect(await dialerRepository.endCallTask(shop().endOf(id))).toMatchObject({ followers: [last] })
      expect(await dialerRepository.setCallback(command(follower, shop().nowMs()))).toBe('task ended')
      expect(await shop().shown()).toEqual([])
    })

    test('does not come into being when a machine is reported of a task that was ended', async () => {
      const { dialerRepository } = shop()
      const attempt = await shop().dialed()
      await dialerRepository.endAttempt(shop().talked(attempt))
      await dialerRepository.endCallTask(shop().endOf(attempt.task.id))
      await dialerRepository.correctToMachine(attempt.id, ANNA, shop().nowMs())
      expect(await shop().shown()).toEqual([])
    })
  })

  describe('a callback', () => {
    test('that settings of before put off is for its agent at once, and kept for them', async () => {
      const { dialerRepository, campaign } = shop()
      const id = await shop().importOne()
      const atMs = shop().nowMs()
      await dialerRepository.setCallback(command(id, atMs))
      const nextCallAtMs = atMs + HOUR_MS
      await shop().claim({ decide: () => ({ verdict: 'later', nextCallAtMs, why: 'frequencyCap' }) })
      const due = () => dialerRepository.dueCallbacks([campaign], shop().nowMs())
      expect(await due()).toMatchObject([{ task: id, nextCallAtMs, agent: ANNA }])
      await shop().changeCampaign({ settings: { ringTimeoutSeconds: 41 } })
      expect(await due()).toMatchObject([{ task: id, nextCallAtMs: atMs }])
      const kept = { agents: [ANNA], sinceAtMs: atMs - MINUTE_MS }
      expect(await shop().claim({ kept })).toEqual([])
      expect((await shop().claim({ kept: { ...kept, sinceAtMs: atMs } })).map(({ task }) => task.id)).toEqual([id])
    })

    test('of an active task is due at its instant, and not before', async () => {
      const { dialerRepository } = shop()
      const id = await shop().importOne()
      expect(await dialerRepository.setCallback(command(id, shop().nowMs() + HOUR_MS))).toBe(id)
      expect(await shop().claim()).toEqual([])
      expect(await dialerRepository.setCallback(command(id, shop().nowMs()))).toBe(id)
      expect((await shop().claim()).map(({ task }) => task.id)).toEqual([id])
    })

    test('that is written again changes nothing of what became of it since', async () => {
      const { dialerRepository } = shop()
      const id = await talkedWith()
      const promise = command(id, shop().nowMs())
      const follower = (await dialerRepository.setCallback(promise)) as CallTaskId
      await dialerRepository.endAttempt(shop().talked(await shop().claimOne({ only: follower })))
      expect(await dialerRepository.setCallback(promise)).toBe(follower)
      expect(await shop().shown()).toEqual([])
      // A later one of the same talk is another promise.
      const later = (await dialerRepository.setCallback({ ...promise, nowMs: promise.nowMs + 1 })) as CallTaskId
      expect((await shop().shown()).map((one) => one.id)).toEqual([later])
    })

    test('is refused for when the validity is over, and nothing follows', async () => {
      const { dialerRepository } = shop()
      const atMs = shop().nowMs() + HOUR_MS
      const open = await shop().importOne(shop().debtor(0, { validToAtMs: atMs }))
      expect(await dialerRepository.setCallback(command(open, atMs))).toBe('task ended')
      expect(await dialerRepository.setCallback(command(open, atMs - 1))).toBe(open)
      const over = await talkedWith(shop().debtor(0, { validToAtMs: atMs }))
      expect(await dialerRepository.setCallback(command(over, atMs))).toBe('task ended')
      expect((await shop().shown()).filter(({ id }) => id !== open)).toEqual([])
    })

    test('that the gate lets pass is kept by its call, also where the clock of the engine is behind', async () => {
      const { dialerRepository } = shop()
      const id = await shop().importOne()
      const atMs = shop().nowMs()
      await dialerRepository.setCallback(command(id, atMs))
      const attempt = await shop().claimOne({ only: id, agent: ANNA, atMs: atMs - 1_000 })
      await dialerRepository.endAttempt(shop().talked(attempt))
      expect(await shop().task(id)).toMatchObject({ status: 'answered', attempts: [{ claimedAtMs: atMs }] })
      expect(await shop().shown()).toEqual([])
    })

    test('requested during a call does not disturb it', async () => {
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

    test('requested in a conversation that finishes its task moves to the following task', async () => {
      const { dialerRepository } = shop()
      const attempt = await shop().dialed()
      await dialerRepository.attemptConnected(shop().connected(attempt))
      const atMs = shop().nowMs() + HOUR_MS
      await dialerRepository.setCallback(command(attempt.task.id, atMs))
      await dialerRepository.endAttempt(shop().talked(attempt))
      expect(await shop().task(attempt.task.id)).toMatchObject({ status: 'answered' })
      const matched = await dialerRepository.matchCaller(CORPORATION, attempt.number)
      expect(matched).toMatchObject({ isFinished: false })
      expect(await shop().task(matched!.task)).toMatchObject({ status: 'callback', callback: { atMs, agent: ANNA } })
      expect(await shop().claim()).toEqual([])
    })

    test('stands until an attempt at or after its date, which serves it', async () => {
      const { dialerRepository } = shop()
      const attempt = await shop().dialed()
      const atMs = shop().nowMs() + HOUR_MS
      await dialerRepository.setCallback(command(attempt.task.id, atMs))
      await shop().endAndRetry(attempt)
      expect(await shop().task(attempt.task.id)).toMatchObject({ status: 'callback', callback: { atMs } })
      expect(await shop().claim()).toEqual([])
      await dialerRepository.setCallback(command(attempt.task.id, shop().nowMs() - 1))
      await shop().endAndRetry(await shop().claimOne())
      expect(await shop().task(attempt.task.id)).toMatchObject({ status: 'callback' })
      await shop().endAndRetry(await shop().claimOne(), { result: 'voicemail', reach: 'answered' })
      const [task] = await shop().shown()
      expect(task).toMatchObject({ id: attempt.task.id, status: 'waiting' })
      expect(task).not.toHaveProperty('callback')
    })

    test('of a finished task moves to a following task, for the same person', async () => {
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

    test('of a finished task is followed once, however often it is requested', async () => {
      const { dialerRepository } = shop()
      const id = await talkedWith()
      const follower = await dialerRepository.setCallback(command(id, shop().nowMs()))
      expect(await dialerRepository.setCallback(command(id, shop().nowMs()))).toBe(follower)
      expect((await shop().shown()).map((task) => task.id)).toEqual([follower])
    })

    test('of a finished case that was imported again moves to the new task', async () => {
      const { dialerRepository } = shop()
      const debtor = shop().debtor()
      const id = await talkedWith(debtor)
      const again = await shop().importOne(debtor)
      expect(await dialerRepository.setCallback(command(id, shop().nowMs()))).toBe(again)
    })

    test('of a task that was ended or stopped is refused, and nothing follows', async () => {
      const { dialerRepository } = shop()
      for (const status of ['endedBySystem', 'endedByUser', 'stopped'] as const) {
        const id = await shop().importOne()
        await dialerRepository.endCallTask(shop().endOf(id, { status }))
        expect(await dialerRepository.setCallback(command(id, shop().nowMs()))).toBe('task ended')
      }
      const decide = () => ({ verdict: 'finish', status: 'expired' }) as const
      const expired = await shop().importOne()
      await shop().claim({ decide })
      expect(await shop().task(expired)).toMatchObject({ status: 'expired' })
      expect(await dialerRepository.setCallback(command(expired, shop().nowMs()))).toBe('task ended')
      expect(await shop().shown()).toEqual([])
    })

    test('of a task that was ended after its talk is refused, and so is one of a stopped person', async () => {
      const { dialerRepository } = shop()
      const paid = await talkedWith()
      expect(await dialerRepository.endCallTask(shop().endOf(paid))).toMatchObject({ outcome: 'already finished' })
      expect(await shop().task(paid)).toMatchObject({ status: 'answered', isClosed: true })
      expect(await dialerRepository.setCallback(command(paid, shop().nowMs()))).toBe('task ended')
      const debtor = shop().debtor()
      const stopped = await talkedWith(debtor)
      const stop = { kind: 'person', externalSystem: SYSTEM, externalCustomer: debtor.externalCustomer! } as const
      await dialerRepository.addStop(CORPORATION, stop, shop().nowMs())
      expect(await dialerRepository.setCallback(command(stopped, shop().nowMs()))).toBe('task ended')
      expect(await shop().shown()).toEqual([])
    })

    test('keeps the number and the end of the talk in which it was promised', async () => {
      const { dialerRepository } = shop()
      const attempt = await shop().dialed()
      const atMs = shop().nowMs()
      await dialerRepository.endAttempt(shop().talked(attempt, { atMs: atMs + MINUTE_MS }))
      const { id, task, number } = attempt
      const follower = await dialerRepository.setCallback({ ...command(task.id, atMs), nowMs: atMs, attempt: id })
      const [carried] = await shop().shown()
      expect(carried).toMatchObject({ id: follower, callback: { number, promisedAtMs: atMs + MINUTE_MS } })
    })

    test.each(['voicemail', 'answered'] as const)(
      'of the last attempt, by somebody who then called it a machine, follows its task: %s',
      async (result) => {
        const { dialerRepository } = shop()
        const attempt = await shop().dialed(shop().debtor(), { attemptsMax: 1 })
        const { id, task, number } = attempt
        await dialerRepository.attemptConnected(shop().connected(attempt))
        const atMs = shop().nowMs() + HOUR_MS
        await dialerRepository.setCallback({ ...command(task.id, atMs), attempt: id })
        await dialerRepository.correctToMachine(id, ANNA, shop().nowMs())
        const next = { status: result === 'voicemail' ? 'maxAttempts' : 'answered' } as const
        await dialerRepository.endAttempt(shop().talked(attempt, { result, counts: true, next }))
        expect(await shop().task(task.id)).toMatchObject({ status: next.status })
        expect(await shop().claim()).toEqual([])
        const due = await dialerRepository.dueCallbacks([shop().campaign], atMs)
        expect(due).toMatchObject([{ atMs, agent: ANNA }])
        expect(await shop().task(due[0]!.task)).toMatchObject({ status: 'callback', callback: { atMs, number } })
      },
    )

    test('of before, whose last attempt reached nobody, ends with its task; who says it again hears so', async () => {
      const { dialerRepository } = shop()
      const id = await shop().importOne(shop().debtor(), { attemptsMax: 1 })
      const promise = { ...command(id, shop().nowMs()), nowMs: shop().nowMs() - MINUTE_MS }
      await dialerRepository.setCallback(promise)
      const tried = await shop().claimOne({ only: id })
      await dialerRepository.endAttempt(shop().noAnswer(tried, { next: { status: 'maxAttempts' } }))
      expect(await shop().shown()).toEqual([])
      expect(await dialerRepository.setCallback(promise)).toBe('task ended')
    })

    test('that is noted during the talk keeps its number, and the end of the talk once that is over', async () => {
      const { dialerRepository } = shop()
      const attempt = await shop().dialed()
      await dialerRepository.attemptConnected(shop().connected(attempt))
      const { id, task, number } = attempt
      const atMs = shop().nowMs()
      await dialerRepository.setCallback({ ...command(task.id, atMs + HOUR_MS), attempt: id })
      await dialerRepository.endAttempt(shop().talked(attempt, { atMs: atMs + MINUTE_MS }))
      const matched = await dialerRepository.matchCaller(CORPORATION, number)
      const promise = { number, agent: ANNA, promisedAtMs: atMs + MINUTE_MS }
      expect(await shop().task(matched!.task)).toMatchObject({ status: 'callback', callback: promise })
      // Said again after the talk, it is the same promise.
      await dialerRepository.setCallback({ ...command(task.id, atMs), attempt: id })
      expect(await shop().shown()).toMatchObject([{ id: matched!.task, callback: { ...promise, atMs } }])
    })

    test('that reached nobody stands with its agent and number, and comes again when the dialer says', async () => {
      const { dialerRepository } = shop()
      const attempt = await shop().dialed()
      await dialerRepository.endAttempt(shop().talked(attempt))
      const atMs = shop().nowMs()
      await dialerRepository.setCallback({ ...command(attempt.task.id, atMs), attempt: attempt.id })
      for (const result of ['busy', 'noAnswer', 'lost'] as const) {
        const [tried] = await shop().claim()
        const next = { status: 'callback', nextCallAtMs: shop().nowMs() } as const
        await dialerRepository.endAttempt(shop().noAnswer(tried!, { result, counts: false, next }))
        const [again] = await shop().shown()
        expect(again).toMatchObject({ callback: { atMs, agent: ANNA, askedByContact: true, number: attempt.number } })
      }
    })

    test('of a task that does not exist says so', async () => {
      const nobodys = command(999_999_999 as CallTaskId, shop().nowMs())
      expect(await shop().dialerRepository.setCallback(nobodys)).toBe('no such call task')
    })
  })

  describe('a place that a caller keeps in a queue', () => {
    const asked = (rest: Partial<KeepPlace> = {}, number = shop().number()): KeepPlace => ({
      campaign: shop().campaign,
      corporation: CORPORATION,
      call: `call of ${number}` as CallId,
      number,
      receiverName: number,
      priority: 0,
      skills: ['danish'],
      sinceAtMs: shop().nowMs() - 5 * MINUTE_MS,
      attemptsMax: 3,
      nowMs: shop().nowMs(),
      ...rest,
    })
    const due = () => shop().dialerRepository.dueCallbacks([shop().campaign], shop().nowMs() + MINUTE_MS)

    test('is a callback that is due at once, with the place in the queue', async () => {
      const request = asked()
      const task = await shop().dialerRepository.keepPlace(request)
      const { priority, skills, sinceAtMs, nowMs, number } = request
      const place = { priority, skills, sinceAtMs, number }
      expect(await due()).toEqual([{ task, campaign: shop().campaign, atMs: nowMs, nextCallAtMs: nowMs, place }])
    })

    test('is kept once for a number: the older place counts, with the skills of the latest call', async () => {
      const request = asked()
      const task = await shop().dialerRepository.keepPlace(request)
      expect(await shop().dialerRepository.keepPlace(request)).toBe(task)
      const call = `second ${request.call}` as CallId
      const again = asked({ call, sinceAtMs: shop().nowMs(), skills: ['technics'] }, request.number)
      expect(await shop().dialerRepository.keepPlace(again)).toBe(task)
      expect(await due()).toMatchObject([{ task, place: { sinceAtMs: request.sinceAtMs, skills: ['technics'] } }])
    })

    test('is refused to a number and a person on the stop list, and where the campaign rests', async () => {
      const { dialerRepository } = shop()
      const request = asked()
      await dialerRepository.addStop(CORPORATION, { kind: 'number', number: request.number }, shop().nowMs())
      expect(await dialerRepository.keepPlace(request)).toBe('stopped')
      const person = { externalSystem: SYSTEM, externalCustomer: `customer of ${request.number}` }
      await dialerRepository.addStop(CORPORATION, { kind: 'person', ...person }, shop().nowMs())
      expect(await dialerRepository.keepPlace(asked(person))).toBe('stopped')
      expect(await dialerRepository.keepPlace(asked({ campaign: 999_999 as CampaignId }))).toBe('no such campaign')
      expect(await due()).toEqual([])
    })

    test('is not held by the quiet time after the very call in which it was asked for', async () => {
      const { dialerRepository } = shop()
      const { call: asking, number: caller, ...rest } = asked()
      const task = (await dialerRepository.keepPlace({ ...rest, call: asking, number: caller })) as CallTaskId
      const endOf = async (call: CallId, endedAtMs: AtMs) => {
        await dialerRepository.finishCall({
          call,
          corporation: CORPORATION,
          direction: 'in',
          caller,
          called: '+4570001000',
          createdAtMs: endedAtMs - MINUTE_MS,
          endedAtMs,
          talkMs: 0,
          waitMs: 0,
          recordings: [],
          eventName: `event of ${call}`,
        })
        const [described] = await dialerRepository.describeTasks([task], 0)
        return described!.lastCalledInAtMs
      }
      expect(await endOf(asking, shop().nowMs())).toBeUndefined()
      const laterAtMs = shop().nowMs()
      expect(await endOf(`second ${asking}` as CallId, laterAtMs)).toBe(laterAtMs)
    })
  })
}
