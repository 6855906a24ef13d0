/**
 * Loaded into the service before `main.ts`: its clock and that of its database, and nothing else, can be moved. A
 * message `{ forwardMs }` of the process that started it moves them; what became due then runs at once, as it would
 * after that time.
 */
import { Client } from 'pg'
import { type AtMs, RealClock, type Timer } from '../../../src/kernel/clock.ts'

interface Waiting {
  readonly atMs: AtMs
  readonly action: () => void
  timer: Timer
}

const { nowMs, schedule } = RealClock.prototype
const waiting = new Set<Waiting>()
let shiftMs = 0
const DATABASE_CLOCK = 'clock_timestamp()'

RealClock.prototype.nowMs = function () {
  return nowMs.call(this) + shiftMs
}

RealClock.prototype.schedule = (atMs, action) => {
  const entry: Waiting = { atMs, action, timer: begin(atMs, () => end(entry)) }
  waiting.add(entry)
  return {
    cancel() {
      waiting.delete(entry)
      entry.timer.cancel()
    },
  }
}

function begin(atMs: AtMs, action: () => void): Timer {
  return schedule.call(new RealClock(), atMs, action)
}

function end(entry: Waiting): void {
  waiting.delete(entry)
  entry.action()
}

const { query } = Client.prototype as { query(...words: unknown[]): unknown }

/** `clock_timestamp()` of a statement is later by the same time. A prepared one differs each time: it has no name. */
Client.prototype.query = function (this: Client, statement: unknown, ...more: unknown[]) {
  const text = typeof statement === 'string' ? statement : (statement as { text?: string }).text
  if (shiftMs === 0 || !text?.includes(DATABASE_CLOCK)) return query.call(this, statement, ...more)
  const later = text.replaceAll(DATABASE_CLOCK, `(${DATABASE_CLOCK} + interval '${shiftMs} milliseconds')`)
  const asked = typeof statement === 'string' ? later : { ...(statement as object), text: later, name: undefined }
  return query.call(this, asked, ...more)
} as typeof Client.prototype.query

process.on('message', ({ forwardMs }: { readonly forwardMs: number }) => {
  shiftMs += forwardMs
  // A clock that is set back delays no timer.
  for (const entry of forwardMs > 0 ? waiting : []) {
    entry.timer.cancel()
    entry.timer = begin(entry.atMs, () => end(entry))
  }
  process.send?.({ shiftMs })
})
