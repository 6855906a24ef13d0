import type { Clock } from '../src/kernel/clock.ts'

/** For things of the system that tell nobody when they are done: processes of others, servers that are starting. */
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
