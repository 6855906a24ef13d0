/** §2.6, §4.2: activities by id and by link. */
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { bring } from './place/mail.ts'
import {
  type Activity,
  activitiesOf,
  type Case,
  caseNamed,
  changeCase,
  type Desk,
  makeCase,
  openDesk,
  sourcesOf,
} from './place/records.ts'

/** What the list shows without a case's title, which is another's. */
const SUBJECT = 'A thread of activities'
let root: Desk
/** Each test has a credential of its own. */
let desk: Desk
/** A case that an email opened, with a second email in the thread, a sub-case, a member, a tag and a file. */
let whole: Case
let part: Case
let conversation: number
let emails: number[]

beforeAll(async () => {
  root = await openDesk('activities')
  desk = root
  await bring({ from: 'arne@acts.example', subject: SUBJECT, id: 'first@acts.example' })
  await bring({ from: 'arne@acts.example', subject: `Re: ${SUBJECT}`, answers: 'first@acts.example' })
  const { eactId } = await caseNamed(desk, SUBJECT)
  part = await makeCase(desk, { description: 'Part of activities' })
  const body = { type: 16 as const, from: { eactId: part.eactId }, to: { eactId } }
  await desk.client.ask('PUT /rest/svcems/activitylinks', { body })
  const form = new FormData()
  form.append('files', new Blob(['of activities']), 'of-activities.txt')
  await desk.raw('POST', `/rest/core/corefile?tblId=35007&type=3&id=${eactId}`, form)
  const users = await desk.client.ask('GET /rest/core/users', { query: { size: 1_000 } })
  const { userId } = users.find(({ userName }) => userName === 'ruth')!
  whole = await changeCase(desk, eactId, { emsTags: ['of-acts'], members: [{ role: 2, user: { userId } }] })
  conversation = sourcesOf(whole, 14)[0]!
  emails = sourcesOf((await activitiesOf(desk, conversation))[0]!, 13)
})

beforeEach(async () => {
  desk = await root.another()
})

const idsOf = (body: unknown) => (body as Activity[]).map(({ eactId }) => eactId)
const link = (type: number, from: number, to: number) => ({ type, from: { eactId: from }, to: { eactId: to } })
const list = (query: string) => desk.raw('GET', `/rest/svcems/activities?${query}`)
const search = (body: unknown) => desk.raw('POST', '/rest/svcems/activities/search', body)

describe('emails and conversations', () => {
  test('each says what it is, and what links where [acc 90, 91, 92, 95, 96, 97 by HTTP, SMTP]', async () => {
    expect(emails).toHaveLength(2)
    const [first, second] = emails as [number, number]
    const found = await activitiesOf(desk, conversation, whole.eactId, part.eactId, ...emails)
    const by = new Map(found.map((one) => [one.eactId, one]))
    const typeOf = (eactId: number) => by.get(eactId)!.activityType.eatyId
    expect([first, second, whole.eactId, part.eactId, conversation].map(typeOf)).toEqual([11, 11, 15, 15, 21])
    const toConversation = emails.map((one) => link(13, one, conversation))
    const toCase = link(14, conversation, whole.eactId)
    expect(by.get(first)!.links).toEqual([toConversation[0]])
    expect(by.get(second)!.links).toEqual([toConversation[1]])
    expect(by.get(conversation)!.links).toEqual([...toConversation, toCase])
    expect(by.get(part.eactId)!.links).toEqual([link(16, part.eactId, whole.eactId)])
    expect(by.get(whole.eactId)!.links).toEqual([toCase, link(16, part.eactId, whole.eactId)])
    expect(whole.links).toEqual(by.get(whole.eactId)!.links)
  })

  test('a conversation is one thread: not one subject, and not one sender [acc 96, 98 by HTTP, SMTP]', async () => {
    const [from, subject] = ['thea@threads.example', 'Threads of 98']
    await bring({ from, subject, id: 'one@threads.example' })
    const opened = await caseNamed(desk, subject)
    // The same subject and sender again; and an answer of somebody else, with another subject.
    await bring({ from, subject, id: 'other@threads.example' })
    await bring({
      from: 'uwe@threads.example',
      subject: 'Quite another',
      id: 'two@threads.example',
      answers: 'one@threads.example',
    })
    await bring({ from, subject: 'Third', id: 'three@threads.example', answers: 'two@threads.example' })
    const cases = await desk.client.ask('POST /rest/svcems/cases/search', { body: { text: subject } })
    expect(cases).toHaveLength(2)
    const threads = await Promise.all(
      cases.map(async (one) => {
        const [talk] = await activitiesOf(desk, ...sourcesOf(one, 14))
        const letters = await activitiesOf(desk, ...sourcesOf(talk!, 13))
        return [one.eactId, letters.map((letter) => letter.subject).reverse()] as const
      }),
    )
    const [other] = cases.filter(({ eactId }) => eactId !== opened.eactId)
    expect(Object.fromEntries(threads)).toEqual({
      [opened.eactId]: [subject, 'Quite another', 'Third'],
      [other!.eactId]: [subject],
    })
  })

  test('an email outside any case has no link of type 14 [acc 97 by HTTP, SMTP]', async () => {
    await bring({ from: 'otto@outside.example', subject: 'Outside any case' })
    const opened = await caseNamed(desk, 'Outside any case')
    const [talk] = sourcesOf(opened, 14)
    await desk.client.ask('DELETE /rest/svcems/activitylinks', { query: { type: 14, from: talk!, to: opened.eactId } })
    const [outside] = await activitiesOf(desk, talk!)
    expect(outside!.links).toEqual([link(13, outside!.links[0]!.from.eactId, talk!)])
    const filter = { eactIds: [talk!], linkTypes: [14] }
    expect((await search({ activityLinkFilters: [filter] })).body).toEqual([])
    const [left] = await desk.client.ask('POST /rest/svcems/cases/search', { body: { eactIds: [opened.eactId] } })
    expect(left!.links).toEqual([])
  })
})

describe('by id', () => {
  test('one id gives one activity, a list gives each once [acc 177, 178 by HTTP]', async () => {
    const one = await list(`eactId=${emails[1]}`)
    expect(one.status).toBe(200)
    expect(one.body).toMatchObject([{ eactId: emails[1], activityType: { eatyId: 11 }, subject: `Re: ${SUBJECT}` }])
    const several = await list(`eactId=${emails[0]},${whole.eactId},${conversation},${emails[0]},999999999`)
    expect(idsOf(several.body).sort()).toEqual([emails[0], whole.eactId, conversation].sort())
    expect((await list('')).status).toBe(400)
    expect((await list('eactId=one')).status).toBe(400)
  })

  test('members, files and tags come when they are asked for, and only then [acc 180, 181, 182 by HTTP]', async () => {
    const parts = {
      getMembers: ['members', [{ role: 2, user: { userName: 'ruth' }, startTs: expect.any(String), endTs: null }]],
      getFiles: ['coreFileReferences', [{ type: 3, fileName: 'of-activities.txt', cfreId: expect.any(Number) }]],
      getEmsTags: ['emsTags', [{ name: 'of-acts' }]],
    } as const
    const names = Object.values(parts).map(([name]) => name)
    for (const [flag, [name, shown]] of Object.entries(parts)) {
      const others = names.filter((each) => each !== name)
      const [asked] = (await list(`eactId=${whole.eactId}&${flag}=true`)).body as Activity[]
      expect(asked).toMatchObject({ [name]: shown })
      for (const other of others) expect(asked).not.toHaveProperty(other)
      const [notAsked] = (await list(`eactId=${whole.eactId}&${flag}=false`)).body as Activity[]
      for (const each of names) expect(notAsked).not.toHaveProperty(each)
      expect((await list(`eactId=${whole.eactId}&${flag}=maybe`)).status).toBe(400)
    }
    const [bare] = (await list(`eactId=${whole.eactId}`)).body as Activity[]
    for (const each of names) expect(bare).not.toHaveProperty(each)
    const all = await list(`eactId=${whole.eactId}&getMembers=true&getFiles=true&getEmsTags=true`)
    expect(all.body).toMatchObject([Object.fromEntries(Object.values(parts))])
  })

  test('a window shows its rows, the header says how many there are [acc 183, 184 by HTTP]', async () => {
    const ids = [...emails, conversation, part.eactId, whole.eactId]
    const all = await list(`eactId=${ids}&limitFrom=0&limitTo=1000`)
    expect(all.status).toBe(200)
    expect([...idsOf(all.body)].sort()).toEqual([...ids].sort())
    expect(all.headers.get('svc-total-found')).toBe('5')
    const some = await list(`eactId=${ids}&limitFrom=1&limitTo=3`)
    expect(idsOf(some.body)).toEqual(idsOf(all.body).slice(1, 3))
    expect(some.headers.get('svc-total-found')).toBe('5')
    const past = await list(`eactId=${ids}&limitFrom=5&limitTo=1000`)
    expect([past.status, past.body, past.headers.get('svc-total-found')]).toEqual([200, [], '5'])
    expect((await list('eactId=999999999')).headers.get('svc-total-found')).toBe('0')
    for (const wrong of ['limitFrom=a&limitTo=9', 'limitFrom=0&limitTo=1.5', 'limitFrom=-1&limitTo=5']) {
      expect((await list(`eactId=${ids}&${wrong}`)).status).toBe(400)
    }
  })
})

describe('by search', () => {
  test('ids find a list of those activities [acc 187, 190 by HTTP]', async () => {
    const { status, body } = await search({ eactIds: [whole.eactId, emails[0], 999_999_999] })
    expect(status).toBe(200)
    expect(Array.isArray(body)).toBe(true)
    expect(body).toEqual((await list(`eactId=${whole.eactId},${emails[0]}`)).body)
    expect(idsOf(body)).toHaveLength(2)
    expect((await search({})).status).toBe(400)
    expect((await search({ eactId: [whole.eactId] })).status).toBe(400)
  })

  test('FROM finds what an activity links from and what links from it [acc 188, 189, 190, 226 by HTTP]', async () => {
    const linked = async (...filters: unknown[]) => idsOf((await search({ activityLinkFilters: filters })).body).sort()
    const from = (eactIds: number[], linkTypes?: number[]) => ({ eactIds, linkTypes, linkDirection: 'FROM' })
    const thread = [...emails].sort()
    expect(await linked(from([conversation], [13]))).toEqual(thread)
    expect(await linked(from([emails[0]!], [13]))).toEqual([conversation])
    expect(await linked(from([conversation], [14]))).toEqual([whole.eactId])
    expect(await linked(from([part.eactId], [16]))).toEqual([whole.eactId])
    expect(await linked(from([part.eactId], [13, 14]))).toEqual([])
    expect(await linked(from([conversation], [13, 14]))).toEqual([...thread, whole.eactId].sort())
    expect(await linked(from([conversation]))).toEqual([...thread, whole.eactId].sort())
    expect(await linked(from([emails[0]!, part.eactId], [13, 16]))).toEqual([conversation, whole.eactId].sort())
    // Several filters: whatever any of them finds, once.
    expect(await linked(from([emails[0]!], [13]), from([emails[1]!], [13]), from([part.eactId], [16]))).toEqual(
      [conversation, whole.eactId].sort(),
    )
    // TO finds sources alone.
    const to = (eactIds: number[], linkTypes: number[]) => ({ eactIds, linkTypes, linkDirection: 'TO' })
    expect(await linked(to([conversation], [13]))).toEqual(thread)
    expect(await linked(to([emails[0]!], [13]))).toEqual([])
    expect(await linked(to([whole.eactId], [14, 16]))).toEqual([conversation, part.eactId].sort())
    for (const wrong of [
      { linkTypes: [13] },
      { eactIds: [1], linkDirection: 'AWAY' },
      { eactIds: [1], linkTypes: [99] },
    ]) {
      expect((await search({ activityLinkFilters: [wrong] })).status).toBe(400)
    }
  })
})
