/** Stands between a page's telephone and the switch on UDP: bad luck of the media alone. It drops what it is told. */
import { createSocket, type Socket } from 'node:dgram'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

export interface MediaRelay {
  /** For the next page. Runs before its own scripts: all its legs reach the switch through the relay. */
  script(): string
  /** Nothing passes this way any more. */
  drop(way: 'both' | 'toPage' | 'toSwitch'): void
  /** Every so manieth packet that comes to the page is lost. */
  loseEvery(count: number): void
  heal(): void
  /** Since the latest `drop`; a page sends 50 packets of sound a second. */
  droppedToSwitch(): number
  close(): void
}

const SCRIPT = readFileSync(fileURLToPath(new URL('relay-in-page.js', import.meta.url)), 'utf8')
/** Of the legs of all pages: the switch goes on sending to a leg whose page is gone. */
const PAIRS = 40
const PAIRS_A_PAGE = 4

interface Side {
  readonly socket: Socket
  readonly port: number
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
  const sockets: Socket[] = []
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
    sockets.push(near.socket, far.socket)
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
    droppedToSwitch: () => droppedToSwitch,
    close() {
      for (const socket of sockets) socket.close()
    },
  }
}

async function side(): Promise<Side> {
  const socket = createSocket('udp4')
  const { promise, resolve } = Promise.withResolvers<void>()
  socket.bind(0, resolve)
  await promise
  socket.on('error', () => {})
  return { socket, port: socket.address().port, peer: undefined }
}

function join(from: Side, to: Side, isDropped: () => boolean): void {
  from.socket.on('message', (packet, { address, port }) => {
    from.peer = { address, port }
    if (to.peer && !isDropped()) to.socket.send(packet, to.peer.port, to.peer.address)
  })
}
