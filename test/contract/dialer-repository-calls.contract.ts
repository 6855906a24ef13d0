import { describe, expect, test } from 'vitest'
import type { CallId, LegId, TeamName } from '../../src/kernel/ids.ts'
import type { AttemptId } from '../../src/ports/attempt.ts'
import type { PhoneNumber } from '../../src/ports/call-task.ts'
import type { News } from '../../src/ports/dialer-repository.ts'
import { ANNA, CORPORATION, HOUR_MS, news, type Shop, SYSTEM } from './dialer-repository-world.ts'

/** Calls that go on, calls that are over, and who hears of it. */
export function callsContract(shop: () => Shop): void {
  describe('a call that is over', () => {
    test('ends its attempt, moves its task on and writes one event, all at once', async () => {
      const { records } = shop()
      const attempt = await shop().dialed()
      const call = shop().callOut(attempt, shop().noAnswer(attempt))
      expect(await records.finishCall(call)).toEqual({ outcome: 'recorded', activity: attempt.activity })
      expect(await shop().attemptsOf(attempt.task.id)).toMatchObject([{ result: 'noAnswer' }])
      expect(await shop().task(attempt.task.id)).toMatchObject({ status: 'waiting' })
      expect(await shop().eventsAbout(attempt.activity)).toBe(1)
    })

    test('counts in the ledger of its caller id, as it was when it was made', async () => {
      const { records } = shop()
      const attempt = await shop().dialed()
      const answeredAtMs = shop().nowMs()
      const answered = { reach: 'answered', answeredAtMs, result: 'dropped' } as const
      const call = shop().callOut(attempt, { ...shop().noAnswer(attempt), ...answered })
      await records.finishCall({ ...call, answeredAtMs, endedAtMs: answeredAtMs + 1 })
      const of = { corporation: CORPORATION, callerId: call.caller as PhoneNumber }
      const calls = [{ attempt: attempt.id, answeredAtMs, isMachine: false, isAbandoned: true }]
      expect(await records.answeredCalls(of, answeredAtMs)).toEqual(calls)
      const sums = { persons: 1, machines: 0, abandoned: 1 }
      expect(await records.answeredSums(of, answeredAtMs, answeredAtMs + 1)).toEqual(sums)
      const another = { ...of, callerId: `${call.caller}9` as PhoneNumber }
      expect(await records.answeredCalls(another, 0)).toEqual([])
    })

    test('told again changes nothing, and answers the same activity', async () => {
      const { records } = shop()
      const attempt = await shop().dialed()
      const call = shop().callOut(attempt, shop().noAnswer(attempt))
      await records.finishCall(call)
      const again = { outcome: 'already recorded', activity: attempt.activity }
      expect(await records.finishCall(call)).toEqual(again)
      expect(await records.finishCall({ ...call, eventName: `${call.eventName} again` })).toEqual(again)
      expect(await shop().eventsAbout(attempt.activity)).toBe(1)
      expect(await shop().attemptsOf(attempt.task.id)).toHaveLength(1)
    })

    test('is told even where its attempt was ended before', async () => {
      const { records } = shop()
      const attempt = await shop().dialed()
      const end = shop().noAnswer(attempt)
      await records.endAttempt(end)
      const call = shop().callOut(attempt, { ...end, result: 'busy' })
      expect(await records.finishCall(call)).toEqual({ outcome: 'recorded', activity: attempt.activity })
      expect(await shop().attemptsOf(attempt.task.id)).toMatchObject([{ result: 'noAnswer' }])
      expect(await shop().eventsAbout(attempt.activity)).toBe(1)
    })

    test('is refused to hands that lost its attempt, and nothing of it is written', async () => {
      const { records, node } = shop()
      const attempt = await shop().dialed()
      const newer = await records.takeLease(node, HOUR_MS)
      await records.adoptAttempts(newer)
      const call = shop().callOut(attempt, shop().noAnswer(attempt))
      expect(await records.finishCall(call)).toEqual({ outcome: 'refused', why: 'fenced off' })
      const nobodys = { ...call, attempt: { ...call.attempt!, attempt: 999_999_999 as AttemptId } }
      expect(await records.finishCall(nobodys)).toEqual({ outcome: 'refused', why: 'no such attempt' })
      expect(await shop().eventsAbout(attempt.activity)).toBe(0)
      expect(await shop().attemptsOf(attempt.task.id)).toMatchObject([{ result: null }])
      const mine = { ...call, attempt: { ...call.attempt!, fence: newer.fence } }
      expect(await records.finishCall(mine)).toMatchObject({ outcome: 'recorded' })
    })

    test('that came in gets an activity of the same row of numbers, and an event', async () => {
      const { records } = shop()
      const attempt = await shop().dialed()
      const result = await records.finishCall(
        shop().callIn({
          agent: ANNA,
          team: 'collectors' as TeamName,
          hungUpBy: 'caller',
          externalSystem: SYSTEM,
          externalCaseNumber: 'typed 4711',
          talkMs: 5_000,
          recordings: [
            { file: 'one.wav', startedAtMs: shop().nowMs(), endedAtMs: shop().nowMs(), state: 'ready' },
            { file: 'two.wav', startedAtMs: shop().nowMs(), endedAtMs: shop().nowMs(), state: 'failed', why: 'disk' },
          ],
        }),
      )
      if (result.outcome !== 'recorded') throw new Error(result.outcome)
      expect(result.activity).toBeGreaterThan(attempt.activity)
      expect(await shop().eventsAbout(result.activity)).toBe(1)
    })
  })

  describe('a call that came in', () => {
    const begun = () => ({
      call: `in-${shop().number()}` as CallId,
      leg: `leg-${shop().number()}` as LegId,
      corporation: CORPORATION,
      caller: shop().number(),
      called: '+4570000000',
      createdAtMs: shop().nowMs(),
    })

    test('is known to its node until it is over, whatever became of the engine', async () => {
      const { records, node, lease } = shop()
      const [first, second] = [begun(), begun()]
      await records.callBegan(lease, first)
      await records.callBegan(lease, first)
      await records.callBegan(lease, second)
      expect(await records.openCalls(node)).toHaveLength(2)
      await records.takeLease(node, HOUR_MS)
      await records.finishCall(shop().callIn({ call: first.call }))
      expect(await records.openCalls(node)).toEqual([second])
      expect(await records.openCalls(`${node} other`)).toEqual([])
    })

    test('does not begin again after its end', async () => {
      const { records, node, lease } = shop()
      const call = begun()
      await records.finishCall(shop().callIn({ call: call.call }))
      await records.callBegan(lease, call)
      expect(await records.openCalls(node)).toEqual([])
    })
  })

  describe('whoever listens hears', () => {
    /** Resolves when this news has been told; others may be told as well. */
    const hears = async (wanted: News, change: () => Promise<unknown>) => {
      const { come, tell } = news<void>()
      const stop = shop().records.onNews((told) => {
        if (told === wanted) tell()
      })
      await change()
      await come
      stop()
    }

    test('of orders when a campaign or the kill switch changed', async () => {
      const { records } = shop()
      await hears('orders', () => shop().changeCampaign({ name: 'renamed' }))
      await hears('orders', () => records.setKillSwitch(false, 'the supervisor', shop().nowMs()))
    })

    test('of tasks when some were imported, ended, stopped or called back', async () => {
      const { records } = shop()
      const number = shop().number()
      const id = await shop().importOne()
      const callback = { task: id, atMs: shop().nowMs(), askedByContact: false, agent: ANNA, nowMs: shop().nowMs() }
      await hears('tasks', () => shop().importOne())
      await hears('tasks', () => records.setCallback(callback))
      await hears('tasks', () => records.addStop(CORPORATION, { kind: 'number', number }, shop().nowMs()))
      await hears('tasks', () => records.endCallTask(shop().endOf(id)))
    })

    test('of deliveries when a call is over', async () => {
      await hears('deliveries', () => shop().records.finishCall(shop().callIn()))
    })

    test('nothing any more when they asked for silence', async () => {
      const told: News[] = []
      const stop = shop().records.onNews((one) => told.push(one))
      stop()
      await hears('deliveries', () => shop().records.finishCall(shop().callIn()))
      expect(told).toEqual([])
    })
  })
}
