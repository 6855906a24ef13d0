/** Plain HTTP: headers, spellings, status codes and bodies that the typed client would not send. */
import { type IncomingHttpHeaders, request } from 'node:http'
import type { Client, Credential } from '../../../src/client/client.ts'
import { OUR_ADDRESS } from './doors.ts'

/** What came back; `body` is the JSON, empty where there is none. */
export interface Reply {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly text: string
  readonly body: Readonly<Record<string, unknown>>
}

/** `from`: an address of its own, as for wrong credentials, which lock the address that they come from. */
export interface Sending {
  readonly as?: Readonly<Partial<Credential>>
  readonly json?: unknown
  readonly text?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly from?: string
}

/** Sends a request as it is written, and reads the whole answer. Rejects when there is none. */
export function send(
  base: string,
  method: string,
  path: string,
  { as = {}, json, text, headers, from = OUR_ADDRESS }: Sending = {},
): Promise<Reply> {
  const body = json === undefined ? text : JSON.stringify(json)
  // Without a length Node sends the body of a DELETE as if it were another request.
  const length = body !== undefined && { 'content-length': String(Buffer.byteLength(body)) }
  const own = { ...(json !== undefined && { 'content-type': 'application/json' }), ...length, ...as, ...headers }
  const { hostname, port } = new URL(base)
  const { promise, resolve, reject } = Promise.withResolvers<Reply>()
  const asked = request(
    { hostname, port, method, path, headers: own, agent: false, localAddress: from },
    async (response) => {
      try {
        const type = response.headers['content-type'] ?? ''
        // An event stream has no end.
        const bytes = /event-stream/.test(type) ? [] : await response.toArray()
        const answered = Buffer.concat(bytes).toString()
        const isJson = /json/.test(type) && answered !== ''
        const { statusCode: status = 0 } = response
        resolve({ status, headers: response.headers, text: answered, body: isJson ? JSON.parse(answered) : {} })
      } catch (error) {
        reject(error)
      } finally {
        response.destroy()
      }
    },
  )
  asked.on('error', reject).end(body)
  return promise
}

/** A further credential with every right, each with its own allowance of requests. */
export async function issueCredential(
  admin: Client,
  more: Readonly<Record<string, unknown>> = {},
): Promise<Credential & { readonly expiresTs: string }> {
  const { scopes } = await admin.ask('GET /rest/core/activeuser')
  const body = { name: 'one of many', scopes, corpIds: [1], ...more }
  return (await admin.ask('POST /rest/core/tokens', { body } as never)) as never
}
