/** The measured process: the service as `npm start` runs it, with its own eyes on CPU, event loop and keys. */

import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { NEEDED_MODULES } from '../../asterisk/modules.ts'
import { sidesInFolder } from '../../src/adapters/recordings/join-channels.ts'
import { messagesInFolder } from '../../src/adapters/recordings/keep-message.ts'
import { telephoneSpeech } from '../../src/adapters/speech/speech.ts'
import { recordingsDirectoryOf } from '../../src/app/engine-storage.ts'
import { type Service, startService } from '../../src/app/service.ts'
import { readSettings } from '../../src/app/settings.ts'
import { ariPbx } from '../../src/ari/ari-pbx.ts'
import { RealClock } from '../../src/kernel/clock.ts'
import { formatProblem } from '../../src/kernel/file-problem.ts'
import { makeLog } from '../../src/kernel/log.ts'
import { seededRandom } from '../../src/kernel/random.ts'
import { type Api, serve } from '../child.ts'
import { type KeyTimes, KeyWatch } from '../key-watch.ts'

/** Where the service finds its world. */
export interface ServicePlace {
  readonly ari: { readonly url: string; readonly user: string; readonly password: string }
  readonly setupFile: string
  readonly flowsDir: string
  readonly dataDir: string
  readonly espeakNg: string
}

/** What the process used and did from `begin` to `end`. */
export interface ServiceUse {
  /** User and system time of all threads. */
  readonly cpuMs: number
  /** Calls that ended as their flow says. */
  readonly completedCalls: number
  readonly loopDelayMs: { readonly p50: number; readonly p99: number; readonly max: number }
}

/** The questions of the driver. */
export type ServiceApi = typeof api

/**
 * A timer that is due every 5 ms; the histogram shows the whole time from one firing to the next. Our choice: at 1 ms
 * the timer alone costs 2 % of a core, which is 0.4 ms per call at 50 calls/s.
 */
const LOOP_RESOLUTION_MS = 5

const clock = new RealClock()
const loopDelay = monitorEventLoopDelay({ resolution: LOOP_RESOLUTION_MS })
let service: Service
let keyWatch: KeyWatch | undefined
let completedCalls = 0
let cpuAtBegin = process.cpuUsage()

const api = {
  /** Connects, and takes calls from now on. Gives the version of the switch. */
  async start({ place, watchesKeys = false }: { place: ServicePlace; watchesKeys?: boolean }): Promise<string> {
    const { ari, setupFile: configFile, flowsDir, dataDir, espeakNg } = place
    const log = makeLog('warn')
    const random = seededRandom(clock.nowMs())
    const directory = recordingsDirectoryOf({ dataDir })
    const files = { joinSides: sidesInFolder(directory), keepMessage: messagesInFolder(directory) }
    const pbx = ariPbx({ ...ari, ...files, app: 'switchboard', neededModules: NEEDED_MODULES, clock, random, log })
    if (watchesKeys) {
      keyWatch = new KeyWatch()
      // Before the engine listens: an event is seen at the port, and only then worked on.
      pbx.onEvent((event) => keyWatch!.sees(event))
    }
    const recordings = { directory: flowsDir, program: 'sndfile-convert' }
    const speech = telephoneSpeech({ program: espeakNg, directory: join(dataDir, 'sounds'), recordings, clock, log })
    const defaults = readSettings({ LOG_LEVEL: 'warn' }).settings!
    const settings = { ...defaults, ari, setupFile: configFile, flowsDir, dataDir }
    const started = await startService({
      settings,
      env: {},
      clock,
      random,
      log,
      pbx,
      speech,
      onLine: () => {},
      isWithoutRecords: true,
    })
    if ('ok' in started) throw new Error([...started.reasons, ...started.problems.map(formatProblem)].join('\n'))
    service = started
    service.engine.onCallEnded(({ outcome }) => {
      if (outcome === 'completed') completedCalls++
    })
    return service.identity.version
  },

  begin(): void {
    completedCalls = 0
    loopDelay.reset()
    loopDelay.enable()
    cpuAtBegin = process.cpuUsage()
  },

  end(): ServiceUse {
    const { user, system } = process.cpuUsage(cpuAtBegin)
    loopDelay.disable()
    const delay = (part: number) => loopDelay.percentile(part * 100) / 1e6
    return {
      cpuMs: (user + system) / 1_000,
      completedCalls,
      loopDelayMs: { p50: delay(0.5), p99: delay(0.99), max: loopDelay.max / 1e6 },
    }
  },

  keys(): ReadonlyMap<string, readonly KeyTimes[]> {
    return keyWatch?.byCaller() ?? new Map()
  },

  async stop(): Promise<void> {
    await service.stop()
  },
} satisfies Api

serve(api)
