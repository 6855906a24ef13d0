import { describe, expect, test } from 'vitest'
import type { AttemptId, CallTaskId, PhoneNumber } from '../../src/kernel/ids.ts'
import type { AttemptEnd } from '../../src/ports/attempt.ts'
import { ANNA, BO, CORPORATION, dialAll, HOUR_MS, OTHERS, type Shop } from './dialer-repository-world.ts'

const NONE = { persons: 0, machines: 0, abandoned: 0 }

/** The life of an attempt: connected, ended, withdrawn. */
export function attemptsContract(shop: () => Shop): void {
  describe('an attempt that is connected', () => {
    test('puts its task in a call; reported twice, the first instant stands', async () => {
      const { dialerRepository } = shop()
      const attempt = await shop().dialed()
      const event = shop().connected(attempt)
      expect(await dialerRepository.attemptConnected(event)).toBe('written')
      expect(await dialerRepository.attemptConnected({ ...event, atMs: event.atMs + 1 })).toBe('written')
      expect(await shop().attemptsOf(attempt.task.id)).toMatchObject([{ connectedAtMs: event.atMs, agent: ANNA }])
      expect(await shop().task(attempt.task.id)).toMatchObject({ status: 'inCall' })
    })

    test('is refused if it has ended, does not exist, or belongs to another engine', async () => {
      const { dialerRepository, node } = shop()
      const [ended, lost] = [await shop().dialed(), await shop().dialed()]
      await dialerRepository.endAttempt(shop().noAnswer(ended))
      expect(await dialerRepository.attemptConnected(shop().connected(ended))).toBe('already ended')
      const unknown = { ...shop().connected(ended), attempt: 999_999_999 as AttemptId }
      expect(await dialerRepository.attemptConnected(unknown)).toBe('no such attempt')
      await dialerRepository.adoptAttempts(await dialerRepository.takeLease(node, HOUR_MS))
      expect(await dialerRepository.attemptConnected(shop().connected(lost))).toBe('fenced off')
      expect(await shop().task(lost.task.id)).toMatchObject({ status: 'dialing' })
    })

    test('keeps whom its agent asks until it ends, and only for the engine that has it', async () => {
      const { dialerRepository, node } = shop()
      const attempt = await shop().dialed()
      const began = { to: '+4526900001', mode: 'consultation', beganAtMs: 5 } as const
      const first = { attempt: attempt.id, fence: (await shop().attemptsOf(attempt.task.id))[0]!.fence }
      expect(await dialerRepository.attemptTransfers({ ...first, transfers: { 'agent 1': began } })).toBe('written')
      const lease = await dialerRepository.takeLease(node, HOUR_MS)
      await dialerRepository.adoptAttempts(lease)
      expect(await dialerRepository.attemptTransfers({ ...first, transfers: {} })).toBe('fenced off')
      expect(await dialerRepository.openAttempts(lease)).toMatchObject([{ transfers: { 'agent 1': began } }])
      await dialerRepository.endAttempt({ ...shop().noAnswer(attempt), fence: lease.fence })
      expect(await shop().attemptsOf(attempt.task.id)).toMatchObject([{ transfers: null }])
    })

    test('leaves a task finished that was ended in the meantime', async () => {
      const { dialerRepository } = shop()
      const attempt = await shop().dialed()
      await dialerRepository.endCallTask(shop().endOf(attempt.task.id))
      expect(await dialerRepository.attemptConnected(shop().connected(attempt))).toBe('written')
      expect(await shop().task(attempt.task.id)).toMatchObject({ status: 'endedBySystem' })
    })
  })

  describe('the end of an attempt', () => {
    test('is stored with all observations', async () => {
      const { dialerRepository } = shop()
      const attempt = await shop().dialed()
      const atMs = shop().nowMs()
      const seen = { dialedAtMs: atMs - 9, ringingAtMs: atMs - 8, answeredAtMs: atMs - 7 }
      const codes = { sipStatus: 200, hangupCause: 16 }
      const end = shop().talked(attempt, { ...seen, ...codes, atMs, agent: BO, waitMs: 40, isRingCutShort: false })
      expect(await dialerRepository.endAttempt(end)).toBe('written')
      expect(await shop().attemptsOf(attempt.task.id)).toMatchObject([
        { ...seen, ...codes, endedAtMs: atMs, result: 'answered', reach: 'answered', agent: BO },
      ])
    })

    test('stands, whatever is reported later', async () => {
      const { dialerRepository } = shop()
      const attempt = await shop().dialed()
      const end = shop().noAnswer(attempt)
      expect(await dialerRepository.endAttempt(end)).toBe('written')
      expect(await dialerRepository.endAttempt(end)).toBe('already ended')
      expect(await dialerRepository.endAttempt(shop().talked(attempt))).toBe('already ended')
      expect(await shop().attemptsOf(attempt.task.id)).toMatchObject([{ result: 'noAnswer', endedAtMs: end.atMs }])
      expect(await shop().task(attempt.task.id)).toMatchObject({ status: 'waiting' })
      const unknown = { ...end, attempt: 999_999_999 as AttemptId }
      expect(await dialerRepository.endAttempt(unknown)).toBe('no such attempt')
    })

    test('is refused to an engine that lost the attempt', async () => {
      const { dialerRepository, node } = shop()
      const attempt = await shop().dialed()
      const newer = await dialerRepository.takeLease(node, HOUR_MS)
      await dialerRepository.adoptAttempts(newer)
      expect(await dialerRepository.endAttempt(shop().noAnswer(attempt))).toBe('fenced off')
      expect(await shop().attemptsOf(attempt.task.id)).toMatchObject([{ result: null }])
      expect(await dialerRepository.endAttempt(shop().noAnswer(attempt, { fence: newer.fence }))).toBe('written')
    })

    test('sets when the task is due again', async () => {
      const { dialerRepository } = shop()
      const [soon, later] = [await shop().dialed(), await shop().dialed()]
      await shop().endAndRetry(soon)
      await dialerRepository.endAttempt(shop().noAnswer(later))
      expect(await shop().claim()).toMatchObject([{ task: { id: soon.task.id }, attemptNumber: 2 }])
      const next = { status: 'callback', nextCallAtMs: shop().nowMs() } as const
      const again = (await shop().attemptsOf(soon.task.id))[1]!
      await dialerRepository.endAttempt(shop().noAnswer(again, { next }))
      expect(await shop().shown()).toMatchObject([{ id: soon.task.id, status: 'callback' }])
    })

    test('that finishes its task finishes it for good', async () => {
      const { dialerRepository } = shop()
      const attempt = await shop().dialed()
      await dialerRepository.endAttempt(shop().talked(attempt))
      const { id } = attempt.task
      expect(await shop().claim()).toEqual([])
      expect(await shop().claim({ only: id })).toEqual([])
      expect(await dialerRepository.endCallTask(shop().endOf(id))).toMatchObject({
        outcome: 'already finished',
        status: 'answered',
        answered: true,
      })
    })

    test('does not reopen a task that was ended in the meantime', async () => {
      const { dialerRepository } = shop()
      const attempt = await shop().dialed()
      await dialerRepository.endCallTask(shop().endOf(attempt.task.id, { status: 'endedByUser' }))
      await shop().endAndRetry(attempt)
      expect(await shop().task(attempt.task.id)).toMatchObject({ status: 'endedByUser' })
      expect(await shop().claim()).toEqual([])
    })

    test('frees the number and the person for other tasks', async () => {
      const debtor = shop().debtor()
      const attempt = await shop().dialed(debtor)
      const again = await shop().importOne({ ...debtor, externalCaseNumber: `another ${debtor.externalCaseNumber}` })
      expect(await shop().claim()).toEqual([])
      await shop().dialerRepository.endAttempt(shop().noAnswer(attempt))
      expect((await shop().claim()).map(({ task }) => task.id)).toEqual([again])
    })
  })

  describe('of several numbers that ring together', () => {
    const together = async () => {
      const numbers = [shop().number(), shop().number(), shop().number()]
      const id = await shop().importOne(shop().debtorWith(numbers))
      const attempts = await shop().claim({ decide: () => dialAll(numbers) })
      return { id, attempts }
    }

    test('the first answered attempt finishes the task, and the others must be withdrawn', async () => {
      const { dialerRepository, lease } = shop()
      const { id, attempts } = await together()
      const [first, second, third] = attempts
      await dialerRepository.attemptConnected(shop().connected(second!))
      await dialerRepository.endAttempt(shop().talked(second!))
      expect(await shop().task(id)).toMatchObject({ status: 'answered' })
      const cancel = await dialerRepository.attemptsToCancel(lease)
      expect(new Set(cancel.map(({ attempt }) => attempt))).toEqual(new Set([first!.id, third!.id]))
      expect(cancel.map(({ why }) => why)).toEqual(['taskEnded', 'taskEnded'])
    })

    test('the surplus is recorded as withdrawn, and the task stays as the answer left it', async () => {
      const { dialerRepository } = shop()
      const { id, attempts } = await together()
      const [first, ...surplus] = attempts
      await dialerRepository.endAttempt(shop().talked(first!))
      const withdrawn = { result: 'withdrawn', reach: 'rang', counts: false } as const
      for (const attempt of surplus) await shop().endAndRetry(attempt, withdrawn)
      expect(await shop().task(id)).toMatchObject({
        status: 'answered',
        attempts: [{ result: 'answered' }, { result: 'withdrawn' }, { result: 'withdrawn' }],
        inFlight: { ofTask: 0, ofNumber: 0, ofContact: 0 },
      })
    })

    test('the task waits for the last attempt if none is answered', async () => {
      const { id, attempts } = await together()
      for (const attempt of attempts) {
        expect(await shop().claim({ only: id })).toEqual([])
        await shop().endAndRetry(attempt)
      }
      expect(await shop().shown()).toMatchObject([{ id, status: 'waiting', attempts: [{}, {}, {}] }])
    })
  })

  describe('attempts are found', () => {
    test('by ids, tasks and activities, and only within the requested corporations', async () => {
      const { dialerRepository } = shop()
      const [first, second] = [await shop().dialed(), await shop().dialed()]
      const corporations = [CORPORATION]
      const found = async (by: object, among = corporations) =>
        (await dialerRepository.findAttempts({ corporations: among, ...by })).map(({ id }) => id)
      expect(await found({ ids: [first.id, second.id] })).toEqual([first.id, second.id])
      expect(await found({ tasks: [second.task.id] })).toEqual([second.id])
      expect(await found({ activities: [first.activity] })).toEqual([first.id])
      expect(await found({ ids: [first.id], tasks: [second.task.id] })).toEqual([])
      expect(await found({ ids: [first.id] }, [OTHERS])).toEqual([])
      expect(await found({})).toEqual([])
      expect(await found({ tasks: [999_999_999 as CallTaskId] })).toEqual([])
    })
  })

  describe('the ledgers get', () => {
    test('every answered call since then, with machine and abandoned calls marked', async () => {
      const { dialerRepository, campaign } = shop()
      const sinceAtMs = shop().nowMs()
      const end = async (change: Partial<AttemptEnd>) => {
        const attempt = await shop().dialed()
        const answered = { reach: 'answered', answeredAtMs: sinceAtMs + 1 } as const
        await dialerRepository.endAttempt(shop().noAnswer(attempt, { ...answered, ...change }))
      }
      await end({ result: 'answered', counts: false, next: { status: 'answered' } })
      await end({ result: 'dropped' })
      await end({ result: 'voicemail' })
      await end({ result: 'lost', answeredAtMs: sinceAtMs - HOUR_MS })
      await dialerRepository.endAttempt(shop().noAnswer(await shop().dialed()))
      const told = await dialerRepository.answeredCalls({ campaign }, sinceAtMs)
      const kinds = told.map(({ isMachine, isAbandoned }) => `${isMachine ? 'machine' : 'person'} ${isAbandoned}`)
      expect(kinds.sort()).toEqual(['machine false', 'person false', 'person true'])
      expect(told.map(({ answeredAtMs }) => answeredAtMs)).toEqual(Array(3).fill(sinceAtMs + 1))
      expect(await dialerRepository.answeredCalls({ campaign }, sinceAtMs - HOUR_MS)).toHaveLength(4)
      const other = { campaign: await shop().anotherCampaign() }
      expect(await dialerRepository.answeredCalls(other, 0)).toEqual([])
      const sums = { persons: 2, machines: 1, abandoned: 1 }
      const untilNow = [sinceAtMs, sinceAtMs + HOUR_MS] as const
      expect(await dialerRepository.answeredSums({ campaign }, ...untilNow)).toEqual(sums)
      expect(await dialerRepository.answeredSums({ corporation: CORPORATION }, ...untilNow)).toEqual(sums)
      expect(await dialerRepository.answeredSums({ corporation: OTHERS }, ...untilNow)).toEqual(NONE)
      expect(await dialerRepository.answeredSums({ campaign }, sinceAtMs + 2, sinceAtMs + HOUR_MS)).toEqual(NONE)
      expect(await dialerRepository.answeredSums({ campaign }, sinceAtMs - HOUR_MS, sinceAtMs)).toEqual({
        ...NONE,
        persons: 1,
      })
      // An attempt that ended by itself is not a call, and its caller id is unknown.
      const callerId = '+4599999999' as PhoneNumber
      expect(await dialerRepository.answeredCalls({ corporation: CORPORATION, callerId }, 0)).toEqual([])
    })

    test('how often detection was wrong, by the word of the agent, of calls to which it only listened', async () => {
      const { dialerRepository, campaign } = shop()
      const sinceAtMs = shop().nowMs()
      const call = async (change: Partial<AttemptEnd>, isConnected = true) => {
        const attempt = await shop().dialed()
        if (isConnected) await dialerRepository.attemptConnected(shop().connected(attempt))
        const answered = { reach: 'answered', answeredAtMs: sinceAtMs, result: 'answered' } as const
        await dialerRepository.endAttempt(shop().noAnswer(attempt, { ...answered, ...change }))
        return attempt.id
      }
      await call({ heard: 'person' })
      await call({ heard: 'machine' })
      await call({ heard: 'machine', result: 'voicemail' })
      await call({ heard: 'unsure', result: 'voicemail' })
      await dialerRepository.correctToMachine(await call({ heard: 'person' }), ANNA, sinceAtMs + 2)
      // Nobody says who it was, or the detector decided.
      await call({ heard: 'machine', result: 'dropped' }, false)
      await call({ result: 'voicemail' })
      const known = { id: 1 as AttemptId, isKnown: true }
      await call({ heard: 'person', greeting: known, result: 'voicemail' })
      await call({ heard: 'person', greeting: known })
      await call({ heard: 'person', greeting: { ...known, isKnown: false } })
      const counts = {
        persons: 4,
        machines: 4,
        pauses: { personsTaken: 1, machinesMissed: 3 },
        greeting: { personsTaken: 1, machinesMissed: 3 },
      }
      expect(await dialerRepository.detectionCounts(campaign, sinceAtMs)).toEqual(counts)
      const noErrors = { personsTaken: 0, machinesMissed: 0 }
      const none = { persons: 0, machines: 0, pauses: noErrors, greeting: noErrors }
      expect(await dialerRepository.detectionCounts(campaign, sinceAtMs + 1)).toEqual(none)
      expect(await dialerRepository.detectionCounts(await shop().anotherCampaign(), 0)).toEqual(none)
    })

    test('whom agents met behind a greeting, by their words', async () => {
      const { dialerRepository } = shop()
      const sinceAtMs = shop().nowMs()
      const answered = { reach: 'answered', answeredAtMs: sinceAtMs, result: 'answered' } as const
      const talk = async (change: Partial<AttemptEnd> = {}, isConnected = true) => {
        const attempt = await shop().dialed()
        if (isConnected) await dialerRepository.attemptConnected(shop().connected(attempt))
        const end = () => dialerRepository.endAttempt(shop().noAnswer(attempt, { ...answered, ...change }))
        return { id: attempt.id, end }
      }
      const isMachine = (attempt: AttemptId, id: AttemptId, print: string) =>
        dialerRepository.correctToMachine(attempt, ANNA, sinceAtMs + 2, { id, print })
      const told = () => dialerRepository.greetings(CORPORATION, sinceAtMs)

      // During the call, and after it. A word that is said again changes nothing.
      const first = await talk()
      await isMachine(first.id, first.id, 'one')
      await isMachine(first.id, 7 as AttemptId, 'seven')
      expect(await told()).toEqual([{ id: first.id, print: 'one', machineNumbers: 0, persons: 0 }])
      await first.end()
      const second = await talk({ greeting: { id: first.id, isKnown: false } })
      await second.end()
      expect(await told()).toEqual([{ id: first.id, print: 'one', machineNumbers: 1, persons: 1 }])
      await isMachine(second.id, first.id, 'one again')
      expect(await told()).toEqual([{ id: first.id, print: 'one', machineNumbers: 2, persons: 0 }])
      const third = await talk()
      await third.end()
      await isMachine(third.id, third.id, 'two')
      expect((await told()).map(({ id, machineNumbers }) => [id, machineNumbers])).toEqual([
        [first.id, 2],
        [third.id, 1],
      ])
      // Nobody heard who it was; and nobody else is told.
      await (await talk({ greeting: { id: first.id, isKnown: true }, result: 'voicemail' }, false)).end()
      expect((await told())[0]).toMatchObject({ machineNumbers: 2, persons: 0 })
      expect((await dialerRepository.greetings(CORPORATION, sinceAtMs + 1))[0]).toMatchObject({ machineNumbers: 0 })
      expect(await dialerRepository.greetings(OTHERS, 0)).toEqual([])
    })
  })
}
