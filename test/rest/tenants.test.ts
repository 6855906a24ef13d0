/** Two corporations on one server: no request shows or changes data of the other one (D-04, F-J17). */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Route } from '../../src/rest/http/route.ts'
import { CALL_PROBES } from './calls/call-probes.ts'
import { OUTCOME_PROBES } from './outcome-probes.ts'
import { OURS, THEIRS } from './rest-world.ts'
import { at, type Probe, probes } from './tenant-probes.ts'
import { beginIdsAt, type Ids, openWholeWorld, settle, type Tenant, type WholeWorld } from './whole-world.ts'

let world: WholeWorld
let us: Tenant
let them: Tenant
let alone: ReadonlyMap<string, string>

/** Is in every text of the other corporation. */
const CANARY = 'canary7'
const FIELDS_OF_CALLS = { limit: 50 }

beforeAll(async () => {
  world = await openWholeWorld()
  await beginIdsAt(world, 400_000)
  us = await settle(world, OURS, 'ours', 1)
  await untilFeedShows(us)
  alone = await everyList()
  await beginIdsAt(world, 700_000)
  them = await settle(world, THEIRS, CANARY, 2)
})
afterAll(() => world.close())

/** Operations that return a list without ids. */
const LISTS: readonly (readonly [string, string, object?])[] = [
  ['GET', '/svcdialer/calltaskimport'],
  ['GET', '/dialer/callcode'],
  ['GET', '/dialer/callcode?name=a'],
  ['POST', '/dialer/calltaskget', FIELDS_OF_CALLS],
  ['POST', '/dialer/calltaskget', { ...FIELDS_OF_CALLS, detail: true }],
  ['POST', '/dialer/calltaskget', { finishedList: [false], sort: '-creationTs' }],
  ['GET', '/dialer/callbacks'],
  ['GET', '/dialer/stoplist/numbers'],
  ['GET', '/dialer/stoplist/persons'],
  ['GET', '/dialer/killswitch'],
  ['GET', '/core/webhooks'],
  ['GET', '/core/events'],
  ['GET', '/core/tokens'],
  ['GET', '/core/audit?action=create'],
  ['GET', '/core/legalholds'],
  ['GET', '/core/deadletters'],
  ['GET', '/core/activeuser'],
  ['GET', '/core/users?all=true'],
  ['GET', '/svcpbx/queue?all=true'],
  ['GET', '/svcpbx/agents'],
  ['GET', '/svcpbx/flows'],
  ['GET', '/core/externalsystems?all=true'],
  ['GET', '/svcems/infofields?all=true'],
  ['GET', '/svcems/entity?getExtensions=true'],
  ['POST', '/svcems/cases/search', { statuses: [1, 2, 3, 4, 5, 6, 7, 8] }],
  ['POST', '/svcems/cases/search', { text: 'a' }],
  ['GET', '/svcems/categories?all=true'],
  ['GET', '/svcems/statuses?all=true'],
  ['GET', '/svcems/priorities?all=true'],
]

/** Until both events of a corporation are shown: the feed waits for older transactions, in any database. */
async function untilFeedShows({ as }: Tenant): Promise<void> {
  for (;;) if ((await world.call('GET', '/core/events', undefined, { as })).body.events.length >= 2) return
}

/** The content of a list, totals included, without what differs from one request to the next. */
async function everyList(): Promise<Map<string, string>> {
  const said = new Map<string, string>()
  for (const [method, path, body] of LISTS) {
    const { status, text, headers } = await world.call(method, path, body, { as: us.as })
    const totals = `${headers['svc-total-found']} ${headers['totalfound']}`
    // The feed's cursor is the database's own, and grows with every write.
    const steady = text.replaceAll(/"(lastUsedTs|lastUsedIp|next)":("[^"]*"|null)/g, '')
    said.set(`${method} ${path} ${JSON.stringify(body)}`, `${status} ${totals} ${steady}`)
  }
  return said
}

const ofCallback = (method: string, body?: () => object) =>
  at(
    `${method} /dialer/callbacks/{itcaId}`,
    'params.itcaId',
    ({ callbackId }) => `/dialer/callbacks/${callbackId}`,
    body,
  )
const PROBES = [
  ...OUTCOME_PROBES,
  ...probes((name) => us.ids[name]),
  ...CALL_PROBES,
  ofCallback('PUT', () => ({})),
  ofCallback('DELETE'),
  at('GET /dialer/callbacks', 'query.callCode', ({ callCode }) => `/dialer/callbacks?callCode=${callCode}`),
]

/** Unknown ids of this form. */
const UNKNOWN: Ids = {
  itcaId: 999_901,
  callbackId: 999_901,
  eactId: 999_902,
  iccaId: 999_903,
  callCode: 999_904,
  outcomeId: 999_912,
  queueOutcomeId: 999_913,
  itsyId: 999_905,
  emprId: 999_906,
  ucquId: 999_907,
  webhookId: 999_908,
  deliveryId: 999_909,
  importId: 'imp_nobody',
  corpId: 999_910,
  userId: 999_911,
  rcntrl: `rc_${'a'.repeat(20)}`,
  cfreId: 999_912,
  pcreId: 999_915,
  emenId: 999_913,
  eeexId: 999_914,
  holdId: 999_920,
  deadLetterId: 'summary-999926',
  mailCase: 999_916,
  emailId: 999_917,
  caseId: 999_921,
  otherCaseId: 999_922,
  ctnoId: 999_923,
  emstId: 999_924,
  empriId: 999_925,
  systemCode: 'SYS-nobody',
  extCustId: 'cust-nobody',
  systemLookupCode: 'case-nobody',
  number: '+4526900001',
  stoppedNumber: '+4526900002',
  stoppedCustomer: 'nobody',
}

const ask = (probe: Probe, ids: Ids, spelled = (path: string) => path) => {
  const [method = ''] = probe.route.split(' ')
  return world.call(method, spelled(probe.path(ids)), probe.body?.(ids), { as: us.as })
}

/** The answer about an id, without the id itself and the fields unique to every answer. */
const saidOf = async (probe: Probe, ids: Ids, spelled?: (path: string) => string) => {
  const { status, text, headers } = await ask(probe, ids, spelled)
  // Longest first: an id may be a part of another one.
  const named = Object.values(ids)
    .map(String)
    .filter(({ length }) => length > 5)
    .sort((a, b) => b.length - a.length)
  const plain = named.reduce((said, id) => said.replaceAll(encodeURIComponent(id), '#').replaceAll(id, '#'), text)
  const steady = plain.replaceAll(/"(traceId|importId)":"[^"]*"/g, '').replaceAll(/"instance":"[^"]*"/g, '')
  const totals = `${headers['svc-total-found']} ${headers['totalfound']}`
  return `${status} ${totals} ${headers['location'] ?? ''} ${steady}`
}

/** Other spellings of a path (D-01). */
const SPELLINGS = [
  (path: string) => `/rest${path}`,
  (path: string) => path.replace(/^\/svcems\//, '/itxems/'),
  (path: string) => `/rest${path.replace(/^\/svcems\//, '/itxems/')}`,
]

/** All data of the other corporation in the database, as text. */
async function theirRows(): Promise<string> {
  const { rows: tables } = await world.pools.jobs.query<{ name: string }>(
    `select table_name as name from information_schema.columns
     where table_schema = 'public' and column_name = 'corporation_id' order by 1`,
  )
  const all = tables.map(async ({ name }) => {
    const text = `select coalesce(json_agg(t order by t::text), '[]')::text as rows
      from ${name} t where corporation_id = $1`
    return `${name} ${(await world.pools.jobs.query<{ rows: string }>(text, [THEIRS])).rows[0]?.rows}`
  })
  return (await Promise.all(all)).join('\n')
}

describe('data of another corporation', () => {
  test('changes no list and no total of ours (F-J17)', async () => {
    const together = await everyList()
    for (const [list, said] of alone) expect(`${list} ${together.get(list)}`).toBe(`${list} ${said}`)
  })

  test('is in no list, while its own users see it', async () => {
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
      expect(foreign).toBe(await saidOf(probe, UNKNOWN))
      for (const spelled of SPELLINGS) expect(await saidOf(probe, them.ids, spelled)).toBe(foreign)
      expect(foreign).not.toContain(CANARY)
      expect(await theirRows()).toBe(before)
      // The same request about an object of our own is valid: the owner is the only reason of the refusal.
      const own = await ask(probe, us.ids)
      expect(`${own.status} ${own.status === probe.own ? '' : own.text}`).toBe(`${probe.own} `)
    },
  )

  test('is at most a taken number, if we choose the number of a campaign', async () => {
    const before = await theirRows()
    const { callCode, itsyId, ucquId } = them.ids
    const named = { callCode, externalSystem: { itsyId }, queue: { ucquId } }
    for (const body of [named, { callCodes: [named] }, { ...named, name: 'ours now', corporation: { corpId: OURS } }]) {
      const { status, text } = await world.call('POST', '/dialer/callcode', body, { as: us.as })
      expect(status).toBe(404)
      expect(text).not.toContain(CANARY)
    }
    expect(await theirRows()).toBe(before)
  })

  test('does not name the user of the kill switch, which stops all corporations', async () => {
    const turn = (on: boolean, more = {}) => world.call('PUT', '/dialer/killswitch', { on, ...more }, { as: us.as })
    const shown = async (as: Tenant['as']) => (await world.call('GET', '/dialer/killswitch', undefined, { as })).body
    await turn(true)
    expect(await shown(us.as)).toMatchObject({ on: true, by: us.as.rcntrl })
    expect(await shown(them.as)).toMatchObject({ on: true, by: null })
    const theirs = await world.call('PUT', '/dialer/killswitch', { on: false }, { as: them.as })
    expect(theirs.status).toBe(403)
    const second = await world.credential(['admin'], [OURS])
    const confirm = (await turn(false)).body.confirm
    await world.call('PUT', '/dialer/killswitch', { on: false, confirm }, { as: second })
    expect(await shown(them.as)).toMatchObject({ on: false, by: null })
  })

  test('does not show in the codes of external systems: a code of theirs is free for us', async () => {
    const input = { systemCode: them.ids['systemCode'], name: 'ours' }
    const made = await world.call('POST', '/core/externalsystems', input, { as: us.as })
    expect(made.status).toBe(201)
    expect((await world.call('POST', '/core/externalsystems', input, { as: us.as })).status).toBe(409)
    const other = { ...input, systemCode: 'SYS-given up' }
    expect((await world.call('PATCH', `/core/externalsystems/${made.body.itsyId}`, other, { as: us.as })).status).toBe(
      200,
    )
    const changed = await world.call('PATCH', `/core/externalsystems/${us.ids['itsyId']}`, input, { as: us.as })
    expect(changed.status).toBe(200)
    for (const { text } of [made, changed]) expect(text.replaceAll(String(input.systemCode), '')).not.toContain(CANARY)
  })

  test('cannot be named at any place that is not tried above', () => {
    const tried = new Set(PROBES.flatMap(({ route, places }) => places.map((place) => `${route} ${place}`)))
    const places = world.routes.flatMap((route) => {
      const name = `${route.method} ${route.path.replaceAll(/:(\w+)/g, '{$1}')}`
      return placesOf(route).map((place) => `${name} ${place}`)
    })
    expect(places.length).toBeGreaterThan(40)
    expect(places.filter((place) => !tried.has(place)).sort()).toEqual(ELSEWHERE)
  })
})

/** Has a test of its own, or looks like an id and names nothing that belongs to a corporation. */
const ELSEWHERE = [
  'POST /dialer/callcode body.callCode',
  'POST /dialer/callcode body.callCodes.callCode',
  'POST /dialer/callcode body.callCodes.corporation.corpId',
  'POST /dialer/callcode body.callCodes.externalSystem.itsyId',
  'POST /dialer/callcode body.callCodes.queue.ucquId',
  // Codes of one's own systems; kinds of feedback; numbers that we stop, or keep, for us.
  'POST /core/externalsystems body.systemCode',
  'PATCH /core/externalsystems/{itsyId} body.systemCode',
  'POST /dialer/calltaskget body.feedbackTypeIds',
  'POST /dialer/calltaskget body.filter.feedbackTypeIds',
  // It adds a condition to call tasks of our own; the engine looks it up in the catalogue of the call's campaign.
  'POST /dialer/calltaskget body.outcomeIds',
  'POST /dialer/calltaskget body.filter.outcomeIds',
  'POST /svcpbx/agents/me/orders body.outcomeId',
  'POST /dialer/stoplist/numbers body.numbers',
  'POST /svcems/entity body.numbers',
  // An attached file: tried with emails.
  'POST /svcems/emails body.files.cfreId',
  // With a file: tried with spreadsheets.
  'POST /svcdialer/calltasksheet query.systemCode',
  'POST /svcdialer/calltasksheet query.callCode',
  // A constant; the case beside it is tried with the files themselves.
  'POST /core/corefile query.tblId',
  // Tried with the links themselves.
  'PUT /svcems/activitylinks body.from.eactId',
  'PUT /svcems/activitylinks body.to.eactId',
  // The engine looks the task and the campaign up among those that the agent may dial.
  'POST /svcpbx/agents/me/orders body.callCode',
  'POST /svcpbx/agents/me/orders body.callId',
  'POST /svcpbx/agents/me/orders body.itcaId',
  // The engine looks at the corporation of the conversation: tried in the world of supervisions.
  'POST /svcpbx/calls/{callId}/supervise params.callId',
  'DELETE /svcpbx/calls/{callId}/supervise params.callId',
].sort()

interface Shape {
  readonly properties?: Readonly<Record<string, Shape>>
  readonly items?: Shape
  readonly anyOf?: readonly Shape[]
}

const isId = (place: string) =>
  /(Ids?|Codes?|rcntrl|extCust\w*|\.numbers|\.callNumbers|callCodes)$/.test(place) &&
  !/(reasonCode|callerIds?|^body\.callCodes)$/.test(place)

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
