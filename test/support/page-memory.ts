/** What a page in Chromium holds after a collection of garbage, and whether that grows. */
import type { CDPSession } from 'playwright-core'
import { median } from '../../bench/statistics.ts'

/** After a collection. */
export interface Held {
  readonly bytes: number
  readonly nodes: number
  readonly listeners: number
}

/** Medians of the early and of the late third of the looks. */
export interface Growth {
  readonly early: Held
  readonly late: Held
}

/** Fewer looks than this say nothing. */
const LOOKS_MIN = 6

/** Collects, and looks. */
export async function heldBy(session: CDPSession): Promise<Held> {
  await session.send('Performance.enable')
  await session.send('HeapProfiler.collectGarbage')
  const { metrics } = await session.send('Performance.getMetrics')
  const of = (name: string) => metrics.find((metric) => metric.name === name)!.value
  return { bytes: of('JSHeapUsedSize'), nodes: of('Nodes'), listeners: of('JSEventListeners') }
}

/** Of looks at a warm page. One says little, as some come in the middle of an act. Undefined: there were too few. */
export function growthOf(looks: readonly Held[]): Growth | undefined {
  if (looks.length < LOOKS_MIN) return undefined
  const third = Math.floor(looks.length / 3)
  return { early: middleOf(looks.slice(0, third)), late: middleOf(looks.slice(-third)) }
}

function middleOf(looks: readonly Held[]): Held {
  return {
    bytes: median(looks.map(({ bytes }) => bytes)),
    nodes: median(looks.map(({ nodes }) => nodes)),
    listeners: median(looks.map(({ listeners }) => listeners)),
  }
}
