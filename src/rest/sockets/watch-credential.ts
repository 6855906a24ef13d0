import type { Clock } from '../../kernel/clock.ts'
import { LOOK_EVERY_MS } from '../http/in-force.ts'

/** Calls `ended` soon after the credential of a socket has ended. Returns how to stop looking. */
export function watchCredential(isStill: () => Promise<boolean>, ended: () => void, clock: Clock): () => void {
  let isOver = false
  const look = async () => {
    if (!(await isStill())) return ended()
    if (!isOver) timer = clock.schedule(clock.nowMs() + LOOK_EVERY_MS, () => void look())
  }
  let timer = clock.schedule(clock.nowMs() + LOOK_EVERY_MS, () => void look())
  return () => {
    isOver = true
    timer.cancel()
  }
}
