import { Agent } from 'undici'
import type { Clock } from '../../kernel/clock.ts'
import type { Log } from '../../kernel/log.ts'
import type { GuardedWeb, WebAnswer, WebRequest } from '../../ports/web.ts'
import type { AddressGuard } from './address-guard.ts'
import type { HttpCircuitBreaker } from './circuit-breaker.ts'
import { guardedConnector } from './guarded-connector.ts'
import { BODY_BYTES_MAX, type Exchange, exchange } from './http-exchange.ts'
import { UNWRITABLE_CODE } from './network-error.ts'

interface WebOptions {
  readonly clock: Clock
  readonly guard: AddressGuard
  /** On the same clock. Absent where the caller tracks the health of hosts and reports failures itself. */
  readonly breaker?: HttpCircuitBreaker
  /** Default: one second. */
  readonly connectTimeoutMs?: number
  readonly log: Log
}

/** Limit for concurrent requests: more than callers can cause. */
const PENDING_MAX = 5_000
const CONNECTIONS_PER_HOST_MAX = 128
const HOSTS_MAX = 1_000

/** The HTTP client, over undici. `close` aborts running requests without calling back. */
export function webOverUndici(options: WebOptions): GuardedWeb & { close(): Promise<void> } {
  const { clock, guard } = options
  const agent = new Agent({
    connect: guardedConnector(guard, options.connectTimeoutMs),
    connections: CONNECTIONS_PER_HOST_MAX,
    maxOrigins: HOSTS_MAX,
    // One limit covers the whole exchange, on the injected clock.
    headersTimeout: 0,
    bodyTimeout: 0,
  })
  const underWay = new Set<{ cancel(): void }>()

  function request(request: WebRequest, done: (answer: WebAnswer) => void): { cancel(): void } {
    const abort = new AbortController()
    const startedAtMs = clock.nowMs()
    const end = () => {
      timer.cancel()
      return underWay.delete(handle)
    }
    const handle = {
      cancel: () => {
        if (end()) abort.abort()
      },
    }
    const finish = ({ answer, host }: HostAnswer) => {
      if (!end()) return
      tell(options, { answer, host }, clock.nowMs() - startedAtMs)
      done(answer)
    }
    const timer = clock.schedule(startedAtMs + request.timeoutMs, () => {
      const host = URL.parse(request.url)?.host
      const why = `${host} did not answer within ${request.timeoutMs} ms`
      finish({ host, answer: { outcome: 'timeout', why } })
      abort.abort()
    })
    const isOneTooMany = underWay.size >= PENDING_MAX
    underWay.add(handle)
    void (isOneTooMany ? tooMany() : ask(agent, options, request, abort.signal)).then(finish)
    return handle
  }

  return {
    request,
    judge: (url) => guard.judge(url),
    async close() {
      for (const handle of underWay) handle.cancel()
      await agent.destroy()
    },
  }
}

/** An answer and the host that was asked for it; no host if none was asked. */
interface HostAnswer {
  readonly answer: WebAnswer
  readonly host: string | undefined
}

/** One request through guard and breaker. Never rejects, and never answers before its caller has the handle. */
async function ask(
  agent: Agent,
  { guard, breaker }: WebOptions,
  request: WebRequest,
  signal: AbortSignal,
): Promise<HostAnswer> {
  const verdict = guard.judge(request.url)
  if (!verdict.ok) return { answer: { outcome: 'forbidden', why: verdict.why }, host: undefined }
  const { url } = verdict
  const body = request.bytes ?? request.text ?? asJson(request.body)
  if (body === NOT_JSON) {
    return { answer: { outcome: 'network', why: 'the body cannot be sent as JSON' }, host: undefined }
  }
  if (breaker && !breaker.mayAsk(url.host)) {
    const why = `${url.host} failed several times and is left alone for a while`
    return { answer: { outcome: 'unavailable', why }, host: url.host }
  }
  const { method, headers, readBytesMax, answerBytesMax } = request
  const exchanged = await exchange(agent, { method, url, headers, body, readBytesMax, answerBytesMax, signal })
  // Values of one call that HTTP cannot write must not keep the host from all others.
  const isUnwritable = exchanged.kind === 'failed' && exchanged.code === UNWRITABLE_CODE
  const answer = asAnswer(exchanged, url, answerBytesMax ?? BODY_BYTES_MAX)
  return { answer, host: isUnwritable ? undefined : url.host }
}

async function tooMany(): Promise<HostAnswer> {
  const why = `more than ${PENDING_MAX} requests are under way`
  return { answer: { outcome: 'unavailable', why }, host: undefined }
}

/** Reports health to the breaker, and logs host and outcome, never a path, header or body. */
function tell({ breaker, log }: WebOptions, { answer, host }: HostAnswer, tookMs: number): void {
  const { outcome } = answer
  if (outcome === 'answered') log.debug({ host, outcome, status: answer.status, tookMs }, 'web request answered')
  // Each call reports this while a circuit is open; its opening was logged once.
  else if (outcome === 'unavailable') log.debug({ host, outcome }, 'web request not sent')
  else if (!breaker) log.debug({ host, outcome, tookMs, why: answer.why }, 'web request failed')
  else log.warn({ host, outcome, tookMs, why: answer.why }, 'web request failed')
  if (!breaker || host === undefined || outcome === 'forbidden' || outcome === 'unavailable') return
  const isWell = outcome === 'answered' && answer.status < 500
  const change = breaker.report(host, isWell ? 'well' : 'ill')
  if (change === 'opened') log.warn({ host }, 'the host failed too often; probing it every 10 s')
  if (change === 'closed') log.info({ host }, 'the host answers again')
}

function asAnswer(exchange: Exchange, { host }: URL, bytesMax: number): WebAnswer {
  switch (exchange.kind) {
    case 'answered': {
      const { status, body, contentType, bytes, retryAfter } = exchange
      const rest = { ...(bytes && { bytes }), ...(retryAfter !== undefined && { retryAfter }) }
      return { outcome: 'answered', status, body, contentType, ...rest }
    }
    case 'tooLarge':
      return { outcome: 'tooLarge', why: `the answer of ${host} is larger than ${bytesMax / 1024} kB` }
    case 'forbidden':
      return { outcome: 'forbidden', why: exchange.why }
    case 'failed':
      return { outcome: 'network', why: `${host}: ${exchange.why}` }
  }
}

const NOT_JSON = Symbol('not JSON')

function asJson(body: unknown): string | undefined | typeof NOT_JSON {
  try {
    return body === undefined ? undefined : JSON.stringify(body)
  } catch {
    return NOT_JSON
  }
}
