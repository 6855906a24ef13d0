/** Greetings that agents called machines in `SimRecords`. */
import type { AtMs } from '../../src/kernel/clock.ts'
import type { CorporationId } from '../../src/kernel/ids.ts'
import type { LearntGreeting, MachineWord } from '../../src/ports/attempt.ts'
import type { SimAttempt } from './sim-dialer-repository-rows.ts'
import type { SimRepositoryState } from './sim-dialer-repository-state.ts'

/** Whom agents met behind each greeting since then. */
export function greetings(
  memory: SimRepositoryState,
  corporation: CorporationId,
  sinceAtMs: AtMs,
): readonly LearntGreeting[] {
  return [...memory.greetings.values()]
    .filter((greeting) => greeting.corporation === corporation)
    .sort((a, b) => a.id - b.id)
    .map(({ id, print }) => {
      const met = [...memory.attempts.values()].filter(
        ({ greeting, answeredAtMs, connectedAtMs, endedAtMs }) =>
          greeting?.id === id && (answeredAtMs ?? 0) >= sinceAtMs && connectedAtMs !== null && endedAtMs !== null,
      )
      const machineNumbers = new Set(met.filter(isMachine).map(({ number }) => number)).size
      return { id, print, machineNumbers, persons: met.filter((attempt) => !isMachine(attempt)).length }
    })
}

const GREETINGS_MAX = 500

/** A word about one whose name is forgotten makes it anew. */
export function learnGreeting(
  memory: SimRepositoryState,
  attempt: SimAttempt,
  { id, print }: NonNullable<MachineWord[3]>,
  toldAtMs: AtMs,
): void {
  const { corporation } = attempt
  const known = memory.greetings.get(id)
  attempt.greeting = { id, isKnown: attempt.greeting?.isKnown ?? false }
  memory.greetings.set(id, { corporation, print, ...known, id, toldAtMs: Math.max(toldAtMs, known?.toldAtMs ?? 0) })
  const all = [...memory.greetings.values()].filter((greeting) => greeting.corporation === corporation)
  const forgotten = all.sort((a, b) => b.toldAtMs - a.toldAtMs || b.id - a.id).slice(GREETINGS_MAX)
  for (const greeting of forgotten) memory.greetings.delete(greeting.id)
}

/** The detector found one, or the agent called it one. */
export function isMachine({ result, correction }: SimAttempt): boolean {
  return result === 'voicemail' || correction !== undefined
}
