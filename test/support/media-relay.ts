/** Stands between a page's telephone and the switch on UDP: bad luck of the media alone. It drops what it is told. */
import { createSocket, type Socket } from 'node:dgram'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright-core'

export interface MediaRelay {
  /** For the next page. Runs before its own scripts: all its legs reach the switch through the relay. */
  script(): string
  /** Nothing passes this way any more. */
  drop(way: 'both' | 'toPage' | 'toSwitch'): void
  /** Every so manieth packet that comes to the page is lost. */
  loseEvery(count: number): void
  heal(): void
  /**
   * All legs of the page go another way from now on, as Chromium chooses by itself on a machine with two addresses
   * (calls-and-flows-105): the switch sees another source, and what it sends still comes. Their counters say so.
   */
  move(page: Page): Promise<void>
  /** Since the latest `drop`; a page sends 50 packets of sound a second. */
  droppedToSwitch(): number
  close(): void
}

const SCRIPT = readFileSync(fileURLToPath(new URL('relay-in-page.js', import.meta.url)), 'utf8')
/** Of the legs of all pages: the switch goes on sending to a leg whose page is gone. */
const PAIRS = 60
const PAIRS_A_PAGE = 4

interface Side {
  readonly socket: Socket
  readonly port: number
  /** What it sends goes by this one. */
  outlet: Socket
  /** Where its packets come from: the latest one. */
  peer: { readonly address: string; readonly port: number } | undefined
}

/** Opens it. Both sides learn the other by its ICE checks, which each sends to the relay (RFC 8445 7.2.2). */
export async function mediaRelay(): Promise<MediaRelay> {
  let dropped: 'none' | 'both' | 'toPage' | 'toSwitch' = 'none'
  let droppedToSwitch = 0
  let lostEvery = 0
  let passed = 0
  const pairs: { page: number; switch: number }[] = []
  const others: Socket[] = []
  const legs: { readonly near: Side; readonly far: Side }[] = []
  for (let at = 0; at < PAIRS; at++) {
    const [near, far] = [await side(), await side()]
    join(near, far, () => {
      const isDropped = dropped === 'both' || dropped === 'toSwitch'
      if (isDropped) droppedToSwitch++
      return isDropped
    })
    const isLost = () => lostEvery > 0 && ++passed % lostEvery === 0
    join(far, near, () => dropped === 'both' || dropped === 'toPage' || isLost())
    pairs.push({ page: near.port, switch: far.port })
    legs.push({ near, far })
  }
  return {
    script: () => `globalThis.relayPairs = ${JSON.stringify(pairs.splice(0, PAIRS_A_PAGE))}\n${SCRIPT}`,
    drop(way) {
      droppedToSwitch = 0
      dropped = way
    },
    loseEvery(count) {
      lostEvery = count
    },
    heal() {
      dropped = 'none'
      lostEvery = 0
    },
    async move(page) {
      for (const { near, far } of legs.filter((leg) => leg.far.peer)) {
        const other = await side()
        join(other, near, () => false)
        far.outlet = other.socket
        others.push(other.socket)
      }
      await page.evaluate(() => (globalThis as never as { relayMoved(): void }).relayMoved())
    },
    droppedToSwitch: () => droppedToSwitch,
    close() {
      for (const socket of [...others, ...legs.flatMap(({ near, far }) => [near.socket, far.socket])]) socket.close()
    },
  }
}

async function side(): Promise<Side> {
  const socket = createSocket('udp4')
  const { promise, resolve } = Promise.withResolvers<void>()
  socket.bind(0, resolve)
  await promise
  socket.on('error', () => {})
  return { socket, port: socket.address().port, outlet: socket, peer: undefined }
}

function join(from: Side, to: Side, isDropped: () => boolean): void {
  from.socket.on('message', (packet, { address, port }) => {
    from.peer = { address, port }
    if (to.peer && !isDropped()) to.outlet.send(packet, to.peer.port, to.peer.address)
  })
}
