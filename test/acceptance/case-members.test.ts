/** §2.6, §2.7: who works on a case, who follows it, and since when. */
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { activitiesOf, type Case, caseOf, changeCase, type Desk, makeCase, openDesk } from './place/records.ts'

const ASSIGNED = 1
const FOLLOWER = 2

let root: Desk
/** Each test has a credential of its own. */
let desk: Desk
let rosa: number
let rolf: number
let ruth: number

beforeAll(async () => {
  root = await openDesk('case-members')
  desk = root
  const users = await desk.client.ask('GET /rest/core/users', { query: { size: 1_000 } })
  const idOf = (name: string) => users.find(({ userName }) => userName === name)!.userId
  ;[rosa, rolf, ruth] = [idOf('rosa'), idOf('rolf'), idOf('ruth')]
})

beforeEach(async () => {
  desk = await root.another()
})

const instant = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
const userOf = (role: 1 | 2, userId: number, more: { readonly active?: boolean } = {}) => ({
  role,
  user: { userId },
  ...more,
})
/** As the contract says it (§2.6). */
const isActive = ({ startTs, endTs }: Case['members'][number]) => startTs !== null && endTs === null
const usersIn = ({ members }: Case, role: number) =>
  members.filter((member) => member.role === role && isActive(member)).map(({ user }) => user?.userId)

test('members carry their role and when it began and ended [acc 99, 100, 125 by HTTP]', async () => {
  const beforeMs = Date.now()
  const { eactId } = await makeCase(desk, { members: [userOf(ASSIGNED, rosa), userOf(FOLLOWER, rolf)] })
  const made = await caseOf(desk, eactId)
  expect(made.members).toMatchObject([
    { role: 1, user: { userId: rosa, userName: 'rosa' }, startTs: instant, endTs: null },
    { role: 2, user: { userId: rolf, userName: 'rolf' }, startTs: instant, endTs: null },
  ])
  for (const { startTs } of made.members) expect(Date.parse(startTs!)).toBeGreaterThanOrEqual(beforeMs)
  const betweenMs = Date.now()
  const left = await changeCase(desk, eactId, { members: [userOf(FOLLOWER, rolf, { active: false })] })
  expect(left.members).toMatchObject([made.members[0]!, { ...made.members[1]!, endTs: instant }])
  expect(Date.parse(left.members[1]!.endTs!)).toBeGreaterThanOrEqual(betweenMs)
  expect(usersIn(left, ASSIGNED)).toEqual([rosa])
  expect(usersIn(left, FOLLOWER)).toEqual([])
  // One who comes back begins anew; what was is kept.
  const back = await changeCase(desk, eactId, { members: [userOf(FOLLOWER, rolf)] })
  expect(back.members).toHaveLength(3)
  expect(back.members).toEqual(expect.arrayContaining([...left.members]))
  expect(usersIn(back, FOLLOWER)).toEqual([rolf])
  const [activity] = await activitiesOf(desk, eactId)
  expect(activity!.members).toEqual(back.members)
})

test('another assigned user ends the one before [acc 101, 104 by HTTP]', async () => {
  const { eactId } = await makeCase(desk, { members: [userOf(ASSIGNED, rosa)] })
  const changed = await changeCase(desk, eactId, { members: [userOf(ASSIGNED, rolf)] })
  expect(usersIn(changed, ASSIGNED)).toEqual([rolf])
  const [before, after] = changed.members
  expect(before).toMatchObject({ role: 1, user: { userId: rosa }, startTs: instant, endTs: instant })
  expect(after).toMatchObject({ role: 1, user: { userId: rolf }, startTs: before!.endTs, endTs: null })
  // The same one again neither ends nor begins.
  const same = await changeCase(desk, eactId, { members: [userOf(ASSIGNED, rolf)] })
  expect(same.members).toEqual(changed.members)
  const left = await changeCase(desk, eactId, { members: [{ role: ASSIGNED, active: false }] })
  expect(usersIn(left, ASSIGNED)).toEqual([])
})

test('never are two assigned, in one request or in many at once [acc 101 by HTTP]', async () => {
  const { eactId } = await makeCase(desk)
  const both = { eactId, members: [userOf(ASSIGNED, rosa), userOf(ASSIGNED, rolf)] }
  expect((await desk.raw('POST', '/rest/svcems/case', both)).status).toBe(400)
  expect((await caseOf(desk, eactId)).members).toEqual([])
  const many = Array.from({ length: 15 }, (_, place) => [rosa, rolf, ruth][place % 3]!)
  const seen = await Promise.all(many.map((user) => changeCase(desk, eactId, { members: [userOf(ASSIGNED, user)] })))
  for (const [place, found] of seen.entries()) expect(usersIn(found, ASSIGNED)).toEqual([many[place]])
  expect(usersIn(await caseOf(desk, eactId), ASSIGNED)).toHaveLength(1)
})

test('several follow one case, each once [acc 102 by HTTP]', async () => {
  const { eactId } = await makeCase(desk, { members: [userOf(ASSIGNED, rosa), userOf(FOLLOWER, rosa)] })
  const followed = await changeCase(desk, eactId, {
    members: [userOf(FOLLOWER, ruth), userOf(FOLLOWER, rolf), userOf(FOLLOWER, ruth)],
  })
  expect(usersIn(followed, FOLLOWER)).toEqual([rosa, ruth, rolf])
  expect(usersIn(followed, ASSIGNED)).toEqual([rosa])
  const fewer = await changeCase(desk, eactId, { members: [userOf(FOLLOWER, ruth, { active: false })] })
  expect(usersIn(fewer, FOLLOWER)).toEqual([rosa, rolf])
  const nobody = { eactId, members: [userOf(FOLLOWER, 99_999_999)] }
  expect((await desk.raw('POST', '/rest/svcems/case', nobody)).status).toBe(400)
  const unknown = { eactId, members: [{ role: 3, user: { userId: ruth } }] }
  expect((await desk.raw('POST', '/rest/svcems/case', unknown)).status).toBe(400)
  expect(await caseOf(desk, eactId)).toEqual(fewer)
})
