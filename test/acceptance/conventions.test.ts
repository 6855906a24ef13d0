/** §4, §5.3, §9: where and how every operation of the contract is served. */
import { beforeAll, expect, test } from 'vitest'
import type { Client, Credential } from '../../src/client/client.ts'
import { integrator, place } from './place/doors.ts'
import { issueCredential, type Sending, send } from './place/wire.ts'

let client: Client
let endpoint: string
let as: Credential
let eactId: number

beforeAll(async () => {
  client = await integrator()
  endpoint = await client.endpoint()
  as = await issueCredential(client)
  const body = { description: 'Conventions', status: 1, corporation: { corpId: 1 } }
  eactId = (await client.ask('POST /rest/svcems/case', { body } as never)).eactId
})

const NOBODY = 987_654_321
const FORM = {
  headers: { 'content-type': 'multipart/form-data; boundary=cut' },
  text: [
    '--cut',
    'content-disposition: form-data; name="files"; filename="a.txt"',
    'content-type: text/plain',
    '',
    'a',
    '--cut--',
    '',
  ].join('\r\n'),
}

/** Every path as the contract writes it, with a request that changes nothing, and its status. */
const operations = (): readonly (readonly [method: string, path: string, status: number, sending?: Sending])[] => [
  ['POST', '/svcdialer/calltaskimport', 400, { json: { systemCode: 'NOBODY' } }],
  ['POST', '/dialer/callcode', 400, { json: { name: 'No corporation' } }],
  ['GET', `/dialer/callcode?callCode=${NOBODY}`, 200],
  ['POST', '/dialer/calltaskget', 200, { json: { itcaIds: [NOBODY] } }],
  ['PUT', `/v1/calltasks/${NOBODY}/end`, 404],
  ['POST', '/svcdialer/calltaskcallattempts/search', 200, { json: { iccaIds: [NOBODY] } }],
  ['POST', '/svcems/calls/search', 200, { json: { eactIds: [String(NOBODY)] } }],
  ['POST', '/rest/svcems/activity-summary/search', 200, { json: { activities: [{ eactId: NOBODY }] } }],
  ['GET', `/rest/svcems/activities?eactId=${eactId}&getMembers=true&limitFrom=0&limitTo=1000`, 200],
  ['POST', '/rest/svcems/activities/search', 200, { json: { eactIds: [eactId] } }],
  [
    'POST',
    '/rest/core/transcript/search',
    200,
    { json: { referenceIds: [NOBODY], referenceTables: [{ id: 21001 }], getParts: true } },
  ],
  ['GET', '/rest/svcems/entity?getExtensions=true&offset=0&size=1', 200],
  ['GET', `/rest/svcems/emailcontent?eactId=${NOBODY}`, 404],
  ['GET', `/rest/core/corefile?cfreId=${NOBODY}`, 404],
  ['POST', `/rest/core/corefile?tblId=35007&type=3&id=${NOBODY}`, 404, FORM],
  ['POST', '/itxems/cases/search', 200, { json: { eactIds: [eactId] } }],
  ['POST', '/svcems/cases/search', 200, { json: { eactIds: [eactId] } }],
  ['POST', '/rest/svcems/case', 404, { json: { eactId: NOBODY, description: 'Nobody' } }],
  ['POST', '/rest/svcems/activitytexts', 404, { json: { text: 'x', activity: { eactId: NOBODY } } }],
  ['GET', '/rest/svcems/categories', 200],
  ['GET', '/rest/svcems/statuses?type=35013', 200],
  ['GET', '/rest/svcems/priorities', 200],
  ['GET', '/rest/svcpbx/queue', 200],
  ['GET', '/rest/core/activeuser', 200],
  ['GET', '/rest/core/users?size=1', 200],
]

/** What each request has of its own, and what changes while the others work. */
const OF_THE_MOMENT = new Set(['traceId', 'instance', 'presence', 'agentsReady'])
const shownOf = (body: object) => JSON.stringify(body, (name, value) => (OF_THE_MOMENT.has(name) ? undefined : value))
const spellingsOf = (path: string) => {
  const bare = path.replace(/^\/rest/, '')
  return [bare, `/rest${bare}`]
}

test('every path is served at the endpoint, with and without /rest [acc 2, 4, 153, 247 by HTTP]', async () => {
  const { endpoint: told } = (await send(place.ssoUrl, 'GET', '/rest/api/state', { as })).body
  expect(told).toBe(endpoint)
  for (const [method, path, status, sending] of operations()) {
    const [bare, prefixed] = await Promise.all(
      spellingsOf(path).map((spelling) => send(endpoint, method, spelling, { as, ...sending })),
    )
    expect([path, bare!.status, prefixed!.status]).toEqual([path, status, status])
    expect([path, shownOf(bare!.body)]).toEqual([path, shownOf(prefixed!.body)])
    expect([path, bare!.text]).not.toEqual([path, expect.stringContaining('no operation')])
    const twice = await send(endpoint, method, `/rest${spellingsOf(path)[1]}`, { as })
    expect([path, twice.status, twice.body['detail']]).toEqual([path, 404, expect.stringContaining('no operation')])
  }
  const [written, other] = await Promise.all(
    ['/itxems/cases/search', '/svcems/cases/search'].map((path) =>
      send(endpoint, 'POST', path, { as, json: { eactIds: [eactId] } }),
    ),
  )
  expect(written!.body).toEqual(other!.body)
  expect(written!.text).toContain('Conventions')
})

test('names have the neutral prefix, as have headers [acc 4 by HTTP]', async () => {
  const { headers } = await send(endpoint, 'GET', `/rest/svcems/activities?eactId=${eactId}`, { as })
  expect(headers['svc-total-found']).toBe('1')
  for (const [method, path, , sending] of operations()) {
    const neutral = /\/svc(dialer|ems|pbx)\//.exec(path)
    if (!neutral) continue
    const other = path.replace('/svc', '/vendor')
    expect([other, (await send(endpoint, method, other, { as, ...sending })).status]).toEqual([other, 404])
  }
  const { paths } = (await send(endpoint, 'GET', '/openapi.json')).body as { paths: object }
  const rooms = new Set(Object.keys(paths).map((path) => path.replace(/^\/rest/, '').split('/')[1]))
  expect([...rooms].sort()).toEqual(['api', 'core', 'dialer', 'svcdialer', 'svcems', 'svcpbx', 'v1'])
})

test('state is served at the sign-on address alone, and nothing else there [acc 3, 248 by HTTP]', async () => {
  const query = new URLSearchParams(Object.entries({ tokenv2: as.tokenv2, rcntrl: as.rcntrl, ccntrl: as.ccntrl }))
  for (const path of ['/rest/api/state', '/api/state', `/rest/api/state?${query}`]) {
    expect([path, (await send(place.ssoUrl, 'GET', path, { as })).status]).toEqual([path, 200])
    const { status, body } = await send(endpoint, 'GET', path, { as })
    expect([path, status, Object.hasOwn(body, 'endpoint')]).toEqual([path, 404, false])
  }
  for (const [method, path, , sending] of operations()) {
    for (const spelling of spellingsOf(path)) {
      const { status, body } = await send(place.ssoUrl, method, spelling, { as, ...sending })
      expect([spelling, status, body['detail']]).toEqual([spelling, 421, expect.stringContaining('/rest/api/state')])
    }
  }
  const { paths } = (await send(endpoint, 'GET', '/openapi.json')).body as { paths: Record<string, object> }
  const others = Object.entries(paths).filter(([path]) => !path.startsWith('/rest/api/'))
  const asked = others.flatMap(([path, methods]) =>
    Object.keys(methods).map(async (method) => {
      const { status } = await send(place.ssoUrl, method.toUpperCase(), path.replaceAll(/\{\w+\}/g, '7'), { as })
      return `${method} ${path} ${status}`
    }),
  )
  expect((await Promise.all(asked)).filter((told) => !told.endsWith(' 421'))).toEqual([])
  const change = { eactId, description: 'Changed at the wrong address' }
  await send(place.ssoUrl, 'POST', '/rest/svcems/case', { as, json: change })
  const { text } = await send(endpoint, 'POST', '/svcems/cases/search', { as, json: { eactIds: [eactId] } })
  expect(text).toContain('"Conventions"')
})

test('bodies are JSON, said so on both sides [acc 154 by HTTP]', async () => {
  const reader = await issueCredential(client)
  for (const [method, path, status, sending] of operations()) {
    const { json } = sending ?? {}
    const right = await send(endpoint, method, path, { as: reader, ...sending })
    expect([path, right.headers['content-type']]).toEqual([
      path,
      expect.stringMatching(/^application\/(problem\+)?json; charset=utf-8$/),
    ])
    if (json === undefined) continue
    const text = JSON.stringify(json)
    const typed = (type: string) =>
      send(endpoint, method, path, { as: reader, text, headers: { 'content-type': type } })
    for (const type of ['application/json; charset=utf-8', 'Application/JSON']) {
      expect([path, type, (await typed(type)).status]).toEqual([path, type, status])
    }
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'application/xml']) {
      expect([path, type, (await typed(type)).status]).toEqual([path, type, 415])
    }
    const broken = { as: reader, text: text.slice(0, -1), headers: { 'content-type': 'application/json' } }
    expect([path, (await send(endpoint, method, path, broken)).status]).toEqual([path, 400])
  }
})

test('one path has a version, and no other is served with one [acc 297 by HTTP]', async () => {
  const own = await issueCredential(client)
  const end = ['', '/v1', '/v2'].map((version) => `${version}/calltasks/${NOBODY}/end`)
  const details = await Promise.all(
    end.map(async (path) => (await send(endpoint, 'PUT', path, { as: own })).body['detail']),
  )
  expect(details).toEqual([
    expect.stringContaining('no operation'),
    expect.stringContaining('no call task'),
    expect.stringContaining('no operation'),
  ])
  for (const [method, path, , sending] of operations().filter(([, path]) => !path.startsWith('/v1/'))) {
    const { status, body } = await send(endpoint, method, path.replace(/^(\/rest)?/, '$1/v1'), { as: own, ...sending })
    expect([path, status, body['detail']]).toEqual([path, 404, expect.stringContaining('no operation')])
  }
  const { paths } = (await send(endpoint, 'GET', '/openapi.json')).body as { paths: object }
  expect(Object.keys(paths).filter((path) => /\/v\d+(\/|$)/.test(path))).toEqual(['/v1/calltasks/{itcaId}/end'])
})

test('pages of 10 contacts and batches of 10 are no limits [acc 296 by HTTP]', async () => {
  for (const size of [1, 11, 250]) {
    const { status, headers } = await send(endpoint, 'GET', `/rest/svcems/entity?size=${size}&offset=0`, { as })
    expect([size, status, headers['totalfound']]).toEqual([size, 200, expect.stringMatching(/^\d+$/)])
  }
  const ids = Array.from({ length: 60 }, (_, place) => NOBODY + place).join(',')
  for (const name of ['eeexId', 'eactId']) {
    const path = `/rest/svcems/activities?${name}=${ids}&limitFrom=0&limitTo=1000`
    const { status, headers } = await send(endpoint, 'GET', path, { as })
    expect([name, status, headers['svc-total-found']]).toEqual([name, 200, '0'])
  }
})
