/** Roles that need a second factor: before it is on, a sign-on can turn it on and nothing else (rest-38). */
import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { silentLog } from '../../../src/kernel/log.ts'
import type { Role } from '../../../src/ports/directory.ts'
import { codeAt } from '../../../src/rest/access/one-time-code.ts'
import { hashPassword } from '../../../src/rest/access/password.ts'
import { AgentTickets } from '../../../src/rest/agents/agent-tickets.ts'
import type { CredentialValues } from '../../../src/rest/http/credential-values.ts'
import type { RestDependencies } from '../../../src/rest/http/dependencies.ts'
import { SCOPES } from '../../../src/rest/http/route.ts'
import { sectionRoutes } from '../../../src/rest/routes.ts'
import { StreamTickets } from '../../../src/rest/stream/stream-ticket.ts'
import { VirtualClock } from '../../support/virtual-clock.ts'
import { OURS, openRestWorld, type RestWorld } from '../rest-world.ts'

const PASSWORD = 'correct horse battery'
const FACTOR = '/rest/core/session/second-factor'
const PAGE = { 'svc-console': '1', origin: 'http://localhost', 'sec-fetch-site': 'same-origin' }
/** What a person who owes a second factor can ask for. */
const ENROLMENT = [
  'GET /rest/api/state',
  'GET /rest/core/session',
  'POST /rest/core/session/logout',
  `GET ${FACTOR}`,
  `POST ${FACTOR}`,
  `PUT ${FACTOR}`,
]

const OWED = ['secondFactor required']

const clock = new VirtualClock()
let world: RestWorld
let operations: readonly { readonly name: string; readonly method: string; readonly path: string }[]
let vera: CredentialValues
let secret: string

beforeAll(async () => {
  const routes = (dependencies: RestDependencies) => {
    const { secretBytes } = dependencies
    const tickets = { tickets: new AgentTickets(secretBytes), streamTickets: new StreamTickets(secretBytes) }
    return sectionRoutes(Object.assign({}, dependencies, tickets))
  }
  // Parts that are not there answer 500: what counts is who is let through to them.
  const parts = () => ({ log: silentLog })
  world = await openRestWorld({ clock, routes, parts, rest: { secondFactorRoles: ['supervisor', 'admin'] } })
  for (const [userName, role] of Object.entries({ vera: 'supervisor', ada: 'admin', ben: 'agent' })) {
    const { directory } = world.parts
    await directory.addUser({ userName, name: userName, corporation: OURS, roles: [role as Role] }, 0)
    await directory.setPassword(userName, await hashPassword(PASSWORD, (count) => randomBytes(count)))
  }
  const { body } = await world.call('GET', '/openapi.json', undefined, { as: null })
  operations = Object.entries<Record<string, { security?: unknown[] }>>(body.paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([verb, { security }]) => {
      const method = verb.toUpperCase()
      const name = `${method} ${path}`
      return security?.length === 0 ? [] : [{ name, method, path: path.replaceAll(/\{\w+\}/g, '7') }]
    }),
  )
  vera = await logIn('vera')
})
afterAll(() => world?.close())

async function logIn(userName: string, code?: string): Promise<CredentialValues> {
  const login = { userName, password: PASSWORD, code }
  const { status, body } = await world.call('POST', '/rest/api/login', login, { sso: true, as: null })
  expect(status).toBe(200)
  return body
}

/** The operations that are refused to this credential for the want of a second factor. */
async function refusedTo(as: CredentialValues): Promise<string[]> {
  const refused: string[] = []
  for (const [place, { name, method, path }] of operations.entries()) {
    // Signing out would end the sweep, and another operation of the list the credential.
    if (name.endsWith('/logout')) continue
    const options = { as, sso: path.startsWith('/rest/api/'), address: `10.0.0.${place}` }
    const { status, body, text } = await world.call(method, path, method === 'GET' ? undefined : {}, options)
    if (!text.includes('needs a second factor')) continue
    // The import has an error body of its own.
    const codes = body.errors?.map(({ path, code }: Record<string, string>) => `${path} ${code}`) ?? OWED
    expect([name, status, codes]).toEqual([name, 403, OWED])
    refused.push(name)
  }
  return refused
}

test('every operation of the document is refused, but those that turn it on', async () => {
  const names = operations.map(({ name }) => name)
  expect(names.length).toBeGreaterThan(120)
  expect(await refusedTo(vera)).toEqual(names.filter((name) => !ENROLMENT.includes(name)))
})

test('agents, issued credentials of the same people, and of systems are not concerned', async () => {
  expect(await refusedTo(await logIn('ben'))).toEqual([])
  const { id } = (await world.parts.directory.userByName('vera'))!
  const user = { id, userName: 'vera', active: true, teams: [] }
  expect(await refusedTo(await world.credential(SCOPES, [OURS], { user }))).toEqual([])
  expect(await refusedTo(world.values)).toEqual([])
})

test('a page is told at the sign-in, and the cookie opens as little', async () => {
  const login = { userName: 'ada', password: PASSWORD }
  const signedIn = await world.call('POST', '/rest/core/session', login, { as: null, headers: PAGE })
  expect([signedIn.status, signedIn.body.owesSecondFactor]).toEqual([200, true])
  const headers = Object.assign({ cookie: String(signedIn.headers['set-cookie']).split(';')[0]! }, PAGE)
  const asks = (method: string, path: string) => world.call(method, path, undefined, { as: null, headers })
  expect((await asks('GET', '/rest/core/session')).body.owesSecondFactor).toBe(true)
  expect((await asks('GET', '/rest/core/users')).status).toBe(403)
  expect((await asks('POST', '/rest/core/stream/ticket')).status).toBe(403)
  const out = await asks('POST', '/rest/core/session/logout')
  expect(out.status).toBe(200)
})

test('with the first code everything opens at once, for the same sign-on', async () => {
  const begun = await world.call('POST', FACTOR, { password: PASSWORD }, { as: vera })
  secret = begun.body.secret
  const users = () => world.call('GET', '/rest/core/users', undefined, { as: vera })
  // A secret that nobody has confirmed is no second factor.
  expect((await users()).status).toBe(403)
  const confirmed = await world.call(
    'PUT',
    FACTOR,
    { code: codeAt(secret, Math.floor(clock.nowMs() / 30_000)) },
    { as: vera },
  )
  expect(confirmed.status).toBe(200)
  expect((await users()).status).toBe(200)
  expect((await world.call('GET', '/rest/core/session', undefined, { as: vera })).body.owesSecondFactor).toBe(false)
  expect(await refusedTo(vera)).toEqual([])
})

test('whoever loses it owes it again at once, in sign-ons that are open too', async () => {
  const admin = await world.credential(SCOPES)
  expect((await world.call('DELETE', '/rest/core/users/vera/second-factor', undefined, { as: admin })).status).toBe(200)
  expect((await world.call('GET', '/rest/core/users', undefined, { as: vera })).status).toBe(403)
  expect((await world.call('GET', '/rest/core/session', undefined, { as: vera })).body.owesSecondFactor).toBe(true)
})
