/** Events and the look-up that follows them (contract.md §6). */
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ActivityId } from '../../../src/kernel/ids.ts'
import type { FinishedCall } from '../../../src/ports/dialer-repository.ts'
import { SCOPES } from '../../../src/rest/http/route.ts'
import { inTransaction } from '../../../src/store/db/transaction.ts'
import { writeEvent } from '../../../src/store/webhooks/write-event.ts'
import { OURS, THEIRS } from '../rest-world.ts'
import { openWholeWorld, settle, type Tenant, type WholeWorld } from '../whole-world.ts'
import { callOf } from './dialer-world.ts'

let world: WholeWorld
let us: Tenant

beforeAll(async () => {
  world = await openWholeWorld()
  us = await settle(world, OURS, 'ours', 1)
})
afterAll(() => world.close())

interface Event {
  readonly type: string
  readonly phoneCallId: string
  readonly phoneCallSummaryId?: string
  readonly data: Readonly<Record<string, unknown>>
}

interface Call {
  readonly eactId: number
  readonly startTs: string | null
  readonly endTs: string | null
  readonly talkSeconds: number
  readonly externalSystem?: { readonly itsyId: number }
}

const feed = async (after?: string, as = us.as) => {
  const query = after === undefined ? '' : `?after=${encodeURIComponent(after)}`
  const { body } = await world.call('GET', `/core/events${query}`, undefined, { as })
  return body as { events: Event[]; next: string }
}
/**
 * So many events of these calls. The feed shows an event once no older transaction runs, in any database of the
 * server. Events of the setup may appear late as well, and are ignored here.
 */
const feedOf = async (calls: readonly string[], wanted: number, after: string, as = us.as) => {
  const found: Event[] = []
  for (let next = after; found.length < wanted; ) {
    const page = await feed(next, as)
    found.push(...page.events.filter(({ phoneCallId }) => calls.includes(phoneCallId)))
    next = page.next
  }
  return found
}
/** Writes the call; returns the `phoneCallId` of its events. */
const finish = async (call: FinishedCall) => {
  const done = await world.parts.dialerRepository.finishCall(call)
  if (done.outcome === 'refused') throw new Error(done.why)
  return String(done.activity)
}
const lookUp = async (phoneCallId: string) => {
  const { body } = await world.call('POST', '/rest/svcems/calls/search', { eactIds: [phoneCallId] }, { as: us.as })
  return body as Call[]
}

test('an integrator that gets the event of a call can look it up at once by phoneCallId', async () => {
  const CALLS = 60
  let { next } = await feed()
  const finishing = Array.from({ length: CALLS }, (_, count) => {
    const about = { answeredAtMs: 30_000 + count, result: 'answered' as const, talkMs: 1_000 }
    return finish(callOf(`quick-${count}`, 60_000 + count, count % 2 === 0 ? about : {}))
  })
  let ours: readonly string[] | undefined
  const finished = Promise.all(finishing).then((calls) => {
    ours = calls
  })
  const seen = new Map<string, { readonly event: Event; readonly found: readonly Call[] }>()
  while (ours?.every((call) => seen.has(call)) !== true) {
    const page = await feed(next)
    next = page.next
    for (const event of page.events) seen.set(event.phoneCallId, { event, found: await lookUp(event.phoneCallId) })
  }
  await finished
  expect(ours).toHaveLength(CALLS)
  for (const call of ours) {
    const { event, found } = seen.get(call)!
    expect(event).toMatchObject({ type: 'phone-call.ended', phoneCallId: call, data: { phoneCallId: call } })
    expect(found).toMatchObject([{ eactId: Number(call) }])
    // Never older than the event: the call is over, and its outcome is known.
    expect(found[0]!.endTs).toEqual(expect.any(String))
    expect(found[0]!.startTs === null).toBe(found[0]!.talkSeconds === 0)
  }
})

test('every call sends it: in and out, answered or not, with a system or without', async () => {
  const { next } = await feed()
  const itsyId = us.ids['itsyId'] as never
  const kinds = [
    callOf('in', 61_000, { direction: 'in' }),
    callOf('in-answered', 61_001, { direction: 'in', answeredAtMs: 40_000, result: 'answered', talkMs: 5_000 }),
    callOf('out', 61_002),
    callOf('out-of-a-system', 61_003, { externalSystem: itsyId }),
  ]
  const ended: string[] = []
  for (const call of kinds) ended.push(await finish(call))
  const events = await feedOf(ended, kinds.length, next)
  expect(events.map(({ type }) => type)).toEqual(kinds.map(() => 'phone-call.ended'))
  const calls = await Promise.all(events.map(({ phoneCallId }) => lookUp(phoneCallId)))
  const systems = calls.map(([call]) => call?.externalSystem?.itsyId)
  // A subscriber recognises the calls of other systems by it.
  expect(systems.sort()).toEqual([itsyId, undefined, undefined, undefined])
})

test('whoever subscribes to the calls of one system gets them all, and no others', async () => {
  const { systemCode, itsyId } = us.ids
  const hook = { url: 'https://ours.example.com/one', events: ['phone-call.ended'], systemCodes: [systemCode] }
  const { body: made } = await world.call('POST', '/core/webhooks', hook, { as: us.as })
  const externalSystemCode = String(systemCode)
  await finish(callOf('of-the-system', 61_010, { externalSystem: itsyId as never }))
  await finish(callOf('in-of-the-system', 61_011, { direction: 'in', externalSystemCode }))
  await finish(callOf('of-no-system', 61_012))
  const path = `/core/webhooks/${made.webhookId}/deliveries`
  const { body: deliveries } = await world.call('GET', path, undefined, { as: us.as })
  const events = deliveries.map(({ eventId }: { eventId: string }) => eventId)
  expect(events.sort()).toEqual(['event-in-of-the-system', 'event-of-the-system'])
})

test('a system that gets another code keeps its webhooks, and what was missed meanwhile can be had', async () => {
  const { systemCode, itsyId } = us.ids
  const as = us.as
  const ask = async (method: string, path: string, body?: unknown) =>
    (await world.call(method, path, body, { as })).body
  const hook = { url: 'https://ours.example.com/renamed', events: ['phone-call.ended'], systemCodes: [systemCode] }
  const { webhookId } = await ask('POST', '/core/webhooks', hook)
  const path = `/core/webhooks/${webhookId}`
  const eventsOf = async () =>
    (await ask('GET', `${path}/deliveries`)).map(({ eventId }: { eventId: string }) => eventId)
  await ask('PATCH', `/core/externalsystems/${itsyId}`, { systemCode: 'RENAMED' })
  expect((await ask('GET', path)).systemCodes).toEqual(['RENAMED'])
  await finish(callOf('after-renaming', 61_020, { externalSystem: itsyId as never }))
  // A change of something else is none of its systems.
  await ask('PATCH', path, { description: 'renamed', active: false })
  await finish(callOf('while-it-is-off', 61_021, { externalSystem: itsyId as never }))
  await finish(callOf('of-others-while-it-is-off', 61_022))
  await ask('PATCH', `/core/externalsystems/${itsyId}`, { systemCode })
  await ask('PATCH', path, { active: true })
  expect(await eventsOf()).toEqual(['event-after-renaming'])
  await ask('POST', `${path}/recover`, { from: new Date(61_020).toISOString(), to: new Date(61_030).toISOString() })
  expect((await eventsOf()).sort()).toEqual(['event-after-renaming', 'event-while-it-is-off'])
  // As the migration leaves one whose codes nobody had any more: it got nothing, and a change must not open it.
  await world.pools.jobs.query(`update webhook_subscriptions set external_system_ids = '{0}' where id = $1`, [
    webhookId,
  ])
  await ask('PATCH', path, { description: 'of nobody' })
  await finish(callOf('of-nobody', 61_023))
  expect(await eventsOf()).toHaveLength(2)
})

test('a webhook that nothing has matched for seven days says so', async () => {
  const hook = { url: 'https://ours.example.com/quiet', events: ['phone-call-summary.update'] }
  const { body: made } = await world.call('POST', '/core/webhooks', hook, { as: us.as })
  const warning = async () =>
    (await world.call('GET', `/core/webhooks/${made.webhookId}`, undefined, { as: us.as })).body.warning
  expect(await warning()).toBeNull()
  const days = 7 * 24 * 3_600_000
  await world.pools.jobs.query('update webhook_subscriptions set created_at_ms = created_at_ms - $1 where id = $2', [
    days,
    made.webhookId,
  ])
  expect(await warning()).toMatch(/no event has matched for 7 days/)
  await world.call('PATCH', `/core/webhooks/${made.webhookId}`, { active: false }, { as: us.as })
  expect(await warning()).toBeNull()
})

test('the event of a summary has both ids, each the eactId of the call', async () => {
  const { next: before } = await feed()
  const call = await finish(callOf('summed-up', 62_000))
  const activity = Number(call) as ActivityId
  await feedOf([call], 1, before)
  const { next } = await feed()
  for (const [type, version] of [
    ['phone-call-summary.creation', 1],
    ['phone-call-summary.update', 2],
  ] as const) {
    const event = {
      eventName: `summary-${version}`,
      type,
      corporation: OURS,
      activity,
      version,
      atMs: 62_000 + version,
    }
    await inTransaction(world.pools.control, (transaction) => writeEvent(transaction, event))
  }
  const events = await feedOf([call], 2, next)
  expect(events).toMatchObject(
    ['creation', 'update'].map((what, index) => ({
      type: `phone-call-summary.${what}`,
      phoneCallId: call,
      phoneCallSummaryId: call,
      data: { phoneCallId: call, phoneCallSummaryId: call, summaryVersion: index + 1 },
    })),
  )
})

test('events and calls of another corporation are neither in the feed nor found', async () => {
  const { next } = await feed()
  const call = await finish(callOf('theirs', 63_000, { corporation: THEIRS }))
  const theirs = await world.credential(SCOPES, [THEIRS])
  expect(await feedOf([call], 1, next, theirs)).toHaveLength(1)
  expect((await feed(next)).events).toEqual([])
  expect(await lookUp(call)).toEqual([])
})
