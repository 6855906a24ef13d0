/** The sign-on side (D-02): the endpoint of a node, and login with a password. */
import { createHash } from 'node:crypto'
import { Type } from 'typebox'
import type { AtMs } from '../../kernel/clock.ts'
import { ConcurrencyLimit } from '../../kernel/concurrency-limit.ts'
import type { User } from '../../ports/directory.ts'
import type { LiveNode } from '../../ports/live.ts'
import type { Answer } from '../http/answer.ts'
import type { Authenticator } from '../http/authenticate.ts'
import type { RestDependencies } from '../http/dependencies.ts'
import { plainAddress } from '../http/ip-allow-list.ts'
import { InstantOut, instantText } from '../http/list-params.ts'
import { refuse } from '../http/problem-response.ts'
import { type Route, route } from '../http/route.ts'
import { issue, shift } from './issue-credential.ts'
import { isPassword, PASSWORD_LENGTH } from './password.ts'
import { scopesOf } from './roles.ts'

/** A node that was not seen for longer is not offered (D-02). */
const SEEN_WITHIN_MS = 5_000
/** Checking a password takes 32 MiB and 0.2 s, so the number of concurrent and waiting checks is limited. */
const CHECKS_AT_ONCE = 2
const CHECKS_WAITING = 20

type SignOnDependencies = RestDependencies & { readonly authenticator: Authenticator }

/** State (contract.md §4.6, §5) and login (an addition). */
export function signOnRoutes(dependencies: SignOnDependencies): Route[] {
  return [stateRoute(dependencies), loginRoute(dependencies)]
}

function stateRoute({ live, clock, environment }: SignOnDependencies): Route {
  return route({
    method: 'GET',
    path: '/api/state',
    scope: 'any',
    audit: { none: 'it only returns an endpoint' },
    rate: 'state',
    takesQueryCredentials: true,
    summary: 'Get the endpoint of the node that serves all other operations',
    description:
      'Served at the sign-on address; the three values may be headers or query parameters. Cache the endpoint; after ' +
      'a timeout or status 502, 503 or 504 call this operation again.',
    answers: { 200: Type.Object({ endpoint: Type.String() }) },
    example: { answer: { endpoint: 'https://node1.example.com' } },
    async handle({ asker }) {
      const nodes = await live.nodes()
      const chosen = chooseNode(nodes, asker.corporations[0] ?? 0, clock.nowMs())
      if (!chosen) return refuse('unavailable', 'no node is available; try again', { headers: { 'retry-after': '2' } })
      const headers = { 'svc-node': chosen.node, 'svc-environment': environment }
      return { body: { endpoint: chosen.endpoint.replace(/\/+$/, '') }, headers }
    },
  })
}

/** Highest random weight: a corporation moves only when its own node goes away. */
export function chooseNode(nodes: readonly LiveNode[], corporation: number, nowMs: AtMs): LiveNode | undefined {
  const weight = ({ node }: LiveNode) => createHash('sha256').update(`${corporation} ${node}`).digest('hex')
  const healthy = nodes.filter(({ seenAtMs }) => seenAtMs >= nowMs - SEEN_WITHIN_MS)
  const weighed = healthy.map((node) => ({ node, weight: weight(node) }))
  return weighed.sort((a, b) => (a.weight < b.weight ? 1 : -1))[0]?.node
}

const Login = Type.Object(
  {
    userName: Type.String({ minLength: 1, maxLength: 255 }),
    password: Type.String({ minLength: 1, maxLength: PASSWORD_LENGTH.max }),
  },
  { additionalProperties: false },
)

const LoggedIn = Type.Object({
  tokenv2: Type.String(),
  rcntrl: Type.String(),
  ccntrl: Type.String(),
  expiresTs: InstantOut('Expiry: 12 h after the last use, at most 24 h after login'),
})

function loginRoute(dependencies: SignOnDependencies): Route {
  const limit = new ConcurrencyLimit(CHECKS_AT_ONCE, CHECKS_WAITING)
  return route({
    method: 'POST',
    path: '/api/login',
    scope: undefined,
    audit: { none: 'the client is not authenticated yet; failures are logged' },
    rate: 'state',
    summary: 'Log in with a password',
    description:
      'An addition to the contract. The credential expires 12 h after its last use and at most 24 h after login.',
    body: Login,
    answers: { 200: LoggedIn },
    async handle({ body, address }) {
      const { userName, password } = body
      const from = plainAddress(address)
      const answer = await limit.tryRun(async () => {
        // Checked only now: of many guesses sent at once, most are refused here.
        const lockedMs = dependencies.authenticator.signOnLockedMs(from, userName)
        if (lockedMs > 0) return wait(Math.ceil(lockedMs / 1000))
        const user = await provedUser(dependencies, userName, password)
        if (user) return signedOn(dependencies, user)
        dependencies.authenticator.failedSignOn(from, userName)
        return refuse('unauthorized', 'user name or password is wrong')
      })
      return answer === 'full' ? wait(2) : answer
    },
  })
}

function wait(seconds: number): Answer {
  const headers = { 'retry-after': String(seconds) }
  return refuse('tooManyRequests', 'too many requests; retry after the time in Retry-After', { headers })
}

async function provedUser(
  { directory }: SignOnDependencies,
  userName: string,
  password: string,
): Promise<User | undefined> {
  const known = await directory.passwordHash(userName)
  const isProved = await isPassword(password, known?.hash)
  return isProved && known ? directory.user(known.id) : undefined
}

async function signedOn(dependencies: SignOnDependencies, user: User): Promise<Answer> {
  const { credentials, clock, secretBytes, environment, authenticator } = dependencies
  const nowMs = clock.nowMs()
  const request = {
    name: `sign-on of ${user.userName}`,
    user: user.id,
    scopes: scopesOf(user.roles),
    corporations: [user.corporation.id],
    ipAllowList: [],
    ...shift(nowMs),
  }
  const { values, credential } = issue(request, {
    key: await authenticator.checkKey(),
    secretBytes,
    environment,
    nowMs,
  })
  await credentials.addCredential(credential)
  return { body: { ...values, expiresTs: instantText(request.expiresAtMs) } }
}
