/** Attacks, row by row of the fault catalogue (2.J), as far as they meet these operations. */
import { isIP } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeLog } from '../../../src/kernel/log.ts'
import { NASTY_URLS, SPECIAL_IPV4, spellings } from '../../adapters/http/nasty-urls.ts'
import { OURS, openRestWorld } from '../rest-world.ts'
import { openWholeWorld, settle, type Tenant, type WholeWorld } from '../whole-world.ts'
import {
  CAMPAIGN,
  type DialerWorld,
  debtor,
  importOf,
  OTHER_CAMPAIGN,
  openDialerWorld,
  SETTINGS,
} from './dialer-world.ts'

let world: DialerWorld
let whole: WholeWorld
let us: Tenant
const logged: string[] = []

beforeAll(async () => {
  world = await openDialerWorld({ log: makeLog('debug', { write: (line: string) => void logged.push(line) }) })
  whole = await openWholeWorld()
  us = await settle(whole, OURS, 'ours', 1)
})
afterAll(async () => {
  await world.close()
  await whole.close()
})

const countTasks = async () => Number((await world.pools.api.query('select count(*) as n from call_tasks')).rows[0].n)

test('F-J1: no webhook goes to an internal address, in any spelling', async () => {
  const urls = [...NASTY_URLS, ...SPECIAL_IPV4.flatMap(spellings).map((host) => `https://${host}/`)]
  expect(urls.length).toBeGreaterThan(500)
  const add = (url: string) =>
    whole.call('POST', '/core/webhooks', { url, events: ['phone-call.ended'] }, { as: us.as })
  const names: string[] = []
  for (const url of urls) {
    const secure = url.replace(/^http:/, 'https:')
    const { status } = await add(secure)
    // A host that is not an address is a name: it is resolved and checked at every request.
    const host = URL.parse(secure)?.hostname ?? ''
    const isName = host !== '' && isIP(host.replaceAll(/[[\]]/g, '')) === 0
    if (!isName) expect([secure, status]).toEqual([secure, 400])
    else if (status !== 400) names.push(secure)
  }
  expect(names.length).toBeLessThan(urls.length / 20)
  expect(whole.asked).toEqual([])
})

test('F-J1: a template whose host the customer data could choose is refused', async () => {
  const templates = [
    ...['https://{$CODE}/', 'https://{$CODE}.example.com/', 'https://a.example.com{$CODE}/', '{$CODE}', '//{$CODE}/x'],
    ...['https://user:{$CODE}@a.example.com/', 'https://a.example.com:{$CODE}/', 'https:{$CODE}', 'https:///{$CODE}'],
    ...[
      'javascript:alert({$CODE})',
      'data:text/html,{$CODE}',
      'file:///etc/passwd',
      'https://a.example.com\\@{$CODE}/',
    ],
    ...['ht{$CODE}tp://x/', ' https://{$CALLER}/', 'https://a.example.com?x', 'HTTPS://{$CODE}', 'vbscript:x'],
  ]
  const refused: [string, number][] = []
  for (const [place, template] of templates.entries()) {
    const command = { systemCode: `T${place}`, name: 'x', popupUrlTemplate: template }
    refused.push([template, (await whole.call('POST', '/core/externalsystems', command, { as: us.as })).status])
  }
  expect(refused.filter(([, status]) => status !== 400).map(([template]) => template)).toEqual([])
})

test('F-J8: of 2,000 guesses none is right, ten lock the client out, and no secret is in the log', async () => {
  const lines: string[] = []
  const house = await openRestWorld({
    parts: () => ({ log: makeLog('debug', { write: (line: string) => void lines.push(line) }) }),
  })
  const guess = (count: number) => ({ ...house.values, tokenv2: `tv2_${String(count).padStart(43, 'x')}` })
  const statuses: number[] = []
  for (let count = 0; count < 2_000; count++) {
    statuses.push((await house.call('GET', '/core/activeuser', undefined, { as: guess(count) })).status)
  }
  expect(statuses.filter((status) => status === 401).length).toBeLessThanOrEqual(10)
  expect(new Set(statuses)).toEqual(new Set([401, 429]))
  expect(lines.join('')).not.toMatch(/tv2_/)
  expect(lines.join('')).not.toContain(house.values.ccntrl)
  await house.close()
})

const BAD_PREFIXES = [
  ...[
    '+4590',
    '+881',
    '+882',
    '+883',
    '+870',
    '+979',
    '+808',
    '+1900',
    '+1876',
    '+53',
    '+960',
    '+247',
    '+252',
    '+371',
    '+44909',
    '+4470',
  ],
  ...['112', '114', '+45112', '00881', '118', '1900', '+1', '+999', '+0', '+'],
]

test('F-J9: of 1,000 premium-rate numbers none is imported or dialed, strict or lenient', async () => {
  const bad = Array.from({ length: 1_000 }, (_, place) => {
    const prefix = BAD_PREFIXES[place % BAD_PREFIXES.length] ?? ''
    return debtor(500_000 + place, { callNumberList: [prefix + String(10_000_000 + place).slice(0, 4 + (place % 6))] })
  })
  const before = await countTasks()
  const { status, body } = await world.importTasks(bad, { callCode: OTHER_CAMPAIGN })
  expect([status, body.importedCount, body.callTaskErrors.length]).toEqual([200, 0, 1_000])
  const lenient = { callCode: OTHER_CAMPAIGN, skipInvalidNumbers: true }
  expect((await world.call('POST', '/dialer/callcode', lenient)).status).toBe(200)
  const again = await world.importTasks(bad, { callCode: OTHER_CAMPAIGN })
  expect(again.body.importedCount).toBe(0)
  expect(await countTasks()).toBe(before)
  expect(await world.claim(await world.lease(), OTHER_CAMPAIGN)).toEqual([])
})

test('F-J9: a campaign may allow other countries, and still no premium-rate numbers', async () => {
  const command = {
    callCode: 77,
    name: 'abroad',
    corporation: { corpId: OURS },
    externalSystem: { itsyId: 3 },
    queue: { ucquId: 12 },
  }
  const allowedDestinations = ['DK', 'GB', 'US', 'JM', 'CU', 'SO', 'LV', 'MV']
  const made = await world.call('POST', '/dialer/callcode', { ...command, ...SETTINGS, allowedDestinations })
  expect(made.status).toBe(200)
  const costly = ['+449098790000', '+447011234567', '+19005551234', '+4590123456', '+88123456789', '+97912345678']
  const tasks = costly.map((number, place) => debtor(510_000 + place, { callNumberList: [number] }))
  const { body } = await world.importTasks(tasks, { callCode: made.body.callCode })
  expect(body.callTaskErrors.map(({ errorCodes }: { errorCodes: number[] }) => errorCodes)).toEqual(
    costly.map(() => [103]),
  )
})

test('F-J16: a client can inject neither a line into our log nor a header into our answer', async () => {
  logged.length = 0
  const evil = 'x\r\nset-cookie: a=b\u001b[2J\u009b'
  const body = { ...importOf([debtor(520_000)]), [evil]: 1, naïve: 2 }
  const { headers } = await world.call('POST', '/svcdialer/calltaskimport', body, {
    headers: { 'svc-trace-id': 'a b"c' },
  })
  expect(headers['set-cookie']).toBeUndefined()
  expect(headers['svc-ignored-fields']).toMatch(/^[\x20-\x7e]+$/)
  expect(headers['svc-trace-id']).toMatch(/^[\w.-]+$/)
  const stop = { numbers: ['+4526777777'], reason: evil }
  await world.call('POST', '/dialer/stoplist/numbers', stop)
  const { body: list } = await world.call('GET', '/dialer/stoplist/numbers')
  expect(list.numbers.map(({ reason }: { reason: string }) => reason).join()).not.toMatch(/\p{Cc}/u)
  expect(logged.length).toBeGreaterThan(0)
  for (const line of logged) expect(JSON.parse(line)).toBeTypeOf('object')
  expect(logged.join('').replaceAll('\n', '')).not.toMatch(/\p{Cc}/u)
  expect(logged.join('')).not.toContain('4526520000')
})

test('F-J18: fields that only the server sets cannot be set', async () => {
  const task = debtor(530_000, {
    itcaId: 1,
    statusId: 20,
    finished: true,
    answered: true,
    callAttemptCount: 9,
    corporationId: 2,
  })
  const more = { corporation: { corpId: 2 }, importId: 'imp_mine', creator: 'me' }
  const { body, headers } = await world.importTasks([task], more, '?returnImportedCallTasks=true')
  const [made] = body.callTasks
  expect(made).toMatchObject({
    statusId: 1,
    finished: false,
    answered: false,
    callAttemptCount: 0,
    corporation: { corpId: OURS },
  })
  expect(body.importId).not.toBe('imp_mine')
  expect(headers['svc-ignored-fields']).toContain('creator')
  const campaign = { callCode: CAMPAIGN, ready: true, missing: [], creationTs: '2020-01-01T00:00:00Z' }
  expect((await world.call('POST', '/dialer/callcode', campaign)).status).toBe(400)
  const token = { name: 'x', scopes: ['users:read'], corpIds: [OURS], tokenv2: 'tv2_mine', rcntrl: 'rc_mine' }
  expect((await world.call('POST', '/core/tokens', token)).status).toBe(400)
  expect((await world.call('POST', '/core/tokens', { ...token, scopes: ['root'] })).status).toBe(400)
})
