/** What one right alone does not do: read by writing, send files of others, call who asked not to be called. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Scope } from '../../../src/rest/http/route.ts'
import { OURS } from '../rest-world.ts'
import { openWholeWorld, settle, type Tenant, type WholeWorld } from '../whole-world.ts'

let world: WholeWorld
let us: Tenant

beforeAll(async () => {
  world = await openWholeWorld()
  us = await settle(world, OURS, 'ours', 1)
})
afterAll(() => world.close())

async function ask(scopes: readonly Scope[], method: string, path: string, body?: unknown) {
  const { status, text, body: answer } = await world.call(method, path, body, { as: await world.credential(scopes) })
  return { status, text, body: answer }
}

test('who may write cases and not read them makes cases, and sees none', async () => {
  const opened = { description: 'made', status: 1, corporation: { corpId: OURS } }
  expect((await ask(['cases:write'], 'POST', '/svcems/case', opened)).status).toBe(200)
  const change = { eactId: us.ids['caseId'], description: 'changed' }
  const refused = await ask(['cases:write'], 'POST', '/svcems/case', change)
  expect([refused.status, refused.text]).toEqual([403, expect.stringContaining('lacks the scope cases:read')])
  expect(refused.text).not.toContain('comment-')
  const [{ description }] = (await ask(['cases:read'], 'POST', '/svcems/cases/search', { eactIds: [change.eactId] }))
    .body
  expect(description).not.toBe('changed')
  expect((await ask(['cases:read', 'cases:write'], 'POST', '/svcems/case', change)).status).toBe(200)
})

test('who may write contacts and not read them sees none, and changes none', async () => {
  const { emenId, systemCode, extCustId } = us.ids
  const known = [{ extensionLinks: [{ systemCode, extCustId }] }]
  for (const body of [{ emenId }, { name1: 'changed', extensions: known }]) {
    const refused = await ask(['entities:write'], 'POST', '/svcems/entity', body)
    expect([refused.status, refused.text]).toEqual([403, expect.stringContaining('lacks the scope entities:read')])
    expect(refused.text).not.toContain(String(us.ids['number']))
  }
  const both = await ask(['entities:read', 'entities:write'], 'POST', '/svcems/entity', { emenId })
  expect([both.status, both.body.name1]).toEqual([200, expect.not.stringContaining('changed')])
})

test('files go out only from who may read them, and every one of them is in the audit trail', async () => {
  const email = {
    activity: { eactId: us.ids['mailCase'] },
    to: [{ address: 'p@debtor.example' }],
    subject: 's',
    text: 't',
  }
  const form = new FormData()
  form.append('files', new Blob(['secret']), 'a.txt')
  const path = `/core/corefile?tblId=35007&type=3&id=${us.ids['mailCase']}`
  const request = new Request('http://upload.invalid', { method: 'POST', body: form })
  const upload = await world.call('POST', path, undefined, {
    text: Buffer.from(await request.arrayBuffer()),
    headers: { 'content-type': request.headers.get('content-type')! },
  })
  expect(upload.status, upload.text).toBe(200)
  const [{ cfreId }] = upload.body
  const withFile = { ...email, files: [{ cfreId }] }
  expect((await ask(['cases:write'], 'POST', '/svcems/emails', email)).status).toBe(201)
  for (const scopes of [
    ['cases:write', 'cases:read'],
    ['cases:write', 'files:read'],
  ] as const)
    expect((await ask(scopes, 'POST', '/svcems/emails', withFile)).status).toBe(403)
  const sent = await ask(['cases:write', 'cases:read', 'files:read'], 'POST', '/svcems/emails', withFile)
  expect(sent.status).toBe(201)
  const { body: trail } = await ask(['admin'], 'GET', '/core/audit?object=email&action=send')
  const listed = trail.filter(({ reason }: { reason: string | null }) => reason !== null)
  const objectIds = expect.arrayContaining([String(sent.body.eactId)])
  expect(listed).toMatchObject([{ reason: `files ${cfreId}`, objectIds }])
})

test('who may dial alone takes nobody off a stop list', async () => {
  const number = encodeURIComponent(String(us.ids['stoppedNumber']))
  const remove = (scopes: readonly Scope[]) => ask(scopes, 'DELETE', `/dialer/stoplist/numbers?numbers=${number}`)
  const refused = await remove(['dialer:write', 'dialer:read'])
  expect([refused.status, refused.text]).toEqual([403, expect.stringContaining('lacks the scope config:write')])
  expect((await remove(['dialer:write', 'config:write'])).body).toEqual({ count: 1 })
})
