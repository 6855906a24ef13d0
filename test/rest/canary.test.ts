/** Unmistakable names and numbers go through every operation, with valid and invalid requests; no log has them. */
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeLog } from '../../src/kernel/log.ts'
import type { Route } from '../../src/rest/http/route.ts'
import { spoiledRequest } from './malformed-requests.ts'
import { OURS, THEIRS } from './rest-world.ts'
import { openWholeWorld, settle, type Tenant, type WholeWorld } from './whole-world.ts'

/** Is in every name and text of ours, and `45268` in every number. */
const WORD = 'kanarie7'
const CANARY = /kanarie|45268\d/i
const PEOPLE = 1_000
/** Signs of internals. */
const INSIDE = /\bselect\b.+\bfrom\b|relation "|column "|violates|syntax error|node_modules|\.ts:\d|Failing row/i

const logged: string[] = []
let world: WholeWorld
let us: Tenant
let them: Tenant

beforeAll(async () => {
  const log = makeLog('trace', { write: (line) => void logged.push(line) })
  world = await openWholeWorld(false, { log })
  us = await settle(world, OURS, WORD, 8)
  them = await settle(world, THEIRS, 'theirs', 1)
})
afterAll(() => world.close())

const linesWith = (what: RegExp) => logged.filter((line) => what.test(line))

/** Every text of a value that has the canary. */
function sung(value: unknown): unknown {
  if (typeof value === 'string') return `${value} ${WORD}`
  if (Array.isArray(value)) return value.map(sung)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, sung(inner)]))
}

/** The operation's example, with canaries in its texts and in its address. */
/** Signing out would end the credential of all other requests. */
const lasts = ({ path }: Route) => path !== '/core/session/logout'

async function tryAll(route: Route, as: Tenant['as']) {
  const filled = (word: string) => route.path.replaceAll(/\{(\w+)\}/g, (_, name) => `${us.ids[name] ?? 7}${word}`)
  const body = route.method === 'GET' || route.method === 'DELETE' ? undefined : (route.example?.body ?? {})
  const ask = (path: string, sent: unknown) => world.call(route.method, path, sent, { as })
  return [
    await ask(filled(''), body),
    await ask(filled(''), body && sung(body)),
    await ask(filled(`-${WORD}`), body),
    await ask(`${filled('')}?name=${WORD}&number=%2B4526800001&text=${WORD}`, body),
  ]
}

describe('no personal data', () => {
  test('is in the log, after any request (F-K1)', async () => {
    const { systemCode, callCode } = us.ids
    const callTasks = Array.from({ length: PEOPLE }, (_, index) => ({
      callReceiverName: `Kanarie ${index}`,
      callNumberList: [`+45268${String(10_000 + index).padStart(5, '0')}`],
      extCustId: `kanarie-${index}`,
      systemLookupCode: `kanarie-case-${index}`,
    }))
    const order = { systemCode, callCode, maxCallAttempts: 3, minCallIntervalHours: 4 }
    const { body } = await world.call('POST', '/svcdialer/calltaskimport', { ...order, callTasks }, { as: us.as })
    expect(body.importedCount).toBe(PEOPLE)
    const lasting = world.routes.filter(
      (route) => route.method !== 'DELETE' && !route.path.includes('/erase') && lasts(route),
    )
    for (const route of lasting) await tryAll(route, us.as)
    for (const { name, path, text, headers } of fc.sample(spoiledRequest(lasting, us.ids), {
      numRuns: 200,
      seed: 11,
    })) {
      const [method = ''] = name.split(' ')
      await world.call(method, path, undefined, { as: us.as, headers, ...(text !== undefined && { text }) })
    }
    const wrong = { ...us.as, tokenv2: us.as.tokenv2.replace(/.$/, 'x') }
    await world.call('GET', `/core/users?name=${WORD}`, undefined, { as: wrong })
    expect(logged.length).toBeGreaterThan(300)
    expect(linesWith(CANARY)).toEqual([])
    expect(linesWith(new RegExp([us.as.tokenv2, us.as.ccntrl, wrong.tokenv2].join('|')))).toEqual([])
  })

  test('of others is in a refusal (F-K1)', async () => {
    const told: string[] = []
    for (const route of world.routes.filter(({ method }) => method !== 'DELETE')) {
      for (const { status, text } of (await tryAll(route, them.as)).slice(0, 1)) if (status >= 400) told.push(text)
    }
    expect(told.length).toBeGreaterThan(10)
    // Only the name of the external system in the request itself may be repeated; it was not sent here.
    expect(told.filter((text) => CANARY.test(text))).toEqual([])
  })

  test('is in the audit trail (F-K5)', async () => {
    const { rows } = await world.pools.jobs.query(`select (a.*)::text as row from (
      select corporation_id, credential, action, object, ids, operation, address, trace_id from audit_records) a`)
    expect(rows.length).toBeGreaterThan(20)
    expect(rows.filter(({ row }) => CANARY.test(row))).toEqual([])
  })

  test('is shown when the database refuses a row, and no SQL is (F-K1)', async () => {
    const before = logged.length
    for (const [table, column] of [
      ...[
        ['external_systems', 'name'],
        ['property_fields', 'name'],
        ['campaigns', 'name'],
      ],
      ...[
        ['webhook_subscriptions', 'description'],
        ['stopped_numbers', 'reason'],
        ['call_tasks', 'receiver_name'],
      ],
    ]) {
      await world.pools.jobs.query(`alter table ${table} add check (${column} !~* 'trouble') not valid`)
    }
    const trouble = `trouble ${WORD}`
    const callTask = { callReceiverName: trouble, callNumberList: ['+4526899999'], extCustId: WORD }
    const { systemCode, callCode } = us.ids
    const requests: readonly (readonly [string, string, object])[] = [
      ['POST', '/core/externalsystems', { systemCode: 'NEW1', name: trouble }],
      ['POST', '/svcems/infofields', { name: trouble }],
      [
        'POST',
        '/core/webhooks',
        { url: 'https://a.example.com/h', events: ['phone-call.ended'], description: trouble },
      ],
      ['POST', '/dialer/stoplist/numbers', { numbers: ['+4526888888'], reason: trouble }],
      [
        ...(['POST', '/svcdialer/calltaskimport'] as const),
        { systemCode, callCode, maxCallAttempts: 1, minCallIntervalHours: 4, callTasks: [callTask] },
      ],
    ]
    for (const [method, path, body] of requests) {
      const { status, text } = await world.call(method, path, body, { as: us.as })
      expect([path, status >= 500 || text.includes('"statusCode"')]).toEqual([path, true])
      expect(text).not.toMatch(INSIDE)
      expect(text.replaceAll(WORD, '')).not.toMatch(CANARY)
    }
    expect(logged.length).toBeGreaterThan(before)
    expect(linesWith(CANARY)).toEqual([])
  })

  test('is shown when tables are missing, and no SQL is', async () => {
    await world.pools.jobs.query(`alter table audit_records rename to audit_gone; alter table entities rename to e_gone;
      alter table call_tasks rename to t_gone; alter table webhook_subscriptions rename to w_gone;
      alter table summaries rename to s_gone; alter table legal_holds rename to h_gone`)
    let mistakes = 0
    for (const route of world.routes.filter(lasts)) {
      for (const { status, text } of await tryAll(route, us.as)) {
        if (status < 500) continue
        mistakes++
        expect(text, `${route.method} ${route.path}`).not.toMatch(INSIDE)
      }
    }
    expect(mistakes).toBeGreaterThan(10)
    expect(linesWith(CANARY)).toEqual([])
  })
})
