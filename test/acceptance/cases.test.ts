/** §2.7, §4.5: creating, changing and finding cases. */
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { queueOf } from './place/campaigns.ts'
import {
  activitiesOf,
  type Case,
  caseOf,
  changeCase,
  type Desk,
  makeCase,
  openDesk,
  sourcesOf,
} from './place/records.ts'

/** A user and a system; each test has credentials of its own. */
let roots: readonly Desk[]
let rosa: Desk
let system: Desk
/** Of rosa. */
let userId: number
let ucquId: number

beforeAll(async () => {
  roots = [await openDesk('rosa', '--user', 'rosa'), await openDesk('cases')]
  ;[rosa, system] = [roots[0]!, roots[1]!]
  userId = rosa.userId!
  ucquId = await queueOf(rosa.client, 'records')
})

beforeEach(async () => {
  ;[rosa, system] = [await roots[0]!.another(), await roots[1]!.another()]
})

const instant = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)

async function category(name: string): Promise<number> {
  return (await system.client.ask('POST /rest/svcems/categories', { body: { name } })).ctnoId
}

async function priority(name: string): Promise<number> {
  return (await system.client.ask('POST /rest/svcems/priorities', { body: { name, level: 77 } })).emprId
}

describe('a new case', () => {
  test('carries what it was given [acc 105-107, 109, 110, 112, 114-116, 122, 209, 214-217 by HTTP]', async () => {
    const [ctnoId, empriId] = [await category('Claims of 105'), await priority('Urgent of 105')]
    const status = await system.client.ask('POST /rest/svcems/statuses', {
      body: { name: 'Waits 105', internalStatus: 7 },
    })
    const beforeMs = Date.now()
    const answer = await rosa.raw('POST', '/rest/svcems/case', {
      description: 'Rent of January <105>',
      status: 7,
      corporation: { corpId: 1 },
      emsStatus: { emstId: status.emstId },
      queue: { ucquId },
      category: { ctnoId },
      priority: { empriId },
    })
    expect(answer.status).toBe(200)
    const made = answer.body as Case
    expect(made).toMatchObject({
      eactId: expect.any(Number),
      corporation: { corpId: 1 },
      activityType: { eatyId: 15 },
      seqNo: expect.any(Number),
      description: 'Rent of January <105>',
      status: 7,
      creationTs: instant,
      creator: { userId, userName: 'rosa' },
      category: { ctnoId, name: 'Claims of 105' },
      priority: { emprId: empriId, name: 'Urgent of 105', level: 77 },
      emsStatus: { emstId: status.emstId, name: 'Waits 105', internalStatus: 7 },
      queue: { ucquId, name: 'records' },
    })
    expect(Date.parse(made.creationTs!)).toBeGreaterThanOrEqual(beforeMs)
    expect(Date.parse(made.creationTs!)).toBeLessThanOrEqual(Date.now())
    expect(await caseOf(rosa, made.eactId)).toEqual(made)
    // Nobody is a user who is none.
    expect((await makeCase(system)).creator).toBeNull()
  })

  test('that is given nothing more has nothing more [acc 211, 213, 214, 215, 216 by HTTP]', async () => {
    expect(await makeCase(rosa, { description: 'Bare' })).toMatchObject({
      description: 'Bare',
      category: null,
      queue: null,
      entityExtension: null,
      emsStatus: { default: true, internalStatus: 1 },
      priority: { default: true },
      deadlineTs: null,
      onHoldToTs: null,
      members: [],
      links: [],
      texts: [],
      emsTags: [],
      coreFileReferences: [],
      propValues: [],
    })
  })

  test('title, status from 1 to 8 and owner are required [acc 211 by HTTP]', async () => {
    const whole = { description: 'Needs them', status: 1, corporation: { corpId: 1 } }
    const refusals = await Promise.all([
      ...Object.keys(whole).map(async (name) => [name, { ...whole, [name]: undefined }] as const),
      ['description', { ...whole, description: '  ' }] as const,
      ['description', { ...whole, description: {} }] as const,
      ...[0, 9, -1, 1.5, 'open'].map((status) => ['status', { ...whole, status }] as const),
      ['corporation', { ...whole, corporation: { corpId: 999_999 } }] as const,
      ['corporation', { ...whole, corporation: {} }] as const,
    ])
    for (const [name, body] of refusals) {
      const { status, body: problem } = await rosa.raw('POST', '/rest/svcems/case', body)
      expect({ body, status }).toEqual({ body, status: 400 })
      expect(JSON.stringify(problem)).toContain(name)
    }
    const found = await rosa.client.ask('POST /rest/svcems/cases/search', { body: { text: whole.description } })
    expect(found).toEqual([])
    for (const status of [1, 2, 3, 4, 6, 7]) expect(await makeCase(rosa, { status })).toMatchObject({ status })
    const onHoldToTs = '2099-01-02T03:04:05.678Z'
    expect(await makeCase(rosa, { status: 8, onHoldToTs })).toMatchObject({ status: 8, onHoldToTs })
    // Merged is what a case becomes with another one.
    expect((await rosa.raw('POST', '/rest/svcems/case', { ...whole, status: 5 })).status).toBe(400)
  })

  test('references to nothing are refused, and nothing is created [acc 213, 214, 215, 216 by HTTP]', async () => {
    const whole = { description: 'Refers to nothing', status: 1, corporation: { corpId: 1 } }
    const wrong = [
      { emsStatus: { emstId: 99_999_999 } },
      { queue: { ucquId: 99_999_999 } },
      { category: { ctnoId: 99_999_999 } },
      { priority: { empriId: 99_999_999 } },
    ]
    for (const one of wrong) {
      expect({ one, is: (await rosa.raw('POST', '/rest/svcems/case', { ...whole, ...one })).status }).toEqual({
        one,
        is: 400,
      })
    }
    const found = await rosa.client.ask('POST /rest/svcems/cases/search', { body: { text: whole.description } })
    expect(found).toEqual([])
  })

  test('the id of the case works in all later operations [acc 217 by HTTP]', async () => {
    const answer = await rosa.raw('POST', '/rest/svcems/case', {
      description: 'Its id',
      status: 1,
      corporation: { corpId: 1 },
    })
    const { eactId } = answer.body as { eactId: number }
    const form = new FormData()
    form.append('files', new Blob(['of 217']), 'letter.txt')
    const comment = { text: 'Of 217', activity: { eactId } }
    const uses = [
      rosa.raw('POST', '/rest/svcems/cases/search', { eactIds: [eactId] }),
      rosa.raw('POST', '/rest/svcems/case', { eactId, description: 'Its id, changed' }),
      rosa.raw('POST', '/rest/svcems/activitytexts', comment),
      rosa.raw('POST', `/rest/core/corefile?tblId=35007&type=3&id=${eactId}`, form),
      rosa.raw('GET', `/rest/svcems/activities?eactId=${eactId}`),
      rosa.raw('POST', '/rest/svcems/activities/search', { eactIds: [eactId] }),
    ]
    for (const used of await Promise.all(uses)) {
      expect(used.status).toBe(200)
      expect(JSON.stringify(used.body)).toContain(`"eactId":${eactId}`)
    }
    expect(await caseOf(rosa, eactId)).toMatchObject({
      description: 'Its id, changed',
      texts: [{ text: 'Of 217' }],
      coreFileReferences: [{ fileName: 'letter.txt' }],
    })
  })
})

describe('changing', () => {
  test('a change with an id changes that case, and in it what it names [acc 106, 109, 210 by HTTP]', async () => {
    const [ctnoId, empriId] = [await category('Claims of 210'), await priority('Urgent of 210')]
    const fields = {
      queue: { ucquId },
      category: { ctnoId },
      priority: { empriId },
      deadlineTs: '2031-05-06T07:08:09.010Z',
    }
    const before = await makeCase(rosa, { description: 'Before 210', ...fields })
    const bystander = await makeCase(rosa, { description: 'Bystander of 210' })
    const answer = await system.raw('POST', '/rest/svcems/case', { eactId: before.eactId, description: 'After 210' })
    expect(answer.status).toBe(200)
    const after = answer.body as Case
    const { description: _, updateTs, logs, ...others } = before
    expect(after).toMatchObject({ ...others, description: 'After 210' })
    expect(after.logs.length).toBe(logs.length + 1)
    expect(Date.parse(after.updateTs!)).toBeGreaterThan(Date.parse(updateTs!))
    expect(await caseOf(rosa, before.eactId)).toEqual(after)
    expect(await caseOf(rosa, bystander.eactId)).toEqual(bystander)
    // Null clears.
    const cleared = { category: null, queue: null, deadlineTs: null, description: 'After 210' }
    const bare = await changeCase(rosa, before.eactId, { category: null, queue: null, deadlineTs: null })
    expect(bare).toMatchObject({ ...cleared, priority: { emprId: empriId } })
    // The owner stays.
    const away = await rosa.raw('POST', '/rest/svcems/case', {
      eactId: before.eactId,
      corporation: { corpId: 999_999 },
    })
    expect(away.status).toBe(404)
  })

  test('a change of a case that is not there creates none [acc 210 by HTTP]', async () => {
    const body = { eactId: 999_999_999, description: 'Nowhere 210', status: 1, corporation: { corpId: 1 } }
    expect((await rosa.raw('POST', '/rest/svcems/case', body)).status).toBe(404)
    const found = await rosa.client.ask('POST /rest/svcems/cases/search', { body: { text: 'Nowhere 210' } })
    expect(found).toEqual([])
  })

  test('the priority is written in either spelling and read in one [acc 115, 216 by HTTP]', async () => {
    const [first, second] = [await priority('First of 115'), await priority('Second of 115')]
    const made = await rosa.raw('POST', '/rest/svcems/case', {
      description: 'Of 115',
      status: 1,
      corporation: { corpId: 1 },
      priority: { empriId: first },
    })
    expect(made.body).toMatchObject({ priority: { emprId: first } })
    const { eactId } = made.body as Case
    expect(await changeCase(rosa, eactId, { priority: { emprId: second } })).toMatchObject({
      priority: { emprId: second },
    })
    expect(await changeCase(rosa, eactId, { priority: { empriId: first } })).toMatchObject({
      priority: { emprId: first },
    })
    const [activity] = (await rosa.raw('POST', '/rest/svcems/cases/search', { eactIds: [eactId] })).body as Case[]
    expect(activity!.priority.emprId).toBe(first)
  })
})

describe('finding', () => {
  test('ids find those cases with their links, in every spelling of the path [acc 207, 208 by HTTP]', async () => {
    const [whole, part, other] = [await makeCase(rosa), await makeCase(rosa), await makeCase(rosa)]
    const body = { type: 16 as const, from: { eactId: part.eactId }, to: { eactId: whole.eactId } }
    await rosa.client.ask('PUT /rest/svcems/activitylinks', { body })
    const link = { type: 16, from: { eactId: part.eactId }, to: { eactId: whole.eactId } }
    const eactIds = [whole.eactId, part.eactId, 999_999_999]
    for (const path of ['/svcems/cases/search', '/rest/svcems/cases/search', '/itxems/cases/search']) {
      const { status, body: found } = await rosa.raw('POST', path, { eactIds })
      expect(status).toBe(200)
      const cases = found as Case[]
      expect(cases.map(({ eactId }) => eactId).sort()).toEqual([whole.eactId, part.eactId].sort())
      for (const one of cases) expect(one.links).toEqual([link])
    }
    const both = await rosa.client.ask('POST /rest/svcems/cases/search', { body: { eactIds: [other.eactId] } })
    expect(both).toEqual([other])
    expect((await rosa.raw('POST', '/svcems/cases/search', {})).status).toBe(400)
  })

  test('a comment with HTML is among the texts of the case [acc 127, 218, 219, 220 by HTTP]', async () => {
    const { eactId } = await makeCase(rosa)
    const text = '<p>Paid on <b>Friday</b>, see <ul><li>the list</li></ul></p>'
    const { status, body } = await rosa.raw('POST', '/rest/svcems/activitytexts', { text, activity: { eactId } })
    expect(status).toBe(200)
    await system.raw('POST', '/svcems/activitytexts', {
      text: 'Nothing <script>alert(1)</script>more',
      activity: { eactId },
    })
    const { texts } = await caseOf(rosa, eactId)
    expect(texts).toMatchObject([
      {
        text: expect.stringMatching(/^<p>Paid on <b>Friday<\/b>, see .*<ul><li>the list<\/li><\/ul>/),
        creator: { userId },
      },
      { text: 'Nothing more', creator: null },
    ])
    expect(texts[0]).toEqual(body)
    expect(texts[0]).toMatchObject({ activity: { eactId }, creationTs: instant })
    for (const wrong of [
      { text: 'To nobody', activity: { eactId: 999_999_999 } },
      { text: 'To nothing' },
      { activity: { eactId } },
    ]) {
      expect((await rosa.raw('POST', '/rest/svcems/activitytexts', wrong)).status).toBeGreaterThanOrEqual(400)
    }
    expect((await caseOf(rosa, eactId)).texts).toHaveLength(2)
  })

  test('a case is an activity of type 15 with the same number everywhere [acc 91, 105, 107 by HTTP]', async () => {
    const { eactId } = await makeCase(rosa, { description: 'An activity' })
    const [activity] = await activitiesOf(rosa, eactId)
    expect(activity).toMatchObject({ eactId, activityType: { eatyId: 15 }, subject: 'An activity', status: 1 })
    expect(sourcesOf(await caseOf(rosa, eactId), 14)).toEqual([])
  })
})
