/** Lets at most `insideMax` tasks run at once; the others wait in their order. The caller bounds their number. */
export function gate(insideMax: number): <T>(task: () => Promise<T>) => Promise<T> {
  const waiting: (() => void)[] = []
  let inside = 0
  return async (task) => {
    if (inside < insideMax) inside++
    else await new Promise<void>((enter) => waiting.push(enter))
    try {
      return await task()
    } finally {
      // The place is handed over, not given up and taken again: nobody can slip in between.
      const next = waiting.shift()
      if (next) next()
      else inside--
    }
  }
}
