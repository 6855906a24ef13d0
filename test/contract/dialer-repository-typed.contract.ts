import { describe, expect, test } from 'vitest'
import type { CallTaskId, CorporationId } from '../../src/kernel/ids.ts'
import type { TaskOfNumber } from '../../src/ports/call-task.ts'
import { CORPORATION, type Shop } from './dialer-repository-world.ts'

/** Call tasks of numbers that agents type (campaigns-111, campaigns-112). */
export function typedNumbersContract(shop: () => Shop): void {
  const allow = (settings: object = {}) =>
    shop().changeCampaign({ settings: { dialMode: 'manual', agentsDialNumbers: true, ...settings } })
  const ask = (number = shop().number(), corporation: CorporationId = CORPORATION) =>
    shop().dialerRepository.taskOfNumber({
      campaign: shop().campaign,
      corporation,
      given: '20 12 34 56',
      number,
      atMs: shop().nowMs(),
    })
  const made = async (number?: ReturnType<Shop['number']>) => ((await ask(number)) as TaskOfNumber).task

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
  })
}
