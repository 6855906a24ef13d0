/** The way of an integrator: from the call to its recordings, and from these to the words. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { CorporationId } from '../../../src/kernel/ids.ts'
import type { CallJobs } from '../../../src/ports/recordings/call-jobs.ts'
import { callSearchRoutes } from '../../../src/rest/calls/calls-search.ts'
import { transcriptRoutes } from '../../../src/rest/calls/transcripts.ts'
import { postgresCallJobs } from '../../../src/store/calls/call-jobs.ts'
import { postgresTranscripts } from '../../../src/store/calls/transcripts.ts'
import { postgresDialerAdmin } from '../../../src/store/dialer/dialer-admin-repository.ts'
import { postgresDialerRepository } from '../../../src/store/dialer/dialer-repository.ts'
import { callOf } from '../dialer/dialer-world.ts'
import { OURS, openRestWorld, type RestWorld, THEIRS } from '../rest-world.ts'

const PATH = '/rest/core/transcript/search'
const TABLES = { referenceTables: [{ id: 21_001 }] }
const PARTS = [
  { channel: 0, speaker: 'customer', startMs: 0, endMs: 1_500, text: 'Godt & <b>vel</b>', confidence: 0.9 },
  { channel: 1, speaker: 'agent', startMs: 1_600, endMs: 2_000, text: 'Ja', confidence: null },
] as const

let world: RestWorld
let jobs: CallJobs
let calls = 0

beforeAll(async () => {
  world = await openRestWorld({
    routes: (dependencies) => [...transcriptRoutes(dependencies), ...callSearchRoutes(dependencies)],
    parts: (pools) => ({
      dialerAdmin: postgresDialerAdmin(pools),
      dialerRepository: postgresDialerRepository(pools),
      transcripts: postgresTranscripts(pools),
    }),
  })
  jobs = postgresCallJobs(world.pools)
})
afterAll(() => world.close())

const search = (body: unknown, path = PATH) => world.call('POST', path, body)

/** A call whose first recording has a transcript, the second failed, and the third has not begun. */
async function callWithRecordings(corporation: CorporationId) {
  const recording = { file: 'talk.wav', startedAtMs: 0, endedAtMs: 2_000, state: 'ready' } as const
  const recordings = [recording, { ...recording, startedAtMs: 1 }, { ...recording, state: 'failed' as const }]
  const finished = await world.parts.dialerRepository.finishCall(
    callOf(`transcripts-${++calls}`, 60_000, { corporation, recordings }),
  )
  if (finished.outcome === 'refused') throw new Error(finished.why)
  await jobs.begin({ sinceAtMs: 0, countMax: 10, atMs: 70_000 })
  const due = [await jobs.claim(70_000, 80_000), await jobs.claim(70_000, 80_000)]
  const [first, second] = due.sort((a, b) => a!.id - b!.id)
  const settling = { eventName: `evt_${calls}`, atMs: 75_000 }
  await jobs.keepTranscript(first!, { language: 'da', durationMs: 2_000, parts: PARTS }, settling)
  await jobs.bury(second!, 'http://10.0.0.7/v1 answered nonsense', settling)
  return finished.activity
}

describe('the transcripts of a call', () => {
  test('are found from the call over all of its recordings', async () => {
    const eactId = await callWithRecordings(OURS)
    const [call] = (await world.call('POST', '/svcems/calls/search', { eactIds: [String(eactId)] })).body
    const referenceIds = call.recordings.map(({ pcreId }: { pcreId: number }) => pcreId)
    expect(referenceIds).toHaveLength(3)
    const { status, body, headers, text } = await search({ referenceIds, ...TABLES, getParts: true })
    expect(status).toBe(200)
    expect(headers).toMatchObject({ 'svc-total-found': '2', totalfound: '2' })
    const common = { referenceTable: { id: 21_001 }, creationTs: '1970-01-01T00:01:10.000Z' }
    expect(body).toEqual([
      {
        ...common,
        transcriptId: expect.any(Number),
        referenceId: referenceIds[0],
        status: 'ready',
        language: 'da',
        durationMs: 2_000,
        text: 'customer: Godt & <b>vel</b>\nagent: Ja',
        parts: PARTS.map((part, place) => ({ partNo: place + 1, ...part })),
      },
      {
        ...common,
        transcriptId: expect.any(Number),
        referenceId: referenceIds[1],
        status: 'failed',
        language: null,
        durationMs: null,
        text: null,
        parts: [],
      },
    ])
    // The address of our services is private.
    expect(text).not.toContain('10.0.0.7')
  })

  test('come without their parts by default', async () => {
    const all = { referenceIds: await recordingsOf(OURS), ...TABLES }
    for (const body of [all, { ...all, getParts: false }]) {
      const [found] = (await search(body)).body
      expect(found).toMatchObject({ text: expect.stringContaining('Ja') })
      expect(found).not.toHaveProperty('parts')
    }
  })

  test('belong to recordings, also without a table; other tables have none', async () => {
    const referenceIds = await recordingsOf(OURS)
    expect((await search({ referenceIds })).body).toHaveLength(2)
    expect((await search({ referenceIds, referenceTables: [{ id: 1 }, { id: 21_001 }] })).body).toHaveLength(2)
    for (const referenceTables of [[{ id: 21_002 }], []]) {
      const { status, body, headers } = await search({ referenceIds, referenceTables })
      expect([status, body, headers['totalfound']]).toEqual([200, [], '0'])
    }
  })

  test('are found at both spellings, once for a repeated id, and none for an unknown id', async () => {
    const [id] = await recordingsOf(OURS)
    for (const path of [PATH, '/core/transcript/search']) {
      const { body } = await search({ referenceIds: [id, String(id), 999_999], ...TABLES }, path)
      expect(body).toMatchObject([{ referenceId: id }])
    }
    expect((await search({ referenceIds: [] })).body).toEqual([])
  })

  test.each([
    ['no ids', {}],
    ['no list', { referenceIds: 7 }],
    ['a text', { referenceIds: ['seven'] }],
    ['too many', { referenceIds: Array(1_001).fill(1) }],
    ['parts by word', { referenceIds: [1], getParts: 'perhaps' }],
    ['a table without id', { referenceIds: [1], referenceTables: [{}] }],
  ])('with %s are refused with 400', async (_, body) => {
    expect((await search(body)).status).toBe(400)
  })

  test('cannot be looked up by their call', async () => {
    const eactId = await callWithRecordings(OURS)
    for (const body of [{ eactIds: [eactId] }, { referenceIds: [1], eactIds: [eactId] }]) {
      expect((await search(body)).status).toBe(400)
    }
    expect((await world.call('GET', `/core/transcript/${eactId}`)).status).toBe(404)
  })

  test('of another corporation are not found, nor in the totals, and need their own scope', async () => {
    const referenceIds = await recordingsOf(THEIRS)
    const { body, headers } = await search({ referenceIds, ...TABLES, getParts: true })
    expect([body, headers['svc-total-found']]).toEqual([[], '0'])
    const as = await world.credential(['calls:read'])
    expect((await world.call('POST', PATH, { referenceIds }, { as })).status).toBe(403)
  })

  test('stop at the size limit of an answer, whose total counts all; a further request returns the rest', async () => {
    const eactId = await callWithRecordings(OURS)
    const { rows } = await world.pools.jobs.query(
      `with recording as (insert into recordings (activity_id, file, started_at_ms, ended_at_ms)
         select $1, 'long.wav', 0, 9 from generate_series(1, 25) returning id)
       insert into transcripts (recording_id, activity_id, corporation_id, state, text, parts, created_at_ms,
         duration_ms, updated_at_ms)
       select id, $1, 1, 'ready', repeat('a', 400000), '[]', 0, 9, 0 from recording returning recording_id as id`,
      [eactId],
    )
    const referenceIds = rows.map(({ id }) => id as number).sort((a, b) => a - b)
    const first = await search({ referenceIds })
    const came = first.body.map(({ referenceId }: { referenceId: number }) => referenceId)
    expect([came, first.headers['totalfound']]).toEqual([referenceIds.slice(0, 21), '25'])
    const rest = await search({ referenceIds: referenceIds.filter((id) => !came.includes(id)) })
    expect([rest.body.length, rest.headers['totalfound']]).toEqual([4, '4'])
  })
})

async function recordingsOf(corporation: CorporationId): Promise<number[]> {
  const text = 'select id from recordings where activity_id = $1 order by id'
  const { rows } = await world.pools.api.query<{ id: number }>(text, [await callWithRecordings(corporation)])
  return rows.map(({ id }) => id)
}
