/**
 * Loaded into the service before `main.ts`: its clock, and nothing else, can be moved. A message `{ forwardMs }` of the
 * process that started it moves it; what became due then runs at once, as it would after that time.
 */
import { type AtMs, RealClock, type Timer } from '../../../src/kernel/clock.ts'

interface Waiting {
  readonly atMs: AtMs
  readonly action: () => void
  timer: Timer
}

const { nowMs, schedule } = RealClock.prototype
const waiting = new Set<Waiting>()
let shiftMs = 0

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
  return schedule.call(new RealClock(), atMs - shiftMs, action)
}

function end(entry: Waiting): void {
  waiting.delete(entry)
  entry.action()
}

process.on('message', ({ forwardMs }: { readonly forwardMs: number }) => {
  shiftMs += forwardMs
  for (const entry of waiting) {
    entry.timer.cancel()
    entry.timer = begin(entry.atMs, () => end(entry))
  }
  process.send?.({ shiftMs })
})
