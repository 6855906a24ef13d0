/** Whether a page grows: what it holds after collections of garbage, late in a run against early. Pure. */
import { median } from '../../../bench/statistics.ts'

/** After a collection of garbage. */
export interface Held {
  readonly bytes: number
  readonly nodes: number
  readonly listeners: number
}

/** A look at a page, and how many calls it had taken by then. */
export interface HeldLook extends Held {
  readonly calls: number
}

/** Medians of the early and of the late third of the looks. */
export interface Growth {
  readonly early: Held
  readonly late: Held
}

/** Caches fill within so many calls; looks before are not counted. */
export const WARM_CALLS = 10
/** Fewer looks than this say nothing. */
const LOOKS_MIN = 6
/** U25; the page may show one thing more in one look than in another, what each call leaves behind is far more. */
const BYTES_MAX = 10_000_000
const NODES_FACTOR = 1.5
const LISTENERS_MAX = 20

/** Undefined: there were too few looks. One look says little, as some come in a call: medians are compared. */
export function growthOf(looks: readonly HeldLook[]): Growth | undefined {
  const warm = looks.filter(({ calls }) => calls >= WARM_CALLS)
  if (warm.length < LOOKS_MIN) return undefined
  const third = Math.floor(warm.length / 3)
  return { early: middleOf(warm.slice(0, third)), late: middleOf(warm.slice(-third)) }
}

/** What grew beyond its limit, in words. */
export function growthFaults({ early, late }: Growth): string[] {
  const grown = late.bytes - early.bytes
  return [
    ...(grown > BYTES_MAX ? [`the heap of a page grew by ${(grown / 1e6).toFixed(1)} MB`] : []),
    ...(late.nodes > NODES_FACTOR * early.nodes ? [`a page has ${late.nodes} nodes, and had ${early.nodes}`] : []),
    ...(late.listeners > early.listeners + LISTENERS_MAX
      ? [`a page has ${late.listeners} listeners, and had ${early.listeners}`]
      : []),
  ]
}

function middleOf(looks: readonly Held[]): Held {
  return {
    bytes: median(looks.map(({ bytes }) => bytes)),
    nodes: median(looks.map(({ nodes }) => nodes)),
    listeners: median(looks.map(({ listeners }) => listeners)),
  }
}
