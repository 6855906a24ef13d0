/** Sessions of people in a browser: sign in, who am I, sign out. Our addition, for the console. */
import { Type } from 'typebox'
import type { User } from '../../ports/directory.ts'
import { ROLES } from '../../ports/directory.ts'
import { InstantOut, instantText } from '../http/list-params.ts'
import { refuse } from '../http/problem-response.ts'
import { PLAIN_READ, type Route, route } from '../http/route.ts'
import { endedCookie, pageOrigin, sessionCookie } from '../http/session-cookie.ts'
import { secondFactorRoutes } from './second-factor.ts'
import { addSignOn, Login, type SignOnDependencies, signedOn } from './sign-on.ts'

const Session = Type.Object({
  userId: Type.Integer(),
  userName: Type.String(),
  name: Type.String(),
  roles: Type.Array(Type.Enum([...ROLES])),
  corporation: Type.Object({ id: Type.Integer(), name: Type.String() }),
  expiresTs: InstantOut('End of the session, if it is not used until then'),
  owesSecondFactor: Type.Boolean({
    description:
      'The role of this person needs a second factor, and they have none: before they turn it on, every other ' +
      'operation is refused to them with 403 and the code `required` for `secondFactor`.',
  }),
})

const NO_PAGE = refuse(
  'forbidden',
  'this operation serves the pages of this node alone; programs use POST /rest/api/login at the sign-on address',
)
const NO_HTTPS = refuse(
  'forbidden',
  'a session needs https: open the page with https://, or on this computer itself with http://localhost',
)

/** All operations, with those of the second factor. */
export function sessionRoutes(dependencies: SignOnDependencies): Route[] {
  return [signIn(dependencies), whoAmI(dependencies), signOut(dependencies), ...secondFactorRoutes(dependencies)]
}

function signIn(dependencies: SignOnDependencies): Route {
  return route({
    method: 'POST',
    path: '/core/session',
    scope: undefined,
    audit: { none: 'the client is not authenticated yet; failures are logged' },
    rate: 'state',
    summary: 'Sign in a person in a browser',
    description:
      'For pages of this node alone. The answer sets a cookie that scripts cannot read. Requests with the cookie ' +
      'also need the header `svc-console: 1`, and are refused where the browser says that another origin sent them.',
    body: Login,
    answers: { 200: Session },
    async handle({ body, headers, address }) {
      const origin = pageOrigin(headers)
      if (!origin || headers['svc-console'] !== '1') return NO_PAGE
      // Browsers would drop the cookie without a word.
      if (!origin.isSecure && !origin.isLoopback) return NO_HTTPS
      return signedOn(dependencies, body, address, async (user) => {
        const { values, expiresAtMs } = await addSignOn(dependencies, user, true)
        return {
          headers: { 'set-cookie': sessionCookie(values, origin) },
          body: await sessionOf(dependencies, user, expiresAtMs),
        }
      })
    },
  })
}

function whoAmI(dependencies: SignOnDependencies): Route {
  return route({
    method: 'GET',
    path: '/core/session',
    isForEnrolment: true,
    scope: 'any',
    audit: PLAIN_READ,
    summary: 'Who the credential belongs to, and their roles',
    description: '403 for the credential of a system, which belongs to nobody.',
    answers: { 200: Session },
    async handle({ asker }) {
      const user = asker.user && (await dependencies.directory.userByName(asker.user.userName))
      if (!user) return refuse('forbidden', 'this credential belongs to no person; sign in with a user name')
      return { body: await sessionOf(dependencies, user, asker.expiresAtMs) }
    },
  })
}

function signOut({ credentials, clock, authenticator }: SignOnDependencies): Route {
  return route({
    method: 'POST',
    path: '/core/session/logout',
    isForEnrolment: true,
    scope: 'any',
    audit: { none: 'it ends the credential that it was sent with, and nothing else' },
    summary: 'Sign out: the credential of this request is revoked',
    description: 'Its open connections are closed within seconds.',
    answers: { 200: Type.Object({ ok: Type.Literal(true) }) },
    async handle({ asker, headers }) {
      await credentials.revokeCredential(asker.credential, clock.nowMs())
      authenticator.forget()
      const origin = pageOrigin(headers)
      return { body: { ok: true }, ...(origin && { headers: { 'set-cookie': endedCookie(origin) } }) }
    },
  })
}

async function sessionOf({ directory, authenticator }: SignOnDependencies, user: User, expiresAtMs: number) {
  const { id, userName, name, roles, corporation } = user
  const owesSecondFactor = authenticator.demandsFactor(roles) && !(await directory.secondFactor(id))?.isOn
  return { userId: id, userName, name, roles, corporation, expiresTs: instantText(expiresAtMs), owesSecondFactor }
}
