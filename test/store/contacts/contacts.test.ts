import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { CorporationId, EntityId, ExternalSystemId } from '../../../src/kernel/ids.ts'
import type { ContactRepository, EntityNumber, EntitySearch, EntityToSave } from '../../../src/ports/contacts.ts'
import { postgresEntities } from '../../../src/store/contacts/contacts.ts'
import { makeDatabase, servers, type TestDatabase } from '../db/database.ts'
import { CORPORATION, NOON, number, openShop, SYSTEM } from '../shop.ts'

const OTHERS = 2 as CorporationId

describe.each(servers)('contacts on $name', (server) => {
  let database: TestDatabase
  let entities: ContactRepository

  beforeAll(async () => {
    database = await makeDatabase(server)
  })
  beforeEach(async () => {
    await database.pools.jobs.query('truncate corporations restart identity cascade')
    await openShop(database.pools)
    entities = postgresEntities(database.pools)
  })
  afterAll(() => database.drop())

  const contact = (change: Partial<EntityToSave> = {}) => ({
    corporation: CORPORATION,
    kind: 'private' as const,
    name: 'Carla',
    secondName: 'Dahl',
    atMs: NOON,
    numbers: [{ given: number(1), number: number(1), kind: 'mobile', isPrimary: true }] as readonly EntityNumber[],
    customers: [{ externalSystem: SYSTEM, externalCustomer: 'c1' }],
    ...change,
  })
  const save = async (change: Partial<EntityToSave> = {}, by = entities) => {
    const saved = await by.saveEntity(contact(change))
    if (saved.outcome !== 'saved') throw new Error(saved.outcome)
    return saved
  }
  const search = (change: Partial<EntitySearch> = {}) =>
    entities.searchEntities({ corporations: [CORPORATION], withExtensions: true, offset: 0, rowsMax: 100, ...change })

  test('are stored with their numbers in order, and as customers with a number of ours', async () => {
    const landline = { given: 'switchboard', number: null, kind: 'work', isPrimary: false } as const
    const { id, extensions } = await save({ numbers: [...contact().numbers, landline] })
    expect(await search()).toEqual({
      found: 1,
      entities: [
        {
          id,
          corporation: CORPORATION,
          kind: 'private',
          name: 'Carla',
          secondName: 'Dahl',
          language: null,
          numbers: [
            { ...contact().numbers[0], stopped: false },
            { ...landline, stopped: false },
          ],
          extensions: [
            {
              id: extensions[0],
              kind: 'customer',
              sequenceNumber: 1,
              stopped: false,
              external: { system: SYSTEM, code: 'DEBT', customer: 'c1' },
            },
          ],
          updatedAtMs: contact().atMs,
        },
      ],
    })
  })

  test('saved again by their customer number are the same ones, with the new name and numbers', async () => {
    const first = await save()
    const again = await save({ name: 'Carla Maria', numbers: [] })
    expect(again).toEqual({ ...first, isNew: false })
    expect(await search()).toMatchObject({ found: 1, entities: [{ name: 'Carla Maria', numbers: [] }] })
  })

  test('given a new customer that is saved concurrently, there is one contact', async () => {
    const other = database.open()
    const writers = [entities, postgresEntities(other)]
    const all = Array.from({ length: 10 }, (_, place) => save({}, writers[place % 2]))
    expect(new Set((await Promise.all(all)).map(({ id }) => id)).size).toBe(1)
    expect((await search()).found).toBe(1)
    await other.close()
  })

  test('get further customers, and keep their extensions', async () => {
    const first = await save()
    const customers = [{ externalSystem: SYSTEM, externalCustomer: 'c2' }]
    const second = await save({ id: first.id, customers })
    expect(second.extensions).toEqual([first.extensions[0], expect.any(Number)])
    expect(await save({ customers })).toEqual(second)
  })

  test('unknown to other systems are customers all the same, once', async () => {
    const first = await save({ customers: [] })
    expect(await save({ id: first.id, customers: [] })).toEqual({ ...first, isNew: false })
    expect((await search()).entities).toMatchObject([{ extensions: [{ sequenceNumber: 1, external: null }] }])
  })

  test('have customer numbers without gaps, separately for each corporation', async () => {
    for (const externalCustomer of ['c1', 'c2', 'c3']) {
      await save({ customers: [{ externalSystem: SYSTEM, externalCustomer }] })
    }
    const taken = { id: 999 as EntityId, customers: [{ externalSystem: SYSTEM, externalCustomer: 'c9' }] }
    expect(await entities.saveEntity(contact(taken))).toEqual({ outcome: 'no such entity' })
    await save({ customers: [{ externalSystem: SYSTEM, externalCustomer: 'c4' }] })
    await save({ corporation: OTHERS, customers: [] })
    const { entities: all } = await search({ corporations: [CORPORATION, OTHERS] })
    const numbers = all.map(({ extensions }) => extensions?.[0]?.sequenceNumber)
    expect(numbers).toEqual([1, 2, 3, 4, 1])
  })

  test('cannot refer to data of others, and nothing of the attempt is stored', async () => {
    await database.pools.jobs.query(
      `insert into external_systems (id, corporation_id, code, name) values (4, 2, 'THEIRS', 'b')`,
    )
    const [a, b] = [await save(), await save({ customers: [{ externalSystem: SYSTEM, externalCustomer: 'c2' }] })]
    const before = await search()
    const refused = async (change: Partial<EntityToSave>) =>
      (await entities.saveEntity(contact({ name: 'changed', ...change }))).outcome
    const foreign = [{ externalSystem: 4 as ExternalSystemId, externalCustomer: 'x' }]
    expect(await refused({ corporation: 77 as CorporationId })).toBe('no such corporation')
    expect(await refused({ customers: foreign })).toBe('no such external system')
    expect(await refused({ id: a.id, corporation: OTHERS, customers: [] })).toBe('no such entity')
    expect(await refused({ id: b.id })).toBe('customer is taken')
    const both = ['c1', 'c2'].map((externalCustomer) => ({ externalSystem: SYSTEM, externalCustomer }))
    expect(await refused({ customers: both })).toBe('customer is taken')
    expect(await search()).toEqual(before)
  })

  test('show which of their numbers and customers are on a stop list of their own corporation', async () => {
    await save({ customers: [...contact().customers, { externalSystem: SYSTEM, externalCustomer: 'c2' }] })
    await save({ corporation: OTHERS, customers: [] })
    await database.pools.jobs.query(`
      insert into stopped_numbers (corporation_id, number, created_at_ms) values (1, '${number(1)}', 0);
      insert into stopped_persons (corporation_id, person_key, created_at_ms) values (1, '3:c2', 0)`)
    const { entities: all } = await search({ corporations: [CORPORATION, OTHERS] })
    expect(all).toMatchObject([
      { numbers: [{ stopped: true }], extensions: [{ stopped: false }, { stopped: true }] },
      { numbers: [{ stopped: false }], extensions: [{ stopped: false }] },
    ])
  })

  test('show their extensions on request only', async () => {
    await save()
    expect((await search({ withExtensions: false })).entities).toMatchObject([{ extensions: null }])
  })
})
