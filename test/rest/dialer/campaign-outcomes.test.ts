/** The catalogue of outcomes of a campaign over HTTP (campaigns-104). */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { CorporationId } from '../../../src/kernel/ids.ts'
import type { CredentialValues } from '../../../src/rest/http/credential-values.ts'
import { openWholeWorld, settle, type Tenant, type WholeWorld } from '../whole-world.ts'

let world: WholeWorld
let us: Tenant
let callCode: number

beforeAll(async () => {
  world = await openWholeWorld()
  us = await settle(world, 1 as CorporationId, 'ours', 1)
})
afterAll(() => world?.close())

const path = () => `/dialer/callcode/${callCode}/outcomes`
const ask = (method: string, end = '', body?: unknown, headers: Readonly<Record<string, string>> = {}) =>
  world.call(method, `${path()}${end}`, body, { as: us.as, headers })

/** A campaign of its own, with these outcomes. Returns their ids. */
async function campaignWith(...outcomes: readonly object[]): Promise<number[]> {
  const body = { name: 'outcomes', corporation: { corpId: 1 } }
  callCode = (await world.call('POST', '/dialer/callcode', body, { as: us.as })).body.callCode
  const ids: number[] = []
  for (const outcome of outcomes) {
    const made = await ask('POST', '', outcome)
    expect([made.status, made.text]).toEqual([201, made.text])
    ids.push(made.body.outcomeId)
  }
  return ids
}
const names = async (query = '') => ((await ask('GET', query)).body as { name: string }[]).map(({ name }) => name)

describe('the catalogue', () => {
  test('shows an outcome as it was made, with what was left out', async () => {
    const fields = [
      { name: 'Amount', kind: 'number', required: true },
      { name: 'How', kind: 'choice', choices: ['transfer', 'card'] },
    ]
    await campaignWith({ name: 'Promised  to\npay', key: '1', final: true, fields }, { name: 'Nobody there' })
    const { status, body, headers } = await ask('GET')
    expect([status, headers['totalfound']]).toEqual([200, '2'])
    expect(body).toMatchObject([
      {
        name: 'Promised  to pay',
        key: '1',
        final: true,
        needsCallBackDate: false,
        active: true,
        version: 1,
        fields: [
          { name: 'Amount', kind: 'number', required: true, choices: [] },
          { name: 'How', kind: 'choice', required: false, choices: ['transfer', 'card'] },
        ],
      },
      { name: 'Nobody there', key: null, final: false, fields: [] },
    ])
  })

  test('has the order of the supervisors; an order that misses one is refused', async () => {
    const [first, second, third] = await campaignWith({ name: 'a' }, { name: 'b' }, { name: 'c' })
    expect(
      (await ask('PUT', '', { outcomeIds: [third, first, second] })).body.map(({ name }: { name: string }) => name),
    ).toEqual(['c', 'a', 'b'])
    for (const outcomeIds of [
      [third, first],
      [third, first, first],
      [third, first, second, 999_999],
    ]) {
      expect((await ask('PUT', '', { outcomeIds })).status).toBe(409)
    }
    expect(await names()).toEqual(['c', 'a', 'b'])
  })

  test('keeps a retired outcome, which frees its key and its name, and can come back', async () => {
    const [first] = await campaignWith({ name: 'Refused', key: '2' })
    expect((await ask('PATCH', `/${first}`, { active: false })).body).toMatchObject({ active: false, version: 2 })
    expect(await names()).toEqual([])
    const again = await ask('POST', '', { name: 'Refused', key: '2' })
    expect(again.status).toBe(201)
    const back = await ask('PATCH', `/${first}`, { active: true })
    expect([back.status, back.body.errors.map(({ path: at }: { path: string }) => at)]).toEqual([400, ['name', 'key']])
    expect((await ask('PATCH', `/${first}`, { active: true, name: 'Refused before', key: null })).status).toBe(200)
    expect((await names('?all=true')).sort()).toEqual(['Refused', 'Refused before'])
  })

  test('refuses a change of what was changed since it was read', async () => {
    const [first] = await campaignWith({ name: 'Paid' })
    const tag = { 'if-match': `"${first}-1"` }
    const changed = await ask('PATCH', `/${first}`, { key: '3' }, tag)
    expect([changed.status, changed.headers['etag']]).toEqual([200, `"${first}-2"`])
    expect((await ask('PATCH', `/${first}`, { key: '4' }, tag)).status).toBe(412)
    expect((await ask('PATCH', `/${first}`, { key: '4' }, { 'if-match': `W/"${first}-2"` })).status).toBe(412)
    expect((await ask('GET')).body).toMatchObject([{ key: '3', version: 2 }])
  })

  test('adds an outcome once where a request is repeated with its Idempotency-Key', async () => {
    await campaignWith()
    const key = { 'idempotency-key': 'outcome-1' }
    const [made, again] = [await ask('POST', '', { name: 'Paid' }, key), await ask('POST', '', { name: 'Paid' }, key)]
    expect([again.status, again.body]).toEqual([201, made.body])
    expect(await names()).toEqual(['Paid'])
  })

  test('has 30 active outcomes at the most', async () => {
    await campaignWith(...Array.from({ length: 30 }, (_, count) => ({ name: `outcome ${count}` })))
    expect(await ask('POST', '', { name: 'one more' })).toMatchObject({
      status: 400,
      body: { errors: [{ path: 'active' }] },
    })
  })
})

test.for<[string, object, string]>([
  ['a key that is taken', { name: 'x', key: '1' }, 'key'],
  ['a key that is no digit', { name: 'x', key: '0' }, 'key'],
  ['a name that is taken', { name: 'TAKEN' }, 'name'],
  ['a blank name', { name: '\u200B ' }, 'name'],
  ['a long name', { name: 'x'.repeat(65) }, 'name'],
  ['a final outcome with a callback', { name: 'x', final: true, needsCallBackDate: true }, 'needsCallBackDate'],
  ['a choice without values', { name: 'x', fields: [{ name: 'f', kind: 'choice' }] }, 'fields[0].choices'],
  ['a text with choices', { name: 'x', fields: [{ name: 'f', kind: 'text', choices: ['a'] }] }, 'fields[0].choices'],
  ['a choice twice', { name: 'x', fields: [{ name: 'f', kind: 'choice', choices: ['a', 'a'] }] }, 'fields[0].choices'],
  ['two fields of one name', { name: 'x', fields: [f('f'), f('f')] }, 'fields[1].name'],
  ['eleven fields', { name: 'x', fields: Array.from({ length: 11 }, (_, count) => f(`f${count}`)) }, 'fields'],
  ['an unknown kind', { name: 'x', fields: [{ name: 'f', kind: 'file' }] }, 'fields[0].kind'],
  ['an unknown setting', { name: 'x', colour: 'red' }, 'colour'],
])('%s is refused', async ([, outcome, field]) => {
  await campaignWith({ name: 'Taken', key: '1' })
  const { status, body } = await ask('POST', '', outcome)
  expect([status, body.errors.map(({ path: at }: { path: string }) => at)]).toEqual([400, [field]])
  expect(await names()).toEqual(['Taken'])
})

test('agents read the catalogue, and only supervisors change it', async () => {
  const [first] = await campaignWith({ name: 'Paid' })
  const agent: CredentialValues = await world.credential(['dialer:read'], [1 as CorporationId])
  const as = (method: string, end: string, body?: unknown) => world.call(method, `${path()}${end}`, body, { as: agent })
  expect((await as('GET', '')).body).toMatchObject([{ name: 'Paid' }])
  expect((await as('POST', '', { name: 'x' })).status).toBe(403)
  expect((await as('PATCH', `/${first}`, { name: 'x' })).status).toBe(403)
  expect((await as('PUT', '', { outcomeIds: [first] })).status).toBe(403)
  expect((await ask('PATCH', '/999999', { name: 'x' })).status).toBe(404)
  callCode = 999_999
  expect((await ask('GET')).status).toBe(404)
})

function f(name: string) {
  return { name, kind: 'text' }
}
