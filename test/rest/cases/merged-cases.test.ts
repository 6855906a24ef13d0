/** Cases that were merged, and how they are changed, read and split again (D-21, cases-08, cases-16). */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type CaseWorld, openCaseWorld } from './case-world.ts'

let world: CaseWorld

beforeAll(async () => {
  world = await openCaseWorld()
})
afterAll(() => world.close())

describe('a case that is merged', () => {
  test('passes everything on: updates and comments reach its target', async () => {
    const [source, target] = [(await world.create()).eactId, (await world.create()).eactId]
    await world.comment(source, 'before')
    const merged = await world.save({ eactId: source, mergedTo: { eactId: target } })
    expect(merged.body).toMatchObject({ eactId: source, status: 5, mergedTo: { eactId: target }, texts: [] })
    const changed = await world.save({ eactId: source, description: 'New' })
    expect([changed.status, changed.headers['svc-redirected-eactid'], changed.body.eactId]).toEqual([
      ...[200, String(target), target],
    ])
    const late = await world.comment(source, 'after')
    expect([late.headers['svc-redirected-eactid'], late.body.activity]).toEqual([String(target), { eactId: target }])
    expect((await world.read(target)).texts.map((one: { text: string }) => one.text)).toEqual(['before', 'after'])
    expect(await world.read(source)).toEqual(merged.body)
    expect((await world.save({ eactId: source, status: 1 })).status).toBe(409)
    expect((await world.save({ eactId: target, mergedTo: { eactId: source } })).status).toBe(400)
    expect((await world.save({ eactId: target, mergedTo: { eactId: 999_999 } })).status).toBe(400)
  })

  test('passes on however many cases are between it and its target', async () => {
    const { eactId: target } = await world.create()
    await world.pools.jobs.query(
      `with chain as (
         insert into activities (corporation_id, kind, subject, created_at_ms, updated_at_ms)
         select 1, 'case', '', 0, 0 from generate_series(1, 20000) returning id
       )
       insert into cases (activity_id, corporation_id, seq_no, status, ems_status_id, ems_status_changed_at_ms,
         last_open_ems_status_id, priority_id, merged_into_id, merged_at_ms, merged_status_id)
       select c.id, 1, 1000000 + c.id, 5, m.id, 0, o.id, p.id, coalesce(lag(c.id) over (order by c.id), $1), 0, o.id
         from chain c, ems_statuses m, ems_statuses o, priorities p
        where m.corporation_id = 1 and m.status = 5 and m.is_default and o.corporation_id = 1 and o.status = 1
          and o.is_default and p.corporation_id = 1 and p.is_default`,
      [target],
    )
    await world.pools.jobs.query('analyze cases')
    const { rows } = await world.pools.jobs.query('select max(activity_id) as id from cases')
    const { status, headers } = await world.comment(rows[0].id, 'far')
    expect([status, headers['svc-redirected-eactid']]).toEqual([200, String(target)])
  })

  test('does not bring back to its target who had stopped to follow it', async () => {
    const follower = (userId: number, active = true) => ({ role: 2, user: { userId }, active })
    const { eactId: source } = await world.create({ members: [follower(11), follower(12)] })
    await world.save({ eactId: source, members: [follower(11, false)] })
    const { eactId: target } = await world.create()
    await world.save({ eactId: source, mergedTo: { eactId: target } })
    expect((await world.read(target)).members).toMatchObject([{ role: 2, user: { userId: 12 }, endTs: null }])
  })

  test('is split again by an administrator within thirty days', async () => {
    const [source, target] = [(await world.create({ status: 3 })).eactId, (await world.create()).eactId]
    await world.save({ eactId: source, status: 5, mergedTo: { eactId: target } })
    const clerk = await world.credential(['cases:write'])
    expect((await world.save({ eactId: source, mergedTo: null }, { as: clerk })).status).toBe(403)
    expect((await world.save({ eactId: source, mergedTo: null })).body).toMatchObject({ status: 3, mergedTo: null })
  })

  test('takes along nothing of a case that was taken out of it before, in whatever order they are split', async () => {
    const withComment = async (text: string) => {
      const { eactId } = await world.create()
      await world.comment(eactId, text)
      return eactId as number
    }
    const merge = async (from: number, to: number | null) => {
      const mergedTo = to === null ? null : { eactId: to }
      expect((await world.save({ eactId: from, mergedTo })).status).toBe(200)
    }
    const textsOf = async (...ids: readonly number[]) => {
      const read = await Promise.all(ids.map((id) => world.read(id)))
      return read.map(({ texts }) => texts.map(({ text }: { text: string }) => text).join())
    }
    const [a, b, c] = [await withComment('a'), await withComment('b'), await withComment('c')]
    await merge(a, b)
    await merge(b, c)
    await merge(a, null)
    expect(await textsOf(a, b, c)).toEqual(['a', '', 'b,c'])
    await merge(a, c)
    await merge(b, null)
    expect(await textsOf(a, b, c)).toEqual(['', 'b', 'a,c'])
    await merge(a, null)
    expect(await textsOf(a, b, c)).toEqual(['a', 'b', 'c'])
    // It came back as the end of the chain: what is its own stays.
    await merge(a, b)
    await merge(b, c)
    await merge(a, null)
    await merge(c, a)
    expect(await textsOf(a, b, c)).toEqual(['a,b,c', '', ''])
    await merge(b, null)
    expect(await textsOf(a, b, c)).toEqual(['a,c', 'b', ''])
  })

  test('is not split from a case that was deleted since: nothing is taken out of that', async () => {
    const [source, target] = [(await world.create()).eactId, (await world.create()).eactId]
    await world.comment(source, 'kept')
    await world.save({ eactId: source, mergedTo: { eactId: target } })
    await world.save({ eactId: target, status: 4 })
    const before = await world.read(target)
    expect((await world.save({ eactId: source, mergedTo: null })).status).toBe(409)
    expect(await world.read(target)).toEqual(before)
    expect((await world.save({ eactId: target, status: 1 })).status).toBe(200)
    expect((await world.save({ eactId: source, mergedTo: null })).body.texts).toMatchObject([{ text: 'kept' }])
  })

  test('is changed where it went: its ETag is that of the other (RFC 9110)', async () => {
    const [merged, other] = [(await world.create()).eactId, (await world.create()).eactId]
    const ifMatch = (etag: string | undefined) => ({ headers: { 'if-match': etag ?? '' } })
    const { headers: ofMerge } = await world.save({ eactId: merged, mergedTo: { eactId: other } })
    const change = { eactId: merged, description: 'One' }
    expect((await world.save(change, ifMatch(ofMerge['etag']))).status).toBe(412)
    const { headers, body } = await world.save(change)
    expect([body.eactId, headers['etag']]).toEqual([other, expect.stringMatching(`"${other}-`)])
    expect((await world.save({ ...change, description: 'Two' }, ifMatch(headers['etag']))).body.description).toBe('Two')
    expect((await world.save({ ...change, description: 'Three' }, ifMatch(headers['etag']))).status).toBe(412)
    // Taking it apart changes the case itself.
    expect((await world.save({ eactId: merged, mergedTo: null }, ifMatch(headers['etag']))).status).toBe(412)
    expect((await world.save({ eactId: merged, mergedTo: null }, ifMatch(ofMerge['etag']))).status).toBe(200)
  })

  test('sent back as it was read, overwrites nothing of the case that it went to', async () => {
    const [merged, other] = [(await world.create()).eactId, (await world.create({ description: 'Kept' })).eactId]
    await world.save({ eactId: merged, mergedTo: { eactId: other } })
    const read = await world.read(merged)
    await world.save({ eactId: other, onHoldComment: null, emsTags: ['new'] })
    expect((await world.save({ ...read, emsTags: ['mine'] })).status).toBe(412)
    expect(await world.read(other)).toMatchObject({ description: 'Kept', emsTags: [{ name: 'new' }] })
    const { updateTs } = await world.read(other)
    const changed = await world.save({ eactId: merged, emsTags: ['mine'], updateTs })
    expect([changed.status, changed.body.eactId, changed.body.emsTags]).toMatchObject([200, other, [{ name: 'mine' }]])
    expect((await world.save({ eactId: merged, emsTags: [], updateTs })).status).toBe(412)
    // Taking it apart changes the case itself.
    expect((await world.save({ eactId: merged, mergedTo: null, updateTs: read.updateTs })).status).toBe(200)
  })
})
