import { describe, expect, test } from 'vitest'
import type { CallTaskId, CampaignId } from '../../src/kernel/ids.ts'
import type { ChangeCallTask, Stop } from '../../src/ports/dialer-repository.ts'
import {
  ANNA,
  CORPORATION,
  HOUR_MS,
  importedBy,
  MINUTE_MS,
  OTHERS,
  type Shop,
  SYSTEM,
} from './dialer-repository-world.ts'

/** Imports, campaigns and stop lists. */
export function importContract(shop: () => Shop): void {
  const personOf = (externalCustomer: string) => ({ kind: 'person', externalSystem: SYSTEM, externalCustomer }) as const

  describe('an import', () => {
    test('returns an id for each place of the list', async () => {
      const { dialerRepository } = shop()
      const list = [shop().debtor(0), shop().debtor(1), shop().debtor(2)]
      const { imported, refused } = importedBy(await dialerRepository.importCallTasks(shop().importOf(list)))
      expect(imported.map(({ index }) => index)).toEqual([0, 1, 2])
      expect(new Set(imported.map(({ id }) => id)).size).toBe(3)
      expect(refused).toEqual([])
    })

    test('submitted twice is carried out once', async () => {
      const { dialerRepository } = shop()
      const request = shop().importOf([shop().debtor(0), shop().debtor(1)])
      const first = await dialerRepository.importCallTasks(request)
      expect(await dialerRepository.importCallTasks(request)).toEqual(first)
      expect(await shop().shown()).toHaveLength(2)
    })

    test('for an unknown campaign creates nothing', async () => {
      const { dialerRepository } = shop()
      const request = shop().importOf([shop().debtor()], { campaign: 999_999 as CampaignId })
      expect(await dialerRepository.importCallTasks(request)).toEqual({ outcome: 'no such campaign' })
    })

    test('refuses a case that is unfinished in the campaign, and the later of two in one list', async () => {
      const { dialerRepository } = shop()
      const [one, two] = [shop().debtor(0), shop().debtor(1)]
      await shop().importOne(one)
      const list = [one, two, { ...two, index: 2, numbers: shop().debtor().numbers }]
      const { imported, refused } = importedBy(await dialerRepository.importCallTasks(shop().importOf(list)))
      expect(imported.map(({ index }) => index)).toEqual([1])
      expect(refused).toEqual([
        { index: 0, why: ['duplicate'] },
        { index: 2, why: ['duplicate'] },
      ])
    })

    test('accepts the same case in another campaign, and again after it is finished', async () => {
      const { dialerRepository } = shop()
      const debtor = shop().debtor()
      const first = await shop().importOne(debtor)
      await shop().importOne(debtor, { campaign: await shop().anotherCampaign() })
      await dialerRepository.endCallTask(shop().endOf(first))
      expect(await shop().importOne(debtor)).not.toBe(first)
    })

    test('identifies a person without customer and case by the set of numbers', async () => {
      const { dialerRepository } = shop()
      const [a, b, c] = [shop().number(), shop().number(), shop().number()]
      const nameless = (numbers: (typeof a)[]) => {
        const { externalCustomer: _, externalCaseNumber: __, ...task } = shop().debtorWith(numbers)
        return task
      }
      await shop().importOne(nameless([a, b]))
      const swapped = importedBy(await dialerRepository.importCallTasks(shop().importOf([nameless([b, a])])))
      expect(swapped.refused).toEqual([{ index: 0, why: ['duplicate'] }])
      const larger = importedBy(await dialerRepository.importCallTasks(shop().importOf([nameless([a, b, c])])))
      expect(larger.refused).toEqual([])
    })

    test('refuses stopped persons and numbers, with every reason', async () => {
      const { dialerRepository } = shop()
      const [person, number, both, free] = [0, 1, 2, 3].map((index) => shop().debtor(index))
      for (const { externalCustomer } of [person!, both!]) {
        await dialerRepository.addStop(CORPORATION, personOf(externalCustomer!), shop().nowMs())
      }
      for (const task of [number!, both!]) {
        await dialerRepository.addStop(CORPORATION, { kind: 'number', number: task.numbers[0]!.number }, shop().nowMs())
      }
      const request = shop().importOf([person!, number!, both!, free!])
      const { imported, refused } = importedBy(await dialerRepository.importCallTasks(request))
      expect(imported.map(({ index }) => index)).toEqual([3])
      expect(refused).toEqual([
        { index: 0, why: ['personStopped'] },
        { index: 1, why: ['numberStopped'] },
        { index: 2, why: ['personStopped', 'numberStopped'] },
      ])
    })

    test('creates a task without its stopped number on request, but none without any number', async () => {
      const { dialerRepository } = shop()
      const [stopped, free] = [shop().number(), shop().number()]
      await dialerRepository.addStop(CORPORATION, { kind: 'number', number: stopped }, shop().nowMs())
      const list = [shop().debtorWith([stopped, free]), shop().debtorWith([stopped], { index: 1 })]
      const request = shop().importOf(list, { stoppedNumbers: 'drop' })
      expect(importedBy(await dialerRepository.importCallTasks(request)).refused).toEqual([
        { index: 1, why: ['numberStopped'] },
      ])
      const [task] = await shop().shown()
      expect(task!.numbers).toEqual([{ number: free, position: 0, stopped: false }])
    })
  })

  describe('a campaign', () => {
    test('is returned as it was last saved', async () => {
      const { dialerRepository, campaign } = shop()
      await shop().changeCampaign({ name: 'Reminders', active: false, settings: { mode: 'power', lines: 2 } })
      const found = (await dialerRepository.campaigns()).find(({ id }) => id === campaign)
      expect(found).toEqual({
        id: campaign,
        corporation: CORPORATION,
        activeSinceAtMs: expect.any(Number),
        externalSystem: SYSTEM,
        name: 'Reminders',
        active: false,
        team: 'collectors',
        settings: { mode: 'power', lines: 2 },
        settingsVersion: expect.any(Number),
      })
    })

    test('cannot move to another corporation', async () => {
      const { dialerRepository, campaign } = shop()
      await shop().changeCampaign({ corporation: OTHERS, name: 'taken over' })
      const found = (await dialerRepository.campaigns()).find(({ id }) => id === campaign)
      expect(found).toMatchObject({ corporation: CORPORATION, name: `Campaign ${campaign}` })
    })
  })

  describe('a stop', () => {
    test('of a number or a person holds for its corporation until it is removed', async () => {
      const { dialerRepository } = shop()
      const number = shop().number()
      const stops: Stop[] = [{ kind: 'number', number }, personOf(`stopped ${number}`)]
      for (const stop of stops) {
        expect(await dialerRepository.isStopped(CORPORATION, stop)).toBe(false)
        await dialerRepository.addStop(CORPORATION, stop, shop().nowMs())
        await dialerRepository.addStop(CORPORATION, stop, shop().nowMs())
        expect(await dialerRepository.isStopped(CORPORATION, stop)).toBe(true)
        expect(await dialerRepository.isStopped(OTHERS, stop)).toBe(false)
        expect(await dialerRepository.removeStop(CORPORATION, stop)).toBe(true)
        expect(await dialerRepository.removeStop(CORPORATION, stop)).toBe(false)
        expect(await dialerRepository.isStopped(CORPORATION, stop)).toBe(false)
      }
    })
  })
}

/** From when to when a call task is dialed, and changes of it after its import (campaigns-58, campaigns-59). */
export function validityContract(shop: () => Shop): void {
  const changeOf = (task: CallTaskId, change: ChangeCallTask['change'], rest: Partial<ChangeCallTask> = {}) => {
    const { dialerRepository } = shop()
    const command = {
      task,
      change,
      corporations: [CORPORATION],
      stoppedNumbers: 'reject',
      atMs: shop().nowMs(),
    } as const
    return dialerRepository.changeCallTask({ ...command, ...rest })
  }
  const valid = (validFromMs: number | undefined, validToMs: number | undefined) => {
    const [validFromAtMs, validToAtMs] = [validFromMs, validToMs].map((ms) => ms && shop().nowMs() + ms)
    return { ...shop().debtor(), ...(validFromAtMs && { validFromAtMs }), ...(validToAtMs && { validToAtMs }) }
  }

  describe('a call task with a validity', () => {
    test('is not due before it begins, and is shown with it', async () => {
      const given = valid(HOUR_MS, 2 * HOUR_MS)
      const id = await shop().importOne(given)
      const { validFromAtMs, validToAtMs } = given
      expect(await shop().task(id)).toMatchObject({ status: 'new', validFromAtMs, validToAtMs })
      expect(await shop().claim()).toEqual([])
    })

    test('expires when it is over, once, with its reason, also if it was never due', async () => {
      const { dialerRepository } = shop()
      const over = await shop().importOne(valid(undefined, -MINUTE_MS))
      const notYet = await shop().importOne(valid(undefined, HOUR_MS))
      const always = await shop().importOne()
      await dialerRepository.setCallback({
        task: over,
        atMs: shop().nowMs() + HOUR_MS,
        askedByContact: true,
        agent: ANNA,
        nowMs: shop().nowMs(),
      })
      expect(await dialerRepository.expireTasks(shop().nowMs())).toBeGreaterThanOrEqual(1)
      const shown = [over, notYet, always].map(async (id) => (await shop().task(id)).status)
      expect(await Promise.all(shown)).toEqual(['expired', 'new', 'new'])
      expect(await dialerRepository.endCallTask(shop().endOf(over))).toMatchObject({
        outcome: 'already finished',
        status: 'expired',
      })
    })

    test('keeps its line: it rings out, and the task expires afterwards', async () => {
      const { dialerRepository } = shop()
      const attempt = await shop().dialed(valid(undefined, -MINUTE_MS))
      await dialerRepository.expireTasks(shop().nowMs())
      expect((await shop().task(attempt.task.id)).status).toBe('dialing')
      await shop().endAndRetry(attempt)
      await dialerRepository.expireTasks(shop().nowMs())
      expect((await shop().task(attempt.task.id)).status).toBe('expired')
    })

    test('is not expired by an engine whose clock is ahead of the database', async () => {
      const id = await shop().importOne(valid(undefined, HOUR_MS))
      await shop().dialerRepository.expireTasks(shop().nowMs() + 2 * HOUR_MS)
      expect((await shop().task(id)).status).toBe('new')
    })

    test('gives its validity to the task that follows it', async () => {
      const { dialerRepository } = shop()
      const given = valid(undefined, HOUR_MS)
      const attempt = await shop().dialed(given)
      await dialerRepository.endAttempt(shop().talked(attempt))
      const nowMs = shop().nowMs()
      const callback = { task: attempt.task.id, atMs: nowMs, askedByContact: true, agent: ANNA, nowMs }
      const follower = await dialerRepository.setCallback(callback)
      expect(await shop().task(follower as CallTaskId)).toMatchObject({ validToAtMs: given.validToAtMs })
    })
  })

  describe('a call task that is changed', () => {
    test('has the new figures and numbers, and is due for the gate at once', async () => {
      const id = await shop().importOne(valid(HOUR_MS, undefined))
      const number = shop().number()
      const validToAtMs = shop().nowMs() + HOUR_MS
      const change = { attemptsMax: 9, intervalMs: MINUTE_MS, numbers: [{ given: '2', number }], validFromAtMs: null }
      const result = await changeOf(id, { ...change, validToAtMs })
      expect(result).toEqual({ outcome: 'changed', isInCall: false })
      const [attempt] = await shop().claim()
      expect(attempt).toMatchObject({ number, task: { attemptsMax: 9, intervalMs: MINUTE_MS, validToAtMs } })
      expect(attempt?.task.validFromAtMs).toBeUndefined()
    })

    test('keeps its date when only its priority changes', async () => {
      const id = await shop().importOne(valid(HOUR_MS, undefined))
      await changeOf(id, { priority: 3 })
      expect(await shop().claim()).toEqual([])
    })

    test('is judged anew after its call: attempts that were added are made', async () => {
      const attempt = await shop().dialed(shop().debtor(), { attemptsMax: 1 })
      expect(await changeOf(attempt.task.id, { attemptsMax: 2 })).toEqual({ outcome: 'changed', isInCall: true })
      const last = shop().noAnswer(attempt, { next: { status: 'maxAttempts' } })
      expect(await shop().dialerRepository.endAttempt(last)).toBe('written')
      expect((await shop().task(attempt.task.id)).status).toBe('waiting')
      const again = await shop().claimOne()
      expect(again.task).toMatchObject({ id: attempt.task.id, attemptsMax: 2 })
      await shop().dialerRepository.endAttempt(shop().noAnswer(again, { next: { status: 'maxAttempts' } }))
      expect((await shop().task(attempt.task.id)).status).toBe('maxAttempts')
    })

    test('stays finished by the conversation during which it was changed', async () => {
      const attempt = await shop().dialed()
      await changeOf(attempt.task.id, { attemptsMax: 9 })
      await shop().dialerRepository.endAttempt(shop().talked(attempt))
      expect((await shop().task(attempt.task.id)).status).toBe('answered')
    })

    test('is refused when it is finished, foreign, empty in time, stopped, or the same as another', async () => {
      const { dialerRepository } = shop()
      const plain = (number = shop().number()) => {
        const { externalCustomer: _, externalCaseNumber: __, ...rest } = shop().debtorWith([number])
        return { ...rest, number }
      }
      const [one, two] = [plain(), plain()]
      const id = await shop().importOne(one)
      await shop().importOne(two)
      const numbersOf = (number: typeof one.number) => ({ numbers: [{ given: number, number }] })
      expect(await changeOf(id, numbersOf(two.number))).toEqual({ outcome: 'refused', why: 'duplicate' })
      const number = shop().number()
      await dialerRepository.addStop(CORPORATION, { kind: 'number', number }, shop().nowMs())
      expect(await changeOf(id, numbersOf(number))).toEqual({ outcome: 'refused', why: 'numberStopped' })
      const atMs = shop().nowMs()
      const empty = { validFromAtMs: atMs, validToAtMs: atMs }
      expect(await changeOf(id, empty)).toEqual({ outcome: 'validity is empty' })
      const foreign = { corporations: [OTHERS] }
      expect(await changeOf(id, { priority: 1 }, foreign)).toEqual({ outcome: 'no such call task' })
      await dialerRepository.endCallTask(shop().endOf(id))
      expect(await changeOf(id, { priority: 1 })).toEqual({ outcome: 'finished', status: 'endedBySystem' })
    })
  })
}
