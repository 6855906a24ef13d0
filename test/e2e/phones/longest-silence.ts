/** How long somebody on the telephone heard nothing. */
import type { CarrierContact } from '../../../demo/sip/sip-carrier.ts'
import type { Clock } from '../../../src/kernel/clock.ts'
import { becomesTrue } from '../campaign-live.ts'

/** Longer than any wait for an agent, with the message behind it. */
const CALL = { everyMs: 15, limitMs: 120_000 }

/** The longest time without any sound to the callee from now to the end of the call, in milliseconds. */
export async function longestSilence(clock: Clock, { ear, ended }: CarrierContact): Promise<number> {
  let isOver = false
  void ended.then(() => {
    isOver = true
  })
  let longestMs = 0
  let lastMs = clock.nowMs()
  let { soundMs } = ear.heard
  const look = () => {
    const nowMs = clock.nowMs()
    // After a stall of this process all that waited comes at once: it sounded meanwhile.
    const soundedMs = ear.heard.soundMs - soundMs
    longestMs = Math.max(longestMs, nowMs - lastMs - soundedMs)
    if (soundedMs > 0) lastMs = nowMs
    soundMs += soundedMs
    return isOver
  }
  if (!(await becomesTrue(clock, look, CALL))) throw new Error('the call did not end')
  return longestMs
}
