/** The one connection of this page: opened with the first topic, closed with the last. */
import { useEffect, useState, useSyncExternalStore } from 'react'
import { ask } from '../session/ask.ts'
import { browserChance, browserClock } from './browser-time.ts'
import type { LiveSubscription } from './live-subscription.ts'
import { type Freshness, StreamClient, type StreamSocket } from './stream-client.ts'

/** A topic that this page reads. */
export interface Live {
  readonly client: StreamClient
  readonly subscription: LiveSubscription
}

const PATH = '/rest/core/stream'
let open: { readonly client: StreamClient; readonly wake: () => void; readers: number } | undefined

/** Reads a topic while the component is shown; undefined in the first moment. */
export function useLive(topic: string): Live | undefined {
  const [live, setLive] = useState<Live>()
  useEffect(() => {
    const client = enter()
    const subscription = client.join({ topic })
    setLive({ client, subscription })
    return () => {
      client.leave(subscription)
      leave()
      setLive(undefined)
    }
  }, [topic])
  return live
}

/** How old what is shown may be. */
export function useFreshness(client: StreamClient): Freshness {
  return useSyncExternalStore(
    (changed) => client.onFreshness(changed),
    () => client.freshness(),
  )
}

function enter(): StreamClient {
  if (!open) {
    const client = new StreamClient({
      clock: browserClock,
      random: browserChance,
      getTicket: async () => (await ask('POST /rest/core/stream/ticket')).ticket,
      openSocket,
      schedule: (flush) => void requestAnimationFrame(flush),
      onEvent: () => {},
    })
    const wake = () => client.wake()
    addEventListener('online', wake)
    document.addEventListener('visibilitychange', wake)
    open = { client, wake, readers: 0 }
    client.start()
  }
  open.readers++
  return open.client
}

function leave(): void {
  if (!open || --open.readers > 0) return
  open.client.close()
  removeEventListener('online', open.wake)
  document.removeEventListener('visibilitychange', open.wake)
  open = undefined
}

function openSocket(protocols: readonly string[]): StreamSocket {
  const socket = new WebSocket(new URL(PATH, location.href.replace(/^http/, 'ws')), [...protocols])
  const own: StreamSocket = {
    send: (text) => {
      if (socket.readyState === WebSocket.OPEN) socket.send(text)
    },
    close: () => socket.close(),
    onmessage: null,
    onclose: null,
  }
  socket.addEventListener('message', ({ data }) => own.onmessage?.({ data }))
  socket.addEventListener('close', () => own.onclose?.())
  return own
}
