import { describe, expect, test } from 'vitest'
import type { AgentName, AttemptId, CallId, CallTaskId, LegId, PhoneNumber, TeamName } from '../../src/kernel/ids.ts'
import type { DatabaseNotification } from '../../src/ports/dialer-repository.ts'
import { ANNA, CORPORATION, HOUR_MS, news, type Shop, SYSTEM } from './dialer-repository-world.ts'

/** Calls in progress, finished calls, and their notifications. */
export function callsContract(shop: () => Shop): void {
  describe('a finished call', () => {
    test('ends its attempt, moves its task on and writes one event, in one transaction', async () => {
      const { dialerRepository } = shop()
      const attempt = await shop().dialed()
      const call = shop().callOut(attempt, shop().noAnswer(attempt))
      expect(await dialerRepository.finishCall(call)).toEqual({ outcome: 'recorded', activity: attempt.activity })
      expect(await shop().attemptsOf(attempt.task.id)).toMatchObject([{ result: 'noAnswer' }])
      expect(await shop().task(attempt.task.id)).toMatchObject({ status: 'waiting' })
      expect(await shop().eventsAbout(attempt.activity)).toBe(1)
    })

    test('counts in the ledger of its caller id, at the instant of the call', async () => {
      const { dialerRepository } = shop()
      const attempt = await shop().dialed()
      const answeredAtMs = shop().nowMs()
      const answered = { reach: 'answered', answeredAtMs, result: 'dropped' } as const
      const call = shop().callOut(attempt, { ...shop().noAnswer(attempt), ...answered })
      await dialerRepository.finishCall({ ...call, answeredAtMs, endedAtMs: answeredAtMs + 1 })
      const of = { corporation: CORPORATION, callerId: call.caller as PhoneNumber }
      const calls = [{ attempt: attempt.id, answeredAtMs, isMachine: false, isAbandoned: true }]
      expect(await dialerRepository.answeredCalls(of, answeredAtMs)).toEqual(calls)
      const sums = { persons: 1, machines: 0, abandoned: 1 }
      expect(await dialerRepository.answeredSums(of, answeredAtMs, answeredAtMs + 1)).toEqual(sums)
      const another = { ...of, callerId: `${call.caller}9` as PhoneNumber }
      expect(await dialerRepository.answeredCalls(another, 0)).toEqual([])
    })

    test('reported again changes nothing, and returns the same activity', async () => {
      const { dialerRepository } = shop()
      const attempt = await shop().dialed()
      const call = shop().callOut(attempt, shop().noAnswer(attempt))
      await dialerRepository.finishCall(call)
      const again = { outcome: 'already recorded', activity: attempt.activity }
      expect(await dialerRepository.finishCall(call)).toEqual(again)
      expect(await dialerRepository.finishCall({ ...call, eventName: `${call.eventName} again` })).toEqual(again)
      expect(await shop().eventsAbout(attempt.activity)).toBe(1)
      expect(await shop().attemptsOf(attempt.task.id)).toHaveLength(1)
    })

    test('is recorded even if its attempt was ended before', async () => {
      const { dialerRepository } = shop()
      const attempt = await shop().dialed()
      const end = shop().noAnswer(attempt)
      await dialerRepository.endAttempt(end)
      const call = shop().callOut(attempt, { ...end, result: 'busy' })
      expect(await dialerRepository.finishCall(call)).toEqual({ outcome: 'recorded', activity: attempt.activity })
      expect(await shop().attemptsOf(attempt.task.id)).toMatchObject([{ result: 'noAnswer' }])
      expect(await shop().eventsAbout(attempt.activity)).toBe(1)
    })

    test('is refused to an engine that lost its attempt, and nothing is written', async () => {
      const { dialerRepository, node } = shop()
      const attempt = await shop().dialed()
      const newer = await dialerRepository.takeLease(node, HOUR_MS)
      await dialerRepository.adoptAttempts(newer)
      const call = shop().callOut(attempt, shop().noAnswer(attempt))
      expect(await dialerRepository.finishCall(call)).toEqual({ outcome: 'refused', why: 'fenced off' })
      const unknown = { ...call, attempt: { ...call.attempt!, attempt: 999_999_999 as AttemptId } }
      expect(await dialerRepository.finishCall(unknown)).toEqual({ outcome: 'refused', why: 'no such attempt' })
      expect(await shop().eventsAbout(attempt.activity)).toBe(0)
      expect(await shop().attemptsOf(attempt.task.id)).toMatchObject([{ result: null }])
      const mine = { ...call, attempt: { ...call.attempt!, fence: newer.fence } }
      expect(await dialerRepository.finishCall(mine)).toMatchObject({ outcome: 'recorded' })
    })

    test('is found by its name for its agents, until it ended too long ago', async () => {
      const { dialerRepository } = shop()
      const [BEN, CARL] = ['ben' as AgentName, 'carl' as AgentName]
      const asked = { to: 'anna', mode: 'attended', by: BEN, beganAtMs: 0 } as const
      const made = { agent: ANNA, team: 'front' as TeamName, leg: 'leg-of-hers' as LegId, transfers: [asked] }
      const { call, caller, endedAtMs } = shop().callIn(made)
      await dialerRepository.finishCall(shop().callIn({ ...made, call, caller, endedAtMs }))
      const { team, leg } = made
      for (const agent of [ANNA, BEN]) {
        expect(await dialerRepository.callOfAgent(call, agent, endedAtMs)).toEqual({ caller, team, leg })
        expect(await dialerRepository.callOfAgent(call, agent, endedAtMs + 1)).toBeUndefined()
      }
      expect(await dialerRepository.callOfAgent(call, CARL, 0)).toBeUndefined()
      expect(await dialerRepository.callOfAgent('none' as CallId, ANNA, 0)).toBeUndefined()
    })

    test('that goes on is found by its name for whoever asked somebody in it', async () => {
      const { dialerRepository } = shop()
      const { call, caller, corporation, called, createdAtMs } = shop().callIn()
      const [leg, team] = ['leg-of-theirs' as LegId, 'front' as TeamName]
      const asked = { to: 'anna', mode: 'attended', by: 'ben' as AgentName, beganAtMs: 0 } as const
      const progress = { answeredAtMs: createdAtMs, team, agent: ANNA, transfers: { 'agent 1': asked }, texts: {} }
      await dialerRepository.callBegan('one', { call, leg, corporation, caller, called, createdAtMs, progress })
      expect(await dialerRepository.callOfAgent(call, 'ben' as AgentName, 0)).toEqual({ caller, team, leg })
      expect(await dialerRepository.callOfAgent(call, ANNA, 0)).toBeUndefined()
    })

    test('that came in gets an activity of the same id sequence, and an event', async () => {
      const { dialerRepository } = shop()
      const attempt = await shop().dialed()
      const result = await dialerRepository.finishCall(
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

  describe('an inbound call', () => {
    const begun = () => ({
      call: `in-${shop().number()}` as CallId,
      leg: `leg-${shop().number()}` as LegId,
      corporation: CORPORATION,
      caller: shop().number(),
      called: '+4570000000',
      createdAtMs: shop().nowMs(),
    })

    test('is known to its node until it ends, even if the engine was replaced', async () => {
      const { dialerRepository, node } = shop()
      const [first, second] = [begun(), begun()]
      await dialerRepository.callBegan(node, first)
      await dialerRepository.callBegan(node, first)
      await dialerRepository.callBegan(node, second)
      expect(await dialerRepository.openCalls(node)).toHaveLength(2)
      await dialerRepository.takeLease(node, HOUR_MS)
      await dialerRepository.finishCall(shop().callIn({ call: first.call }))
      expect(await dialerRepository.openCalls(node)).toEqual([second])
      expect(await dialerRepository.openCalls(`${node} other`)).toEqual([])
    })

    test('is known by its leg, while it lasts and when it is over; a leg of no call is not', async () => {
      const { dialerRepository, node } = shop()
      const [open, over, never] = [begun(), begun(), begun()]
      await dialerRepository.callBegan(node, open)
      await dialerRepository.finishCall(shop().callIn({ call: over.call, leg: over.leg }))
      expect(await dialerRepository.unknownLegs([open.leg, over.leg, never.leg])).toEqual([never.leg])
      await dialerRepository.finishCall(shop().callIn({ call: open.call, leg: open.leg }))
    })

    test('is known whatever characters another system sent for its flow', async () => {
      const { dialerRepository, node } = shop()
      const call = begun()
      const place = { revision: 'r1', at: { 'a\u0000b': ['\u0000', '\ud800', 'Søren \\u0000'] } }
      await dialerRepository.callBegan(node, {
        ...call,
        progress: { answeredAtMs: call.createdAtMs, place, texts: {} },
      })
      expect(await dialerRepository.openCalls(node)).toMatchObject([{ call: call.call, progress: { texts: {} } }])
    })

    test('is known with its progress, which its late beginning does not take back', async () => {
      const { dialerRepository, node } = shop()
      const call = begun()
      const answered = { answeredAtMs: call.createdAtMs + 40, texts: {} }
      await dialerRepository.callBegan(node, { ...call, progress: answered })
      await dialerRepository.callBegan(node, call)
      expect(await dialerRepository.openCalls(node)).toEqual([{ ...call, progress: answered }])
      const progress = { ...answered, agent: ANNA, texts: { 'c/pay/1': null } }
      await dialerRepository.callBegan(node, { ...call, progress })
      expect(await dialerRepository.openCalls(node)).toEqual([{ ...call, progress }])
      await dialerRepository.finishCall(shop().callIn({ call: call.call }))
      await dialerRepository.callBegan(node, { ...call, progress })
      expect(await dialerRepository.openCalls(node)).toEqual([])
    })

    test('does not begin again after its end', async () => {
      const { dialerRepository, node } = shop()
      const call = begun()
      await dialerRepository.finishCall(shop().callIn({ call: call.call }))
      await dialerRepository.callBegan(node, call)
      expect(await dialerRepository.openCalls(node)).toEqual([])
    })
  })

  describe('a listener hears', () => {
    /** Resolves at this notification; others may come before. */
    const hears = async (wanted: DatabaseNotification, change: () => Promise<unknown>) => {
      const { come, tell } = news<void>()
      const stop = shop().dialerRepository.onNotification((told) => {
        if (told === wanted) tell()
      })
      await change()
      await come
      stop()
    }

    test('of orders when a campaign or the kill switch changes', async () => {
      const { dialerRepository } = shop()
      await hears('orders', () => shop().changeCampaign({ name: 'renamed' }))
      await hears('orders', () => dialerRepository.setKillSwitch(false, 'the supervisor', shop().nowMs()))
    })

    test('of tasks when tasks are imported, ended, stopped or called back', async () => {
      const { dialerRepository } = shop()
      const number = shop().number()
      const id = await shop().importOne()
      const callback = { task: id, atMs: shop().nowMs(), askedByContact: false, agent: ANNA, nowMs: shop().nowMs() }
      await hears('tasks', () => shop().importOne())
      await hears('tasks', () => dialerRepository.setCallback(callback))
      await hears('tasks', () => dialerRepository.addStop(CORPORATION, { kind: 'number', number }, shop().nowMs()))
      await hears('tasks', () => dialerRepository.endCallTask(shop().endOf(id)))
    })

    test('of deliveries when a call has ended', async () => {
      await hears('deliveries', () => shop().dialerRepository.finishCall(shop().callIn()))
    })

    test('nothing after unsubscribing', async () => {
      const told: DatabaseNotification[] = []
      const stop = shop().dialerRepository.onNotification((one) => told.push(one))
      stop()
      await hears('deliveries', () => shop().dialerRepository.finishCall(shop().callIn()))
      expect(told).toEqual([])
    })
  })

  describe('the protection of whom we dropped', () => {
    const isDropped = async (task: { readonly id: CallTaskId }) => 'lastDropAtMs' in (await shop().task(task.id))!
    const dropAt = async (debtor: ReturnType<ReturnType<typeof shop>['debtorWith']>) => {
      const dropped = await shop().dialed(debtor)
      await shop().endAndRetry(dropped, { result: 'dropped', reach: 'answered', next: { status: 'maxAttempts' } })
    }
    const talkAt = async (debtor: ReturnType<ReturnType<typeof shop>['debtorWith']>) => {
      const talked = await shop().dialed(debtor)
      await shop().dialerRepository.attemptConnected(shop().connected(talked))
      await shop().dialerRepository.endAttempt(shop().talked(talked, { atMs: shop().nowMs() + 60_000 }))
      return talked
    }

    test('a drop, until a talk with the person, or at the number that was dropped; not at another', async () => {
      const [mine, shared] = [shop().number(), shop().number()]
      const person = shop().debtorWith([mine])
      await shop().dialerRepository.finishCall(shop().callIn({ caller: mine, agent: ANNA }))
      await dropAt(person)
      const both = { id: await shop().importOne(shop().debtorWith([mine, shared])) }
      await talkAt(shop().debtorWith([shared]))
      expect(await isDropped(both)).toBe(true)
      const endedAtMs = shop().nowMs() + 60_000
      await shop().dialerRepository.finishCall(shop().callIn({ caller: shared, agent: ANNA, endedAtMs }))
      // They called, and talked to nobody.
      await shop().dialerRepository.finishCall(shop().callIn({ caller: mine, endedAtMs }))
      expect(await isDropped(both)).toBe(true)
      await shop().dialerRepository.finishCall(shop().callIn({ caller: mine, agent: ANNA, endedAtMs }))
      expect(await isDropped(both)).toBe(false)
      const [one, other] = [shop().number(), shop().number()]
      const { externalCustomer } = shop().debtorWith([one])
      await dropAt(shop().debtorWith([one], { externalCustomer: externalCustomer! }))
      const again = { id: await shop().importOne(shop().debtorWith([one])) }
      const talk = await talkAt(shop().debtorWith([other], { externalCustomer: externalCustomer! }))
      expect(await isDropped(again)).toBe(false)
      await shop().dialerRepository.correctToMachine(talk.id, ANNA, shop().nowMs())
      expect(await isDropped(again)).toBe(true)
    })
  })
}
