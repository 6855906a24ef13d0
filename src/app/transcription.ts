import { addressGuard, hostOf } from '../adapters/http/address-guard.ts'
import { webOverUndici } from '../adapters/http/http-client.ts'
import { extractiveSummary } from '../adapters/recordings/extractive-summary.ts'
import { httpSummarise } from '../adapters/recordings/http-summarise.ts'
import { httpTranscribe } from '../adapters/recordings/http-transcribe.ts'
import { TranscriptionWorker } from '../core/workers/transcription-worker.ts'
import type { Clock } from '../kernel/clock.ts'
import type { Log } from '../kernel/log.ts'
import type { Random } from '../kernel/random.ts'
import type { CallJobs } from '../ports/recordings/call-jobs.ts'
import type { Summaries } from '../ports/recordings/summaries.ts'
import type { Work } from './run-work.ts'
import type { Settings } from './settings.ts'

interface TranscriptionOptions {
  readonly settings: Pick<Settings, 'transcribe' | 'summarise'>
  readonly callJobs: CallJobs
  readonly summaries: Summaries
  readonly recordingsDirectory: string
  readonly clock: Clock
  readonly random: Random
  readonly log: Log
}

const CONNECT_TIMEOUT_MS = 10_000

/** Undefined without a transcription service: then no recording is touched. */
export function transcription(options: TranscriptionOptions): Work | undefined {
  const { settings, callJobs: jobs, summaries, recordingsDirectory: directory, clock, random, log } = options
  const { transcribe, summarise } = settings
  if (!transcribe) return undefined
  // The service may stand in a private network; redirects are not followed.
  const allowedHosts = [transcribe, ...(summarise ? [summarise] : [])].map(({ url }) => hostOf(url))
  const guard = addressGuard({ allowedHosts })
  const web = webOverUndici({ clock, guard, log, connectTimeoutMs: CONNECT_TIMEOUT_MS })
  const worker = new TranscriptionWorker({
    jobs,
    summaries,
    clock,
    random,
    log,
    transcribe: httpTranscribe({ place: transcribe, web, clock, directory }),
    summarise: summarise ? httpSummarise({ place: summarise, web, clock }) : extractiveSummary,
  })
  return {
    name: 'transcription',
    start: () => worker.start(),
    async stop() {
      await worker.stop()
      await web.close()
    },
  }
}
