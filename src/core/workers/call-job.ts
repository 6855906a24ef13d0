/** One job of an ended call, from its claim to its end: transcribes a recording or summarises the call (F-E14). */
import type { AtMs, Clock } from '../../kernel/clock.ts'
import { makeEventId } from '../../kernel/ids.ts'
import type { Log } from '../../kernel/log.ts'
import type { Random } from '../../kernel/random.ts'
import { DatabaseUnavailable } from '../../ports/dialer-repository.ts'
import type { CallJob, CallJobs } from '../../ports/recordings/call-jobs.ts'
import type { Summaries } from '../../ports/recordings/summaries.ts'
import type { Summarise } from '../../ports/recordings/summarise.ts'
import type { NotDone, Transcribe } from '../../ports/recordings/transcribe.ts'

export interface CallJobDependencies {
  readonly jobs: CallJobs
  readonly summaries: Summaries
  readonly transcribe: Transcribe
  readonly summarise: Summarise
  readonly clock: Clock
  readonly random: Random
  readonly log: Log
}

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

/** The waits between eleven tries, a day in total: a service may be unavailable for a day without a loss. */
export const RETRY_WAITS_MS: readonly number[] = [
  ...[1, 2, 5, 15, 30].map((minutes) => minutes * MINUTE_MS),
  ...[1, 2, 4, 8, 8].map((hours) => hours * HOUR_MS),
]
/** Spreads the retries of jobs that failed together. */
const JITTER = 0.1

/** A job of a dead process is claimed again after this time; a living process extends its claim more often. */
export const LEASE_MS = 5 * MINUTE_MS
const BEAT_EVERY_MS = MINUTE_MS
/** Calls that ended earlier are ignored: enabling transcripts does not process the past. */
const BEGIN_SINCE_MS = 24 * HOUR_MS
/** Recordings queued at once; the next round queues more. */
const BEGIN_MAX = 50
/** Recordings told at once to be skipped, and calls that the log names of them. */
const SKIP_MAX = 1_000
const NAMED_MAX = 20

/** Carries out the job that has waited longest; false if none is due. `stopping` returns the job to the queue. */
export async function workOffCallJob(dependencies: CallJobDependencies, stopping: AbortSignal): Promise<boolean> {
  const { jobs, clock, log } = dependencies
  const nowMs = clock.nowMs()
  await jobs.begin({ sinceAtMs: nowMs - BEGIN_SINCE_MS, countMax: BEGIN_MAX, atMs: nowMs })
  const skipped = await jobs.skip(nowMs - BEGIN_SINCE_MS, SKIP_MAX)
  if (skipped.length > 0) {
    const about = { recordings: skipped.length, activities: [...new Set(skipped)].slice(0, NAMED_MAX) }
    log.warn(about, 'recordings are not transcribed: their calls ended more than 24 h ago')
  }
  const job = await jobs.claim(nowMs, nowMs + LEASE_MS)
  if (!job) return false
  const keeping = keep(dependencies, job)
  try {
    await carryOut(dependencies, job, AbortSignal.any([stopping, keeping.lost]), stopping)
  } catch (error) {
    // The database is unavailable: the job is claimed again when the lease has expired.
    if (error instanceof DatabaseUnavailable) throw error
    log.error({ err: error, ...about(job) }, 'call job failed: internal error')
    await notDone(dependencies, job, { outcome: 'later', why: 'something went wrong on our side' })
  } finally {
    keeping.end()
  }
  return true
}

/** Extends the lease every minute; `lost` aborts as soon as another process has the job. */
function keep({ jobs, clock }: CallJobDependencies, job: CallJob): { readonly lost: AbortSignal; end(): void } {
  const lost = new AbortController()
  let isOver = false
  let timer = clock.schedule(clock.nowMs() + BEAT_EVERY_MS, beat)
  function beat() {
    jobs.extend(job, clock.nowMs() + LEASE_MS).then(
      (isOurs) => {
        if (!isOurs) return lost.abort()
        if (!isOver) timer = clock.schedule(clock.nowMs() + BEAT_EVERY_MS, beat)
      },
      // While the database is unavailable, no other process can claim the job either.
      () => {
        if (!isOver) timer = clock.schedule(clock.nowMs() + BEAT_EVERY_MS, beat)
      },
    )
  }
  const end = () => {
    isOver = true
    timer.cancel()
  }
  return { lost: lost.signal, end }
}

async function carryOut(
  dependencies: CallJobDependencies,
  job: CallJob,
  signal: AbortSignal,
  stopping: AbortSignal,
): Promise<void> {
  const { jobs, clock } = dependencies
  // No earlier try reported a result: the job itself may crash the process.
  if (job.tries > RETRY_WAITS_MS.length + 1) return bury(dependencies, job, 'nobody who tried came back')
  const left =
    job.kind === 'transcribe'
      ? await transcribeRecording(dependencies, job, signal)
      : await summariseCall(dependencies, job, signal)
  if (left === 'done') return
  if (stopping.aborted) await jobs.giveBack(job, clock.nowMs())
  else if (!signal.aborted) await notDone(dependencies, job, left)
}

async function transcribeRecording(
  dependencies: CallJobDependencies,
  job: CallJob,
  signal: AbortSignal,
): Promise<NotDone | 'done'> {
  const { jobs, summaries, transcribe, clock } = dependencies
  await summaries.begin(job.activity, clock.nowMs())
  const result = await transcribe.transcribe(job.file ?? '', signal)
  if (result.outcome !== 'done') return result
  await jobs.keepTranscript(job, result.transcription, settling(dependencies))
  return 'done'
}

async function summariseCall(
  dependencies: CallJobDependencies,
  job: CallJob,
  signal: AbortSignal,
): Promise<NotDone | 'done'> {
  const { jobs, summaries, summarise, clock } = dependencies
  // A user wrote it meanwhile, or a process died between completing it and finishing the job.
  const isThere = (await summaries.begin(job.activity, clock.nowMs())) === 'ready already'
  const heard = isThere ? [] : await jobs.heardIn(job.activity)
  const isSpoken = heard.some(({ parts }) => parts.length > 0)
  if (isSpoken) {
    const result = await summarise.summarise(heard, signal)
    if (result.outcome !== 'done') return result
    const { text, language } = result
    // No event for a call that was erased meanwhile, and none from two processes.
    if (!(await jobs.extend(job, clock.nowMs() + LEASE_MS))) return 'done'
    // The same event id at every try: receivers deduplicate by it.
    const made = { text, language, eventName: job.eventName ?? '', atMs: clock.nowMs() }
    await summaries.complete(job.activity, made)
  } else if (!isThere) {
    const why = heard.length > 0 ? 'nobody said anything' : 'no recording could be written down'
    await summaries.fail(job.activity, why, clock.nowMs())
  }
  await jobs.finish(job)
  return 'done'
}

/** Schedules the next try, or gives the job up. */
async function notDone(dependencies: CallJobDependencies, job: CallJob, result: NotDone): Promise<void> {
  const { jobs, clock, random, log } = dependencies
  const planned = RETRY_WAITS_MS[job.tries - 1]
  if (result.outcome === 'never' || planned === undefined) return bury(dependencies, job, result.why)
  const waitMs = Math.max(jittered(planned, random), result.afterMs ?? 0)
  log.info({ ...about(job), tries: job.tries, why: result.why, waitMs }, 'call job failed; it is tried again later')
  await jobs.putOff(job, result.why, clock.nowMs() + waitMs)
}

/** Stores the job as a dead letter. The call is complete without it; a failed summary sends no event (257). */
async function bury(dependencies: CallJobDependencies, job: CallJob, why: string): Promise<void> {
  const { jobs, summaries, clock, log } = dependencies
  log.error({ ...about(job), tries: job.tries, why }, 'call job given up')
  if (job.kind === 'summarise') await summaries.fail(job.activity, why, clock.nowMs())
  await jobs.bury(job, why, settling(dependencies))
}

function settling({ clock, random }: CallJobDependencies): { eventName: string; atMs: AtMs } {
  const atMs = clock.nowMs()
  return { eventName: makeEventId(atMs, random), atMs }
}

function jittered(waitMs: number, random: Random): number {
  return Math.round(waitMs * (1 + JITTER * (2 * random.next() - 1)))
}

/** Ids alone: the log contains no conversations. */
function about({ id, kind, activity }: CallJob) {
  return { job: id, kind, activity }
}
