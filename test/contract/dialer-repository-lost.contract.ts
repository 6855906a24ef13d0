import { describe, expect, test } from 'vitest'
import type { CallId, LegId } from '../../src/kernel/ids.ts'
import { ANNA, CORPORATION, HOUR_MS, type Shop } from './dialer-repository-world.ts'

/** What a node tells of its calls after another one took them over, and what it leaves (campaigns-123). */
export function lostContract(shop: () => Shop): void {
  describe('the call of an attempt that another node took over', () => {
    /** Its node lost it to the second lease. */
    const lost = async () => {
      const { dialerRepository, node } = shop()
      const lease = await dialerRepository.takeLease(`${node} lost`, HOUR_MS)
      const attempt = await shop().claimOne({ only: await shop().importOne(), lease })
      const newer = await dialerRepository.takeLease(`${node} other`, HOUR_MS)
      await dialerRepository.dropLease(lease)
      await dialerRepository.adoptAttempts(newer)
      const { fence } = lease
      const atMs = shop().nowMs() + 9_000
      const end = shop().noAnswer(attempt, { result: 'unknown', reach: 'sent', fence: newer.fence })
      const settled = shop().callOut(attempt, end)
      const seen = { answeredAtMs: atMs - 5_000, talkMs: 5_000, endedAtMs: atMs, hungUpBy: 'callee' } as const
      const sound = { startedAtMs: atMs - 5_000, endedAtMs: atMs, state: 'ready' } as const
      const recordings = [{ file: `${settled.call}.wav`, ...sound }]
      const told = { ...settled, ...seen, recordings, agent: ANNA, eventName: `${settled.eventName} told` } as const
      const talk = { ...told, attempt: shop().talked(attempt, { atMs, fence }), result: 'answered' } as const
      return { attempt, settled, talk, atMs, fence }
    }

    test('is a talk, whichever node tells of it first, and once', async () => {
      const { dialerRepository } = shop()
      for (const isTalkFirst of [true, false]) {
        const { attempt, settled, talk, atMs } = await lost()
        const told = isTalkFirst ? [talk, settled, talk] : [settled, talk, settled, talk]
        const answers: string[] = []
        for (const one of told) {
          const answer = await dialerRepository.finishCall(one)
          expect(answer).toMatchObject({ activity: attempt.activity })
          answers.push(answer.outcome)
        }
        expect(answers).toEqual(['recorded', ...told.slice(1).map(() => 'already recorded')])
        expect(await shop().eventsAbout(attempt.activity)).toBe(1)
        const talked = { result: 'answered', reach: 'answered', agent: ANNA, endedAtMs: atMs }
        expect(await shop().attemptsOf(attempt.task.id)).toMatchObject([talked])
        expect(await shop().task(attempt.task.id)).toMatchObject({ status: 'answered', lastTalkAtMs: atMs })
        expect(await shop().callOf(attempt.activity)).toEqual({
          result: 'answered',
          agent: ANNA,
          talkMs: 5_000,
          recordings: 1,
        })
      }
    })

    test('keeps the callback that was promised in it', async () => {
      const { dialerRepository } = shop()
      const { attempt, settled, talk } = await lost()
      const nowMs = shop().nowMs()
      const callback = { askedByContact: true, agent: ANNA, atMs: nowMs + HOUR_MS, nowMs }
      await dialerRepository.setCallback({ ...callback, task: attempt.task.id, attempt: attempt.id })
      await dialerRepository.finishCall(settled)
      await dialerRepository.finishCall(talk)
      expect(await shop().task(attempt.task.id)).toMatchObject({ status: 'callback' })
    })

    test('ended as its node saw, when the other could not know', async () => {
      const { dialerRepository } = shop()
      const { attempt, settled, fence } = await lost()
      const busy = { ...settled, attempt: shop().noAnswer(attempt, { result: 'busy', fence }), result: 'busy' } as const
      expect(await dialerRepository.finishCall(busy)).toEqual({ outcome: 'refused', why: 'fenced off' })
      await dialerRepository.finishCall(settled)
      const before = await shop().task(attempt.task.id)
      await dialerRepository.finishCall(busy)
      expect(await shop().attemptsOf(attempt.task.id)).toMatchObject([{ result: 'busy' }])
      expect(await shop().task(attempt.task.id)).toMatchObject({ status: before.status })
      await dialerRepository.finishCall({ ...busy, attempt: { ...busy.attempt, result: 'failed' } })
      expect(await shop().attemptsOf(attempt.task.id)).toMatchObject([{ result: 'busy' }])
    })

    test('is a talk from when its node tells that it began, before and after the other settles it', async () => {
      const { dialerRepository } = shop()
      for (const isBefore of [true, false]) {
        const { attempt, settled, talk, atMs, fence } = await lost()
        const began = shop().connected(attempt, { atMs: atMs - 5_000, fence })
        if (!isBefore) await dialerRepository.finishCall(settled)
        expect(await dialerRepository.attemptConnected(began)).toBe('fenced off')
        if (isBefore) await dialerRepository.finishCall(settled)
        expect(await shop().attemptsOf(attempt.task.id)).toMatchObject([{ result: 'answered', agent: ANNA }])
        expect(await shop().task(attempt.task.id)).toMatchObject({ status: 'answered' })
        await dialerRepository.finishCall(talk)
        expect(await shop().callOf(attempt.activity)).toMatchObject({ result: 'answered', talkMs: 5_000 })
        expect(await shop().eventsAbout(attempt.activity)).toBe(1)
      }
    })
  })

  describe('a call that came in at a node', () => {
    const begun = (call: CallId) => ({
      call,
      leg: `leg of ${call}` as LegId,
      corporation: CORPORATION,
      caller: shop().number(),
      called: '+4570000000',
      createdAtMs: shop().nowMs(),
    })
    const named = (all: readonly { readonly call: CallId; readonly node: string }[], call: CallId) =>
      all.filter((one) => one.call === call)

    test('is left when the node has no lease, and shown to whoever has one', async () => {
      const { dialerRepository, node, lease } = shop()
      const { call } = shop().callIn()
      const open = { ...begun(call), progress: { answeredAtMs: shop().nowMs(), texts: {} } }
      await dialerRepository.callBegan(node, open)
      const other = await dialerRepository.takeLease(`${node} other`, HOUR_MS)
      expect(named(await dialerRepository.leftCalls(other), call)).toEqual([])
      await dialerRepository.dropLease(lease)
      expect(named(await dialerRepository.leftCalls(other), call)).toEqual([{ ...open, node }])
      expect(await dialerRepository.leftCalls(lease)).toEqual([])
    })

    test('is the same call when its node is back, and serves the caller under another name', async () => {
      const { dialerRepository, node } = shop()
      const told = shop().callIn({ result: 'dropped' })
      const again = shop().callIn({ hungUpBy: 'caller', caller: told.caller })
      const { leg } = begun(told.call)
      const first = await dialerRepository.finishCall({ ...told, leg })
      if (first.outcome !== 'recorded') throw new Error(first.outcome)
      const { activity } = first
      await dialerRepository.callBegan(node, { ...begun(again.call), leg, caller: again.caller })
      const note = { feedbackType: 'paid', isFinal: true, atMs: shop().nowMs() } as const
      const outcome = { call: again.call, agent: ANNA, eventName: `outcome of ${again.call}`, ...note }
      await dialerRepository.recordCallerFeedback(outcome)
      const talk = { ...again, leg, result: 'answered', agent: ANNA, talkMs: 7 } as const
      expect(await dialerRepository.finishCall(talk)).toEqual({ outcome: 'already recorded', activity })
      expect(await dialerRepository.finishCall(talk)).toEqual({ outcome: 'already recorded', activity })
      expect(await shop().callOf(activity)).toMatchObject({ result: 'answered', agent: ANNA, talkMs: 7 })
      expect([await shop().eventsAbout(activity), await dialerRepository.openCalls(node)]).toEqual([1, []])
    })

    test('is told by the node that saw its end, also after another one has told of it', async () => {
      const { dialerRepository, node } = shop()
      const told = shop().callIn({ result: 'dropped' })
      await dialerRepository.callBegan(node, begun(told.call))
      const first = await dialerRepository.finishCall(told)
      if (first.outcome !== 'recorded') throw new Error(first.outcome)
      const { activity } = first
      const seen = { hungUpBy: 'caller', result: 'answered', agent: ANNA, talkMs: 7, eventName: 'again' } as const
      const talk = { ...told, ...seen, endedAtMs: told.endedAtMs + 7 }
      for (const late of [talk, told, { ...talk, talkMs: 9 }]) {
        expect(await dialerRepository.finishCall(late)).toEqual({ outcome: 'already recorded', activity })
      }
      expect(await shop().callOf(activity)).toMatchObject({ result: 'answered', agent: ANNA, talkMs: 7 })
      expect([await shop().eventsAbout(activity), await dialerRepository.openCalls(node)]).toEqual([1, []])
    })
  })
}
