/** Jobs about finished calls: each is done, by one worker at a time, and ends. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type CallJobDependencies, workOffCallJob } from '../../../src/core/workers/call-job.ts'
import type { ActivityId, CallId, CorporationId } from '../../../src/kernel/ids.ts'
import { makeLog } from '../../../src/kernel/log.ts'
import type { RecordingMade } from '../../../src/ports/call-recordings.ts'
import { DatabaseUnavailable, type DialerRepository } from '../../../src/ports/dialer-repository.ts'
import type { CallJob, CallJobs } from '../../../src/ports/recordings/call-jobs.ts'
import type { Transcription, Transcripts } from '../../../src/ports/recordings/transcripts.ts'
import { postgresCallJobs } from '../../../src/store/calls/call-jobs.ts'
import { postgresTranscripts } from '../../../src/store/calls/transcripts.ts'
import { VirtualClock } from '../../support/virtual-clock.ts'
import { makeDatabase, servers, type TestDatabase } from '../db/database.ts'
import { faultsOf, plantFault } from '../db/plant-fault.ts'
import {
  answered,
  CAMPAIGN,
  CORPORATION,
  campaign,
  claim as claimTasks,
  debtor,
  importOf,
  NOON,
  number,
  openShop,
} from '../shop.ts'

const OTHERS = 2 as CorporationId
const LEASE_MS = 60_000
/** Whoever sees all calls of these corporations. */
const all = (...corporations: readonly CorporationId[]) => ({ corporations, boundTo: undefined })
const neverStopping = new AbortController().signal
const SETTLING = { eventName: 'evt_summary', atMs: NOON + 9_000 }

describe.each(servers)('jobs about calls on $name', (server) => {
  let database: TestDatabase
  let dialerRepository: DialerRepository
  let jobs: CallJobs
  let transcripts: Transcripts
  let calls = 0

  beforeAll(async () => {
    database = await makeDatabase(server)
    dialerRepository = await openShop(database.pools)
    jobs = postgresCallJobs(database.pools)
    transcripts = postgresTranscripts(database.pools)
  })
  // Much quicker than an empty database for each.
  beforeEach(async () => {
    await database.pools.jobs.query('delete from call_jobs; delete from transcripts; delete from recordings')
  })
  afterAll(() => database.drop())

  const made = (change: Partial<RecordingMade> = {}): RecordingMade => {
    return { file: 'talk.wav', startedAtMs: NOON - 50_000, endedAtMs: NOON, state: 'ready', ...change }
  }
  /** A finished call with these recordings; returns their ids as well. */
  async function call(recordings: readonly RecordingMade[], corporation = CORPORATION) {
    const finished = await dialerRepository.finishCall({
      call: `sb-${++calls}` as CallId,
      corporation,
      direction: 'in',
      caller: number(0),
      called: '+4570000000',
      createdAtMs: NOON - 60_000,
      endedAtMs: NOON,
      talkMs: 0,
      waitMs: 0,
      eventName: `evt_${calls}`,
      recordings,
    })
    if (finished.outcome === 'refused') throw new Error(finished.why)
    const { rows } = await database.pools.api.query<{ id: number }>(
      'select id from recordings where activity_id = $1 order by id',
      [finished.activity],
    )
    return { activity: finished.activity, recordings: rows.map(({ id }) => id) }
  }
  const begin = (by = jobs) => by.begin({ sinceAtMs: NOON - 3_600_000, countMax: 10, atMs: NOON })
  const claim = (atMs = NOON) => jobs.claim(atMs, atMs + LEASE_MS)
  async function claimed(atMs = NOON): Promise<CallJob> {
    const job = await claim(atMs)
    if (!job) throw new Error('no job is due')
    return job
  }
  const heard = (text: string): Transcription => ({
    language: 'da',
    durationMs: 50_000,
    parts: [{ channel: 1, speaker: 'agent', startMs: 0, endMs: 900, text, confidence: 0.75 }],
  })
  const keep = (job: CallJob, text = 'Hej') => jobs.keepTranscript(job, heard(text), SETTLING)
  const dead = async () => {
    const { rows } = await database.pools.api.query(`select kind, why from call_jobs where state = 'dead'`)
    return rows
  }

  test('a recording that comes to light a day after its call is skipped, and its call is named', async () => {
    const { activity } = await call([made()])
    const logged: string[] = []
    const log = makeLog('warn', { write: (line) => void logged.push(line) })
    const clock = new VirtualClock(NOON + 24 * 3_600_000 + 1)
    const unused = {} as CallJobDependencies
    for (const _ of [1, 2]) expect(await workOffCallJob({ ...unused, jobs, clock, log }, neverStopping)).toBe(false)
    expect(logged.map((line) => JSON.parse(line))).toMatchObject([{ recordings: 1, activities: [activity] }])
    expect(logged[0]).toContain('ended more than 24 h ago')
  })

  test('every usable recording gets one job, by any number of workers', async () => {
    const { recordings } = await call([made(), made({ file: 'second.wav' }), made({ state: 'failed', why: 'gone' })])
    await call([])
    expect((await Promise.all([begin(), begin(), begin()])).reduce((sum, count) => sum + count)).toBe(2)
    expect(await begin()).toBe(0)
    const { transcripts: found } = await transcripts.search(recordings, all(CORPORATION), true)
    expect(found).toMatchObject(
      recordings.slice(0, 2).map((recording) => ({ recording, state: 'pending', text: null, parts: null })),
    )
    expect([(await claimed()).file, (await claimed()).file].sort()).toEqual(['second.wav', 'talk.wav'])
    expect(await claim()).toBeUndefined()
  })

  test('a recording from before the activation gets none', async () => {
    await call([made({ endedAtMs: NOON - 3_600_001 })])
    expect(await begin()).toBe(0)
  })

  test('a recording of a campaign without transcription gets none, now or later', async () => {
    const lease = await dialerRepository.takeLease('one', 3_600_000)
    for (const transcribe of [false, true]) {
      const settings = { recording: { mode: 'always', transcribe } }
      await dialerRepository.saveCampaign({ ...campaign(CAMPAIGN), settings }, NOON)
      await dialerRepository.importCallTasks(importOf([debtor(transcribe ? 1 : 2)]))
      const [attempt] = await claimTasks(dialerRepository, lease)
      const end = { attempt: answered(attempt!, lease), activity: attempt!.activity }
      const about = { direction: 'out', caller: '+4570000000', called: attempt!.number, recordings: [made()] } as const
      await dialerRepository.finishCall({
        call: `sb-${++calls}` as CallId,
        corporation: CORPORATION,
        ...about,
        ...end,
        eventName: `evt_${calls}`,
        createdAtMs: NOON - 60_000,
        endedAtMs: NOON + 90_000,
        talkMs: 0,
        waitMs: 0,
      })
      expect(await begin()).toBe(transcribe ? 1 : 0)
    }
    expect(await begin()).toBe(0)
  })

  test('a transcript is stored with its parts, and read by its own corporation only', async () => {
    const { recordings } = await call([made()])
    await begin()
    expect(await keep(await claimed())).toBe(true)
    const [found] = (await transcripts.search(recordings, all(CORPORATION), true)).transcripts
    expect(found).toMatchObject({ state: 'ready', language: 'da', durationMs: 50_000, text: 'agent: Hej' })
    expect(found?.parts).toEqual(heard('Hej').parts)
    expect((await transcripts.search(recordings, all(CORPORATION), false)).transcripts).toMatchObject([
      { text: 'agent: Hej', parts: null },
    ])
    expect((await transcripts.search(recordings, all(OTHERS), true)).transcripts).toEqual([])
  })

  test('given a worker that dies, its job is taken after its lease, and its late result does not count', async () => {
    await call([made()])
    await begin()
    const lost = await claimed()
    expect(await claim(NOON + LEASE_MS - 1)).toBeUndefined()
    const taken = await claimed(NOON + LEASE_MS)
    expect(taken).toMatchObject({ id: lost.id, tries: 2 })
    expect(await keep(lost)).toBe(false)
    expect(await jobs.extend(lost, NOON + 10 * LEASE_MS)).toBe(false)
    expect(await jobs.putOff(lost, 'why', NOON)).toBe(false)
    expect(await jobs.giveBack(lost, NOON)).toBe(false)
    expect(await jobs.bury(lost, 'why', SETTLING)).toBe(false)
    expect(await keep(taken)).toBe(true)
  })

  test('given a worker that extends its lease, the job is not taken before that', async () => {
    await call([made()])
    await begin()
    const job = await claimed()
    expect(await jobs.extend(job, NOON + 2 * LEASE_MS)).toBe(true)
    expect(await claim(NOON + LEASE_MS)).toBeUndefined()
    expect(await keep(job)).toBe(true)
  })

  test('given concurrent workers, each job is done by one of them', async () => {
    for (let i = 0; i < 5; i++) await call([made()])
    await begin()
    const others = [database.open(), database.open()]
    const workers = [jobs, ...others.map(postgresCallJobs)]
    const taken = await Promise.all(workers.flatMap((worker) => [1, 2, 3].map(() => worker.claim(NOON, NOON + 1))))
    const ids = taken.flatMap((job) => (job ? [job.id] : []))
    expect(new Set(ids).size).toBe(ids.length)
    expect(ids.length).toBe(5)
    await Promise.all(others.map((pools) => pools.close()))
  })

  test('a postponed job is due at its instant; a returned one at once, and does not count as a try', async () => {
    await call([made()])
    await begin()
    await jobs.putOff(await claimed(), 'it is away', NOON + 5_000)
    expect(await claim(NOON + 4_999)).toBeUndefined()
    const again = await claimed(NOON + 5_000)
    expect(again.tries).toBe(2)
    await jobs.giveBack(again, NOON + 5_000)
    expect((await claimed(NOON + 5_000)).tries).toBe(2)
  })

  test('with the last recording of a call its summary is due, however many are settled at once', async () => {
    const { activity } = await call([
      made(),
      made({ startedAtMs: NOON - 40_000 }),
      made({ startedAtMs: NOON - 30_000 }),
    ])
    await begin()
    const [first, second, third] = [await claimed(), await claimed(), await claimed()]
    expect(await keep(first, 'one')).toBe(true)
    expect(await claim(NOON + 9_000)).toBeUndefined()
    expect(await Promise.all([keep(second, 'two'), jobs.bury(third, 'noise', SETTLING)])).toEqual([true, true])
    const summary = await claimed(NOON + 9_000)
    expect(summary).toMatchObject({ kind: 'summarise', activity, file: null, eventName: 'evt_summary', tries: 1 })
    expect(await claim(NOON + 9_000)).toBeUndefined()
    expect((await jobs.heardIn(activity)).map(({ parts }) => parts[0]?.text).sort()).toEqual(['one', 'two'])
    expect(await jobs.finish(summary)).toBe(true)
    expect(await dead()).toEqual([{ kind: 'transcribe', why: 'noise' }])
  })

  test('a dead letter stays, is never retried by itself, and its transcript shows that', async () => {
    const { recordings, activity } = await call([made()])
    await begin()
    await jobs.bury(await claimed(), 'no sound', SETTLING)
    expect((await transcripts.search(recordings, all(CORPORATION), true)).transcripts).toMatchObject([
      { state: 'failed', text: null },
    ])
    const summary = await claimed(NOON + 9_000)
    expect(await jobs.heardIn(activity)).toEqual([])
    await jobs.bury(summary, 'nothing was heard', SETTLING)
    expect(await claim(NOON + 3_600_000)).toBeUndefined()
    expect(await dead()).toHaveLength(2)
  })

  test('given a summary job that cannot be written, the transcript is not stored either', async () => {
    const { recordings } = await call([made()])
    await begin()
    const job = await claimed()
    await database.pools.jobs.query(`alter table call_jobs add constraint planted check (kind <> 'summarise')`)
    await expect(keep(job)).rejects.toThrow('planted')
    await database.pools.jobs.query('alter table call_jobs drop constraint planted')
    expect((await transcripts.search(recordings, all(CORPORATION), true)).transcripts).toMatchObject([
      { state: 'pending' },
    ])
    expect(await keep(job)).toBe(true)
  })

  test.each(['deadlock', 'cut'])(
    'given a fault (%s) at any statement, the transcript is stored once, or the job runs again',
    async (name) => {
      const fault = faultsOf(() => database.pools)[name]!
      for (let statement = 0, hasStruck = true; hasStruck; statement++) {
        const { activity, recordings } = await call([made()])
        await begin()
        const planted = plantFault(database.pools, statement, fault, 'jobs')
        const job = await claimed()
        const first = postgresCallJobs(planted.pools).keepTranscript(job, heard('Hej'), SETTLING)
        if (name === 'deadlock') expect(await first).toBe(true)
        else await first.catch((error) => expect(error).toBeInstanceOf(DatabaseUnavailable))
        hasStruck = planted.hasStruck()
        const again = await claim(NOON + LEASE_MS)
        if (again?.kind === 'transcribe') expect(await keep(again)).toBe(true)
        const { rows } = await database.pools.api.query('select kind from call_jobs where activity_id = $1', [activity])
        expect(rows).toEqual([{ kind: 'summarise' }])
        expect((await transcripts.search(recordings, all(CORPORATION), true)).transcripts).toMatchObject([
          { state: 'ready' },
        ])
        await database.pools.jobs.query('delete from call_jobs')
        if (!hasStruck) expect(statement).toBeGreaterThanOrEqual(6)
      }
    },
  )

  test('an erased call loses its jobs and transcripts', async () => {
    const { activity } = await call([made()])
    await begin()
    await keep(await claimed(), 'secret')
    await database.pools.jobs.query('delete from recordings where activity_id = $1', [activity])
    await database.pools.jobs.query('delete from call_activities where id = $1', [activity as ActivityId])
    for (const table of ['transcripts', 'call_jobs']) {
      expect((await database.pools.jobs.query(`select 1 from ${table}`)).rows).toEqual([])
    }
  })
})
