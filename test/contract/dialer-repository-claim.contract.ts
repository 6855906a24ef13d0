import { describe, expect, test } from 'vitest'
import type { ClaimMoment, DueTask, Verdict } from '../../src/ports/attempt.ts'
import { ANNA, BO, CORPORATION, dialAll, dialFirst, HOUR_MS, MINUTE_MS, type Shop } from './dialer-repository-world.ts'

/** Which call tasks are dialed next: claims and reservations. */
export function claimContract(shop: () => Shop): void {
  const dialing = (verdict: Verdict) => () => verdict

  describe('a claim', () => {
    test('writes attempts with their legs, activities and permits before the engine dials', async () => {
      const { dialerRepository, lease, campaign } = shop()
      const id = await shop().importOne()
      const permit = { rules: 'DK', givenAtMs: 17 }
      const before = shop().nowMs()
      const decide = ({ numbers }: DueTask) => {
        return { verdict: 'dial', numbers: [{ number: numbers[0]!.number, permit }] } as const
      }
      const attempt = await shop().claimOne({ decide })
      expect(attempt).toMatchObject({ attemptNumber: 1, permit, task: { id, campaign, attempts: [] } })
      const [kept] = await shop().attemptsOf(id)
      const { leg, activity, number } = attempt
      expect(kept).toMatchObject({
        id: attempt.id,
        leg,
        activity,
        number,
        fence: lease.fence,
        result: null,
        reach: null,
      })
      expect(kept!.claimedAtMs).toBeGreaterThanOrEqual(before)
      expect(await dialerRepository.openAttempts(lease)).toMatchObject([
        { id: attempt.id, endedAtMs: null, connectedAtMs: null },
      ])
    })

    test('takes the earliest due tasks, the older task first among equals, and no more than requested', async () => {
      const atMs = shop().nowMs()
      const late = await shop().importOne(shop().debtor(), { atMs: atMs - MINUTE_MS })
      const [first, second] = await shop().import([shop().debtor(0), shop().debtor(1)], { atMs: atMs - HOUR_MS })
      expect((await shop().shown()).map(({ id }) => id)).toEqual([first, second, late])
      const claimed = (await shop().claim({ tasksMax: 2 })).map(({ task }) => task.id)
      expect(new Set(claimed)).toEqual(new Set([first, second]))
      expect((await shop().claim({ tasksMax: 2 })).map(({ task }) => task.id)).toEqual([late])
    })

    test('finds no task that is not due by the clock of the database', async () => {
      await shop().importOne(shop().debtor(), { atMs: shop().nowMs() + HOUR_MS })
      expect(await shop().claim()).toEqual([])
      // An engine whose clock is ahead must not dial early.
      expect(await shop().claim({ atMs: shop().nowMs() + 2 * HOUR_MS })).toEqual([])
    })

    test('that finds nothing due tells when the next task is', async () => {
      const nextDueAtMs = async (change = {}) => {
        const result = await shop().dialerRepository.claimDueTasks(shop().claimOf(change))
        return 'nextDueAtMs' in result ? result.nextDueAtMs : undefined
      }
      expect(await nextDueAtMs()).toBeNull()
      const dueAtMs = shop().nowMs() + HOUR_MS
      await shop().importOne(shop().debtor(), { atMs: dueAtMs + HOUR_MS })
      const soon = await shop().importOne(shop().debtor(), { atMs: dueAtMs })
      expect(await nextDueAtMs()).toBe(dueAtMs)
      expect(await nextDueAtMs({ only: soon })).toBeUndefined()
    })

    test('finds nothing, and asks no gate, where an earlier claim is unknown: the database was put back', async () => {
      const { id: attempt, task } = await shop().dialed()
      const due = await shop().importOne()
      const decide = () => {
        throw new Error('the gate was asked')
      }
      const other = { attempt, task: due }
      const next = { attempt: (attempt + 1_000_000) as typeof attempt, task: task.id }
      for (const unknown of [other, next]) {
        const earlier = [{ attempt, task: task.id }, unknown]
        expect(await shop().dialerRepository.claimDueTasks(shop().claimOf({ decide, earlier }))).toEqual({
          outcome: 'behind',
        })
      }
      expect(await shop().claim({ earlier: [{ attempt, task: task.id }] })).toHaveLength(1)
    })

    test('for an agent may name a task that is not due yet: only the gate decides', async () => {
      const soon = await shop().importOne(shop().debtor(), { atMs: shop().nowMs() + HOUR_MS })
      expect((await shop().claim({ only: soon })).map(({ task }) => task.id)).toEqual([soon])
    })

    test('finds no task of an inactive campaign, or of another campaign', async () => {
      const elsewhere = await shop().anotherCampaign()
      const id = await shop().importOne()
      expect(await shop().claim({ campaign: elsewhere })).toEqual([])
      expect(await shop().claim({ campaign: elsewhere, only: id })).toEqual([])
      await shop().changeCampaign({ active: false })
      expect(await shop().claim()).toEqual([])
      expect(await shop().claim({ only: id })).toEqual([])
      expect(await shop().dialerRepository.reserveTask(shop().reservationOf())).toBe('nothing due')
      await shop().changeCampaign({ active: true })
      expect(await shop().claim()).toHaveLength(1)
    })

    test('leaves the tasks that the gate leaves, and finds postponed ones when they are due', async () => {
      const [left, later, due] = await shop().import([0, 1, 2].map((index) => shop().debtor(index)))
      const verdicts = new Map<number, Verdict>([
        [left!, { verdict: 'leave' }],
        [later!, { verdict: 'later', nextCallAtMs: shop().nowMs() + HOUR_MS, why: 'notYet' }],
        [due!, { verdict: 'later', nextCallAtMs: shop().nowMs() - MINUTE_MS, why: 'notYet' }],
      ])
      expect(await shop().claim({ decide: ({ id }) => verdicts.get(id)! })).toEqual([])
      expect((await shop().shown()).map(({ id }) => id)).toEqual([due, left])
      expect(await shop().task(later!)).toMatchObject({ status: 'new' })
    })

    test('asks about no further task once the gate refuses all, and keeps what it decided before', async () => {
      const [later, first, second] = await shop().import([0, 1, 2].map((index) => shop().debtor(index)))
      const seen: number[] = []
      const decide = ({ id }: DueTask): Verdict => {
        seen.push(id)
        if (id !== later) return { verdict: 'leaveAll' }
        return { verdict: 'later', nextCallAtMs: shop().nowMs() + HOUR_MS, why: 'notYet' }
      }
      expect(await shop().claim({ decide })).toEqual([])
      expect(seen).toEqual([later, first])
      expect((await shop().shown()).map(({ id }) => id)).toEqual([first, second])
    })

    test('claims callbacks first, then by priority, and within a priority the longest due', async () => {
      const first = await shop().importOne(shop().debtor(0), { atMs: shop().nowMs() - HOUR_MS })
      const second = await shop().importOne(shop().debtor(1))
      const [low, hot, warm] = await shop().import(
        [-5, 90, 90].map((priority, place) => ({ ...shop().debtor(2 + place), priority })),
      )
      // Nothing of the highest priority is due yet.
      await shop().importOne({ ...shop().debtor(5), priority: 100 }, { atMs: shop().nowMs() + HOUR_MS })
      const order = [hot, warm, first, second, low]
      expect((await shop().claim({ tasksMax: 2 })).map(({ task }) => task.id)).toEqual(order.slice(0, 2))
      const seen: number[] = []
      const decide = ({ id }: DueTask): Verdict => {
        seen.push(id)
        return { verdict: 'leave' }
      }
      await shop().claim({ decide })
      expect(seen).toEqual(order.slice(2))
    })

    test('takes the kind first that it is asked for, after callbacks, and then the others', async () => {
      const retried = await shop().importOne(shop().debtor(0), { atMs: shop().nowMs() - HOUR_MS })
      await shop().endAndRetry(await shop().claimOne())
      const [low, hot] = await shop().import([0, 90].map((priority, at) => ({ ...shop().debtor(1 + at), priority })))
      const seen: number[] = []
      const decide = ({ id }: DueTask): Verdict => {
        seen.push(id)
        return { verdict: 'leave' }
      }
      await shop().claim({ decide, first: 'waiting' })
      expect(seen.splice(0)).toEqual([retried, hot, low])
      await shop().claim({ decide, first: 'new' })
      expect(seen).toEqual([hot, low, retried])
    })

    test('finds tasks that the gate put off by settings that changed since, after those that are due', async () => {
      const putOff = await shop().importOne()
      const later: Verdict = { verdict: 'later', nextCallAtMs: shop().nowMs() + 24 * HOUR_MS, why: 'outsideHours' }
      await shop().claim({ decide: () => later })
      expect(await shop().claim()).toEqual([])
      await shop().changeCampaign({ settings: { mode: 'progressive', ringTimeoutSeconds: 40 } })
      const due = await shop().importOne()
      // Put off again by the settings of now, it waits.
      const seen: number[] = []
      const decide = ({ id }: DueTask) => {
        seen.push(id)
        return id === putOff ? later : ({ verdict: 'leave' } as const)
      }
      await shop().claim({ decide })
      expect(seen).toEqual([due, putOff])
      expect((await shop().claim()).map(({ task }) => task.id)).toEqual([due])
    })

    test('finds tasks again that the gate put off by settings older than those of the database', async () => {
      const task = await shop().importOne()
      const later: Verdict = { verdict: 'later', nextCallAtMs: shop().nowMs() + 24 * HOUR_MS, why: 'outsideHours' }
      await shop().claim({ decide: () => later, settingsVersion: 0 })
      expect((await shop().claim()).map(({ task: { id } }) => id)).toEqual([task])
    })

    test('finishes for good the tasks that the gate finishes', async () => {
      const id = await shop().importOne()
      await shop().claim({ decide: dialing({ verdict: 'finish', status: 'expired' }) })
      expect(await shop().task(id)).toMatchObject({ status: 'expired' })
      expect(await shop().claim()).toEqual([])
      expect(await shop().dialerRepository.endCallTask(shop().endOf(id))).toMatchObject({
        outcome: 'already finished',
        status: 'expired',
      })
    })

    test('takes only the requested task', async () => {
      const [, second] = await shop().import([0, 1, 2].map((index) => shop().debtor(index)))
      expect(await shop().claim({ only: second! })).toMatchObject([{ task: { id: second } }])
      expect(await shop().claim({ only: second! })).toEqual([])
    })

    test('passes the present kill switch and clock to the gate', async () => {
      const { dialerRepository } = shop()
      await shop().importOne()
      const moments: ClaimMoment[] = []
      const look = async () => {
        const decide = (_: DueTask, moment: ClaimMoment): Verdict => {
          moments.push(moment)
          return { verdict: 'leave' }
        }
        await shop().claim({ decide })
      }
      const before = shop().nowMs()
      await look()
      await dialerRepository.setKillSwitch(true, 'the supervisor', shop().nowMs())
      expect(await dialerRepository.isKillSwitchOn()).toBe(true)
      await look()
      await dialerRepository.setKillSwitch(false, 'the supervisor', shop().nowMs())
      expect(await dialerRepository.isKillSwitchOn()).toBe(false)
      await look()
      expect(moments.map(({ isKillSwitchOn }) => isKillSwitchOn)).toEqual([false, true, false])
      for (const { databaseAtMs } of moments) expect(databaseAtMs).toBeGreaterThanOrEqual(before)
    })

    test('records its agent, who does not talk yet', async () => {
      const id = await shop().importOne()
      const attempt = await shop().claimOne({ agent: ANNA })
      await shop().dialerRepository.attemptConnected(shop().connected(attempt, { agent: BO }))
      expect(await shop().attemptsOf(id)).toMatchObject([{ agent: BO }])
    })

    test('with a failing gate claims nothing', async () => {
      const ids = await shop().import([shop().debtor(0), shop().debtor(1)])
      const decide = ({ id }: DueTask): Verdict => {
        if (id === ids[1]) throw new Error('a mistake of ours')
        return { verdict: 'finish', status: 'expired' }
      }
      await expect(shop().claim({ decide })).rejects.toThrow('a mistake of ours')
      expect((await shop().shown()).map(({ id }) => id)).toEqual(ids)
    })
  })

  describe('several numbers of one task', () => {
    test('ring together, each as an attempt of its own with the next id', async () => {
      const numbers = [shop().number(), shop().number()]
      const id = await shop().importOne(shop().debtorWith(numbers))
      const attempts = await shop().claim({ decide: dialing(dialAll(numbers)) })
      expect(attempts.map(({ number, attemptNumber }) => [number, attemptNumber])).toEqual([
        [numbers[0], 1],
        [numbers[1], 2],
      ])
      expect(new Set(attempts.flatMap(({ leg, activity }) => [leg, activity])).size).toBe(4)
      expect(await shop().task(id)).toMatchObject({ status: 'dialing', inFlight: { ofTask: 2 } })
    })

    test('are not dialed if the first of them is in use', async () => {
      const [taken, free] = [shop().number(), shop().number()]
      const id = await shop().importOne(shop().debtorWith([taken, free]))
      await shop().dialed(shop().debtorWith([taken]))
      expect(await shop().claim({ only: id, decide: dialing(dialAll([taken, free])) })).toEqual([])
      expect(await shop().attemptsOf(id)).toEqual([])
    })

    test('keep their person until the last has ended, and the task continues as the last one says', async () => {
      const numbers = [shop().number(), shop().number()]
      const debtor = shop().debtorWith(numbers)
      const id = await shop().importOne(debtor)
      const [first, second] = await shop().claim({ decide: dialing(dialAll(numbers)) })
      const { externalCustomer } = debtor
      const other = await shop().importOne(shop().debtor(0, { externalCustomer: externalCustomer! }))
      await shop().endAndRetry(first!)
      expect(await shop().task(id)).toMatchObject({ status: 'dialing' })
      expect(await shop().claim()).toEqual([])
      expect(await shop().claim({ only: other })).toEqual([])
      const next = { status: 'waiting', nextCallAtMs: shop().nowMs() + HOUR_MS } as const
      await shop().dialerRepository.endAttempt(shop().noAnswer(second!, { next }))
      expect((await shop().claim()).map(({ task }) => task.id)).toEqual([other])
      expect(await shop().task(id)).toMatchObject({ status: 'waiting' })
    })
  })

  describe('a reservation', () => {
    test('offers the first task that the gate accepts, and dials nothing', async () => {
      const [first, second] = await shop().import([shop().debtor(0), shop().debtor(1)])
      const decide = (task: DueTask): Verdict => (task.id === first ? { verdict: 'leave' } : dialFirst(task))
      expect(await shop().reserve({ decide })).toMatchObject({ id: second })
      expect(await shop().task(second!)).toMatchObject({ status: 'reserved' })
      expect(await shop().attemptsOf(second!)).toEqual([])
      expect((await shop().claim()).map(({ task }) => task.id)).toEqual([first])
      expect(await shop().dialerRepository.reserveTask(shop().reservationOf())).toBe('nothing due')
    })

    test('is dialed by its agent, and by no other', async () => {
      const id = await shop().importOne()
      await shop().reserve({ agent: ANNA })
      expect(await shop().claim({ only: id, agent: BO })).toEqual([])
      const attempt = await shop().claimOne({ only: id, agent: ANNA })
      expect(attempt.task).toMatchObject({ id, status: 'reserved' })
      expect(await shop().task(id)).toMatchObject({ status: 'dialing' })
      await shop().dialerRepository.releaseTask(id, shop().nowMs())
      expect(await shop().task(id)).toMatchObject({ status: 'dialing' })
    })

    test('that is released is due at its instant, in its former status', async () => {
      const [now, later] = await shop().import([shop().debtor(0), shop().debtor(1)])
      await shop().reserve()
      await shop().reserve()
      await shop().dialerRepository.releaseTask(now!, shop().nowMs())
      await shop().dialerRepository.releaseTask(later!, shop().nowMs() + HOUR_MS)
      expect(await shop().shown()).toMatchObject([{ id: now, status: 'new' }])
      expect(await shop().task(later!)).toMatchObject({ status: 'new' })
    })

    test('that was blocked before it was dialed is new when it is put off or released (campaigns-94)', async () => {
      const blocked = await shop().dialed()
      const { id } = blocked.task
      const next = { status: 'new', nextCallAtMs: shop().nowMs() } as const
      await shop().endAndRetry(blocked, { result: 'blocked', reach: 'nothing', counts: false, next })
      await shop().claim({ decide: () => ({ verdict: 'later', nextCallAtMs: shop().nowMs(), why: 'notYet' }) })
      expect(await shop().task(id)).toMatchObject({ status: 'new' })
      await shop().reserve()
      await shop().dialerRepository.releaseTask(id, shop().nowMs())
      expect(await shop().shown()).toMatchObject([{ id, status: 'new' }])
    })

    test('that was skipped too often is not woken by a change of the campaign', async () => {
      const id = await shop().importOne()
      await shop().claim({ decide: () => ({ verdict: 'later', nextCallAtMs: shop().nowMs(), why: 'notYet' }) })
      await shop().reserve()
      await shop().dialerRepository.releaseTask(id, shop().nowMs() + HOUR_MS, 'skipped')
      await shop().changeCampaign({ settings: { mode: 'preview', ringTimeoutSeconds: 42 } })
      expect(await shop().claim()).toEqual([])
    })

    test('of a task that was dialed before returns it to waiting', async () => {
      const attempt = await shop().dialed()
      await shop().endAndRetry(attempt)
      const { id } = await shop().reserve()
      await shop().dialerRepository.releaseTask(id, shop().nowMs())
      expect(await shop().shown()).toMatchObject([{ id, status: 'waiting' }])
    })

    test('is silent about a task that is not reserved', async () => {
      const id = await shop().importOne()
      await shop().dialerRepository.releaseTask(id, shop().nowMs() + HOUR_MS)
      expect((await shop().claim()).map(({ task }) => task.id)).toEqual([id])
    })

    test('does not survive the end of its task', async () => {
      const id = await shop().importOne()
      await shop().reserve()
      expect(await shop().dialerRepository.endCallTask(shop().endOf(id))).toMatchObject({
        outcome: 'ended',
        cancel: [],
      })
      await shop().dialerRepository.releaseTask(id, shop().nowMs())
      expect(await shop().claim({ only: id })).toEqual([])
      expect(await shop().task(id)).toMatchObject({ status: 'endedBySystem' })
    })

    test('passes the same gate again when it is dialed', async () => {
      const debtor = shop().debtor()
      const id = await shop().importOne(debtor)
      await shop().reserve()
      await shop().dialerRepository.addStop(
        CORPORATION,
        { kind: 'number', number: debtor.numbers[0]!.number },
        shop().nowMs(),
      )
      expect(await shop().shown({ only: id })).toMatchObject([{ status: 'reserved', numbers: [{ stopped: true }] }])
      expect(await shop().task(id)).toMatchObject({ status: 'reserved' })
    })
  })
}
