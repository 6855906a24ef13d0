import type { CallId } from '../../src/kernel/ids.ts'
import type { Journal, JournalLine } from '../../src/ports/journal.ts'

/** A journal in memory, for tests and worlds. It keeps the last `callsMax` calls; the oldest is forgotten. */
export function memoryJournal(callsMax = 100_000): Journal & { calls(): CallId[] } {
  const linesOf = new Map<CallId, JournalLine[]>()
  return {
    append(line) {
      const lines = linesOf.get(line.call)
      if (lines) lines.push(line)
      else {
        linesOf.set(line.call, [line])
        if (linesOf.size > callsMax) linesOf.delete(linesOf.keys().next().value!)
      }
    },
    flush: () => Promise.resolve(),
    read: (call) => Promise.resolve([...(linesOf.get(call) ?? [])]),
    /** The calls it knows, in the order in which they began. */
    calls: () => [...linesOf.keys()],
  }
}
