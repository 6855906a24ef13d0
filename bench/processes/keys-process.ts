/** The callers of `keys`: real phones, in a process whose work is not the engine's. */

import type { Socket } from 'node:dgram'
import { subscribe } from 'node:diagnostics_channel'
import { PAYLOAD_KEYS, readKey, readRtp } from '../../demo/sip/rtp-packet.ts'
import type { RtpAddress } from '../../demo/sip/rtp-peer.ts'
import { callIn } from '../../demo/sip/sipp-phone.ts'
import { RealClock } from '../../src/kernel/clock.ts'
import { seededRandom } from '../../src/kernel/random.ts'
import type { CallResult } from '../../src/sim/person.ts'
import { type Api, serve } from '../child.ts'
import { machineMs } from '../key-watch.ts'

/** Who calls, and how. */
interface KeyCalls {
  readonly sipp: string
  readonly target: RtpAddress
  readonly from: string
  readonly called: string
  readonly callers: number
  /** Keys of each caller, and from one to the next. */
  readonly presses: number
  readonly everyMs: number
}

/** One caller, when it is over. */
export interface KeyCaller {
  readonly caller: string
  readonly result: CallResult
  /** When the first packet that ends a key (RFC 4733 2.5.1.4) was sent, for each key; monotonic ms of the machine. */
  readonly sentAtMs: readonly number[]
}

/** The questions of the driver. */
export type KeysApi = typeof api

const KEY_TAKES_MS = 200

const api = {
  /** All callers phone in, spread over one pause between keys, and press until they are done. */
  async call({ sipp, target, from, called, callers, presses, everyMs }: KeyCalls): Promise<readonly KeyCaller[]> {
    const clock = new RealClock()
    const kit = { sipp, clock, random: seededRandom(clock.nowMs()) }
    const press = { afterMs: everyMs - KEY_TAKES_MS, keys: '1' }
    const person = { presses: Array.from({ length: presses }, () => press), hangsUpOn: { afterMs: everyMs } }
    const patient = { ...person, waitsMaxMs: (presses + 10) * everyMs }
    const calls: Promise<KeyCaller>[] = []
    for (let index = 0; index < callers; index++) {
      const caller = `+4530${String(index).padStart(6, '0')}`
      const sentAtMs = watchNextSocket()
      const { result } = await callIn({ kit, target, from, called, caller, person: patient })
      calls.push(result.then((ended) => ({ caller, result: ended, sentAtMs })))
      await new Promise((done) => setTimeout(done, everyMs / callers))
    }
    return Promise.all(calls)
  },
} satisfies Api

/** The ends of keys on the UDP socket that is opened next, as they leave. */
let watched: number[] = []
subscribe('udp.socket', (message) => watchKeys((message as { socket: Socket }).socket, watched))

function watchNextSocket(): readonly number[] {
  watched = []
  return watched
}

function watchKeys(socket: Socket, sentAtMs: number[]): void {
  const send = socket.send.bind(socket) as (...args: unknown[]) => void
  let lastKeyAt = -1
  socket.send = (bytes: Uint8Array, ...rest: unknown[]) => {
    const packet = readRtp(Buffer.from(bytes))
    const isEnd = packet?.payloadType === PAYLOAD_KEYS && readKey(packet.payload)?.isEnd
    // The end is sent three times, with the timestamp of its key.
    if (isEnd && packet.timestamp !== lastKeyAt) {
      lastKeyAt = packet.timestamp
      sentAtMs.push(machineMs())
    }
    send(bytes, ...rest)
  }
}

serve(api)
