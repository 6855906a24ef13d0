/** Loaded before the service (`node --expose-gc --import`): on SIGPWR it says how much memory and how many handles. */
process.on('SIGPWR', () => {
  globalThis.gc?.()
  const [heapBytes, handles] = [process.memoryUsage().heapUsed, process.getActiveResourcesInfo().length]
  process.stdout.write(`probe ${JSON.stringify({ heapBytes, handles })}\n`)
})
