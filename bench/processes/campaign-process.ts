/** The measured process of campaigns: the service with its records, with eyes on CPU, event loop and answered calls. */

import { monitorEventLoopDelay } from 'node:perf_hooks'
import { NEEDED_MODULES } from '../../asterisk/modules.ts'
import { sidesInFolder } from '../../src/adapters/recordings/join-channels.ts'
import { messagesInFolder } from '../../src/adapters/recordings/keep-message.ts'
import { telephoneSpeech } from '../../src/adapters/speech/speech.ts'
import { recordingsDirectoryOf } from '../../src/app/engine-storage.ts'
import { type Service, startService } from '../../src/app/service.ts'
import type { Settings } from '../../src/app/settings.ts'
import { ariPbx } from '../../src/ari/ari-pbx.ts'
import { RealClock } from '../../src/kernel/clock.ts'
import { formatProblem } from '../../src/kernel/file-problem.ts'
import { makeLog } from '../../src/kernel/log.ts'
import { seededRandom } from '../../src/kernel/random.ts'
import { type Api, serve } from '../child.ts'
import { monotonicMs } from '../monotonic.ts'

/** Where the service finds its world. */
export interface CampaignPlace {
  readonly settings: Settings & { readonly ari: NonNullable<Settings['ari']> }
  readonly env: Readonly<Record<string, string>>
  readonly espeakNg: string
}

/** What the process used from `begin` to `end`. */
export interface CampaignUse {
  /** User and system time of all threads. */
  readonly cpuMs: number
  readonly wallMs: number
  readonly loopDelayMs: { readonly p50: number; readonly p99: number; readonly max: number }
}

/** The questions of the driver. */
export type CampaignApi = typeof api

/** As in `service-process.ts`. */
const LOOP_RESOLUTION_MS = 5

const clock = new RealClock()
const loopDelay = monitorEventLoopDelay({ resolution: LOOP_RESOLUTION_MS })
const answeredAtMs = new Map<string, number>()
const joinedAtMs = new Map<string, number>()
let service: Service
let cpuAtBegin = process.cpuUsage()
let beganAtMs = 0

const api = {
  /** Connects, and dials from now on. Gives the version of the switch. */
  async start({ settings, env, espeakNg }: CampaignPlace): Promise<string> {
    const log = makeLog('warn')
    const random = seededRandom(clock.nowMs())
    const directory = recordingsDirectoryOf(settings)
    const pbx = ariPbx({
      ...settings.ari,
      app: 'switchboard',
      neededModules: NEEDED_MODULES,
      firstTrunk: () => 'carrier',
      joinSides: sidesInFolder(directory),
      keepMessage: messagesInFolder(directory),
      clock,
      random,
      log,
    })
    // Before the engine listens: an event is seen at the port, and only then worked on.
    pbx.onEvent((event) => {
      if (event.type === 'leg.answered') answeredAtMs.set(event.leg, monotonicMs())
      if (event.type === 'bridge.joined') joinedAtMs.set(event.leg, monotonicMs())
    })
    const recordings = { directory: settings.flowsDir, program: 'sndfile-convert' }
    const speech = telephoneSpeech({
      program: espeakNg,
      directory: `${settings.dataDir}/sounds`,
      recordings,
      clock,
      log,
    })
    const started = await startService({ settings, env, clock, random, log, pbx, speech, onLine: () => {} })
    if ('ok' in started) throw new Error([...started.reasons, ...started.problems.map(formatProblem)].join('\n'))
    service = started
    return service.identity.version
  },

  begin(): void {
    loopDelay.reset()
    loopDelay.enable()
    cpuAtBegin = process.cpuUsage()
    beganAtMs = monotonicMs()
  },

  end(): CampaignUse {
    const { user, system } = process.cpuUsage(cpuAtBegin)
    loopDelay.disable()
    const delay = (part: number) => loopDelay.percentile(part * 100) / 1e6
    return {
      cpuMs: (user + system) / 1_000,
      wallMs: monotonicMs() - beganAtMs,
      loopDelayMs: { p50: delay(0.5), p99: delay(0.99), max: loopDelay.max / 1e6 },
    }
  },

  /** Leg → when it was answered and when an agent was with it, by the monotonic clock. */
  moments(): ReadonlyMap<string, { readonly answeredAtMs: number | undefined; readonly joinedAtMs: number }> {
    return new Map([...joinedAtMs].map(([leg, at]) => [leg, { answeredAtMs: answeredAtMs.get(leg), joinedAtMs: at }]))
  },

  async stop(): Promise<void> {
    await service.stop()
  },
} satisfies Api

serve(api)
