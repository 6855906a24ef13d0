/** Reads and changes in the audit trail: every such operation writes its entry, without personal data. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { CorporationId } from '../../../src/kernel/ids.ts'
import type { Audit } from '../../../src/ports/audit.ts'
import { DatabaseUnavailable } from '../../../src/ports/dialer-repository.ts'
import { verifyAudit } from '../../../src/store/admin/audit-verify.ts'
import { OURS, THEIRS } from '../rest-world.ts'
import { openWholeWorld, settle, type Tenant, type WholeWorld } from '../whole-world.ts'

let world: WholeWorld
let us: Tenant
beforeAll(async () => {
  world = await openWholeWorld()
  us = await settle(world, OURS, 'canary8', 1)
  await settle(world, THEIRS, 'theirs', 2)
})
afterAll(() => world.close())

const ask = (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
  world.call(method, path, body, { as: us.as, headers })
const newest = async (filter = '') => (await ask('GET', `/core/audit?size=1${filter}`)).body[0]

describe('the audit trail', () => {
  test('has every change that made this world, with its ids, and no personal data (F-K5)', async () => {
    const { body, headers, text } = await ask('GET', '/core/audit?action=create')
    expect(headers['svc-total-found']).toBe(String(body.length))
    const made = new Set(body.map(({ object }: { object: string }) => object))
    for (const object of ['externalSystem', 'infoField', 'campaign', 'webhook', 'import', 'token']) {
      expect(made, object).toContain(object)
    }
    const { objectIds } = body.find(({ object }: { object: string }) => object === 'webhook')
    expect(objectIds).toEqual([String(us.ids['webhookId'])])
    expect(text).not.toMatch(/canary8|\+45|Debtor/)
  })

  test('records the user who played a recording, whole or in part (F-K5, INV-P8)', async () => {
    const path = `/core/corefile?cfreId=${us.ids['cfreId']}`
    expect((await ask('GET', path, undefined, { range: 'bytes=0-1', 'svc-trace-id': 'heard-1' })).status).toBe(206)
    expect(await newest(`&objectId=${us.ids['cfreId']}`)).toMatchObject({
      rcntrl: us.as.rcntrl,
      userId: null,
      action: 'read',
      object: 'file',
      count: 1,
      address: '127.0.0.1',
      objectIds: [String(us.ids['cfreId'])],
      operation: 'GET /core/corefile',
      traceId: 'heard-1',
      reason: null,
    })
  })

  test('names the returned summaries, also if a stored answer was returned again', async () => {
    const body = { activities: [{ eactId: us.ids['eactId'] }] }
    const key = { 'idempotency-key': 'the-same' }
    for (const traceId of ['first', 'again']) {
      await ask('POST', '/svcems/activity-summary/search', body, { ...key, 'svc-trace-id': traceId })
      const said = await newest('&object=summary')
      expect(said).toMatchObject({ objectIds: [String(us.ids['eactId'])], count: 1, traceId })
    }
  })

  test('has no refused requests, no plain reads, and no entries of other corporations', async () => {
    const before = (await ask('GET', '/core/audit')).headers['svc-total-found']
    await ask('GET', '/core/corefile?cfreId=999999')
    await ask('DELETE', '/core/webhooks/999999')
    await ask('GET', '/core/webhooks')
    const { body, headers } = await ask('GET', '/core/audit?size=1000')
    expect(headers['svc-total-found']).toBe(before)
    expect(new Set(body.map(({ corporation }: { corporation: { corpId: number } }) => corporation.corpId))).toEqual(
      new Set([OURS]),
    )
  })

  test('is for administrators, and refuses misspelt filters and invalid instants', async () => {
    const as = await world.credential(['files:read', 'cases:read'])
    expect((await world.call('GET', '/core/audit', undefined, { as })).status).toBe(403)
    for (const query of ['objectid=1', 'sinceTs=yesterday', 'untilTs=2026-01-01', 'size=0']) {
      expect((await ask('GET', `/core/audit?${query}`)).status, query).toBe(400)
    }
    const since = encodeURIComponent('2999-01-01T00:00:00Z')
    expect((await ask('GET', `/core/audit?sinceTs=${since}`)).body).toEqual([])
    expect((await ask('GET', `/core/audit?untilTs=${since}&size=2&offset=1`)).body).toHaveLength(2)
  })

  test('verifies', async () => {
    const verified = await verifyAudit(world.pools, { anchors: [], removableUntilAtMs: 0, onProgress: () => {} })
    expect(verified.breaks).toEqual([])
    expect(verified.records).toBeGreaterThan(10)
  })

  test('that cannot be written blocks reads, and later has every change that was made', async () => {
    const away = () => Promise.reject(new DatabaseUnavailable('away'))
    const undo = vary(world.parts.audit, { append: away, done: away })
    try {
      const { status, text } = await ask('GET', `/core/corefile?cfreId=${us.ids['cfreId']}`)
      expect([status, text.includes('sound')]).toEqual([503, false])
      const trace = { 'svc-trace-id': 'away' }
      expect((await ask('POST', '/svcems/infofields', { name: 'while it was away' }, trace)).status).toBe(201)
    } finally {
      undo()
    }
    expect((await newest()).traceId).not.toBe('away')
    await world.parts.audit.takeIntents(world.parts.clock.nowMs() + 10 * 60_000)
    expect(await newest()).toMatchObject({ traceId: 'away', action: 'create', object: 'infoField' })
  })

  test('has every change of a process that died before its entry, as of one that lived', async () => {
    const [usual, dying] = [3, 4] as CorporationId[] as [CorporationId, CorporationId]
    await world.pools.jobs.query(`insert into corporations (id, name, created_at_ms) values (3, 'c', 0), (4, 'd', 0)`)
    await settle(world, usual, 'usual', 3)
    const undo = vary(world.parts.audit, { done: () => Promise.reject(new DatabaseUnavailable('it died')) })
    await settle(world, dying, 'dying', 4)
    undo()
    expect(await operationsOf(dying)).toEqual([])
    await world.parts.audit.takeIntents(world.parts.clock.nowMs() + 10 * 60_000)
    expect((await operationsOf(usual)).length).toBeGreaterThan(15)
    expect(await operationsOf(dying)).toEqual(await operationsOf(usual))
  })

  test('has a postponed erasure, which ended the dialing; and no other refused request', async () => {
    const { iccaId, eeexId } = us.ids
    const sql = (set: string) => world.pools.jobs.query(`update attempts set ${set} where id = $1`, [iccaId])
    await sql('ended_at_ms = null, result = null, holds_person = true')
    const erase = (id: unknown, reason: string) => ask('POST', '/core/persons/erase', { eeexId: id, reason })
    expect((await erase(eeexId, 'put off')).status).toBe(409)
    expect((await erase(999_999, 'nobody')).status).toBe(404)
    expect(await newest()).toMatchObject({ action: 'erase', reason: 'put off' })
    await sql(`ended_at_ms = 1, result = 'answered', holds_person = false`)
    const { rows } = await world.pools.jobs.query('select * from audit_intents')
    expect(rows).toEqual([])
  })
})

/** Changes of a corporation, and how often each. */
async function operationsOf(corporation: CorporationId): Promise<string[]> {
  const { rows } = await world.pools.jobs.query<{ operation: string }>(
    `select operation from audit_records where corporation_id = $1 and action not in ('read', 'export') order by 1`,
    [corporation],
  )
  return rows.map(({ operation }) => operation)
}

/** The trail, with its handling of entries replaced; the returned function undoes that. */
function vary(audit: Audit, { append, done }: { append?: Audit['append']; done?: () => Promise<void> }): () => void {
  const open = audit as { append: Audit['append']; change: Audit['change'] }
  const { append: usualAppend, change } = open
  if (append) open.append = append
  if (done) {
    open.change = (corporations, intent) => {
      const usual = change(corporations, intent)
      return { ...usual, done, hasCommitted: false }
    }
  }
  return () => {
    open.append = usualAppend
    open.change = change
  }
}
