/** The doors of the shared service: credentials from the command line, clients, raw HTTP, screens of agents. */
import { randomInt } from 'node:crypto'
import { Agent, setGlobalDispatcher } from 'undici'
import { inject } from 'vitest'
import { WebSocket } from 'ws'
import { type Client, type Credential, connect } from '../../../src/client/client.ts'
import { type Place, runCli } from './start-place.ts'

/** The service that all files share. */
export const place: Place = inject('place')

/** Each file is a client with an address of its own: the service counts requests and failures by address. */
export const OUR_ADDRESS = `127.1.${randomInt(256)}.${randomInt(1, 255)}`
setGlobalDispatcher(new Agent({ localAddress: OUR_ADDRESS }))

/** What `switchboard token create` prints, as a client needs it. */
export async function credentialFrom(at: Pick<Place, 'env'>, name: string, ...options: string[]): Promise<Credential> {
  const printed = await runCli(at, 'token', 'create', '--name', name, ...options)
  const [tokenv2, rcntrl, ccntrl] = ['tokenv2', 'rcntrl', 'ccntrl'].map((header) => {
    const value = new RegExp(`^${header}: (\\S+)$`, 'm').exec(printed)?.[1]
    if (value === undefined) throw new Error(`the command printed no ${header}`)
    return value
  }) as [string, string, string]
  return { tokenv2, rcntrl, ccntrl }
}

/** An integrator with every right; of another place where one is given. */
export async function integrator(name = 'integrator', at = place): Promise<Client> {
  return connect({ ssoUrl: at.ssoUrl, credential: await credentialFrom(at, name) })
}

/** A user of the configuration or one added by `user add`, with every right. */
export async function userClient(user: string, at = place): Promise<Client> {
  return connect({ ssoUrl: at.ssoUrl, credential: await credentialFrom(at, user, '--user', user) })
}

/** What the agent's screen shows. */
export interface ScreenNews {
  readonly type: string
  readonly state?: string
  readonly url?: string
  readonly [field: string]: unknown
}

/** An open screen; its news so far, in order. */
export interface Screen {
  readonly news: readonly ScreenNews[]
  order(order: Readonly<Record<string, unknown>>): Promise<void>
  /** Resolves with the first message, past or future, for which this is true. */
  hears(isIt: (news: ScreenNews) => boolean): Promise<ScreenNews>
  /** Logs out and closes it. */
  close(): Promise<void>
}

/** Opens the screen of an agent and logs in. */
export async function openScreen(agent: string): Promise<Screen> {
  const client = await userClient(agent)
  const { ticket } = await client.ask('POST /svcpbx/agents/me/tickets')
  const address = (await client.endpoint()).replace(/^http/, 'ws')
  const socket = new WebSocket(`${address}/svcpbx/agents/me/events?ticket=${ticket}`)
  const news: ScreenNews[] = []
  const waiting = new Set<{ isIt: (news: ScreenNews) => boolean; tell: (news: ScreenNews) => void }>()
  socket.on('message', (data) => {
    const message = JSON.parse(String(data)) as ScreenNews
    news.push(message)
    for (const one of waiting) if (one.isIt(message) && waiting.delete(one)) one.tell(message)
  })
  await new Promise((opened, failed) => socket.once('open', opened).once('error', failed))
  const order = async (body: Readonly<Record<string, unknown>>) => {
    await client.ask('POST /svcpbx/agents/me/orders', { body } as never)
  }
  const screen: Screen = {
    news,
    order,
    hears(isIt) {
      const known = news.find(isIt)
      if (known) return Promise.resolve(known)
      return new Promise((tell) => waiting.add({ isIt, tell }))
    },
    async close() {
      await order({ type: 'logOut' }).catch(() => undefined)
      socket.close()
    },
  }
  await order({ type: 'logIn' })
  await screen.hears(({ state }) => state === 'ready')
  return screen
}
