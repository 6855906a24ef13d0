/** Loaded before the service (`node --expose-gc --import`): on SIGPWR it says how much memory and how many handles. */
process.on('SIGPWR', () => {
  globalThis.gc?.()
  const kinds: Record<string, number> = {}
  for (const kind of process.getActiveResourcesInfo()) kinds[kind] = (kinds[kind] ?? 0) + 1
  process.stdout.write(`probe ${JSON.stringify({ heapBytes: process.memoryUsage().heapUsed, kinds })}\n`)
})
