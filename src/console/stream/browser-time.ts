/** Time and chance of the browser: the only file of the console that reads them. */

/** As `StreamClient` takes it. */
export const browserClock = {
  nowMs: () => Date.now(),
  schedule(atMs: number, action: () => void) {
    const timer = setTimeout(action, Math.max(0, atMs - Date.now()))
    return { cancel: () => clearTimeout(timer) }
  },
}

/** Uniform in [0, 1). */
export const browserChance = () => Math.random()

const SECOND_MS = 1_000
const told = new Set<() => void>()
let ticking: ReturnType<typeof setInterval> | undefined

/** Tells once a second, all who want to know in one go; the answer ends it. */
export function everySecond(tell: () => void): () => void {
  told.add(tell)
  ticking ??= setInterval(() => {
    for (const one of told) one()
  }, SECOND_MS)
  return () => {
    told.delete(tell)
    if (told.size > 0) return
    clearInterval(ticking)
    ticking = undefined
  }
}
