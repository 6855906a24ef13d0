/** As much of ARI as bridges of two media channels need. */
import { WebSocket } from 'ws'
import type { ServicePlace } from '../processes/service-process.ts'

const APPLICATION = 'mixing'

export type BareAri = Awaited<ReturnType<typeof bareAri>>

/** Connects. An answer that is no success throws. */
export async function bareAri({ url, user, password }: ServicePlace['ari']) {
  const authorization = `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`
  const events = `${url.replace('http', 'ws')}/ari/events?app=${APPLICATION}`
  const socket = new WebSocket(events, { headers: { authorization } })
  await new Promise((opened, failed) => socket.once('open', opened).once('error', failed))
  const here = new Map<string, () => void>()
  socket.on('message', (text) => {
    const { type, channel } = JSON.parse(String(text)) as { type: string; channel?: { id: string } }
    if (type === 'StasisStart') here.get(channel!.id)?.()
  })
  const ask = async (method: string, path: string): Promise<Record<string, unknown>> => {
    const answer = await fetch(`${url}/ari/${path}`, { method, headers: { authorization } })
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`)
    return answer.status === 204 ? {} : ((await answer.json()) as Record<string, unknown>)
  }
  const variable = async (id: string, name: string) =>
    String((await ask('GET', `channels/${id}/variable?variable=${name}`))['value'])
  return {
    /** A channel that sends to this address; `at`: where it listens. */
    async media(address: string) {
      const how = `app=${APPLICATION}&external_host=${address}&format=ulaw`
      // A channel can be told what to do once it is in the application, and not before.
      const id = `media-${here.size}`
      const isHere = new Promise<void>((done) => here.set(id, done))
      await ask('POST', `channels/externalMedia?channelId=${id}&${how}`)
      await isHere
      const host = await variable(id, 'UNICASTRTP_LOCAL_ADDRESS')
      const port = Number(await variable(id, 'UNICASTRTP_LOCAL_PORT'))
      return { id, at: { host, port } }
    },
    /** A bridge with these channels. */
    async bridge(type: string, channels: readonly string[]): Promise<string> {
      const id = String((await ask('POST', `bridges?type=${type}`))['id'])
      await ask('POST', `bridges/${id}/addChannel?channel=${channels.join(',')}`)
      return id
    },
    /** Of the switch. */
    async version(): Promise<string> {
      const { system } = await ask('GET', 'asterisk/info')
      return (system as { readonly version: string }).version
    },
    /** Hangs up all, and leaves nothing behind. */
    async end(channels: readonly string[], bridges: readonly string[]): Promise<void> {
      for (const id of channels) await ask('DELETE', `channels/${id}`)
      for (const id of bridges) await ask('DELETE', `bridges/${id}`)
    },
    close: () => socket.close(),
  }
}
