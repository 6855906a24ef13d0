/**
 * Loaded before the service (`node --import`): on SIGUSR2 every connection to the port LINE_CUTTER_PORT breaks, as
 * in a network failure, and new ones break at once for a while. It runs inside the process: the service runs its own
 * switch, whose address admits no proxy in between, and a cut from inside needs no rights on the machine.
 */
import { channel } from 'node:diagnostics_channel'
import type { Socket } from 'node:net'

const REFUSED_MS = 400

const port = Number(process.env['LINE_CUTTER_PORT'])
const lines = new Set<Socket>()
let refusedUntilMs = 0

channel('net.client.socket').subscribe((message) => {
  const { socket } = message as { socket: Socket }
  socket.once('connect', () => {
    if (socket.remotePort !== port) return
    if (performance.now() < refusedUntilMs) return void socket.destroy()
    lines.add(socket)
    socket.once('close', () => lines.delete(socket))
  })
})

process.on('SIGUSR2', () => {
  refusedUntilMs = performance.now() + REFUSED_MS
  for (const socket of lines) socket.destroy()
})
