/** The copy of all stored data about a person, and their erasure (F-K4): on one world, in this order. */
import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { tracePlaces } from '../../../src/adapters/files/erase-files.ts'
import { journalFiles } from '../../../src/adapters/files/journal-files.ts'
import { refusedFile, spoolFile } from '../../../src/adapters/files/spool-file.ts'
import { RealClock } from '../../../src/kernel/clock.ts'
import type { CallId, EntityId } from '../../../src/kernel/ids.ts'
import { silentLog } from '../../../src/kernel/log.ts'
import { callOf } from '../dialer/dialer-world.ts'
import { OURS } from '../rest-world.ts'
import { openWholeWorld, settle, type Tenant, type WholeWorld } from '../whole-world.ts'

let world: WholeWorld
let us: Tenant
/** Is in every text about the person that this file makes, and in no other. */
const WORD = 'rhubarb'
/** The other contact of a case of both. */
let other: EntityId

const ask = (method: string, path: string, body?: unknown) => world.call(method, path, body, { as: us.as })
const sql = async (text: string, values: readonly unknown[] = []) =>
  (await world.pools.jobs.query(text, [...values])).rows

beforeAll(async () => {
  world = await openWholeWorld()
  us = await settle(world, OURS, 'p', 1)
  const { eactId, eeexId, itsyId, emenId } = us.ids
  // A language, and a number that was taken off by hand.
  await ask('POST', '/svcems/entity', { emenId, language: 'et', numbers: [] })
  await ask('PUT', `/svcems/activity-summary/${eactId}`, { text: `${WORD} was promised`, version: 1 })
  await sql(`update transcripts set text = $1, parts = jsonb_build_array($1::text) where activity_id = $2`, [
    WORD,
    eactId,
  ])
  await addThread(await addCase(`${WORD} of one`, Number(eeexId)))
  // They also called us.
  const calledIn = callOf('rang-us', 60_000, {
    direction: 'in',
    caller: String(us.ids['number']),
    called: '+4570000000',
  })
  await world.parts.dialerRepository.finishCall(calledIn)
  const saved = await world.parts.entities.saveEntity({
    corporation: OURS,
    kind: 'private',
    name: 'Other',
    numbers: [],
    atMs: 0,
    customers: [{ externalSystem: itsyId as never, externalCustomer: 'cust-p-2' }],
  })
  if (saved.outcome !== 'saved') throw new Error(saved.outcome)
  other = saved.id
  const shared = await addCase('of both', Number(saved.extensions[0]))
  await sql(
    `insert into activity_members (activity_id, role, extension_id, started_at_ms, ended_at_ms)
     values ($1, 20, $2, 0, 1)`,
    [shared, eeexId],
  )
})
afterAll(() => world.close())

/** Journal lines of their calls and of another person's, and an outcome that was set aside. */
async function leaveTraces() {
  const places = tracePlaces(world.parts.recordingsDirectory)
  const limits = { fileBytesMax: 1e6, filesMax: 9, daysMax: 30, clock: new RealClock(), log: silentLog }
  const journal = journalFiles({ directory: places.journalDirectory, ...limits })
  const line = (call: string, what: object) =>
    journal.append({ atMs: 0, call: call as CallId, kind: 'fact', by: 'call', what: { type: 'told', ...what } })
  const [{ call }] = await sql('select call from call_activities where id = $1', [us.ids['eactId']])
  line(call, { answer: { name: 'Debtor p 1', caseNumber: 'case-p-1' } })
  line('in-7', { caller: us.ids['number'] })
  line('in-7', { said: `${WORD} again` })
  line('in-8', { caller: `${us.ids['number']}9`, said: 'somebody else' })
  await journal.close()
  await mkdir(dirname(places.callEventsFile), { recursive: true })
  for (const file of [places.callEventsFile, `${places.callEventsFile}.1`])
    await writeFile(file, `${JSON.stringify({ eventtype: 'CHAN_START', num: us.ids['number'] })}\n`)
  const spool = spoolFile(places.spoolFile, silentLog)
  spool.setAside({ what: 'callEnded', value: { caller: us.ids['number'] } })
  spool.setAside({ what: 'callEnded', value: { caller: '+4526999998' } })
}

/** Files below the folder of the installation that contain one of the words. */
async function filesWith(words: readonly string[]): Promise<string[]> {
  const directory = world.parts.recordingsDirectory
  const entries = await readdir(directory, { recursive: true, withFileTypes: true })
  const paths = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name))
  const texts = await Promise.all(paths.map(async (path) => [path, await readFile(path, 'latin1')] as const))
  return texts.flatMap(([path, text]) => (words.some((word) => text.includes(word)) ? [path] : []))
}

/** A case of a contact, with a comment, a log and a file. */
async function addCase(word: string, extension: number): Promise<number> {
  const [{ id }] = await sql(
    `insert into activities (corporation_id, kind, subject, extension_id, created_at_ms, updated_at_ms)
     values (1, 'case', $1, $2, 0, 0) returning id`,
    [word, extension],
  )
  await sql(
    `insert into cases (activity_id, corporation_id, seq_no, status, ems_status_id, ems_status_changed_at_ms,
       last_open_ems_status_id, priority_id, hold_comment)
     select $1, 1, $1, 1, s.id, 0, s.id, (select id from priorities where corporation_id = 1 limit 1), $2
       from ems_statuses s where s.corporation_id = 1 and s.status = 1 and s.is_default`,
    [id, word],
  )
  await sql(
    `insert into case_texts (case_id, text, original, is_internal, is_external_update, created_at_ms)
     values ($1, $2, $2, true, false, 0)`,
    [id, word],
  )
  await sql(`insert into case_logs (case_id, at_ms, what, was) values ($1, 0, 'subject', to_jsonb($2::text))`, [
    id,
    word,
  ])
  await sql(
    `insert into files (corporation_id, activity_id, kind, file_name, mime_type, size_bytes, sha256, storage,
       created_at_ms)
     values (1, $1, 3, $2, 'a/b', 1, '', $3, 0)`,
    [id, word, `stored-${id}`],
  )
  return id
}

/** A conversation of the case with one email: neither names the contact. */
async function addThread(ofCase: number): Promise<void> {
  const add = async (kind: string) => {
    const [{ id }] = await sql(
      `insert into activities (corporation_id, kind, subject, created_at_ms, updated_at_ms)
       values (1, $1, $2, 0, 0) returning id`,
      [kind, `${WORD} by email`],
    )
    return id
  }
  const [conversation, email] = [await add('conversation'), await add('email')]
  const text =
    'insert into activity_links (type, from_id, to_id, corporation_id, created_at_ms) values ($1, $2, $3, 1, 0)'
  await sql(text, [14, conversation, ofCase])
  await sql(text, [13, email, conversation])
}

const person = () => ({ eeexId: us.ids['eeexId'], reason: 'request 7' })

/** Every row of the database that has one of these words, as `table: words`. */
async function rowsWith(words: readonly string[]): Promise<string[]> {
  const tables = await sql(`select table_name as name from information_schema.tables where table_schema = 'public'`)
  const found: string[] = []
  for (const { name } of tables) {
    for (const { row } of await sql(`select t::text as row from ${name} t`)) {
      const there = words.filter((word) => row.includes(word))
      if (there.length > 0) found.push(`${name}: ${there.join(', ')}`)
    }
  }
  return found.sort()
}

const theirs = () => [WORD, String(us.ids['number']), String(us.ids['extCustId']), 'case-p-1', 'Debtor p 1']

describe('a person', () => {
  test('gets all data stored about them, and none of others (F-K4, F-K6)', async () => {
    const { status, body, text } = await ask('POST', '/core/persons/export', person())
    expect(status).toBe(200)
    expect(body.complete).toBe(true)
    for (const word of theirs()) expect(text, word).toContain(word)
    expect(text).not.toMatch(/Debtor p [23]|cust-p-[23]|of both/)
    expect(body.calls.recordings).toHaveLength(1)
    // "You called me ten times": each attempt, when, how it ended, and what allowed it.
    const attempt = { number: us.ids['number'], result: 'answered', claimed_at_ms: expect.any(Number) }
    expect(body.tasks.attempts).toMatchObject([{ ...attempt, permit: {} }])
    expect(body.activities.case_texts).toHaveLength(1)
    const [entry] = (await ask('GET', '/core/audit?action=export')).body
    expect(entry).toMatchObject({ object: 'person', reason: 'request 7' })
  })

  test('is found by each of their names, and must be one', async () => {
    const { emenId, systemCode, extCustId, number, eeexId } = us.ids
    const reason = 'r'
    const wanted = (await ask('POST', '/core/persons/export', person())).text
    for (const named of [{ emenId }, { systemCode, extCustId }, { number }]) {
      expect((await ask('POST', '/core/persons/export', { ...named, reason })).text).toBe(wanted)
    }
    await sql(
      `insert into call_task_numbers (task_id, position, given, number)
      select max(id), 9, '', $1 from call_tasks where external_customer = 'cust-p-2'`,
      [number],
    )
    for (const action of ['export', 'erase']) {
      const { status, text } = await ask('POST', `/core/persons/${action}`, { number, reason })
      expect([status, text.includes('several')]).toEqual([409, true])
    }
    await sql(`delete from call_task_numbers where position = 9`)
    for (const wrong of [{}, { eeexId, emenId }, { systemCode }, { number: '26100001' }, { eeexId, reason: '' }]) {
      expect((await ask('POST', '/core/persons/export', { reason, ...wrong })).status).toBe(400)
    }
    expect((await ask('POST', '/core/persons/erase', { eeexId: 999_999, reason })).status).toBe(404)
    expect((await ask('POST', '/core/persons/erase', { number: '+4526999999', reason })).status).toBe(404)
  })

  test('under a legal hold is not erased', async () => {
    const before = await rowsWith(theirs())
    const { body } = await ask('POST', '/core/legalholds', person())
    expect((await ask('GET', '/core/legalholds')).body).toContainEqual(
      expect.objectContaining({ holdId: body.holdId, keeps: 'person', reason: 'request 7' }),
    )
    expect((await ask('POST', '/core/persons/erase', person())).status).toBe(409)
    expect((await ask('DELETE', `/core/legalholds/${body.holdId}`)).status).toBe(204)
    expect(await rowsWith(theirs())).toEqual(before)
  })

  test('in a call is not dialed any more, and erased after the call', async () => {
    await sql(`update attempts set ended_at_ms = null, result = null, holds_person = true where id = $1`, [
      us.ids['iccaId'],
    ])
    const { status, headers } = await ask('POST', '/core/persons/erase', person())
    expect([status, headers['retry-after']]).toEqual([409, '60'])
    const [task] = await sql('select status, next_call_at_ms from call_tasks where id = $1', [us.ids['itcaId']])
    expect(task).toEqual({ status: 'endedByUser', next_call_at_ms: null })
    await sql(`update attempts set ended_at_ms = 1, result = 'answered', holds_person = false where id = $1`, [
      us.ids['iccaId'],
    ])
    await sql(`insert into open_calls values ('in-9', 'gone', 'leg', 1, $1, '+4570000000', 0)`, [us.ids['number']])
    expect((await ask('POST', '/core/persons/erase', person())).status, 'they called us').toBe(409)
    // Its node never came back: another one tells of the call.
    const { dialerRepository } = world.parts
    const lease = await dialerRepository.takeLease('node2', 60_000)
    expect(await dialerRepository.leftCalls(lease)).toMatchObject([{ node: 'gone', call: 'in-9' }])
    const caller = String(us.ids['number'])
    const left = { call: 'in-9' as CallId, direction: 'in', caller, called: '+4570000000' } as const
    await dialerRepository.finishCall(callOf('left', 60_000, left))
    expect(await sql('select call from open_calls')).toEqual([])
  })

  test('is erased everywhere, also after an aborted erasure, and others are not (F-K4)', async () => {
    const input = { corporation: OURS, person: { by: 'extension', extension: us.ids['eeexId'] as never } } as const
    const broken = world.parts.privacy.erasePerson(input, 5, {
      onTraces: async () => {},
      onLeft: () => Promise.reject(new Error('the disk is away')),
    })
    await expect(broken).rejects.toThrow('the disk is away')
    const sound = join(world.parts.recordingsDirectory, 'talk.wav')
    expect(existsSync(sound)).toBe(true)
    await leaveTraces()
    expect((await filesWith(theirs())).length).toBe(4)
    const othersBefore = await rowsWith(['Debtor p 2', 'cust-p-2', 'of both', 'Other'])

    const { status, body } = await ask('POST', '/core/persons/erase', person())
    expect([status, body]).toEqual([200, { calls: 1, activities: 3, callTasks: 1, entities: 1 }])
    // The stop list keeps their number; nothing else of them is kept.
    const left = await rowsWith(theirs())
    expect(left.filter((row) => !row.startsWith('stopped_'))).toEqual([])
    expect(left).toHaveLength(2)
    // Another person's number begins with theirs.
    const places = tracePlaces(world.parts.recordingsDirectory)
    const [journal] = await filesWith(['somebody else'])
    expect((await filesWith(theirs())).filter((path) => path !== journal)).toEqual([])
    const story = (await readFile(journal!, 'utf8')).split('\n').filter((line) => line.trim() !== '')
    expect(story.map((line) => JSON.parse(line).call)).toEqual(['in-8'])
    expect(await readFile(refusedFile(places.spoolFile), 'utf8')).toMatch(/^ +\n\{.*998"\}\}\n$/)
    expect(await rowsWith(['Debtor p 2', 'cust-p-2', 'of both', 'Other'])).toEqual(othersBefore)
    expect((await ask('GET', `/svcems/entity?emenIds=${other}`)).body).toHaveLength(1)
  })

  test('leaves the proof of the limits: when, how often, with which result', async () => {
    const [attempt] = await sql('select number, result, person_key from attempts where id = $1', [us.ids['iccaId']])
    expect(attempt).toMatchObject({ result: 'answered', number: expect.stringMatching(/^erased:[0-9a-f]{24}$/) })
    const { body } = await ask('POST', '/svcems/calls/search', { eactIds: [us.ids['eactId']] })
    expect(body[0]).toMatchObject({
      calledNumber: attempt.number,
      summaryStatus: 'none',
      recordings: [{ cfreId: null }],
    })
    expect((await ask('GET', `/core/corefile?cfreId=${us.ids['cfreId']}`)).status).toBe(404)
  })

  test('is never dialed again, in any form of import', async () => {
    const { systemCode, callCode, extCustId, number } = us.ids
    const task = { callReceiverName: 'x', systemLookupCode: 'new' }
    const { body } = await ask('POST', '/svcdialer/calltaskimport', {
      systemCode,
      callCode,
      maxCallAttempts: 3,
      minCallIntervalHours: 4,
      callTasks: [
        { ...task, callNumberList: ['+4526100999'], extCustId },
        { ...task, callNumberList: [number] },
      ],
    })
    expect(body.importedCount ?? 0).toBe(0)
  })

  test('is no contact any more: neither an import nor a change by hand makes them one again', async () => {
    const { emenId, eeexId } = us.ids
    expect((await ask('POST', '/svcems/entity', { emenId, name1: WORD, language: 'da' })).status).toBe(404)
    const shown = (await ask('GET', `/svcems/entity?emenIds=${emenId}&getExtensions=true`)).body
    const [extension] = shown[0].extensions
    expect(shown).toMatchObject([{ name1: '', name2: '', language: null, numbers: [] }])
    expect(extension).toMatchObject({ eeexId, extensionLinks: [] })
    const [row] = await sql('select count(*)::int as count from entity_removed_numbers where entity_id = $1', [emenId])
    expect(row).toEqual({ count: 0 })
    expect((await ask('POST', '/svcems/entity', { emenId: other, name2: 'Person' })).status).toBe(200)
    const [entry] = (await ask('GET', '/core/audit?object=entity&action=change')).body
    expect(entry).toMatchObject({ action: 'change', object: 'entity', objectIds: [String(other)] })
  })

  test('known by email only is identified by their address; the emails of others stay', async () => {
    const { corpId } = us.ids
    const word = 'gooseberry'
    const write = (address: string, to: number) =>
      ask('POST', '/svcems/emails', { activity: { eactId: to }, to: [{ address }], subject: word, text: word })
    const open = async () =>
      (await ask('POST', '/svcems/case', { description: word, status: 1, corporation: { corpId } })).body
    const [{ eactId: own }, { eactId: ofBoth }] = [await open(), await open()]
    expect((await write('Gus@berry.example', own)).status).toBe(201)
    expect((await write('gus@berry.example', ofBoth)).status).toBe(201)
    await write('other@berry.example', ofBoth)
    const gus = { email: 'GUS@berry.example', reason: 'request 8' }
    const { holdId } = (await ask('POST', '/core/legalholds', { eactId: ofBoth, reason: 'lawsuit' })).body
    expect((await ask('POST', '/core/persons/erase', gus)).status, 'a case of theirs is held').toBe(409)
    await ask('DELETE', `/core/legalholds/${holdId}`)
    expect((await ask('POST', '/core/persons/export', gus)).text).toContain('gus@berry.example')
    const { status, body } = await ask('POST', '/core/persons/erase', gus)
    expect([status, body.activities]).toEqual([200, 5])
    expect(await rowsWith(['gus@berry'])).toEqual([])
    const left = await sql('select subject from activities where id = any($1) order by id', [[own, ofBoth]])
    expect(left).toEqual([{ subject: '' }, { subject: word }])
    expect((await ask('POST', '/core/persons/erase', gus)).status).toBe(404)
  })

  test('stays erased when the node of their call comes back after all', async () => {
    const sound = { file: 'late.wav', startedAtMs: 0, endedAtMs: 60_000, state: 'ready' } as const
    const call = {
      call: 'in-9' as CallId,
      direction: 'in',
      caller: String(us.ids['number']),
      called: '+4570000000',
    } as const
    const late = callOf('late', 60_000, { ...call, hungUpBy: 'caller', recordings: [sound] })
    const told = await world.parts.dialerRepository.finishCall(late)
    expect(told.outcome).toBe('already recorded')
    const [kept] = await sql(`select caller, hung_up_by from call_activities where call = 'in-9'`)
    expect(kept).toMatchObject({ caller: expect.stringMatching(/^erased:/), hung_up_by: null })
    expect(await sql(`select from recordings where file = 'late.wav'`)).toEqual([])
  })

  test('may be erased again without harm', async () => {
    expect((await ask('POST', '/core/persons/erase', person())).status).toBe(200)
    const { number, systemCode, extCustId } = us.ids
    expect((await ask('POST', '/core/persons/erase', { number, reason: 'r' })).status).toBe(404)
    expect((await ask('POST', '/core/persons/erase', { systemCode, extCustId, reason: 'r' })).status).toBe(404)
  })
})
