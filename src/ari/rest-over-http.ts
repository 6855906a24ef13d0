import { Client } from 'undici'
import type { Clock } from '../kernel/clock.ts'
import type { AriAddress } from './address.ts'
import { type AriAnswer, noAnswer, type RestRequest, toAnswer } from './operation.ts'
import { ANSWER_MAX_MS } from './rest-over-socket.ts'

const WAITING_MAX = 1_000

/** A list of 10,000 channels is about 7 MB. */
const BYTES_MAX = 64 * 1024 * 1024

/** For lists too long for a frame of the socket, and for Asterisk before 22.4. One at a time, to keep their order. */
export class RestOverHttp {
  readonly #client: Client
  readonly #clock: Clock
  readonly #path: string
  readonly #authorization: string
  #waiting = 0

  constructor(address: AriAddress, authorization: string, clock: Clock) {
    this.#client = new Client(address.origin, { pipelining: 1, maxResponseSize: BYTES_MAX })
    this.#clock = clock
    this.#path = address.path
    this.#authorization = authorization
  }

  async request({ method, path, query, body }: RestRequest): Promise<AriAnswer> {
    if (this.#waiting >= WAITING_MAX) return noAnswer('too many requests are waiting', 'no')
    this.#waiting += 1
    const abort = new AbortController()
    const timer = this.#clock.schedule(this.#clock.nowMs() + ANSWER_MAX_MS, () => abort.abort())
    try {
      const parameters = query.length > 0 ? `?${new URLSearchParams(query as [string, string][])}` : ''
      const response = await this.#client.request({
        method: method as 'GET',
        path: `${this.#path}${path}${parameters}`,
        headers: {
          authorization: this.#authorization,
          ...(body !== undefined && { 'content-type': 'application/json' }),
        },
        body: body ?? null,
        signal: abort.signal,
      })
      return toAnswer(response.statusCode, await response.body.text())
    } catch (error) {
      if (abort.signal.aborted) return noAnswer(`no answer within ${ANSWER_MAX_MS / 1000} s`, 'perhaps')
      const { code, message } = error as { code?: string; message?: string }
      return noAnswer(code ?? message ?? 'no connection', code === 'ECONNREFUSED' ? 'no' : 'perhaps')
    } finally {
      timer.cancel()
      this.#waiting -= 1
    }
  }

  close(): Promise<void> {
    return this.#client.destroy()
  }
}
