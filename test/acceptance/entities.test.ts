/** §2.5, §4.3: contacts, their extensions and numbers, and the activities that belong to them. */
import { beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import type { AnswerOf, Request } from '../../src/client/request.ts'
import { attemptsOf, importTasks, makeCampaign, makeSystem } from './place/campaigns.ts'
import { openScreen } from './place/doors.ts'
import { bring } from './place/mail.ts'
import { carrierOf, phoneOf } from './place/phones.ts'
import {
  type Activity,
  activitiesOf,
  type Case,
  caseOf,
  changeCase,
  type Desk,
  makeCase,
  openDesk,
  sourcesOf,
} from './place/records.ts'

const systemCode = 'ENTITIES'
let root: Desk
/** Each test has a credential of its own. */
let desk: Desk
let itsyId: number

beforeAll(async () => {
  root = await openDesk('entities')
  desk = root
  itsyId = await makeSystem(desk.client, systemCode)
})

beforeEach(async () => {
  desk = await root.another()
})

type Entity = AnswerOf<'GET /rest/svcems/entity'>[number]
const isText = expect.any(String)
const ours = (extCustId: string) => ({ extensionLinks: [{ systemCode, extCustId }] })

async function makeContact(name1: string, fields: Request<'POST /rest/svcems/entity'>['body'] = {}): Promise<Entity> {
  return desk.client.ask('POST /rest/svcems/entity', { body: { name1, ...fields } })
}

/** The id of its first extension. */
const extensionOf = ({ extensions }: Entity) => extensions![0]!.eeexId

async function entitiesWith(query: string): Promise<{ readonly total: string | null; readonly entities: Entity[] }> {
  const { status, headers, body } = await desk.raw('GET', `/rest/svcems/entity?${query}`)
  expect(status).toBe(200)
  expect(Array.isArray(body)).toBe(true)
  return { total: headers.get('totalfound'), entities: body }
}

/** One campaign, off when the test is over. */
async function campaign(): Promise<number> {
  const callCode = await makeCampaign(desk.client, 'records', itsyId)
  onTestFinished(async () => {
    await desk.client.ask('POST /dialer/callcode', { body: { callCode, active: false } } as never)
  })
  return callCode
}

describe('a contact', () => {
  test('carries names, owner, type, extensions and numbers [acc 20, 81-89, 198 by HTTP]', async () => {
    const before = await makeContact('Company of 81', { entityType: 2 })
    const made = await makeContact('Carla Maria', {
      name2: 'of 81',
      entityType: 1,
      numbers: [
        { number: '+4526108101', type: 'mobile' },
        { number: '+4526108102', type: 'work' },
      ],
      extensions: [ours('C-81')],
    })
    const { entities } = await entitiesWith('name=of%2081&getExtensions=true')
    expect(entities).toHaveLength(2)
    const [company, carla] = entities as [Entity, Entity]
    expect(carla).toEqual(made)
    expect(carla).toMatchObject({
      emenId: made.emenId,
      name1: 'Carla Maria',
      name2: 'of 81',
      corporation: { corpId: 1 },
      entityType: 1,
      numbers: [
        { number: '+4526108101', type: 'mobile', primary: true },
        { number: '+4526108102', type: 'work' },
      ],
    })
    expect(carla.extensions).toMatchObject([
      {
        eeexId: expect.any(Number),
        extType: 10,
        seqNo: expect.any(Number),
        extensionLinks: [{ itsyId, extCustId: 'C-81' }],
      },
    ])
    expect(company).toMatchObject({
      emenId: before.emenId,
      name1: 'Company of 81',
      name2: '',
      entityType: 2,
      numbers: [],
      extensions: [{ extType: 10, extensionLinks: [] }],
    })
    for (const { emenId, extensions } of [company, carla]) {
      expect([emenId, extensions![0]!.eeexId, extensions![0]!.seqNo].every(Number.isInteger)).toBe(true)
    }
    expect(extensionOf(carla)).not.toBe(extensionOf(company))
    expect(carla.extensions![0]!.seqNo).toBeGreaterThan(company.extensions![0]!.seqNo)
  })

  test('comes with the call tasks of a customer, once [acc 20, 84, 86, 88, 89 by HTTP]', async () => {
    const callCode = await campaign()
    const first = {
      callReceiverName: 'Ida of 20',
      callNumberList: ['+4526102001'],
      extCustId: 'C-20',
      systemLookupCode: '1',
    }
    const second = { ...first, callNumberList: ['+4526102002'], systemLookupCode: '2' }
    const nobody = { callReceiverName: 'Nobody of 20', callNumberList: ['+4526102003'] }
    const { callTaskErrors } = await importTasks(desk.client, { systemCode, callCode, callTasks: [first, nobody] })
    expect(callTaskErrors).toEqual([])
    await importTasks(desk.client, { systemCode, callCode, callTasks: [second] })
    const { total, entities } = await entitiesWith('name=of%2020&getExtensions=true')
    expect(total).toBe('1')
    expect(entities).toMatchObject([
      {
        entityType: 1,
        corporation: { corpId: 1 },
        numbers: [{ e164: '+4526102001' }, { e164: '+4526102002' }],
        extensions: [{ extType: 10, extensionLinks: [{ systemCode, extCustId: 'C-20' }] }],
      },
    ])
    expect(`${entities[0]!.name1} ${entities[0]!.name2}`.trim()).toBe('Ida of 20')
  })
})

describe('the list', () => {
  test('has extensions when they are asked for, and only then [acc 196 by HTTP]', async () => {
    const { emenId } = await makeContact('Asta of 196')
    const shown = async (query: string) => (await entitiesWith(`emenIds=${emenId}${query}`)).entities
    expect(await shown('&getExtensions=true')).toMatchObject([{ emenId, extensions: [{ extType: 10 }] }])
    for (const query of ['', '&getExtensions=false']) {
      const [entity] = await shown(query)
      expect(entity).toMatchObject({ emenId, name1: 'Asta of 196' })
      expect(entity).not.toHaveProperty('extensions')
    }
    expect((await desk.raw('GET', '/rest/svcems/entity?getExtensions=perhaps')).status).toBe(400)
  })

  test('is read page by page, and its header says how many there are [acc 197, 198, 199 by HTTP]', async () => {
    const made: number[] = []
    for (let place = 1; place <= 12; place++) made.push((await makeContact(`Page ${place} of 197`)).emenId)
    const idsOf = ({ entities }: { readonly entities: Entity[] }) => entities.map(({ emenId }) => emenId)
    const [first, second, rest] = [
      await entitiesWith('name=of%20197'),
      await entitiesWith('name=of%20197&offset=10&size=10'),
      await entitiesWith('name=of%20197&offset=3&size=4'),
    ]
    expect(idsOf(first)).toEqual(made.slice(0, 10))
    expect(idsOf(second)).toEqual(made.slice(10))
    expect(idsOf(rest)).toEqual(made.slice(3, 7))
    expect([first.total, second.total, rest.total]).toEqual(['12', '12', '12'])
    expect(await entitiesWith('name=of%20197&offset=12&size=10')).toEqual({ total: '12', entities: [] })
    // Without a filter, as the contract reads it: all pages have all, each once.
    const all: number[] = []
    const { total } = await entitiesWith('offset=0&size=1')
    for (let page = await entitiesWith('offset=0&size=10'); page.entities.length > 0; ) {
      expect(page.entities.length).toBeLessThanOrEqual(10)
      all.push(...idsOf(page))
      page = await entitiesWith(`offset=${all.length}&size=10`)
    }
    expect(all.length).toBeGreaterThanOrEqual(Number(total))
    expect(new Set(all).size).toBe(all.length)
    expect(all.filter((id) => made.includes(id))).toEqual(made)
    for (const wrong of ['offset=a', 'size=1.5', 'offset=-1']) {
      expect((await desk.raw('GET', `/rest/svcems/entity?${wrong}`)).status).toBe(400)
    }
  })
})

describe('activities of contacts', () => {
  const list = (eeexId: readonly number[], more = '') =>
    desk.raw('GET', `/rest/svcems/activities?eeexId=${eeexId.join()}&limitFrom=0&limitTo=1000${more}`)
  const kindsOf = (body: unknown) => (body as Activity[]).map(({ activityType }) => activityType.eatyId)

  test('are found by the extensions in the list [acc 179, 200 by HTTP, SIP, SMTP]', async () => {
    const carrier = await carrierOf('records', {
      contactOf: () => ({ does: 'answer', afterMs: 100, hangsUpAfterMs: 500 }),
    })
    const phone = await phoneOf('rosa')
    const screen = await openScreen('rosa')
    onTestFinished(async () => {
      for (const open of [screen, phone, carrier]) await open.close()
    })
    const callCode = await campaign()
    const callTasks = [{ callReceiverName: 'Ove of 179', callNumberList: ['+4526117901'], extCustId: 'C-179' }]
    const { callTasks: made } = await importTasks(desk.client, { systemCode, callCode, callTasks })
    await expect.poll(() => attemptsOf(desk.client, made![0]!.itcaId)).toMatchObject([{ answered: true }])

    await makeContact('Pia of 179', { extensions: [ours('C-179-2')] })
    await makeContact('Rie of 179')
    const { entities } = await entitiesWith('name=of%20179&getExtensions=true')
    const [ove, pia, rie] = entities.map(extensionOf) as [number, number, number]
    const owned = await makeCase(desk, { description: 'Case of 179', entityExtension: { eeexId: pia } })
    const body = {
      activity: { eactId: owned.eactId },
      to: [{ address: 'pia@contacts.example' }],
      subject: 'Hi',
      text: 'Hi',
    }
    const sent = await desk.client.ask('POST /rest/svcems/emails', { body })
    const others = await makeCase(desk, { entityExtension: { eeexId: rie } })

    await expect.poll(async () => kindsOf((await list([ove])).body)).toEqual([10])
    const both = await list([ove, pia], '&getMembers=true')
    expect(both.status).toBe(200)
    expect(both.headers.get('svc-total-found')).toBe('4')
    const found = both.body as Activity[]
    expect(found.every(({ entityExtension }) => [ove, pia].includes(entityExtension!.eeexId))).toBe(true)
    expect(kindsOf(found.filter(({ entityExtension }) => entityExtension!.eeexId === ove))).toEqual([10])
    const ofPia = found.filter(({ entityExtension }) => entityExtension!.eeexId === pia)
    expect(kindsOf(ofPia).sort()).toEqual([11, 15, 21])
    expect(ofPia.map(({ eactId }) => eactId)).toEqual(
      expect.arrayContaining([owned.eactId, sent.eactId, sent.conversation.eactId]),
    )
    expect(((await list([rie])).body as Activity[]).map(({ eactId }) => eactId)).toEqual([others.eactId])
  })

  test('come in batches of ten, and of more [acc 186, 200 by HTTP]', async () => {
    const contacts = await Promise.all(Array.from({ length: 24 }, (_, place) => makeContact(`Batch ${place} of 186`)))
    const cases = await Promise.all(
      contacts.slice(0, 18).map((contact) => makeCase(desk, { entityExtension: { eeexId: extensionOf(contact) } })),
    )
    const idsOf = (body: unknown) => (body as Activity[]).map(({ eactId }) => eactId).sort()
    const ten = await list(contacts.slice(5, 15).map(extensionOf))
    expect(idsOf(ten.body)).toEqual(
      cases
        .slice(5, 15)
        .map(({ eactId }) => eactId)
        .sort(),
    )
    expect(ten.headers.get('svc-total-found')).toBe('10')
    const all = await list(contacts.map(extensionOf))
    expect([all.status, all.headers.get('svc-total-found')]).toEqual([200, '18'])
    expect(idsOf(all.body)).toEqual(cases.map(({ eactId }) => eactId).sort())
  })

  test('an email outside any case is its sender’s [acc 97, 179 by HTTP, SMTP]', async () => {
    const from = 'nora@contacts.example'
    const nora = extensionOf(await makeContact('Nora of 97'))
    const { eactId } = await makeCase(desk, { entityExtension: { eeexId: nora } })
    const body = { activity: { eactId }, to: [{ address: from }], subject: 'Dear Nora', text: 'Hello' }
    const { messageId } = await desk.client.ask('POST /rest/svcems/emails', { body })
    await bring({ from, subject: 'Re: Dear Nora', answers: messageId })
    // A machine wrote this one: it opens no case.
    await bring({ from, subject: 'I am away', headers: { 'Auto-Submitted': 'auto-replied' } })
    const found = (await list([nora])).body as Activity[]
    const away = found.filter(({ subject }) => subject === 'I am away')
    expect(kindsOf(away).sort()).toEqual([11, 21])
    const [talk] = away.filter(({ activityType }) => activityType.eatyId === 21)
    expect(talk!.links.map(({ type }) => type)).toEqual([13])
    expect(sourcesOf(await caseOf(desk, eactId), 14)).not.toContain(talk!.eactId)
  })
})

describe('the contact of a case', () => {
  /** The active contacts by the rule of §2.6. */
  const contactsIn = ({ members }: Case) =>
    members
      .filter(({ role, startTs, endTs }) => role === 20 && startTs !== null && endTs === null)
      .map(({ entityExtension }) => entityExtension?.eeexId)

  test('is given, changed and taken away [acc 103, 104, 113, 125, 212 by HTTP]', async () => {
    const [one, two] = [extensionOf(await makeContact('One of 113')), extensionOf(await makeContact('Two of 113'))]
    const body = { description: 'Of 113', status: 1, corporation: { corpId: 1 }, entityExtension: { eeexId: one } }
    const made = (await desk.raw('POST', '/rest/svcems/case', body)).body as Case
    expect(made.entityExtension).toEqual({ eeexId: one })
    expect(await caseOf(desk, made.eactId)).toEqual(made)
    expect(made.members).toMatchObject([{ role: 20, user: null, entityExtension: { eeexId: one }, endTs: null }])
    expect((await makeCase(desk)).entityExtension).toBeNull()
    const wrong = await desk.raw('POST', '/rest/svcems/case', { ...body, entityExtension: { eeexId: 99_999_999 } })
    expect(wrong.status).toBe(400)

    const changed = await changeCase(desk, made.eactId, { entityExtension: { eeexId: two } })
    expect(changed.entityExtension).toEqual({ eeexId: two })
    expect(contactsIn(changed)).toEqual([two])
    const [before, after] = changed.members
    expect(before).toMatchObject({ role: 20, entityExtension: { eeexId: one }, endTs: isText })
    expect(after).toMatchObject({ role: 20, entityExtension: { eeexId: two }, startTs: before!.endTs, endTs: null })
    // As a member it is the same fact.
    const again = await changeCase(desk, made.eactId, { members: [{ role: 20, entityExtension: { eeexId: one } }] })
    expect([again.entityExtension, contactsIn(again)]).toEqual([{ eeexId: one }, [one]])
    const none = await changeCase(desk, made.eactId, { entityExtension: null })
    expect([none.entityExtension, contactsIn(none)]).toEqual([null, []])
    expect(none.members).toHaveLength(3)
    const [activity] = await activitiesOf(desk, made.eactId)
    expect(activity!.members).toMatchObject(none.members.map(({ role, endTs }) => ({ role, endTs })))
  })

  test('is one alone, in one request or in many at once [acc 103 by HTTP]', async () => {
    const three = [await makeContact('A of 103'), await makeContact('B of 103'), await makeContact('C of 103')].map(
      extensionOf,
    )
    const { eactId } = await makeCase(desk)
    const both = three.slice(0, 2).map((eeexId) => ({ role: 20, entityExtension: { eeexId } }))
    expect((await desk.raw('POST', '/rest/svcems/case', { eactId, members: both })).status).toBe(400)
    const many = Array.from({ length: 12 }, (_, place) => three[place % 3]!)
    const seen = await Promise.all(many.map((eeexId) => changeCase(desk, eactId, { entityExtension: { eeexId } })))
    expect(seen.map(contactsIn)).toEqual(many.map((eeexId) => [eeexId]))
    expect(contactsIn(await caseOf(desk, eactId))).toHaveLength(1)
  })
})
