/** Call tasks that are dialed from and to an instant, and changes after their import (campaigns-58, campaigns-59). */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { taskExpiryWorker } from '../../../src/core/workers/task-expiry-worker.ts'
import type { CallTaskId } from '../../../src/kernel/ids.ts'
import { CAMPAIGN, type DialerWorld, debtor, endOf, HOUR_MS, numberOf, openDialerWorld } from './dialer-world.ts'

let world: DialerWorld

beforeAll(async () => {
  world = await openDialerWorld()
})
afterAll(() => world.close())

const inHours = (hours: number) => new Date(world.parts.clock.nowMs() + hours * HOUR_MS).toISOString()
const importOne = async (place: number, change: object = {}, request: object = {}) => {
  const { body } = await world.importTasks([debtor(place, change)], request, '?returnImportedCallTasks=true')
  return (body as { callTasks: { itcaId: CallTaskId }[] }).callTasks[0]!.itcaId
}
const shown = async (itcaId: CallTaskId) => {
  const { body } = await world.search({ itcaIds: [itcaId], detail: true })
  return (body as { callTasks: Record<string, unknown>[] }).callTasks[0]!
}
const change = (itcaId: CallTaskId, body: object) => world.call('PATCH', `/dialer/calltask/${itcaId}`, body)

test('a call task is dialed from validFrom on, and shows its validity', async () => {
  const [validFrom, validTo] = [inHours(1), inHours(2)]
  const itcaId = await importOne(1, { validFrom, validTo })
  expect(await shown(itcaId)).toMatchObject({ validFrom, validTo, nextCallTs: validFrom, priority: 0, statusId: 1 })
  expect(await world.claim(await world.lease())).toEqual([])
})

test('after validTo a call task is EXPIRED, whether it was due or not', async () => {
  const itcaId = await importOne(2, { validFrom: inHours(-3), validTo: inHours(-2) })
  await change(itcaId, { priority: 5 })
  const worker = taskExpiryWorker(world.parts)
  worker.start(0)
  await expect.poll(async () => (await shown(itcaId))['statusId']).toBe(25)
  await worker.stop()
  expect(await shown(itcaId)).toMatchObject({
    statusId: 25,
    finished: true,
    finishReason: 'validTo is over',
    priority: 5,
  })
  expect(await change(itcaId, { validTo: null })).toMatchObject({ status: 409 })
})

test('a call task that a rule put off says which one, until it is finished', async () => {
  const itcaId = await importOne(60)
  expect(await shown(itcaId)).toMatchObject({ waitsFor: null })
  const nextCallAtMs = world.parts.clock.nowMs() + HOUR_MS
  const asked = { lease: await world.lease(), campaign: CAMPAIGN, tasksMax: 1, atMs: world.parts.clock.nowMs() }
  const decide = () => ({ verdict: 'later', nextCallAtMs, why: 'outsideHours' }) as const
  await world.dialerRepository.claimDueTasks({ ...asked, dialedSinceAtMs: 0, only: itcaId, decide })
  expect(await shown(itcaId)).toMatchObject({
    waitsFor: 'outsideHours',
    nextCallTs: new Date(nextCallAtMs).toISOString(),
  })
  await world.call('PUT', `/v1/calltasks/${itcaId}/end`, { reason: 'paid' })
  expect(await shown(itcaId)).toMatchObject({ finished: true, waitsFor: null })
})

test('an import gives a priority to its list, and a call task of it may have its own', async () => {
  const plain = await importOne(70)
  const list = { priority: 5 }
  const ofList = await importOne(71, {}, list)
  const hot = await importOne(72, { priority: 50 }, list)
  const priorities = [await shown(plain), await shown(ofList), await shown(hot)].map(({ priority }) => priority)
  expect(priorities).toEqual([0, 5, 50])
})

test('an import refuses a priority that is none, of a call task or of the list', async () => {
  const tasks = [101, 1.5, 'high'].map((priority, place) => debtor(80 + place, { priority }))
  const { body } = await world.importTasks(tasks)
  expect(body).toMatchObject({ importedCount: 0, callTaskErrors: tasks.map(() => ({ errorCodes: [1] })) })
  const refused = await world.importTasks([debtor(83)], { priority: 101 })
  expect(refused.body).toMatchObject({ statusText: expect.stringContaining('priority is no whole number') })
})

test('an import refuses a validity that is none', async () => {
  const wrong = [{ validFrom: 'tomorrow' }, { validTo: true }, { validFrom: inHours(2), validTo: inHours(1) }]
  const tasks = wrong.map((validity, place) => debtor(10 + place, validity))
  const { body } = await world.importTasks(tasks)
  expect(body).toMatchObject({
    importedCount: 0,
    callTaskErrors: wrong.map((_, callTaskIndex) => ({ callTaskIndex, errorCodes: [1] })),
  })
})

test('a call task is changed after its import, and dialed by its new values', async () => {
  const itcaId = await importOne(20, { validFrom: inHours(1) })
  const callNumberList = [numberOf(21), numberOf(22)]
  const figures = { maxCallAttempts: 9, minCallIntervalHours: 1, priority: -3 }
  const answer = await change(itcaId, { ...figures, callNumberList, validFrom: null, validTo: inHours(1) })
  expect(answer).toMatchObject({ status: 200, body: { itcaId, inCall: false } })
  expect(await shown(itcaId)).toMatchObject({
    ...figures,
    validFrom: null,
    callNumberList: callNumberList.map((number) => ({ number, e164: number })),
  })
  const lease = await world.lease()
  const [attempt] = await world.claim(lease)
  expect(attempt).toMatchObject({ number: numberOf(21), task: { id: itcaId, attemptsMax: 9 } })
  expect(await change(itcaId, { maxCallAttempts: 10 })).toMatchObject({ body: { inCall: true } })
  const end = endOf(attempt!, lease, world.parts.clock.nowMs(), { next: { status: 'maxAttempts' } })
  await world.dialerRepository.endAttempt(end)
  expect(await shown(itcaId)).toMatchObject({ finished: false, maxCallAttempts: 10, callAttemptCount: 1 })
})

test('a change with wrong numbers is refused with the codes of an import', async () => {
  const itcaId = await importOne(30)
  const wrong = (code: string) => ({ status: 400, body: { errors: [{ path: 'callNumberList', code }] } })
  expect(await change(itcaId, { callNumberList: ['112'] })).toMatchObject(wrong('103'))
  const number = numberOf(31)
  expect((await world.call('POST', '/dialer/stoplist/numbers', { numbers: [number] })).status).toBe(200)
  expect(await change(itcaId, { callNumberList: [number] })).toMatchObject(wrong('203'))
  expect(await change(itcaId, { validTo: 'never' })).toMatchObject({ status: 400 })
  expect(await change(itcaId, {})).toMatchObject({ status: 400 })
  expect(await change(999_999_999 as CallTaskId, { priority: 1 })).toMatchObject({ status: 404 })
})
