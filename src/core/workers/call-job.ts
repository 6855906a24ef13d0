/** One job about a call that is over, from its claim to its end: a recording written down, a call summed up (F-E14). */
import type { AtMs, Clock } from '../../kernel/clock.ts'
import { makeEventId } from '../../kernel/ids.ts'
import type { Log } from '../../kernel/log.ts'
import type { Random } from '../../kernel/random.ts'
import type { CallJob, CallJobs } from '../../ports/call-jobs.ts'
import { DatabaseUnavailable } from '../../ports/dialer-repository.ts'
import type { Summaries } from '../../ports/summaries.ts'
import type { Summarise } from '../../ports/summarise.ts'
import type { NotDone, Transcribe } from '../../ports/transcribe.ts'

/** What it takes. */
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

/** The waits between eleven tries, which together are a day: so long a service may be away without losing anything. */
export const RETRY_WAITS_MS: readonly number[] = [
  ...[1, 2, 5, 15, 30].map((minutes) => minutes * MINUTE_MS),
  ...[1, 2, 4, 8, 8].map((hours) => hours * HOUR_MS),
]
/** Calls that failed together must not be tried together. */
const JITTER = 0.1

/** What a dead process held is taken again after so long; who is alive says so much more often. */
export const LEASE_MS = 5 * MINUTE_MS
const BEAT_EVERY_MS = MINUTE_MS
/** What ended earlier is left alone: switching transcripts on is not an order to go through all the past. */
const BEGIN_SINCE_MS = 24 * HOUR_MS
/** Recordings begun with at once; more come with the next look. */
const BEGIN_MAX = 50

/** Does the job that has waited longest; false when none is due. `stopping`: gives it back and ends. */
export async function workOffCallJob(dependencies: CallJobDependencies, stopping: AbortSignal): Promise<boolean> {
  const { jobs, clock, log } = dependencies
  const nowMs = clock.nowMs()
  await jobs.begin({ sinceAtMs: nowMs - BEGIN_SINCE_MS, countMax: BEGIN_MAX, atMs: nowMs })
  const job = await jobs.claim(nowMs, nowMs + LEASE_MS)
  if (!job) return false
  const keeping = keep(dependencies, job)
  try {
    await carryOut(dependencies, job, AbortSignal.any([stopping, keeping.lost]), stopping)
  } catch (error) {
    // The database is away: the job is taken again when its time is up.
    if (error instanceof DatabaseUnavailable) throw error
    log.error({ err: error, ...about(job) }, 'a job about a call failed by our own mistake')
    await notDone(dependencies, job, { outcome: 'later', why: 'something went wrong on our side' })
  } finally {
    keeping.end()
  }
  return true
}

/** Says every minute that somebody is at work; `lost` as soon as it is not ours any more. */
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
      // Nobody can be told that we live, and nobody can take it meanwhile.
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
  // Whoever took it so often did not come back to say why: it may be the job that kills.
  if (job.tries > RETRY_WAITS_MS.length + 1) return bury(dependencies, job, 'nobody who tried came back')
  const left =
    job.kind === 'transcribe' ? await writeDown(dependencies, job, signal) : await sumUp(dependencies, job, signal)
  if (left === 'done') return
  if (stopping.aborted) await jobs.giveBack(job, clock.nowMs())
  else if (!signal.aborted) await notDone(dependencies, job, left)
}

async function writeDown(
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

async function sumUp(dependencies: CallJobDependencies, job: CallJob, signal: AbortSignal): Promise<NotDone | 'done'> {
  const { jobs, summaries, summarise, clock } = dependencies
  // Somebody wrote it by hand meanwhile, or it was told by whoever died before he could say so.
  const isThere = (await summaries.begin(job.activity, clock.nowMs())) === 'ready already'
  const heard = isThere ? [] : await jobs.heardIn(job.activity)
  const isSpoken = heard.some(({ parts }) => parts.length > 0)
  if (isSpoken) {
    const result = await summarise.summarise(heard, signal)
    if (result.outcome !== 'done') return result
    const { text, language } = result
    // Nothing is told of a call that was erased while it was summed up, nor by two.
    if (!(await jobs.extend(job, clock.nowMs() + LEASE_MS))) return 'done'
    // The same name at every try, so that nobody is told twice.
    const made = { text, language, eventName: job.eventName ?? '', atMs: clock.nowMs() }
    await summaries.complete(job.activity, made)
  } else if (!isThere) {
    const why = heard.length > 0 ? 'nobody said anything' : 'no recording could be written down'
    await summaries.fail(job.activity, why, clock.nowMs())
  }
  await jobs.finish(job)
  return 'done'
}

/** Another try in a while, or the end of trying. */
async function notDone(dependencies: CallJobDependencies, job: CallJob, result: NotDone): Promise<void> {
  const { jobs, clock, random, log } = dependencies
  const planned = RETRY_WAITS_MS[job.tries - 1]
  if (result.outcome === 'never' || planned === undefined) return bury(dependencies, job, result.why)
  const waitMs = Math.max(jittered(planned, random), result.afterMs ?? 0)
  log.info({ ...about(job), tries: job.tries, why: result.why, waitMs }, 'a job about a call is tried again later')
  await jobs.putOff(job, result.why, clock.nowMs() + waitMs)
}

/** The call is complete without it; what came of it stays as a dead letter. A failed summary tells nobody (257). */
async function bury(dependencies: CallJobDependencies, job: CallJob, why: string): Promise<void> {
  const { jobs, summaries, clock, log } = dependencies
  log.error({ ...about(job), tries: job.tries, why }, 'a job about a call is given up')
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

/** Ids alone: what was said stands in no log. */
function about({ id, kind, activity }: CallJob) {
  return { job: id, kind, activity }
}
