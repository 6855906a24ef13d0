import { describe, expect, test } from 'vitest'
import type { NodeLease } from '../../src/ports/attempt.ts'
import { LeaseHeldElsewhere } from '../../src/ports/nodes.ts'
import { ANNA, BO, HOUR_MS, type Shop } from './dialer-repository-world.ts'

/** Who may dial: leases, adoption, agent sessions. */
export function leasesContract(shop: () => Shop): void {
  /** Expires at once. */
  const runOut = async (lease: NodeLease) => {
    expect(await shop().dialerRepository.renewLease(lease, 0)).toMatchObject({ fence: lease.fence })
  }

  describe('a lease', () => {
    test('has a larger fence than the one before, for any node', async () => {
      const { dialerRepository, node, lease } = shop()
      const again = await dialerRepository.takeLease(node, HOUR_MS)
      const other = await dialerRepository.takeLease(`${node} other`, HOUR_MS)
      expect(again.fence).toBeGreaterThan(lease.fence)
      expect(other.fence).toBeGreaterThan(again.fence)
    })

    test('that lives is not taken by another instance of the same name; one that ran out is', async () => {
      const { dialerRepository, node } = shop()
      const lease = await dialerRepository.takeLease(`${node} twin`, HOUR_MS, 'here')
      const other = () => dialerRepository.takeLease(`${node} twin`, HOUR_MS, 'there')
      await expect(other()).rejects.toThrow(LeaseHeldElsewhere)
      expect(await dialerRepository.renewLease(lease, HOUR_MS)).toMatchObject({ fence: lease.fence })
      const again = await dialerRepository.takeLease(`${node} twin`, HOUR_MS, 'here')
      await runOut(again)
      expect((await other()).fence).toBeGreaterThan(again.fence)
    })

    test('renewed at an instant that is doubted does not remember it', async () => {
      const { dialerRepository, lease } = shop()
      await shop().importOne()
      const first = await dialerRepository.renewLease(lease, HOUR_MS)
      await dialerRepository.renewLease(lease, HOUR_MS, first!.databaseAtMs - 1)
      let seenAtMs = 0
      await shop().claim({
        decide: (_, { latestSeenAtMs }) => {
          seenAtMs = latestSeenAtMs
          return { verdict: 'leave' }
        },
      })
      expect(seenAtMs).toBe(first!.databaseAtMs)
    })

    test('returns the clock of the database', async () => {
      const { dialerRepository, node } = shop()
      const before = shop().nowMs()
      const { databaseAtMs } = await dialerRepository.takeLease(node, HOUR_MS)
      expect(databaseAtMs).toBeGreaterThanOrEqual(before)
      expect(databaseAtMs).toBeLessThan(before + HOUR_MS)
    })

    test('taken again renews under its newest fence only, and the older one claims nothing', async () => {
      const { dialerRepository, node, lease } = shop()
      await shop().importOne()
      const newer = await dialerRepository.takeLease(node, HOUR_MS)
      expect(await dialerRepository.renewLease(lease, HOUR_MS)).toBeUndefined()
      expect(await dialerRepository.renewLease(newer, HOUR_MS)).toMatchObject({ node, fence: newer.fence })
      expect(await dialerRepository.claimDueTasks(shop().claimOf())).toEqual({ outcome: 'no lease' })
      expect(await dialerRepository.reserveTask(shop().reservationOf())).toBe('no lease')
      expect(await shop().claim({ lease: newer })).toHaveLength(1)
    })

    test('that expired claims nothing, and asks no gate, until it is renewed', async () => {
      const { dialerRepository, lease } = shop()
      await shop().importOne()
      await runOut(lease)
      const decide = () => {
        throw new Error('the gate was asked')
      }
      expect(await dialerRepository.claimDueTasks(shop().claimOf({ decide }))).toEqual({ outcome: 'no lease' })
      expect(await dialerRepository.reserveTask(shop().reservationOf({ decide }))).toBe('no lease')
      expect(await dialerRepository.adoptAttempts(lease)).toBeUndefined()
      expect(await dialerRepository.renewLease(lease, HOUR_MS)).toMatchObject({ fence: lease.fence })
      expect(await shop().claim()).toHaveLength(1)
    })

    test('that was returned claims nothing and is not renewed; returning it twice is silent', async () => {
      const { dialerRepository, lease, node } = shop()
      const other = await dialerRepository.takeLease(`${node} other`, HOUR_MS)
      await dialerRepository.dropLease(lease)
      await dialerRepository.dropLease(lease)
      expect(await dialerRepository.renewLease(lease, HOUR_MS)).toBeUndefined()
      expect(await dialerRepository.claimDueTasks(shop().claimOf())).toEqual({ outcome: 'no lease' })
      expect(await dialerRepository.renewLease(other, HOUR_MS)).toMatchObject({ fence: other.fence })
    })

    test('of an older fence, returned late, does not affect the newer one', async () => {
      const { dialerRepository, node, lease } = shop()
      const newer = await dialerRepository.takeLease(node, HOUR_MS)
      await dialerRepository.dropLease(lease)
      expect(await dialerRepository.renewLease(newer, HOUR_MS)).toMatchObject({ fence: newer.fence })
    })

    test('that is renewed stores the latest seen instant', async () => {
      const { dialerRepository, lease } = shop()
      const renewed = await dialerRepository.renewLease(lease, HOUR_MS)
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
    test('are open under its lease until they have ended', async () => {
      const { dialerRepository, lease } = shop()
      const [first, second] = [await shop().dialed(), await shop().dialed()]
      expect(await dialerRepository.openAttempts(lease)).toMatchObject([
        { id: first.id, result: null },
        { id: second.id },
      ])
      await dialerRepository.endAttempt(shop().noAnswer(first))
      expect(await dialerRepository.openAttempts(lease)).toMatchObject([{ id: second.id }])
    })

    test('pass to the adopting engine when the lease is gone, and to none before', async () => {
      const { dialerRepository, lease, node } = shop()
      const attempt = await shop().dialed()
      const other = await dialerRepository.takeLease(`${node} other`, HOUR_MS)
      const isMine = ({ campaign }: { campaign: number }) => campaign === shop().campaign
      expect((await dialerRepository.adoptAttempts(other))?.filter(isMine)).toEqual([])
      await runOut(lease)
      expect((await dialerRepository.adoptAttempts(other))?.filter(isMine)).toMatchObject([
        { id: attempt.id, fence: other.fence, result: null },
      ])
      expect(await dialerRepository.openAttempts(lease)).toEqual([])
      expect(await dialerRepository.renewLease(lease, HOUR_MS)).toBeUndefined()
      expect(await dialerRepository.endAttempt(shop().noAnswer(attempt))).toBe('fenced off')
      expect(await dialerRepository.attemptConnected(shop().connected(attempt))).toBe('fenced off')
      expect(await dialerRepository.endAttempt(shop().noAnswer(attempt, { fence: other.fence }))).toBe('written')
    })

    test('pass to the same node under its newer lease, and to no other one before it looks', async () => {
      const { dialerRepository, node, lease } = shop()
      const attempt = await shop().dialed()
      const other = await dialerRepository.takeLease(`${node} other`, HOUR_MS)
      const newer = await dialerRepository.takeLease(node, HOUR_MS)
      expect((await dialerRepository.adoptAttempts(other))?.map(({ id }) => id)).not.toContain(attempt.id)
      expect(await dialerRepository.openAttempts(lease)).toEqual([])
      expect(await dialerRepository.openAttempts(newer)).toMatchObject([{ id: attempt.id, leg: attempt.leg }])
      expect(await dialerRepository.endAttempt(shop().noAnswer(attempt))).toBe('fenced off')
      expect(await dialerRepository.endAttempt(shop().noAnswer(attempt, { fence: newer.fence }))).toBe('written')
    })

    test('that have ended do not change at an adoption', async () => {
      const { dialerRepository, node, lease } = shop()
      const attempt = await shop().dialed()
      await dialerRepository.endAttempt(shop().noAnswer(attempt))
      const newer = await dialerRepository.takeLease(node, HOUR_MS)
      expect((await dialerRepository.adoptAttempts(newer))?.map(({ id }) => id)).not.toContain(attempt.id)
      expect(await shop().attemptsOf(attempt.task.id)).toMatchObject([{ fence: lease.fence, result: 'noAnswer' }])
    })

    test('reserved for its agents are released at an adoption', async () => {
      const { dialerRepository, node } = shop()
      const task = await shop().importOne()
      expect(await shop().reserve()).toMatchObject({ id: task })
      const lease = await dialerRepository.takeLease(node, HOUR_MS)
      expect(await shop().claim({ lease })).toEqual([])
      await dialerRepository.adoptAttempts(lease)
      expect(await shop().claim({ lease })).toMatchObject([{ task: { id: task, status: 'new' } }])
    })
  })

  describe('a task with a forgotten reservation', () => {
    test('is released if it was reserved before that instant, and not otherwise', async () => {
      const { dialerRepository, lease } = shop()
      const task = await shop().importOne()
      await shop().reserve()
      await dialerRepository.releaseForgotten(lease, shop().nowMs() - HOUR_MS)
      expect(await shop().claim()).toEqual([])
      await dialerRepository.releaseForgotten(lease, shop().nowMs() + HOUR_MS)
      expect(await shop().claim()).toMatchObject([{ task: { id: task, status: 'new' } }])
    })

    test('stays reserved if another lease reserved it', async () => {
      const { dialerRepository, node, lease } = shop()
      await shop().importOne()
      const other = await dialerRepository.takeLease(`${node} other`, HOUR_MS)
      await shop().reserve({ lease: other })
      await dialerRepository.releaseForgotten(lease, shop().nowMs() + HOUR_MS)
      expect(await shop().claim()).toEqual([])
    })
  })

  describe('stored agent sessions', () => {
    test('are found by the name of their node, whatever became of its lease', async () => {
      const { dialerRepository, node, lease } = shop()
      const [anna, bo] = [shop().session(ANNA, { state: 'paused', why: 'lunch' }), shop().session(BO)]
      await dialerRepository.saveAgentSession(lease, anna)
      await dialerRepository.saveAgentSession(lease, bo)
      await dialerRepository.dropLease(lease)
      expect(new Set(await dialerRepository.agentSessions(node))).toEqual(new Set([anna, bo]))
      expect(await dialerRepository.agentSessions(`${node} other`)).toEqual([])
    })

    test('are overwritten and removed', async () => {
      const { dialerRepository, node, lease } = shop()
      await dialerRepository.saveAgentSession(lease, shop().session(ANNA))
      const moved = shop().session(ANNA, { state: 'talking' })
      await dialerRepository.saveAgentSession(lease, moved)
      expect(await dialerRepository.agentSessions(node)).toEqual([moved])
      await dialerRepository.removeAgentSession(lease, ANNA)
      await dialerRepository.removeAgentSession(lease, ANNA)
      expect(await dialerRepository.agentSessions(node)).toEqual([])
    })

    test('are inaccessible to a replaced engine', async () => {
      const { dialerRepository, node, lease } = shop()
      const newer = await dialerRepository.takeLease(node, HOUR_MS)
      const session = shop().session(ANNA)
      await dialerRepository.saveAgentSession(newer, session)
      await dialerRepository.saveAgentSession(lease, shop().session(ANNA))
      await dialerRepository.removeAgentSession(lease, ANNA)
      expect(await dialerRepository.agentSessions(node)).toEqual([session])
    })
  })
}
