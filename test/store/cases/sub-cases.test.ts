/** Parts of other cases, while they are merged and split (D-17, D-21). */
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ActivityId } from '../../../src/kernel/ids.ts'
import { LINK_TYPE } from '../../../src/ports/activities.ts'
import { postgresActivities } from '../../../src/store/cases/activities.ts'
import { servers } from '../db/database.ts'
import { CORPORATION, NOON } from '../shop.ts'
import { type CaseRepositoryUnderTest, openCaseRepository } from './case-repository.ts'

let world: CaseRepositoryUnderTest
beforeAll(async () => {
  world = await openCaseRepository(servers[0]!)
})
afterAll(() => world.database.drop())

const cases = (count: number) =>
  Promise.all(Array.from({ length: count }, async () => (await world.create()).record.id))
const put = async (from: ActivityId, to: ActivityId) => {
  const by = { corporations: [CORPORATION], seesCalls: true, by: null, atMs: NOON }
  const input = { ...by, type: LINK_TYPE.partOfCase, from, to }
  return (await postgresActivities(world.database.pools).setLink(input)).outcome
}
const merge = (from: ActivityId, mergedInto: ActivityId, more: object = {}) =>
  world.tryChange(from, { mergedInto, ...more })
const takeApart = async (id: ActivityId) =>
  (await world.tryChange(id, { mergedInto: null }, { isAdmin: true, atMs: NOON + 2_000 })).outcome

/** Part → its whole. */
async function wholes(ids: readonly ActivityId[]): Promise<Map<ActivityId, ActivityId>> {
  const text = 'select from_id as part, to_id as whole from activity_links where type = 16 and from_id = any($1)'
  const rows = (await world.rows(text, [ids])) as { part: ActivityId; whole: ActivityId }[]
  return new Map(rows.map(({ part, whole }) => [part, whole]))
}

/** Steps from a part up to a whole; undefined: it is not a part of it. Throws on a circle. */
function stepsUp(up: ReadonlyMap<ActivityId, ActivityId>, part: ActivityId, whole: ActivityId): number | undefined {
  let steps = 0
  for (let id = up.get(part); id !== undefined; id = up.get(id)) {
    steps++
    if (id === whole) return steps
    if (steps > 20) throw new Error(`a circle above ${part}`)
  }
  return undefined
}

describe('a case with parts', () => {
  test('merged into a part of its part is refused, and the request changes nothing', async () => {
    const [whole, part, inner] = (await cases(3)) as [ActivityId, ActivityId, ActivityId]
    await put(part, whole)
    await put(inner, part)
    const before = await world.read(whole)
    const refused = await merge(whole, inner, { title: 'Not this' })
    expect(refused).toMatchObject({ outcome: 'refused', why: 'invalid', about: 'mergedInto' })
    expect(await world.read(whole)).toEqual(before)
    expect(await wholes([part, inner])).toEqual(
      new Map([
        [part, whole],
        [inner, part],
      ] as const),
    )
  })

  test('split again, does not come under a part that it was put under meanwhile', async () => {
    const [source, target, part, above] = (await cases(4)) as [ActivityId, ActivityId, ActivityId, ActivityId]
    await put(part, source)
    await put(source, above)
    await merge(source, target)
    expect(await put(above, part), 'the part is under the target now').toBe('linked')
    expect(await takeApart(source)).toBe('saved')
    const up = await wholes([source, target, part, above])
    expect(up).toEqual(
      new Map([
        [source, above],
        [part, target],
        [above, part],
      ] as const),
    )
  })

  test('is never above itself, in any order of linking, merging and splitting (INV-C)', async () => {
    const step = fc.tuple(fc.constantFrom('put', 'put', 'merge', 'take apart'), fc.nat(4), fc.nat(4))
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 8, maxLength: 14 }), async (steps) => {
        const ids = await cases(5)
        for (const [what, from, to] of steps) {
          const [one, other] = [ids[from]!, ids[to]!]
          const up = await wholes(ids)
          const merged = (await world.read(one)).record.merged
          if (what === 'put') await put(one, other)
          else if (what === 'take apart') expect(await takeApart(one)).toBe('saved')
          else {
            const end = await endOf(other)
            const { outcome } = await merge(one, other)
            const isBelow = (stepsUp(up, end, one) ?? 0) > 1
            // Already merged into the named case: the request changes nothing.
            const isEcho = merged?.into === other
            expect(outcome).toBe(isEcho || (!merged && end !== one && !isBelow) ? 'saved' : 'refused')
          }
          const after = await wholes(ids)
          for (const id of ids) expect(stepsUp(after, id, id)).toBeUndefined()
        }
      }),
      { numRuns: 12 },
    )
    expect(await world.faults()).toEqual([])
  })
})

async function endOf(id: ActivityId): Promise<ActivityId> {
  const { merged } = (await world.read(id)).record
  return merged ? endOf(merged.into) : id
}
