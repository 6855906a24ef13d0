/** The sign-on side (D-02): the endpoint of a node, and login with a password. */
import { createHash } from 'node:crypto'
import { Type } from 'typebox'
import type { AtMs } from '../../kernel/clock.ts'
import type { User } from '../../ports/directory.ts'
import type { LiveNode } from '../../ports/live.ts'
import type { Answer } from '../http/answer.ts'
import type { Authenticator } from '../http/authenticate.ts'
import type { CredentialValues } from '../http/credential-values.ts'
import type { RestDependencies } from '../http/dependencies.ts'
import { plainAddress } from '../http/ip-allow-list.ts'
import { InstantOut, instantText } from '../http/list-params.ts'
import { refuse } from '../http/problem-response.ts'
import { type Route, route } from '../http/route.ts'
import { issue, shift } from './issue-credential.ts'
import { isPassword, PASSWORD_LENGTH } from './password.ts'
import { scopesOf } from './roles.ts'
import { checkSecondFactor } from './second-factor-check.ts'

/** A node that was not seen for longer is not offered (D-02). */
const SEEN_WITHIN_MS = 5_000
const CODES = {
  missing: 'this person has a second factor: send the one-time code of their app as code',
  wrong: 'the one-time code is wrong, or was used before; wait for the next one',
} as const
/** What sign-on asks for. */
export type SignOnDependencies = RestDependencies & { readonly authenticator: Authenticator }

/** State (contract.md §4.6, §5) and login (an addition). */
export function signOnRoutes(dependencies: SignOnDependencies): Route[] {
  return [stateRoute(dependencies), loginRoute(dependencies)]
}

function stateRoute({ live, clock, environment }: SignOnDependencies): Route {
  return route({
    method: 'GET',
    path: '/api/state',
    isForEnrolment: true,
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

/** What a person signs on with. */
export const Login = Type.Object(
  {
    userName: Type.String({ minLength: 1, maxLength: 255 }),
    password: Type.String({ minLength: 1, maxLength: PASSWORD_LENGTH.max }),
    code: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 32,
        description: 'Of people with a second factor: the one-time code of their app, or a recovery code',
      }),
    ),
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
    handle: ({ body, address }) =>
      signedOn(dependencies, body, address, async (user) => {
        const { values, expiresAtMs } = await addSignOn(dependencies, user)
        return { body: { ...values, expiresTs: instantText(expiresAtMs) } }
      }),
  })
}

/**
 * Checks a password, then answers what `proved` does for its owner; otherwise a refusal that does not say which of
 * both was wrong.
 */
export async function withPassword(
  dependencies: SignOnDependencies,
  { userName, password }: { readonly userName: string; readonly password: string },
  address: string,
  proved: (user: User) => Promise<Answer>,
): Promise<Answer> {
  const { authenticator } = dependencies
  const from = plainAddress(address)
  const answer = await authenticator.passwordChecks.tryRun(async () => {
    // Checked only now: of many guesses sent at once, most are refused here.
    const lockedMs = authenticator.signOnLockedMs(from, userName)
    if (lockedMs > 0) return wait(Math.ceil(lockedMs / 1000))
    const user = await provedUser(dependencies, userName, password)
    if (user) return proved(user)
    authenticator.failedSignOn(from, userName)
    return refuse('unauthorized', 'user name or password is wrong')
  })
  return answer === 'full' ? wait(2) : answer
}

/** The same with the second factor of whoever has one. A code without the password is nothing, and is not looked at. */
export async function signedOn(
  dependencies: SignOnDependencies,
  login: { readonly userName: string; readonly password: string; readonly code?: string },
  address: string,
  proved: (user: User) => Promise<Answer>,
): Promise<Answer> {
  return withPassword(dependencies, login, address, async (user) => {
    const result = await checkSecondFactor(dependencies, user.id, login.code)
    if (result === 'proved') return proved(user)
    if (result === 'wrong') dependencies.authenticator.failedSignOn(plainAddress(address), login.userName)
    return refuse('unauthorized', CODES[result], { errors: [{ path: 'code', code: result, message: CODES[result] }] })
  })
}

function wait(seconds: number): Answer {
  const headers = { 'retry-after': String(seconds) }
  return refuse('tooManyRequests', 'too many requests; retry after the time in Retry-After', { headers })
}

async function provedUser(
  { directory }: RestDependencies,
  userName: string,
  password: string,
): Promise<User | undefined> {
  const known = await directory.passwordHash(userName)
  const isProved = await isPassword(password, known?.hash)
  return isProved && known ? directory.user(known.id) : undefined
}

/** Creates and stores the short-lived credential of a person who has just proved who they are. */
export async function addSignOn(
  dependencies: SignOnDependencies,
  user: User,
  isSession = false,
): Promise<{ readonly values: CredentialValues; readonly expiresAtMs: AtMs }> {
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
  const issuer = { key: await authenticator.checkKey(), secretBytes, environment, nowMs, isSession }
  const { values, credential } = issue(request, issuer)
  await credentials.addCredential(credential)
  return { values, expiresAtMs: request.expiresAtMs }
}
