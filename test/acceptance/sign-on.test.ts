/** §4.6, §5: the three values, the state operation, and who is asking. */
import { beforeAll, describe, expect, test } from 'vitest'
import { type Client, type Credential, connect } from '../../src/client/client.ts'
import { credentialFrom, integrator, place } from './place/doors.ts'
import { runCli } from './place/start-place.ts'
import { issueCredential, type Reply, send } from './place/wire.ts'

/** Wrong values lock the address they come from; these are nobody else's. */
const STRANGERS = { headers: '127.0.1.1', query: '127.0.1.2', ended: '127.0.1.3' }
const VALUES = ['tokenv2', 'rcntrl', 'ccntrl'] as const
let client: Client
let endpoint: string

beforeAll(async () => {
  client = await integrator()
  endpoint = await client.endpoint()
})

const bare = ({ tokenv2, rcntrl, ccntrl }: Credential): Credential => ({ tokenv2, rcntrl, ccntrl })
const queryOf = (values: object) => new URLSearchParams(Object.entries(values)).toString()
const me = (as: Partial<Credential>, from?: string) =>
  send(endpoint, 'GET', '/rest/core/activeuser', { as, ...(from !== undefined && { from }) })
/** Same form, another value. */
const altered = (value: string) => value.slice(0, -2) + (value.endsWith('aa') ? 'bb' : 'aa')

describe('the three values', () => {
  test('are headers of every request, and all three must be right [acc 243, 252 by HTTP]', async () => {
    const mine = bare(await issueCredential(client))
    const other = bare(await issueCredential(client))
    expect((await me(mine)).status).toBe(200)
    for (const name of VALUES) {
      const { [name]: _, ...two } = mine
      const from = STRANGERS.headers
      expect([name, (await me(two)).status]).toEqual([name, 401])
      expect([name, (await me({ ...mine, [name]: altered(mine[name]) }, from)).status]).toEqual([name, 401])
      expect([name, (await me({ ...mine, [name]: other[name] }, from)).status]).toEqual([name, 401])
    }
    expect((await me({})).body).toMatchObject({ status: 401 })
    const { paths } = (await send(endpoint, 'GET', '/openapi.json')).body as { paths: Record<string, object> }
    // The reports of text messages are signed instead; login and state are at the other address; people sign in to the
    // console with a password.
    const isSignIn = (method: string, path: string) => method === 'post' && path === '/rest/core/session'
    const open = Object.keys(paths).filter((path) => !/\/api\/|\/smsreports$/.test(path))
    expect(open.length).toBeGreaterThan(60)
    for (const path of open) {
      for (const method of Object.keys(paths[path]!).filter((one) => !isSignIn(one, path))) {
        const filled = path.replaceAll(/\{\w+\}/g, '7')
        const { status } = await send(endpoint, method.toUpperCase(), filled, { json: {} })
        expect([method, path, status]).toEqual([method, path, 401])
      }
    }
  })

  test('may stand in the query of the state operation, and of no other [acc 244 by HTTP]', async () => {
    const mine = bare(await issueCredential(client))
    const state = (query: string, as: object = {}, from?: string) =>
      send(place.ssoUrl, 'GET', `/rest/api/state?${query}`, { as, ...(from !== undefined && { from }) })
    expect((await state(queryOf(mine))).body).toEqual({ endpoint })
    expect((await state('', mine)).body).toEqual({ endpoint })
    for (const name of VALUES) {
      const { [name]: _, ...two } = mine
      expect([name, (await state(queryOf(two))).status]).toEqual([name, 401])
      const wrong = queryOf({ ...mine, [name]: altered(mine[name]) })
      expect([name, (await state(wrong, {}, STRANGERS.query)).status]).toEqual([name, 401])
    }
    expect((await state('')).status).toBe(401)
    for (const path of ['/rest/core/activeuser', '/rest/core/users', '/dialer/callcode', '/rest/svcpbx/queue']) {
      const { status } = await send(endpoint, 'GET', `${path}?${queryOf(mine)}`)
      expect([path, status]).toEqual([path, 401])
    }
  })

  test('are worth nothing once revoked, expired or replaced [acc 243, 252 by HTTP, CLI]', async () => {
    const from = STRANGERS.ended
    const [revoked, rotated, lasting] = await Promise.all(
      [1, 2, 3].map(async () => bare(await issueCredential(client))),
    )
    for (const mine of [revoked!, rotated!, lasting!]) expect((await me(mine)).status).toBe(200)
    await client.ask('DELETE /rest/core/tokens/{rcntrl}', { params: { rcntrl: revoked!.rcntrl } })
    const rotation = { params: { rcntrl: rotated!.rcntrl }, body: { overlapHours: 0 } }
    const next = await client.ask('POST /rest/core/tokens/{rcntrl}/rotate', rotation)
    const states = (as: Credential) => send(place.ssoUrl, 'GET', '/rest/api/state', { as, from })
    const statuses = async (as: Credential) => [(await me(as, from)).status, (await states(as)).status]
    expect(await statuses(revoked!)).toEqual([401, 401])
    await expect.poll(async () => (await me(rotated!, from)).status).toBe(401)
    expect(await statuses(bare(next))).toEqual([200, 200])
    const soon = await issueCredential(client, { expiresTs: Date.now() + 2_000 })
    await expect.poll(async () => (await me(bare(soon), from)).status).toBe(401)
    expect(await statuses(lasting!)).toEqual([200, 200])
  })
})

test('state answers with the endpoint alone; all else is asked there [acc 2, 228, 247 by HTTP]', async () => {
  const credential = await credentialFrom(place, 'flow of the contract')
  const { status, headers, body } = await send(place.ssoUrl, 'GET', '/rest/api/state', { as: credential })
  expect([status, headers['content-type'], body]).toEqual([
    200,
    expect.stringContaining('application/json'),
    { endpoint },
  ])
  expect(endpoint).toBe(`http://127.0.0.1:${place.env['HTTP_PORT']}`)
  const asked: string[] = []
  const watched = connect({
    ssoUrl: place.ssoUrl,
    credential,
    fetch: (url, init) => {
      asked.push(`${init.method} ${url}`)
      return fetch(url, init)
    },
  })
  await watched.ask('GET /rest/core/activeuser')
  await watched.ask('POST /dialer/calltaskget', { body: { limit: 1 } })
  await watched.ask('GET /rest/core/users')
  expect(asked).toEqual([
    `GET ${place.ssoUrl}/rest/api/state`,
    `GET ${endpoint}/rest/core/activeuser`,
    `POST ${endpoint}/dialer/calltaskget`,
    `GET ${endpoint}/rest/core/users`,
  ])
})

describe('the active user', () => {
  test('is the user of the credential, or nobody where a system asks [acc 229, 252 by HTTP, CLI]', async () => {
    await runCli(place, 'user', 'add', 'ursula', '--name', 'Ursula Ulv', '--roles', 'supervisor,agent')
    const [ursula, theo] = await Promise.all([
      credentialFrom(place, 'of Ursula', '--user', 'ursula', '--scopes', 'dialer:read,cases:read'),
      credentialFrom(place, 'of Theo', '--user', 'theo'),
    ])
    const answers = await Promise.all([ursula, theo, bare(await issueCredential(client))].map((as) => me(as)))
    const [user, agent, system] = answers.map(({ status, body }) => ({ status, ...body })) as [Reply, Reply, Reply]
    expect(user).toMatchObject({
      status: 200,
      userId: expect.any(Number),
      userName: 'ursula',
      name: 'Ursula Ulv',
      corporation: { corpId: 1 },
      corporations: [{ corpId: 1 }],
      roles: ['supervisor', 'agent'],
      scopes: ['dialer:read', 'cases:read'],
      environment: 'development',
      tokenExpiresTs: expect.stringMatching(/Z$/),
    })
    expect(agent).toMatchObject({ status: 200, userName: 'theo', roles: ['agent'] })
    expect(system).toMatchObject({ status: 200, userId: null, roles: [], corporation: { corpId: 1 } })
    const listed = await client.ask('GET /rest/core/users', { query: { size: 1_000 } })
    const idOf = (name: string) => listed.find(({ userName }) => userName === name)?.userId
    expect([user, agent]).toMatchObject([{ userId: idOf('ursula') }, { userId: idOf('theo') }])
  })

  test('is not told to a stranger [acc 252 by HTTP]', async () => {
    const { status, body } = await me({})
    expect([status, Object.hasOwn(body, 'userName')]).toEqual([401, false])
  })
})

test('users are listed page by page, each with its queues [acc 230 by HTTP, CLI]', async () => {
  await runCli(place, 'user', 'add', 'ulla', '--name', 'Ulla Uhr', '--roles', 'admin')
  const as = bare(await issueCredential(client))
  const users = async (query: string) => {
    const { status, headers, body } = await send(endpoint, 'GET', `/rest/core/users${query}`, { as })
    expect(status).toBe(200)
    return { found: Number(headers['totalfound']), list: body as unknown as readonly { userName: string }[] }
  }
  const { list, found } = await users('?size=1000')
  expect(list).toHaveLength(found)
  const theirs = (name: string) => list.find(({ userName }) => userName === name)
  expect(theirs('ulla')).toMatchObject({
    userId: expect.any(Number),
    name: 'Ulla Uhr',
    active: true,
    corporation: { corpId: 1 },
    queues: [],
  })
  expect(theirs('theo')).toMatchObject({ active: true, queues: [{ ucquId: expect.any(Number), name: 'tasks' }] })
  const pages = await Promise.all([users('?size=2'), users('?size=2&offset=2')])
  expect(pages.flatMap((page) => page.list.map(({ userName }) => userName))).toEqual(
    list.slice(0, 4).map(({ userName }) => userName),
  )
})
