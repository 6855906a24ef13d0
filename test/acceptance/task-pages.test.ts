/** §2.3, §8: pages of a search, over a campaign with many call tasks. */
import { beforeAll, describe, expect, test } from 'vitest'
import type { Client } from '../../src/client/client.ts'
import { importTasks, makeCampaign, makeSystem } from './place/campaigns.ts'
import { integrator } from './place/doors.ts'
import { issueCredential, send } from './place/wire.ts'

const systemCode = 'TASKS3'
const MANY = 1_101
let client: Client
let callCode: number

beforeAll(async () => {
  client = await integrator()
  callCode = await makeCampaign(client, 'tasks', await makeSystem(client, systemCode), { active: false })
  const callTasks = Array.from({ length: MANY }, (_, place) => ({
    callReceiverName: `Many ${place}`,
    callNumberList: [`+45263${String(10_000 + place)}`],
    systemLookupCode: `M-${place}`,
  }))
  await importTasks(client, { systemCode, callCode, callTasks })
})

describe('a page', () => {
  const page = async (body: object) => {
    const { callTasks, ...facts } = await client.ask('POST /dialer/calltaskget', {
      body: { callCodes: [{ callCode }], ...body },
    })
    return { facts, places: callTasks.map(({ systemLookupCode }) => Number(systemLookupCode?.slice(2))) }
  }
  const places = (from: number, to: number) => Array.from({ length: to - from }, (_, place) => from + place)

  test('says how many there are, which rows, and how many pages [acc 70–73, 165, 166 by HTTP]', async () => {
    const all = { foundRows: MANY }
    expect(await page({ limit: 400 })).toEqual({
      facts: { ...all, firstRow: 1, lastRow: 400, pageCount: 3 },
      places: places(0, 400),
    })
    expect(await page({ limit: 400, pageNumber: 3 })).toEqual({
      facts: { ...all, firstRow: 801, lastRow: MANY, pageCount: 3 },
      places: places(800, MANY),
    })
    expect((await page({ limit: 367, pageNumber: 2 })).facts).toEqual({
      ...all,
      firstRow: 368,
      lastRow: 734,
      pageCount: 3,
    })
    expect(await page({ limit: 400, pageNumber: 4 })).toEqual({
      facts: { ...all, firstRow: 0, lastRow: 0, pageCount: 3 },
      places: [],
    })
    expect((await page({ systemLookupCodes: ['M-7'] })).facts).toEqual({
      foundRows: 1,
      firstRow: 1,
      lastRow: 1,
      pageCount: 1,
    })
  })

  test('has 50 rows, or 1000 for 0 or less, and is the first unless said [acc 292, 293, 295 by HTTP]', async () => {
    const first = { facts: { foundRows: MANY, firstRow: 1, lastRow: 50, pageCount: 23 }, places: places(0, 50) }
    for (const body of [{}, { pageNumber: 1 }, { limit: 50 }]) expect([body, await page(body)]).toEqual([body, first])
    expect(await page({ pageNumber: 23 })).toEqual({
      facts: { foundRows: MANY, firstRow: MANY, lastRow: MANY, pageCount: 23 },
      places: [MANY - 1],
    })
    for (const limit of [0, -1, -50]) {
      const facts = { foundRows: MANY, firstRow: 1, lastRow: 1_000, pageCount: 2 }
      expect([limit, await page({ limit })]).toEqual([limit, { facts, places: places(0, 1_000) }])
      expect((await page({ limit, pageNumber: 2 })).places).toEqual(places(1_000, MANY))
    }
    const as = await issueCredential(client)
    for (const json of [{ limit: 'many' }, { limit: 1.5 }, { pageNumber: 'first' }]) {
      expect((await send(await client.endpoint(), 'POST', '/dialer/calltaskget', { as, json })).status).toBe(400)
    }
  })
})

test('a search needs no body, and has a first page all the same [acc 56, 292, 295 by HTTP]', async () => {
  const as = await issueCredential(client)
  const { status, body } = await send(await client.endpoint(), 'POST', '/dialer/calltaskget', { as })
  expect([status, (body['callTasks'] as readonly unknown[]).length]).toEqual([200, 50])
  expect(body).toMatchObject({ firstRow: 1, lastRow: 50, pageCount: Math.ceil(Number(body['foundRows']) / 50) })
})
