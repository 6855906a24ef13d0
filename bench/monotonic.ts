/** The machine's one monotonic clock, the same in all processes: milliseconds with fractions since some beginning. */
export function monotonicMs(): number {
  return Number(process.hrtime.bigint()) / 1e6
}
