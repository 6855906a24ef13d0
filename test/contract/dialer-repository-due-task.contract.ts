import { describe, expect, test } from 'vitest'
import type { CallTaskId } from '../../src/kernel/ids.ts'
import { ANNA, CORPORATION, dialAll, HOUR_MS, MINUTE_MS, OTHERS, type Shop, SYSTEM } from './dialer-repository-world.ts'

/** What the gate is told about a task. Whatever is wrong here, it decides wrongly. */
export function dueTaskContract(shop: () => Shop): void {
  describe('the gate is told', () => {
    test('what was imported', async () => {
      const debtor = shop().debtorWith([shop().number(), shop().number()])
      const id = await shop().importOne(debtor, { attemptsMax: 5, intervalMs: 2 * HOUR_MS })
      const { receiverName, externalCustomer, externalCaseNumber, numbers } = debtor
      expect(await shop().shown()).toEqual([
        {
          id,
          receiverName,
          externalCustomer,
          externalCaseNumber,
          externalSystem: SYSTEM,
          corporation: CORPORATION,
          campaign: shop().campaign,
          status: 'new',
          attemptsMax: 5,
          intervalMs: 2 * HOUR_MS,
          attempts: [],
          dialedAtMs: [],
          person: expect.any(String),
          isPersonStopped: false,
          numbers: numbers.map(({ number }, position) => ({ number, position, stopped: false })),
          inFlight: { ofTask: 0, ofNumber: 0, ofContact: 0 },
        },
      ])
    })

    test('nothing of a person whom the customer did not number', async () => {
      const { externalCustomer: _, ...nameless } = shop().debtor()
      await shop().importOne(nameless)
      const [task] = await shop().shown()
      expect(task).not.toHaveProperty('person')
      expect(task).not.toHaveProperty('externalCustomer')
      expect(task).toMatchObject({ isPersonStopped: false, inFlight: { ofContact: 0 } })
    })

    test('by one name who a person is, in every campaign', async () => {
      const debtor = shop().debtor()
      const elsewhere = await shop().anotherCampaign()
      await shop().importOne(debtor)
      await shop().importOne(debtor, { campaign: elsewhere })
      const [[here], [there]] = [await shop().shown(), await shop().shown({ campaign: elsewhere })]
      expect(here!.person).toBe(there!.person)
    })

    test('which numbers and persons are stopped, in this corporation', async () => {
      const { dialerRepository } = shop()
      const numbers = [shop().number(), shop().number()]
      const debtor = shop().debtorWith(numbers)
      await shop().importOne(debtor)
      const { externalCustomer } = debtor
      const person = { kind: 'person', externalSystem: SYSTEM, externalCustomer: externalCustomer! } as const
      await dialerRepository.addStop(OTHERS, { kind: 'number', number: numbers[0]! }, shop().nowMs())
      await dialerRepository.addStop(OTHERS, person, shop().nowMs())
      await dialerRepository.addStop(CORPORATION, { kind: 'number', number: numbers[1]! }, shop().nowMs())
      expect(await shop().shown()).toMatchObject([
        { isPersonStopped: false, numbers: [{ stopped: false }, { stopped: true }] },
      ])
      await dialerRepository.addStop(CORPORATION, person, shop().nowMs())
      expect(await shop().shown()).toMatchObject([{ isPersonStopped: true }])
      await dialerRepository.removeStop(CORPORATION, person)
      await dialerRepository.removeStop(CORPORATION, { kind: 'number', number: numbers[1]! })
      expect(await shop().shown()).toMatchObject([{ isPersonStopped: false, numbers: [{}, { stopped: false }] }])
    })

    test('every attempt so far, in order, with how far it got and when it ended', async () => {
      const numbers = [shop().number(), shop().number()]
      const debtor = shop().debtorWith(numbers)
      const first = await shop().dialed(debtor)
      await shop().endAndRetry(first, { result: 'busy', reach: 'sent' })
      const second = await shop().claimOne({ decide: () => dialAll([numbers[1]!]) })
      await shop().endAndRetry(second, { result: 'failed', reach: 'nothing', counts: false })
      const kept = await shop().attemptsOf(first.task.id)
      const [task] = await shop().shown()
      expect(task).toMatchObject({ status: 'waiting' })
      const seen = [
        { id: first.id, number: numbers[0], result: 'busy', reach: 'sent' },
        { id: second.id, number: numbers[1], result: 'failed', reach: 'nothing' },
      ]
      expect(task!.attempts).toEqual(
        seen.map((one, index) => {
          const { claimedAtMs, endedAtMs } = kept[index]!
          return { ...one, claimedAtMs, endedAtMs }
        }),
      )
    })

    test('when the person was dialed lately, in any campaign, newest first; what was never sent is none', async () => {
      const debtor = shop().debtor()
      const elsewhere = await shop().anotherCampaign()
      const other = { externalCustomer: debtor.externalCustomer! }
      const first = await shop().dialed(debtor)
      await shop().endAndRetry(first)
      const second = await shop().claimOne()
      await shop().dialerRepository.endAttempt(shop().noAnswer(second))
      const blocked = await shop().dialed(shop().debtor(0, other))
      await shop().endAndRetry(blocked, { result: 'blocked', reach: 'nothing', counts: false })
      await shop().importOne(shop().debtor(0, other), { campaign: elsewhere })
      const kept = await shop().attemptsOf(first.task.id)
      const [task] = await shop().shown({ campaign: elsewhere })
      expect(task).toMatchObject({ attempts: [], dialedAtMs: kept.map(({ claimedAtMs }) => claimedAtMs).reverse() })
      const [since] = await shop().shown({ campaign: elsewhere, dialedSinceAtMs: shop().nowMs() + MINUTE_MS })
      expect(since!.dialedAtMs).toEqual([])
    })

    test('when the person last talked to one of us, in any campaign', async () => {
      const debtor = shop().debtor()
      const elsewhere = await shop().anotherCampaign()
      const attempt = await shop().dialed(debtor)
      await shop().importOne(shop().debtor(0, { externalCustomer: debtor.externalCustomer! }), { campaign: elsewhere })
      const connected = shop().connected(attempt)
      await shop().dialerRepository.attemptConnected(connected)
      const end = shop().talked(attempt)
      await shop().dialerRepository.endAttempt(end)
      const [task] = await shop().shown({ campaign: elsewhere })
      expect(task!.lastTalkAtMs).toBeGreaterThanOrEqual(connected.atMs)
      expect(task!.lastTalkAtMs).toBeLessThanOrEqual(end.atMs)
    })

    test('of no talk where somebody was dialed and nobody spoke', async () => {
      const attempt = await shop().dialed()
      await shop().endAndRetry(attempt, { result: 'voicemail', reach: 'answered' })
      const [task] = await shop().shown()
      expect(task).not.toHaveProperty('lastTalkAtMs')
      expect(task!.dialedAtMs).toHaveLength(1)
    })

    test('of the callback that was promised, and by whom', async () => {
      const id = await shop().importOne()
      const atMs = shop().nowMs() - 1
      const nowMs = shop().nowMs()
      await shop().dialerRepository.setCallback({ task: id, atMs, askedByContact: true, agent: ANNA, nowMs })
      expect(await shop().shown()).toMatchObject([
        { id, status: 'callback', callback: { atMs, askedByContact: true, agent: ANNA } },
      ])
    })

    test('what is in flight at the number and at the person, when somebody asks for the task by hand', async () => {
      const number = shop().number()
      const debtor = shop().debtorWith([number])
      await shop().dialed(debtor)
      const sameNumber = await shop().importOne(shop().debtorWith([number]))
      const samePerson = await shop().importOne(shop().debtor(0, { externalCustomer: debtor.externalCustomer! }))
      const inFlight = async (only: CallTaskId) => (await shop().shown({ only }))[0]?.inFlight
      expect(await inFlight(sameNumber)).toEqual({ ofTask: 0, ofNumber: 1, ofContact: 0 })
      expect(await inFlight(samePerson)).toEqual({ ofTask: 0, ofNumber: 0, ofContact: 1 })
    })
  })

  describe('a task that is described', () => {
    test('is shown whatever its status, with what goes on', async () => {
      const { dialerRepository } = shop()
      const attempt = await shop().dialed()
      const { id } = attempt.task
      expect(await shop().task(id)).toMatchObject({
        id,
        status: 'dialing',
        attempts: [{ id: attempt.id, result: 'inProgress', endedAtMs: undefined }],
        inFlight: { ofTask: 1, ofNumber: 1, ofContact: 1 },
      })
      await dialerRepository.attemptConnected(shop().connected(attempt))
      expect(await shop().task(id)).toMatchObject({ status: 'inCall' })
      await dialerRepository.endAttempt(shop().talked(attempt))
      expect(await shop().task(id)).toMatchObject({ status: 'answered', attempts: [{ result: 'answered' }] })
    })

    test('is left out when there is no such task', async () => {
      const id = await shop().importOne()
      const found = await shop().dialerRepository.describeTasks([id, 999_999_999 as CallTaskId], 0)
      expect(found.map((task) => task.id)).toEqual([id])
      expect(await shop().dialerRepository.describeTasks([], 0)).toEqual([])
    })
  })
}
