import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { CredentialValues } from '../../../src/rest/http/credential-values.ts'
import { startRest } from '../../../src/rest/server.ts'
import { VirtualClock } from '../../support/virtual-clock.ts'
import { OURS, openRestWorld, PLENTY, type RestWorld, THEIRS } from '../rest-world.ts'

const DAY_MS = 24 * 60 * 60_000
const WHO = '/rest/core/activeuser'
let world: RestWorld
beforeAll(async () => {
  world = await openRestWorld()
})
afterAll(() => world.close())

/** Sends these values to the state operation; returns the status. */
const statusOf = async (values: Partial<CredentialValues> | null, options = {}) =>
  (await world.call('GET', WHO, undefined, { as: values as CredentialValues, ...options })).status

describe('the credential headers', () => {
  test('are sent with each request, and prove the identity of the client', async () => {
    const reply = await world.call('GET', WHO)
    expect(reply.status).toBe(200)
    expect(reply.body).toMatchObject({ corporation: { corpId: OURS }, environment: 'development' })
  })

  test('have forms that secret scanners recognise', () => {
    expect(world.values).toEqual({
      tokenv2: expect.stringMatching(/^tv2_[\w-]{43}$/),
      rcntrl: expect.stringMatching(/^rc_[a-z2-7]{20}$/),
      ccntrl: expect.stringMatching(/^[\w-]{22}$/),
    })
  })

  test('with one missing or wrong get one and the same answer', async () => {
    const other = await world.credential(['admin'])
    const { tokenv2, rcntrl, ccntrl } = world.values
    const wrong: (Partial<CredentialValues> | null)[] = [
      null,
      { rcntrl, ccntrl },
      { tokenv2, ccntrl },
      { tokenv2, rcntrl },
      { tokenv2: other.tokenv2, rcntrl, ccntrl },
      { tokenv2, rcntrl: other.rcntrl, ccntrl },
      { tokenv2, rcntrl, ccntrl: other.ccntrl },
      { tokenv2: `${tokenv2}x`, rcntrl, ccntrl },
    ]
    const told = new Set<string>()
    for (const [index, as] of wrong.entries()) {
      // Each from an address of its own: none is locked.
      const proxied = { as: as as CredentialValues }
      const reply = await world.call('GET', WHO, undefined, proxied)
      expect([index, reply.status]).toEqual([index, 401])
      const { traceId, ...rest } = reply.body
      told.add(JSON.stringify(rest))
    }
    expect(told.size).toBe(1)
  })

  test('are not read from the query, except by the state operation', async () => {
    const query = new URLSearchParams({ ...world.values }).toString()
    expect((await world.call('GET', `${WHO}?${query}`, undefined, { as: null })).status).toBe(401)
    const state = await world.call('GET', `/rest/api/state?${query}`, undefined, { as: null, sso: true })
    expect(state.status).toBe(200)
    expect(state.headers['cache-control']).toBe('no-store')
  })

  test('are stored as a hash: the secret is nowhere in the database', async () => {
    const { rows } = await world.pools.jobs.query('select credentials::text as row from credentials')
    expect(rows.length).toBeGreaterThan(0)
    for (const { row } of rows) expect(row).not.toContain(world.values.tokenv2.slice(4))
  })

  test('of development are refused in production, with the same database', async () => {
    const { parts: dependencies } = world
    const production = await startRest({
      dependencies: { ...dependencies, environment: 'production' },
      routes: [],
      node: { host: '127.0.0.1', port: 0 },
      allowances: PLENTY,
    })
    const reply = await production.node!.inject({ method: 'GET', url: WHO, headers: { ...world.values } })
    await production.close()
    expect(reply.statusCode).toBe(401)
  })

  test('are valid only from their allowed addresses', async () => {
    const here = await world.credential(['admin'], [OURS], { ipAllowList: ['127.0.0.0/8', '::1'] })
    const elsewhere = await world.credential(['admin'], [OURS], { ipAllowList: ['10.0.0.0/8', '192.0.2.7'] })
    expect(await statusOf(here)).toBe(200)
    expect(await statusOf(elsewhere)).toBe(401)
  })

  test('of an inactive user are refused', async () => {
    const id = await world.parts.directory.addUser({ userName: 'gone', name: 'Gone', corporation: OURS, roles: [] }, 0)
    const user = { id: id as never, userName: 'gone', active: true, teams: [] }
    const values = await world.credential(['admin'], [OURS], { user })
    // The active user is looked up once more; other operations rely on the credential alone.
    const listed = async () => (await world.call('GET', '/core/users', undefined, { as: values })).status
    expect([await statusOf(values), await listed()]).toEqual([200, 200])
    await world.pools.jobs.query(`update users set active = false where user_name = 'gone'`)
    world.tell('access')
    expect([await statusOf(values), await listed()]).toEqual([401, 401])
  })
})

describe('a credential', () => {
  const input = { name: 'Debt system', scopes: ['dialer:read', 'users:read'], corpIds: [OURS] }

  test('is issued, works, is listed without its secret, and ends within 5 s of its withdrawal', async () => {
    const made = await world.call('POST', '/rest/core/tokens', input)
    expect(made.status).toBe(201)
    expect(made.headers['location']).toBe(`/rest/core/tokens/${made.body.rcntrl}`)
    expect(await statusOf(made.body)).toBe(200)

    const list = await world.call('GET', '/core/tokens')
    const entry = list.body.find(({ rcntrl }: CredentialValues) => rcntrl === made.body.rcntrl)
    expect(entry).toMatchObject({ name: 'Debt system', scopes: input.scopes, corpIds: [OURS] })
    expect(list.text).not.toContain(made.body.tokenv2)
    expect(list.headers).toMatchObject({
      'svc-total-found': String(list.body.length),
      totalfound: String(list.body.length),
    })

    expect((await world.call('DELETE', `/core/tokens/${made.body.rcntrl}`)).status).toBe(204)
    expect(await statusOf(made.body)).toBe(401)
    expect((await world.call('DELETE', `/core/tokens/${made.body.rcntrl}`)).status).toBe(404)
  })

  test('may use its scopes only', async () => {
    const made = await world.call('POST', '/core/tokens', input)
    const reply = await world.call('GET', '/core/tokens', undefined, { as: made.body })
    expect(reply.status).toBe(403)
    expect(reply.body.detail).toContain('scope admin')
  })

  test('is replaced by another, and stays valid for the overlap only', async () => {
    const old = (await world.call('POST', '/core/tokens', input)).body
    const path = `/core/tokens/${old.rcntrl}/rotate`
    const next = await world.call('POST', path, { overlapHours: 1 })
    expect(next.status).toBe(201)
    expect(await statusOf(old)).toBe(200)
    expect(await statusOf(next.body)).toBe(200)
    const last = await world.call('POST', `/core/tokens/${next.body.rcntrl}/rotate`, { overlapHours: 0 })
    expect(await statusOf(next.body)).toBe(401)
    expect(await statusOf(last.body)).toBe(200)
  })

  test('replaced without a body overlaps for a day', async () => {
    const old = (await world.call('POST', '/core/tokens', input)).body
    expect((await world.call('POST', `/core/tokens/${old.rcntrl}/rotate`)).status).toBe(201)
    const list = (await world.call('GET', '/core/tokens')).body
    const { expiresTs } = list.find(({ rcntrl }: CredentialValues) => rcntrl === old.rcntrl)
    expect(Date.parse(expiresTs) - Date.now()).toBeGreaterThan(23 * 60 * 60_000)
    expect(Date.parse(expiresTs) - Date.now()).toBeLessThan(25 * 60 * 60_000)
  })

  test.each([
    [{ ...input, scopes: ['everything'] }, 'scopes[0]'],
    [{ ...input, scopes: [] }, 'scopes'],
    [{ ...input, corpIds: [THEIRS] }, 'corpIds'],
    [{ ...input, corpIds: [OURS, 99] }, 'corpIds'],
    [{ ...input, userId: 999_999 }, 'userId'],
    [{ ...input, expiresTs: '2020-01-01T00:00:00Z' }, 'expiresTs'],
    [{ ...input, expiresTs: 'soon' }, 'expiresTs'],
    [{ ...input, expiresTs: Date.now() + 731 * DAY_MS }, 'expiresTs'],
    [{ ...input, ipAllowList: ['10.0.0.0/33'] }, 'ipAllowList[0]'],
    [{ ...input, ipAllowList: ['localhost'] }, 'ipAllowList[0]'],
    [{ ...input, secretSha256: 'x' }, 'secretSha256'],
    [{}, 'name'],
  ])('given %j is refused at %s', async (body, path) => {
    const reply = await world.call('POST', '/core/tokens', body)
    expect(reply.status).toBe(400)
    expect(reply.body.errors[0].path).toBe(path)
  })

  test('of another corporation does not exist', async () => {
    const theirs = await world.credential(['admin'], [THEIRS])
    const both = await world.credential(['admin'], [OURS, THEIRS])
    for (const { rcntrl } of [theirs, both]) {
      expect((await world.call('DELETE', `/core/tokens/${rcntrl}`)).status).toBe(404)
      expect((await world.call('POST', `/core/tokens/${rcntrl}/rotate`)).status).toBe(404)
    }
    const list = await world.call('GET', '/core/tokens')
    expect(list.text).not.toContain(theirs.rcntrl)
    expect(list.text).not.toContain(both.rcntrl)
    expect(await statusOf(theirs)).toBe(200)
  })
})

describe('over time', () => {
  test('a credential is refused after its expiry, and warns 30 days before', async () => {
    const clock = new VirtualClock()
    const timed = await openRestWorld({ clock })
    const ask = () => timed.call('GET', WHO)
    expect((await ask()).headers['svc-token-expires']).toBeUndefined()
    clock.run(271 * DAY_MS)
    expect((await ask()).headers['svc-token-expires']).toMatch(/^\d{4}-.*Z$/)
    clock.run(30 * DAY_MS)
    expect((await ask()).status).toBe(401)
    await timed.close()
  })

  test('an expired credential is no guess: its address and its public id are not locked', async () => {
    const clock = new VirtualClock()
    const timed = await openRestWorld({ clock })
    const expired = await timed.credential(['admin'], [OURS], { expiresAtMs: clock.nowMs() + 1 })
    const stolenId = await timed.credential(['admin'], [OURS], { expiresAtMs: clock.nowMs() + 1 })
    const address = '203.0.113.9'
    const ask = async (as: CredentialValues | null) => (await timed.call('GET', WHO, undefined, { as, address })).status
    clock.run(1)
    for (let count = 0; count < 20; count++) expect([count, await ask(expired)]).toEqual([count, 401])
    // Nothing is locked: who has not signed in is told so, and a sign-in from there is looked at.
    expect(await ask(null)).toBe(401)
    const login = { userName: 'nobody', password: 'guess guess guess' }
    expect((await timed.call('POST', '/api/login', login, { sso: true, as: null, address })).status).toBe(401)
    // With another secret it is a guess as any other.
    const guesses = []
    for (let count = 0; count < 6; count++) guesses.push(await ask({ ...stolenId, tokenv2: expired.tokenv2 }))
    expect(guesses).toEqual([401, 401, 401, 401, 401, 429])
    expect(await ask(expired)).toBe(401)
    await timed.close()
  })

  test('a node that missed the notification refuses a withdrawn credential within 5 s', async () => {
    const clock = new VirtualClock()
    const timed = await openRestWorld({ clock })
    const values = await timed.credential(['admin'])
    const ask = async () => (await timed.call('GET', WHO, undefined, { as: values })).status
    expect(await ask()).toBe(200)
    await timed.parts.credentials.revokeCredential(values.rcntrl, clock.nowMs())
    clock.run(5_000)
    // The clock stands still while the database answers.
    await expect.poll(ask).toBe(401)
    await timed.close()
  })
})
