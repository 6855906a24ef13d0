import { afterAll, beforeAll, expect, test } from 'vitest'
import { importWorker, workOffPiece } from '../../../src/core/imports/import-worker.ts'
import { silentLog } from '../../../src/kernel/log.ts'
import { THEIRS } from '../rest-world.ts'
import { CAMPAIGN, type DialerWorld, debtors, openDialerWorld, SETTINGS } from './dialer-world.ts'

let world: DialerWorld

beforeAll(async () => {
  world = await openDialerWorld()
})
afterAll(() => world.close())

let nextPlace = 0
const fresh = (count: number) => {
  nextPlace += count
  return debtors(nextPlace - count, nextPlace)
}
const queue = async (callTasks: readonly unknown[], change: object = {}) =>
  (await world.importTasks(callTasks, change, '?importAsync=true')).body
const show = async (importId: string, query = '') =>
  (await world.call('GET', `/svcdialer/calltaskimport/${importId}${query}`)).body
const workOffAll = async () => {
  while (await workOffPiece(world.parts));
}

test('an asynchronous import answers at once, and creates its call tasks afterwards', async () => {
  const list = fresh(3)
  const queued = await queue(list)
  expect(queued).toEqual({ callTaskErrors: [], importId: expect.stringMatching(/^imp_/), importStatus: 'queued' })
  expect(await show(queued.importId)).toMatchObject({
    importStatus: 'queued',
    systemCode: 'DEBT',
    callCode: CAMPAIGN,
    submittedCount: 3,
    importedCount: 0,
    finishedTs: null,
  })
  expect((await world.search({ extCustIds: [list[0]!.extCustId] })).body.foundRows).toBe(0)
  await workOffAll()
  expect(await show(queued.importId)).toMatchObject({ importStatus: 'completed', importedCount: 3, failedCount: 0 })
  expect((await world.search({ extCustIds: list.map(({ extCustId }) => extCustId) })).body.foundRows).toBe(3)
})

test('mistakes of the whole request are reported at once', async () => {
  const { status, body } = await world.importTasks(fresh(1), { callCode: 99 }, '?importAsync=true')
  expect([status, body.statusCode]).toEqual([400, 6])
})

test('errors and call tasks have their places in the whole list, over all of its pieces', async () => {
  const list: object[] = fresh(2_500)
  list[1_500] = { ...list[1_500], callNumberList: [] }
  list[2_400] = { ...list[0] }
  const { importId } = await queue(list)
  await workOffAll()
  const job = await show(importId, '?returnImportedCallTasks=true')
  expect(job).toMatchObject({ importStatus: 'completed', submittedCount: 2_500, importedCount: 2_498, failedCount: 2 })
  expect(job.callTaskErrors).toMatchObject([
    { callTaskIndex: 1_500, errorCodes: [102] },
    { callTaskIndex: 2_400, errorCodes: [201] },
  ])
  expect(job.callTasks).toHaveLength(2_498)
  const last = job.callTasks.at(-1)
  expect(last).toMatchObject({ callTaskIndex: 2_499, importId })
})

test('given a crash after the call tasks were created and before the record of it, none is created twice', async () => {
  const list = fresh(5)
  const { importId } = await queue(list)
  const forgetful = { ...world.parts, dialerAdmin: { ...world.parts.dialerAdmin, settleImportPiece: async () => {} } }
  await workOffPiece(forgetful)
  expect(await show(importId)).toMatchObject({ importStatus: 'running', importedCount: 0 })
  await world.pools.jobs.query('update import_pieces set claimed_until_ms = 0')
  // What was created stays so, also under rules that would refuse it now.
  const allow = async (...allowedDestinations: readonly string[]) =>
    (await world.call('POST', '/dialer/callcode', { callCode: CAMPAIGN, allowedDestinations })).status
  expect(await allow('SE')).toBe(200)
  await workOffAll()
  expect(await allow('DK')).toBe(200)
  expect(await show(importId)).toMatchObject({ importStatus: 'completed', importedCount: 5, callTaskErrors: [] })
  expect((await world.search({ extCustIds: list.map(({ extCustId }) => extCustId) })).body.foundRows).toBe(5)
})

test('given two workers at once, each piece is processed once', async () => {
  const { importId } = await queue(fresh(3_000))
  await Promise.all([workOffAll(), workOffAll()])
  expect(await show(importId)).toMatchObject({ importStatus: 'completed', importedCount: 3_000, failedCount: 0 })
})

test('a cancelled import creates nothing more, and reports what it had created', async () => {
  const list = fresh(1_500)
  const { importId } = await queue(list)
  await workOffPiece(world.parts)
  const cancelled = await world.call('DELETE', `/svcdialer/calltaskimport/${importId}`)
  expect(cancelled.body).toMatchObject({ importStatus: 'cancelled', importedCount: 1_000 })
  await workOffAll()
  expect(await show(importId)).toMatchObject({ importStatus: 'cancelled', importedCount: 1_000 })
  expect((await world.search({ extCustIds: [list[1_499]!.extCustId] })).body.foundRows).toBe(0)
})

test('an import whose campaign can no longer dial fails, with the reason', async () => {
  const { importId } = await queue(fresh(1))
  const [kept] = (
    await world.parts.dialerAdmin.findCampaigns({ corporations: [1 as never], ids: [CAMPAIGN], page: 0, rowsMax: 1 })
  ).campaigns
  await world.dialerRepository.saveCampaign({ ...kept!, settings: {} }, 0)
  await workOffAll()
  await world.dialerRepository.saveCampaign({ ...kept!, settings: SETTINGS }, 0)
  expect(await show(importId)).toMatchObject({
    importStatus: 'failed',
    statusText: expect.stringContaining('callerId'),
  })
})

test('given a mistake of ours, the call tasks of the piece get code 1 and the import continues', async () => {
  const { importId } = await queue(fresh(1_001))
  const importCallTasks = async () => {
    throw new Error('planted')
  }
  await workOffPiece({
    ...world.parts,
    log: silentLog,
    dialerRepository: { ...world.dialerRepository, importCallTasks },
  })
  await workOffAll()
  const job = await show(importId)
  expect(job).toMatchObject({ importStatus: 'completed', importedCount: 1, failedCount: 1_000 })
  expect(job.callTaskErrors[999]).toMatchObject({ callTaskIndex: 999, errorCodes: [1] })
})

test('imports are listed, the newest first, synchronous ones too', async () => {
  const { body } = await world.importTasks([...fresh(1), { callReceiverName: 'X' }])
  const { importId } = await queue(fresh(1))
  const all = await world.call('GET', '/svcdialer/calltaskimport?limit=2')
  expect(all.body.imports.map((job: { importId: string }) => job.importId)).toEqual([importId, body.importId])
  expect(all.body).toMatchObject({ firstRow: 1, lastRow: 2 })
  const queued = await world.call('GET', '/svcdialer/calltaskimport?importStatus=queued')
  expect(queued.body).toMatchObject({ foundRows: 1, imports: [{ importId, importStatus: 'queued' }] })
  expect(await show(body.importId)).toMatchObject({
    importStatus: 'completed',
    importedCount: 1,
    callTaskErrors: [{ callTaskIndex: 1, errorCodes: [102] }],
  })
  await workOffAll()
})

test('an import of another corporation is not found', async () => {
  const { importId } = await queue(fresh(1))
  const as = await world.credential(['dialer:read', 'dialer:write'], [THEIRS])
  const path = `/svcdialer/calltaskimport/${importId}`
  expect((await world.call('GET', path, undefined, { as })).status).toBe(404)
  expect((await world.call('DELETE', path, undefined, { as })).status).toBe(404)
  expect((await world.call('GET', '/svcdialer/calltaskimport', undefined, { as })).body.foundRows).toBe(0)
  await workOffAll()
  expect(await show(importId)).toMatchObject({ importStatus: 'completed' })
})

test('a worker processes the queue, and stops on request', async () => {
  const { importId } = await queue(fresh(10))
  let settled: () => void = () => {}
  const whenSettled = new Promise<void>((resolve) => {
    settled = resolve
  })
  const office = { ...world.parts.dialerAdmin }
  const telling = importWorker({
    ...world.parts,
    dialerAdmin: {
      ...office,
      settleImportPiece: async (...told) => {
        await office.settleImportPiece(...told)
        settled()
      },
    },
  })
  telling.start()
  await whenSettled
  await telling.stop()
  expect(await show(importId)).toMatchObject({ importStatus: 'completed', importedCount: 10 })
})
