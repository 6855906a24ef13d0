import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A small server of the outside world, on loopback. */
export interface RunningServer {
  readonly url: string
  close(): Promise<void>
}

const BODY_BYTES_MAX = 64 * 1024

/** Serves `answer` until it is closed. What `answer` leaves unanswered stays open until then. `at` 0: a free port. */
export function serve(
  answer: (request: IncomingMessage, response: ServerResponse) => void,
  at = 0,
): Promise<RunningServer> {
  const server = createServer(answer)
  return new Promise((done, fail) => {
    server.once('error', fail)
    server.listen(at, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo
      const close = () =>
        new Promise<void>((closed) => {
          server.close(() => closed())
          server.closeAllConnections()
        })
      done({ url: `http://127.0.0.1:${port}`, close })
    })
  })
}

/** The body as text. What is longer than 64 kB is cut off. */
export async function bodyOf(request: IncomingMessage): Promise<string> {
  let body = ''
  for await (const part of request.setEncoding('utf8')) if (body.length < BODY_BYTES_MAX) body += part
  return body
}

/** Answers with a JSON value, and ends the response. */
export function sendJson(response: ServerResponse, status: number, value: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value))
}
