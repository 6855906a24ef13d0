/** Whether an engine under load grows: of its probes, the ends are compared, and not single ones. */

/** What is compared of a probe. Each call in flight has timers and handles, so single probes go up and down. */
export interface Size {
  readonly heapBytes: number
  readonly handles: number
  readonly openFiles: number
}

const HEAP_GROWTH_MAX = 1.25
const HEAP_NOISE_BYTES = 8 * 2 ** 20
const HANDLES_NOISE = 12
/** So many probes are an end. */
const END = 3
/** By then caches are full. */
const WARM_AT = 2

/** Sentences; none with fewer than five probes. The medians of both ends show a trend, where one probe shows chance. */
export function growthOf(probes: readonly Size[]): string[] {
  if (probes.length < WARM_AT + END) return []
  const [early, late] = [probes.slice(WARM_AT, WARM_AT + END), probes.slice(-END)]
  const ends = (what: keyof Size) => [medianOf(early, what), medianOf(late, what)] as const
  const [heapBytes, lateHeapBytes] = ends('heapBytes')
  const heapMax = heapBytes * HEAP_GROWTH_MAX + HEAP_NOISE_BYTES
  const heap = lateHeapBytes > heapMax ? [`the heap grew from ${heapBytes} to ${lateHeapBytes} bytes`] : []
  const grown = (what: 'handles' | 'openFiles') => {
    const [from, to] = ends(what)
    return to > from + HANDLES_NOISE ? [`${what} grew from ${from} to ${to}`] : []
  }
  return [...heap, ...grown('handles'), ...grown('openFiles')]
}

function medianOf(probes: readonly Size[], what: keyof Size): number {
  return probes.map((probe) => probe[what]).sort((one, other) => one - other)[Math.floor(probes.length / 2)]!
}
