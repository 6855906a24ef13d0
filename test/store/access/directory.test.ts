import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { CorporationId, TeamName } from '../../../src/kernel/ids.ts'
import type { CredentialRepository, KeyedRequest, NewCredential } from '../../../src/ports/credentials.ts'
import type { Directory, StaffEntry } from '../../../src/ports/directory.ts'
import { postgresAccess } from '../../../src/store/access/credentials.ts'
import { postgresDirectory } from '../../../src/store/access/directory.ts'
import { makeDatabase, servers, type TestDatabase } from '../db/database.ts'

const FIRST = 1 as CorporationId
const SECOND = 2 as CorporationId

describe.each(servers)('users on $name', (server) => {
  let database: TestDatabase
  let directory: Directory
  let credentialRepository: CredentialRepository
  beforeAll(async () => {
    database = await makeDatabase(server)
    directory = postgresDirectory(database.pools)
    credentialRepository = postgresAccess(database.pools)
  })
  afterAll(() => database.drop())

  describe('the first start', () => {
    test('creates the first corporation, and a later one leaves it alone', async () => {
      expect(await directory.ensureCorporation('Collectors', 5)).toBe(FIRST)
      await directory.ensureCorporation('Other name', 6)
      expect(await directory.corporations()).toEqual([{ id: FIRST, name: 'Collectors' }])
    })

    test('leaves the next number to the next corporation', async () => {
      const { rows } = await database.pools.jobs.query(
        `insert into corporations (name, created_at_ms) values ('Second', 0) returning id`,
      )
      expect(rows).toEqual([{ id: SECOND }])
    })
  })

  describe('the staff of the configuration', () => {
    const team = (name: string, agents: string[]) => ({ name: name as TeamName, title: name.toUpperCase(), agents })
    const staff = (agents: string[], teams: StaffEntry['teams']): StaffEntry => ({
      agents: agents.map((name) => ({ name, title: `Title of ${name}` })),
      teams,
    })
    const names = async (withInactive = false) => {
      const page = { corporations: [FIRST], offset: 0, size: 100, withInactive }
      return (await directory.users(page)).users.map(({ userName, active }) => `${userName} ${active}`)
    }

    test('is mirrored, and mirroring it again changes nothing', async () => {
      const wanted = staff(['anna', 'ben'], [team('a', ['anna', 'ben']), team('b', ['ben'])])
      await directory.syncStaff(wanted, FIRST, 0)
      const before = await directory.users({ corporations: [FIRST], offset: 0, size: 100, withInactive: true })
      await directory.syncStaff(wanted, FIRST, 1)
      expect(await directory.users({ corporations: [FIRST], offset: 0, size: 100, withInactive: true })).toEqual(before)
      expect((await directory.userByName('ben'))?.teams.map(({ name }) => name)).toEqual(['a', 'b'])
      expect(await directory.teams([FIRST], false)).toMatchObject([{ name: 'a', title: 'A' }, { name: 'b' }])
    })

    test('mirrored by several nodes at once, is stored once', async () => {
      const wanted = staff(['anna', 'ben'], [team('a', ['anna', 'ben']), team('b', ['ben'])])
      await Promise.all(Array.from({ length: 5 }, () => directory.syncStaff(wanted, FIRST, 0)))
      expect(await names()).toEqual(['anna true', 'ben true'])
    })

    test('who left becomes inactive, and returns under the same number', async () => {
      const anna = await directory.userByName('anna')
      await directory.syncStaff(staff(['ben'], [team('b', ['ben'])]), FIRST, 0)
      expect(await names(true)).toEqual(['anna false', 'ben true'])
      expect((await directory.teams([FIRST], true)).map(({ name, active }) => `${name} ${active}`)).toEqual([
        'a false',
        'b true',
      ])
      await directory.syncStaff(staff(['anna', 'ben'], [team('a', ['anna'])]), FIRST, 0)
      expect(await directory.userByName('anna')).toMatchObject({ id: anna?.id, active: true, teams: [{ name: 'a' }] })
    })

    test('users who were added manually are left alone; a namesake of an agent keeps password and roles', async () => {
      await directory.addUser({ userName: 'clara', name: 'Clara', corporation: FIRST, roles: ['admin'] }, 0)
      await directory.setPassword('clara', 'hash')
      await directory.syncStaff(staff([], []), FIRST, 0)
      expect(await names()).toEqual(['clara true'])
      await directory.syncStaff(staff(['clara'], []), FIRST, 0)
      expect(await directory.userByName('clara')).toMatchObject({ name: 'Title of clara', roles: ['admin', 'agent'] })
      expect(await directory.passwordHash('clara')).toMatchObject({ hash: 'hash' })
    })

    test('a user of another corporation with the name keeps their identity', async () => {
      await directory.addUser({ userName: 'dora', name: 'Dora', corporation: SECOND, roles: [] }, 0)
      await directory.syncStaff(staff(['dora'], []), FIRST, 0)
      expect(await directory.userByName('dora')).toMatchObject({ name: 'Dora', corporation: { id: SECOND }, roles: [] })
    })
  })

  test('a user name is unique', async () => {
    const user = { userName: 'eva', name: 'Eva', corporation: FIRST, roles: [] }
    expect(await directory.addUser(user, 0)).toEqual(expect.any(Number))
    expect(await directory.addUser(user, 0)).toBe('name is taken')
    expect(await directory.addUser({ ...user, corporation: 99 as CorporationId }, 0)).toBe('no such corporation')
    expect(await directory.setPassword('nobody', 'hash')).toBe(false)
  })

  describe('the key of check values', () => {
    test('is created once, however many nodes start at once', async () => {
      const keys = await Promise.all(Array.from({ length: 5 }, () => credentialRepository.checkKey(randomBytes(32))))
      expect(new Set(keys.map((key) => key.toString('hex'))).size).toBe(1)
      expect(keys[0]).toHaveLength(32)
    })
  })

  describe('a credential', () => {
    let made = 0
    const credential = (change: Partial<NewCredential> = {}): NewCredential => ({
      realmControl: `rc_${++made}`,
      secretSha256: randomBytes(32),
      name: 'Test',
      user: undefined,
      scopes: ['dialer:read'],
      corporations: [FIRST],
      ipAllowList: [],
      createdAtMs: 1_000,
      expiresAtMs: 100_000,
      sliding: undefined,
      ...change,
    })

    test('is stored unchanged', async () => {
      const given = credential({ ipAllowList: ['10.0.0.0/8'], corporations: [FIRST, SECOND] })
      await credentialRepository.addCredential(given)
      expect(await credentialRepository.credential(given.realmControl)).toEqual({
        ...given,
        user: undefined,
        lastUsedAtMs: undefined,
        lastUsedIp: undefined,
      })
    })

    test('that was withdrawn is not found, and is withdrawn once', async () => {
      const given = credential()
      await credentialRepository.addCredential(given)
      expect(await credentialRepository.revokeCredential(given.realmControl, 5)).toBe(true)
      expect(await credentialRepository.credential(given.realmControl)).toBeUndefined()
      expect(await credentialRepository.revokeCredential(given.realmControl, 6)).toBe(false)
      expect(await credentialRepository.replaceCredential(given.realmControl, credential(), 9)).toBe(false)
    })

    test('a successor shortens the life of the old one, and never lengthens it', async () => {
      const given = credential({ expiresAtMs: 50_000 })
      await credentialRepository.addCredential(given)
      await credentialRepository.replaceCredential(given.realmControl, credential(), 70_000)
      expect((await credentialRepository.credential(given.realmControl))?.expiresAtMs).toBe(50_000)
      await credentialRepository.replaceCredential(given.realmControl, credential(), 20_000)
      expect((await credentialRepository.credential(given.realmControl))?.expiresAtMs).toBe(20_000)
    })

    test('of a person is extended by use, up to its last instant; an expired one stays expired', async () => {
      const given = credential({ expiresAtMs: 10_000, sliding: { idleMs: 9_000, endsAtMs: 20_000 } })
      await credentialRepository.addCredential(given)
      const used = async (atMs: number) => {
        await credentialRepository.noteUses([{ realmControl: given.realmControl, atMs, ip: '127.0.0.1' }])
        return (await credentialRepository.credential(given.realmControl))?.expiresAtMs
      }
      expect([await used(5_000), await used(4_000), await used(13_000), await used(20_000)]).toEqual([
        14_000, 14_000, 20_000, 20_000,
      ])
      const ended = credential({ expiresAtMs: 10_000, sliding: { idleMs: 9_000, endsAtMs: 20_000 } })
      await credentialRepository.addCredential(ended)
      await credentialRepository.noteUses([{ realmControl: ended.realmControl, atMs: 10_000, ip: '' }])
      expect((await credentialRepository.credential(ended.realmControl))?.expiresAtMs).toBe(10_000)
    })

    test('is listed only for a client with access to all of its corporations', async () => {
      const [mine, both] = [credential(), credential({ corporations: [FIRST, SECOND] })]
      for (const given of [mine, both]) await credentialRepository.addCredential(given)
      const listed = async (corporations: CorporationId[]) =>
        (await credentialRepository.credentials(corporations)).map(({ realmControl }) => realmControl)
      expect(await listed([FIRST])).toContain(mine.realmControl)
      expect(await listed([FIRST])).not.toContain(both.realmControl)
      expect(await listed([FIRST, SECOND])).toContain(both.realmControl)
      expect(await listed([])).toEqual([])
    })

    test('notifies all nodes when it changes', async () => {
      const heard: string[] = []
      const client = await database.pools.jobs.connect()
      client.on('notification', ({ payload = '' }) => heard.push(payload))
      await client.query('listen switchboard_news')
      const given = credential()
      await credentialRepository.addCredential(given)
      await credentialRepository.revokeCredential(given.realmControl, 5)
      await directory.setPassword('eva', 'other')
      await expect.poll(() => heard).toEqual(['access', 'access', 'access'])
      const { id } = (await directory.userByName('eva'))!
      await directory.beginSecondFactor(id, 'JBSWY3DP')
      await directory.confirmSecondFactor(id, { step: 1, recoveryHashes: [], atMs: 5 })
      await directory.removeSecondFactor(id)
      await directory.removeSecondFactor(id)
      await expect.poll(() => heard).toEqual(Array(5).fill('access'))
      client.release(true)
    })

    test('is removed long after its end', async () => {
      const given = credential({ expiresAtMs: 1 })
      await credentialRepository.addCredential(given)
      await credentialRepository.sweepAccess(91 * 24 * 60 * 60_000)
      expect(await credentialRepository.credential(given.realmControl)).toBeUndefined()
    })
  })

  describe('an idempotency key', () => {
    const request = (change: Partial<KeyedRequest> = {}): KeyedRequest => ({
      realmControl: 'rc_a',
      route: 'POST /x',
      key: `key-${Math.floor(change.atMs ?? 0)}-${change.key ?? ''}`,
      print: Buffer.from('print'),
      atMs: 0,
      runsUntilAtMs: 1_000,
      keptUntilAtMs: 9_000,
      ...change,
    })

    test('is reserved until it is answered, and then returns the answer to every repeat', async () => {
      const asked = request({ key: 'answered' })
      expect(await credentialRepository.claimKey(asked)).toEqual({ claim: 'mine' })
      expect(await credentialRepository.claimKey(asked)).toEqual({ claim: 'running' })
      await credentialRepository.keepAnswer(asked, Buffer.from('done'))
      expect(await credentialRepository.claimKey(asked)).toEqual({ claim: 'answered', answer: Buffer.from('done') })
      expect(await credentialRepository.claimKey({ ...asked, print: Buffer.from('other') })).toEqual({
        claim: 'other request',
      })
      await credentialRepository.releaseKey(asked)
      expect(await credentialRepository.claimKey(asked)).toMatchObject({ claim: 'answered' })
    })

    test('requested concurrently, is reserved once', async () => {
      const asked = request({ key: 'raced' })
      const claims = await Promise.all(Array.from({ length: 12 }, () => credentialRepository.claimKey(asked)))
      expect(claims.filter(({ claim }) => claim === 'mine')).toHaveLength(1)
      expect(claims.filter(({ claim }) => claim === 'running')).toHaveLength(11)
    })

    test('is free again when it is released, when its server has died, or when it expires', async () => {
      const freed = request({ key: 'freed' })
      await credentialRepository.claimKey(freed)
      await credentialRepository.releaseKey(freed)
      expect(await credentialRepository.claimKey(freed)).toEqual({ claim: 'mine' })
      expect(await credentialRepository.claimKey({ ...freed, atMs: 999 })).toEqual({ claim: 'running' })
      expect(await credentialRepository.claimKey({ ...freed, atMs: 1_000, runsUntilAtMs: 2_000 })).toEqual({
        claim: 'mine',
      })
      await credentialRepository.keepAnswer(freed, Buffer.from('done'))
      expect(await credentialRepository.claimKey({ ...freed, atMs: 9_000 })).toEqual({ claim: 'mine' })
    })
  })
})
