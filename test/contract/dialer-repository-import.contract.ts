import { describe, expect, test } from 'vitest'
import type { CampaignId } from '../../src/kernel/ids.ts'
import type { Stop } from '../../src/ports/dialer-repository.ts'
import { CORPORATION, importedBy, OTHERS, type Shop, SYSTEM } from './dialer-repository-world.ts'

/** Imports, campaigns and stop lists. */
export function importContract(shop: () => Shop): void {
  const personOf = (externalCustomer: string) => ({ kind: 'person', externalSystem: SYSTEM, externalCustomer }) as const

  describe('an import', () => {
    test('answers an id for each place of the list', async () => {
      const { dialerRepository } = shop()
      const list = [shop().debtor(0), shop().debtor(1), shop().debtor(2)]
      const { imported, refused } = importedBy(await dialerRepository.importCallTasks(shop().importOf(list)))
      expect(imported.map(({ index }) => index)).toEqual([0, 1, 2])
      expect(new Set(imported.map(({ id }) => id)).size).toBe(3)
      expect(refused).toEqual([])
    })

    test('asked for twice is carried out once', async () => {
      const { dialerRepository } = shop()
      const request = shop().importOf([shop().debtor(0), shop().debtor(1)])
      const first = await dialerRepository.importCallTasks(request)
      expect(await dialerRepository.importCallTasks(request)).toEqual(first)
      expect(await shop().shown()).toHaveLength(2)
    })

    test('for a campaign that does not exist makes nothing', async () => {
      const { dialerRepository } = shop()
      const request = shop().importOf([shop().debtor()], { campaign: 999_999 as CampaignId })
      expect(await dialerRepository.importCallTasks(request)).toEqual({ outcome: 'no such campaign' })
    })

    test('refuses a case that is unfinished in the campaign, and of two in one list the later', async () => {
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

    test('takes the same case in another campaign, and again once it is finished', async () => {
      const { dialerRepository } = shop()
      const debtor = shop().debtor()
      const first = await shop().importOne(debtor)
      await shop().importOne(debtor, { campaign: await shop().anotherCampaign() })
      await dialerRepository.endCallTask(shop().endOf(first))
      expect(await shop().importOne(debtor)).not.toBe(first)
    })

    test('knows somebody without customer and case by the set of their numbers', async () => {
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

    test('refuses persons and numbers on the stop list, and says every reason', async () => {
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

    test('makes a task without its stopped number where that is wished, but none without any number', async () => {
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
    test('is found as it was saved last', async () => {
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
      })
    })

    test('does not pass to another corporation', async () => {
      const { dialerRepository, campaign } = shop()
      await shop().changeCampaign({ corporation: OTHERS, name: 'taken over' })
      const found = (await dialerRepository.campaigns()).find(({ id }) => id === campaign)
      expect(found).toMatchObject({ corporation: CORPORATION, name: `Campaign ${campaign}` })
    })
  })

  describe('a stop', () => {
    test('of a number or a person holds for its corporation until it is taken away', async () => {
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
