/** The console's end of the stream: staleness, time, coming back, and what components are told. */
import { beforeEach, describe, expect, test } from 'vitest'
import { RowStore } from '../../../src/console/stream/row-store.ts'
import { ServerTime } from '../../../src/console/stream/server-time.ts'
import { StreamClient, type StreamSocket } from '../../../src/console/stream/stream-client.ts'
import { seededRandom } from '../../../src/kernel/random.ts'
import { everythingAwaited, VirtualClock } from '../../support/virtual-clock.ts'

let clock: VirtualClock
let sockets: (StreamSocket & { readonly sent: string[] })[]
let tickets: number
let client: StreamClient
let chance: number
/** In place of the one that is given at once. */
let giveTicket: (() => Promise<string>) | undefined
/** Names of events; whether they are for another page. */
let told: string[]
let isElsewhere: boolean
const hear = (frame: object) => sockets.at(-1)?.onmessage?.({ data: JSON.stringify(frame) })
const serverTs = () => new Date(clock.nowMs()).toISOString()
const welcome = () => hear({ t: 'welcome', v: 1, epoch: 'e1', serverTs: serverTs() })

beforeEach(async () => {
  clock = new VirtualClock()
  sockets = []
  tickets = 0
  chance = 0.5
  giveTicket = undefined
  told = []
  isElsewhere = false
  client = new StreamClient({
    clock,
    random: () => chance,
    getTicket: async () => {
      tickets++
      return giveTicket ? giveTicket() : `ticket-${tickets}`
    },
    openSocket: (protocols) => {
      const socket = { sent: [...protocols], send: () => {}, close: () => {}, onmessage: null, onclose: null }
      sockets.push(socket)
      return socket
    },
    schedule: (flush) => flush(),
    onEvent: ({ name }) => {
      told.push(name)
      return !isElsewhere
    },
  })
  client.start()
  await everythingAwaited()
})

describe('freshness', () => {
  test('is stale 7 s and grey 15 s after the last frame, and tells it', () => {
    const told: string[] = []
    client.onFreshness(() => told.push(client.freshness()))
    welcome()
    const asOfMs = client.asOfMs()
    clock.run(6_999)
    expect(client.freshness()).toBe('live')
    clock.run(1)
    expect(client.freshness()).toBe('stale')
    clock.run(7_999)
    expect(client.freshness()).toBe('stale')
    clock.run(1)
    expect(client.freshness()).toBe('grey')
    expect(client.asOfMs()).toBe(asOfMs)
    expect(told).toEqual(['live', 'stale', 'grey'])
  })

  test('stays live while heartbeats come', () => {
    welcome()
    for (let beat = 0; beat < 5; beat++) {
      clock.run(5_000)
      hear({ t: 'hb', seqs: {}, serverTs: serverTs(), lagMs: 0 })
    }
    clock.run(6_999)
    expect(client.freshness()).toBe('live')
  })
})

test('each heartbeat is answered by the page itself: a browser answers pings for a frozen one', () => {
  const said: string[] = []
  sockets.at(-1)!.send = (text) => said.push(text)
  welcome()
  hear({ t: 'hb', seqs: {}, serverTs: serverTs(), lagMs: 0 })
  expect(said).toContain('{"t":"here"}')
})

test('an event that is for another page is not acknowledged, and told again until it is for this one', () => {
  const said: string[] = []
  sockets.at(-1)!.send = (text) => said.push(text)
  welcome()
  const { id } = client.join({ topic: 'me' })
  const event = { t: 'ev', id, evId: 'popup:1', name: 'popup', data: {} }
  const acks = () => said.filter((one) => one.includes('"ack"')).length
  isElsewhere = true
  hear(event)
  expect([told.length, acks()]).toEqual([1, 0])
  isElsewhere = false
  hear(event)
  expect([told.length, acks()]).toEqual([2, 1])
  // An acknowledgement may be lost.
  hear(event)
  expect([told.length, acks()]).toEqual([2, 2])
})

describe('coming back', () => {
  const waitedFor = (ms: number) => clock.runWithPromises(ms)
  /** How long it takes to the next connection. */
  const waitMs = async () => {
    const before = clock.nowMs()
    const count = sockets.length
    while (sockets.length === count) {
      clock.run(10)
      await everythingAwaited()
    }
    return clock.nowMs() - before
  }

  test('waits at most 0.4 s, doubling to 3 s, and to 5 s after a minute, each time with a new ticket', async () => {
    chance = 1
    const waits: number[] = []
    for (let round = 0; round < 5; round++) {
      sockets.at(-1)?.onclose?.()
      waits.push(await waitMs())
    }
    expect(waits).toEqual([400, 800, 1_600, 3_000, 3_000])
    expect(sockets.map(({ sent }) => sent[1])).toEqual([1, 2, 3, 4, 5, 6].map((count) => `ticket-${count}`))
    while (clock.nowMs() - client.asOfMs() < 60_000) {
      sockets.at(-1)?.onclose?.()
      await waitMs()
    }
    for (let round = 0; round < 2; round++) {
      sockets.at(-1)?.onclose?.()
      waits.push(await waitMs())
    }
    expect(waits.at(-1)).toBe(5_000)
  })

  test('waits 0.1 s by the luckiest chance, and as long as the node asks for', async () => {
    chance = 0
    sockets.at(-1)?.onclose?.()
    expect(await waitMs()).toBe(100)
    hear({ t: 'bye', code: 'deploy', retryMs: 800 })
    expect(await waitMs()).toBe(800)
  })

  test.each(['a ticket that never comes', 'a connection without a welcome'])('gives up %s after 5 s', async (what) => {
    if (what.includes('ticket')) giveTicket = () => new Promise(() => {})
    sockets.at(-1)?.onclose?.()
    await waitedFor(250)
    const asked = tickets
    giveTicket = undefined
    await waitedFor(4_999)
    expect(tickets).toBe(asked)
    await waitedFor(1 + 450)
    expect(tickets).toBe(asked + 1)
    welcome()
    expect(client.freshness()).toBe('live')
    await waitedFor(6_000)
    expect(tickets).toBe(asked + 1)
  })

  test('five hundred pages lose a node in one moment, and are back within 3 s of it without storming it', async () => {
    const random = seededRandom(7)
    const [awayMs, stepMs, pages] = [10_000, 100, 500]
    let isUp = true
    const asked: number[] = []
    const ends: StreamSocket[] = []
    const crowd = Array.from({ length: pages }, () => {
      const page = new StreamClient({
        clock,
        random: () => random.next(),
        getTicket: async () => {
          asked.push(clock.nowMs())
          if (!isUp) throw new Error('away')
          return 'ticket'
        },
        openSocket: () => {
          const socket: StreamSocket = { send: () => {}, close: () => {}, onmessage: null, onclose: null }
          ends.push(socket)
          clock.schedule(clock.nowMs(), () => {
            socket.onmessage?.({ data: JSON.stringify({ t: 'welcome', v: 1, epoch: 'e', serverTs: serverTs() }) })
          })
          return socket
        },
        schedule: (flush) => flush(),
        onEvent: () => {},
      })
      page.start()
      return page
    })
    await clock.runWithPromises(1)
    isUp = false
    for (const socket of ends.splice(0)) socket.onclose?.()
    asked.length = 0
    const steps = async (totalMs: number) => {
      const most = []
      for (let at = 0; at < totalMs; at += stepMs) {
        const before = asked.length
        await clock.runWithPromises(stepMs)
        most.push(asked.length - before)
      }
      return Math.max(...most)
    }
    // Nothing is carried out that is refused.
    expect(await steps(awayMs)).toBeLessThanOrEqual(0.4 * pages)
    isUp = true
    const backAtMs = clock.nowMs()
    asked.length = 0
    expect(await steps(3_100)).toBeLessThanOrEqual(pages / 8)
    expect(asked).toHaveLength(pages)
    expect(crowd.filter((page) => page.asOfMs() < backAtMs)).toEqual([])
    for (const page of crowd) page.close()
  })

  test('happens at once when the computer is online again', async () => {
    sockets.at(-1)?.onclose?.()
    client.wake()
    await everythingAwaited()
    expect(sockets).toHaveLength(2)
    clock.run(1_000)
    await everythingAwaited()
    expect(sockets).toHaveLength(2)
  })

  test('happens at once after a sleep, also where the line seems to be open', async () => {
    welcome()
    client.wake()
    await everythingAwaited()
    expect(sockets).toHaveLength(1)
    client.wake(true)
    await everythingAwaited()
    expect([sockets.length, client.freshness()]).toEqual([2, 'stale'])
    welcome()
    expect(client.freshness()).toBe('live')
  })

  test('after a sleep shows nothing as less old than it was: timers of a hidden page look like a sleep', async () => {
    welcome()
    sockets.at(-1)?.onclose?.()
    await clock.runWithPromises(20_000)
    expect(client.freshness()).toBe('grey')
    client.wake(true)
    expect(client.freshness()).toBe('grey')
    await everythingAwaited()
    welcome()
    expect(client.freshness()).toBe('live')
  })

  test('does not happen after the session has ended', async () => {
    welcome()
    hear({ t: 'bye', code: 'signedOut', retryMs: 800 })
    await clock.runWithPromises(60_000)
    expect([sockets.length, client.freshness()]).toEqual([1, 'signedOut'])
  })

  test('takes a line that is silent for 15 s for dead', async () => {
    welcome()
    await clock.runWithPromises(15_400)
    await everythingAwaited()
    expect(sockets).toHaveLength(2)
  })
})

test('the server’s time is the median of five: one late frame moves no timer', () => {
  const time = new ServerTime()
  for (const lateMs of [0, 0, 9_000, 0, 0]) time.heard(new Date(1_000_000 - lateMs).toISOString(), 400_000)
  expect(time.at(400_500)).toBe(1_000_500)
})

describe('components', () => {
  test('are told of their own row alone, once a frame', () => {
    const flushes: (() => void)[] = []
    const rows = new RowStore((flush) => flushes.push(flush))
    const told: string[] = []
    for (const key of ['anna', 'ben']) rows.subscribeRow('agent', key, () => told.push(key))
    rows.subscribeKeys('agent', () => told.push('keys'))
    rows.apply([['u', 'agent', 'anna', { state: 'ready' }]])
    rows.apply([['u', 'agent', 'anna', { state: 'talking' }]])
    expect([told, flushes.length]).toEqual([[], 1])
    flushes.splice(0)[0]!()
    expect(told).toEqual(['anna', 'keys'])
    rows.apply([['u', 'agent', 'anna', { state: 'ready' }]])
    flushes.splice(0)[0]!()
    expect(told).toEqual(['anna', 'keys', 'anna'])
  })

  test('keep the same object for a row that a snapshot repeats', () => {
    const rows = new RowStore((flush) => flush())
    rows.replace([['agent', 'anna', { state: 'ready' }]])
    const before = rows.row('agent', 'anna')
    rows.replace([['agent', 'anna', { state: 'ready' }]])
    expect(rows.row('agent', 'anna')).toBe(before)
  })
})
