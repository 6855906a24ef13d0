import { assert } from '../kernel/assert.ts'
import type { Clock, Timer } from '../kernel/clock.ts'
import type { RESTResponse } from './ari-types.ts'
import { type AriAnswer, noAnswer, type RestRequest, toAnswer } from './operation.ts'

/** Law 9. At 250 calls/s, Asterisk's limit, this is more than ten seconds of requests. */
const WAITING_MAX = 10_000

/** Our choice (F-A9): an Asterisk that needs longer is overloaded, and a caller is waiting. */
export const ANSWER_MAX_MS = 3_000

/** Requests over the event socket (since Asterisk 22.4), matched by `request_id`. Asterisk handles them in order. */
export class RestOverSocket {
  readonly #clock: Clock
  readonly #send: (frame: string) => void
  readonly #waiting = new Map<string, { readonly done: (answer: AriAnswer) => void; readonly timer: Timer }>()
  #lastId = 0

  constructor(clock: Clock, send: (frame: string) => void) {
    this.#clock = clock
    this.#send = send
  }

  request({ method, path, query, body }: RestRequest): Promise<AriAnswer> {
    assert(path.startsWith('/'), 'the path of an ARI request starts with a slash')
    if (this.#waiting.size >= WAITING_MAX) return Promise.resolve(noAnswer('too many requests are waiting', 'no'))
    const id = String(++this.#lastId)
    const frame = {
      type: 'RESTRequest',
      transaction_id: id,
      request_id: id,
      method,
      uri: path.slice(1),
      ...(query.length > 0 && { query_strings: query.map(([name, value]) => ({ name, value })) }),
      ...(body !== undefined && { content_type: 'application/json', message_body: body }),
    }
    return new Promise((done) => {
      const tooLate = () => this.#settle(id, noAnswer(`no answer within ${ANSWER_MAX_MS / 1000} s`, 'perhaps'))
      this.#waiting.set(id, { done, timer: this.#clock.schedule(this.#clock.nowMs() + ANSWER_MAX_MS, tooLate) })
      this.#send(JSON.stringify(frame))
    })
  }

  /** Takes an answer. A late or doubled one is ignored. */
  take({ request_id, status_code, message_body }: RESTResponse): void {
    this.#settle(String(request_id), toAnswer(status_code, message_body))
  }

  /** The socket is gone: all waiting requests end without an answer, in the order of sending. */
  lose(why: string): void {
    for (const id of [...this.#waiting.keys()]) this.#settle(id, noAnswer(why, 'perhaps'))
  }

  #settle(id: string, answer: AriAnswer): void {
    const waiting = this.#waiting.get(id)
    if (!waiting) return
    this.#waiting.delete(id)
    waiting.timer.cancel()
    waiting.done(answer)
  }
}
