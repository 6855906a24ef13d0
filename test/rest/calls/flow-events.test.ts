/** Events that other systems post for callers who wait in a flow. */
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { CorporationId } from '../../../src/kernel/ids.ts'
import { flowEventRoute } from '../../../src/rest/calls/flow-events.ts'
import { postgresFlowEvents } from '../../../src/store/calls/flow-events.ts'
import { VirtualClock } from '../../support/virtual-clock.ts'
import { OURS, openRestWorld, type RestWorld, THEIRS } from '../rest-world.ts'

const PATH = '/svcpbx/flowevents'
const NOON = Date.UTC(2026, 0, 2, 12)
const MINUTE_MS = 60_000
const clock = new VirtualClock(NOON)
let world: RestWorld
let made = 0
const key = () => `case-${++made}`

beforeAll(async () => {
  const parts = (pools: RestWorld['pools']) => ({ flowEvents: postgresFlowEvents(pools) })
  world = await openRestWorld({ routes: (dependencies) => [flowEventRoute(dependencies)], parts, clock })
})
afterAll(() => world.close())

const found = (of: string, corporation: CorporationId = OURS) =>
  world.parts.flowEvents.find(corporation, [{ event: 'payment.completed', of }], clock.nowMs())

test('an event is kept for ten minutes with its data, and the answer says that nobody waits', async () => {
  const of = key()
  const data = { amount: 99.5, closedDate: null, lines: [{ id: 1, note: null }], reference: '00123' }
  const { status, body } = await world.call('POST', PATH, { name: 'payment.completed', key: of, data })
  expect([status, body]).toEqual([
    200,
    {
      flowEventId: expect.any(Number),
      repeated: false,
      waitingCalls: 0,
      creationTs: new Date(clock.nowMs()).toISOString(),
      keptUntilTs: new Date(clock.nowMs() + 10 * MINUTE_MS).toISOString(),
    },
  ])
  expect(await found(of)).toMatchObject([{ id: body.flowEventId, data }])
})

test('a repeated request is one event, with and without an Idempotency-Key', async () => {
  const of = key()
  const request = { name: 'payment.completed', key: of, data: { id: 7 } }
  const headers = { 'Idempotency-Key': 'webhook-1' }
  const first = await world.call('POST', PATH, request, { headers })
  clock.run(MINUTE_MS)
  expect((await world.call('POST', PATH, request, { headers })).body).toEqual(first.body)
  expect((await world.call('POST', PATH, request)).body).toEqual({ ...first.body, repeated: true })
  expect(await found(of)).toHaveLength(1)
})

test('the right to post events is its own: it is enough, and nothing else is', async () => {
  const poster = await world.credential(['flows:write'])
  const request = { name: 'payment.completed', key: key() }
  expect((await world.call('POST', PATH, request, { as: poster })).status).toBe(200)
  const others = await world.credential(['dialer:write', 'cases:write', 'config:write', 'webhooks:write'])
  expect((await world.call('POST', PATH, request, { as: others })).status).toBe(403)
  expect((await world.call('POST', PATH, request, { as: null })).status).toBe(401)
})

test('an event belongs to a corporation of its poster', async () => {
  const theirs = await world.credential(['flows:write'], [THEIRS])
  const of = key()
  const request = { name: 'payment.completed', key: of }
  expect((await world.call('POST', PATH, request, { as: theirs })).status).toBe(200)
  expect([await found(of), await found(of, THEIRS)]).toMatchObject([[], [{ data: {} }]])
  const foreign = { ...request, corporation: { corpId: OURS } }
  expect(await world.call('POST', PATH, foreign, { as: theirs })).toMatchObject({ status: 400 })
  expect(await found(of)).toEqual([])
})

test.each([
  ['no name', { key: 'x' }],
  ['no key', { name: 'payment.completed' }],
  ['a name with a space', { name: 'payment completed', key: 'x' }],
  ['an empty key', { name: 'payment.completed', key: '' }],
  ['a key with a space', { name: 'payment.completed', key: '47 11' }],
  ['a key with a control character', { name: 'payment.completed', key: '47\u000011' }],
  ['a key that is too long', { name: 'payment.completed', key: 'x'.repeat(101) }],
  ['data that is no object', { name: 'payment.completed', key: 'x', data: [1] }],
  ['data that is too long', { name: 'payment.completed', key: 'x', data: { text: 'x'.repeat(4_000) } }],
])('%s is refused', async (_, request) => {
  expect(await world.call('POST', PATH, request)).toMatchObject({ status: 400 })
})

test('a key of one payment that gets ever new data is refused at the 21st event, and others are not', async () => {
  const of = key()
  const post = (attempt: number) => world.call('POST', PATH, { name: 'payment.completed', key: of, data: { attempt } })
  for (let attempt = 1; attempt <= 20; attempt++) expect((await post(attempt)).status).toBe(200)
  const refused = await post(21)
  expect([refused.status, refused.headers['retry-after']]).toEqual([429, '60'])
  expect((await world.call('POST', PATH, { name: 'payment.completed', key: key() })).status).toBe(200)
  clock.run(11 * MINUTE_MS)
  expect((await post(22)).status).toBe(200)
})

test('the example of the page about integrating works as it stands', async () => {
  const page = readFileSync(new URL('../../../docs/integrating.md', import.meta.url), 'utf8')
  const [, path, request] = /^POST (\/svcpbx\/flowevents)\n(\{.*\})\n```$/m.exec(page)!
  const [, answer] = /```json\n(\{ "flowEventId"[^`]*)```/.exec(page)!
  const { status, body } = await world.call('POST', path!, JSON.parse(request!))
  expect([status, Object.keys(body)]).toEqual([200, Object.keys(JSON.parse(answer!))])
})
