/** §2.8, §4.5: the lists that a case refers to. */
import { beforeAll, expect, test } from 'vitest'
import { queueOf } from './place/campaigns.ts'
import { type Desk, makeCase, openDesk } from './place/records.ts'

let desk: Desk

beforeAll(async () => {
  desk = await openDesk('case-lists')
})

/** The entry of a list with this name, as it is on the wire. */
async function entryOf(path: string, name: string): Promise<Readonly<Record<string, unknown>> | undefined> {
  const { status, body } = await desk.raw('GET', path)
  expect(status).toBe(200)
  return (body as Readonly<Record<string, unknown>>[]).find((entry) => entry['name'] === name)
}

test('categories are listed with the key that a case refers to [acc 221 by HTTP]', async () => {
  expect(await entryOf('/rest/svcems/categories', 'Parking of 221')).toBeUndefined()
  const { ctnoId } = await desk.client.ask('POST /rest/svcems/categories', { body: { name: 'Parking of 221' } })
  const entry = await entryOf('/rest/svcems/categories', 'Parking of 221')
  expect(entry).toMatchObject({ ctnoId, active: true })
  expect((await makeCase(desk, { category: { ctnoId: entry!['ctnoId'] as number } })).category).toEqual(entry)
})

test('statuses of users are listed under their type, and nothing under another [acc 222 by HTTP]', async () => {
  const path = '/rest/svcems/statuses?type=35013'
  expect(await entryOf(path, 'In court of 222')).toBeUndefined()
  const body = { name: 'In court of 222', internalStatus: 3 }
  const { emstId } = await desk.client.ask('POST /rest/svcems/statuses', { body })
  const entry = await entryOf(path, 'In court of 222')
  expect(entry).toMatchObject({ emstId, internalStatus: 3 })
  const made = await makeCase(desk, { status: 3, emsStatus: { emstId: entry!['emstId'] as number } })
  expect(made.emsStatus).toEqual(entry)
  expect((await desk.raw('GET', '/rest/svcems/statuses?type=35014')).body).toEqual([])
})

test('priorities are listed with the key of retrieval [acc 223 by HTTP]', async () => {
  expect(await entryOf('/rest/svcems/priorities', 'At once of 223')).toBeUndefined()
  const body = { name: 'At once of 223', level: 99 }
  const { emprId } = await desk.client.ask('POST /rest/svcems/priorities', { body })
  const entry = await entryOf('/rest/svcems/priorities', 'At once of 223')
  expect(entry).toMatchObject({ emprId, level: 99 })
  expect((await makeCase(desk, { priority: { empriId: entry!['emprId'] as number } })).priority).toEqual(entry)
})

test('queues are the teams of the installation [acc 224 by HTTP, file]', async () => {
  const [entry, other] = [
    await entryOf('/rest/svcpbx/queue', 'records'),
    await entryOf('/rest/svcpbx/queue', 'Consumer cases'),
  ]
  expect(entry).toMatchObject({ ucquId: expect.any(Number), name: 'records' })
  expect(other).toMatchObject({ ucquId: expect.any(Number) })
  expect(other!['ucquId']).not.toBe(entry!['ucquId'])
  const ucquId = await queueOf(desk.client, 'records')
  expect(entry).toMatchObject({ ucquId })
  expect((await makeCase(desk, { queue: { ucquId } })).queue).toEqual({ ucquId, name: 'records' })
})
