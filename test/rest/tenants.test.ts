/** Two corporations in one house: whatever is asked, nothing of the other one is seen or touched (D-04, F-J17). */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Route } from '../../src/rest/route.ts'
import { OURS, THEIRS } from './rest-world.ts'
import { beginIdsAt, type Ids, openWholeWorld, settle, type Tenant, type WholeWorld } from './whole-world.ts'

let world: WholeWorld
let us: Tenant
let them: Tenant
let alone: ReadonlyMap<string, string>

/** Stands in every text of the other corporation. */
const CANARY = 'canary7'
const FIELDS_OF_CALLS = { limit: 50 }

beforeAll(async () => {
  world = await openWholeWorld()
  await beginIdsAt(world, 400_000)
  us = await settle(world, OURS, 'ours', 1)
  alone = await everyList()
  await beginIdsAt(world, 700_000)
  them = await settle(world, THEIRS, CANARY, 2)
})
afterAll(() => world.close())

/** Operations that show a list without being asked for ids. */
const LISTS: readonly (readonly [string, string, object?])[] = [
  ['GET', '/svcdialer/calltaskimport'],
  ['GET', '/dialer/callcode'],
  ['GET', '/dialer/callcode?name=a'],
  ['POST', '/dialer/calltaskget', FIELDS_OF_CALLS],
  ['POST', '/dialer/calltaskget', { ...FIELDS_OF_CALLS, detail: true }],
  ['POST', '/dialer/calltaskget', { finishedList: [false], sort: '-creationTs' }],
  ['GET', '/dialer/stoplist/numbers'],
  ['GET', '/dialer/stoplist/persons'],
  ['GET', '/dialer/killswitch'],
  ['GET', '/core/webhooks'],
  ['GET', '/core/events'],
  ['GET', '/core/tokens'],
  ['GET', '/core/activeuser'],
  ['GET', '/core/users?all=true'],
  ['GET', '/svcpbx/queue?all=true'],
  ['GET', '/svcpbx/agents'],
  ['GET', '/core/externalsystems?all=true'],
  ['GET', '/svcems/infofields?all=true'],
]

/** What a list says, totals and all, without what differs from one asking to the next. */
async function everyList(): Promise<Map<string, string>> {
  const said = new Map<string, string>()
  for (const [method, path, body] of LISTS) {
    const { status, text, headers } = await world.call(method, path, body, { as: us.as })
    const totals = `${headers['svc-total-found']} ${headers['totalfound']}`
    const steady = text.replaceAll(/"(lastUsedTs|lastUsedIp)":("[^"]*"|null)/g, '')
    said.set(`${method} ${path} ${JSON.stringify(body)}`, `${status} ${totals} ${steady}`)
  }
  return said
}

/** A request that carries an id, made from the ids of whoever it belongs to. */
interface Probe {
  readonly route: string
  /** Where the id stands, as it is named by the declarations. */
  readonly places: readonly string[]
  readonly path: (ids: Ids) => string
  readonly body?: (ids: Ids) => unknown
  /** What it answers about things of one's own. */
  readonly own: number
}

const at = (
  route: string,
  places: string,
  path: (ids: Ids) => string,
  body?: (ids: Ids) => unknown,
  own = 200,
): Probe => ({
  ...{ route, places: places.split(' '), path, own },
  ...(body && { body }),
})
const search = (places: string, body: (ids: Ids) => unknown) =>
  at('POST /dialer/calltaskget', places, () => '/dialer/calltaskget', body)
const campaign = (places: string, body: (ids: Ids) => object) =>
  at('POST /dialer/callcode', places, () => '/dialer/callcode', body)
const nested = (places: string, body: (ids: Ids) => object) =>
  search(places.replaceAll('body.', 'body.filter.'), (ids) => ({ filter: body(ids) }))
const HOUR_AGO = '2026-01-01T00:00:00Z'

/** Each id alone and by every filter that can carry it; removals come last. */
const FILTERS: readonly (readonly [string, (ids: Ids) => object])[] = [
  ['body.itcaIds', ({ itcaId }) => ({ itcaIds: [itcaId] })],
  ['body.callCodes body.callCodes.callCode', ({ callCode }) => ({ callCodes: [{ callCode }, callCode] })],
  ['body.systemLookupCodes', ({ systemLookupCode }) => ({ systemLookupCodes: [systemLookupCode] })],
  ['body.extCustIds', ({ extCustId }) => ({ extCustIds: [extCustId] })],
  ['body.systemCodes', ({ systemCode }) => ({ systemCodes: [systemCode] })],
  ['body.corporationIds', ({ corpId }) => ({ corporationIds: [corpId] })],
  ['body.assignedUserIds', ({ userId }) => ({ assignedUserIds: [userId] })],
  ['body.callNumbers', ({ number }) => ({ callNumbers: [number] })],
]
const IMPORT = {
  maxCallAttempts: 3,
  minCallIntervalHours: 4,
  callTasks: [{ callReceiverName: 'x', callNumberList: [] }],
}
const PROBES: readonly Probe[] = [
  ...FILTERS.flatMap(([places, body]) => [search(places, body), nested(places, body)]),
  at('GET /dialer/callcode', 'query.callCode', ({ callCode }) => `/dialer/callcode?callCode=${callCode}`),
  at(
    'GET /svcdialer/calltaskimport/{importId}',
    'params.importId',
    (ids) => `/svcdialer/calltaskimport/${ids['importId']}`,
  ),
  at(
    'POST /svcdialer/calltaskimport',
    'body.systemCode body.callCode',
    () => '/svcdialer/calltaskimport',
    ({ systemCode, callCode }) => ({ ...IMPORT, systemCode, callCode }),
  ),
  ...['iccaIds', 'itcaIds', 'eactIds'].map((name) =>
    at(
      'POST /svcdialer/calltaskcallattempts/search',
      `body.${name}`,
      () => '/svcdialer/calltaskcallattempts/search',
      (ids) => ({
        [name]: [ids[name.slice(0, -1)]],
      }),
    ),
  ),
  at(
    'POST /svcdialer/calltaskcallattempts/search',
    'body.iccaId',
    () => '/svcdialer/calltaskcallattempts/search',
    ({ iccaId }) => ({ iccaId }),
  ),
  at(
    'POST /svcems/calls/search',
    'body.eactIds',
    () => '/svcems/calls/search',
    ({ eactId }) => ({ eactIds: [eactId] }),
  ),
  at('GET /core/corefile', 'query.cfreId', ({ cfreId }) => `/core/corefile?cfreId=${cfreId}`),
  campaign('body.callCode', ({ callCode }) => ({ callCode, name: 'renamed' })),
  campaign('body.corporation.corpId', ({ corpId }) => ({ name: 'new', corporation: { corpId } })),
  campaign('body.externalSystem.itsyId', ({ itsyId }) => ({ callCode: ownId('callCode'), externalSystem: { itsyId } })),
  campaign('body.queue.ucquId', ({ ucquId }) => ({ callCode: ownId('callCode'), queue: { ucquId } })),
  campaign(
    'body.callCodes.callCode body.callCodes.corporation.corpId body.callCodes.externalSystem.itsyId body.callCodes.queue.ucquId',
    ({ callCode, itsyId, ucquId }) => ({ callCodes: [{ callCode, externalSystem: { itsyId }, queue: { ucquId } }] }),
  ),
  ...['numbers', 'persons'].map((name) =>
    at(
      `POST /dialer/stoplist/${name}`,
      'body.corporation.corpId body.persons.systemCode body.persons.extCustId',
      () => `/dialer/stoplist/${name}`,
      (ids) => ({
        corporation: { corpId: ids['corpId'] },
        ...(name === 'numbers'
          ? { numbers: ['+4526999999'] }
          : { persons: [{ systemCode: ids['systemCode'], extCustId: 'x' }] }),
      }),
    ),
  ),
  at(
    'DELETE /dialer/stoplist/numbers',
    'query.corpId',
    (ids) => `/dialer/stoplist/numbers?numbers=%2B4526888888&corpId=${ids['corpId']}`,
  ),
  at(
    'DELETE /dialer/stoplist/numbers',
    'query.numbers',
    (ids) => `/dialer/stoplist/numbers?numbers=${encodeURIComponent(String(ids['stoppedNumber']))}`,
  ),
  at(
    'DELETE /dialer/stoplist/persons',
    'query.corpId query.systemCode query.extCustId',
    (ids) =>
      `/dialer/stoplist/persons?systemCode=${ids['systemCode']}&extCustId=${ids['stoppedCustomer']}&corpId=${ids['corpId']}`,
  ),
  at(
    'POST /core/tokens',
    'body.corpIds',
    () => '/core/tokens',
    ({ corpId }) => ({ name: 'x', scopes: ['users:read'], corpIds: [corpId] }),
    201,
  ),
  at(
    'POST /core/tokens',
    'body.userId',
    () => '/core/tokens',
    ({ userId }) => ({ name: 'x', scopes: ['users:read'], corpIds: [OURS], userId }),
    201,
  ),
  at(
    'POST /core/externalsystems',
    'body.corporation.corpId',
    () => '/core/externalsystems',
    ({ corpId }) => ({ systemCode: 'NEW', name: 'n', corporation: { corpId } }),
    201,
  ),
  at(
    'PATCH /core/externalsystems/{itsyId}',
    'params.itsyId',
    ({ itsyId }) => `/core/externalsystems/${itsyId}`,
    () => ({ name: 'renamed' }),
  ),
  at(
    'POST /svcems/infofields',
    'body.corporation.corpId',
    () => '/svcems/infofields',
    ({ corpId }) => ({ name: 'new', corporation: { corpId } }),
    201,
  ),
  at(
    'POST /core/webhooks',
    'body.corporation.corpId',
    () => '/core/webhooks',
    ({ corpId }) => ({ url: 'https://a.example.com/', events: ['phone-call.ended'], corporation: { corpId } }),
    201,
  ),
  at(
    'POST /core/webhooks',
    'body.systemCodes',
    () => '/core/webhooks',
    ({ systemCode }) => ({ url: 'https://a.example.com/', events: ['phone-call.ended'], systemCodes: [systemCode] }),
    201,
  ),
  at(
    'PATCH /core/webhooks/{webhookId}',
    'body.systemCodes',
    () => `/core/webhooks/${ownId('webhookId')}`,
    ({ systemCode }) => ({ systemCodes: [systemCode] }),
  ),
  at('GET /core/webhooks/{webhookId}', 'params.webhookId', ({ webhookId }) => `/core/webhooks/${webhookId}`),
  at(
    'PATCH /core/webhooks/{webhookId}',
    'params.webhookId',
    ({ webhookId }) => `/core/webhooks/${webhookId}`,
    () => ({ description: 'x' }),
  ),
  at('POST /core/webhooks/{webhookId}/test', 'params.webhookId', ({ webhookId }) => `/core/webhooks/${webhookId}/test`),
  at(
    'GET /core/webhooks/{webhookId}/deliveries',
    'params.webhookId',
    ({ webhookId }) => `/core/webhooks/${webhookId}/deliveries`,
  ),
  at(
    'POST /core/deliveries/{deliveryId}/replay',
    'params.deliveryId',
    ({ deliveryId }) => `/core/deliveries/${deliveryId}/replay`,
    undefined,
    202,
  ),
  at(
    'POST /core/webhooks/{webhookId}/recover',
    'params.webhookId',
    ({ webhookId }) => `/core/webhooks/${webhookId}/recover`,
    () => ({ from: HOUR_AGO }),
    202,
  ),
  at(
    'POST /core/webhooks/{webhookId}/rotate-secret',
    'params.webhookId',
    ({ webhookId }) => `/core/webhooks/${webhookId}/rotate-secret`,
  ),
  at('PUT /v1/calltasks/{itcaId}/end', 'params.itcaId', ({ itcaId }) => `/v1/calltasks/${itcaId}/end`),
  at(
    'DELETE /svcdialer/calltaskimport/{importId}',
    'params.importId',
    ({ importId }) => `/svcdialer/calltaskimport/${importId}`,
  ),
  at(
    'POST /core/tokens/{rcntrl}/rotate',
    'params.rcntrl',
    ({ rcntrl }) => `/core/tokens/${rcntrl}/rotate`,
    undefined,
    201,
  ),
  at('DELETE /core/tokens/{rcntrl}', 'params.rcntrl', ({ rcntrl }) => `/core/tokens/${rcntrl}`, undefined, 204),
  at(
    'DELETE /core/webhooks/{webhookId}',
    'params.webhookId',
    ({ webhookId }) => `/core/webhooks/${webhookId}`,
    undefined,
    204,
  ),
]

/** Ids of this form that nobody has. */
const NOBODYS: Ids = {
  ...{ itcaId: 999_901, eactId: 999_902, iccaId: 999_903, callCode: 999_904, itsyId: 999_905, emprId: 999_906 },
  ...{
    ucquId: 999_907,
    webhookId: 999_908,
    deliveryId: 999_909,
    importId: 'imp_nobody',
    corpId: 999_910,
    userId: 999_911,
  },
  ...{ rcntrl: `rc_${'a'.repeat(20)}`, cfreId: 999_912, systemCode: 'SYS-nobody', extCustId: 'cust-nobody' },
  ...{
    systemLookupCode: 'case-nobody',
    number: '+4526900001',
    stoppedNumber: '+4526900002',
    stoppedCustomer: 'nobody',
  },
}
const ownId = (name: string) => us.ids[name]

const ask = (probe: Probe, ids: Ids) => {
  const [method = ''] = probe.route.split(' ')
  return world.call(method, probe.path(ids), probe.body?.(ids), { as: us.as })
}

/** What is said about an id, without the id itself and what every answer has of its own. */
const saidOf = async (probe: Probe, ids: Ids) => {
  const { status, text, headers } = await ask(probe, ids)
  // Longest first: an id may be a part of another one.
  const named = Object.values(ids)
    .map(String)
    .filter(({ length }) => length > 5)
    .sort((a, b) => b.length - a.length)
  const plain = named.reduce((said, id) => said.replaceAll(encodeURIComponent(id), '#').replaceAll(id, '#'), text)
  const steady = plain.replaceAll(/"(traceId|importId)":"[^"]*"/g, '').replaceAll(/"instance":"[^"]*"/g, '')
  return `${status} ${headers['svc-total-found']} ${headers['location'] ?? ''} ${steady}`
}

/** Everything of the other corporation that the database holds, as text. */
async function theirRows(): Promise<string> {
  const { rows: tables } = await world.pools.jobs.query<{ name: string }>(
    `select table_name as name from information_schema.columns
     where table_schema = 'public' and column_name = 'corporation_id' order by 1`,
  )
  const all = tables.map(async ({ name }) => {
    const text = `select coalesce(json_agg(t order by t::text), '[]')::text as rows from ${name} t where corporation_id = $1`
    return `${name} ${(await world.pools.jobs.query<{ rows: string }>(text, [THEIRS])).rows[0]?.rows}`
  })
  return (await Promise.all(all)).join('\n')
}

describe('what another corporation has', () => {
  test('changes no list and no total of ours (F-J17)', async () => {
    const together = await everyList()
    for (const [list, said] of alone) expect(`${list} ${together.get(list)}`).toBe(`${list} ${said}`)
  })

  test('stands in no list, while its own people see it', async () => {
    for (const [method, path, body] of LISTS) {
      const { text, headers } = await world.call(method, path, body, { as: us.as })
      expect(`${text} ${JSON.stringify(headers)}`, path).not.toContain(CANARY)
    }
    const theirs = await world.call('POST', '/dialer/calltaskget', {}, { as: them.as })
    expect(theirs.text).toContain(CANARY)
    expect(theirs.body.foundRows).toBe(3)
  })

  test.each(PROBES.map((probe) => ({ probe, name: `${probe.route}, ${probe.places.join(' ')}` })))(
    'is to us what nobody has: $name',
    async ({ probe }) => {
      const before = await theirRows()
      const foreign = await saidOf(probe, them.ids)
      expect(foreign).toBe(await saidOf(probe, NOBODYS))
      expect(foreign).not.toContain(CANARY)
      expect(await theirRows()).toBe(before)
      // The same request about a thing of our own is a good one: it was refused for whose the thing is alone.
      const own = await ask(probe, us.ids)
      expect(`${own.status} ${own.status === probe.own ? '' : own.text}`).toBe(`${probe.own} `)
    },
  )

  test('can be named at no place that is not tried above', () => {
    const tried = new Set(PROBES.flatMap(({ route, places }) => places.map((place) => `${route} ${place}`)))
    const places = world.routes.flatMap((route) => {
      const name = `${route.method} ${route.path.replaceAll(/:(\w+)/g, '{$1}')}`
      return placesOf(route).map((place) => `${name} ${place}`)
    })
    expect(places.length).toBeGreaterThan(40)
    expect(places.filter((place) => !tried.has(place)).sort()).toEqual(ELSEWHERE)
  })
})

/** What looks like an id, and names nothing that belongs to a corporation. */
const ELSEWHERE = [
  // Codes that one's own systems are given; kinds of feedback; numbers to be stopped by us, and for us.
  'POST /core/externalsystems body.systemCode',
  'PATCH /core/externalsystems/{itsyId} body.systemCode',
  'POST /dialer/calltaskget body.feedbackTypeIds',
  'POST /dialer/calltaskget body.filter.feedbackTypeIds',
  'POST /dialer/stoplist/numbers body.numbers',
  // The engine looks the task up among those that the agent may dial.
  'POST /svcpbx/agents/me/orders body.itcaId',
].sort()

interface Shape {
  readonly properties?: Readonly<Record<string, Shape>>
  readonly items?: Shape
  readonly anyOf?: readonly Shape[]
}

const isId = (place: string) =>
  /(Ids?|Codes?|rcntrl|extCust\w*|\.numbers|\.callNumbers|callCodes)$/.test(place) &&
  !/(reasonCode|callerId|^body\.callCodes)$/.test(place)

function placesOf({ params, query, body }: Route): string[] {
  const within = (shape: Shape | undefined, place: string): string[] => {
    const { properties = {}, items, anyOf = [] } = shape ?? {}
    const inner = Object.entries(properties).flatMap(([name, field]) => within(field, `${place}.${name}`))
    const here = isId(place) && Object.keys(properties).length === 0 ? [place] : []
    return [...here, ...inner, ...within2(items, place), ...anyOf.flatMap((choice) => within(choice, place))]
  }
  const within2 = (shape: Shape | undefined, place: string) => (shape ? within(shape, place) : [])
  const all = { params, query, body } as Readonly<Record<string, Shape | undefined>>
  return [...new Set(Object.entries(all).flatMap(([name, shape]) => within(shape, name)))]
}
