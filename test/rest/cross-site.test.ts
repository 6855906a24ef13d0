/** What pages of other origins can do with the cookie of somebody who is signed in here: nothing, at any operation. */
import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { hashPassword } from '../../src/rest/access/password.ts'
import type { Reply } from './rest-world.ts'
import { OURS } from './rest-world.ts'
import { openWholeWorld, settle, type WholeWorld } from './whole-world.ts'

const PASSWORD = 'correct horse battery'
/** As a page of this console sends it. */
const OWN = { 'svc-console': '1', origin: 'http://localhost', 'sec-fetch-site': 'same-origin' }
const EVIL = 'https://evil.example'
/** What a browser sends along for pages that are not ours, by the way in which they ask. */
const FOREIGN: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'a form of another site': { origin: EVIL, 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' },
  'a script of another site': { origin: EVIL, 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'cors' },
  'a script that may send our header': { 'svc-console': '1', origin: EVIL, 'sec-fetch-site': 'cross-site' },
  'a script that hides its origin': { 'svc-console': '1', 'sec-fetch-site': 'cross-site' },
  'a page of another port of this host': {
    'svc-console': '1',
    origin: 'http://localhost:8999',
    'sec-fetch-site': 'same-site',
  },
  'a page of no origin': { 'svc-console': '1', origin: 'null', 'sec-fetch-site': 'cross-site' },
  'a browser that says nothing but the origin': { 'svc-console': '1', origin: EVIL },
  'an image, and a link': { 'sec-fetch-site': 'cross-site', 'sec-fetch-dest': 'image' },
  'a player of another site': { 'sec-fetch-site': 'cross-site', 'sec-fetch-dest': 'audio' },
  'a player of another port': { 'sec-fetch-site': 'same-site', 'sec-fetch-dest': 'audio' },
  'an address that was typed': { 'sec-fetch-site': 'none', 'sec-fetch-mode': 'navigate' },
  'a program that has the cookie alone': {},
}
const SESSION = '/rest/core/session'
const LOGOUT = 'POST /rest/core/session/logout'

interface Operation {
  readonly method: string
  readonly path: string
  readonly name: string
  readonly isPublic: boolean
}

let world: WholeWorld
let cookie: string
let operations: readonly Operation[]

beforeAll(async () => {
  world = await openWholeWorld()
  const { ids } = await settle(world, OURS, 'ours', 1)
  const { directory } = world.parts
  await directory.addUser({ userName: 'vera', name: 'Vera', corporation: OURS, roles: ['admin'] }, 0)
  await directory.setPassword('vera', await hashPassword(PASSWORD, (count) => randomBytes(count)))
  cookie = await signIn()
  const { body } = await world.call('GET', '/openapi.json', undefined, { as: null })
  const documented = Object.entries<Record<string, { security?: unknown[] }>>(body.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { security }]) => ({
      method: method.toUpperCase(),
      path: path.replaceAll(/\{(\w+)\}/g, (_, id: string) => String(ids[id] ?? 7)),
      name: `${method.toUpperCase()} ${path}`,
      isPublic: security?.length === 0,
    })),
  )
  // Sign-on and state are served at an address of their own, which takes no cookie.
  operations = documented.filter(({ path }) => !path.startsWith('/rest/api/'))
})
afterAll(() => world?.close())

async function signIn(): Promise<string> {
  const { status, headers } = await world.call('POST', SESSION, LOGIN, { as: null, headers: OWN })
  expect(status).toBe(200)
  return String(headers['set-cookie']).split(';')[0]!
}

const LOGIN = { userName: 'vera', password: PASSWORD }
let asked = 0

/** A request with the cookie and nothing else to prove who sends it; each from an address that has not failed yet. */
function send({ method, path }: Operation, headers: Readonly<Record<string, string>>): Promise<Reply> {
  const address = `10.${++asked >> 16}.${(asked >> 8) & 255}.${asked & 255}`
  const body = method === 'GET' || method === 'DELETE' ? undefined : {}
  return world.call(method, path, body, { as: null, headers: Object.assign({ cookie }, headers), address })
}

/** Of every table its number of rows and their content. */
async function everything(): Promise<Readonly<Record<string, string>>> {
  const { rows } = await world.pools.jobs.query<{ name: string }>(
    `select tablename as name from pg_tables where schemaname = 'public' order by 1`,
  )
  const found: Record<string, string> = {}
  for (const { name } of rows) {
    const text = `select count(*) || ' ' || coalesce(md5(string_agg(t::text, ',' order by t::text)), '') as all_of_it
      from "${name}" t`
    found[name] = (await world.pools.jobs.query<{ all_of_it: string }>(text)).rows[0]!.all_of_it
  }
  return found
}

test('no page of another origin gets an answer or changes anything, at any operation of the document', async () => {
  const changing = operations.filter(({ method, isPublic }) => method !== 'GET' && !isPublic)
  expect(changing.length).toBeGreaterThan(40)
  const before = await everything()
  const got: string[] = []
  for (const [way, headers] of Object.entries(FOREIGN)) {
    for (const operation of operations.filter(({ isPublic }) => !isPublic)) {
      const reply = await send(operation, headers)
      if (reply.status !== 401) got.push(`${way}: ${operation.name} ${reply.status}`)
      const allowing = Object.keys(reply.headers).filter((name) => name.startsWith('access-control-'))
      if (allowing.length > 0) got.push(`${way}: ${operation.name} has ${allowing}`)
    }
  }
  expect(got).toEqual([])
  expect(await everything()).toEqual(before)
})

test('no page of another origin may ask before, or sign somebody in here', async () => {
  for (const operation of operations) {
    const asks = { origin: EVIL, 'access-control-request-method': operation.method }
    const { status, headers } = await send(Object.assign({}, operation, { method: 'OPTIONS' }), asks)
    const allowing = Object.keys(headers).filter((name) => name.startsWith('access-control-'))
    expect([operation.name, status, allowing]).toEqual([operation.name, 405, []])
  }
  for (const [way, foreign] of Object.entries(FOREIGN)) {
    const { status, headers } = await world.call('POST', SESSION, LOGIN, { as: null, headers: foreign })
    expect([way, status, headers['set-cookie']]).toEqual([way, 403, undefined])
  }
})

test('the same cookie is good for every operation in a page of ours, until its person signs out', async () => {
  const good = operations.filter(({ isPublic, name }) => !isPublic && name !== LOGOUT)
  const refused: string[] = []
  for (const operation of good) {
    const { status } = await send(operation, OWN)
    if (status === 401 || status === 429) refused.push(`${operation.name} ${status}`)
  }
  expect(refused).toEqual([])
  const [logout] = operations.filter(({ name }) => name === LOGOUT)
  expect((await send(logout!, OWN)).status).toBe(200)
  const before = await everything()
  const taken: string[] = []
  for (const operation of [...good, logout!]) {
    const { status } = await send(operation, OWN)
    // 429: after ten tries the credential is locked for a minute, whoever sends it.
    if (status !== 401 && status !== 429) taken.push(`${operation.name} ${status}`)
  }
  expect(taken).toEqual([])
  expect(await everything()).toEqual(before)
})
