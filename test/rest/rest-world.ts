/** A REST server on an empty database, with a corporation, a second one, and a credential with every right. */
import { randomBytes } from 'node:crypto'
import { addressGuard } from '../../src/adapters/http/address-guard.ts'
import { type Clock, RealClock } from '../../src/kernel/clock.ts'
import type { CorporationId, UserId } from '../../src/kernel/ids.ts'
import { makeLog, silentLog } from '../../src/kernel/log.ts'
import { seededRandom } from '../../src/kernel/random.ts'
import { BoardListeners } from '../../src/live/board-listeners.ts'
import type { Credential } from '../../src/ports/credentials.ts'
import type { DatabaseNotification } from '../../src/ports/dialer-repository.ts'
import type { LivePort } from '../../src/ports/live.ts'
import { issue } from '../../src/rest/access/issue-credential.ts'
import { sessionRoutes } from '../../src/rest/access/session.ts'
import { signOnRoutes } from '../../src/rest/access/sign-on.ts'
import { tokenRoutes } from '../../src/rest/access/tokens.ts'
import { userRoutes } from '../../src/rest/access/users.ts'
import { systemRoutes } from '../../src/rest/dialer/external-systems.ts'
import type { CredentialValues } from '../../src/rest/http/credential-values.ts'
import type { RestDependencies } from '../../src/rest/http/dependencies.ts'
import { type RateClass, type Route, SCOPES, type Scope } from '../../src/rest/http/route.ts'
import { type Rest, type RestOptions, startRest } from '../../src/rest/server.ts'
import { postgresAccess } from '../../src/store/access/credentials.ts'
import { postgresDirectory } from '../../src/store/access/directory.ts'
import { postgresAudit } from '../../src/store/admin/audit.ts'
import { postgresPrivacy } from '../../src/store/admin/privacy.ts'
import type { Pools } from '../../src/store/db/pools.ts'
import { makeDatabase, servers } from '../store/db/database.ts'
import { answerWatch } from './answer-watch.ts'

/** The corporation of the world's credential, and one whose data it must never see. */
export const OURS = 1 as CorporationId
export const THEIRS = 2 as CorporationId
export const ENVIRONMENT = 'development'
const DAY_MS = 24 * 60 * 60_000

/** The choices of a test. */
export interface RestWorldOptions {
  /** The tested section. */
  readonly routes?: (dependencies: RestDependencies, pools: Pools) => readonly Route[]
  /** Parts of the section: `(pools) => ({ dialerAdmin: postgresDialerAdmin(pools) })`. */
  readonly parts?: (pools: Pools) => Partial<RestDependencies>
  readonly clock?: Clock
  readonly rest?: Partial<RestOptions>
}

/** An answer as its client sees it. `body` is JSON where there is any. */
export interface Reply {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  // biome-ignore lint/suspicious/noExplicitAny: tests check what an answer holds
  readonly body: any
  readonly text: string
}

/** Options of a request beside method, path and body. `as` is the credential; null: none. */
export interface CallOptions {
  readonly as?: CredentialValues | null
  readonly headers?: Readonly<Record<string, string>>
  /** Sent unchanged. */
  readonly text?: string | Buffer
  readonly sso?: boolean
  /** The client's address; loopback by default. */
  readonly address?: string
}

/** What differs from the usual credential; of its person what an answer may depend on. */
type CredentialChange = Partial<Omit<Credential, 'user'>> & {
  readonly user?: Pick<NonNullable<Credential['user']>, 'id' | 'userName' | 'active' | 'teams'>
}

/** A running server, and its client. */
export interface RestWorld {
  readonly pools: Pools
  readonly parts: RestDependencies
  readonly rest: Rest
  /** The credential with every right in `OURS`. */
  readonly values: CredentialValues
  call(method: string, path: string, body?: unknown, options?: CallOptions): Promise<Reply>
  /** Another credential. */
  credential(
    scopes: readonly Scope[],
    corporations?: readonly CorporationId[],
    change?: CredentialChange,
  ): Promise<CredentialValues>
  tell(notification: DatabaseNotification): void
  close(): Promise<void>
}

/** Rate limits that no test reaches by accident. */
export const PLENTY = Object.fromEntries(
  (['reads', 'writes', 'imports', 'wideSearches', 'state'] as const).map((name) => [
    name,
    { burst: 1e9, perMinute: 1e9 },
  ]),
) as Record<RateClass, { burst: number; perMinute: number }>

/** Opens it; requests are injected, and a real port exists as well (`rest.url`). */
export async function openRestWorld(options: RestWorldOptions = {}): Promise<RestWorld> {
  const database = await makeDatabase(servers[0]!)
  const { pools } = database
  await pools.jobs.query(`insert into corporations (id, name, created_at_ms) values (1, 'Ours', 0), (2, 'Theirs', 0)`)
  const listeners = new Set<(notification: DatabaseNotification) => void>()
  const parts = { ...partsOf(pools, listeners, options.clock ?? new RealClock()), ...options.parts?.(pools) }
  const key = await parts.credentials.checkKey(randomBytes(32))
  const local = { host: '127.0.0.1', port: 0 }
  const routes = options.routes?.(parts, pools) ?? []
  const rest = await startRest({
    dependencies: parts,
    routes,
    node: local,
    sso: local,
    allowances: PLENTY,
    checksAnswers: true,
    ...options.rest,
  })
  const credential: RestWorld['credential'] = async (scopes, corporations = [OURS], change = {}) => {
    const nowMs = parts.clock.nowMs()
    const input = { name: 'test', user: change.user?.id as UserId | undefined, scopes, corporations, ipAllowList: [] }
    const { secretBytes, environment } = parts
    const issuer = { key, secretBytes, environment, nowMs }
    const issued = issue({ ...input, expiresAtMs: nowMs + 300 * DAY_MS }, issuer)
    const { user, ...rest } = change
    await parts.credentials.addCredential({ ...issued.credential, ...rest })
    return issued.values
  }
  const values = await credential(SCOPES)
  const close = async () => {
    await rest.close()
    await database.drop()
  }
  const own = { ...parts, authenticator: rest.authenticator }
  const everything = [
    ...signOnRoutes(own),
    ...sessionRoutes(own),
    ...tokenRoutes(own),
    ...userRoutes(own),
    ...systemRoutes(own),
    ...routes,
  ]
  const watch = options.rest?.checksAnswers === false ? () => {} : answerWatch(everything)
  const tell = (notification: DatabaseNotification) => {
    for (const listener of listeners) listener(notification)
  }
  return { pools, parts, rest, values, credential, tell, close, call: caller(rest, values, watch) }
}

function caller(rest: Rest, values: CredentialValues, watch: ReturnType<typeof answerWatch>): RestWorld['call'] {
  return async (method, path, body, { as = values, headers = {}, text, sso = false, address } = {}) => {
    const app = sso ? rest.sso : rest.node
    if (!app) throw new Error('this side does not run')
    const payload = text ?? (body === undefined ? undefined : JSON.stringify(body))
    const type = payload === undefined ? {} : { 'content-type': 'application/json' }
    const answer = await app.inject({
      method: method as 'GET',
      url: path,
      headers: { ...type, ...as, ...headers },
      ...(payload !== undefined && { payload }),
      ...(address !== undefined && { remoteAddress: address }),
    })
    const isJson = String(answer.headers['content-type'] ?? '').includes('json')
    const parsed: unknown = isJson && answer.payload !== '' ? JSON.parse(answer.payload) : undefined
    const answered = answer.headers as Record<string, string>
    watch(method, path, { status: answer.statusCode, headers: answered, body: parsed })
    return { status: answer.statusCode, headers: answered, body: parsed, text: answer.payload }
  }
}

/** Parts that a section must provide throw when they are used. */
function partsOf(
  pools: Pools,
  listeners: Set<(notification: DatabaseNotification) => void>,
  clock: Clock,
): RestDependencies {
  const records = {
    onNotification: (listener: (notification: DatabaseNotification) => void) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
  return {
    clock,
    random: seededRandom(1),
    secretBytes: (count) => randomBytes(count),
    // The log of a mistake of ours appears in the test's output.
    log: makeLog('error'),
    environment: ENVIRONMENT,
    directory: postgresDirectory(pools),
    credentials: postgresAccess(pools),
    audit: postgresAudit(pools),
    privacy: postgresPrivacy(pools),
    keptBytes: missing('keptBytes'),
    dialerRepository: records as unknown as RestDependencies['dialerRepository'],
    dialerAdmin: missing('office'),
    callList: missing('callList'),
    journal: { read: async () => [] },
    recordedPeaks: missing('recordedPeaks'),
    flowEvents: missing('flowEvents'),
    flowRevisions: missing('flowRevisions'),
    flowCanaries: missing('flowCanaries'),
    flowTraffic: missing('flowTraffic'),
    flowWorkshop: missing('flowWorkshop'),
    outbox: missing('outbox'),
    summaries: missing('summaries'),
    transcripts: missing('transcripts'),
    deadLetters: missing('deadLetters'),
    entities: missing('entities'),
    cases: missing('cases'),
    files: missing('files'),
    activities: missing('activities'),
    fileStore: missing('fileStore'),
    sheets: missing('sheets'),
    forecaster: missing('forecaster'),
    mails: missing('mails'),
    mailboxes: [],
    webhookWeb: missing('webhookWeb'),
    lookupUrls: addressGuard({ allowedHosts: ['10.1.2.3'] }),
    agentDesktop: missing('stations'),
    supervision: missing('supervision'),
    trunks: () => [{ name: 'carrier', callerIds: ['+4570001000'] }],
    live: oneNode(clock),
    recordingsDirectory: '/nowhere',
    node: 'node1',
    endpoint: 'https://node1.example.com',
    userAgent: 'switchboard/test',
  }
}

function missing<T extends object>(name: string): T {
  return new Proxy({} as T, {
    get: () => {
      throw new Error(`this world has no ${name}; bring one in its options`)
    },
  })
}

function oneNode(clock: Clock): LivePort {
  const node = () => ({ node: 'node1', endpoint: 'https://node1.example.com', seenAtMs: clock.nowMs() })
  const boards = new BoardListeners(silentLog)
  return {
    kind: 'alone',
    beat: async () => {},
    nodes: async () => [node()],
    showAgent: async () => {},
    hideAgent: async () => {},
    agents: async () => [],
    publishBoard: (line) => boards.notify(line),
    onBoard: (listener) => boards.add(listener),
    isConnected: () => true,
    close: async () => {},
  }
}
