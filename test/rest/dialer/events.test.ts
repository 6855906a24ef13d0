/** Events and the look-up that follows them (Interface §6). */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { SCOPES } from '../../../src/rest/route.ts'
import { inTransaction } from '../../../src/store/transaction.ts'
import { writeEvent } from '../../../src/store/write-event.ts'
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

const feed = async (after?: string, as = us.as) => {
  const query = after === undefined ? '' : `?after=${encodeURIComponent(after)}`
  const { body } = await world.call('GET', `/core/events${query}`, undefined, { as })
  return body as { events: Event[]; next: string }
}
/** So many events: the feed shows one as soon as no older transaction runs any more, in whatever database. */
const feedOf = async (count: number, as: Tenant['as'], after?: string) => {
  const found: Event[] = []
  for (let next = after; found.length < count; ) {
    const page = await feed(next, as)
    found.push(...page.events)
    next = page.next
  }
  return found
}
const lookUp = async (phoneCallId: string) => {
  const { body } = await world.call('POST', '/rest/svcems/calls/search', { eactIds: [phoneCallId] }, { as: us.as })
  return body
}

test('whoever has the event of a call can look it up at once by phoneCallId [acc 255, 261]', async () => {
  const CALLS = 60
  let { next } = await feed()
  const finishing = Array.from({ length: CALLS }, (_, count) => {
    const about = { answeredAtMs: 30_000 + count, result: 'answered' as const, talkMs: 1_000 }
    return world.parts.records.finishCall(callOf(`quick-${count}`, 60_000 + count, count % 2 === 0 ? about : {}))
  })
  const seen = new Map<string, Event>()
  while (seen.size < CALLS) {
    const page = await feed(next)
    next = page.next
    for (const event of page.events) {
      seen.set(event.phoneCallId, event)
      const [call, ...others] = await lookUp(event.phoneCallId)
      expect(others).toEqual([])
      expect(String(call.eactId)).toBe(event.phoneCallId)
      // Never older than the event: the call is over, and how it went is known.
      expect(call.endTs).toEqual(expect.any(String))
      expect(call.startTs === null).toBe(call.talkSeconds === 0)
    }
  }
  expect(await Promise.all(finishing)).toHaveLength(CALLS)
  expect(
    [...seen.values()].every(
      ({ type, data, phoneCallId }) => type === 'phone-call.ended' && data['phoneCallId'] === phoneCallId,
    ),
  ).toBe(true)
})

test('every call sends it: in and out, answered or not, of a system or not [acc 253, 254, 262]', async () => {
  const { next } = await feed()
  const itsyId = us.ids['itsyId'] as never
  const kinds = [
    callOf('in', 61_000, { direction: 'in' }),
    callOf('in-answered', 61_001, { direction: 'in', answeredAtMs: 40_000, result: 'answered', talkMs: 5_000 }),
    callOf('out', 61_002),
    callOf('out-of-a-system', 61_003, { externalSystem: itsyId }),
  ]
  for (const call of kinds) await world.parts.records.finishCall(call)
  const events = await feedOf(kinds.length, us.as, next)
  expect(events.map(({ type }) => type)).toEqual(kinds.map(() => 'phone-call.ended'))
  const calls = await Promise.all(events.map(({ phoneCallId }) => lookUp(phoneCallId)))
  const systems = calls.map(([call]) => call.externalSystem?.itsyId)
  // A subscriber tells the calls of other systems apart by it.
  expect(systems.sort()).toEqual([itsyId, undefined, undefined, undefined])
})

test('the event of a summary carries both ids, each the eactId of the call [acc 258]', async () => {
  const { next: before } = await feed()
  const done = await world.parts.records.finishCall(callOf('summed-up', 62_000))
  if (done.outcome === 'refused') throw new Error(done.why)
  const { activity } = done
  await feedOf(1, us.as, before)
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
  const events = await feedOf(2, us.as, next)
  expect(events).toMatchObject(
    ['creation', 'update'].map((what, index) => ({
      ...{ type: `phone-call-summary.${what}`, phoneCallId: String(activity), phoneCallSummaryId: String(activity) },
      data: { phoneCallId: String(activity), phoneCallSummaryId: String(activity), summaryVersion: index + 1 },
    })),
  )
})

test('events and calls of another corporation are in nobody else’s feed and look-up', async () => {
  const { next } = await feed()
  const done = await world.parts.records.finishCall(callOf('theirs', 63_000, { corporation: THEIRS }))
  if (done.outcome === 'refused') throw new Error(done.why)
  const theirs = await world.credential(SCOPES, [THEIRS])
  const told = await feedOf(1, theirs)
  expect(told.map(({ phoneCallId }) => phoneCallId)).toEqual([String(done.activity)])
  expect((await feed(next)).events).toEqual([])
  expect(await lookUp(String(done.activity))).toEqual([])
})
