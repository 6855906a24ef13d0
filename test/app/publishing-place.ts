/** A started service with one number, its flow file, and simulated callers. */
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'vitest'
import { freePort } from '../../asterisk/ports.ts'
import { type Service, startService } from '../../src/app/service.ts'
import { readSettings } from '../../src/app/settings.ts'
import type { Client } from '../../src/client/client.ts'
import type { CallRecord } from '../../src/flow/model/call-messages.ts'
import { RealClock } from '../../src/kernel/clock.ts'
import { makeLog } from '../../src/kernel/log.ts'
import { seededRandom } from '../../src/kernel/random.ts'
import type { SimCaller } from '../../src/sim/sim-caller.ts'
import { SimPbx } from '../../src/sim/sim-pbx.ts'
import { simSpeech } from '../../src/sim/sim-speech.ts'
import { integratorOf } from '../e2e/campaign-live.ts'
import { SOON } from '../support/soon.ts'

const LINE = '+4570001000'

/** A caller on the line. */
export interface OnLine {
  readonly number: string
  readonly caller: SimCaller
}

/** `text` is the flow file of the flow `house` at the first start; `more` are further settings. */
export async function openPublishingPlace(text: string, more: Readonly<Record<string, string>> = {}) {
  const clock = new RealClock()
  const directory = mkdtempSync(join(tmpdir(), 'switchboard-publishing-'))
  const file = join(directory, 'flows/house.yaml')
  const env = {
    DATA_DIR: join(directory, 'data'),
    SETUP_FILE: join(directory, 'switchboard.yaml'),
    FLOWS_DIR: join(directory, 'flows'),
    PBX: 'simulated',
    ENVIRONMENT: 'development',
    HTTP_PORT: String(await freePort('tcp', '127.0.0.1')),
    SSO_PORT: String(await freePort('tcp', '127.0.0.1')),
    LOG_LEVEL: 'info',
    USER: 'ops',
    ...more,
  }
  const settings = readSettings(env).settings!
  const ended = new Map<string, CallRecord>()
  const lines: string[] = []
  // As root, the database runs under another user, who needs access.
  chmodSync(directory, 0o755)
  for (const folder of ['data', 'flows']) mkdirSync(join(directory, folder))
  writeFileSync(env.SETUP_FILE, `numbers: { "${LINE}": { flow: house } }\n`)
  writeFileSync(file, text)
  let running: { readonly service: Service; readonly client: Client; readonly pbx: SimPbx } | undefined
  let callers = 0
  const place = {
    directory,
    file,
    env,
    settings,
    /** Records of calls that are over, by the caller's number. */
    ended,
    /** What the service logged. */
    lines,
    get service(): Service {
      return running!.service
    },
    get client(): Client {
      return running!.client
    },
    async start(): Promise<void> {
      const random = seededRandom(1)
      const pbx = new SimPbx({ clock, random })
      const log = makeLog('info', { write: (line) => void lines.push(line) })
      const input = { settings, env, clock, random, log, onLine: () => {}, pbx, speech: simSpeech() }
      const service = await startService(input)
      if ('ok' in service) throw new Error(JSON.stringify(service))
      service.engine.onCallEnded((record) => ended.set(record.caller!, record))
      const client = await integratorOf(service.repositories!, clock, service.core!.rest!.ssoUrl!)
      running = { service, client, pbx }
    },
    /** A new number, or this one, calls in. */
    callIn(number = `+4551${String(++callers).padStart(6, '0')}`): OnLine {
      ended.delete(number)
      const person = { waitsMaxMs: 600_000 }
      return { number, caller: running!.pbx.callIn({ called: LINE, caller: number, person }) }
    },
    async close(): Promise<void> {
      await running?.service.stop()
      rmSync(directory, { recursive: true, force: true })
    },
  }
  await place.start()
  return place
}

/** Waits for what a caller hears. */
export const heard = ({ caller }: Pick<OnLine, 'caller'>) => expect.poll(() => caller.ear.words, SOON)
