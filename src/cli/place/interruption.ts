/** Resolves at Ctrl-C, at the request to end, and when the terminal is closed. */
export function interruption(): Promise<void> {
  return new Promise((done) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => done())
  })
}

/**
 * Resolves when a terminal that was closed, or a pipe without a reader, takes no more words. From then on they are
 * dropped: a command that has started other processes must live on to end them.
 */
export function outputGone(): Promise<void> {
  return new Promise((gone) => {
    for (const stream of [process.stdout, process.stderr]) stream.removeAllListeners('error').on('error', () => gone())
  })
}
