import { describe, expect, test } from 'vitest'
import type { NodeLease } from '../../src/ports/attempt.ts'
import { ANNA, BO, HOUR_MS, type Shop } from './dialer-repository-world.ts'

/** Who may dial: leases, adoption, seats. */
export function leasesContract(shop: () => Shop): void {
  /** Runs out in the moment in which it is given. */
  const runOut = async (lease: NodeLease) => {
    expect(await shop().records.renewLease(lease, 0)).toMatchObject({ fence: lease.fence })
  }

  describe('a lease', () => {
    test('is newer the larger its fence, whoever takes it', async () => {
      const { records, node, lease } = shop()
      const again = await records.takeLease(node, HOUR_MS)
      const other = await records.takeLease(`${node} other`, HOUR_MS)
      expect(again.fence).toBeGreaterThan(lease.fence)
      expect(other.fence).toBeGreaterThan(again.fence)
    })

    test('tells what the clock of the memory shows', async () => {
      const { records, node } = shop()
      const before = shop().nowMs()
      const { databaseAtMs } = await records.takeLease(node, HOUR_MS)
      expect(databaseAtMs).toBeGreaterThanOrEqual(before)
      expect(databaseAtMs).toBeLessThan(before + HOUR_MS)
    })

    test('that was taken anew renews under its newest fence only, and the older one claims nothing', async () => {
      const { records, node, lease } = shop()
      await shop().importOne()
      const newer = await records.takeLease(node, HOUR_MS)
      expect(await records.renewLease(lease, HOUR_MS)).toBeUndefined()
      expect(await records.renewLease(newer, HOUR_MS)).toMatchObject({ node, fence: newer.fence })
      expect(await records.claimDueTasks(shop().claimOf())).toEqual({ outcome: 'no lease' })
      expect(await records.reserveTask(shop().reservationOf())).toBe('no lease')
      expect(await shop().claim({ lease: newer })).toHaveLength(1)
    })

    test('that ran out claims nothing, and asks no gate, until it is renewed', async () => {
      const { records, lease } = shop()
      await shop().importOne()
      await runOut(lease)
      const decide = () => {
        throw new Error('the gate was asked')
      }
      expect(await records.claimDueTasks(shop().claimOf({ decide }))).toEqual({ outcome: 'no lease' })
      expect(await records.reserveTask(shop().reservationOf({ decide }))).toBe('no lease')
      expect(await records.adoptAttempts(lease)).toBeUndefined()
      expect(await records.renewLease(lease, HOUR_MS)).toMatchObject({ fence: lease.fence })
      expect(await shop().claim()).toHaveLength(1)
    })

    test('that was given back claims nothing and is not renewed; giving it back twice is silent', async () => {
      const { records, lease, node } = shop()
      const other = await records.takeLease(`${node} other`, HOUR_MS)
      await records.dropLease(lease)
      await records.dropLease(lease)
      expect(await records.renewLease(lease, HOUR_MS)).toBeUndefined()
      expect(await records.claimDueTasks(shop().claimOf())).toEqual({ outcome: 'no lease' })
      expect(await records.renewLease(other, HOUR_MS)).toMatchObject({ fence: other.fence })
    })

    test('of an older fence, given back late, takes nothing from the newer one', async () => {
      const { records, node, lease } = shop()
      const newer = await records.takeLease(node, HOUR_MS)
      await records.dropLease(lease)
      expect(await records.renewLease(newer, HOUR_MS)).toMatchObject({ fence: newer.fence })
    })

    test('that is renewed stores the latest instant that was seen', async () => {
      const { records, lease } = shop()
      const renewed = await records.renewLease(lease, HOUR_MS)
      await shop().importOne()
      let latestSeenAtMs = 0
      await shop().claim({
        decide: (_, moment) => {
          latestSeenAtMs = moment.latestSeenAtMs
          return { verdict: 'leave' }
        },
      })
      expect(latestSeenAtMs).toBeGreaterThanOrEqual(renewed!.databaseAtMs)
    })
  })

  describe('the attempts of an engine', () => {
    test('are open in its hands until they have ended', async () => {
      const { records, lease } = shop()
      const [first, second] = [await shop().dialed(), await shop().dialed()]
      expect(await records.openAttempts(lease)).toMatchObject([{ id: first.id, result: null }, { id: second.id }])
      await records.endAttempt(shop().noAnswer(first))
      expect(await records.openAttempts(lease)).toMatchObject([{ id: second.id }])
    })

    test('pass to whoever adopts them when its lease is gone, and to nobody before', async () => {
      const { records, lease, node } = shop()
      const attempt = await shop().dialed()
      const other = await records.takeLease(`${node} other`, HOUR_MS)
      const isMine = ({ campaign }: { campaign: number }) => campaign === shop().campaign
      expect((await records.adoptAttempts(other))?.filter(isMine)).toEqual([])
      await runOut(lease)
      expect((await records.adoptAttempts(other))?.filter(isMine)).toMatchObject([
        { id: attempt.id, fence: other.fence, result: null },
      ])
      expect(await records.openAttempts(lease)).toEqual([])
      expect(await records.renewLease(lease, HOUR_MS)).toBeUndefined()
      expect(await records.endAttempt(shop().noAnswer(attempt))).toBe('fenced off')
      expect(await records.attemptConnected(shop().connected(attempt))).toBe('fenced off')
      expect(await records.endAttempt(shop().noAnswer(attempt, { fence: other.fence }))).toBe('written')
    })

    test('pass to the same node under its newer lease', async () => {
      const { records, node } = shop()
      const attempt = await shop().dialed()
      const newer = await records.takeLease(node, HOUR_MS)
      const adopted = await records.adoptAttempts(newer)
      expect(adopted?.filter(({ campaign }) => campaign === shop().campaign)).toMatchObject([{ id: attempt.id }])
      expect(await records.openAttempts(newer)).toMatchObject([{ id: attempt.id, leg: attempt.leg }])
    })

    test('that have ended stay as they are when somebody adopts', async () => {
      const { records, node, lease } = shop()
      const attempt = await shop().dialed()
      await records.endAttempt(shop().noAnswer(attempt))
      const newer = await records.takeLease(node, HOUR_MS)
      expect((await records.adoptAttempts(newer))?.map(({ id }) => id)).not.toContain(attempt.id)
      expect(await shop().attemptsOf(attempt.task.id)).toMatchObject([{ fence: lease.fence, result: 'noAnswer' }])
    })

    test('reserved for its agents are free again when somebody adopts', async () => {
      const { records, node } = shop()
      const task = await shop().importOne()
      expect(await shop().reserve()).toMatchObject({ id: task })
      const lease = await records.takeLease(node, HOUR_MS)
      expect(await shop().claim({ lease })).toEqual([])
      await records.adoptAttempts(lease)
      expect(await shop().claim({ lease })).toMatchObject([{ task: { id: task, status: 'new' } }])
    })
  })

  describe('a task whose reservation nobody knows of', () => {
    test('is free again when it was reserved before that instant, and not before', async () => {
      const { records, lease } = shop()
      const task = await shop().importOne()
      await shop().reserve()
      await records.releaseForgotten(lease, shop().nowMs() - HOUR_MS)
      expect(await shop().claim()).toEqual([])
      await records.releaseForgotten(lease, shop().nowMs() + HOUR_MS)
      expect(await shop().claim()).toMatchObject([{ task: { id: task, status: 'new' } }])
    })

    test('stays reserved where it is so under another lease', async () => {
      const { records, node, lease } = shop()
      await shop().importOne()
      const other = await records.takeLease(`${node} other`, HOUR_MS)
      await shop().reserve({ lease: other })
      await records.releaseForgotten(lease, shop().nowMs() + HOUR_MS)
      expect(await shop().claim()).toEqual([])
    })
  })

  describe('the seats of agents', () => {
    test('are found again by the name of their node, whatever became of its lease', async () => {
      const { records, node, lease } = shop()
      const [anna, bo] = [shop().seat(ANNA, { state: 'paused', why: 'lunch' }), shop().seat(BO)]
      await records.saveSeat(lease, anna)
      await records.saveSeat(lease, bo)
      await records.dropLease(lease)
      expect(new Set(await records.seats(node))).toEqual(new Set([anna, bo]))
      expect(await records.seats(`${node} other`)).toEqual([])
    })

    test('are saved over, and taken away', async () => {
      const { records, node, lease } = shop()
      await records.saveSeat(lease, shop().seat(ANNA))
      const moved = shop().seat(ANNA, { state: 'talking' })
      await records.saveSeat(lease, moved)
      expect(await records.seats(node)).toEqual([moved])
      await records.removeSeat(lease, ANNA)
      await records.removeSeat(lease, ANNA)
      expect(await records.seats(node)).toEqual([])
    })

    test('are out of reach of an engine that was replaced', async () => {
      const { records, node, lease } = shop()
      const newer = await records.takeLease(node, HOUR_MS)
      const seat = shop().seat(ANNA)
      await records.saveSeat(newer, seat)
      await records.saveSeat(lease, shop().seat(ANNA))
      await records.removeSeat(lease, ANNA)
      expect(await records.seats(node)).toEqual([seat])
    })
  })
}
