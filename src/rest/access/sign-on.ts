/** The sign-on side (D-02): which node to go to, and three values for a person with a password. */
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
import { refuse } from '../http/problem.ts'
import { type Route, route } from '../http/route.ts'
import { issue, shift } from './issue-credential.ts'
import { isPassword, PASSWORD_LENGTH } from './password.ts'
import { scopesOf } from './roles.ts'

/** A node that was not seen for longer is not handed out (D-02). */
const SEEN_WITHIN_MS = 5_000
/** Proving a password takes 32 MiB and a fifth of a second: so many at once, and so many may wait. */
const PROOFS_AT_ONCE = 2
const PROOFS_WAITING = 20

/** What the sign-on side works with. */
export type SignOnDependencies = Pick<
  RestDependencies,
  'clock' | 'log' | 'secretBytes' | 'environment' | 'directory' | 'credentials' | 'live'
> & { readonly authenticator: Authenticator }

/** State and login; the first is the contract's (contract.md §4.6, §5). */
export function signOnRoutes(dependencies: SignOnDependencies): Route[] {
  return [stateRoute(dependencies), loginRoute(dependencies)]
}

function stateRoute({ live, clock, environment }: SignOnDependencies): Route {
  return route({
    method: 'GET',
    path: '/api/state',
    scope: 'any',
    audit: { none: 'it only says where to go' },
    rate: 'state',
    takesQueryCredentials: true,
    summary: 'The address of the node that serves all other operations',
    description:
      'Asked at the sign-on address, with the three values as headers or as query parameters. The endpoint may be ' +
      'kept as long as it answers; after a time-out or 502, 503, 504 ask again.',
    answers: { 200: Type.Object({ endpoint: Type.String() }) },
    example: { answer: { endpoint: 'https://node1.example.com' } },
    async handle({ asker }) {
      const nodes = await live.nodes()
      const chosen = chooseNode(nodes, asker.corporations[0] ?? 0, clock.nowMs())
      if (!chosen)
        return refuse('unavailable', 'no node is there just now; ask again', { headers: { 'retry-after': '2' } })
      const headers = { 'svc-node': chosen.node, 'svc-environment': environment }
      return { body: { endpoint: chosen.endpoint.replace(/\/+$/, '') }, headers }
    },
  })
}

/**
 * The same node for one corporation as long as it is there, and the corporations spread over all (highest random
 * weight: when a node goes, only its own corporations move).
 */
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
  expiresTs: InstantOut('12 h after the last use; never later than 24 h after sign-on'),
})

function loginRoute(dependencies: SignOnDependencies): Route {
  const limit = new ConcurrencyLimit(PROOFS_AT_ONCE, PROOFS_WAITING)
  return route({
    method: 'POST',
    path: '/api/login',
    scope: undefined,
    audit: { none: 'nobody has proved who they are before it; the log has every failure' },
    rate: 'state',
    summary: 'Three values for a person with a password',
    description: 'An addition. They end 12 h after their last use, and 24 h after the sign-on.',
    body: Login,
    answers: { 200: LoggedIn },
    async handle({ body, address }) {
      const { userName, password } = body
      const from = plainAddress(address)
      const answer = await limit.tryRun(async () => {
        // Looked at when it is one's turn: of many guesses sent at once, most are not looked at.
        const lockedMs = dependencies.authenticator.signOnLockedMs(from, userName)
        if (lockedMs > 0) return wait(Math.ceil(lockedMs / 1000))
        const user = await provedUser(dependencies, userName, password)
        if (user) return signedOn(dependencies, user)
        dependencies.authenticator.failedSignOn(from, userName)
        return refuse('unauthorized', 'user name and password do not belong together')
      })
      return answer === 'full' ? wait(2) : answer
    },
  })
}

function wait(seconds: number): Answer {
  const headers = { 'retry-after': String(seconds) }
  return refuse('tooManyRequests', 'wait as long as Retry-After says', { headers })
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
  const wish = {
    name: `sign-on of ${user.userName}`,
    user: user.id,
    scopes: scopesOf(user.roles),
    corporations: [user.corporation.id],
    ipAllowList: [],
    ...shift(nowMs),
  }
  const { values, credential } = issue(wish, { key: await authenticator.checkKey(), secretBytes, environment, nowMs })
  await credentials.addCredential(credential)
  return { body: { ...values, expiresTs: instantText(wish.expiresAtMs) } }
}
