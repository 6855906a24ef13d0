/** A service of its own with a real switch, an integrator and agents without screens, for tests of real phones. */
import type { PhoneKit } from '../../demo/sip/sipp-phone.ts'
import { type Service, startService } from '../../src/app/service.ts'
import { type Client, type Credential, connect } from '../../src/client/client.ts'
import { SwitchboardProblem } from '../../src/client/problem.ts'
import { RealClock } from '../../src/kernel/clock.ts'
import { makeLog } from '../../src/kernel/log.ts'
import { seededRandom } from '../../src/kernel/random.ts'
import { becomesTrue, credentialOf, integratorOf } from './campaign-live.ts'
import { makePlace, type Place, type PlaceOptions } from './campaign-place.ts'

/** What agents without a screen order. */
export type PlainOrder = { readonly type: 'logIn' | 'logOut' | 'ready' | 'hangUp' }

export interface CampaignService {
  readonly place: Place
  readonly kit: PhoneKit
  readonly client: Client
  /** Lines of the log, as JSON. */
  readonly logged: readonly string[]
  readonly service: Service
  /** The HTTP status of the answer, and the sentence of a refusal. */
  order(agent: string, order: PlainOrder): Promise<{ readonly status: number; readonly why?: string }>
  /** The three values of an agent's credential, as headers. */
  headersOf(agent: string): Readonly<Record<string, string>>
  /** The same, for the client. */
  credentialOf(agent: string): Credential
  /** What the list of agents shows; `loggedOut` for those who are not in it. */
  stateOf(agent: string): Promise<string>
  /** Waits for this state. False after 30 s. */
  becomes(agent: string, state: string): Promise<boolean>
  /** Another process of the engine takes over, as after a new version. */
  restart(): Promise<void>
  close(): Promise<void>
}

/** Starts everything but the phones and the carrier. */
export async function startCampaignService(options: Omit<PlaceOptions, 'treeDirectory' | 'allowedHosts'>) {
  const clock = new RealClock()
  const random = seededRandom(process.pid)
  const logged: string[] = []
  const log = makeLog('info', { write: (line: string) => void logged.push(line) })
  const place = await makePlace({
    ...options,
    treeDirectory: process.env['SWITCHBOARD_TEST_TREE']!,
    allowedHosts: [],
  })
  const start = async () => {
    const { settings, env, treeDirectory } = place
    const started = await startService({ settings, env, clock, random, log, onLine: () => {}, treeDirectory })
    if ('ok' in started) throw new Error(JSON.stringify(started))
    return started
  }
  let service = await start()
  const ssoUrl = service.core!.rest.ssoUrl!
  const client = await integratorOf(service.repositories!, clock, ssoUrl)
  const agents = new Map<string, Client>()
  const credentials = new Map<string, Credential>()
  for (const name of options.agents) {
    const credential = await credentialOf(service.repositories!, clock, name)
    credentials.set(name, credential)
    agents.set(name, connect({ ssoUrl, credential }))
  }
  const stateOf = async (agent: string) => {
    const known = await client.ask('GET /svcpbx/agents')
    return known.find(({ userName }) => userName === agent)?.state ?? 'loggedOut'
  }
  const made: CampaignService = {
    place,
    client,
    logged,
    kit: { sipp: service.asterisk!.tree.sipp!, clock, random },
    get service() {
      return service
    },
    async order(agent, body) {
      try {
        const { status } = await agents.get(agent)!.reply('POST /svcpbx/agents/me/orders', { body })
        return { status }
      } catch (error) {
        if (!(error instanceof SwitchboardProblem)) throw error
        return { status: error.status, why: error.message }
      }
    },
    headersOf: (agent) => ({ ...credentials.get(agent)! }),
    credentialOf: (agent) => credentials.get(agent)!,
    stateOf,
    becomes: (agent, state) => becomesTrue(clock, async () => (await stateOf(agent)) === state),
    async restart() {
      await service.stop()
      service = await start()
    },
    async close() {
      await service.stop()
      await place.remove()
    },
  }
  return made
}
