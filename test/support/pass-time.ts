import type { VirtualClock } from './virtual-clock.ts'

/** Everything that has been promised by now is done when this is over. */
export function settled(): Promise<void> {
  return new Promise((done) => setImmediate(done))
}

/** Lets virtual time pass for code that awaits: after every timer that fires, what waits for promises goes on first. */
export async function passTime(clock: VirtualClock, durationMs: number): Promise<void> {
  let isOver = false
  clock.schedule(clock.nowMs() + durationMs, () => {
    isOver = true
  })
  await settled()
  while (!isOver) {
    let checks = 0
    clock.runUntil(() => checks++ > 0, durationMs)
    await settled()
  }
}
