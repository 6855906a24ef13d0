/** Starts the web servers of a process: node side, sign-on side, or both (D-02). */
import type { AddressInfo } from 'node:net'
import type { Role } from '../ports/directory.ts'
import { sessionRoutes } from './access/session.ts'
import { signOnRoutes } from './access/sign-on.ts'
import { tokenRoutes } from './access/tokens.ts'
import { userRoutes } from './access/users.ts'
import { systemRoutes } from './dialer/external-systems.ts'
import type { Answer } from './http/answer.ts'
import { rememberedReads } from './http/audit-recorder.ts'
import { Authenticator } from './http/authenticate.ts'
import { type Console, consolePages } from './http/console-pages.ts'
import type { RestDependencies } from './http/dependencies.ts'
import { type HttpApp, httpApp } from './http/http-app.ts'
import { KeyRoom } from './http/key-room.ts'
import { refuse } from './http/problem-response.ts'
import { RateLimits } from './http/rate-limit.ts'
import { BodyRoom } from './http/read-body.ts'
import { type Registrar, registerRoutes, turn } from './http/register-routes.ts'
import type { RateClass, Route } from './http/route.ts'
import type { Allowance } from './http/token-bucket.ts'
import { WidePages } from './http/wide-pages.ts'
import { documentPages, healthPages, type Readiness, type ReadyCheck } from './openapi/docs-pages.ts'
import { openApiDocument } from './openapi/openapi.ts'

/** Port 0 means any free port. */
interface Listen {
  readonly host: string
  readonly port: number
}

export interface RestOptions {
  readonly dependencies: RestDependencies
  /** Additional operations. Sign-on, tokens, users and external systems are always served. */
  readonly routes: readonly Route[]
  /** Everything except sign-on; absent: this process is not a node. */
  readonly node?: Listen
  /** Sign-on; absent: this process does not serve it. */
  readonly sso?: Listen
  /** For trials: the node also serves sign-on (`sso.allowSameOrigin`). */
  readonly allowSameOrigin?: boolean
  /** Proxies whose `X-Forwarded-For` is trusted. */
  readonly trustedProxies?: readonly string[]
  /** People with one of these roles need a second factor; before they have one, they can only turn it on (rest-38). */
  readonly secondFactorRoles?: readonly Role[]
  /** Overrides the rate limits of D-31. */
  readonly allowances?: Readonly<Record<RateClass, Allowance>>
  /** For tests: an answer that does not match its schema is an error. */
  readonly checksAnswers?: boolean
  /** The pages of the console, which the node serves; absent: it serves none. */
  readonly console?: Console
  /** Of `/readyz`, besides the database. */
  readonly ready?: readonly ReadyCheck[]
  /** How many flows have an error on this node; `/readyz` tells. */
  readonly flowProblems?: () => number
}

export interface Rest {
  /** URL of the node side, or of the sign-on side if there is no node side. No trailing slash. */
  readonly url: string
  /** URL of the sign-on side, if separate. */
  readonly ssoUrl: string | undefined
  /** The node side's server, for WebSocket handlers; undefined without a node side. */
  readonly node: HttpApp['app'] | undefined
  readonly sso: HttpApp['app'] | undefined
  /** Also authenticates WebSockets. */
  readonly authenticator: Authenticator
  /** Running requests have 30 s to finish. Idempotent. */
  close(): Promise<void>
}

/** Interval for deleting stored answers and expired credentials. */
const SWEEP_MS = 10 * 60_000

const NO_OPERATION = refuse('notFound', 'no operation has this path; /openapi.json lists all operations')
/** Answer of the sign-on side for all other paths (D-02). */
const SIGN_ON_ONLY = refuse(
  'misdirected',
  'this is the sign-on address; call GET /rest/api/state to get the endpoint of all other operations',
)

/** Rejects if a port is not available. */
export async function startRest(options: RestOptions): Promise<Rest> {
  const prepared = await prepareRest(options)
  return prepared.listen()
}

/** Web servers that do not listen yet. */
interface PreparedRest extends Pick<Rest, 'close'> {
  /** Rejects, and closes, if a port is not available. */
  listen(): Promise<Rest>
}

/** Compiles all operations and the document, which keeps a processor busy for seconds. */
export async function prepareRest(options: RestOptions): Promise<PreparedRest> {
  const { dependencies, routes, allowSameOrigin = false, checksAnswers = false, secondFactorRoles = [] } = options
  const { credentials, audit, clock, log, secretBytes, environment } = dependencies
  const authenticator = new Authenticator({ credentials, clock, log, secretBytes, environment, secondFactorRoles })
  const [rates, keyRoom] = [new RateLimits(options.allowances), new KeyRoom(credentials)]
  const rooms = { keyRoom, bodyRoom: new BodyRoom(), widePages: new WidePages(clock) }
  const limits = { authenticator, rates, ...rooms, ...rememberedReads(clock) }
  const registrar: Registrar = { credentials, audit, clock, log, secretBytes, ...limits, checksAnswers }
  const own = { ...dependencies, authenticator }
  const signOn = signOnRoutes(own)
  const access = [...sessionRoutes(own), ...tokenRoutes(own), ...userRoutes(own), ...systemRoutes(own)]
  const nodeRoutes = [...access, ...routes]
  const started: HttpApp[] = []
  const { ready: checks = [], flowProblems } = options
  const ready = { directory: dependencies.directory, checks, flowProblems }
  const http = (notFound: Answer) => {
    const { clock, random, log } = dependencies
    const { trustedProxies = [] } = options
    const made = httpApp({ clock, random, log, trustedProxies, notFound })
    started.push(made)
    return made
  }
  const stopListening = dependencies.dialerRepository.onNotification((notification) => {
    if (notification === 'access') authenticator.forget()
  })
  const sweeper = sweepAccess(dependencies)
  const close = async () => {
    stopListening()
    sweeper.cancel()
    await Promise.all(started.map((made) => made.close()))
  }
  const orClose = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    try {
      return await work()
    } catch (error) {
      await close()
      throw error
    }
  }
  const nodeApp = options.node && http(NO_OPERATION)
  const ssoApp = options.sso && http(SIGN_ON_ONLY)
  await orClose(async () => {
    if (nodeApp) {
      registerRoutes(nodeApp, [...nodeRoutes, ...(allowSameOrigin ? signOn : [])], registrar)
      healthPages(nodeApp, ready)
      const signOnUrl = options.sso && !allowSameOrigin ? urlOf(options.sso) : undefined
      await documentPages(nodeApp, openApiDocument([...signOn, ...nodeRoutes], signOnUrl), () => turn(clock))
      if (options.console) consolePages(nodeApp, options.console)
    }
    if (ssoApp) prepareSignOn(ssoApp, signOn, registrar, ready)
  })
  const listenAll = async (): Promise<Rest> => {
    const url = nodeApp && options.node ? await listen(nodeApp, options.node) : undefined
    const ssoUrl = ssoApp && options.sso ? await listen(ssoApp, options.sso) : undefined
    return { url: url ?? ssoUrl ?? '', ssoUrl, node: nodeApp?.app, sso: ssoApp?.app, authenticator, close }
  }
  return { listen: () => orClose(listenAll), close }
}

function prepareSignOn(http: HttpApp, routes: readonly Route[], registrar: Registrar, ready: Readiness): void {
  registerRoutes(http, routes, registrar)
  healthPages(http, ready)
}

async function listen({ app }: HttpApp, { host, port }: Listen): Promise<string> {
  await app.listen({ host, port })
  const { port: taken } = app.server.address() as AddressInfo
  return urlOf({ host, port: taken })
}

function urlOf({ host, port }: Listen): string {
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`
}

function sweepAccess({ credentials, clock, log }: RestDependencies): { cancel(): void } {
  const again = () => clock.schedule(clock.nowMs() + SWEEP_MS, sweep)
  const sweep = () => {
    timer = again()
    credentials.sweepAccess(clock.nowMs()).catch((error: unknown) => {
      log.warn({ error: String(error) }, 'old idempotency keys and credentials not deleted')
    })
  }
  let timer = again()
  return { cancel: () => timer.cancel() }
}
