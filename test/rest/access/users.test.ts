import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { TeamName } from '../../../src/kernel/ids.ts'
import type { LiveAgent } from '../../../src/ports/live.ts'
import { OURS, openRestWorld, type RestWorld, THEIRS } from '../rest-world.ts'

let world: RestWorld
let agents: LiveAgent[] = []
const staff = {
  agents: [
    { name: 'anna', title: 'Anna Smith' },
    { name: 'ben', title: 'Ben' },
  ],
  teams: [
    { name: 'collections' as TeamName, title: 'Collections', agents: ['anna', 'ben'] },
    { name: 'sales' as TeamName, title: 'Sales', agents: ['ben'] },
  ],
}

beforeAll(async () => {
  world = await openRestWorld({ parts: () => ({ live: { agents: async () => agents } as never }) })
  const { directory } = world.parts
  await directory.syncStaff(staff, OURS, 0)
  const clara = { userName: 'clara', name: 'Clara', email: 'clara@example.com', phone: '+4512345678' }
  await directory.addUser({ ...clara, corporation: OURS, roles: ['admin'] }, 0)
  await directory.addUser({ userName: 'stranger', name: 'Stranger', corporation: THEIRS, roles: ['admin'] }, 0)
})
afterAll(() => world.close())

describe('the active user', () => {
  test('is the person behind the credential', async () => {
    const clara = await world.parts.directory.userByName('clara')
    const user = { id: clara!.id, userName: 'clara', active: true, teams: [] }
    const values = await world.credential(['users:read'], [OURS], { user })
    const { status, body } = await world.call('GET', '/rest/core/activeuser', undefined, { as: values })
    expect(status).toBe(200)
    expect(body).toMatchObject({
      userId: clara!.id,
      userName: 'clara',
      email: 'clara@example.com',
      corporation: { corpId: OURS, name: 'Ours' },
      corporations: [{ corpId: OURS, name: 'Ours' }],
      roles: ['admin'],
      scopes: ['users:read'],
      environment: 'development',
      tokenExpiresTs: expect.stringMatching(/Z$/),
    })
  })

  test('of a system is its credential, named as it was when it was created', async () => {
    const input = { name: 'Debt system, night run', scopes: ['calls:read'], corpIds: [OURS] }
    const { tokenv2, rcntrl, ccntrl } = (await world.call('POST', '/core/tokens', input)).body
    const { body } = await world.call('GET', '/core/activeuser', undefined, { as: { tokenv2, rcntrl, ccntrl } })
    expect(body).toMatchObject({ userId: null, userName: rcntrl, name: 'Debt system, night run', email: null })
  })
})

describe('the users', () => {
  test('are those of the client’s corporations, with their queues and presence', async () => {
    agents = [{ agent: 'anna' as never, node: 'node1', state: 'ready', sinceAtMs: 1_000 }]
    const { status, body, headers } = await world.call('GET', '/rest/core/users')
    expect(status).toBe(200)
    expect(body.map(({ userName }: { userName: string }) => userName)).toEqual(['anna', 'ben', 'clara'])
    expect(headers).toMatchObject({ 'svc-total-found': '3', totalfound: '3' })
    expect(body[0]).toMatchObject({
      name: 'Anna Smith',
      presence: { state: 'ready', sinceTs: '1970-01-01T00:00:01.000Z' },
      queues: [{ name: 'collections' }],
    })
    expect(body[1].queues).toHaveLength(2)
    expect(body[2]).toMatchObject({ email: 'clara@example.com', phone: '+4512345678', presence: null })
  })

  test('show email and telephone only with the scope for them', async () => {
    const values = await world.credential(['calls:read'])
    const { body } = await world.call('GET', '/core/users', undefined, { as: values })
    expect(body[2]).toMatchObject({ userName: 'clara', email: null, phone: null })
  })

  test('come in pages, and the total counts them all', async () => {
    const page = await world.call('GET', '/core/users?offset=1&size=1')
    expect(page.body.map(({ userName }: { userName: string }) => userName)).toEqual(['ben'])
    expect(page.headers['svc-total-found']).toBe('3')
    expect((await world.call('GET', '/core/users?offset=10')).body).toEqual([])
    for (const query of ['size=0', 'size=1001', 'offset=-1', 'offset=x', 'size=1.5', 'all=maybe', 'size=1&size=2']) {
      expect([query, (await world.call('GET', `/core/users?${query}`)).status]).toEqual([query, 400])
    }
  })
})

describe('the queues', () => {
  test('are the teams of the configuration, with the ready agents', async () => {
    agents = [{ agent: 'ben' as never, node: 'node1', state: 'ready', sinceAtMs: 0 }]
    const { body, headers } = await world.call('GET', '/rest/svcpbx/queue')
    expect(headers['svc-total-found']).toBe('2')
    expect(body).toEqual([
      {
        ucquId: expect.any(Number),
        name: 'Collections',
        code: expect.any(String),
        number: null,
        corporation: { corpId: OURS },
        active: true,
        openNow: true,
        agentsReady: 1,
        waitingCalls: null,
      },
      expect.objectContaining({ name: 'Sales', corporation: { corpId: OURS }, agentsReady: 1 }),
    ])
  })

  test('count their ready agents, however many users there are before them by name', async () => {
    const add = `insert into users (corporation_id, user_name, name, created_at_ms)
      select 1, 'a' || n, 'A' || n, 0 from generate_series(1, 1000) n`
    await world.pools.jobs.query(add)
    agents = [{ agent: 'ben' as never, node: 'node1', state: 'ready', sinceAtMs: 0 }]
    const { body } = await world.call('GET', '/rest/svcpbx/queue')
    await world.pools.jobs.query(`delete from users where user_name ~ '^a[0-9]'`)
    expect(body.map(({ agentsReady }: { agentsReady: number }) => agentsReady)).toEqual([1, 1])
  })

  test('that left the configuration are listed only if all are requested', async () => {
    await world.parts.directory.syncStaff({ agents: staff.agents, teams: [staff.teams[0]!] }, OURS, 0)
    expect((await world.call('GET', '/svcpbx/queue')).body).toHaveLength(1)
    const all = (await world.call('GET', '/svcpbx/queue?all=true')).body
    expect(all).toEqual([
      expect.objectContaining({ active: true }),
      expect.objectContaining({ name: 'Sales', active: false }),
    ])
  })
})

describe('an external system', () => {
  const input = {
    systemCode: 'DEBT',
    name: 'Debt system',
    popupUrlTemplate: 'https://debt.example.com/case?no={$CODE}',
  }

  test('is added, listed and changed', async () => {
    const made = await world.call('POST', '/rest/core/externalsystems', input)
    expect(made.status).toBe(201)
    expect(made.body).toMatchObject({ ...input, corporation: { corpId: OURS }, active: true, allowedHosts: [] })
    const path = `/core/externalsystems/${made.body.itsyId}`
    expect(made.headers['location']).toBe(`/rest${path}`)
    const changed = await world.call('PATCH', path, { name: 'Other name', popupUrlTemplate: null })
    expect(changed.body).toMatchObject({ systemCode: 'DEBT', name: 'Other name', popupUrlTemplate: null })
    expect((await world.call('PATCH', path, {})).body).toEqual(changed.body)
    expect((await world.call('PATCH', path, { active: false })).status).toBe(200)
    expect((await world.call('GET', '/core/externalsystems')).body).toEqual([])
    expect((await world.call('GET', '/core/externalsystems?all=1')).body).toHaveLength(1)
  })

  test('has an address of its own, and none is built in', async () => {
    const lookup = { urlTemplate: 'https://debt.example.com/CaseInfo/{caseNumber}', authSecretRef: 'caseInfo' }
    const one = await world.call('POST', '/core/externalsystems', { ...input, systemCode: 'ONE', lookup })
    const other = { urlTemplate: 'http://10.1.2.3/CaseInfo/{caseNumber}' }
    const two = await world.call('POST', '/core/externalsystems', { ...input, systemCode: 'TWO', lookup: other })
    expect([one.body.lookup, two.body.lookup]).toEqual([lookup, other])
  })

  test('has a code of its own', async () => {
    await world.call('POST', '/core/externalsystems', { ...input, systemCode: 'SAME' })
    expect((await world.call('POST', '/core/externalsystems', { ...input, systemCode: 'SAME' })).status).toBe(409)
    const other = await world.call('POST', '/core/externalsystems', { ...input, systemCode: 'OTHER' })
    const path = `/core/externalsystems/${other.body.itsyId}`
    expect((await world.call('PATCH', path, { systemCode: 'SAME' })).status).toBe(409)
  })

  test.each([
    [{ ...input, popupUrlTemplate: 'https://{$CODE}/' }, 'popupUrlTemplate'],
    [{ ...input, popupUrlTemplate: 'javascript:alert(1)' }, 'popupUrlTemplate'],
    [{ ...input, lookup: { urlTemplate: 'ftp://x/' } }, 'lookup.urlTemplate'],
    [{ ...input, lookup: { urlTemplate: 'https://x/', timeoutMs: 5_000 } }, 'lookup.timeoutMs'],
    [{ ...input, lookup: { urlTemplate: 'http://169.254.169.254/latest/{caseNumber}' } }, 'lookup.urlTemplate'],
    [{ ...input, lookup: { urlTemplate: 'http://[::ffff:10.0.0.1]/{caseNumber}' } }, 'lookup.urlTemplate'],
    [{ ...input, lookup: { urlTemplate: 'http://0x7f.1/{caseNumber}' } }, 'lookup.urlTemplate'],
    [{ ...input, systemCode: '' }, 'systemCode'],
    [{ ...input, corporation: { corpId: THEIRS } }, 'corporation.corpId'],
    [{ ...input, itsyId: 7 }, 'itsyId'],
    [{ name: 'x' }, 'systemCode'],
  ])('given %j is refused at %s', async (body, path) => {
    const reply = await world.call('POST', '/core/externalsystems', body)
    expect([reply.status, reply.body.errors[0].path]).toEqual([400, path])
  })

  test('of another corporation does not exist', async () => {
    const theirs = await world.credential(['config:write', 'dialer:read'], [THEIRS])
    const made = await world.call('POST', '/core/externalsystems', { ...input, systemCode: 'T' }, { as: theirs })
    expect(made.body.corporation.corpId).toBe(THEIRS)
    expect((await world.call('PATCH', `/core/externalsystems/${made.body.itsyId}`, { name: 'x' })).status).toBe(404)
    expect((await world.call('GET', '/core/externalsystems?all=1')).text).not.toContain('"T"')
  })

  test.each(['0', '-1', 'x', '9007199254740993', '1.5'])('with the id %s is refused', async (id) => {
    expect((await world.call('PATCH', `/core/externalsystems/${id}`, {})).status).toBe(400)
  })
})

describe('an information field', () => {
  test('is added once, and listed', async () => {
    const made = await world.call('POST', '/svcems/infofields', { name: 'Amount' })
    expect([made.status, made.body]).toEqual([
      201,
      { emprId: expect.any(Number), name: 'Amount', corporation: { corpId: OURS }, active: true },
    ])
    expect((await world.call('POST', '/rest/svcems/infofields', { name: 'Amount' })).status).toBe(409)
    expect((await world.call('GET', '/rest/svcems/infofields')).body).toEqual([made.body])
    const theirs = await world.credential(['dialer:read'], [THEIRS])
    expect((await world.call('GET', '/svcems/infofields', undefined, { as: theirs })).body).toEqual([])
  })
})
