import type { LegId, RecordingId } from '../../kernel/ids.ts'
import type { RecordingMade } from '../../ports/dialer-repository.ts'
import type { Pbx, PbxEvent } from '../../ports/pbx.ts'
import { fileOf, recordingOf } from '../outbound/live-attempt.ts'
import type { Timers } from '../timers.ts'
import type { PastLine } from './past-attempts.ts'

type RecordingEnd = Extract<PbxEvent, { type: 'recording.ended' }>

/** How long the switch is waited for; where nobody waits in it for anything, it answers within milliseconds. */
const ANSWER_MAX_MS = 5_000

/**
 * Recordings that an earlier engine began, of lines that ended while no engine was there: what became of them, so that
 * the call that is written now has them (INV-O6). Mutable state with a lifetime, hence a class.
 */
export class PastRecordings {
  readonly #pbx: Pick<Pbx, 'stopRecording'>
  readonly #timers: Timers
  readonly #awaited = new Map<RecordingId, (end: RecordingEnd) => void>()

  constructor(pbx: Pick<Pbx, 'stopRecording'>, timers: Timers) {
    this.#pbx = pbx
    this.#timers = timers
  }

  /** A fact of the switch, perhaps about one of them. */
  recordingEnded(end: RecordingEnd): void {
    this.#awaited.get(end.recording)?.(end)
  }

  /** By leg. Of lines that were with an agent, in campaigns that record always: others may never have been recorded. */
  async of(lines: readonly PastLine[]): Promise<ReadonlyMap<LegId, Omit<RecordingMade, 'endedAtMs'>>> {
    const recorded = lines.filter(
      ({ attempt, campaign }) => attempt.connectedAtMs !== null && campaign.campaign.recording.mode === 'always',
    )
    const found = recorded.map(async ({ attempt }) => [attempt.leg, await this.#made(attempt)] as const)
    return new Map(await Promise.all(found))
  }

  async #made({ leg, connectedAtMs }: PastLine['attempt']): Promise<Omit<RecordingMade, 'endedAtMs'>> {
    const recording = recordingOf(leg, 0)
    const told = new Promise<RecordingEnd>((tell) => this.#awaited.set(recording, tell))
    this.#pbx.stopRecording(recording)
    const end = await Promise.race([told, this.#timers.pause(ANSWER_MAX_MS)])
    this.#awaited.delete(recording)
    const made = { file: fileOf(recording), startedAtMs: connectedAtMs! }
    if (end?.result === 'stored') return { ...made, state: 'ready' }
    return { ...made, state: 'failed', why: end?.why ?? 'the switch did not say that it has ended' }
  }
}
