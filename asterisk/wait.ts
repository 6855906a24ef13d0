import type { Clock } from '../src/kernel/clock.ts'

/** Polls for changes that send no notification: other processes, servers that start. */
export async function waitUntil(
  clock: Clock,
  isTrue: () => boolean | Promise<boolean>,
  { everyMs, limitMs }: { readonly everyMs: number; readonly limitMs: number },
): Promise<boolean> {
  const untilMs = clock.nowMs() + limitMs
  while (!(await isTrue())) {
    if (clock.nowMs() >= untilMs) return false
    await new Promise<void>((resolve) => clock.schedule(clock.nowMs() + everyMs, resolve))
  }
  return true
}
