/** Calls in cases, cases under cases, and the contract's way to all activities of a case (contract.md §4.5). */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ActivityId, AgentName, TeamName } from '../../../src/kernel/ids.ts'
import type { FinishedCall } from '../../../src/ports/dialer-repository.ts'
import { activityRoutes } from '../../../src/rest/cases/activities.ts'
import { activityLinkRoutes } from '../../../src/rest/cases/activity-links.ts'
import { SCOPES } from '../../../src/rest/http/route.ts'
import { postgresActivities } from '../../../src/store/cases/activities.ts'
import { postgresDialerRepository } from '../../../src/store/dialer/dialer-repository.ts'
import { putter } from '../../store/cases/put-activities.ts'
import { callOf } from '../dialer/dialer-world.ts'
import { OURS, openRestWorld, type RestWorld, THEIRS } from '../rest-world.ts'

let world: RestWorld
let put: ReturnType<typeof putter>

beforeAll(async () => {
  world = await openRestWorld({
    parts: (pools) => ({ activities: postgresActivities(pools), dialerRepository: postgresDialerRepository(pools) }),
    routes: (dependencies) => [...activityRoutes(dependencies), ...activityLinkRoutes(dependencies)],
  })
  put = putter(world.pools)
})
afterAll(() => world.close())

let calls = 0

async function call(direction: 'in' | 'out', more: Partial<FinishedCall> = {}): Promise<ActivityId> {
  const recordings = [{ file: 'talk.wav', startedAtMs: 0, endedAtMs: 1, state: 'ready' }] as const
  const result = await world.parts.dialerRepository.finishCall(
    callOf(`call-${++calls}`, 60_000, { direction, recordings, ...more }),
  )
  if (result.outcome === 'refused') throw new Error(result.why)
  return result.activity
}

const PATH = '/rest/svcems/activitylinks'
const link = (type: number, from: number, to: number, as = world.values) =>
  world.call('PUT', PATH, { type, from: { eactId: from }, to: { eactId: to } }, { as })
const unlink = (type: number, from: number, to: number, as = world.values) =>
  world.call('DELETE', `${PATH}?type=${type}&from=${from}&to=${to}`, undefined, { as })
const ends = async (id: number) => {
  const { body } = await world.call('GET', `/svcems/activities?eactId=${id}`)
  const links = body[0].links as { type: number; from: { eactId: number }; to: { eactId: number } }[]
  return links.map(({ type, from, to }) => [type, from.eactId, to.eactId])
}
const statusOf = async (id: number) => (await world.call('GET', `/svcems/activities?eactId=${id}`)).body[0].status

describe('a call', () => {
  test('is put into a case; an inbound one reopens a closed case, no other does', async () => {
    for (const [direction, status] of [
      ['in', 1],
      ['out', 2],
    ] as const) {
      const [from, to] = [await call(direction), await put.putCase({ status: 2 })]
      const answer = await link(14, from, to)
      expect([answer.status, answer.body]).toEqual([200, { type: 14, from: { eactId: from }, to: { eactId: to } }])
      expect([await ends(from), await statusOf(to)]).toEqual([[[14, from, to]], status])
    }
  })

  test('linked to its case twice arrives once: a case closed in between stays closed', async () => {
    const [from, to] = [await call('in'), await put.putCase()]
    await link(14, from, to)
    await world.pools.jobs.query(
      `update cases set status = 2, ems_status_id = (select id from ems_statuses s where s.corporation_id = 1
         and s.status = 2 and s.is_default) where activity_id = $1`,
      [to],
    )
    expect((await link(14, from, to)).status).toBe(200)
    expect(await statusOf(to)).toBe(2)
  })

  test('stays in a deleted case, by PUT and by DELETE: the case changes only when it is restored', async () => {
    const [from, deleted, other] = [await call('in'), await put.putCase(), await put.putCase()]
    await link(14, from, deleted)
    await world.pools.jobs.query(
      `update cases set status = 4, ems_status_id = (select id from ems_statuses s where s.corporation_id = 1
         and s.status = 4 and s.is_default) where activity_id = $1`,
      [deleted],
    )
    const stored = 'select version from cases where activity_id = $1'
    const before = (await world.pools.jobs.query(stored, [deleted])).rows
    const moved = await link(14, from, other)
    expect([moved.status, moved.body.detail]).toEqual([
      409,
      'from.eactId: it is in a deleted case; restore that case first',
    ])
    const removed = await unlink(14, from, deleted)
    expect([removed.status, removed.body.detail]).toEqual([409, 'from: the case is deleted; restore it first'])
    expect([await ends(from), (await world.pools.jobs.query(stored, [deleted])).rows]).toEqual([
      [[14, from, deleted]],
      before,
    ])
  })

  test('is in one case at a time, the target of a merge included, and can be removed from it', async () => {
    const [from, first, target] = [await call('in'), await put.putCase(), await put.putCase()]
    const merged = await put.putCase({ mergedInto: target })
    await link(14, from, first)
    const moved = await link(14, from, merged)
    expect(moved.headers['svc-redirected-eactid']).toBe(String(target))
    expect(await ends(from)).toEqual([[14, from, target]])
    expect((await unlink(14, from, first)).status).toBe(404)
    expect((await unlink(14, from, target)).status).toBe(204)
    expect((await unlink(14, from, target)).status).toBe(404)
    expect(await ends(from)).toEqual([])
    const { rows } = await world.pools.jobs.query(
      'select what, was, becomes from case_logs where case_id = $1 order by id',
      [target],
    )
    expect(rows).toEqual([
      { what: 'link', was: null, becomes: from },
      { what: 'link', was: from, becomes: null },
    ])
  })
})

describe('a case', () => {
  test('is put under another one, and never under a part of its own', async () => {
    const [a, b, c] = [await put.putCase(), await put.putCase(), await put.putCase()]
    expect((await link(16, b, a)).status).toBe(200)
    expect((await link(16, c, b)).status).toBe(200)
    for (const [from, to] of [
      [a, a],
      [a, b],
      [a, c],
      [b, c],
    ] as const)
      expect((await link(16, from, to)).status).toBe(400)
    expect((await link(16, c, a)).status).toBe(200)
    expect(await ends(c)).toEqual([[16, c, a]])
    expect((await unlink(16, c, a)).status).toBe(204)
  })

  test('that is deleted is put under none, has none under it, and leaves none: it can only be restored', async () => {
    const [deleted, whole, part] = [await put.putCase({ status: 4 }), await put.putCase(), await put.putCase()]
    for (const [from, to, field] of [
      [deleted, whole, 'from'],
      [part, deleted, 'to'],
    ] as const) {
      const { status, body } = await link(16, from, to)
      expect([status, body.detail]).toEqual([409, `${field}.eactId: the case is deleted; restore it first`])
    }
    expect([await ends(deleted), await ends(part)]).toEqual([[], []])
    await put.link(16, deleted, whole)
    const { status, body } = await unlink(16, deleted, whole)
    expect([status, body.detail]).toEqual([409, 'from: the case is deleted; restore it first'])
    expect((await unlink(16, part, whole)).status).toBe(404)
    const { rows } = await world.pools.jobs.query('select version from cases where activity_id = $1', [deleted])
    expect([rows, await ends(deleted)]).toEqual([[{ version: 1 }], [[16, deleted, whole]]])
  })

  test('takes 1,000 links from users and no more, with words; what it has stays', async () => {
    const [full, other] = [await put.putCase(), await put.putCase()]
    await world.pools.jobs.query(
      `with mail as (
         insert into activities (corporation_id, kind, subject, created_at_ms, updated_at_ms)
         select 1, 'conversation', '', 0, 0 from generate_series(1, 999) returning id
       )
       insert into activity_links (type, from_id, to_id, corporation_id, created_at_ms)
       select 14, id, $1, 1, 0 from mail`,
      [full],
    )
    const [last, late] = [await call('in'), await call('in')]
    expect((await link(14, last, full)).status).toBe(200)
    for (const answer of [await link(14, late, full), await link(16, other, full)]) {
      expect(answer.status).toBe(409)
      expect(answer.body.detail).toBe('to.eactId: the case has 1000 links, and takes no more; use another case')
    }
    expect((await link(14, last, full)).status, 'it is there already').toBe(200)
    expect([await ends(late), await ends(other)]).toEqual([[], []])
    expect((await unlink(14, last, full)).status).toBe(204)
    expect((await link(16, other, full)).status).toBe(200)
  })

  test('is put under one that has 15,000 above it as under any other', async () => {
    const [part, leaf] = [await put.putCase(), await put.putCase()]
    await world.pools.jobs.query(
      `with chain as (
         insert into activities (corporation_id, kind, subject, created_at_ms, updated_at_ms)
         select 1, 'case', '', 0, 0 from generate_series(1, 15000) returning id
       ), ends as (
         select coalesce(lag(id) over (order by id), $1) as part, id as whole from chain
       )
       insert into activity_links (type, from_id, to_id, corporation_id, created_at_ms)
       select 16, part, whole, 1, 0 from ends`,
      [leaf],
    )
    expect((await link(16, part, leaf)).status).toBe(200)
  })

  test('and others, put under each other concurrently, never form a circle', async () => {
    const all = await Promise.all(Array.from({ length: 4 }, () => put.putCase()))
    const answers = await Promise.all(all.map((from, at) => link(16, from, all[(at + 1) % all.length]!)))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 200, 400])
  })
})

test('a call that an agent does not see is not theirs to put into a case, to move or to take out', async () => {
  await world.pools.jobs.query(`
    insert into users (id, corporation_id, user_name, name, created_at_ms)
      overriding system value values (42, 1, 'bo', 'Bo', 0);
    insert into teams (id, corporation_id, name, title) overriding system value values (14, 1, 'help', 'Help');
    insert into team_members (team_id, user_id) values (14, 42)`)
  const user = { id: 42, userName: 'bo' }
  const as = await world.credential(['calls:read', 'cases:read', 'cases:write'], [OURS], { user } as never)
  const [own, ofTeam, others] = [
    await call('in', { agent: 'bo' as AgentName }),
    await call('in', { team: 'help' as TeamName }),
    await call('in', { agent: 'cy' as AgentName, team: 'other' as TeamName }),
  ]
  const [first, second] = [await put.putCase({ status: 2 }), await put.putCase()]
  expect((await link(14, others, first, as)).status).toBe(404)
  expect([await ends(others), await statusOf(first)]).toEqual([[], 2])
  await link(14, others, first)
  expect((await link(14, others, second, as)).status).toBe(404)
  expect((await unlink(14, others, first, as)).status).toBe(404)
  expect(await ends(others)).toEqual([[14, others, first]])
  for (const from of [own, ofTeam, await put.put('email')]) {
    expect([(await link(14, from, second, as)).status, (await unlink(14, from, second, as)).status]).toEqual([200, 204])
  }
})

test('for a credential without calls:read there are no calls to put into a case, to move or to take out', async () => {
  const as = await world.credential(['cases:read', 'cases:write'])
  const [phone, first, second] = [await call('in'), await put.putCase({ status: 2 }), await put.putCase()]
  const nothing = await link(14, 999_999, first, as)
  const refused = await link(14, phone, first, as)
  expect([refused.status, refused.body.detail]).toEqual([404, nothing.body.detail])
  expect([await ends(phone), await statusOf(first)]).toEqual([[], 2])
  await link(14, phone, first)
  expect((await link(14, phone, second, as)).status).toBe(404)
  expect((await unlink(14, phone, first, as)).status).toBe(404)
  expect(await ends(phone)).toEqual([[14, phone, first]])
  expect((await link(14, await put.put('email'), second, as)).status).toBe(200)
})

test('an impossible link is refused with the reason, and foreign activities cannot be linked', async () => {
  const [ours, from, email] = [await put.putCase(), await call('in'), await put.put('email')]
  const theirs = await put.putCase({ corporation: THEIRS })
  const their = await put.put('email', { corporation: THEIRS })
  const statuses = await Promise.all([
    link(14, ours, ours),
    link(16, from, ours),
    link(13, email, ours),
    link(14, from, email),
    link(14, from, 999_999),
    link(14, 999_999, ours),
    link(14, from, theirs),
    link(14, their, ours),
    link(16, ours, theirs),
    link(16, theirs, ours),
    link(14, from, await put.putCase({ status: 4 })),
    link(14, from, ours, await world.credential(['cases:read', 'calls:read'])),
  ])
  expect(statuses.map(({ status }) => status)).toEqual([400, 404, 400, 404, 404, 404, 404, 404, 404, 404, 409, 403])
  expect(await ends(ours)).toEqual([])
  // A client with access to both corporations cannot link them either.
  const both = await world.credential(SCOPES, [1, 2] as never)
  expect([(await link(14, from, theirs, both)).status, (await link(16, theirs, ours, both)).status]).toEqual([404, 404])
  await put.link(14, their, theirs, THEIRS)
  expect((await unlink(14, their, theirs)).status).toBe(404)
})

test('all activities of a case are found by links of type 14 and emails of conversations', async () => {
  const of = await put.putCase()
  const [conversation, phone] = [await put.put('conversation'), await call('in')]
  const emails = [await put.put('email'), await put.put('email')]
  for (const email of emails) await put.link(13, email, conversation)
  await put.link(14, conversation, of)
  await link(14, phone, of)
  const sources = (await ends(of)).filter(([type, , to]) => type === 14 && to === of).map(([, from]) => from)
  expect(sources.sort()).toEqual([conversation, phone].sort())
  const { body } = await world.call('POST', '/rest/svcems/activities/search', { eactIds: sources })
  const byType = new Map<number, { eactId: number; recordings: { pcreId: number }[] }>(
    body.map((each: { activityType: { eatyId: number } }) => [each.activityType.eatyId, each]),
  )
  const activityLinkFilters = [{ eactIds: [byType.get(21)?.eactId], linkTypes: [13], linkDirection: 'FROM' }]
  const found = await world.call('POST', '/rest/svcems/activities/search', { activityLinkFilters, getFiles: true })
  expect(found.body.map(({ eactId }: { eactId: number }) => eactId).sort()).toEqual([...emails].sort())
  expect(byType.get(10)?.recordings).toEqual([expect.objectContaining({ pcreId: expect.any(Number) })])
})
