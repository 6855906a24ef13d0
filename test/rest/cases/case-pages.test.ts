/** Pages of long cases, over HTTP: nothing is cut off, and what is not asked for is not sent (cases-17). */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type CaseWorld, openCaseWorld } from './case-world.ts'

/** Of the largest comment that a case takes (D-22). */
const LONGEST = 65_500

let world: CaseWorld

beforeAll(async () => {
  world = await openCaseWorld()
})
afterAll(() => world.close())

/** A case with as many comments, each with its place in front. */
async function commented(count: number, letters: number): Promise<number> {
  const { eactId } = await world.create()
  for (let place = 0; place < count; place++) {
    expect((await world.comment(eactId, `${place} ${'x'.repeat(letters)}`)).status).toBe(200)
  }
  return eactId
}
const placesOf = ({ texts }: { texts: readonly { text: string }[] }) => texts.map(({ text }) => parseInt(text, 10))
const firsts = (count: number) => Array.from({ length: count }, (_, place) => place)

test('long and short cases of a page are whole, each in its place', async () => {
  const short = [await commented(2, 10), await commented(0, 0)]
  const long = await commented(9, LONGEST)
  const last = await commented(1, 10)
  for (let change = 0; change < 40; change++) await world.save({ eactId: long, description: `Rent ${change}` })
  const { body, headers } = await world.find({ eactIds: [...short, long, last] })
  expect(headers['totalfound']).toBe('4')
  expect(body.map(({ eactId }: { eactId: number }) => eactId)).toEqual([last, long, ...short.toReversed()])
  expect(body.map(placesOf)).toEqual([firsts(1), firsts(9), [], firsts(2)])
  const [, whole] = body
  expect(whole.texts.map(({ text }: { text: string }) => text.length)).toEqual(Array(9).fill(LONGEST + 2))
  expect(whole.logs.filter(({ what }: { what: string }) => what === 'description')).toHaveLength(40)
  // Read alone, it is what the page has.
  expect(await world.read(long)).toEqual(whole)
  expect((await world.save({ eactId: long })).body).toEqual(whole)
})

test('comments and logs are left out on request', async () => {
  const eactId = await commented(1, 10)
  const asked = async (more: object) => {
    const { body } = await world.find({ eactIds: [eactId], ...more })
    return [body[0].texts?.length, body[0].logs?.length]
  }
  expect(await asked({})).toEqual([1, 1])
  expect(await asked({ getTexts: false })).toEqual([undefined, 1])
  expect(await asked({ getLogs: false })).toEqual([1, undefined])
})

test('a long case sends the lists that are asked for', async () => {
  const eactId = await commented(3, LONGEST)
  const asked = async (more: object) => {
    const { body } = await world.find({ eactIds: [eactId], ...more })
    return [body[0].texts?.length, body[0].logs?.length]
  }
  expect(await asked({ getLogs: false })).toEqual([3, undefined])
  expect(await asked({ getTexts: false })).toEqual([undefined, 1])
})

test('more than 64 MiB are refused before the first byte, and one case is read however long', async () => {
  const eactIds = [await commented(1, 10), await commented(1, 10)]
  const [first] = eactIds
  // 1,030 comments of 64 KiB, by SQL and in one tag for the sake of time: no word is left to be found.
  await world.pools.jobs.query(
    `insert into case_texts (case_id, text, original, is_internal, is_external_update, created_at_ms)
     select $1, '<' || repeat('x', 65520) || '>', '', true, false, 0 from generate_series(1, 1030) n`,
    [first],
  )
  const refused = await world.find({ eactIds })
  expect(refused.status).toBe(400)
  expect(refused.body.detail).toMatch(/have 6\d MiB; ask for fewer cases, or set getTexts to false/)
  expect((await world.find({ eactIds, getTexts: false })).body).toHaveLength(2)
  const { body } = await world.find({ eactIds: [first] })
  expect(body[0].texts).toHaveLength(1_031)
})

test('who read which cases is in the audit trail, a page as well', async () => {
  const eactIds = [await commented(1, 10), await commented(1, 10)]
  await world.find({ eactIds })
  const { rows } = await world.pools.jobs.query<{ ids: string[] }>(
    `select ids from audit_records where object = 'case' and action = 'read' order by number desc limit 1`,
  )
  expect(rows[0]?.ids.map(Number)).toEqual(eactIds.toReversed())
})
