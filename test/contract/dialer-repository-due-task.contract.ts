import { describe, expect, test } from 'vitest'
import type { CallId, CallTaskId, LegId, PhoneNumber } from '../../src/kernel/ids.ts'
import type { FinishedCall } from '../../src/ports/dialer-repository.ts'
import {
  ANNA,
  CORPORATION,
  dialAll,
  dialFirst,
  HOUR_MS,
  MINUTE_MS,
  OTHERS,
  type Shop,
  SYSTEM,
} from './dialer-repository-world.ts'

/** What the gate knows about a task. An error here makes its decision wrong. */
export function dueTaskContract(shop: () => Shop): void {
  describe('the gate gets', () => {
    test('the imported fields', async () => {
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
          touches: [],
          isOnOurLine: false,
          person: expect.any(String),
          isClosed: false,
          isPersonStopped: false,
          numbers: numbers.map(({ number }, position) => ({ number, position, stopped: false })),
          inFlight: { ofTask: 0, ofNumber: 0, ofContact: 0 },
        },
      ])
    })

    test('no person if the debtor has no customer number', async () => {
      const { externalCustomer: _, ...nameless } = shop().debtor()
      await shop().importOne(nameless)
      const [task] = await shop().shown()
      expect(task).not.toHaveProperty('person')
      expect(task).not.toHaveProperty('externalCustomer')
      expect(task).toMatchObject({ isPersonStopped: false, inFlight: { ofContact: 0 } })
    })

    test('one identity of a person, in every campaign', async () => {
      const debtor = shop().debtor()
      const elsewhere = await shop().anotherCampaign()
      await shop().importOne(debtor)
      await shop().importOne(debtor, { campaign: elsewhere })
      const [[here], [there]] = [await shop().shown(), await shop().shown({ campaign: elsewhere })]
      expect(here!.person).toBe(there!.person)
    })

    test('the stopped numbers and persons of this corporation', async () => {
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

    test('every attempt so far, in order, with its progress and end', async () => {
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

    test('the recent calls to the person, in any campaign, newest first, without unsent attempts', async () => {
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
      const { externalCaseNumber } = debtor
      const seen = kept.map(({ id, task: of, campaign, number, claimedAtMs, endedAtMs, result, reach }) => {
        return { id, task: of, campaign, number, claimedAtMs, endedAtMs, result, reach, externalCaseNumber }
      })
      expect(task).toMatchObject({ attempts: [] })
      expect(task!.touches).toEqual(seen.reverse())
      // The interval of the task counts, where it is longer than the windows of the caps.
      const [ofInterval] = await shop().shown({ campaign: elsewhere, dialedSinceAtMs: shop().nowMs() + MINUTE_MS })
      expect(ofInterval!.touches).toEqual(task!.touches)
      const dialedSinceAtMs = shop().nowMs() + MINUTE_MS + task!.intervalMs
      const [since] = await shop().shown({ campaign: elsewhere, dialedSinceAtMs })
      expect(since!.touches).toEqual([])
    })

    test('of an attempt that a failing carrier ended: it is spared, and no cap counts it (campaigns-43)', async () => {
      for (const result of ['failed', 'noAnswer'] as const) {
        const attempt = await shop().dialed()
        await shop().endAndRetry(attempt, { result, reach: 'sent', counts: false })
        const [task] = (await shop().shown()).filter(({ id }) => id === attempt.task.id)
        expect(task).toMatchObject({ attempts: [{ id: attempt.id, isSpared: true }], touches: [] })
      }
      const counted = await shop().dialed()
      await shop().endAndRetry(counted, { result: 'failed', reach: 'sent', counts: true })
      const [task] = (await shop().shown()).filter(({ id }) => id === counted.task.id)
      expect(task!.touches).toHaveLength(1)
      expect(task!.attempts[0]).not.toHaveProperty('isSpared')
    })

    test('the last conversation of the person, in any campaign', async () => {
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

    test('no conversation if a call was answered and no agent talked', async () => {
      const attempt = await shop().dialed()
      await shop().endAndRetry(attempt, { result: 'voicemail', reach: 'answered' })
      const [task] = await shop().shown()
      expect(task).not.toHaveProperty('lastTalkAtMs')
      expect(task!.touches).toHaveLength(1)
    })

    test('the promised callback, and who promised it', async () => {
      const id = await shop().importOne()
      const atMs = shop().nowMs() - 1
      const nowMs = shop().nowMs()
      await shop().dialerRepository.setCallback({ task: id, atMs, askedByContact: true, agent: ANNA, nowMs })
      expect(await shop().shown()).toMatchObject([
        { id, status: 'callback', callback: { atMs, askedByContact: true, agent: ANNA } },
      ])
    })

    test('the calls in flight to the number and the person, when an agent asks for the task manually', async () => {
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

  calleeContract(shop)

  describe('a described task', () => {
    test('is returned in any status, with its attempts in progress', async () => {
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

    test('is omitted if it does not exist', async () => {
      const id = await shop().importOne()
      const found = await shop().dialerRepository.describeTasks([id, 999_999_999 as CallTaskId], 0)
      expect(found.map((task) => task.id)).toEqual([id])
      expect(await shop().dialerRepository.describeTasks([], 0)).toEqual([])
    })
  })
}

/** What holds for the person and for every number of the task together, whichever task, list or way in it was. */
function calleeContract(shop: () => Shop): void {
  const callIn = async (change: Partial<FinishedCall>) => {
    const call = shop().callIn(change)
    await shop().dialerRepository.finishCall(call)
    return call
  }

  describe('of a callee the gate is told', () => {
    test('the calls to one number under several customer numbers, and about which cases', async () => {
      const number = shop().number()
      const first = shop().debtorWith([number])
      const attempt = await shop().dialed(first)
      await shop().endAndRetry(attempt, { next: { status: 'maxAttempts' } })
      await shop().importOne(shop().debtorWith([shop().number(), number]), { campaign: await shop().anotherCampaign() })
      await shop().importOne(shop().debtorWith([shop().number()]))
      const id = await shop().importOne(shop().debtorWith([shop().number(), number]))
      const { externalCaseNumber } = first
      expect(await shop().shown({ only: id })).toMatchObject([
        { attempts: [], touches: [{ id: attempt.id, number, task: attempt.task.id, externalCaseNumber }] },
      ])
    })

    test('which number they saw, by the permits of the calls', async () => {
      const number = shop().number()
      const permit = { callerId: '+4570000099' }
      const given = shop().debtorWith([number])
      await shop().importOne(given)
      const decide = () => ({ verdict: 'dial', numbers: [{ number, permit }] }) as const
      await shop().endAndRetry(await shop().claimOne({ decide }))
      await shop().endAndRetry(await shop().claimOne())
      const [task] = await shop().shown()
      expect(task!.touches).toMatchObject([{ number }, { number, ...permit }])
      expect(task!.touches[0]).not.toHaveProperty('callerId')
    })

    test('the calls to a person at a number that this task does not have', async () => {
      const { externalCustomer } = shop().debtor()
      const attempt = await shop().dialed(shop().debtor(0, { externalCustomer: externalCustomer! }))
      await shop().endAndRetry(attempt, { next: { status: 'maxAttempts' } })
      const id = await shop().importOne(shop().debtor(0, { externalCustomer: externalCustomer! }))
      expect(await shop().shown({ only: id })).toMatchObject([{ touches: [{ id: attempt.id }] }])
    })

    test('the calls of the task to a number that was corrected since', async () => {
      const { externalCustomer: _, ...nameless } = shop().debtor()
      const attempt = await shop().dialed(nameless)
      await shop().endAndRetry(attempt)
      const number = shop().number()
      const change = { numbers: [{ given: number, number }] }
      const asked = { corporations: [CORPORATION], stoppedNumbers: 'reject', atMs: shop().nowMs() } as const
      await shop().dialerRepository.changeCallTask({ task: attempt.task.id, change, ...asked })
      expect(await shop().shown()).toMatchObject([{ numbers: [{ number }], touches: [{ id: attempt.id }] }])
    })

    test('each call once, though it was to the person and to the number', async () => {
      const debtor = shop().debtorWith([shop().number(), shop().number()])
      const attempt = await shop().dialed(debtor)
      await shop().endAndRetry(attempt)
      expect((await shop().shown())[0]!.touches).toMatchObject([{ id: attempt.id }])
    })

    test('when somebody at the number last talked to us, or was dropped, under another customer number', async () => {
      const number = shop().number()
      const talked = await shop().dialed(shop().debtorWith([number]))
      await shop().dialerRepository.attemptConnected(shop().connected(talked))
      const end = shop().talked(talked)
      await shop().dialerRepository.endAttempt(end)
      const id = await shop().importOne(shop().debtorWith([number]))
      const [task] = await shop().shown({ only: id })
      expect(task).toMatchObject({ lastTalkAtMs: end.atMs })
      expect(task).not.toHaveProperty('lastDropAtMs')
      const dropped = await shop().claimOne({ only: id })
      const drop = { result: 'dropped', reach: 'answered', next: { status: 'maxAttempts' } } as const
      await shop().endAndRetry(dropped, drop)
      const later = await shop().importOne(shop().debtorWith([number]))
      const [kept] = await shop().attemptsOf(id)
      expect(await shop().shown({ only: later })).toMatchObject([{ lastDropAtMs: kept!.endedAtMs }])
      await shop().dialerRepository.correctToMachine(talked.id, ANNA, shop().nowMs())
      expect((await shop().shown({ only: later }))[0]).not.toHaveProperty('lastTalkAtMs')
    })

    test('a call from any number of the person: on the line, then its end, then a talk', async () => {
      const [known, other] = [shop().number(), shop().number()]
      const person = shop().debtorWith([known])
      await shop().importOne(person)
      const id = await shop().importOne(shop().debtorWith([other], { externalCustomer: person.externalCustomer! }), {
        campaign: await shop().anotherCampaign(),
      })
      const shown = async () => shop().task(id)
      expect(await shown()).toMatchObject({ isOnOurLine: false })
      const call = shop().callIn({ caller: known })
      const { corporation, caller, called, createdAtMs } = call
      const began = { call: call.call, leg: 'leg-9' as LegId, corporation, caller, called, createdAtMs }
      await shop().dialerRepository.callBegan(shop().node, began)
      expect(await shown()).toMatchObject({ isOnOurLine: true })
      expect(await shown()).not.toHaveProperty('lastCalledInAtMs')
      await shop().dialerRepository.finishCall(call)
      expect(await shown()).toMatchObject({ isOnOurLine: false, lastCalledInAtMs: call.endedAtMs })
      expect(await shown()).not.toHaveProperty('lastTalkAtMs')
      const talk = await callIn({ caller: other, agent: ANNA })
      expect(await shown()).toMatchObject({ lastTalkAtMs: talk.endedAtMs, lastCalledInAtMs: talk.endedAtMs })
    })

    test('a call that is booked for another corporation: our lines serve all, a talk belongs to one', async () => {
      const number = shop().number()
      const id = await shop().importOne(shop().debtorWith([number]))
      const call = { ...shop().callIn({ caller: number, agent: ANNA }), corporation: OTHERS }
      const { corporation, caller, called, createdAtMs } = call
      const began = { call: call.call, leg: 'leg-7' as LegId, corporation, caller, called, createdAtMs }
      await shop().dialerRepository.callBegan(shop().node, began)
      expect(await shop().task(id)).toMatchObject({ isOnOurLine: true })
      await shop().dialerRepository.finishCall(call)
      expect(await shop().task(id)).toMatchObject({ isOnOurLine: false, lastCalledInAtMs: call.endedAtMs })
      expect(await shop().task(id)).not.toHaveProperty('lastTalkAtMs')
    })

    test('a caller whose network writes 00 or no prefix; not one who withholds the number', async () => {
      for (const form of [(text: string) => `00${text.slice(1)}`, (text: string) => text.slice(1)]) {
        const number = shop().number()
        const id = await shop().importOne(shop().debtorWith([number]))
        const { endedAtMs } = await callIn({ caller: form(number), agent: ANNA })
        expect(await shop().task(id)).toMatchObject({ lastCalledInAtMs: endedAtMs, lastTalkAtMs: endedAtMs })
      }
      const id = await shop().importOne()
      const name = 'call-withheld' as CallId
      const nobody = { call: name, leg: 'leg-8' as LegId, corporation: CORPORATION, caller: '', called: '+4570000000' }
      await shop().dialerRepository.callBegan(shop().node, { ...nobody, createdAtMs: shop().nowMs() })
      expect(await shop().task(id)).toMatchObject({ isOnOurLine: false })
    })

    test('that a person’s stop protects the number, for every task that has it', async () => {
      const [shared, own] = [shop().number(), shop().number()]
      const stopped = shop().debtorWith([shared])
      await shop().importOne(stopped)
      const id = await shop().importOne(shop().debtorWith([shared, own]))
      const { externalCustomer } = stopped
      const stop = { kind: 'person', externalSystem: SYSTEM, externalCustomer: externalCustomer! } as const
      await shop().dialerRepository.addStop(OTHERS, stop, shop().nowMs())
      expect(await shop().task(id)).toMatchObject({ numbers: [{ stopped: false }, { stopped: false }] })
      await shop().dialerRepository.addStop(CORPORATION, stop, shop().nowMs())
      expect(await shop().task(id)).toMatchObject({
        isPersonStopped: false,
        numbers: [
          { number: shared, stopped: true },
          { number: own, stopped: false },
        ],
      })
    })

    test('since when a number is dead, for every task that has it, until a phone rings there', async () => {
      const number = shop().number()
      const attempt = await shop().dialed(shop().debtorWith([number]))
      const invalid = { result: 'invalidNumber', reach: 'sent', next: { status: 'noCallableNumber' } } as const
      await shop().endAndRetry(attempt, invalid)
      const id = await shop().importOne(shop().debtorWith([shop().number(), number]))
      const [kept] = await shop().attemptsOf(attempt.task.id)
      const [first, second] = (await shop().task(id)).numbers
      expect(first).not.toHaveProperty('deadSinceAtMs')
      expect(second).toMatchObject({ number, deadSinceAtMs: kept!.endedAtMs })
      const rang = await shop().claimOne({ only: id, decide: () => dialAll([number]) })
      await shop().endAndRetry(rang)
      expect((await shop().task(id)).numbers[1]).not.toHaveProperty('deadSinceAtMs')
      const given = await shop().claimOne({ only: id, decide: () => dialAll([number]) })
      await shop().endAndRetry(given, { result: 'invalidNumber', reach: 'sent' })
      const endedAtMs = (await shop().attemptsOf(id)).at(-1)!.endedAtMs
      expect((await shop().task(id)).numbers[1]).toMatchObject({ deadSinceAtMs: endedAtMs })
    })
  })

  test('one claim dials a callee once: a task with a number that it has just chosen is left', async () => {
    const [shared, other] = [shop().number(), shop().number()] as [PhoneNumber, PhoneNumber]
    const first = await shop().importOne(shop().debtorWith([shared]))
    await shop().importOne(shop().debtorWith([other, shared]))
    expect(await shop().claim({ decide: dialFirst })).toMatchObject([{ number: shared, task: { id: first } }])
  })
}
