/** Who closes the console listens no more: nobody hears a conversation without a page that says so. */
import type { Clock } from '../../kernel/clock.ts'
import type { AgentName } from '../../kernel/ids.ts'
import type { CallSupervision } from '../../ports/supervision.ts'
import type { Reader } from './live-topics.ts'

/** A page that is loaded again, or whose connection was cut, is back before. Our choice. */
const BACK_WITHIN_MS = 10_000

interface LeftPageOptions {
  readonly clock: Clock
  readonly supervision: Pick<CallSupervision, 'talks' | 'end'>
  /** Whether this person has another page open by now. */
  readonly isBack: (reader: Reader) => boolean
}

/** To be called when the stream of a page has closed; whoever listens without any page is left alone. */
export function leftPage({ clock, supervision, isBack }: LeftPageOptions): (reader: Reader) => void {
  return (reader) => {
    const userName = reader.asker.user?.userName
    if (userName === undefined) return
    clock.schedule(clock.nowMs() + BACK_WITHIN_MS, () => {
      if (isBack(reader)) return
      for (const { call, supervision: present } of supervision.talks()) {
        if (present?.supervisor === userName) void supervision.end(userName as AgentName, call)
      }
    })
  }
}
