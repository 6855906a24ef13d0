import { Worker } from 'node:worker_threads'
import { ariAddress } from '../../src/ari/address.ts'
import { openMediaSocket } from '../../src/ari/ears/media-socket.ts'
import { randomInt, seededRandom } from '../../src/kernel/random.ts'
import { FRAME_SAMPLES, GreetingListener } from '../../src/listening/greeting-listener.ts'
import { GreetingPrinter, isSamePrint } from '../../src/listening/greeting-print.ts'

/** Legs that are listened to at once. */
const STREAMS = 30
const GREETINGS = 500
const SECONDS = 10

/** Another thread sends as Asterisk does: a WebSocket per leg, 20 ms in a packet. */
const SENDER = `
const { parentPort, workerData } = require('node:worker_threads')
const { WebSocketServer } = require('ws')
const server = new WebSocketServer({ port: 0, host: '127.0.0.1', handleProtocols: () => 'media' })
server.on('listening', () => parentPort.postMessage(server.address().port))
server.on('connection', (socket) => {
  let at = 0
  const bytes = Buffer.from(workerData.buffer)
  const timer = setInterval(() => {
    socket.send(bytes.subarray(at, at + 320))
    at = (at + 320) % (bytes.length - 320)
  }, 20)
  socket.on('close', () => clearInterval(timer))
})`

/** Shares of a core. */
export interface ListeningCpu {
  readonly percentPerStream: number
}

/** The engine's thread for 10 s from the answer of 30 machines, whose greetings are compared with 500 others. */
export async function listeningCpu(samples: Int16Array): Promise<ListeningCpu> {
  const worker = new Worker(SENDER, { eval: true, workerData: Int16Array.from(samples) })
  const port = await new Promise<number>((listening, fail) => {
    worker.once('message', listening)
    worker.once('error', fail)
  })
  const random = seededRandom(1)
  const greetings = Array.from({ length: GREETINGS }, () =>
    Buffer.from(Array.from({ length: 200 }, () => randomInt(random, 0, 255))).toString('base64'),
  )
  const address = ariAddress(`http://127.0.0.1:${port}`)
  const sockets = Array.from({ length: STREAMS }, (_, at) => {
    const [listener, printer] = [new GreetingListener(), new GreetingPrinter()]
    const hears = (frame: Int16Array) => {
      listener.takes(frame)
      const print = printer.takes(frame)
      if (print !== undefined) greetings.find((one) => isSamePrint(one, print))
    }
    return openMediaSocket({
      address,
      authorization: '',
      connection: String(at),
      onSound: (sound) => sound.length === FRAME_SAMPLES && hears(sound),
      onLost: () => undefined,
    })
  })
  const before = process.threadCpuUsage()
  await new Promise((done) => setTimeout(done, SECONDS * 1_000))
  const { user, system } = process.threadCpuUsage(before)
  for (const socket of sockets) socket.close()
  await worker.terminate()
  const percentPerStream = (user + system) / (SECONDS * 10_000) / STREAMS
  return { percentPerStream }
}
