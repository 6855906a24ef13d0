import { describe, expect, test } from 'vitest'
import type { AttemptId, LegId } from '../../src/kernel/ids.ts'
import { CORPORATION, HOUR_MS, OTHERS, type Shop, SYSTEM } from './dialer-repository-world.ts'

/** Which attempts an engine takes back. */
export function withdrawnContract(shop: () => Shop): void {
  describe('unanswered attempts are withdrawn', () => {
    const cancelled = async (attempt: { id: AttemptId }) => {
      const found = await shop().dialerRepository.attemptsToCancel(shop().lease)
      return found.filter((one) => one.attempt === attempt.id).map(({ why }) => why)
    }

    test('when their task has ended', async () => {
      const attempt = await shop().dialed()
      expect(await cancelled(attempt)).toEqual([])
      const ended = await shop().dialerRepository.endCallTask(shop().endOf(attempt.task.id))
      expect(ended).toMatchObject({ cancel: [attempt.id], activeCall: null })
      expect(await cancelled(attempt)).toEqual(['taskEnded'])
      await shop().dialerRepository.endAttempt(shop().noAnswer(attempt, { result: 'cancelled', counts: false }))
      expect(await cancelled(attempt)).toEqual([])
    })

    test('when their number or their person is stopped, and not when another of their numbers is', async () => {
      const { dialerRepository } = shop()
      const [dialed, spare] = [shop().number(), shop().number()]
      const byNumber = await shop().dialed(shop().debtorWith([dialed, spare]))
      await dialerRepository.addStop(CORPORATION, { kind: 'number', number: spare }, shop().nowMs())
      await dialerRepository.addStop(OTHERS, { kind: 'number', number: dialed }, shop().nowMs())
      expect(await cancelled(byNumber)).toEqual([])
      await dialerRepository.addStop(CORPORATION, { kind: 'number', number: dialed }, shop().nowMs())
      expect(await cancelled(byNumber)).toEqual(['stopped'])
      const byPerson = await shop().dialed()
      const { externalCustomer } = byPerson.task
      const person = { kind: 'person', externalSystem: SYSTEM, externalCustomer: externalCustomer! } as const
      await dialerRepository.addStop(CORPORATION, person, shop().nowMs())
      expect(await cancelled(byPerson)).toEqual(['stopped'])
    })

    test('when a person is stopped at whose number they ring for somebody else', async () => {
      const { dialerRepository } = shop()
      const number = shop().number()
      await shop().importOne(shop().debtorWith([number], { externalCustomer: 'stopped' }))
      const attempt = await shop().dialed(shop().debtorWith([number], { externalCustomer: 'somebody else' }))
      const person = { kind: 'person', externalSystem: SYSTEM, externalCustomer: 'stopped' } as const
      await dialerRepository.addStop(CORPORATION, person, shop().nowMs())
      expect(await cancelled(attempt)).toEqual(['stopped'])
      expect(await dialerRepository.isStopped(CORPORATION, { kind: 'number', number })).toBe(true)
      expect(await dialerRepository.isStopped(OTHERS, { kind: 'number', number })).toBe(false)
    })

    test('while the person calls in at any node, from any number of theirs', async () => {
      const { dialerRepository } = shop()
      const other = shop().number()
      const attempt = await shop().dialed(shop().debtorWith([shop().number(), other]))
      const { call, corporation, caller, called, createdAtMs } = shop().callIn({ caller: other.slice(1) })
      const leg = `leg of ${call}` as LegId
      await dialerRepository.callBegan('another node', { call, leg, corporation, caller, called, createdAtMs })
      expect(await cancelled(attempt)).toEqual(['isOnOurLine'])
    })

    test('but not when their campaign is paused: ringing phones ring out', async () => {
      const attempt = await shop().dialed()
      await shop().changeCampaign({ active: false })
      expect(await cancelled(attempt)).toEqual([])
    })

    test('when the kill switch is on', async () => {
      const { dialerRepository } = shop()
      const attempt = await shop().dialed()
      await dialerRepository.setKillSwitch(true, 'the supervisor', shop().nowMs())
      const found = await cancelled(attempt)
      await dialerRepository.setKillSwitch(false, 'the supervisor', shop().nowMs())
      expect(found).toEqual(['killSwitch'])
      expect(await cancelled(attempt)).toEqual([])
    })

    test('but never a conversation', async () => {
      const { dialerRepository } = shop()
      const attempt = await shop().dialed()
      await dialerRepository.attemptConnected(shop().connected(attempt))
      await dialerRepository.addStop(CORPORATION, { kind: 'number', number: attempt.number }, shop().nowMs())
      await shop().changeCampaign({ active: false })
      expect(await dialerRepository.endCallTask(shop().endOf(attempt.task.id))).toMatchObject({
        outcome: 'ended',
        activeCall: attempt.activity,
        cancel: [],
      })
      expect(await cancelled(attempt)).toEqual([])
    })

    test('and only by the engine that holds them', async () => {
      const { dialerRepository, node } = shop()
      const attempt = await shop().dialed()
      await dialerRepository.endCallTask(shop().endOf(attempt.task.id))
      const other = await dialerRepository.takeLease(`${node} other`, HOUR_MS)
      expect(await dialerRepository.attemptsToCancel(other)).toEqual([])
      const newer = await dialerRepository.takeLease(node, HOUR_MS)
      expect(await dialerRepository.attemptsToCancel(newer)).toEqual([{ attempt: attempt.id, why: 'taskEnded' }])
      expect(await cancelled(attempt)).toEqual([])
    })
  })
}
