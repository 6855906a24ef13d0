/** Summaries for an integrator: announced by a webhook, looked up after the call (contract.md §6). */
import type { IncomingHttpHeaders } from 'node:http'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { bodyOf, type RunningServer, serve } from '../../demo/servers/web-server.ts'
import { addressGuard, webhookUrls } from '../../src/adapters/http/address-guard.ts'
import { webOverUndici } from '../../src/adapters/http/http-client.ts'
import { WebhookDispatcher } from '../../src/core/workers/webhook-dispatcher.ts'
import { RealClock } from '../../src/kernel/clock.ts'
import { type ActivityId, type AgentName, makeEventId } from '../../src/kernel/ids.ts'
import { silentLog } from '../../src/kernel/log.ts'
import { seededRandom } from '../../src/kernel/random.ts'
import type { Summaries } from '../../src/ports/recordings/summaries.ts'
import { callSearchRoutes } from '../../src/rest/calls/calls-search.ts'
import { summaryRoutes } from '../../src/rest/calls/summaries.ts'
import type { CredentialValues } from '../../src/rest/http/credential-values.ts'
import { webhookRoutes } from '../../src/rest/webhooks/subscriptions.ts'
import { postgresSummaries } from '../../src/store/calls/summaries.ts'
import { postgresDialerAdmin } from '../../src/store/dialer/dialer-admin-repository.ts'
import { postgresDialerRepository } from '../../src/store/dialer/dialer-repository.ts'
import { postgresOutbox } from '../../src/store/webhooks/outbox.ts'
import { ANNA, callOf } from './dialer/dialer-world.ts'
import { OURS, openRestWorld, type Reply, type RestWorld, THEIRS } from './rest-world.ts'

const EVENTS = ['phone-call.ended', 'phone-call-summary.creation', 'phone-call-summary.update']
const SEARCH = '/rest/svcems/activity-summary/search'
const pathOf = (eactId: number) => `/rest/svcems/activity-summary/${eactId}`

/** A webhook that arrived, and what its receiver found at once. */
interface Arrived {
  readonly headers: IncomingHttpHeaders
  // biome-ignore lint/suspicious/noExplicitAny: tests check what it holds
  readonly body: any
  readonly call: Reply
  readonly summary: Reply
}

const clock = new RealClock()
const random = seededRandom(1)
const arrived: Arrived[] = []
let world: RestWorld
let receiver: RunningServer
let webhookWeb: ReturnType<typeof webOverUndici>
let dispatcher: WebhookDispatcher
let summaries: Summaries
let anna: CredentialValues
let calls = 0

beforeAll(async () => {
  receiver = await serve(async (request, response) => {
    const body = JSON.parse(await bodyOf(request))
    const call = await world.call('POST', '/svcems/calls/search', { eactIds: [body.phoneCallId] })
    const summary = await search([{ eactId: body.phoneCallSummaryId ?? body.phoneCallId }])
    arrived.push({ headers: request.headers, body, call, summary })
    response.writeHead(204).end()
  })
  const guard = addressGuard({ allowedHosts: [new URL(receiver.url).host], rules: webhookUrls('development') })
  webhookWeb = webOverUndici({ clock, guard, log: silentLog, connectTimeoutMs: 5_000 })
  world = await openRestWorld({
    routes: (dependencies) => [
      ...summaryRoutes(dependencies),
      ...callSearchRoutes(dependencies),
      ...webhookRoutes(dependencies),
    ],
    parts: (pools) => ({
      dialerAdmin: postgresDialerAdmin(pools),
      dialerRepository: postgresDialerRepository(pools),
      summaries: postgresSummaries(pools),
      outbox: postgresOutbox(pools, 'development'),
      webhookWeb,
    }),
  })
  summaries = world.parts.summaries
  await world.pools.jobs.query(
    `insert into users (id, corporation_id, user_name, name, created_at_ms) values (41, 1, 'anna', 'Anna Berg', 0)`,
  )
  const user = { id: 41, userName: 'anna', active: true } as never
  anna = await world.credential(['cases:write', 'transcripts:read'], [OURS], { user })
  const hook = await world.call('POST', '/core/webhooks', { url: `${receiver.url}/hook`, events: EVENTS })
  expect(hook.status).toBe(201)
  const { outbox } = world.parts
  const parts = { outbox, web: webhookWeb, clock, random, log: silentLog }
  dispatcher = new WebhookDispatcher({ ...parts, name: 'test', userAgent: 'switchboard/test' })
  dispatcher.start()
})
afterAll(async () => {
  await dispatcher.stop()
  await world.close()
  await webhookWeb.close()
  await receiver.close()
})

const search = (activities: unknown, as?: CredentialValues) =>
  world.call('POST', SEARCH, { activities }, as ? { as } : {})
const edit = (eactId: number, body: unknown, as = anna) => world.call('PUT', pathOf(eactId), body, { as })
const made = (text: string) => {
  return { text, language: 'da', eventName: makeEventId(clock.nowMs(), random), atMs: clock.nowMs() }
}
const statusOf = async (eactId: number) =>
  (await world.call('POST', '/svcems/calls/search', { eactIds: [eactId] })).body[0].summaryStatus

/** A call that has ended. */
async function endedCall(corporation = OURS, agent = ANNA): Promise<ActivityId> {
  const change = { corporation, agent, eventName: makeEventId(clock.nowMs(), random) }
  const result = await world.parts.dialerRepository.finishCall(callOf(`call-${++calls}`, clock.nowMs(), change))
  if (result.outcome === 'refused') throw new Error(result.why)
  return result.activity
}

/** The summary events of a call, once there are so many. */
async function eventsOf(eactId: number, count: number): Promise<readonly Arrived[]> {
  const those = () =>
    arrived.filter(({ body }) => body.phoneCallId === String(eactId) && body.type !== 'phone-call.ended')
  dispatcher.wake()
  await expect.poll(() => those().length).toBe(count)
  return those()
}

interface FeedEvent {
  readonly phoneCallId: string
  readonly type: string
}

describe('the integrator', () => {
  test('gets an event when a summary is ready, with the ids to look it up by', async () => {
    const eactId = await endedCall()
    await summaries.begin(eactId, clock.nowMs())
    const text = made('Lover at betale fredag.')
    await summaries.complete(eactId, text)
    const [event] = await eventsOf(eactId, 1)
    const ids = { phoneCallId: String(eactId), phoneCallSummaryId: String(eactId) }
    expect(event?.body).toEqual({
      type: 'phone-call-summary.creation',
      id: text.eventName,
      timestamp: expect.any(String),
      ...ids,
      data: { ...ids, summaryVersion: 1, corpId: OURS, environment: 'development' },
    })
    expect(event?.headers['webhook-id']).toBe(text.eventName)
  })

  test('finds the call and the summary at the event, at least as new as the event', async () => {
    const eactId = await endedCall()
    await summaries.complete(eactId, made('one'))
    await summaries.complete(eactId, made('two'))
    for (const { body, call, summary } of await eventsOf(eactId, 2)) {
      expect(call.body).toMatchObject([{ eactId, summaryStatus: 'ready' }])
      expect(summary.body).toMatchObject([{ eactId, phoneCallSummaryId: eactId, status: 'ready' }])
      expect(summary.body[0].version).toBeGreaterThanOrEqual(body.data.summaryVersion)
    }
  })

  test('of an erased call is written by nobody: nothing would erase it again', async () => {
    const eactId = await endedCall()
    await world.pools.jobs.query('update call_activities set erased_at_ms = 1 where id = $1', [eactId])
    expect((await edit(eactId, { text: 'Petra Berg owes 200', version: 0 })).status).toBe(404)
    expect(await summaries.complete(eactId, made('Petra Berg'))).toEqual({ outcome: 'no such call' })
    expect((await search([{ eactId }])).body).toEqual([])
  })

  test('gets no event for a summary that failed, while others continue', async () => {
    const [failing, other] = [await endedCall(), await endedCall()]
    await summaries.begin(failing, clock.nowMs())
    await summaries.fail(failing, 'the service is away', clock.nowMs())
    await summaries.complete(other, made('ready'))
    await eventsOf(other, 1)
    expect(await eventsOf(failing, 0)).toEqual([])
    const feed = async () => (await world.call('GET', '/core/events?limit=1000')).body.events as FeedEvent[]
    let told: FeedEvent[] = []
    // The feed shows an event once no older transaction runs: those of other tests count.
    while (told.length === 0) told = (await feed()).filter(({ phoneCallId }) => phoneCallId === String(failing))
    expect(told.map(({ type }) => type)).toEqual(['phone-call.ended'])
    expect(await statusOf(failing)).toBe('failed')
  })

  test('gets an event each time a summary changes, with the same ids', async () => {
    const eactId = await endedCall()
    for (const text of ['one', 'two', 'three']) await summaries.complete(eactId, made(text))
    const told = (await eventsOf(eactId, 3)).map(({ body }) => [body.type, body.data.summaryVersion])
    // No order is promised (D-27).
    expect(told.sort(([, one], [, other]) => one - other)).toEqual([
      ['phone-call-summary.creation', 1],
      ['phone-call-summary.update', 2],
      ['phone-call-summary.update', 3],
    ])
  })

  test('gets an event when an agent corrects a summary, with the same ids', async () => {
    const eactId = await endedCall()
    await summaries.complete(eactId, made('generated'))
    await eventsOf(eactId, 1)
    expect((await edit(eactId, { text: 'Corrected.', version: 1 })).status).toBe(200)
    const { body, summary } = (await eventsOf(eactId, 2))[1]!
    const ids = { phoneCallId: String(eactId), phoneCallSummaryId: String(eactId) }
    expect(body).toMatchObject({ type: 'phone-call-summary.update', ...ids, data: { ...ids, summaryVersion: 2 } })
    expect(summary.body).toMatchObject([{ text: 'Corrected.', source: 'edited', updatedBy: { userId: 41 } }])
  })
})

describe('If-Match', () => {
  const put = (eactId: number, tag: string, body: object) =>
    world.call('PUT', pathOf(eactId), body, { as: anna, headers: { 'if-match': tag } })

  test('names the version that was read, and the answer has the tag of the next one', async () => {
    const eactId = await endedCall()
    await summaries.complete(eactId, made('generated'))
    const first = await put(eactId, '"1"', { text: 'Corrected.' })
    expect([first.status, first.headers['etag'], first.body.version]).toEqual([200, '"2"', 2])
    expect((await put(eactId, '"1"', { text: 'Too late.' })).status).toBe(412)
    const second = await put(eactId, first.headers['etag']!, { text: 'Corrected again.', version: 2 })
    expect([second.status, second.body.text]).toEqual([200, 'Corrected again.'])
    const told = await eventsOf(eactId, 3)
    expect(told.filter(({ body }) => body.type === 'phone-call-summary.update')).toHaveLength(2)
  })

  test.each([
    ['W/"0"', {}, 'if-match'],
    ['"0", "1"', {}, 'if-match'],
    ['"99999999999"', {}, 'if-match'],
    ['"1"', { version: 0 }, 'version'],
    ['*', {}, 'version'],
  ])('%s with %j is refused', async (tag, body, path) => {
    const reply = await put(await endedCall(), tag, { text: 'Text.', ...body })
    expect([reply.status, reply.body.errors[0].path]).toEqual([400, path])
  })
})

describe('looking summaries up', () => {
  test('returns those of the requested calls, each in its state', async () => {
    const [ready, pending, failed, none] = [await endedCall(), await endedCall(), await endedCall(), await endedCall()]
    await summaries.complete(ready, made('Promised to pay.'))
    await summaries.begin(pending, clock.nowMs())
    await summaries.fail(failed, 'nonsense from http://10.0.0.1', clock.nowMs())
    const reply = await search([{ eactId: none }, { eactId: failed }, { eactId: ready }, { eactId: pending }])
    expect([reply.status, reply.headers['svc-total-found'], reply.headers['totalfound']]).toEqual([200, '3', '3'])
    const times = { creationTs: expect.stringMatching(/Z$/), updateTs: expect.stringMatching(/Z$/) }
    const common = { ...times, source: 'generated', updatedBy: null }
    const without = { ...common, text: null, language: null, version: 0 }
    expect(reply.body).toEqual([
      {
        eactId: ready,
        phoneCallSummaryId: ready,
        status: 'ready',
        ...common,
        text: 'Promised to pay.',
        language: 'da',
        version: 1,
      },
      { eactId: pending, phoneCallSummaryId: pending, status: 'pending', ...without },
      { eactId: failed, phoneCallSummaryId: failed, status: 'failed', ...without },
    ])
    expect(await Promise.all([ready, pending, failed, none].map(statusOf))).toEqual([
      'ready',
      'pending',
      'failed',
      'none',
    ])
  })

  test('is served at both spellings; ids may be texts, and repeated', async () => {
    const eactId = await endedCall()
    await summaries.begin(eactId, clock.nowMs())
    const activities = [{ eactId: String(eactId) }, { eactId }]
    const { status, body } = await world.call('POST', '/svcems/activity-summary/search', { activities })
    expect([status, body]).toMatchObject([200, [{ eactId }]])
    expect((await search([{ eactId: 999_999_999 }])).body).toEqual([])
  })

  test('without ids, with too many, or by an unknown field is 400', async () => {
    const tooMany = Array.from({ length: 1_001 }, (_, place) => ({ eactId: place + 1 }))
    for (const activities of [undefined, null, [], [7], [{}], [{ eactId: 'x' }], [{ eactId: 1, id: 2 }], tooMany]) {
      expect((await search(activities)).status, JSON.stringify(activities)?.slice(0, 40)).toBe(400)
    }
    expect((await world.call('POST', SEARCH, { eactIds: [1] })).status).toBe(400)
  })

  test('returns nothing of another corporation, and needs its own scope', async () => {
    const theirs = await endedCall(THEIRS)
    await summaries.complete(theirs, made('theirs'))
    expect((await search([{ eactId: theirs }])).body).toEqual([])
    const reader = await world.credential(['calls:read', 'cases:write'])
    expect((await search([{ eactId: theirs }], reader)).status).toBe(403)
    expect((await edit(theirs, { text: 'ours', version: 1 }, reader)).status).toBe(404)
    const readsOnly = await world.credential(['transcripts:read'])
    expect((await edit(theirs, { text: 'ours', version: 1 }, readsOnly)).status).toBe(403)
  })
})

describe('correcting a summary', () => {
  test('returns the new text, with its author', async () => {
    const eactId = await endedCall()
    await summaries.complete(eactId, made('generated'))
    const reply = await edit(eactId, { text: 'Corrected.', version: '1' })
    expect(reply).toMatchObject({
      status: 200,
      body: { eactId, status: 'ready', text: 'Corrected.', language: 'da', version: 2, source: 'edited' },
    })
    expect(reply.body.updatedBy).toEqual({ userId: 41 })
    expect((await search([{ eactId }])).body).toEqual([reply.body])
    const bySystem = await edit(eactId, { text: 'By a system.', version: 2 }, world.values)
    expect(bySystem.body).toMatchObject({ version: 3, updatedBy: null })
  })

  test('is refused with 412 after a faster correction, whose text stands', async () => {
    const eactId = await endedCall()
    await summaries.complete(eactId, made('generated'))
    await edit(eactId, { text: 'first', version: 1 })
    const late = await edit(eactId, { text: 'second', version: 1 })
    expect(late).toMatchObject({
      status: 412,
      body: { status: 412, detail: expect.stringContaining('the current version is 2') },
    })
    expect((await search([{ eactId }])).body).toMatchObject([{ text: 'first', version: 2 }])
  })

  test('writes the first text if none could be made', async () => {
    const eactId = await endedCall()
    await summaries.fail(eactId, 'the service is away', clock.nowMs())
    expect((await edit(eactId, { text: 'By hand.', version: 0 })).body).toMatchObject({ version: 1, language: null })
    expect((await eventsOf(eactId, 1))[0]?.body.type).toBe('phone-call-summary.creation')
  })

  test('stores the text unchanged, with any content', async () => {
    const eactId = await endedCall()
    await summaries.begin(eactId, clock.nowMs())
    const text = `<script>alert('x')</script>; drop table summaries; -- {$CODE} 👋\n`
    expect((await edit(eactId, { text, version: 0 })).body.text).toBe(text)
  })

  test('writes the first text of a call for which none was requested, and a machine does not replace it', async () => {
    const eactId = await endedCall()
    const created = await edit(eactId, { text: 'By hand.', version: 0 })
    const common = { eactId, phoneCallSummaryId: eactId, status: 'ready', source: 'edited', language: null }
    expect(created).toMatchObject({ status: 200, body: { ...common, text: 'By hand.', version: 1 } })
    expect(created.body.updatedBy).toEqual({ userId: 41 })
    expect((await search([{ eactId }])).body).toEqual([created.body])
    expect(await statusOf(eactId)).toBe('ready')
    expect((await eventsOf(eactId, 1))[0]?.body.type).toBe('phone-call-summary.creation')
    expect(await summaries.begin(eactId, clock.nowMs())).toBe('ready already')
    await summaries.complete(eactId, made('generated'))
    // Another author began at the same time.
    expect((await edit(eactId, { text: 'Late.', version: 0 }, world.values)).status).toBe(412)
    const later = await edit(eactId, { text: 'By a system.', version: 1 }, world.values)
    expect(later.body).toMatchObject({ ...common, text: 'By a system.', version: 2, updatedBy: null })
    const told = (await eventsOf(eactId, 2)).map(({ body }) => [body.type, body.data.summaryVersion])
    expect(told).toEqual([
      ['phone-call-summary.creation', 1],
      ['phone-call-summary.update', 2],
    ])
  })

  test('written by several at once for one call has one first author; the others read it again', async () => {
    const eactId = await endedCall()
    const texts = ['one', 'two', 'three', 'four']
    const replies = await Promise.all(texts.map((text) => edit(eactId, { text, version: 0 })))
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 412, 412, 412])
    await eventsOf(eactId, 1)
  })

  test('of a call that is unknown or of another corporation is 404', async () => {
    const theirs = await endedCall(THEIRS)
    for (const eactId of [theirs, 999_999_999]) {
      expect((await edit(eactId, { text: 'x', version: 0 })).status).toBe(404)
    }
    const owner = await world.credential(['transcripts:read'], [THEIRS])
    expect((await search([{ eactId: theirs }], owner)).body).toEqual([])
  })

  test('of a call that the agent does not see is 404, and they find no summary of it', async () => {
    const hers = await endedCall()
    const others = await endedCall(OURS, 'bo' as AgentName)
    await summaries.complete(others, made('Not for Anna.'))
    const [missing, refused] = [
      await edit(999_999_999, { text: 'x', version: 1 }),
      await edit(others, { text: 'x', version: 1 }),
    ]
    expect([refused.status, refused.body.detail]).toEqual([404, missing.body.detail])
    expect((await edit(hers, { text: 'x', version: 0 })).status).toBe(200)
    expect((await search([{ eactId: others }, { eactId: hers }], anna)).body).toMatchObject([{ eactId: hers }])
    expect((await search([{ eactId: others }])).body).toMatchObject([{ text: 'Not for Anna.', version: 1 }])
  })

  test('of a call without a text needs version 0, and an incomplete request is 400', async () => {
    const eactId = await endedCall()
    const early = await edit(eactId, { text: 'x', version: 1 })
    expect(early).toMatchObject({ status: 412, body: { detail: expect.stringContaining('the current version is 0') } })
    expect(await statusOf(eactId)).toBe('none')
    await summaries.complete(eactId, made('generated'))
    const wrong = [{}, { text: 'x' }, { version: 1 }, { text: ' \n', version: 1 }, { text: null, version: 1 }]
    const long = [
      { text: 'x'.repeat(10_001), version: 1 },
      { text: 'x', version: -1 },
      { text: 'x', version: 1.5 },
    ]
    for (const body of [...wrong, ...long]) {
      expect((await edit(eactId, body)).status, JSON.stringify(body).slice(0, 40)).toBe(400)
    }
    expect((await search([{ eactId }])).body).toMatchObject([{ version: 1, text: 'generated' }])
  })
})
