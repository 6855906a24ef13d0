/** Starts the web servers of one process: the node side, the sign-on side, or both (D-02). */
import type { AddressInfo } from 'node:net'
import { signOnRoutes } from './access/sign-on.ts'
import { tokenRoutes } from './access/tokens.ts'
import { userRoutes } from './access/users.ts'
import { systemRoutes } from './dialer/external-systems.ts'
import type { Answer } from './http/answer.ts'
import { Authenticator } from './http/authenticate.ts'
import type { RestDependencies } from './http/dependencies.ts'
import { type HttpApp, httpApp } from './http/http-app.ts'
import { refuse } from './http/problem.ts'
import { RateLimits } from './http/rate-limit.ts'
import { type Registrar, registerRoutes } from './http/register-routes.ts'
import type { RateClass, Route } from './http/route.ts'
import type { Allowance } from './http/token-bucket.ts'
import { documentPages, healthPages, type Readiness } from './openapi/docs-pages.ts'
import { openApiDocument } from './openapi/openapi.ts'

/** Where a side listens. Port 0 is any free one. */
export interface Listen {
  readonly host: string
  readonly port: number
}

/** What is to be served, and where. */
export interface RestOptions {
  readonly parts: RestDependencies
  /** The sections: dialer, webhooks and so on. Sign-on, tokens, people and external systems are always there. */
  readonly routes: readonly Route[]
  /** Everything but sign-on; absent: this process is no node. */
  readonly node?: Listen
  /** Sign-on; absent: this process is no sign-on side. */
  readonly sso?: Listen
  /** For trials: the node serves sign-on as well (`sso.allowSameOrigin`). */
  readonly allowSameOrigin?: boolean
  /** Proxies whose `X-Forwarded-For` is believed. */
  readonly trustedProxies?: readonly string[]
  /** Other allowances than those of D-31. */
  readonly allowances?: Readonly<Record<RateClass, Allowance>>
  /** Answers outside of their declaration are errors: for tests. */
  readonly checksAnswers?: boolean
  /** Names of the service's parts that do not run; `/readyz` is not ready before there are none. */
  readonly notRunning?: () => readonly string[]
}

/** Running servers. */
export interface Rest {
  /** Of the node side, or of the sign-on side where that is alone. No slash at the end. */
  readonly url: string
  /** Of the sign-on side, where it has an address of its own. */
  readonly ssoUrl: string | undefined
  /** The node side's server, for whoever speaks WebSocket beside us; undefined where there is none. */
  readonly node: HttpApp['app'] | undefined
  readonly sso: HttpApp['app'] | undefined
  /** Whose credentials they believe; sockets ask it too. */
  readonly authenticator: Authenticator
  /** Requests under way end first, within 30 s. Closing twice is silent. */
  close(): Promise<void>
}

/** Answers kept for repeated requests, and credentials long dead, are swept as often. */
const SWEEP_MS = 10 * 60_000

const NO_OPERATION = refuse('notFound', 'no operation has this path; /openapi.json lists them all')
/** Whoever asks for anything else at the sign-on side has taken the wrong door, and is told so (D-02). */
const WRONG_DOOR = refuse(
  'misdirected',
  'this is the sign-on address; GET /rest/api/state names the endpoint that serves everything else',
)

/** Rejects when a port cannot be listened on. */
export async function startRest(options: RestOptions): Promise<Rest> {
  const { parts: dependencies, routes, allowSameOrigin = false, checksAnswers = false } = options
  const { credentials, audit, clock, log, secretBytes, environment } = dependencies
  const authenticator = new Authenticator({ credentials, clock, log, secretBytes, environment })
  const rates = new RateLimits(options.allowances)
  const registrar: Registrar = { credentials, audit, clock, log, secretBytes, authenticator, rates, checksAnswers }
  const own = { ...dependencies, authenticator }
  const signOn = signOnRoutes(own)
  const nodeRoutes = [...tokenRoutes(own), ...userRoutes(dependencies), ...systemRoutes(dependencies), ...routes]
  const started: HttpApp[] = []
  const ready = { directory: dependencies.directory, notRunning: options.notRunning }
  const http = (notFound: Answer) => {
    const { clock, random, log } = dependencies
    const { trustedProxies = [] } = options
    const made = httpApp({ clock, random, log, trustedProxies, notFound })
    started.push(made)
    return made
  }
  const stopHearing = dependencies.dialerRepository.onNews((notification) => {
    if (notification === 'access') authenticator.forget()
  })
  const sweeper = sweepAccess(dependencies)
  const close = async () => {
    stopHearing()
    sweeper.cancel()
    await Promise.all(started.map((made) => made.close()))
  }
  try {
    const nodeApp = options.node && http(NO_OPERATION)
    if (nodeApp) await prepareNode(nodeApp, nodeRoutes, allowSameOrigin ? signOn : [], signOn, registrar, ready)
    const ssoApp = options.sso && http(WRONG_DOOR)
    if (ssoApp) prepareSignOn(ssoApp, signOn, registrar, ready)
    const url = nodeApp && options.node ? await listen(nodeApp, options.node) : undefined
    const ssoUrl = ssoApp && options.sso ? await listen(ssoApp, options.sso) : undefined
    return { url: url ?? ssoUrl ?? '', ssoUrl, node: nodeApp?.app, sso: ssoApp?.app, authenticator, close }
  } catch (error) {
    await close()
    throw error
  }
}

async function prepareNode(
  http: HttpApp,
  routes: readonly Route[],
  alsoHere: readonly Route[],
  signOn: readonly Route[],
  registrar: Registrar,
  ready: Readiness,
): Promise<void> {
  registerRoutes(http, [...routes, ...alsoHere], registrar)
  healthPages(http, ready)
  await documentPages(http, openApiDocument([...signOn, ...routes]))
}

function prepareSignOn(http: HttpApp, routes: readonly Route[], registrar: Registrar, ready: Readiness): void {
  registerRoutes(http, routes, registrar)
  healthPages(http, ready)
}

async function listen({ app }: HttpApp, { host, port }: Listen): Promise<string> {
  await app.listen({ host, port })
  const { port: taken } = app.server.address() as AddressInfo
  return `http://${host.includes(':') ? `[${host}]` : host}:${taken}`
}

function sweepAccess({ credentials, clock, log }: RestDependencies): { cancel(): void } {
  const again = () => clock.schedule(clock.nowMs() + SWEEP_MS, sweep)
  const sweep = () => {
    timer = again()
    credentials.sweepAccess(clock.nowMs()).catch((error: unknown) => {
      log.warn({ error: String(error) }, 'old keys and credentials could not be swept away')
    })
  }
  let timer = again()
  return { cancel: () => timer.cancel() }
}
