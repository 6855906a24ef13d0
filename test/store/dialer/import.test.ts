import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { CampaignId } from '../../../src/kernel/ids.ts'
import type { DialerRepositoryWithStops } from '../../support/stop-control.ts'
import { makeDatabase, servers, type TestDatabase } from '../db/database.ts'
import {
  CORPORATION,
  campaign,
  debtor,
  debtors,
  importOf,
  NOON,
  number,
  openShop,
  SYSTEM,
  searchCallTasks,
  searchOf,
} from '../shop.ts'

describe.each(servers)('importing call tasks on $name', (server) => {
  let database: TestDatabase
  let dialerRepository: DialerRepositoryWithStops
  let campaigns = 100

  beforeAll(async () => {
    database = await makeDatabase(server)
    dialerRepository = await openShop(database.pools)
  })
  afterAll(() => database.drop())

  async function newCampaign(): Promise<CampaignId> {
    const id = ++campaigns as CampaignId
    await dialerRepository.saveCampaign(campaign(id), NOON)
    return id
  }

  test('the tasks are stored in the submitted order, with their numbers and properties', async () => {
    const id = await newCampaign()
    const result = await dialerRepository.importCallTasks(importOf(debtors(3), { campaign: id }))
    const { foundRows, callTasks } = await searchCallTasks(database.pools, searchOf({ campaigns: [id] }))
    expect(foundRows).toBe(3)
    expect(callTasks.map(({ receiverName }) => receiverName)).toEqual(['Debtor 0', 'Debtor 1', 'Debtor 2'])
    expect(callTasks[0]).toMatchObject({
      status: 'new',
      finished: false,
      answered: false,
      externalCaseNumber: 'case 0',
    })
    expect(result).toEqual({
      outcome: 'imported',
      imported: callTasks.map((task, index) => ({ index, id: task.id })),
      refused: [],
    })
    const properties = await database.pools.api.query('select value from call_task_properties where task_id = $1', [
      callTasks[1]!.id,
    ])
    expect(properties.rows).toEqual([{ value: '1 kroner' }])
  })

  test('a case that is listed already is refused, and the earlier place of a list wins', async () => {
    const id = await newCampaign()
    await dialerRepository.importCallTasks(importOf([debtor(0)], { campaign: id }))
    const nameless = {
      numbers: [
        { given: '1', number: number(1) },
        { given: '2', number: number(2) },
      ],
    }
    const { externalCustomer: _, externalCaseNumber: __, ...anonymous } = debtor(2, nameless)
    const turned = { ...anonymous, index: 3, numbers: [...nameless.numbers].reverse() }
    const list = [debtor(0), debtor(1), anonymous, turned]
    expect(await dialerRepository.importCallTasks(importOf(list, { campaign: id }))).toMatchObject({
      imported: [{ index: 1 }, { index: 2 }],
      refused: [
        { index: 0, why: ['duplicate'] },
        { index: 3, why: ['duplicate'] },
      ],
    })
  })

  test('the same case may be in another campaign', async () => {
    await dialerRepository.importCallTasks(importOf([debtor(0)], { campaign: await newCampaign() }))
    const other = await dialerRepository.importCallTasks(importOf([debtor(0)], { campaign: await newCampaign() }))
    expect(other).toMatchObject({ imported: [{ index: 0 }], refused: [] })
  })

  test('stopped numbers and persons are refused, or omitted if the campaign says so', async () => {
    const stopped = { given: '90', number: number(90) }
    await dialerRepository.addStop(CORPORATION, { kind: 'number', number: stopped.number }, NOON)
    await dialerRepository.addStop(
      CORPORATION,
      { kind: 'person', externalSystem: SYSTEM, externalCustomer: 'unlucky' },
      NOON,
    )
    const unlucky = debtor(1, { externalCustomer: 'unlucky' })
    const list = [debtor(0, { numbers: [stopped, { given: '0', number: number(0) }] }), unlucky]
    const rejecting = await dialerRepository.importCallTasks(importOf(list, { campaign: await newCampaign() }))
    expect(rejecting).toMatchObject({
      imported: [],
      refused: [
        { index: 0, why: ['numberStopped'] },
        { index: 1, why: ['personStopped'] },
      ],
    })
    const change = { campaign: await newCampaign(), stoppedNumbers: 'drop' } as const
    const dropping = await dialerRepository.importCallTasks(importOf(list, change))
    expect(dropping).toMatchObject({ imported: [{ index: 0 }], refused: [{ index: 1, why: ['personStopped'] }] })
    expect(await dialerRepository.removeStop(CORPORATION, { kind: 'number', number: stopped.number })).toBe(true)
    expect(await dialerRepository.isStopped(CORPORATION, { kind: 'number', number: stopped.number })).toBe(false)
  })

  test('given a task that the database refuses, none of the list is imported', async () => {
    const id = await newCampaign()
    const noSuchField = debtor(1, { properties: [{ field: 999, value: 'x' }] })
    await expect(
      dialerRepository.importCallTasks(importOf([debtor(0), noSuchField], { campaign: id })),
    ).rejects.toThrow()
    expect(await searchCallTasks(database.pools, searchOf({ campaigns: [id] }))).toEqual({
      foundRows: 0,
      callTasks: [],
    })
  })

  test('the same import twice is carried out once and returns the same', async () => {
    const request = importOf(debtors(2), { campaign: await newCampaign() })
    const [one, other] = await Promise.all([
      dialerRepository.importCallTasks(request),
      dialerRepository.importCallTasks(request),
    ])
    expect(other).toEqual(one)
    expect((await searchCallTasks(database.pools, searchOf({ campaigns: [request.campaign] }))).foundRows).toBe(2)
  })

  test('given two imports of the same cases at once, each case is stored once', async () => {
    const id = await newCampaign()
    const request = () => importOf(debtors(200), { campaign: id })
    const results = await Promise.all([request(), request()].map((one) => dialerRepository.importCallTasks(one)))
    const counts = results.map((result) => (result.outcome === 'imported' ? result.imported.length : -1))
    expect(counts[0]! + counts[1]!).toBe(200)
  })

  test('an unknown campaign is reported', async () => {
    const result = await dialerRepository.importCallTasks(importOf(debtors(1), { campaign: 999 as CampaignId }))
    expect(result).toEqual({ outcome: 'no such campaign' })
  })

  test('texts that look like SQL are texts', async () => {
    const id = await newCampaign()
    const evil = `'; drop table call_tasks; --\\ "$1" \u{1F600}`
    const task = debtor(0, { receiverName: evil, externalCustomer: evil, externalCaseNumber: evil })
    await dialerRepository.importCallTasks(importOf([task], { campaign: id, importId: evil }))
    const { callTasks } = await searchCallTasks(
      database.pools,
      searchOf({ externalCaseNumbers: [evil], externalCustomers: [evil, `x') or 1=1 --`] }),
    )
    expect(callTasks).toMatchObject([{ receiverName: evil, externalCustomer: evil, externalCaseNumber: evil }])
  })
})
