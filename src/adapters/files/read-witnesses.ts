/** What the journal of this node knows of whom we called, and of who must not be called (`ports/witness.ts`). */
import type { AtMs } from '../../kernel/clock.ts'
import type { AgentName } from '../../kernel/ids.ts'
import { ATTEMPT_RESULTS } from '../../ports/attempt.ts'
import type { ClaimWitness, Witness, WitnessedAttempt, WitnessedStop } from '../../ports/calls/witness.ts'
import type { JournalLine } from '../../ports/journal.ts'
import { linesOfFile, startsOfFiles } from './journal-folder.ts'

const BY_WITNESS = '"by":"witness"'
const WANTED = [BY_WITNESS, '"by":"attempt"', '"by":"desk"']
/** Enough to tell whether the database is behind: attempts are written in their order. */
const NEWEST_MAX = 5_000
/** Fact about a leg → field of the attempt. */
const TIMES: Readonly<Record<string, 'ringingAtMs' | 'answeredAtMs' | 'endedAtMs'>> = {
  'leg.ringing': 'ringingAtMs',
  'leg.answered': 'answeredAtMs',
  'leg.ended': 'endedAtMs',
}

/** All that was written after the instant. A folder that is missing knows nothing. */
export async function readWitnesses(directory: string, afterAtMs: AtMs) {
  const attempts = new Map<string, WitnessedAttempt>()
  const stops: WitnessedStop[] = []
  const isWanted = (text: string) => WANTED.some((by) => text.includes(by))
  for (const startAtMs of await startsOfFiles(directory)) {
    for await (const { atMs, call, by, what } of linesOfFile(directory, startAtMs, isWanted)) {
      if (by === 'witness') {
        const witness = what as unknown as Witness
        if (atMs <= afterAtMs) continue
        if (witness.type === 'stop.added') stops.push({ ...witness, atMs })
        else attempts.set(call, { ...witness, claimedAtMs: atMs })
      }
      const attempt = attempts.get(call)
      if (attempt) attempts.set(call, { ...attempt, ...learned(attempt, by, what, atMs) })
    }
  }
  return { attempts: [...attempts.values()], stops }
}

/** What a line of its own adds to an attempt. */
function learned(
  attempt: WitnessedAttempt,
  by: string,
  { type, agent, result }: JournalLine['what'],
  atMs: AtMs,
): Partial<WitnessedAttempt> {
  if (by === 'desk') return type === 'agent.connected' ? { talkedWith: agent as AgentName } : {}
  if (by !== 'attempt') return {}
  const reported = type === 'report' && ATTEMPT_RESULTS.find((known) => known === result)
  if (reported) return { result: reported }
  const field = TIMES[type]
  return field ? { [field]: attempt[field] ?? atMs } : {}
}

/** The newest claims after the instant, as far back as the newest file with a claim goes. */
export async function newestClaims(directory: string, afterAtMs: AtMs): Promise<readonly ClaimWitness[]> {
  for (const startAtMs of (await startsOfFiles(directory)).reverse()) {
    const lines: JournalLine[] = []
    for await (const line of linesOfFile(directory, startAtMs, (text) => text.includes(BY_WITNESS))) {
      if (line.what.type === 'attempt.claimed' && line.atMs > afterAtMs) lines.push(line)
      if (lines.length > 2 * NEWEST_MAX) lines.splice(0, NEWEST_MAX)
    }
    if (lines.length > 0) return lines.slice(-NEWEST_MAX).map(({ what }) => what as unknown as ClaimWitness)
  }
  return []
}

/** When the newest line was written; 0 without any. */
export async function newestLineAtMs(directory: string): Promise<AtMs> {
  let newest = 0
  for (const startAtMs of (await startsOfFiles(directory)).slice(-2)) {
    for await (const { atMs } of linesOfFile(directory, startAtMs, () => true)) newest = Math.max(newest, atMs)
  }
  return newest
}
