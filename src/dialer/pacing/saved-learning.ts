/** What a campaign has learnt, as JSON with a version, kept between two runs of the engine. */
import type { Hazards } from './hazards.ts'
import { type Learnt, nothingLearnt } from './learned-distributions.ts'
import type { RingTimeDistribution } from './ring-time-distribution.ts'

/** Raise it with every change of the format. Data of another version is dropped and learnt anew. */
const SHAPE = 1

/** The JSON to store. Counts and seconds have five digits; a learnt distribution is less exact than that. */
export function keptLearning({ laws: distributions, hitRate, hours, known }: Learnt): object {
  const { rings, talks, wrapUps } = distributions
  const kept = { shape: SHAPE, rings, talks, wrapUps, hitRate, hours, known }
  return JSON.parse(
    JSON.stringify(kept, (_, value) => (typeof value === 'number' ? Number(value.toPrecision(5)) : value)),
  )
}

/** The stored state; undefined for anything that the present `keptLearning` does not write. */
export function learningFrom(kept: unknown): Learnt | undefined {
  const { shape, rings, talks, wrapUps, hitRate, hours, known } = mapOf(kept)
  const guess = nothingLearnt()
  const { laws: distributions } = guess
  const isRight =
    shape === SHAPE &&
    isLike(rings, distributions.rings) &&
    isLike(talks, distributions.talks) &&
    isLike(wrapUps, distributions.wrapUps) &&
    isCount(hitRate) &&
    hitRate <= 1 &&
    isCount(known) &&
    Array.isArray(hours) &&
    hours.length === guess.hours.length &&
    hours.every((hour) => isCount(mapOf(hour)['answers']) && isCount(mapOf(hour)['lines']))
  if (!isRight) return undefined
  const read = { rings: rings as RingTimeDistribution, talks: talks as Hazards, wrapUps: wrapUps as Hazards }
  return { ...guess, laws: read, inUse: read, hitRate, hours: hours as Learnt['hours'], known }
}

/** Whether both have the same lists of counts, each of the same length. */
function isLike(given: unknown, expected: object): boolean {
  const lists = mapOf(given)
  return Object.entries(expected as Record<string, readonly number[]>).every(([name, list]) => {
    const counts = lists[name]
    return Array.isArray(counts) && counts.length === list.length && counts.every(isCount)
  })
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0
}

function mapOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? { ...value } : {}
}
