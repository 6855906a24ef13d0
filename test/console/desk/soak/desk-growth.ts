/** Whether a page of the desk grows: limits of U25. Pure. */
import { type Growth, growthOf, type Held } from '../../../support/page-memory.ts'

/** A look at a page, and how many calls it had taken by then. */
export interface HeldLook extends Held {
  readonly calls: number
}

/** Caches fill within so many calls; looks before are not counted. */
const WARM_CALLS = 10
/** U25. A page may show one thing more in one look than in another; what each call leaves behind is far more. */
const BYTES_MAX = 10_000_000
const NODES_FACTOR = 1.5
const LISTENERS_MAX = 20

/** Undefined: there were too few looks. */
export function deskGrowth(looks: readonly HeldLook[]): Growth | undefined {
  return growthOf(looks.filter(({ calls }) => calls >= WARM_CALLS))
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
