/** Who closes the console or leaves the board listens no more: nobody hears without a page that says so. */
import type { Clock } from '../../kernel/clock.ts'
import type { AgentName } from '../../kernel/ids.ts'
import type { CallSupervision } from '../../ports/supervision.ts'
import type { Reader } from './live-topics.ts'

/** A page that is loaded again, or whose connection was cut, is back before. Our choice. */
const BACK_WITHIN_MS = 10_000

interface LeftPageOptions {
  readonly clock: Clock
  readonly supervision: Pick<CallSupervision, 'talks' | 'end'>
}

/**
 * To be called when the stream of a page has closed, or a board was given up; whoever listens without any page is left
 * alone. `isBack`: whether this person has such a page open by now.
 */
export function leftPage({ clock, supervision }: LeftPageOptions): (reader: Reader, isBack: () => boolean) => void {
  return (reader, isBack) => {
    const userName = reader.asker.user?.userName
    if (userName === undefined) return
    clock.schedule(clock.nowMs() + BACK_WITHIN_MS, () => {
      if (isBack()) return
      for (const { call, supervision: present } of supervision.talks()) {
        if (present?.supervisor === userName) void supervision.end(userName as AgentName, call)
      }
    })
  }
}
