import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http'
import { type AddressInfo, createServer as createNetServer, type Server as NetServer, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'

/** A server on 127.0.0.1 that ends with its test. `place` is what `allowedHosts` must name. */
export interface LocalServer {
  readonly url: string
  readonly port: number
  readonly place: string
}

export async function serveHttp(answer: RequestListener): Promise<LocalServer> {
  const server = createServer(answer)
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return listening(server)
}

/** A server that speaks bytes and no HTTP. */
export async function serveBytes(answer: (socket: Socket) => void): Promise<LocalServer> {
  const sockets = new Set<Socket>()
  const server = createNetServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    answer(socket)
  })
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return listening(server)
}

/** A port without a listener. */
export async function deadPort(): Promise<LocalServer> {
  const server = createNetServer()
  const place = await listening(server)
  await new Promise((closed) => server.close(closed))
  return place
}

export async function bodyOf(request: IncomingMessage): Promise<string> {
  let body = ''
  for await (const chunk of request) body += chunk
  return body
}

export function answerJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

function listening(server: Server | NetServer): Promise<LocalServer> {
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo
      resolve({ url: `http://127.0.0.1:${port}`, port, place: `127.0.0.1:${port}` })
    })
  })
}
