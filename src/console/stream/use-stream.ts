/** The live stream in a page: opens it while the page is there, and gives its rows and its time to components. */
import { useEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react'
import { RealClock, wallMs } from '../../kernel/clock.ts'
import { ask } from '../session/ask.ts'
import { sessionEndedElsewhere } from '../session/query-client.ts'
import type { LiveSubscription, Topic } from './live-subscription.ts'
import { lookForNewVersion } from './new-version.ts'
import type { FrameScheduler } from './row-store.ts'
import { SleepWatch } from './sleep-watch.ts'
import { type Freshness, StreamClient, type StreamSocket } from './stream-client.ts'
import type { Fields } from './stream-frames.ts'

/** What happens once, such as a popup. */
export type StreamEvent = Parameters<ConstructorParameters<typeof StreamClient>[0]['onEvent']>[0]

const PATH = '/rest/core/stream'
const SECOND_MS = 1_000
/** Of this computer; what it shows may be wrong: see `ServerTime`. */
const clock = new RealClock()

/** Components hear of changes at once. */
const AT_ONCE: FrameScheduler = (flush) => queueMicrotask(flush)
/** Components hear of changes once for each frame that is drawn, and not while nobody sees the page. */
export const PER_FRAME: FrameScheduler = (flush) => void requestAnimationFrame(flush)

/**
 * One connection for this page, open while it is shown. `onEvent` and `onWoke` may be other functions at each drawing;
 * `onWoke` is told when the page has slept, and the stream is there again.
 */
export function useStream(
  onEvent: (event: StreamEvent) => unknown,
  schedule = AT_ONCE,
  onWoke: () => void = () => {},
): StreamClient {
  const told = useRef({ onEvent, onWoke })
  told.current = { onEvent, onWoke }
  const { client, sleep } = useMemo(() => {
    const sleep: { watch?: SleepWatch } = {}
    const client = openStream(
      (event) => told.current.onEvent(event),
      schedule,
      () => sleep.watch?.look(),
    )
    return { client, sleep }
  }, [schedule])
  useEffect(() => {
    client.start()
    let hasSlept = false
    const watch = new SleepWatch(
      { nowMs: wallMs, schedule: (atMs, act) => clock.schedule(inRealTime(atMs), act) },
      () => {
        hasSlept = true
        client.wake(true)
      },
    )
    sleep.watch = watch
    const stopListening = client.onFreshness(() => {
      if (client.freshness() === 'signedOut') sessionEndedElsewhere()
      if (!hasSlept || client.freshness() !== 'live') return
      hasSlept = false
      told.current.onWoke()
    })
    const wake = () => {
      watch.look()
      client.wake()
    }
    window.addEventListener('online', wake)
    document.addEventListener('visibilitychange', wake)
    return () => {
      window.removeEventListener('online', wake)
      document.removeEventListener('visibilitychange', wake)
      stopListening()
      watch.close()
      client.close()
    }
  }, [client, sleep])
  return client
}

/** An instant of the wall clock on the steady one. */
const inRealTime = (atMs: number) => clock.nowMs() + (atMs - wallMs())

/** The rows of a topic while the page is shown. `args` is the same object at each drawing. */
export function useTopic(client: StreamClient, topic: Topic['topic'], args?: Topic['args']): LiveSubscription {
  const subscription = useMemo(() => client.join({ topic, ...(args && { args }) }), [client, topic, args])
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

/** `onFrame`: before each frame. */
function openStream(
  onEvent: (event: StreamEvent) => unknown,
  schedule: FrameScheduler,
  onFrame: () => void,
): StreamClient {
  return new StreamClient({
    getTicket: async () => (await ask('POST /rest/core/stream/ticket')).ticket,
    openSocket: (protocols) => openSocket(protocols, onFrame),
    clock,
    random: () => (crypto.getRandomValues(new Uint32Array(1))[0] ?? 0) / 2 ** 32,
    schedule,
    onEvent,
  })
}

/** Of this page. */
let wasOpen = false

/** What is sent before the socket is open, or after it has closed, is dropped: the stream asks anew by itself. */
function openSocket(protocols: readonly string[], onFrame: () => void): StreamSocket {
  const url = new URL(PATH, location.href)
  url.protocol = url.protocol.replace('http', 'ws')
  const socket = new WebSocket(url, [...protocols])
  socket.onopen = () => {
    if (wasOpen) void lookForNewVersion()
    wasOpen = true
  }
  const own: StreamSocket = {
    send: (text) => socket.readyState === WebSocket.OPEN && socket.send(text),
    close: () => socket.close(),
    onmessage: null,
    onclose: null,
  }
  socket.onmessage = ({ data }) => {
    onFrame()
    own.onmessage?.({ data })
  }
  socket.onclose = () => own.onclose?.()
  return own
}
