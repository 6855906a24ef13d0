import type { AtMs } from '../kernel/clock.ts'
import type { RecordingId } from '../kernel/ids.ts'
import type { FileId } from './call-activity.ts'

/** A recording of a call, in a file of the recordings' folder; `failed` has no file that can be heard (F-A10). */
export interface RecordingMade {
  readonly file: string
  readonly startedAtMs: AtMs
  readonly endedAtMs: AtMs
  readonly state: 'ready' | 'failed'
  readonly why?: string
  /** False: no transcript is made of it. */
  readonly isTranscribed?: false
  /** The caller left it as a message, alone on the line. */
  readonly isMessage?: true
  /** Its number among files, given while the call went on; absent: it gets one with its row. */
  readonly fileId?: FileId
}

/** A recording that began, and whose end is not known yet. */
export interface OpenRecording {
  readonly id: RecordingId
  readonly startedAtMs: AtMs
  /** False: the number that was called excludes it. Absent: transcribed where the installation transcribes. */
  readonly isTranscribed?: false
  readonly isMessage?: true
  readonly fileId?: FileId
}

export type RecordingMode = 'off' | 'consent' | 'always'

/** Which talks of callers with agents are recorded: none, those with consent, or all (calls-and-flows-35). */
export interface RecordingRule {
  readonly mode: RecordingMode
  readonly isTranscribed: boolean
}
