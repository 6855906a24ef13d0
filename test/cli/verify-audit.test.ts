/** `switchboard audit verify`, on an intact trail and on a tampered one. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { anchorsFile, auditAnchors } from '../../src/adapters/files/audit-anchors.ts'
import { readSettings } from '../../src/app/settings.ts'
import { verifyTrail } from '../../src/cli/operate/verify-audit.ts'
import { OURS, openRestWorld, type RestWorld } from '../rest/rest-world.ts'

let world: RestWorld
let directory: string
beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'switchboard-audit-'))
  world = await openRestWorld()
  for (const name of ['one', 'two', 'three']) {
    const { status } = await world.call('POST', '/svcems/infofields', { name })
    expect(status).toBe(201)
  }
  auditAnchors(anchorsFile(directory)).keep(await world.parts.audit.heads(), Date.now())
})
afterAll(async () => {
  await world.close()
  rmSync(directory, { recursive: true })
})

async function verify() {
  const lines: string[] = []
  const settings = readSettings({ DATA_DIR: directory }).settings!
  const registry = { pools: world.pools, nowMs: Date.now() }
  const status = await verifyTrail(registry, { settings, write: (line) => void lines.push(line) })
  return { status, text: lines.join('\n') }
}

test('an intact trail is reported as intact, with the number of records', async () => {
  expect(await verify()).toEqual({ status: 0, text: '3 records in 2 chains, 1 anchors: 0 chains are broken' })
})

test('the first altered record is named, and so is a cut tail', async () => {
  const touch = (statement: string) =>
    world.pools.jobs.query(`alter table audit_records disable trigger user; ${statement}`)
  await touch(`delete from audit_records where number = 3;
    update audit_heads h set number = 2, hash = r.hash from audit_records r
     where h.corporation_id = ${OURS} and r.corporation_id = ${OURS} and r.number = 2`)
  expect(await verify()).toMatchObject({ status: 1, text: expect.stringContaining('breaks at record 3') })
  await touch(`update audit_records set ids = '{7}' where number = 2`)
  const { status, text } = await verify()
  expect(status).toBe(1)
  expect(text).toContain('corporation 1: the chain breaks at record 2: it is not as it was written')
})
