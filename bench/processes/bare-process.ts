/** The peer of `answers`: a bare script on `ari-client` that dials numbers and joins who answers to a nailed-up leg. */
import { createRequire } from 'node:module'
import { type Api, serve } from '../child.ts'
import { monotonicMs } from '../monotonic.ts'
import type { ServicePlace } from './service-process.ts'

interface ChannelEvent {
  readonly channel: { readonly id: string; readonly state: string }
}

interface AriClient {
  on(type: string, listener: (event: ChannelEvent) => void): void
  start(app: string): Promise<void>
  stop(): void
  readonly channels: Readonly<Record<'create' | 'dial' | 'originate', (args: object) => Promise<unknown>>>
  readonly bridges: {
    create(args: object): Promise<unknown>
    addChannel(args: object): Promise<unknown>
  }
}

/** One answered call, by the monotonic clock. */
interface Moment {
  readonly answeredAtMs: number
  readonly joinedAtMs: number
}

const APPLICATION = 'bare'
const RING_S = 30
const ariClient = createRequire(import.meta.url)('ari-client') as {
  connect(url: string, user: string, password: string): Promise<AriClient>
}

/** The questions of the driver. */
export type BareApi = typeof api

let client: AriClient
/** Bridges with an agent and nobody else. */
const free: string[] = []
const bridgeOf = new Map<string, string>()
const answeredAtMs = new Map<string, number>()
const joinedAtMs = new Map<string, number>()
let nailed = 0

const api = {
  /** Connects, and calls the agents; resolves when all of them are on the line. */
  async start({ ari, agents }: { ari: ServicePlace['ari']; agents: readonly string[] }): Promise<void> {
    client = await ariClient.connect(ari.url, ari.user, ari.password)
    const isComplete = new Promise<void>((done) => {
      client.on('StasisStart', ({ channel: { id } }) => {
        if (id.startsWith('bare-callee-')) ring(id).catch(complain)
        else if (id.startsWith('bare-agent-')) {
          nail(id)
            .then(() => nailed === agents.length && done())
            .catch(complain)
        }
      })
    })
    client.on('ChannelStateChange', ({ channel: { id, state } }) => {
      if (state === 'Up' && id.startsWith('bare-callee-')) join(id).catch(complain)
    })
    client.on('ChannelEnteredBridge', ({ channel: { id } }) => joinedAtMs.set(id, monotonicMs()))
    client.on('ChannelDestroyed', ({ channel: { id } }) => {
      const bridge = bridgeOf.get(id)
      if (bridge !== undefined) free.push(bridge)
    })
    await client.start(APPLICATION)
    for (const agent of agents) {
      const endpoint = `PJSIP/agent-${agent}`
      await client.channels['originate']({ endpoint, app: APPLICATION, channelId: `bare-agent-${agent}` })
    }
    await isComplete
  },

  /** Dials the numbers, so many in a second. */
  async dial({ numbers, rate }: { numbers: readonly string[]; rate: number }): Promise<void> {
    for (const number of numbers) {
      const channelId = `bare-callee-${number}`
      const endpoint = `PJSIP/${number}@trunk-carrier`
      client.channels['create']({ endpoint, app: APPLICATION, channelId }).catch(complain)
      await new Promise((done) => setTimeout(done, 1_000 / rate))
    }
  },

  /** Number → when it was answered and when an agent was with it. */
  moments(): ReadonlyMap<string, Moment> {
    const told = [...answeredAtMs].flatMap(([id, atMs]): [string, Moment][] => {
      const joined = joinedAtMs.get(id)
      return joined === undefined ? [] : [[id.slice('bare-callee-'.length), { answeredAtMs: atMs, joinedAtMs: joined }]]
    })
    return new Map(told)
  },

  stop(): void {
    client.stop()
  },
} satisfies Api

async function nail(channel: string): Promise<void> {
  const bridgeId = `of-${channel}`
  await client.bridges.create({ type: 'mixing', bridgeId })
  await client.bridges.addChannel({ bridgeId, channel })
  free.push(bridgeId)
  nailed++
}

/** A channel that was created can be dialed once it is in the application, and a slow machine takes its time. */
async function ring(channelId: string): Promise<void> {
  await client.channels['dial']({ channelId, timeout: RING_S })
}

async function join(channel: string): Promise<void> {
  answeredAtMs.set(channel, monotonicMs())
  const bridgeId = free.shift()
  if (bridgeId === undefined) throw new Error('no agent of the bare script is free')
  bridgeOf.set(channel, bridgeId)
  await client.bridges.addChannel({ bridgeId, channel })
}

function complain(error: unknown): void {
  process.stderr.write(`the bare script: ${error}\n`)
}

serve(api)
