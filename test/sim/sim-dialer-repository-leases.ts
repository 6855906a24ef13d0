/** Who may dial, what their hands hold, and where their agents sit: the part of `SimRecords` that engines live by. */
import type { AtMs } from '../../src/kernel/clock.ts'
import type { AgentName } from '../../src/kernel/ids.ts'
import type { Attempt, AttemptToCancel, NodeLease } from '../../src/ports/attempt.ts'
import type { SavedAgentSession } from '../../src/ports/dialer-repository.ts'
import { LeaseHeldElsewhere } from '../../src/ports/nodes.ts'
import type { LeftCall } from '../../src/ports/open-call.ts'
import type { SimAttempt } from './sim-dialer-repository-rows.ts'
import { attemptOf, jsonOf } from './sim-dialer-repository-shape.ts'
import type { SimRepositoryState } from './sim-dialer-repository-state.ts'
import { isNumberStopped, isPersonStopped } from './sim-dialer-repository-stops.ts'
import { letGo } from './sim-dialer-repository-tasks.ts'

/** A new lease with a larger fence, and the open attempts, unless another instance of the node has one that lives. */
export function takeLease(memory: SimRepositoryState, node: string, lifeMs: number, instance = ''): NodeLease {
  const before = memory.leases.get(node)
  if (before && before.instance !== instance && before.expiresAtMs > memory.nowAtMs) throw new LeaseHeldElsewhere(node)
  const fence = memory.newFence()
  memory.leases.set(node, { node, fence, instance, expiresAtMs: memory.nowAtMs + lifeMs })
  for (const attempt of memory.openAttempts) if (attempt.fence === before?.fence) attempt.fence = fence
  memory.givenLeases.push({ ...memory.committed(), node, fence })
  return { node, fence, databaseAtMs: memory.nowAtMs }
}

/** An expired lease can be renewed until the expiry is noticed. */
export function renewLease(
  memory: SimRepositoryState,
  { node, fence }: NodeLease,
  lifeMs: number,
  seenMaxMs = Number.POSITIVE_INFINITY,
): NodeLease | undefined {
  const lease = memory.leases.get(node)
  if (lease?.fence !== fence) return undefined
  lease.expiresAtMs = memory.nowAtMs + lifeMs
  if (memory.nowAtMs <= seenMaxMs) memory.latestSeenAtMs = Math.max(memory.latestSeenAtMs, memory.nowAtMs)
  return { node, fence, databaseAtMs: memory.nowAtMs }
}

/** Silent when it is gone already. */
export function dropLease(memory: SimRepositoryState, { node, fence }: NodeLease): void {
  if (memory.leases.get(node)?.fence === fence) memory.leases.delete(node)
}

/** Leases that ran out are removed first: an engine that only slept finds its lease gone. */
export function adoptAttempts(
  memory: SimRepositoryState,
  lease: NodeLease,
  graceMs = 0,
): readonly Attempt[] | undefined {
  if (!memory.holdsLease(lease)) return undefined
  for (const { node, expiresAtMs } of [...memory.leases.values()]) {
    if (expiresAtMs <= memory.nowAtMs - graceMs) memory.leases.delete(node)
  }
  const held = new Set([...memory.leases.values()].map(({ fence }) => fence))
  for (const task of memory.tasks.values()) {
    if (task.reserved && !held.has(task.reserved.fence)) letGo(memory, task, task.nextCallAtMs, 'un-reserved')
  }
  const orphans = [...memory.openAttempts].filter(({ fence }) => !held.has(fence))
  for (const orphan of orphans) orphan.fence = lease.fence
  return orphans.map(attemptOf)
}

/** Of nodes that have no lease, whoever holds one. */
export function leftCalls(memory: SimRepositoryState, lease: NodeLease): readonly LeftCall[] {
  if (!memory.holdsLease(lease)) return []
  const left = [...memory.openCalls.values()].filter(({ node }) => !memory.leases.has(node))
  return left.map(({ node, call }) => ({ node, ...jsonOf(call) }))
}

/** Only what is reserved under this very lease. */
export function releaseForgotten(
  memory: SimRepositoryState,
  { fence }: Pick<NodeLease, 'fence'>,
  beforeAtMs: AtMs,
): void {
  for (const task of memory.tasks.values()) {
    const isOld = task.reserved?.fence === fence && task.updatedAtMs < beforeAtMs
    if (isOld) letGo(memory, task, task.nextCallAtMs, 'forgotten')
  }
}

/** Oldest first. */
export function openAttempts(memory: SimRepositoryState, lease: NodeLease): readonly Attempt[] {
  return openOf(memory, lease).map(attemptOf)
}

/** One reason each: of several, the lasting one. */
export function attemptsToCancel(memory: SimRepositoryState, lease: NodeLease): readonly AttemptToCancel[] {
  return openOf(memory, lease)
    .filter(({ connectedAtMs }) => connectedAtMs === null)
    .flatMap((attempt) => {
      const why = whyCancel(memory, attempt)
      return why ? [{ attempt: attempt.id, why }] : []
    })
}

/** A session saved under a newer lease stays. */
export function saveAgentSession(
  memory: SimRepositoryState,
  { node, fence }: NodeLease,
  session: SavedAgentSession,
): void {
  const earlier = memory.sessions.find((one) => isSessionOf(one, node, session.agent))
  if (earlier && earlier.fence > fence) return
  memory.sessions = [...memory.sessions.filter((one) => one !== earlier), { node, fence, session: jsonOf(session) }]
}

/** One that was saved under a newer lease stays. */
export function removeAgentSession(memory: SimRepositoryState, { node, fence }: NodeLease, agent: AgentName): void {
  memory.sessions = memory.sessions.filter((one) => !isSessionOf(one, node, agent) || one.fence > fence)
}

/** In the order of the agents' names. */
export function agentSessions(memory: SimRepositoryState, node: string): readonly SavedAgentSession[] {
  const mine = memory.sessions.filter((one) => one.node === node).map(({ session }) => jsonOf(session))
  return mine.sort((a, b) => (a.agent < b.agent ? -1 : 1))
}

function openOf(memory: SimRepositoryState, { fence }: NodeLease): SimAttempt[] {
  return [...memory.openAttempts].filter((attempt) => attempt.fence === fence)
}

function whyCancel(memory: SimRepositoryState, attempt: SimAttempt): AttemptToCancel['why'] | undefined {
  const task = memory.tasks.get(attempt.task)!
  const { corporation, number } = attempt
  if (task.finishedAtMs !== undefined) return 'taskEnded'
  if (isNumberStopped(memory, corporation, number)) return 'stopped'
  if (isPersonStopped(memory, task)) return 'stopped'
  if (memory.isKillSwitchOn()) return 'killSwitch'
  return memory.isCalleeOnLine(task) ? 'isOnOurLine' : undefined
}

function isSessionOf(
  one: { readonly node: string; readonly session: SavedAgentSession },
  node: string,
  agent: AgentName,
): boolean {
  return one.node === node && one.session.agent === agent
}
