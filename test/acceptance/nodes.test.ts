/** §4.1, §5, §7: two nodes with one database, in production: fail-over, sign-on, outages, unexpected errors. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { freePort } from '../../asterisk/ports.ts'
import { type Client, type Credential, connect } from '../../src/client/client.ts'
import { type TestRedis, testRedis } from '../support/redis.ts'
import { makeCampaign, makeSystem } from './place/campaigns.ts'
import { credentialFrom } from './place/doors.ts'
import { type FaultyDatabase, faultyDatabase } from './place/faulty-database.ts'
import { type RunningPlace, runCli, startPlace } from './place/start-place.ts'
import { issueCredential, type Reply, send } from './place/wire.ts'

const systemCode = 'NODES'
const STRANGER = '127.0.1.9'
const DAY_MS = 24 * 3_600_000
let redis: TestRedis
let database: FaultyDatabase
/** Without telephones. The first one runs the database; the second one reaches it through `database`. */
let first: RunningPlace
let second: RunningPlace
let as: Credential
let client: Client
/** Of the service that the other files share, which is the one for development. */
let development: Credential
let trial: Client
let itsyId: number
let callCode: number

beforeAll(async () => {
  redis = await testRedis()
  const common = { ENVIRONMENT: 'production', REDIS_URL: redis.url, PBX: 'simulated' }
  first = await startPlace({ ...common, NODE_NAME: 'node-1' })
  database = await faultyDatabase(join(first.directory, 'postgres/socket/.s.PGSQL.5432'))
  const port = await freePort('tcp', '127.0.0.1')
  second = await startPlace({
    ...common,
    NODE_NAME: 'node-2',
    DATABASE_URL: database.url,
    HTTP_PORT: String(port),
    ENDPOINT: `http://localhost:${port}/`,
  })
  as = await credentialFrom(first, 'two nodes', '--days', '730')
  development = await credentialFrom(inject('place'), 'the same in development')
  trial = connect({ ssoUrl: inject('place').ssoUrl, credential: development })
  client = connect({ ssoUrl: first.ssoUrl, credential: as })
  itsyId = await makeSystem(client, systemCode)
  callCode = await makeCampaign(client, 'tasks', itsyId, { active: false })
})

afterAll(async () => {
  await second?.close()
  await database?.close()
  await first?.close()
  await redis?.end()
})

/** As configured, or where it listens. */
const addressOf = ({ env }: RunningPlace) =>
  env['ENDPOINT']?.replace(/\/$/, '') ?? `http://127.0.0.1:${env['HTTP_PORT']}`
const request = (callTasks: readonly object[]) => {
  return { systemCode, callCode, maxCallAttempts: 3, minCallIntervalHours: 4, callTasks }
}
const search = async (at: RunningPlace, json: object) => {
  const { status, body } = await send(addressOf(at), 'POST', '/dialer/calltaskget', { as, json })
  expect(status).toBe(200)
  return body as unknown as Awaited<ReturnType<typeof foundBy>>
}
const foundBy = (at: Client, body: object) => at.ask('POST /dialer/calltaskget', { body })
const stateAt = (at: RunningPlace) => send(at.ssoUrl, 'GET', '/rest/api/state', { as })

test('sign-on and nodes have their own addresses; one node is named everywhere [acc 1, 2, 245 by HTTP]', async () => {
  const [one, other] = await Promise.all([stateAt(first), stateAt(second)])
  expect(one.body).toEqual(other.body)
  expect([addressOf(first), addressOf(second)]).toContain(one.body['endpoint'])
  const { ssoUrl, env } = inject('place')
  const addresses = [first.ssoUrl, second.ssoUrl, addressOf(first), addressOf(second), ssoUrl]
  expect(new Set([...addresses, `http://127.0.0.1:${env['HTTP_PORT']}`]).size).toBe(6)
  const { headers } = await send(ssoUrl, 'GET', '/rest/api/state', { as: development })
  expect([headers['svc-environment'], one.headers['svc-environment']]).toEqual(['development', 'production'])
})

test('development has the operations, lists and answers of production [acc 1, 246 by HTTP]', async () => {
  const trialAt = await trial.endpoint()
  const sides = [
    { at: addressOf(first), who: as, client },
    { at: trialAt, who: development, client: trial },
  ] as const
  const read = async (path: string) => {
    const answers = await Promise.all(sides.map(({ at, who }) => send(at, 'GET', path, { as: who })))
    return answers.map(({ body }) => body as unknown as readonly { name: string }[] & Record<string, unknown>)
  }
  const [operations, sameOperations] = await read('/openapi.json')
  // Each names its own address for sign-on.
  const withoutAddress = (document: unknown) => JSON.stringify(document).replaceAll(/http:\/\/127\.0\.0\.1:\d+/g, '')
  expect(withoutAddress(operations)).toBe(withoutAddress(sameOperations))
  expect(Object.keys(operations!['paths'] as object).length).toBeGreaterThan(60)
  for (const list of ['queue', 'categories', 'statuses?type=35013', 'priorities']) {
    const names = (await read(`/rest/${list === 'queue' ? 'svcpbx' : 'svcems'}/${list}`)).map((rows) =>
      rows.map(({ name }) => name),
    )
    // Other files may have added categories of their own.
    expect([list, names[1]]).toEqual([list, expect.arrayContaining(names[0]!)])
  }
  const results = await Promise.all(
    sides.map(async ({ at, who, client: own }, place) => {
      const code =
        place === 0 ? callCode : await makeCampaign(own, 'tasks', await makeSystem(own, systemCode), { active: false })
      const list = [{ callReceiverName: 'Nils', callNumberList: ['+4526500001'], systemLookupCode: 'E-1' }, {}]
      const json = { ...request(list), callCode: code }
      const { status, body } = await send(at, 'POST', '/svcdialer/calltaskimport', { as: who, json })
      const found = await foundBy(own, { callCodes: [{ callCode: code }], systemLookupCodes: ['E-1'] })
      const { itcaId, callCode: _, creationTs, updateTs, nextCallTs, ...same } = found.callTasks[0]!
      return { status, errors: body['callTaskErrors'], same }
    }),
  )
  expect(results[1]).toEqual(results[0])
  expect(results[0]).toMatchObject({ status: 200, errors: [{ callTaskIndex: 1 }], same: { callReceiverName: 'Nils' } })
  const crossed = [
    await send(addressOf(first), 'GET', '/rest/core/activeuser', { as: development, from: STRANGER }),
    await send(trialAt, 'GET', '/rest/core/activeuser', { as, from: STRANGER }),
  ]
  expect(crossed.map(({ status }) => status)).toEqual([401, 401])
})

/** More than one page holds, and more than an import takes at once. */
const MANY = 50_001
let crowded: number
let importId: string
const job = async () => {
  const at = 'GET /svcdialer/calltaskimport/{importId}'
  const { importStatus, importedCount, callTaskErrors } = await client.ask(at, { params: { importId } })
  return { importStatus, importedCount, callTaskErrors }
}

test('production posts events to public addresses by https only, development also to allowed ones', async () => {
  const json = { url: `http://127.0.0.1:${inject('place').ports.peers.events}/hooks`, events: ['phone-call.ended'] }
  const strict = await send(addressOf(first), 'POST', '/rest/core/webhooks', { as, json })
  const lenient = await send(await trial.endpoint(), 'POST', '/rest/core/webhooks', { as: development, json })
  expect([strict.status, lenient.status]).toEqual([400, 201])
  await send(await trial.endpoint(), 'DELETE', `/rest/core/webhooks/${lenient.body['webhookId']}`, { as: development })
})

test('an import in the background answers before it is done [acc 158 by HTTP]', async () => {
  crowded = await makeCampaign(client, 'tasks', itsyId, { active: false })
  const list = Array.from({ length: MANY }, (_, place) => ({
    callReceiverName: `Nobody ${place}`,
    callNumberList: [`+4526${String(place).padStart(6, '0')}`],
  }))
  const json = { ...request([...list.slice(0, -1), {}, ...list.slice(-1)]), callCode: crowded }
  const path = '/svcdialer/calltaskimport?importAsync=true'
  const { status, body } = await send(addressOf(first), 'POST', path, { as, json })
  expect([status, body]).toEqual([200, { callTaskErrors: [], importId: expect.any(String), importStatus: 'queued' }])
  importId = String(body['importId'])
  expect((await job()).importedCount).toBeLessThan(MANY)
})

describe('sign-on', () => {
  const places = () => [first, second]
  /** Of both nodes and of both sign-on addresses. */
  const statuses = async (who: Credential) => {
    const asked = places().flatMap((at) => [
      send(addressOf(at), 'GET', '/rest/core/activeuser', { as: who, from: STRANGER }),
      send(at.ssoUrl, 'GET', '/rest/api/state', { as: who, from: STRANGER }),
    ])
    return (await Promise.all(asked)).map(({ status }) => status)
  }
  const everywhere = (status: number) => places().flatMap(() => [status, status])
  const logIn = (base: string, password: string) =>
    send(base, 'POST', '/rest/api/login', { json: { userName: 'nora', password }, from: STRANGER })

  test('is the one authority: what it says of a user holds on every node [acc 245 by HTTP, CLI]', async () => {
    await runCli(first, 'user', 'add', 'nora', '--roles', 'supervisor')
    const passwordOf = async () => /: (\S+)\s*$/.exec(await runCli(first, 'user', 'password', 'nora'))![1]!
    const password = await passwordOf()
    expect((await logIn(addressOf(first), password)).status).toBe(404)
    expect((await logIn(second.ssoUrl, `${password}!`)).status).toBe(401)
    const { tokenv2, rcntrl, ccntrl } = (await logIn(second.ssoUrl, password)).body as unknown as Credential
    const nora = { tokenv2, rcntrl, ccntrl }
    expect(await statuses(nora)).toEqual(everywhere(200))
    await passwordOf()
    await expect.poll(() => statuses(nora), { interval: 500 }).toEqual(everywhere(401))
    expect((await logIn(first.ssoUrl, password)).status).toBe(401)
  })

  test('knows no user who was taken out of the configuration [acc 245 by HTTP, CLI, file]', async () => {
    const users = () => client.ask('GET /rest/core/users', { query: { size: 1_000 } })
    const { userId } = (await users()).find(({ userName }) => userName === 'dan')!
    const { tokenv2, rcntrl, ccntrl } = await issueCredential(client, { userId })
    const dan = { tokenv2, rcntrl, ccntrl }
    expect(await statuses(dan)).toEqual(everywhere(200))
    const file = first.env['SETUP_FILE']!
    const text = readFileSync(file, 'utf8')
      .replace('"dora", "dan"', '"dora"')
      .replace(/^ {2}dan: .*\n/m, '')
    writeFileSync(file, text)
    await runCli(first, 'apply')
    await expect.poll(() => statuses(dan), { interval: 500 }).toEqual(everywhere(401))
    expect((await users()).map(({ userName }) => userName)).toEqual(expect.not.arrayContaining(['dan']))
  })
})

test('it makes every call task, and a page has 50,000 at most [acc 158, 294 by HTTP]', async () => {
  await expect.poll(job, { interval: 500 }).toMatchObject({
    importStatus: 'completed',
    importedCount: MANY,
    callTaskErrors: [{ callTaskIndex: MANY - 1, errorCodes: [101, 102] }],
  })
  const callCodes = [{ callCode: crowded }]
  for (const limit of [MANY, 1_000_000]) {
    const { callTasks, ...facts } = await search(second, { callCodes, limit })
    const page = { foundRows: MANY, firstRow: 1, lastRow: 50_000, pageCount: 2 }
    expect([callTasks.length, facts]).toEqual([50_000, page])
  }
  const rest = await search(second, { callCodes, limit: 1_000_000, pageNumber: 2 })
  expect(rest).toMatchObject({ callTasks: [{ callReceiverName: `Nobody ${MANY - 1}` }], firstRow: MANY, lastRow: MANY })
})

describe('an unexpected error', () => {
  test('leaves an import done or not begun, and 500 means not begun [acc 49, 50, 161, 269 by HTTP]', async () => {
    // A key, and the wish for the call tasks, are further statements after the commit.
    for (const [kind, query, key] of [
      ['plain', '', false],
      ['told', '?returnImportedCallTasks=true', false],
      ['keyed', '?returnImportedCallTasks=true', true],
    ] as const) {
      const own = await issueCredential(client)
      const statuses: number[] = []
      for (let place = 0, isReached = true; isReached; place++) {
        const mark = `Fault ${kind} ${place}`
        const callTasks = [1, 2, 3].map((part) => {
          const number = `+45265${kind.length}${String(place).padStart(3, '0')}${part}`
          return { callReceiverName: mark, callNumberList: [number], systemLookupCode: `${mark} ${part}` }
        })
        const reached = database.failAt(place, mark)
        const { status, body } = await send(addressOf(second), 'POST', `/svcdialer/calltaskimport${query}`, {
          as: own,
          json: request(callTasks),
          ...(key && { headers: { 'idempotency-key': `${kind}-${place}` } }),
        })
        isReached = reached()
        statuses.push(status)
        const codes = callTasks.map(({ systemLookupCode }) => systemLookupCode)
        const { foundRows } = await search(second, { systemLookupCodes: codes })
        const shown = status === 200 ? body['callTaskErrors'] : [body['statusCode'], typeof body['statusText']]
        const right = status === 200 ? [200, [], 3] : [500, [1, 'string'], 0]
        expect([kind, place, status, shown, foundRows]).toEqual([kind, place, ...right])
      }
      expect(statuses.filter((status) => status === 500).length).toBeGreaterThan(1)
      expect(statuses.at(-1)).toBe(200)
    }
  })

  test('is never what a client’s mistake leads to [acc 291 by HTTP]', async () => {
    const { paths } = (await send(addressOf(second), 'GET', '/openapi.json')).body as {
      paths: Record<string, Record<string, object>>
    }
    const operations = Object.entries(paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => [method.toUpperCase(), path] as const),
    )
    const allowances = await Promise.all(Array.from({ length: 20 }, () => issueCredential(client)))
    const wrong = [
      '{}',
      '[]',
      '{"limit":-1,"eactIds":["x"],"itcaIds":[1e99]}',
      '{"eactId":',
      '"\\u0000"',
      '{"eactId":987654321}',
    ]
    const statuses: number[] = []
    for (const [place, [method, path]] of operations.entries()) {
      const own = allowances[place % allowances.length]!
      for (const id of ['987654321', 'nobody', '%00', '-1']) {
        const address = `${path.replaceAll(/\{\w+\}/g, id)}?limit=x&offset=-1&size=1e9&eactId=,&id=nobody`
        const texts = method === 'GET' ? [undefined] : id === 'nobody' ? [undefined, ...wrong] : [wrong[0]]
        const type = { 'content-type': 'application/json' }
        const asked = texts.map((text) =>
          send(addressOf(second), method, address, { as: own, ...(text !== undefined && { text, headers: type }) }),
        )
        for (const { status, text } of await Promise.all(asked)) {
          statuses.push(status)
          expect([method, address, status < 500 ? '' : `${status} ${text}`]).toEqual([method, address, ''])
        }
      }
    }
    // The mistakes were looked at.
    expect(statuses.filter((status) => [400, 404].includes(status)).length).toBeGreaterThan(500)
  })

  test('is told apart from a node that cannot serve now, which gets 503 [acc 291 by HTTP]', async () => {
    const [task] = [{ callReceiverName: 'Nete', callNumberList: ['+4526590001'], systemLookupCode: 'E-9' }]
    const asked = (): Promise<Reply[]> =>
      Promise.all([
        send(addressOf(second), 'POST', '/dialer/calltaskget', { as, json: { itcaIds: [1] } }),
        send(addressOf(second), 'POST', '/svcdialer/calltaskimport', { as, json: request([task!]) }),
        send(second.ssoUrl, 'GET', '/readyz'),
      ])
    database.refuse()
    const refused = await asked()
    database.heal()
    expect(refused.map(({ status, headers }) => [status, headers['retry-after']])).toEqual(
      refused.map(() => [503, expect.stringMatching(/^\d+$/)]),
    )
    expect(Object.keys(refused[1]!.body).sort()).toEqual(['statusCode', 'statusText'])
    expect((await search(first, { systemLookupCodes: ['E-9'] })).foundRows).toBe(0)
    await expect.poll(async () => (await asked()).map(({ status }) => status)).toEqual([200, 200, 200])
  })
})

test('after a fail-over state names a living node; clients go on there [acc 250, 251 by HTTP, client]', async () => {
  const [lost, alive] = (await stateAt(first)).body['endpoint'] === addressOf(first) ? [first, second] : [second, first]
  const asking = connect({ ssoUrl: alive.ssoUrl, credential: as, timeoutMs: 1_000 })
  await asking.ask('GET /rest/core/activeuser')
  expect(await asking.endpoint()).toBe(addressOf(lost))
  const pid = Number(readFileSync(join(lost.directory, 'service.pid'), 'utf8').split('\n')[0])
  process.kill(pid, 'SIGSTOP')
  try {
    const me = () => asking.ask('GET /rest/core/activeuser').then(({ environment }) => environment)
    await expect.poll(() => me().catch(() => 'nobody')).toBe('production')
    expect(await asking.endpoint()).toBe(addressOf(alive))
    expect((await stateAt(alive)).body).toEqual({ endpoint: addressOf(alive) })
  } finally {
    process.kill(pid, 'SIGCONT')
  }
  await expect.poll(async () => (await stateAt(alive)).body['endpoint']).toBe(addressOf(lost))
  await asking.ask('GET /rest/core/activeuser')
  expect(await asking.endpoint()).toBe(addressOf(alive))
})

test('an endpoint stays good for as long as it answers [acc 249 by HTTP, client]', async () => {
  const asked: string[] = []
  const fetching: typeof fetch = (url, init) => {
    asked.push(String(url))
    return fetch(url, init)
  }
  const asking = connect({ ssoUrl: first.ssoUrl, credential: as, fetch: fetching as never })
  await asking.ask('GET /rest/core/activeuser')
  const endpoint = await asking.endpoint()
  for (let month = 1; month <= 10; month++) {
    await Promise.all([first, second].map((one) => one.forward(30 * DAY_MS)))
    expect(await asking.ask('GET /rest/core/activeuser')).toMatchObject({ environment: 'production' })
  }
  expect(asked.slice(1)).toEqual(Array(11).fill(`${endpoint}/rest/core/activeuser`))
})
