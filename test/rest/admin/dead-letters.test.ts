/** Dead letters: work that was given up is listed with its reason, and retried on request. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { postgresCallJobs } from '../../../src/store/calls/call-jobs.ts'
import { OURS } from '../rest-world.ts'
import { openWholeWorld, settle, type Tenant, type WholeWorld } from '../whole-world.ts'

let world: WholeWorld
let us: Tenant
beforeAll(async () => {
  world = await openWholeWorld()
  us = await settle(world, OURS, 'ours', 1)
})
afterAll(() => world.close())

const ask = (method: string, path: string) => world.call(method, path, undefined, { as: us.as })
const retry = (id: unknown) => ask('POST', `/core/deadletters/${id}/retry`)
const sql = async (text: string) => (await world.pools.jobs.query(text)).rows

describe('a dead letter', () => {
  test('of a summary is listed, queued again, and claimed as if for the first time', async () => {
    const { body, headers } = await ask('GET', '/core/deadletters')
    expect([headers['svc-total-found'], headers['totalfound']]).toEqual(['1', '1'])
    expect(body).toMatchObject([
      { deadLetterId: us.ids['deadLetterId'], kind: 'summary', activity: { eactId: us.ids['eactId'] }, reason: 'ours' },
    ])
    expect((await retry(us.ids['deadLetterId'])).status).toBe(202)
    expect((await ask('GET', '/core/deadletters')).body).toEqual([])
    const atMs = world.parts.clock.nowMs()
    const job = await postgresCallJobs(world.pools).claim(atMs, atMs + 60_000)
    expect(job).toMatchObject({ kind: 'summarise', activity: us.ids['eactId'], tries: 1 })
    expect((await retry(us.ids['deadLetterId'])).status, 'it is no dead one any more').toBe(404)
    const [entry] = (await ask('GET', '/core/audit?object=deadLetter')).body
    expect(entry).toMatchObject({ action: 'send', objectIds: [us.ids['deadLetterId']] })
  })

  test('of a recording makes its transcript pending again', async () => {
    await sql('delete from call_jobs')
    await sql(`update transcripts set state = 'failed', text = null, parts = null, why = 'no'`)
    const [{ id }] = await sql(
      `insert into call_jobs (kind, corporation_id, activity_id, recording_id, state, tries, next_at_ms, why,
         created_at_ms)
       select 'transcribe', 1, activity_id, id, 'dead', 9, 0, 'the sound is broken', 5 from recordings limit 1
       returning id`,
    )
    const listed = (await ask('GET', '/core/deadletters?kind=transcript')).body
    expect(listed).toMatchObject([{ deadLetterId: `transcript-${id}`, tries: 9, reason: 'the sound is broken' }])
    expect((await retry(`summary-${id}`)).status, 'of its kind alone').toBe(404)
    expect((await retry(`transcript-${id}`)).status).toBe(202)
    expect(await sql('select state, why from transcripts')).toEqual([{ state: 'pending', why: null }])
  })

  test('of an email is sent again, unless it has no recipient left', async () => {
    const id = us.ids['emailId']
    const fail = (set: string) => sql(`update outgoing_emails set next_at_ms = null, ${set} where activity_id = ${id}`)
    for (const [state, tries] of [
      ['failed', 0],
      ['unknown', 9],
    ] as const) {
      await fail(`state = '${state}', tries = 9`)
      expect((await ask('GET', '/core/deadletters?kind=email')).body).toMatchObject([
        { deadLetterId: `email-${id}`, activity: { eactId: id } },
      ])
      expect((await retry(`email-${id}`)).status).toBe(202)
      expect(await sql(`select state, tries from outgoing_emails where activity_id = ${id}`)).toEqual([
        { state: 'queued', tries },
      ])
    }
    await fail(`state = 'failed'`)
    await sql(`update activities set erased_at_ms = 1 where id = ${id}`)
    expect((await ask('GET', '/core/deadletters?kind=email')).body).toEqual([])
    expect((await retry(`email-${id}`)).status).toBe(404)
  })

  test('of an unknown form is refused, and the operation is for administrators', async () => {
    for (const id of ['17', 'webhook-1', 'summary-0', 'summary-x']) expect((await retry(id)).status).toBe(400)
    const as = await world.credential(['cases:write', 'transcripts:read'])
    expect((await world.call('GET', '/core/deadletters', undefined, { as })).status).toBe(403)
  })
})
