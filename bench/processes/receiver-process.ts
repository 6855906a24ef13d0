/** The other side of `events`: an integrator's server that takes everything at once, and counts. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Api, serve } from '../child.ts'

/** What arrived. */
export interface Arrivals {
  /** Different events. */
  readonly events: number
  /** Posts of events that had come before. */
  readonly doubles: number
  readonly firstAtMs: number
  readonly lastAtMs: number
  /** From the instant in the event to its arrival. */
  readonly latenciesMs: readonly number[]
}

/** The questions of the driver. */
export type ReceiverApi = typeof api

const seen = new Set<string>()
let doubles = 0
let firstAtMs = 0
let lastAtMs = 0
let latenciesMs: number[] = []

const server = createServer((request, response) => {
  const chunks: Uint8Array[] = []
  request.on('data', (chunk: Uint8Array) => chunks.push(chunk))
  request.on('end', () => {
    response.writeHead(204).end()
    const { id, timestamp } = JSON.parse(Buffer.concat(chunks).toString()) as { id: string; timestamp: string }
    lastAtMs = Date.now()
    firstAtMs ||= lastAtMs
    if (seen.has(id)) doubles++
    else latenciesMs.push(lastAtMs - Date.parse(timestamp))
    seen.add(id)
  })
})

const api = {
  /** Gives the port. */
  start: () =>
    new Promise<number>((done) => {
      server.listen(0, '127.0.0.1', () => done((server.address() as AddressInfo).port))
    }),
  /** What has arrived since the last `forget`. */
  arrivals: (): Arrivals => ({ events: seen.size, doubles, firstAtMs, lastAtMs, latenciesMs }),
  forget() {
    seen.clear()
    doubles = firstAtMs = lastAtMs = 0
    latenciesMs = []
  },
} satisfies Api

serve(api)
