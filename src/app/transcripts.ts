/** Transcripts and summaries of this installation: which services make them, where anything is switched on at all. */

import { addressGuard, portOf } from '../adapters/http/address-guard.ts'
import { webOverUndici } from '../adapters/http/http-client.ts'
import { extractiveSummary } from '../adapters/recordings/extractive-summary.ts'
import { httpSummarise } from '../adapters/recordings/http-summarise.ts'
import { httpTranscribe } from '../adapters/recordings/http-transcribe.ts'
import { TranscriptionWorker } from '../core/workers/transcription-worker.ts'
import type { Clock } from '../kernel/clock.ts'
import type { Log } from '../kernel/log.ts'
import type { Random } from '../kernel/random.ts'
import type { Repositories } from './repositories.ts'
import type { ServiceSettings, Settings } from './settings.ts'

/** What they are made of. */
export interface TranscriptsInput {
  readonly settings: Pick<Settings, 'transcribe' | 'summarise'>
  readonly memory: Pick<Repositories, 'callJobs' | 'summaries'>
  readonly recordingsDirectory: string
  readonly clock: Clock
  readonly random: Random
  readonly log: Log
}

const CONNECT_TIMEOUT_MS = 10_000

/** At work at once; undefined where no service writes recordings down, and nothing is touched then. */
export function startTranscripts(input: TranscriptsInput): { stop(): Promise<void> } | undefined {
  const { settings, memory: repositories, recordingsDirectory, clock, random, log } = input
  const { transcribe, summarise } = settings
  if (!transcribe) return undefined
  // Whoever names a service may have it in his own network; where it leads to is not followed.
  const allowedHosts = [transcribe, ...(summarise ? [summarise] : [])].map(hostOf)
  const guard = addressGuard({ allowedHosts })
  const web = webOverUndici({ clock, guard, log, connectTimeoutMs: CONNECT_TIMEOUT_MS })
  const transcriptionWorker = new TranscriptionWorker({
    ...{ jobs: repositories.callJobs, summaries: repositories.summaries, clock, random, log },
    transcribe: httpTranscribe({ place: transcribe, web, clock, directory: recordingsDirectory }),
    summarise: summarise ? httpSummarise({ place: summarise, web, clock }) : extractiveSummary,
  })
  transcriptionWorker.start()
  return {
    async stop() {
      await transcriptionWorker.stop()
      await web.close()
    },
  }
}

function hostOf({ url }: ServiceSettings): string {
  const { hostname, port, protocol } = new URL(url)
  return `${hostname}:${portOf({ port, protocol })}`
}
