/** What is to be done about a call after it is over: its recordings written down, and what was said summed up. */
import type { AtMs } from '../../kernel/clock.ts'
import type { ActivityId } from '../../kernel/ids.ts'
import type { Transcription } from './transcripts.ts'

/** A piece of work that one worker has taken, until its time is up. */
export interface CallJob {
  readonly id: number
  readonly kind: 'transcribe' | 'summarise'
  readonly activity: ActivityId
  /** The plain file name of the recording; null for a summary, which is of the whole call. */
  readonly file: string | null
  /** The name of the event about the summary, the same at every try; null for a transcript. */
  readonly eventName: string | null
  /** From 1. */
  readonly tries: number
  /** Grows with every claim: a worker that was taken for dead settles nothing any more. */
  readonly claim: number
}

/** Which recordings to begin with. */
interface Beginnings {
  /** Those that ended before are left alone: switching this on is not an order to go through all the past. */
  readonly sinceAtMs: AtMs
  readonly countMax: number
  readonly atMs: AtMs
}

/** Where a worker may go on from here. */
export interface Settling {
  /** For the summary of the call, should this have been the last of its recordings. */
  readonly eventName: string
  readonly atMs: AtMs
}

/**
 * Jobs in the database. Each is done by one worker at a time: it is taken until an instant, and taken again by anybody
 * after it. What settles a job says whether it was still the worker's; if not, nothing was changed. With the last
 * recording of a call settled, its summary becomes a job, in the same transaction. Rejects with `DatabaseUnavailable`.
 */
export interface CallJobs {
  /**
   * Makes a pending transcript and a job of each recording that can be heard and is undecided; how many. The
   * recording that was committed with its call is the order: no call can be forgotten, and its end writes nothing more.
   */
  begin(beginnings: Beginnings): Promise<number>
  /** Decides that recordings which ended earlier are never transcribed; the calls of some, at most `countMax`. */
  skip(beforeAtMs: AtMs, countMax: number): Promise<readonly ActivityId[]>
  /** The job that has waited longest; undefined: none is due. */
  claim(atMs: AtMs, untilAtMs: AtMs): Promise<CallJob | undefined>
  /** It takes longer. */
  extend(job: CallJob, untilAtMs: AtMs): Promise<boolean>
  /** Not counted as a try: the next worker may begin at once. */
  giveBack(job: CallJob, atMs: AtMs): Promise<boolean>
  /** It failed, and is tried again then. */
  putOff(job: CallJob, why: string, nextAtMs: AtMs): Promise<boolean>
  /** It will never be done: it stays as a dead letter. The transcript of a recording is `failed` then. */
  bury(job: CallJob, why: string, settling: Settling): Promise<boolean>
  /** The recording is written down. */
  keepTranscript(job: CallJob, transcription: Transcription, settling: Settling): Promise<boolean>
  finish(job: CallJob): Promise<boolean>
  /** What was heard in the recordings of a call, in their order; those that failed are left out. */
  heardIn(activity: ActivityId): Promise<readonly Transcription[]>
}
