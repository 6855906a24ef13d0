/**
 * The level of VICIdial's adaptive dialing, "process one": the arithmetic alone. Written from the description in
 * dialing-rules.md 2.2, never from anybody's source. Its numbers are VICIdial's defaults.
 */

/** What the dial level follows when more is dropped than was asked for. */
type DropMethod = 'hardLimit' | 'tapered' | 'average'

/** What a campaign of VICIdial may be told; all else is left at its default. */
export interface LevelSettings {
  readonly method: DropMethod
  /** Agents kept waiting (below 0) or calls kept waiting (above 0). */
  readonly differenceTarget: number
  /** −40 to 40. */
  readonly intensity: number
  readonly levelMax: number
  /** Percent of the answered calls of a day. */
  readonly droppedPctMax: number
}

/** VICIdial's own. */
export const LEVEL_DEFAULTS: LevelSettings = {
  method: 'hardLimit',
  differenceTarget: 0,
  intensity: 0,
  levelMax: 3,
  droppedPctMax: 3,
}

/** Means of the last 15 samples, one a second. */
interface LevelSample {
  readonly ready: number
  readonly waiting: number
  readonly agents: number
}

/** Counted anew each minute. */
export interface DropCounts {
  readonly callsToday: number
  readonly answeredToday: number
  readonly droppedToday: number
  readonly callsLastMinute: number
  readonly droppedLastMinute: number
}

/**
 * TAPERED lets the level fall as this wall time comes near, and not at all more than ten hours before it: a day that
 * ends then is close to HARD_LIMIT, one that begins at nine abandons a third of its answers before noon.
 */
const LATEST_TIME = 2100

/** The level after 15 s more. `clock` is the wall time as the number HHMM, as VICIdial reads it. */
export function nextLevel(
  level: number,
  { ready, waiting, agents }: LevelSample,
  counts: DropCounts,
  settings: LevelSettings,
  clock: number,
): number {
  if (agents <= 0) return level
  const { differenceTarget, intensity, levelMax } = settings
  const share = (100 * (ready - waiting + differenceTarget)) / agents
  const pct = share < 0 ? share * Math.abs(intensity / 100 - 1) : share * (intensity / 100 + 1)
  const steered = Math.round(level * (1 + pct / 100) * 1_000) / 1_000
  const bounded = Math.max(1, Math.min(steered, levelMax))
  const { callsLastMinute, droppedLastMinute } = counts
  const isPanic = callsLastMinute > 20 && droppedLastMinute / callsLastMinute > 0.5
  return Math.max(1, afterDrops(isPanic ? bounded / 2 : bounded, counts, settings, clock))
}

function afterDrops(
  level: number,
  counts: DropCounts,
  { method, droppedPctMax }: LevelSettings,
  clock: number,
): number {
  const { callsToday, answeredToday, droppedToday } = counts
  const isOver = callsToday > 50 && answeredToday > 0 && (100 * droppedToday) / answeredToday > droppedPctMax
  if (!isOver) return level
  if (method === 'hardLimit') return 1
  if (method === 'average') return level / 2
  const left = LATEST_TIME - clock
  return left < 0 ? 1 : level * Math.min(1, left / 1_000)
}

/** The wall time of an instant as the number HHMM, in UTC. */
export function clockOf(atMs: number): number {
  const minutes = Math.floor(atMs / 60_000) % (24 * 60)
  return Math.floor(minutes / 60) * 100 + (minutes % 60)
}
