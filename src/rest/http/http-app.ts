/** A web server with limits and security headers, without operations: the base of both sides of D-02. */
import { Readable } from 'node:stream'
import { type FastifyInstance, type FastifyReply, type FastifyRequest, fastify } from 'fastify'
import type { Clock } from '../../kernel/clock.ts'
import type { Log } from '../../kernel/log.ts'
import { type Random, randomText } from '../../kernel/random.ts'
import { DatabaseUnavailable } from '../../ports/dialer-repository.ts'
import type { Answer } from './answer.ts'
import { canonicalUrl } from './canonical-path.ts'
import { limitConnections } from './connection-limits.ts'
import type { Problem, ProblemKind } from './problem-kinds.ts'
import { problemBody, Refusal, refuse, statusOf } from './problem-response.ts'
import { discardRest } from './read-body.ts'
import type { Asker, Route } from './route.ts'

interface HttpDependencies {
  readonly clock: Clock
  readonly random: Random
  readonly log: Log
  /** Proxies whose `X-Forwarded-For` is trusted; none if absent. */
  readonly trustedProxies?: readonly string[]
  readonly notFound: Answer
}

/** State of a request beyond what Fastify keeps. */
export interface RequestState {
  readonly traceId: string
  readonly startedAtMs: number
  asker: Asker | undefined
  /** The secret of the request; never logged. */
  tokenv2: string
}

export interface HttpApp {
  readonly app: FastifyInstance
  stateOf(request: FastifyRequest): RequestState
  sendAnswer(request: FastifyRequest, reply: FastifyReply, answer: Answer): FastifyReply
  /** Running requests have 30 s to finish; new ones get 503. Idempotent. */
  close(): Promise<void>
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The operation of this route; absent for pages outside the contract. */
    operation?: Route
    /** Allowed methods; the route refuses the request with 405. */
    allow?: string
  }
}

/** Additions increase the minor version (D-33). */
export const API_VERSION = '1.0.0'

const HEADERS_MAX = 16 * 1024
const URL_MAX = 8 * 1024
const HEADERS_TIMEOUT_MS = 10_000
/** Last resort; `readBody` has its own timeout. */
const REQUEST_TIMEOUT_MS = 5 * 60_000
const KEEP_ALIVE_MS = 65_000
const DRAIN_MS = 30_000
const SLOW_CHECK_MS = 1_000
const PARAMETER_LENGTH_MAX = 500

/** D-04: responses are private and never rendered as a page. */
const SECURITY_HEADERS = {
  'cache-control': 'no-store',
  'content-security-policy': `default-src 'none'; base-uri 'none'; frame-ancestors 'none'`,
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'strict-transport-security': 'max-age=31536000',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
} as const

/** Fastify error code → problem kind. */
const FASTIFY_KINDS: Readonly<Record<string, ProblemKind>> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'unsupportedMediaType',
  FST_ERR_CTP_BODY_TOO_LARGE: 'tooLarge',
  FST_ERR_MAX_PARAM_LENGTH: 'uriTooLong',
}

/** Error code of Node's HTTP parser, before a request exists → problem kind. */
const PARSER_KINDS: Readonly<Record<string, ProblemKind>> = {
  HPE_HEADER_OVERFLOW: 'headersTooLarge',
  ERR_HTTP_REQUEST_TIMEOUT: 'timeout',
}

/** Creates the server; it does not listen yet. */
export function httpApp(dependencies: HttpDependencies): HttpApp {
  const { clock, log } = dependencies
  const states = new WeakMap<FastifyRequest, RequestState>()
  const stateOf = (request: FastifyRequest) => {
    const state = states.get(request) ?? newState(dependencies, request)
    states.set(request, state)
    return state
  }
  const sendAnswer = (request: FastifyRequest, reply: FastifyReply, answer: Answer) =>
    send(request, reply, answer, stateOf(request).traceId)
  const app = fastifyWith(dependencies, sendAnswer)
  const running = new RunningRequests(clock)

  app.addHook('onRequest', async (request, reply) => {
    const state = stateOf(request)
    running.begin(reply)
    reply.headers({ ...SECURITY_HEADERS, 'svc-api-version': API_VERSION, 'svc-trace-id': state.traceId })
    const answer = running.isEnding ? SHUTTING_DOWN : misuse(request)
    if (answer) return sendAnswer(request, reply, answer)
  })
  app.addHook('onResponse', async (request, reply) => {
    const { traceId, startedAtMs, asker } = stateOf(request)
    const { method, routeOptions } = request
    const line = { method, route: routeOptions.url, status: reply.statusCode, tookMs: clock.nowMs() - startedAtMs }
    const fields = { ...line, traceId, ...(asker && { credential: asker.credential }) }
    if (reply.statusCode >= 500) log.warn(fields, 'request failed')
    else log.debug(fields, 'request served')
  })
  app.addHook('onSend', async ({ raw }, reply) => {
    const isUnread = raw.complete === false && !raw.readableEnded && !raw.destroyed
    if (!isUnread) return
    const isSlow = reply.statusCode === statusOf('timeout')
    if (isSlow || !(await discardRest(raw, clock))) reply.header('connection', 'close')
  })
  app.setErrorHandler((error, request, reply) => {
    const answer = answerTo(error)
    const { traceId } = stateOf(request)
    if (answer.status === 500) log.error({ err: error, traceId, route: request.routeOptions.url }, 'internal error')
    return sendAnswer(request, reply, answer)
  })

  let closing: Promise<void> | undefined
  const close = () => (closing ??= running.end().then(() => app.close()))
  return { app, stateOf, sendAnswer, close }
}

const SHUTTING_DOWN = refuse(
  'unavailable',
  'this node is shutting down; call the state operation to get another endpoint',
  {
    headers: { 'retry-after': '1', connection: 'close' },
  },
)

function fastifyWith(
  { trustedProxies, notFound }: HttpDependencies,
  sendAnswer: HttpApp['sendAnswer'],
): FastifyInstance {
  const app = fastify({
    logger: false,
    // Any client can send the header, so it is trusted only from our own proxies.
    trustProxy: trustedProxies && trustedProxies.length > 0 ? [...trustedProxies] : false,
    rewriteUrl: ({ url = '/' }) => canonicalUrl(url),
    requestTimeout: REQUEST_TIMEOUT_MS,
    keepAliveTimeout: KEEP_ALIVE_MS,
    forceCloseConnections: true,
    return503OnClosing: false,
    routerOptions: { maxParamLength: PARAMETER_LENGTH_MAX, caseSensitive: true },
    http: {
      maxHeaderSize: HEADERS_MAX,
      headersTimeout: HEADERS_TIMEOUT_MS,
      connectionsCheckingInterval: SLOW_CHECK_MS,
    },
    frameworkErrors: (error, request, reply) => void sendAnswer(request, reply, answerTo(error)),
    clientErrorHandler: (error, socket) => {
      if (error.code === 'ECONNRESET' || !socket.writable) return socket.destroy()
      // Half closed it would stay for as long as the client says nothing.
      socket.end(rawProblem(error.code ?? ''), () => socket.destroy())
    },
  })
  limitConnections(app.server, trustedProxies ?? [])
  app.setNotFoundHandler((request, reply) => sendAnswer(request, reply, notFound))
  return app
}

class RunningRequests {
  isEnding = false
  readonly #clock: Clock
  #count = 0
  readonly #replies = new Set<FastifyReply['raw']>()
  #onNone: () => void = () => {}

  constructor(clock: Clock) {
    this.#clock = clock
  }

  begin({ raw }: FastifyReply): void {
    this.#count++
    this.#replies.add(raw)
    raw.once('close', () => {
      this.#replies.delete(raw)
      if (--this.#count === 0) this.#onNone()
    })
  }

  end(): Promise<void> {
    this.isEnding = true
    // Event streams never end by themselves.
    for (const raw of this.#replies) if (isEventStream(raw)) raw.destroy()
    if (this.#count === 0) return Promise.resolve()
    return new Promise((resolve) => {
      const timer = this.#clock.schedule(this.#clock.nowMs() + DRAIN_MS, resolve)
      this.#onNone = () => {
        timer.cancel()
        resolve()
      }
    })
  }
}

function isEventStream(raw: FastifyReply['raw']): boolean {
  return String(raw.getHeader('content-type') ?? '').startsWith('text/event-stream')
}

function newState({ clock, random }: HttpDependencies, { headers }: FastifyRequest): RequestState {
  const startedAtMs = clock.nowMs()
  const given = headers['svc-trace-id']
  const isGiven = typeof given === 'string' && /^[\w.-]{1,64}$/.test(given)
  const traceId = isGiven ? given : `${startedAtMs.toString(36)}-${randomText(random, 10)}`
  return { traceId, startedAtMs, asker: undefined, tokenv2: '' }
}

/** Refusals that need neither the database nor the body. */
function misuse({ originalUrl, routeOptions, is404 }: FastifyRequest): Answer | undefined {
  if (originalUrl.length > URL_MAX) return refuse('uriTooLong', `the URL exceeds ${URL_MAX} characters`)
  // PostgreSQL cannot store U+0000 in text; bodies with it are refused as well.
  if (originalUrl.includes('%00')) return refuse('badRequest', 'the URL must not contain the character U+0000')
  const { allow } = routeOptions.config
  if (is404 || allow === undefined) return undefined
  return refuse('methodNotAllowed', `this path allows ${allow}`, { headers: { allow } })
}

/** Sends an answer. An operation may have its own form of errors (D-06). */
function send(request: FastifyRequest, reply: FastifyReply, answer: Answer, traceId: string): FastifyReply {
  const { status = 200, headers = {}, body, stream, problem } = answer
  reply.status(problem ? (answer.status ?? statusOf(problem.kind)) : status).headers(headers)
  if (problem) return sendProblem(request, reply, problem, traceId)
  if (stream) return reply.send(request.method === 'HEAD' ? unread(stream) : stream)
  if (body === undefined) return reply.send()
  return reply.header('content-type', 'application/json; charset=utf-8').send(JSON.stringify(body))
}

/** Fastify reads the stream of a HEAD to its end: a whole recording from the disk, or a board that never ends. */
function unread(stream: Readable): Readable {
  stream.destroy()
  return Readable.from([])
}

function sendProblem(request: FastifyRequest, reply: FastifyReply, problem: Problem, traceId: string): FastifyReply {
  const own = request.routeOptions.config?.operation?.problemBody
  if (own) return reply.header('content-type', 'application/json; charset=utf-8').send(JSON.stringify(own(problem)))
  // Without the query, which may contain credentials.
  const instance = request.originalUrl.split('?', 1)[0]!.slice(0, 500)
  const text = JSON.stringify(problemBody(problem, instance, traceId))
  return reply.header('content-type', 'application/problem+json; charset=utf-8').send(text)
}

/** Maps an error to an answer. Only internal errors are 500. */
function answerTo(error: unknown): Answer {
  if (error instanceof Refusal) return error.answer
  if (error instanceof DatabaseUnavailable) {
    return refuse('unavailable', 'the database is not available; try again', {
      headers: { 'retry-after': '1' },
    })
  }
  const { code, statusCode } = error as { code?: string; statusCode?: number }
  const kind = code === undefined ? undefined : FASTIFY_KINDS[code]
  if (kind === 'unsupportedMediaType') return refuse(kind, 'unsupported media type; send application/json in UTF-8')
  if (kind) return refuse(kind, 'the request exceeds a size limit; send a smaller one')
  const isClients = code?.startsWith('FST_') && statusCode !== undefined && statusCode >= 400 && statusCode < 500
  if (isClients) return refuse('badRequest', 'the request is not well-formed HTTP')
  return refuse('internal', 'internal error; report the traceId to the operator')
}

/** Raw response where no request exists: headers too long, not HTTP, or silent for 10 s. */
function rawProblem(code: string): string {
  const problem = problemBody({ kind: PARSER_KINDS[code] ?? 'badRequest', detail: 'the connection is closed' }, '', '')
  const body = JSON.stringify(problem)
  const head = [
    `HTTP/1.1 ${problem.status} ${problem.title}`,
    'content-type: application/problem+json; charset=utf-8',
    `content-length: ${Buffer.byteLength(body)}`,
    'connection: close',
  ]
  return `${head.join('\r\n')}\r\n\r\n${body}`
}
