import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { LiveNode } from '../../../src/ports/live.ts'
import { hashPassword } from '../../../src/rest/access/password.ts'
import { chooseNode } from '../../../src/rest/access/sign-on.ts'
import { VirtualClock } from '../../support/virtual-clock.ts'
import { OURS, openRestWorld, type RestWorld, THEIRS } from '../rest-world.ts'

const HOUR_MS = 60 * 60_000
const PASSWORD = 'correct horse battery'
let world: RestWorld
const clock = new VirtualClock()
let nodes: LiveNode[] = []

beforeAll(async () => {
  world = await openRestWorld({
    clock,
    parts: () => ({ live: { nodes: async () => nodes, agents: async () => [] } as never }),
  })
  const { directory } = world.parts
  await directory.addUser({ userName: 'anna', name: 'Anna', corporation: OURS, roles: ['supervisor'] }, 0)
  await directory.addUser({ userName: 'ben', name: 'Ben', corporation: OURS, roles: ['agent'] }, 0)
  await directory.setPassword('anna', await hashPassword(PASSWORD, (count) => randomBytes(count)))
})
afterAll(() => world.close())

const node = (name: string, seenAtMs = clock.nowMs()): LiveNode => ({
  node: name,
  endpoint: `https://${name}.example.com/`,
  seenAtMs,
})
const state = () => world.call('GET', '/rest/api/state', undefined, { sso: true })
const logIn = (userName: string, password: unknown) =>
  world.call('POST', '/rest/api/login', { userName, password }, { sso: true, as: null })

describe('the state operation', () => {
  test('returns the endpoint, and nothing else in its body', async () => {
    nodes = [node('node1')]
    const reply = await state()
    expect(reply.status).toBe(200)
    expect(reply.body).toEqual({ endpoint: 'https://node1.example.com' })
    expect(reply.headers).toMatchObject({
      'svc-node': 'node1',
      'svc-environment': 'development',
      'cache-control': 'no-store',
    })
  })

  test('given wrong credentials, returns 401', async () => {
    const wrong = { ...world.values, tokenv2: `tv2_${'A'.repeat(43)}` }
    const reply = await world.call('GET', '/rest/api/state', undefined, { sso: true, as: wrong })
    expect(reply.status).toBe(401)
  })

  test('given no live node, returns 503 with Retry-After', async () => {
    nodes = [node('node1', clock.nowMs() - 6_000)]
    const reply = await state()
    expect(reply.status).toBe(503)
    expect(Number(reply.headers['retry-after'])).toBeGreaterThan(0)
  })

  test('returns the same node as long as it lives, and then another one', async () => {
    nodes = [node('node1'), node('node2'), node('node3')]
    const first = (await state()).headers['svc-node']
    nodes = [...nodes].reverse()
    expect((await state()).headers['svc-node']).toBe(first)
    nodes = nodes.filter((other) => other.node !== first)
    const second = (await state()).headers['svc-node']
    expect(nodes.map((other) => other.node)).toContain(second)
  })

  test('spreads corporations over nodes, and moves only those of a dead node', () => {
    const all = ['a', 'b', 'c', 'd'].map((name) => node(name))
    const places = (among: LiveNode[]) =>
      Array.from({ length: 400 }, (_, corporation) => chooseNode(among, corporation, clock.nowMs())?.node)
    const before = places(all)
    for (const { node: name } of all) expect(before.filter((place) => place === name).length).toBeGreaterThan(50)
    const after = places(all.filter((other) => other.node !== 'c'))
    expect(after.filter((place, index) => place !== before[index]).length).toBe(
      before.filter((place) => place === 'c').length,
    )
  })

  test('is served at the sign-on address only', async () => {
    expect((await world.call('GET', '/rest/api/state')).status).toBe(404)
    expect((await world.call('GET', '/api/state')).status).toBe(404)
  })
})

describe('the sign-on address', () => {
  test.each(['/rest/core/activeuser', '/svcdialer/calltaskimport', '/', '/docs', '/rest/core/tokens'])(
    'refuses %s with 421, which names the right operation',
    async (path) => {
      const reply = await world.call('GET', path, undefined, { sso: true })
      expect(reply.status).toBe(421)
      expect(reply.body.detail).toContain('/rest/api/state')
    },
  )

  test('serves a liveness probe', async () => {
    expect((await world.call('GET', '/healthz', undefined, { sso: true, as: null })).status).toBe(200)
  })

  test('may be that of the node, for trials', async () => {
    nodes = [node('node1')]
    const trial = await openRestWorld({ rest: { allowSameOrigin: true } })
    const reply = await trial.call('GET', '/rest/api/state')
    await trial.close()
    expect([reply.status, reply.body]).toEqual([200, { endpoint: 'https://node1.example.com' }])
  })
})

describe('signing on with a password', () => {
  test('returns credentials that work at the node', async () => {
    const reply = await logIn('anna', PASSWORD)
    expect(reply.status).toBe(200)
    const { expiresTs, ...values } = reply.body
    expect(Date.parse(expiresTs)).toBe(clock.nowMs() + 12 * HOUR_MS)
    const who = await world.call('GET', '/core/activeuser', undefined, { as: values })
    expect(who.body).toMatchObject({ userName: 'anna', name: 'Anna', roles: ['supervisor'] })
    expect(who.body.scopes).toContain('dialer:write')
    expect(who.body.scopes).not.toContain('admin')
    const theirs = { userName: 'theo', name: 'Theo', corporation: THEIRS, roles: ['agent'] } as const
    await world.parts.directory.addUser(theirs, 0)
    const users = (await world.call('GET', '/core/users', undefined, { as: values })).body
    expect(users.map(({ userName }: { userName: string }) => userName)).toEqual(['anna', 'ben'])
  })

  test('a wrong password, an unknown name and a user without a password get the same answer', async () => {
    const told = new Set<string>()
    for (const [name, password] of [
      ['anna', 'wrong'],
      ['nobody', PASSWORD],
      ['ben', PASSWORD],
    ] as const) {
      const { status, body } = await logIn(name, password)
      told.add(`${status} ${body.detail}`)
    }
    expect([...told]).toEqual(['401 user name or password is wrong'])
  })

  test('lasts for 12 h after the last use, and for 24 h at the most', async () => {
    clock.run(HOUR_MS)
    const { expiresTs, ...values } = (await logIn('anna', PASSWORD)).body
    const use = async () => (await world.call('GET', '/core/activeuser', undefined, { as: values })).status
    const noted = async () => {
      const { rows } = await world.pools.jobs.query(
        'select expires_at_ms - created_at_ms as life from credentials where realm_control = $1',
        [values.rcntrl],
      )
      return rows[0].life / HOUR_MS
    }
    clock.run(11 * HOUR_MS)
    expect(await use()).toBe(200)
    await expect.poll(noted).toBe(23)
    clock.run(11 * HOUR_MS)
    expect(await use()).toBe(200)
    await expect.poll(noted).toBe(24)
    clock.run(3 * HOUR_MS)
    expect(await use()).toBe(401)
  })

  test('ends when the password is changed, and tokens of the user do not', async () => {
    const { expiresTs, ...values } = (await logIn('anna', PASSWORD)).body
    const { id, userName } = (await world.parts.directory.userByName('anna'))!
    const token = await world.credential(['dialer:read'], [OURS], { user: { id, userName, active: true, teams: [] } })
    await world.parts.directory.setPassword('anna', await hashPassword(PASSWORD, (count) => randomBytes(count)))
    world.tell('access')
    expect((await world.call('GET', '/core/activeuser', undefined, { as: values })).status).toBe(401)
    expect((await world.call('GET', '/core/activeuser', undefined, { as: token })).status).toBe(200)
  })

  test('is refused to a user who left', async () => {
    const activate = (active: boolean) =>
      world.pools.jobs.query(`update users set active = $1 where user_name = 'anna'`, [active])
    await activate(false)
    expect((await logIn('anna', PASSWORD)).status).toBe(401)
    await activate(true)
    expect((await logIn('anna', PASSWORD)).status).toBe(200)
  })

  test('after five failures in a minute the user name has to wait, longer each time', async () => {
    clock.run(2 * HOUR_MS)
    const tries = await Promise.all(Array.from({ length: 12 }, () => logIn('ben', 'guess guess guess')))
    const statuses = tries.map(({ status }) => status)
    expect(statuses.filter((status) => status === 401).length).toBeLessThanOrEqual(6)
    const refused = tries.find(({ status }) => status === 429)
    expect(Number(refused?.headers['retry-after'])).toBeGreaterThan(0)
    clock.run(61_000)
    const again = await Promise.all(Array.from({ length: 8 }, () => logIn('ben', 'guess guess guess')))
    const longest = Math.max(...again.map(({ headers }) => Number(headers['retry-after'] ?? 0)))
    expect(longest).toBeGreaterThan(60)
  })

  test.each([{}, { userName: 'anna' }, { userName: 1, password: [] }, { userName: 'anna', password: 'x'.repeat(300) }])(
    'given %j, is refused as invalid',
    async (body) => {
      const reply = await world.call('POST', '/api/login', body, { sso: true, as: null })
      expect(reply.status).toBe(400)
      expect(reply.text).not.toContain('xxxx')
    },
  )
})
