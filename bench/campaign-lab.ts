/** A campaign's whole world for benchmarks: switch, database, carrier, agents' phones and screens. */
import { setTimeout as pause } from 'node:timers/promises'
import { installAsterisk } from '../asterisk/install.ts'
import { type PrivateAsterisk, privateAsterisk } from '../asterisk/private.ts'
import { readDesired } from '../src/app/read-installation.ts'
import type { OpenDatabase } from '../src/app/repositories.ts'
import type { Client } from '../src/client/client.ts'
import { RealClock } from '../src/kernel/clock.ts'
import { agentsAtWork, integratorOf, type Receiver, startReceiver } from '../test/e2e/campaign-live.ts'
import { makePlace, type Place } from '../test/e2e/campaign-place.ts'
import type { SteadyAgent } from '../test/e2e/steady-agent.ts'
import type { Kit } from './benchmark.ts'
import { type Child, startChild } from './child.ts'
import type { CampaignPlace } from './processes/campaign-process.ts'
import type { TelephonesApi, TelephonesInput } from './processes/telephones-process.ts'

/** What a benchmark chooses. */
type LabOptions = Pick<TelephonesInput, 'people' | 'hasSound' | 'isMonotonic'> & {
  readonly agents: number
  readonly callsPerSecond: number
}

/** Everything but the engine, which each benchmark starts in its own way. */
export interface CampaignLab {
  readonly clock: RealClock
  readonly place: Place
  readonly memory: OpenDatabase
  readonly receiver: Receiver
  readonly telephones: Child<TelephonesApi>
  /** Starts the switch; where the service starts its own this is left out. */
  startSwitch(): Promise<CampaignPlace>
  client(): Promise<Client>
  /** All agents at their screens, ready. */
  comeToWork(): Promise<SteadyAgent[]>
  close(): Promise<void>
}

/** A client address may ask for the endpoint 60 times in a minute. */
const LOG_INS_AT_ONCE = 50
const MINUTE_MS = 60_000
/** More than any benchmark's lines. */
const LINES = 200

/** Opens it. Throws where a part cannot be had. */
export async function openCampaignLab(options: LabOptions, { treeDirectory, onLine }: Kit): Promise<CampaignLab> {
  const installed = await installAsterisk(treeDirectory, onLine)
  if (!installed.ok) throw new Error(`${installed.why}\n${installed.remedy}`)
  const clock = new RealClock()
  const receiver = await startReceiver(clock)
  const names = Array.from({ length: options.agents }, (_, index) => `agent-${index + 1}`)
  const limits = { lines: LINES, callsPerSecond: options.callsPerSecond }
  const place = await makePlace({ agents: names, treeDirectory, allowedHosts: [new URL(receiver.url).host], ...limits })
  const opened = await place.openDatabaseFor()
  const telephones = startChild<TelephonesApi>('telephones-process.ts')
  await telephones.ask('start', { ...options, carrier: place.carrier, phones: [...place.phones.values()] })
  const ssoUrl = `http://127.0.0.1:${place.settings.ssoPort}`
  let asterisk: PrivateAsterisk | undefined
  return {
    clock,
    place,
    memory: opened,
    receiver,
    telephones,
    async startSwitch() {
      asterisk = await ownSwitch(place, onLine)
      const settings = { ...place.settings, ari: asterisk.ari, logLevel: 'warn' }
      return { settings, env: place.env, espeakNg: asterisk.tree.espeakNg }
    },
    client: () => integratorOf(opened, clock, ssoUrl),
    async comeToWork() {
      const atWork: SteadyAgent[] = []
      for (let first = 0; first < names.length; first += LOG_INS_AT_ONCE) {
        if (first > 0) await pause(MINUTE_MS)
        atWork.push(...(await agentsAtWork(opened, clock, ssoUrl, names.slice(first, first + LOG_INS_AT_ONCE))))
      }
      return atWork
    },
    async close() {
      await telephones.ask('stop', undefined)
      await telephones.end()
      await asterisk?.stop()
      await receiver.close()
      await opened.database.close()
      await place.remove()
    },
  }
}

async function ownSwitch(place: Place, onLine: (line: string) => void): Promise<PrivateAsterisk> {
  const { installation: config } = readDesired(place.settings, place.env)
  if (!config) throw new Error('the set-up of the benchmark is wrong')
  const { directory: dataDirectory, treeDirectory } = place
  const started = await privateAsterisk({
    dataDirectory,
    treeDirectory,
    installation: config,
    secret: () => undefined,
    onLine,
  })
  if (!started.ok) throw new Error(`${started.why}\n${started.remedy}`)
  return started
}
