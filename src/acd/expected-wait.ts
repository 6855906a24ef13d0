import type { CallId, TeamName } from '../kernel/ids.ts'
import type { CallDistributor } from './distributor.ts'
import type { Staff } from './team.ts'

/** Fewer talks tell nothing about the next ones. Our choice. */
const TALKS_MIN = 5

export interface QueueAhead {
  /** 1 for the next to be served. */
  readonly position: number
  /** Agents for the caller who are logged in and at work, busy or free. */
  readonly agentsAtWork: number
  /** The latest talks, in milliseconds. */
  readonly talksMs: readonly number[]
  /** After each talk an agent is away so long. */
  readonly wrapUpMs: number
}

/**
 * How long the caller still waits, in milliseconds: with `n` agents one becomes free every mean talk / `n`, and each
 * serves one place. It is the mean of a queue in which everybody stays (M/M/c while all agents are busy). Undefined
 * where it is not known: nobody is at work, or too few talks have ended. Then nothing is said (calls-and-flows-54).
 */
export function expectedWaitMs({ position, agentsAtWork, talksMs, wrapUpMs }: QueueAhead): number | undefined {
  if (agentsAtWork <= 0 || position <= 0 || talksMs.length < TALKS_MIN) return undefined
  const meanMs = talksMs.reduce((sum, ms) => sum + ms, 0) / talksMs.length
  return (position * (meanMs + wrapUpMs)) / agentsAtWork
}

/** The same for a caller of a distributor; agents whose phones ring per call are not known to be at work. */
export function waitOf(distributor: CallDistributor, { teams }: Staff, call: CallId): number | undefined {
  const waiter = distributor.waiter(call)
  const team = teams.get(waiter?.team as TeamName)
  if (!team) return undefined
  const wrapUpMs = team.wrapUp?.kind === 'timed' ? team.wrapUp.lengthMs : 0
  const [agentsAtWork, talksMs] = [distributor.readyIn(team.name, waiter?.skills), distributor.talksOf(team.name)]
  return expectedWaitMs({ position: distributor.position(call), agentsAtWork, talksMs, wrapUpMs })
}
