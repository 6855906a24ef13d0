/** The live stream in a page: opens it while the page is there, and gives its rows and its time to components. */
import { useEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react'
import { RealClock } from '../../kernel/clock.ts'
import { ask } from '../session/ask.ts'
import type { LiveSubscription, Topic } from './live-subscription.ts'
import { type Freshness, StreamClient, type StreamSocket } from './stream-client.ts'
import type { Fields } from './stream-frames.ts'

/** What happens once, such as a popup. */
export type StreamEvent = Parameters<ConstructorParameters<typeof StreamClient>[0]['onEvent']>[0]

const PATH = '/rest/core/stream'
const SECOND_MS = 1_000
/** Of this computer; what it shows may be wrong: see `ServerTime`. */
const clock = new RealClock()

/** One connection for this page, open while it is shown. `onEvent` may be another function at each drawing. */
export function useStream(onEvent: (event: StreamEvent) => void): StreamClient {
  const heard = useRef(onEvent)
  heard.current = onEvent
  const client = useMemo(() => openStream((event) => heard.current(event)), [])
  useEffect(() => {
    client.start()
    const wake = () => client.wake()
    window.addEventListener('online', wake)
    document.addEventListener('visibilitychange', wake)
    return () => {
      window.removeEventListener('online', wake)
      document.removeEventListener('visibilitychange', wake)
      client.close()
    }
  }, [client])
  return client
}

/** The rows of a topic while the page is shown. */
export function useTopic(client: StreamClient, topic: Topic['topic']): LiveSubscription {
  const subscription = useMemo(() => client.join({ topic }), [client, topic])
  useEffect(() => () => client.leave(subscription), [client, subscription])
  return subscription
}

/** The only row of a kind, as an agent's own topic has them. */
export function useOnlyRow({ rows }: LiveSubscription, kind: string): Fields | undefined {
  const listenToKeys = useMemo(() => (told: () => void) => rows.subscribeKeys(kind, told), [rows, kind])
  const key = useSyncExternalStore(listenToKeys, () => rows.keys(kind).at(-1))
  const listenToRow = useMemo(
    () => (told: () => void) => (key === undefined ? () => {} : rows.subscribeRow(kind, key, told)),
    [rows, kind, key],
  )
  return useSyncExternalStore(listenToRow, () => (key === undefined ? undefined : rows.row(kind, key)))
}

/** How old what is shown may be. */
export function useFreshness(client: StreamClient): Freshness {
  const listen = useMemo(() => (told: () => void) => client.onFreshness(told), [client])
  return useSyncExternalStore(listen, () => client.freshness())
}

/** The server's time, anew each second: also where the clock of this computer is wrong. */
export function useServerNow(client: StreamClient): number {
  const [nowMs, setNowMs] = useState(() => client.serverNowMs())
  useEffect(() => {
    let timer: { cancel(): void } | undefined
    const tick = () => {
      const serverMs = client.serverNowMs()
      setNowMs(serverMs)
      timer = clock.schedule(clock.nowMs() + SECOND_MS - (serverMs % SECOND_MS), tick)
    }
    tick()
    return () => timer?.cancel()
  }, [client])
  return nowMs
}

function openStream(onEvent: (event: StreamEvent) => void): StreamClient {
  return new StreamClient({
    getTicket: async () => (await ask('POST /rest/core/stream/ticket')).ticket,
    openSocket,
    clock,
    random: () => (crypto.getRandomValues(new Uint32Array(1))[0] ?? 0) / 2 ** 32,
    schedule: (flush) => queueMicrotask(flush),
    onEvent,
  })
}

/** What is sent before the socket is open, or after it has closed, is dropped: the stream asks anew by itself. */
function openSocket(protocols: readonly string[]): StreamSocket {
  const url = new URL(PATH, location.href)
  url.protocol = url.protocol.replace('http', 'ws')
  const socket = new WebSocket(url, [...protocols])
  const own: StreamSocket = {
    send: (text) => socket.readyState === WebSocket.OPEN && socket.send(text),
    close: () => socket.close(),
    onmessage: null,
    onclose: null,
  }
  socket.onmessage = ({ data }) => own.onmessage?.({ data })
  socket.onclose = () => own.onclose?.()
  return own
}
