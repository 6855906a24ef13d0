import type { LegId, RecordingId } from '../../kernel/ids.ts'
import type { RecordingMade } from '../../ports/dialer-repository.ts'
import type { Pbx, PbxEvent } from '../../ports/pbx.ts'
import { fileOf, recordingOf } from '../outbound/live-attempt.ts'
import type { Timers } from '../timers.ts'
import type { PastAttempt } from './past-attempts.ts'

type RecordingEnd = Extract<PbxEvent, { type: 'recording.ended' }>

/** How long to wait for the switch, which answers within milliseconds when it is not busy. */
const ANSWER_MAX_MS = 5_000

/** Asks the switch about recordings whose calls ended while no engine was there, for the calls' records (INV-O6). */
export class PastRecordings {
  readonly #pbx: Pick<Pbx, 'stopRecording'>
  readonly #timers: Timers
  readonly #awaited = new Map<RecordingId, (end: RecordingEnd) => void>()

  constructor(pbx: Pick<Pbx, 'stopRecording'>, timers: Timers) {
    this.#pbx = pbx
    this.#timers = timers
  }

  /** An event of the switch, perhaps about an awaited recording. */
  recordingEnded(end: RecordingEnd): void {
    this.#awaited.get(end.recording)?.(end)
  }

  /** By leg; only attempts with an agent in campaigns that always record: others may have no recording. */
  async of(lines: readonly PastAttempt[]): Promise<ReadonlyMap<LegId, Omit<RecordingMade, 'endedAtMs'>>> {
    const recorded = lines.filter(
      ({ attempt, campaign }) => attempt.connectedAtMs !== null && campaign.campaign.recording.mode === 'always',
    )
    const found = recorded.map(async ({ attempt }) => [attempt.leg, await this.#made(attempt)] as const)
    return new Map(await Promise.all(found))
  }

  async #made({ leg, connectedAtMs }: PastAttempt['attempt']): Promise<Omit<RecordingMade, 'endedAtMs'>> {
    const recording = recordingOf(leg, 0)
    const ended = new Promise<RecordingEnd>((resolve) => this.#awaited.set(recording, resolve))
    this.#pbx.stopRecording(recording)
    const end = await Promise.race([ended, this.#timers.pause(ANSWER_MAX_MS)])
    this.#awaited.delete(recording)
    const made = { file: fileOf(recording), startedAtMs: connectedAtMs! }
    if (end?.result === 'stored') return { ...made, state: 'ready' }
    return { ...made, state: 'failed', why: end?.why ?? 'the switch did not say that it has ended' }
  }
}
