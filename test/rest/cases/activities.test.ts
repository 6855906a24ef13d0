/** Activities of every kind, by ids, contacts and links (contract.md §2.6, §4.2, D-17). */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ActivityId } from '../../../src/kernel/ids.ts'
import { activityRoutes } from '../../../src/rest/cases/activities.ts'
import { SCOPES, type Scope } from '../../../src/rest/http/route.ts'
import { postgresActivities } from '../../../src/store/cases/activities.ts'
import { addFiles } from '../../../src/store/cases/file-rows.ts'
import { inTransaction } from '../../../src/store/db/transaction.ts'
import { postgresDialerRepository } from '../../../src/store/dialer/dialer-repository.ts'
import { putter } from '../../store/cases/put-activities.ts'
import { callOf } from '../dialer/dialer-world.ts'
import { OURS, openRestWorld, type RestWorld, THEIRS } from '../rest-world.ts'

let world: RestWorld
let put: ReturnType<typeof putter>
/** A contact of ours with a call, two emails of a conversation, and a case. */
let contact: { id: number; call: ActivityId; emails: ActivityId[]; conversation: ActivityId; case: ActivityId }

beforeAll(async () => {
  world = await openRestWorld({
    parts: (pools) => ({ activities: postgresActivities(pools), dialerRepository: postgresDialerRepository(pools) }),
    routes: activityRoutes,
  })
  put = putter(world.pools)
  await world.pools.jobs.query(`
    insert into users (id, corporation_id, user_name, name, created_at_ms) values (41, 1, 'anna', 'Anna Berg', 0)`)
  const id = await extension(OURS, '+4526000001')
  const call = await finish('call-1', '+4526000001', 60_000)
  const conversation = await put.put('conversation', { extension: id, atMs: 1_000 })
  const emails = [
    await put.put('email', { extension: id, atMs: 1_000, direction: 'in', subject: 'My rent' }),
    await put.put('email', { extension: id, atMs: 2_000, direction: 'out' }),
  ]
  const of = await put.putCase({ extension: id, atMs: 3_000, subject: 'Rent' })
  for (const email of emails) await put.link(13, email, conversation)
  await put.link(14, conversation, of)
  await put.link(14, call, of)
  contact = { id, call, emails, conversation, case: of }
})
afterAll(() => world.close())

/** A contact with this number; returns its extension. */
async function extension(corporation: number, number: string): Promise<number> {
  const { rows } = await world.pools.jobs.query(
    `with e as (insert into entities (corporation_id, kind, name, created_at_ms, updated_at_ms)
       values ($1, 'private', 'x', 0, 0) returning id),
     n as (insert into entity_numbers (entity_id, position, given, number, kind, is_primary)
       select id, 0, $2, $2, 'mobile', true from e)
     insert into entity_extensions (corporation_id, entity_id, kind, sequence_number)
     select $1, id, 'customer', id from e returning id`,
    [corporation, number],
  )
  return rows[0].id
}

/** A recorded inbound call from this number. */
async function finish(name: string, caller: string, atMs: number, corporation = OURS): Promise<ActivityId> {
  const recordings = [1, 2].map((place) => {
    return {
      file: `${name}-${place}.wav`,
      startedAtMs: 0,
      endedAtMs: 1,
      state: place === 1 ? 'ready' : 'failed',
    } as const
  })
  const change = { direction: 'in', caller, recordings, corporation, answeredAtMs: atMs - 1 } as const
  const result = await world.parts.dialerRepository.finishCall(callOf(name, atMs, change))
  if (result.outcome === 'refused') throw new Error(result.why)
  return result.activity
}

const get = (query: string, as = world.values) =>
  world.call('GET', `/rest/svcems/activities?${query}`, undefined, { as })
const search = (body: object, as = world.values) => world.call('POST', '/rest/svcems/activities/search', body, { as })
const idsOf = ({ body }: { body: { eactId: number }[] }) => body.map(({ eactId }) => eactId)
const sorted = (...ids: number[]) => ids.sort((a, b) => a - b)
const found = async (body: object) => sorted(...idsOf(await search(body)))

describe('activities by their ids', () => {
  test('are a call, an email, a case and a conversation, distinguished by type', async () => {
    const typeOf = async (id: ActivityId) => {
      const { body, headers } = await get(`eactId=${id}`)
      expect([headers['svc-total-found'], headers['totalfound'], body.length]).toEqual(['1', '1', 1])
      return body[0].activityType
    }
    expect(await typeOf(contact.call)).toEqual({ eatyId: 10, name: 'Call' })
    expect(await typeOf(contact.emails[0]!)).toEqual({ eatyId: 11, name: 'Email' })
    expect(await typeOf(contact.case)).toEqual({ eatyId: 15, name: 'Case' })
    expect(await typeOf(contact.conversation)).toEqual({ eatyId: 21, name: 'Email conversation' })
  })

  test('are returned in one list, separated by commas, without unknown ones', async () => {
    const answer = await get(`eactId=${contact.call},${contact.case},999999, ${contact.case}`)
    expect(sorted(...idsOf(answer))).toEqual(sorted(contact.call, contact.case))
    expect(answer.headers['svc-total-found']).toBe('2')
  })

  test('of a call include its recordings, which lead to transcripts', async () => {
    const [call] = (await get(`eactId=${contact.call}`)).body
    expect(call).toMatchObject({ subject: null, status: null, direction: 1, creator: null, corporation: { corpId: 1 } })
    expect(call.entityExtension).toEqual({ eeexId: contact.id })
    expect(call.startTs).not.toBeNull()
    const { rows } = await world.pools.jobs.query(
      'select id, file_id from recordings where activity_id = $1 order by id',
      [contact.call],
    )
    const times = { startTs: expect.any(String), endTs: expect.any(String) }
    expect(call.recordings).toEqual([
      { pcreId: rows[0].id, cfreId: rows[0].file_id, voicemail: false, ...times },
      { pcreId: rows[1].id, cfreId: null, voicemail: false, ...times },
    ])
  })

  test('include their links, from them and to them', async () => {
    const linksOf = async (id: ActivityId) => (await get(`eactId=${id}`)).body[0].links
    const link = (type: number, from: number, to: number) => ({ type, from: { eactId: from }, to: { eactId: to } })
    const { emails, conversation, call } = contact
    expect(await linksOf(emails[0]!)).toEqual([link(13, emails[0]!, conversation)])
    expect(await linksOf(conversation)).toEqual([
      ...emails.map((email) => link(13, email, conversation)),
      link(14, conversation, contact.case),
    ])
    expect(await linksOf(call)).toEqual([link(14, call, contact.case)])
    expect(await linksOf(await put.put('email'))).toEqual([])
  })

  test('include members, files and tags on request only', async () => {
    const id = await put.putCase()
    await world.pools.jobs.query(`
      insert into activity_members (activity_id, role, user_id, extension_id, started_at_ms, ended_at_ms)
       values (${id}, 1, 41, null, 1000, 2000), (${id}, 20, null, ${contact.id}, 1000, null)`)
    await world.pools.jobs.query(`with t as (insert into tags (corporation_id, name) values (1, 'urgent') returning id)
       insert into activity_tags (activity_id, tag_id) select ${id}, id from t`)
    const kinds = ['inline image', 'attachment', 'email content'] as const
    const files = kinds.map((kind) => ({
      kind,
      fileName: kind,
      mimeType: 'text/plain',
      sizeBytes: 7,
      sha256: 'ab'.repeat(32),
      storage: kind as never,
    }))
    const fileIds = await inTransaction(world.pools.api, (asked) => addFiles(asked, id, OURS, files, null, 1_000))
    const [plain] = (await get(`eactId=${id}`)).body
    expect(Object.keys(plain)).not.toEqual(expect.arrayContaining(['members', 'coreFileReferences', 'emsTags']))
    const [full] = (await get(`eactId=${id}&getMembers=true&getFiles=1&getEmsTags=TRUE`)).body
    const instant = (ms: number) => new Date(ms).toISOString()
    expect(full.members).toEqual([
      {
        role: 1,
        user: { userId: 41, userName: 'anna', name: 'Anna Berg' },
        entityExtension: null,
        startTs: instant(1_000),
        endTs: instant(2_000),
      },
      { role: 20, user: null, entityExtension: { eeexId: contact.id }, startTs: instant(1_000), endTs: null },
    ])
    expect(full.coreFileReferences).toEqual(
      [1, 2, 17].map((type, place) => ({
        cfreId: fileIds[place],
        type,
        fileName: kinds[place],
        mimeType: 'text/plain',
        size: 7,
        creationTs: instant(1_000),
      })),
    )
    expect(full.emsTags).toEqual([{ id: expect.any(Number), name: 'urgent' }])
    const one = await get(`eactId=${id}&getFiles=true`)
    expect([one.body[0].members, one.body[0].coreFileReferences.length]).toEqual([undefined, 3])
    expect((await search({ eactIds: [id], getFiles: true, getMembers: true, getEmsTags: true })).body).toEqual([full])
  })
})

describe('activities by their contacts', () => {
  test('are all of a contact, of every kind, newest first', async () => {
    const answer = await get(`eeexId=${contact.id}`)
    const { call, emails, conversation } = contact
    // The call was made at 0; conversation and first email at the same instant.
    expect(idsOf(answer)).toEqual([contact.case, emails[1], ...sorted(conversation, emails[0]!).reverse(), call])
  })

  test('are returned for ten contacts and for a hundred, and in any window', async () => {
    const ids: number[] = []
    const made: number[] = []
    for (let place = 0; place < 100; place++)
      ids.push(await extension(OURS, `+4526001${String(place).padStart(3, '0')}`))
    for (const [place, id] of ids.entries())
      made.unshift(await put.put('email', { extension: id, atMs: 10_000 + place }))
    const all = await get(`eeexId=${ids.join(',')}&limitFrom=0&limitTo=1000`)
    expect([idsOf(all), all.headers['svc-total-found']]).toEqual([made, '100'])
    expect(idsOf(await get(`eeexId=${ids.slice(0, 10).join(',')}`))).toEqual(made.slice(90))
    const window = await get(`eeexId=${ids.join(',')}&limitFrom=30&limitTo=40`)
    expect([idsOf(window), window.headers['totalfound']]).toEqual([made.slice(30, 40), '100'])
    const beyond = await get(`eeexId=${ids.join(',')}&limitFrom=100&limitTo=200`)
    expect([beyond.body, beyond.headers['svc-total-found']]).toEqual([[], '100'])
    const more = await extension(OURS, '+4526009999')
    expect((await get(`eeexId=${[...ids, more].join(',')}`)).status).toBe(400)
    // With ids of activities as well: both, each once.
    expect(idsOf(await get(`eeexId=${ids[99]}&eactId=${made[0]},${made[5]}`))).toEqual([made[0], made[5]])
  })

  test.each([
    '',
    'eactId=',
    'eeexId=',
    'limitFrom=0',
    'eactId=x',
    'eactId=-1',
    'eactID=1',
    'eactId=1&getFiles=perhaps',
    'eactId=1&limitFrom=5&limitTo=5',
    'eactId=1&limitTo=1001',
    'eactId=1&limitFrom=-1',
  ])('with %s are refused, with the reason', async (query) => {
    const { status, body } = await get(query)
    expect([status, body.detail.length > 10]).toEqual([400, true])
  })
})

describe('activities by search', () => {
  test('are those of the ids, as a list', async () => {
    const answer = await search({ eactIds: [contact.call, String(contact.case), 999_999] })
    expect(sorted(...idsOf(answer))).toEqual(sorted(contact.call, contact.case))
    expect(answer.headers['svc-total-found']).toBe('2')
  })

  test('FROM an activity are at the other end of its links, in either direction', async () => {
    const { emails, conversation, call } = contact
    const from = (id: number, ...linkTypes: number[]) =>
      found({ activityLinkFilters: [{ eactIds: [id], linkTypes, linkDirection: 'FROM' }] })
    expect(await from(conversation, 13)).toEqual(sorted(...emails))
    expect(await from(emails[0]!, 13)).toEqual([conversation])
    expect(await from(contact.case, 14)).toEqual(sorted(conversation, call))
    expect(await from(call, 14)).toEqual([contact.case])
    expect(await from(conversation, 14)).toEqual([contact.case])
    expect(await from(conversation)).toEqual(sorted(...emails, contact.case))
    expect(await from(call, 13)).toEqual([])
  })

  test('TO an activity are those that link to it; FROM is the default', async () => {
    const [parent, part] = [await put.putCase(), await put.putCase()]
    await put.link(16, part, parent)
    const by = (id: number, more: object = {}) =>
      found({ activityLinkFilters: [{ eactIds: [id], linkTypes: [16], ...more }] })
    expect(await by(parent, { linkDirection: 'TO' })).toEqual([part])
    expect(await by(part, { linkDirection: 'TO' })).toEqual([])
    expect([await by(part), await by(parent)]).toEqual([[parent], [part]])
  })

  test('by ids and by several filters match any of them, once each', async () => {
    const { emails, conversation, call } = contact
    const activityLinkFilters = [
      { eactIds: [conversation], linkTypes: [13] },
      { eactIds: [contact.case], linkTypes: [14], linkDirection: 'TO' },
    ]
    const all = sorted(...emails, conversation, call)
    expect(await found({ eactIds: [emails[0], call], activityLinkFilters })).toEqual(all)
    const window = await search({ activityLinkFilters, limitFrom: 1, limitTo: 3 })
    expect([window.body.length, window.headers['svc-total-found']]).toEqual([2, '4'])
  })

  test.each([
    {},
    { eactIds: [] },
    { activityLinkFilters: [] },
    { activityLinkFilters: [{}] },
    { eactIds: [1], colour: 1 },
    { activityLinkFilters: [{ eactIds: [1], linkTypes: [12] }] },
    { activityLinkFilters: [{ eactIds: [1], linkDirection: 'UP' }] },
    { eactIds: [1], limitFrom: 1, limitTo: 1_002 },
    { eactIds: Array.from({ length: 1_001 }, (_, at) => at + 1) },
  ])('are refused where nothing, or too much, is asked: %j', async (body) => {
    expect((await search(body)).status).toBe(400)
  })
})

test('an id that is named 100,000 times is looked up once: the search is over in time', async () => {
  const of = await put.putCase()
  await world.pools.jobs.query(
    `with mail as (
       insert into activities (corporation_id, kind, subject, created_at_ms, updated_at_ms)
       select 1, 'conversation', '', 0, 0 from generate_series(1, 1000) returning id
     )
     insert into activity_links (type, from_id, to_id, corporation_id, created_at_ms)
     select 14, id, $1, 1, 0 from mail`,
    [of],
  )
  const eactIds = Array.from({ length: 1_000 }, () => of)
  const activityLinkFilters = Array.from({ length: 100 }, () => ({ eactIds, linkTypes: [14] }))
  const { status, headers } = await search({ activityLinkFilters, limitTo: 1 })
  expect([status, headers['svc-total-found']]).toEqual([200, '1000'])
})

describe('activities of another corporation', () => {
  test('are not returned: not by id, contact or link, and not in a total (F-J17)', async () => {
    const theirs = await extension(THEIRS, '+4526700001')
    const email = await put.put('email', { corporation: THEIRS, extension: theirs })
    const conversation = await put.put('conversation', { corporation: THEIRS })
    const call = await finish('their-call', '+4526700001', 60_000, THEIRS)
    await put.link(13, email, conversation, THEIRS)
    for (const answer of [
      await get(`eactId=${email},${call}`),
      await get(`eeexId=${theirs}`),
      await search({ eactIds: [email, call], activityLinkFilters: [{ eactIds: [conversation, email] }] }),
    ]) {
      expect([answer.status, answer.body, answer.headers['svc-total-found']]).toEqual([200, [], '0'])
    }
    const as = await world.credential(SCOPES, [THEIRS])
    expect(sorted(...idsOf(await get(`eeexId=${theirs}`, as)))).toEqual(sorted(email, call))
  })

  test('an asker with a single read scope sees the kinds of that scope alone; without a scope, none', async () => {
    const { call, emails } = contact
    const seen = async (...scopes: Scope[]) => {
      const answer = await get(`eactId=${call},${emails[0]}`, await world.credential(scopes))
      return answer.status === 200 ? [...idsOf(answer), answer.headers['totalfound']] : answer.status
    }
    expect(await seen('calls:read')).toEqual([call, '1'])
    expect(await seen('cases:read')).toEqual([emails[0], '1'])
    expect(await seen('files:read', 'entities:read')).toBe(403)
  })
})
