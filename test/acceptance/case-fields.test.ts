/** §2.7: what a case gathers, its times, its numbers and its log. */
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { bring, sentMails } from './place/mail.ts'
import {
  activitiesOf,
  type Case,
  caseNamed,
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
/** Of rosa and rolf. */
let rosaId: number
let rolfId: number

beforeAll(async () => {
  roots = [await openDesk('rosa', '--user', 'rosa'), await openDesk('case-fields')]
  ;[rosa, system] = [roots[0]!, roots[1]!]
  const users = await rosa.client.ask('GET /rest/core/users', { query: { size: 1_000 } })
  const idOf = (name: string) => users.find(({ userName }) => userName === name)!.userId
  ;[rosaId, rolfId] = [idOf('rosa'), idOf('rolf')]
})

beforeEach(async () => {
  ;[rosa, system] = [await roots[0]!.another(), await roots[1]!.another()]
})

const instant = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
const ms = (text: string | null) => Date.parse(text ?? 'never')

async function status(name: string, internalStatus: number): Promise<number> {
  return (await system.client.ask('POST /rest/svcems/statuses', { body: { name, internalStatus } })).emstId
}

async function upload({ raw }: Desk, eactId: number, fileName: string): Promise<number> {
  const form = new FormData()
  form.append('files', new Blob([`bytes of ${fileName}`]), fileName)
  const { body } = await raw('POST', `/rest/core/corefile?tblId=35007&type=3&id=${eactId}`, form)
  return (body as { cfreId: number }[])[0]!.cfreId
}

/** An email from the case to somebody, from whom nothing came yet. */
async function send(desk: Desk, eactId: number, address: string, subject: string) {
  const body = { activity: { eactId }, to: [{ address }], subject, text: `About ${subject}.` }
  return desk.client.ask('POST /rest/svcems/emails', { body })
}

test('a case gathers emails, comments, files, sub-cases and logs [acc 19, 126, 127, 130 by HTTP, SMTP]', async () => {
  const subject = 'The heating of flat 19'
  await bring({ from: 'gunda@tenants.example', subject, id: 'first-19@tenants.example' })
  const { eactId } = await caseNamed(rosa, subject)
  await bring({ from: 'gunda@tenants.example', subject: `Re: ${subject}`, answers: 'first-19@tenants.example' })
  await send(rosa, eactId, 'craftsman@heating.example', 'Please repair')
  await rosa.raw('POST', '/rest/svcems/activitytexts', { text: 'Cold since Monday', activity: { eactId } })
  const cfreId = await upload(rosa, eactId, 'boiler.txt')
  const part = await makeCase(rosa, { description: 'Order a valve' })
  const body = { type: 16 as const, from: { eactId: part.eactId }, to: { eactId } }
  await rosa.client.ask('PUT /rest/svcems/activitylinks', { body })
  await changeCase(rosa, eactId, { status: 7 })

  const whole = await caseOf(rosa, eactId)
  expect(sourcesOf(whole, 16)).toEqual([part.eactId])
  const conversations = await activitiesOf(rosa, ...sourcesOf(whole, 14))
  expect(conversations.map(({ activityType }) => activityType.eatyId)).toEqual([21, 21])
  const emails = conversations.flatMap((one) => sourcesOf(one, 13))
  expect(await activitiesOf(rosa, ...emails)).toMatchObject([
    { activityType: { eatyId: 11 }, direction: 2, subject: expect.stringMatching(/Please repair$/) },
    { activityType: { eatyId: 11 }, direction: 1, subject: `Re: ${subject}` },
    { activityType: { eatyId: 11 }, direction: 1, subject },
  ])
  expect(whole.texts).toMatchObject([{ text: 'Cold since Monday' }])
  expect(whole.coreFileReferences).toMatchObject([{ cfreId, type: 3, fileName: 'boiler.txt' }])
  expect(whole.logs.map(({ what }) => what)).toEqual(expect.arrayContaining(['created', 'link', 'files', 'status']))
  await expect.poll(sentMails).toContainEqual(expect.stringContaining('craftsman@heating.example'))
})

describe('numbers', () => {
  test('case numbers have no gaps and no repeats, however many are refused [acc 108 by HTTP]', async () => {
    const first = await makeCase(rosa)
    const next = await makeCase(system)
    expect(next.seqNo).toBeGreaterThan(first.seqNo)
    const body = { description: 'One of many', status: 1, corporation: { corpId: 1 } }
    const refused = [
      { category: { ctnoId: 99_999_999 } },
      { queue: { ucquId: 99_999_999 } },
      { members: [{ role: 1, user: { userId: 99_999_999 } }] },
      { propValues: [{ emprId: 99_999_999, value: 'x' }] },
      { status: 8 },
      { entityExtension: { eeexId: 99_999_999 } },
    ]
    const desks = [rosa, system, await rosa.another(), await system.another()]
    const all = Array.from({ length: 48 }, (_, place) => {
      const wrong = place % 2 === 1 ? refused[((place - 1) / 2) % refused.length] : {}
      return desks[Math.floor(place / 2) % 4]!.raw('POST', '/rest/svcems/case', { ...body, ...wrong })
    })
    const answers = await Promise.all(all)
    expect(answers.map((answer) => answer.status)).toEqual(answers.map((_, place) => (place % 2 === 1 ? 400 : 200)))
    const made = answers.filter(({ status: code }) => code === 200).map((answer) => (answer.body as Case).seqNo)
    expect(new Set(made).size).toBe(24)
    // Others make cases too: every number in between is a case, and one.
    const last = (await makeCase(rosa)).seqNo
    expect(Math.max(...made)).toBeLessThan(last)
    const seqNos = Array.from({ length: last - first.seqNo + 1 }, (_, place) => first.seqNo + place)
    const found = await rosa.client.ask('POST /rest/svcems/cases/search', { body: { seqNos, limitTo: 1_000 } })
    expect(found.map(({ seqNo }) => seqNo).sort((one, other) => one - other)).toEqual(seqNos)
  })
})

describe('times', () => {
  test('an update of a linked activity is none of the case [acc 110, 111, 119 by HTTP, SMTP]', async () => {
    const subject = 'Times of 111'
    await bring({ from: 'tina@times.example', subject, id: 'first-111@times.example' })
    const opened = await caseNamed(rosa, subject)
    const { eactId } = opened
    expect(opened.updateTs).toEqual(instant)
    const part = await makeCase(rosa)
    const body = { type: 16 as const, from: { eactId: part.eactId }, to: { eactId } }
    await rosa.client.ask('PUT /rest/svcems/activitylinks', { body })
    const before = await caseOf(rosa, eactId)
    await bring({
      from: 'tina@times.example',
      subject,
      id: 'second-111@times.example',
      answers: 'first-111@times.example',
    })
    await changeCase(rosa, part.eactId, { description: 'A part that changed' })
    const after = await caseOf(rosa, eactId)
    expect(after).toEqual({ ...before, externalUpdateTs: after.externalUpdateTs })
    expect(ms(after.externalUpdateTs)).toBeGreaterThan(ms(before.externalUpdateTs))
    const changed = await changeCase(rosa, eactId, { deadlineTs: '2031-02-03T04:05:06.007Z' })
    expect(ms(changed.updateTs)).toBeGreaterThan(ms(after.updateTs))
    expect(changed.creationTs).toBe(opened.creationTs)
    // The same again is no change.
    const same = await changeCase(rosa, eactId, { deadlineTs: '2031-02-03T04:05:06.007Z' })
    expect(same.updateTs).toBe(changed.updateTs)
  })

  test('the time of the last status change is that, and no other [acc 117 by HTTP]', async () => {
    const other = await status('Open of 117', 1)
    const made = await makeCase(rosa)
    expect(made.emsStatusChangeTs).toBe(made.creationTs)
    const titled = await changeCase(rosa, made.eactId, { description: 'Another title' })
    expect(titled.emsStatusChangeTs).toBe(made.emsStatusChangeTs)
    // A custom status is a status as well, though the internal one stays.
    const beforeMs = Date.now()
    const moved = await changeCase(rosa, made.eactId, { emsStatus: { emstId: other } })
    expect(moved).toMatchObject({ status: 1, emsStatus: { emstId: other } })
    expect(ms(moved.emsStatusChangeTs)).toBeGreaterThanOrEqual(beforeMs)
    const closed = await changeCase(rosa, made.eactId, { status: 2 })
    expect(ms(closed.emsStatusChangeTs)).toBeGreaterThan(ms(moved.emsStatusChangeTs))
    expect((await changeCase(rosa, made.eactId, { status: 2 })).emsStatusChangeTs).toBe(closed.emsStatusChangeTs)
  })

  test('communication of ours and from outside have their own last time [acc 118, 119 by HTTP, SMTP]', async () => {
    const made = await makeCase(rosa, { description: 'Communication of 118' })
    expect(made).toMatchObject({ internalUpdateTs: null, externalUpdateTs: null })
    expect(await changeCase(rosa, made.eactId, { description: 'Communication 118' })).toMatchObject({
      internalUpdateTs: null,
    })
    const beforeMs = Date.now()
    const { messageId } = await send(rosa, made.eactId, 'karl@comm.example', 'Your question')
    const sent = await caseOf(rosa, made.eactId)
    expect(sent).toMatchObject({ internalUpdateTs: instant, externalUpdateTs: null })
    expect(ms(sent.internalUpdateTs)).toBeGreaterThanOrEqual(beforeMs)
    await bring({
      from: 'karl@comm.example',
      subject: 'Re: Your question',
      id: 'karl-118@comm.example',
      answers: messageId,
    })
    const answered = await caseOf(rosa, made.eactId)
    expect(answered.internalUpdateTs).toBe(sent.internalUpdateTs)
    expect(ms(answered.externalUpdateTs)).toBeGreaterThanOrEqual(ms(sent.internalUpdateTs))
    await send(rosa, made.eactId, 'karl@comm.example', 'Your other question')
    const again = await caseOf(rosa, made.eactId)
    expect(again.externalUpdateTs).toBe(answered.externalUpdateTs)
    expect(ms(again.internalUpdateTs)).toBeGreaterThan(ms(sent.internalUpdateTs))
  })

  test('deadline and hold are set, changed and cleared [acc 120, 123, 124 by HTTP]', async () => {
    const hold = { status: 8, onHoldToTs: '2091-02-03T04:05:06.007Z', onHoldComment: 'Waits for the bank' }
    const made = await makeCase(rosa, { deadlineTs: '2032-01-02T03:04:05.006+01:00', ...hold })
    expect(made).toMatchObject({ ...hold, deadlineTs: '2032-01-02T02:04:05.006Z' })
    const later = { onHoldToTs: '2092-02-03T04:05:06.007Z', onHoldComment: 'Waits for the court' }
    expect(await changeCase(rosa, made.eactId, later)).toMatchObject({ ...hold, ...later })
    const freed = await changeCase(rosa, made.eactId, { status: 1, deadlineTs: null })
    expect(freed).toMatchObject({ deadlineTs: null, onHoldToTs: null, onHoldComment: null })
    for (const onHoldToTs of [undefined, null, '2001-02-03T04:05:06Z', 'soon']) {
      const refused = await rosa.raw('POST', '/rest/svcems/case', { eactId: made.eactId, status: 8, onHoldToTs })
      expect({ onHoldToTs, status: refused.status }).toEqual({ onHoldToTs, status: 400 })
    }
    expect((await caseOf(rosa, made.eactId)).status).toBe(1)
  })
})

test('the last open status is the most recent one [acc 121 by HTTP, SMTP]', async () => {
  const [first, second] = [await status('Open of 121', 1), await status('Also open of 121', 1)]
  const subject = 'Open in three ways'
  await bring({ from: 'olga@open.example', subject, id: 'first-121@open.example' })
  const { eactId, emsStatus } = await caseNamed(rosa, subject)
  expect(await caseOf(rosa, eactId)).toMatchObject({ emsStatusLastOpen: { emstId: emsStatus.emstId, default: true } })
  for (const emstId of [second, first]) {
    const opened = await changeCase(rosa, eactId, { emsStatus: { emstId } })
    expect(opened.emsStatusLastOpen).toMatchObject({ emstId, internalStatus: 1 })
  }
  for (const other of [7, 3, 2]) {
    expect(await changeCase(rosa, eactId, { status: other })).toMatchObject({ emsStatusLastOpen: { emstId: first } })
  }
  await bring({ from: 'olga@open.example', subject, answers: 'first-121@open.example' })
  expect(await caseOf(rosa, eactId)).toMatchObject({ status: 1, emsStatus: { emstId: first } })
})

test('tags and properties of users are kept, replaced and removed [acc 129, 131 by HTTP]', async () => {
  const field = async (name: string) =>
    (await system.client.ask('POST /rest/svcems/infofields', { body: { name } })).emprId
  const [court, plate] = [await field('Court of 131'), await field('Number plate of 131')]
  const made = await makeCase(rosa, {
    emsTags: ['urgent-129', { name: 'rent-129' }],
    propValues: [
      { emprId: court, value: 'Aarhus' },
      { emprId: plate, value: 'AB 12 345' },
    ],
  })
  expect(made.emsTags).toEqual([
    { id: expect.any(Number), name: 'rent-129' },
    { id: expect.any(Number), name: 'urgent-129' },
  ])
  expect(made.propValues).toEqual([
    { emprId: court, name: 'Court of 131', value: 'Aarhus' },
    { emprId: plate, name: 'Number plate of 131', value: 'AB 12 345' },
  ])
  const changed = await changeCase(rosa, made.eactId, {
    emsTags: ['rent-129', 'flat-129'],
    propValues: [{ emprId: court, value: 'Odense' }],
  })
  expect(changed.emsTags.map(({ name }) => name)).toEqual(['flat-129', 'rent-129'])
  expect(changed.emsTags[1]!.id).toBe(made.emsTags[0]!.id)
  expect(changed.propValues.map(({ value }) => value)).toEqual(['Odense', 'AB 12 345'])
  const cleared = await changeCase(rosa, made.eactId, { emsTags: [], propValues: [{ emprId: court, value: null }] })
  expect(cleared).toMatchObject({ emsTags: [], propValues: [{ emprId: plate, value: 'AB 12 345' }] })
  expect(await caseOf(rosa, made.eactId)).toEqual(cleared)
})

describe('the log', () => {
  const about = ({ logs }: Case, what: string) => logs.filter((log) => log.what === what)

  test('each change of status or assignee writes one record [acc 128 by HTTP, SMTP]', async () => {
    const custom = await status('Closed of 128', 2)
    const subject = 'Log of 128'
    await bring({ from: 'lars@log.example', subject, id: 'first-128@log.example' })
    const { eactId, emsStatus } = await caseNamed(rosa, subject)
    expect(about(await caseOf(rosa, eactId), 'status')).toEqual([])
    const open = { status: 1, emsStatus: { emstId: emsStatus.emstId } }
    const closed = { status: 2, emsStatus: { emstId: custom } }
    const moved = await changeCase(rosa, eactId, { emsStatus: { emstId: custom } })
    const byRosa = { what: 'status', oldValue: open, newValue: closed, reason: null, user: { userId: rosaId } }
    expect(about(moved, 'status')).toMatchObject([{ ...byRosa, creationTs: instant }])
    // The same again, and other changes, write none.
    await changeCase(rosa, eactId, { status: 2, description: 'Log 128' })
    await bring({ from: 'lars@log.example', subject, answers: 'first-128@log.example' })
    const reopened = { what: 'status', oldValue: closed, newValue: open, reason: 'incoming update', user: null }
    expect(about(await caseOf(rosa, eactId), 'status')).toMatchObject([byRosa, reopened])

    const assign = (desk: Desk, userId: number) =>
      changeCase(desk, eactId, { members: [{ role: 1, user: { userId } }] })
    await assign(system, rosaId)
    await assign(rosa, rolfId)
    await assign(rosa, rolfId)
    const left = await changeCase(rosa, eactId, { members: [{ role: 1, user: { userId: rolfId }, active: false }] })
    expect(about(left, 'assigned user')).toMatchObject([
      { oldValue: null, newValue: { userId: rosaId }, user: null, creationTs: instant },
      { oldValue: { userId: rosaId }, newValue: { userId: rolfId }, user: { userId: rosaId }, creationTs: instant },
      { oldValue: { userId: rolfId }, newValue: null, user: { userId: rosaId }, creationTs: instant },
    ])
    expect(about(left, 'status')).toHaveLength(2)
    expect(about(left, 'description')).toMatchObject([{ oldValue: subject, newValue: 'Log 128' }])
  })
})
