/** The peer: the same inbound call, served by a plain script on `ari-client`, without records, journal or checks. */
import { createRequire } from 'node:module'
import { type Api, serve } from '../child.ts'
import { PEER_APPLICATION } from '../peers/peer-application.ts'
import type { ServicePlace } from './service-process.ts'

interface Channel {
  readonly id: string
  answer(): Promise<void>
  play(options: { media: string }, playback: Playback): Promise<unknown>
  hangup(): Promise<void>
}

interface Playback {
  once(type: 'PlaybackFinished', listener: () => void): void
}

interface AriClient {
  on(type: 'StasisStart', listener: (event: unknown, channel: Channel) => void): void
  start(app: string): Promise<void>
  stop(): void
  Playback(): Playback
}

const ariClient = createRequire(import.meta.url)('ari-client') as {
  connect(url: string, user: string, password: string): Promise<AriClient>
}

/** The questions of the driver. */
export type PeerApi = typeof api

let client: AriClient
let cpuAtBegin = process.cpuUsage()
let completedCalls = 0

const api = {
  async start({ ari: { url, user, password }, sound }: { ari: ServicePlace['ari']; sound: string }): Promise<void> {
    client = await ariClient.connect(url, user, password)
    client.on('StasisStart', (_, channel) => {
      serveCall(channel, sound).catch((error: unknown) => process.stderr.write(`the peer lost a call: ${error}\n`))
    })
    await client.start(PEER_APPLICATION)
  },

  begin(): void {
    completedCalls = 0
    cpuAtBegin = process.cpuUsage()
  },

  end(): { readonly cpuMs: number; readonly completedCalls: number } {
    const { user, system } = process.cpuUsage(cpuAtBegin)
    return { cpuMs: (user + system) / 1_000, completedCalls }
  },

  stop(): void {
    client.stop()
  },
} satisfies Api

async function serveCall(channel: Channel, sound: string): Promise<void> {
  await channel.answer()
  const playback = client.Playback()
  const isOver = new Promise<void>((done) => playback.once('PlaybackFinished', done))
  await channel.play({ media: `sound:${sound}` }, playback)
  await isOver
  await channel.hangup()
  completedCalls++
}

serve(api)
