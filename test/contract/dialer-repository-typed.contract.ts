import { describe, expect, test } from 'vitest'
import type { CallTaskId, CorporationId } from '../../src/kernel/ids.ts'
import type { TaskOfNumber } from '../../src/ports/call-task.ts'
import { ANNA, CORPORATION, HOUR_MS, MINUTE_MS, type Shop } from './dialer-repository-world.ts'

/** Call tasks of numbers that agents type (campaigns-111, campaigns-112, campaigns-113). */
export function typedNumbersContract(shop: () => Shop): void {
  const allow = (settings: object = {}) =>
    shop().changeCampaign({ settings: { dialMode: 'manual', agentsDialNumbers: true, ...settings } })
  const ask = (number = shop().number(), corporation: CorporationId = CORPORATION, atMs = shop().nowMs()) =>
    shop().dialerRepository.taskOfNumber({
      campaign: shop().campaign,
      corporation,
      given: '20 12 34 56',
      number,
      atMs,
    })
  const made = async (number?: ReturnType<Shop['number']>, atMs?: number) =>
    ((await ask(number, undefined, atMs)) as TaskOfNumber).task

  describe('a number that an agent types', () => {
    test('is a call task with one attempt; asked for again it is the same one', async () => {
      await allow()
      const number = shop().number()
      const first = (await ask(number)) as TaskOfNumber
      expect(first.isNew).toBe(true)
      expect(await ask(number)).toEqual({ task: first.task, isNew: false })
      const found = await shop().dialerRepository.describeTasks([first.task], 0)
      expect(found).toMatchObject([{ status: 'new', attemptsMax: 1, receiverName: number, numbers: [{ number }] }])
    })

    test('is the open call task that has it already', async () => {
      await allow()
      const debtor = shop().debtor()
      const task = await shop().importOne(debtor)
      expect(await ask(debtor.numbers[0]!.number)).toEqual({ task, isNew: false })
    })

    test('is refused where the campaign rests, does not allow it, dials by itself, or is foreign', async () => {
      await allow()
      expect(await ask(undefined, 4_711 as CorporationId)).toBe('not allowed')
      await allow({ agentsDialNumbers: false })
      expect(await ask()).toBe('not allowed')
      await allow({ dialMode: 'progressive' })
      expect(await ask()).toBe('not allowed')
      await allow()
      await shop().changeCampaign({ active: false })
      expect(await ask()).toBe('not allowed')
    })

    test('is refused on the stop list', async () => {
      await allow()
      const number = shop().number()
      await shop().dialerRepository.addStop(CORPORATION, { kind: 'number', number }, shop().nowMs())
      expect(await ask(number)).toBe('stopped')
    })

    test('is ended when it is taken back, and another one is made after that', async () => {
      await allow()
      const number = shop().number()
      const task = await made(number)
      await shop().dialerRepository.takeBackTask(task, 'not dialed', shop().nowMs())
      expect(await shop().task(task)).toMatchObject({ status: 'endedBySystem' })
      expect(await ask(number)).toMatchObject({ isNew: true })
    })

    test('is not taken back once it was dialed', async () => {
      await allow()
      const task: CallTaskId = await made()
      await shop().claimOne({ only: task })
      await shop().dialerRepository.takeBackTask(task, 'not dialed', shop().nowMs())
      expect(await shop().task(task)).toMatchObject({ status: 'dialing' })
    })

    test.each([
      ['was never sent', 'failed', 'nothing', 'new'],
      ['failed with its carrier', 'failed', 'sent', 'waiting'],
      ['was hung up before it rang', 'cancelled', 'sent', 'waiting'],
    ] as const)('is over when its call %s and does not count', async (_, result, reach, status) => {
      await allow()
      const number = shop().number()
      const only = await made(number)
      const { attempt, ...end } = shop().noAnswer(await shop().claimOne({ only, agent: ANNA }))
      const next = { status, nextCallAtMs: end.atMs } as const
      const ended = { ...end, attempt, result, reach, counts: false, next }
      expect(await shop().dialerRepository.endAttempt(ended)).toBe('written')
      expect(await shop().task(only)).toMatchObject({ status: 'endedBySystem', attempts: [{ result }] })
      expect(await ask(number)).toMatchObject({ isNew: true })
    })

    test('is over also when the attempts of its call task were changed meanwhile', async () => {
      await allow()
      const only = await made()
      const attempt = await shop().claimOne({ only, agent: ANNA })
      const { dialerRepository } = shop()
      const change = { attemptsMax: 5 }
      const command = { task: only, corporations: [CORPORATION], change, stoppedNumbers: 'reject' } as const
      const changed = await dialerRepository.changeCallTask({ ...command, atMs: shop().nowMs() })
      expect(changed).toEqual({ outcome: 'changed', isInCall: true })
      await shop().endAndRetry(attempt)
      expect(await shop().task(only)).toMatchObject({ status: 'endedBySystem', attemptsMax: 5 })
    })

    test('is dialed for nobody but its agent, whatever the campaign becomes, until a sweep ends it', async () => {
      await allow()
      const atMs = shop().nowMs() - 2 * MINUTE_MS
      const left = await made(undefined, atMs)
      const refused = await made(undefined, atMs)
      const put = { verdict: 'later', nextCallAtMs: shop().nowMs(), why: 'trunkFull' } as const
      expect(await shop().claim({ only: refused, agent: ANNA, atMs, decide: () => put })).toEqual([])
      await shop().changeCampaign({ settings: { dialMode: 'progressive', agentsDialNumbers: false } })
      const listed = await shop().importOne()
      expect((await shop().shown()).map(({ id }) => id)).toEqual([listed])
      expect((await shop().claimOne()).task.id).toBe(listed)
      const nothingDue = await shop().dialerRepository.claimDueTasks(shop().claimOf())
      expect(nothingDue).toEqual({ outcome: 'claimed', attempts: [], nextDueAtMs: null })
      const reservation = shop().reservationOf()
      expect(await shop().dialerRepository.reserveTask(reservation)).toBe('nothing due')
      await shop().dialerRepository.expireTasks(atMs)
      expect(await shop().task(left)).toMatchObject({ status: 'new' })
      await shop().dialerRepository.expireTasks(shop().nowMs())
      for (const id of [left, refused]) expect(await shop().task(id)).toMatchObject({ status: 'endedBySystem' })
    })

    test('is not ended by a node whose clock is ahead of the database', async () => {
      await allow()
      const task = await made()
      await shop().dialerRepository.expireTasks(shop().nowMs() + HOUR_MS)
      expect(await shop().task(task)).toMatchObject({ status: 'new' })
    })

    test('is called back by whoever is free, if that was promised', async () => {
      await allow()
      const only = await made()
      const attempt = await shop().claimOne({ only, agent: ANNA })
      const nowMs = shop().nowMs()
      const promise = { atMs: nowMs + HOUR_MS, askedByContact: true, agent: ANNA, nowMs, attempt: attempt.id }
      await shop().dialerRepository.setCallback({ ...promise, task: only })
      await shop().endAndRetry(attempt)
      expect(await shop().task(only)).toMatchObject({ status: 'callback', callback: { atMs: nowMs + HOUR_MS } })
    })
  })
}
