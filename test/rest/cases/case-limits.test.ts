/** What each reading of a case shows whole has an end: members, and links of cases that are merged (cases-23). */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type CaseWorld, openCaseWorld } from './case-world.ts'

let world: CaseWorld

beforeAll(async () => {
  world = await openCaseWorld()
  await world.pools.jobs.query(
    `insert into users (id, corporation_id, user_name, name, created_at_ms) overriding system value
     select id, 1, 'user' || id, 'User', 0 from generate_series(1001, 1102) id`,
  )
})
afterAll(() => world.close())

const follower = (userId: number, active = true) => ({ role: 2, user: { userId }, active })
const followers = (from: number, count: number) => Array.from({ length: count }, (_, at) => follower(from + at))

test('a case has 100 followers at most, and takes another when one has gone', async () => {
  const { eactId } = await world.create({ members: followers(1001, 100) })
  const refused = await world.save({ eactId, members: [follower(1101)] })
  expect([refused.status, refused.body.detail]).toEqual([
    409,
    'members: a case has at most 100 followers; end some first',
  ])
  expect((await world.save({ eactId, members: [{ role: 1, user: { userId: 11 } }] })).status).toBe(200)
  expect((await world.save({ eactId, members: [follower(1001, false), follower(1101)] })).status).toBe(200)
  const { eactId: other } = await world.create({ members: [follower(1102)] })
  expect((await world.save({ eactId: other, mergedTo: { eactId } })).status, 'nor by a merge').toBe(409)
  expect((await world.read(other)).status).toBe(1)
})

test('a case has 1,000 memberships at most, ended ones too; whoever is a member can still be let go', async () => {
  const { eactId } = await world.create({ members: [{ role: 1, user: { userId: 11 } }] })
  await world.pools.jobs.query(
    `insert into activity_members (activity_id, role, user_id, started_at_ms, ended_at_ms)
     select $1, 1, 12, 0, 0 from generate_series(1, 998)`,
    [eactId],
  )
  const assign = (userId: number) => world.save({ eactId, members: [{ role: 1, user: { userId } }] })
  expect((await assign(12)).status).toBe(200)
  const { status, body } = await assign(11)
  expect([status, body.detail]).toEqual([409, expect.stringContaining('at most 1000 memberships, ended ones too')])
  expect((await world.save({ eactId, members: [{ role: 1, active: false }], description: 'On' })).status).toBe(200)
})

test('two cases with more than 1,000 links together are not merged, and both stay as they are', async () => {
  const [one, other] = [await world.create(), await world.create()]
  const give = (to: number, links: number) =>
    world.pools.jobs.query(
      `with mail as (
         insert into activities (corporation_id, kind, subject, created_at_ms, updated_at_ms)
         select 1, 'conversation', '', 0, 0 from generate_series(1, $2::int) returning id
       )
       insert into activity_links (type, from_id, to_id, corporation_id, created_at_ms)
       select 14, id, $1, 1, 0 from mail`,
      [to, links],
    )
  await give(one.eactId, 600)
  await give(other.eactId, 401)
  const merge = () => world.save({ eactId: one.eactId, mergedTo: { eactId: other.eactId }, description: 'Both' })
  const refused = await merge()
  expect([refused.status, refused.body.detail]).toEqual([
    409,
    'mergedTo.eactId: the two cases have 1001 links, and a case takes 1000; take some of them out first',
  ])
  expect(await world.read(one.eactId)).toMatchObject({ status: 1, description: 'Rent', updateTs: one.updateTs })
  await world.pools.jobs.query(
    `delete from activity_links where to_id = $1 and from_id = (
       select max(from_id) from activity_links where to_id = $1)`,
    [one.eactId],
  )
  expect((await merge()).status).toBe(200)
  expect((await world.read(other.eactId)).links).toHaveLength(1_000)
})

test('a case gets no queue, user, field or contact that is gone, and keeps those that it has', async () => {
  const { pools } = world
  const given = {
    queue: { ucquId: 21 },
    members: [{ role: 2, user: { userId: 12 } }],
    propValues: [{ emprId: 5, value: '100' }],
    entityExtension: { eeexId: 31 },
  }
  const had = await world.create(given)
  await pools.jobs.query(`
    update teams set active = false where id = 21; update users set active = false where id = 12;
    update property_fields set active = false where id = 5; update entities set erased_at_ms = 1 where id = 31`)
  const bare = await world.create()
  for (const [field, value] of Object.entries(given)) {
    const { status, body } = await world.save({ eactId: bare.eactId, [field]: value })
    expect([field, status, body.detail]).toEqual([field, 400, expect.stringMatching(/there is no such .*, or/)])
  }
  const back = await world.save({ ...(await world.read(had.eactId)), description: 'Sent back as it was read' })
  expect([back.status, back.body.queue, back.body.entityExtension]).toEqual([200, had.queue, had.entityExtension])
  expect(
    (await world.save({ eactId: had.eactId, members: [{ role: 2, user: { userId: 12 }, active: false }] })).status,
  ).toBe(200)
  await pools.jobs.query(`
    update teams set active = true; update users set active = true; update property_fields set active = true;
    update entities set erased_at_ms = null`)
})
