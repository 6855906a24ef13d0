import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { ActivityId, CallId, CorporationId, ExternalSystemId } from '../../../src/kernel/ids.ts'
import { SUMMARY_LETTERS_MAX, type Summaries } from '../../../src/ports/recordings/summaries.ts'
import { postgresSummaries } from '../../../src/store/calls/summaries.ts'
import { makeDatabase, servers, type TestDatabase } from '../db/database.ts'
import { CORPORATION, NOON, number, openShop, SYSTEM } from '../shop.ts'

const OTHERS = 2 as CorporationId
const UNKNOWN = 999_999 as ActivityId
/** Whoever sees all calls of these corporations. */
const all = (...corporations: readonly CorporationId[]) => ({ corporations, boundTo: undefined })

describe.each(servers)('summaries of calls on $name', (server) => {
  let database: TestDatabase
  let summaries: Summaries
  let call: ActivityId
  let names = 0

  beforeAll(async () => {
    database = await makeDatabase(server)
  })
  beforeEach(async () => {
    await database.pools.jobs.query('truncate corporations restart identity cascade')
    const dialerRepository = await openShop(database.pools)
    summaries = postgresSummaries(database.pools)
    const parties = { direction: 'in', caller: number(0), called: '+4570000000' } as const
    const finished = await dialerRepository.finishCall({
      call: 'sb-call-1' as CallId,
      corporation: CORPORATION,
      ...parties,
      recordings: [],
      externalSystem: SYSTEM,
      createdAtMs: NOON - 60_000,
      endedAtMs: NOON,
      talkMs: 0,
      waitMs: 0,
      eventName: 'evt_call',
    })
    if (finished.outcome === 'refused') throw new Error(finished.why)
    call = finished.activity
  })
  afterAll(() => database.drop())

  const made = (text: string, eventName = `evt_${++names}`) => ({ text, language: 'da', eventName, atMs: NOON + 5_000 })
  const edited = (text: string, version: number) => {
    return { text, version, user: null, eventName: `evt_${++names}`, atMs: NOON + 9_000 }
  }
  const complete = (text: string, by = summaries) => by.complete(call, made(text))
  const edit = (text: string, version: number, by = summaries) => by.edit(call, all(CORPORATION), edited(text, version))
  const kept = async () => (await summaries.search([call], all(CORPORATION)))[0]
  const events = async () => {
    const { rows } = await database.pools.api.query<{ type: string; version: number }>(
      `select replace(type, 'phone-call-summary.', '') as type, version from events
        where type like 'phone-call-summary.%' order by version`,
    )
    return rows.map(({ type, version }) => `${type} ${version}`)
  }

  test('one in progress has no text and no version, and sends no event', async () => {
    expect(await kept()).toBeUndefined()
    expect(await summaries.begin(call, NOON)).toBe('noted')
    expect(await kept()).toEqual({
      activity: call,
      state: 'pending',
      version: 0,
      text: null,
      language: null,
      source: 'generated',
      editedBy: null,
      why: null,
      createdAtMs: NOON,
      updatedAtMs: NOON,
    })
    expect(await events()).toEqual([])
  })

  test('the first text is its creation, each later one an update with the next version', async () => {
    await summaries.begin(call, NOON)
    expect(await complete('one')).toEqual({ outcome: 'kept', version: 1 })
    expect(await complete('two')).toEqual({ outcome: 'kept', version: 2 })
    expect(await edit('three', 2)).toMatchObject({ outcome: 'edited', summary: { version: 3, text: 'three' } })
    expect(await kept()).toMatchObject({ state: 'ready', version: 3, text: 'three', language: 'da', source: 'edited' })
    expect(await events()).toEqual(['creation 1', 'update 2', 'update 3'])
  })

  test('the event names the system of the call, for subscribers of one system', async () => {
    await complete('one')
    const { rows } = await database.pools.api.query(
      `select activity_id, corporation_id, system_code, at_ms from events where type = 'phone-call-summary.creation'`,
    )
    expect(rows).toEqual([{ activity_id: call, corporation_id: CORPORATION, system_code: 'DEBT', at_ms: NOON + 5_000 }])
  })

  test('given concurrent completions, there is one creation, and an update for each later version', async () => {
    const others = [database.open(), database.open()]
    const writers = [summaries, ...others.map((pools) => postgresSummaries(pools))]
    const all = Array.from({ length: 12 }, (_, place) => complete(`text ${place}`, writers[place % writers.length]))
    const versions = (await Promise.all(all)).map((done) => ('version' in done ? done.version : 0))
    expect(versions.sort((a, b) => a - b)).toEqual(Array.from({ length: 12 }, (_, place) => place + 1))
    expect(await events()).toEqual(['creation 1', ...Array.from({ length: 11 }, (_, place) => `update ${place + 2}`)])
    expect((await kept())?.version).toBe(12)
    await Promise.all(others.map((pools) => pools.close()))
  })

  test('given concurrent edits of one version, one wins and the others get the new version', async () => {
    await complete('generated')
    const results = await Promise.all(Array.from({ length: 8 }, (_, place) => edit(`by hand ${place}`, 1)))
    expect(results.filter(({ outcome }) => outcome === 'edited')).toHaveLength(1)
    expect(results.filter(({ outcome }) => outcome === 'stale')).toEqual(
      Array(7).fill({ outcome: 'stale', version: 2 }),
    )
    expect(await events()).toEqual(['creation 1', 'update 2'])
  })

  test('given a text repeated under its name, it is stored once, also after an edit', async () => {
    const text = made('generated')
    expect(await summaries.complete(call, text)).toEqual({ outcome: 'kept', version: 1 })
    expect(await summaries.complete(call, text)).toEqual({ outcome: 'told already', version: 1 })
    await edit('by hand', 1)
    expect(await summaries.complete(call, text)).toEqual({ outcome: 'told already', version: 1 })
    expect(await kept()).toMatchObject({ version: 2, text: 'by hand' })
    expect(await events()).toEqual(['creation 1', 'update 2'])
  })

  test('no machine overwrites the text of a person', async () => {
    await summaries.begin(call, NOON)
    expect(await edit('by hand', 0)).toMatchObject({ outcome: 'edited', summary: { version: 1, source: 'edited' } })
    expect(await complete('generated')).toEqual({ outcome: 'edited by hand', version: 1 })
    expect(await kept()).toMatchObject({ version: 1, text: 'by hand' })
    expect(await events()).toEqual(['creation 1'])
  })

  test('a failed one has a reason and sends no event; the result of another try is its creation', async () => {
    await summaries.begin(call, NOON)
    expect(await summaries.fail(call, 'the service is away', NOON + 1)).toBe('noted')
    expect(await kept()).toMatchObject({ state: 'failed', version: 0, text: null, why: 'the service is away' })
    expect(await summaries.begin(call, NOON + 2)).toBe('noted')
    expect(await kept()).toMatchObject({ state: 'pending', why: null, createdAtMs: NOON })
    await summaries.fail(call, 'nonsense', NOON + 3)
    expect(await events()).toEqual([])
    expect(await complete('at last')).toEqual({ outcome: 'kept', version: 1 })
    expect(await kept()).toMatchObject({ state: 'ready', why: null })
    expect(await events()).toEqual(['creation 1'])
  })

  test('an existing text is removed by no later try and no failure', async () => {
    await complete('one')
    expect(await summaries.begin(call, NOON + 1)).toBe('ready already')
    expect(await summaries.fail(call, 'the second try failed', NOON + 2)).toBe('ready already')
    expect(await kept()).toMatchObject({ state: 'ready', text: 'one', why: null })
  })

  test('given an event that cannot be written, the text is not stored either', async () => {
    await summaries.begin(call, NOON)
    await database.pools.jobs.query('alter table events rename to hidden_events')
    await expect(complete('one')).rejects.toThrow('events')
    await database.pools.jobs.query('alter table hidden_events rename to events')
    expect(await kept()).toMatchObject({ state: 'pending', version: 0, text: null })
  })

  test('unknown calls, and those of others, have none', async () => {
    expect(await summaries.begin(UNKNOWN, NOON)).toBe('no such call')
    expect(await summaries.fail(UNKNOWN, 'why', NOON)).toBe('no such call')
    expect(await summaries.complete(UNKNOWN, made('one'))).toEqual({ outcome: 'no such call' })
    expect(await summaries.edit(UNKNOWN, all(CORPORATION), edited('one', 0))).toEqual({ outcome: 'no such call' })
    await complete('one')
    expect(await summaries.edit(call, all(OTHERS), edited('theirs', 1))).toEqual({ outcome: 'no such call' })
    expect(await summaries.search([call, UNKNOWN], all(OTHERS))).toEqual([])
    expect(await summaries.search([call, UNKNOWN], all(CORPORATION, OTHERS))).toMatchObject([{ text: 'one' }])
  })

  test('an oversized text is our mistake, and nothing of it is stored', async () => {
    await expect(complete('x'.repeat(SUMMARY_LETTERS_MAX + 1))).rejects.toThrow('cut it before')
    expect(await kept()).toBeUndefined()
  })

  test('a call without a system has events without a system', async () => {
    await database.pools.jobs.query('update call_activities set external_system_id = null')
    await complete('one')
    const { rows } = await database.pools.api.query<{ system_code: ExternalSystemId | null }>(
      `select system_code from events where type = 'phone-call-summary.creation'`,
    )
    expect(rows).toEqual([{ system_code: null }])
  })
})
