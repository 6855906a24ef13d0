import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { type WebSocket, WebSocketServer } from 'ws'
import { NEEDED_MODULES } from '../../asterisk/modules.ts'
import { Facts } from './facts.ts'

export interface FakeRequest {
  readonly by: 'socket' | 'http'
  /** `POST /channels/x/answer`, as in the documents but filled in. */
  readonly what: string
  readonly query: Readonly<Record<string, string>>
  readonly body: unknown
}

type Reply = { readonly status: number; readonly body?: unknown } | 'silence'

const USER = 'switchboard'
export const PASSWORD = 'correct horse'

/** A stand-in for Asterisk's ARI on real sockets: gives configured answers and records the requests. */
export class FakeAri {
  readonly requests = new Facts<FakeRequest>()
  readonly connections = new Facts<WebSocket>()
  readonly pings = new Facts<WebSocket>()
  /** Sockets for the sound of a channel, by the path that was asked for. */
  readonly media = new Facts<{ readonly path: string; readonly socket: WebSocket }>()
  /** Replies by request (`DELETE /channels/x`), or by method alone. */
  readonly replies = new Map<string, Reply>()
  password = PASSWORD
  startupTime = '2026-03-02T08:00:00.000+0000'
  takesRestOverSocket = true
  /** Those that are loaded but not in the list do not run. */
  runningModules: readonly string[] = NEEDED_MODULES
  readonly #server: Server
  readonly #sockets: WebSocketServer
  readonly #open = new Set<Socket>()

  private constructor() {
    this.#sockets = new WebSocketServer({ noServer: true, maxPayload: 1024 * 1024 })
    this.#server = createServer((request, response) => {
      const chunks: Buffer[] = []
      request.on('data', (chunk: Buffer) => chunks.push(chunk))
      request.on('end', () => {
        const reply = this.#reply(requestOverHttp(request, Buffer.concat(chunks).toString()))
        if (reply === 'silence') return
        const status = this.#isWelcome(request) ? reply.status : 401
        response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(reply.body))
      })
    })
    this.#server.on('connection', (socket) => {
      this.#open.add(socket)
      socket.on('close', () => this.#open.delete(socket))
    })
    this.#server.on('upgrade', (request, socket, head) => {
      if (!this.#isWelcome(request)) socket.end('HTTP/1.1 401 Unauthorized\r\ncontent-length: 0\r\n\r\n')
      else this.#sockets.handleUpgrade(request, socket, head, (client) => this.#welcome(client, request.url ?? ''))
    })
  }

  static async start(port = 0): Promise<FakeAri> {
    const fake = new FakeAri()
    await new Promise<void>((done) => fake.#server.listen(port, '127.0.0.1', done))
    return fake
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port
  }

  /** What an engine needs to reach it. */
  get access() {
    return {
      url: `http://127.0.0.1:${this.port}`,
      user: USER,
      password: PASSWORD,
      app: 'switchboard',
      neededModules: NEEDED_MODULES,
    }
  }

  /** The latest connection. */
  get client(): WebSocket {
    return this.connections.all.at(-1)!
  }

  /** Tells an event, or sends a text as it is. */
  tell(event: object | string): void {
    this.client.send(typeof event === 'string' ? event : JSON.stringify(event))
  }

  /** Breaks the connection off without a word. */
  cut(): void {
    this.client.terminate()
  }

  /** Goes on holding the connection but neither reads nor writes: what a dropped cable looks like. */
  goSilent(): void {
    ;(this.client as unknown as { _socket: Socket })._socket.pause()
  }

  asked(what: string): FakeRequest[] {
    return this.requests.all.filter((request) => request.what === what)
  }

  async stop(): Promise<void> {
    for (const socket of this.#open) socket.destroy()
    await new Promise((done) => this.#server.close(done))
  }

  #isWelcome(request: IncomingMessage): boolean {
    const expected = `Basic ${Buffer.from(`${USER}:${this.password}`).toString('base64')}`
    return request.headers.authorization === expected
  }

  #welcome(client: WebSocket, path: string): void {
    client.on('error', () => undefined)
    if (path.startsWith('/media/')) return this.media.add({ path, socket: client })
    client.on('ping', () => this.pings.add(client))
    client.on('message', (data) => {
      if (!this.takesRestOverSocket) return
      const frame = JSON.parse(String(data))
      const reply = this.#reply(requestOverSocket(frame))
      if (reply === 'silence') return
      const { transaction_id, request_id } = frame
      const message_body = reply.body === undefined ? undefined : JSON.stringify(reply.body)
      client.send(
        JSON.stringify({ type: 'RESTResponse', transaction_id, request_id, status_code: reply.status, message_body }),
      )
    })
    this.connections.add(client)
  }

  #reply(request: FakeRequest): Reply {
    this.requests.add(request)
    const told = this.replies.get(request.what)
    if (told) return told
    const path = request.what.split(' ')[1] ?? ''
    if (path === '/asterisk/info') {
      return { status: 200, body: { system: { version: '22.10.1+x' }, status: { startup_time: this.startupTime } } }
    }
    if (path === '/asterisk/modules') {
      const status = (name: string) => (this.runningModules.includes(name) ? 'Running' : 'Not Running')
      return { status: 200, body: NEEDED_MODULES.map((name) => ({ name: `${name}.so`, status: status(name) })) }
    }
    if (path.startsWith('/applications/')) return { status: 200, body: { channel_ids: [], bridge_ids: [] } }
    if (path === '/channels/create') return { status: 200, body: {} }
    if (path === '/channels' || path === '/bridges') return { status: 200, body: [] }
    return { status: 204 }
  }
}

function requestOverHttp(request: IncomingMessage, body: string): FakeRequest {
  const url = new URL(request.url ?? '/', 'http://fake')
  const what = `${request.method} ${url.pathname.replace(/^\/ari/, '')}`
  return { by: 'http', what, query: Object.fromEntries(url.searchParams), body: body ? JSON.parse(body) : undefined }
}

function requestOverSocket(frame: {
  method: string
  uri: string
  query_strings?: { name: string; value: string }[]
  message_body?: string
}): FakeRequest {
  const query = Object.fromEntries((frame.query_strings ?? []).map(({ name, value }) => [name, value]))
  const body = frame.message_body ? JSON.parse(frame.message_body) : undefined
  return { by: 'socket', what: `${frame.method} /${frame.uri}`, query, body }
}
