/** Contacts as an integrator lists them (contract.md §2.5, §4.3), and their calls. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { NodeLease } from '../../../src/ports/attempt.ts'
import type { FinishedCall } from '../../../src/ports/dialer-repository.ts'
import { callOf, type DialerWorld, debtor, endOf, numberOf, openDialerWorld, SYSTEM } from '../dialer/dialer-world.ts'
import { OURS, THEIRS } from '../rest-world.ts'

const PATH = '/rest/svcems/entity'
/** The number of our contacts, in the order of their creation; the debtor of each place is one of them. */
const COUNT = 25

let world: DialerWorld
const emenIds: number[] = []
const eeexIds: number[] = []

beforeAll(async () => {
  world = await openDialerWorld()
  for (let place = 1; place <= COUNT; place++) {
    const { id, extension } = await save(place)
    emenIds.push(id)
    eeexIds.push(extension)
  }
  await save(100, { name1: 'Their debtor', extensions: [] }, THEIRS)
})
afterAll(() => world.close())

/** The contact of a debtor, and their extension. */
async function save(place: number, change: object = {}, corporation = OURS) {
  const contact = {
    name1: 'Carla',
    name2: `Debtor ${place}`,
    corporation: { corpId: corporation },
    numbers: [{ number: numberOf(place), type: 'mobile' }],
    extensions: [{ extensionLinks: [{ systemCode: 'DEBT', extCustId: `c${place}` }] }],
    ...change,
  }
  const as =
    corporation === OURS ? world.values : await world.credential(['entities:read', 'entities:write'], [corporation])
  const { status, body } = await world.call('POST', PATH, contact, { as })
  expect(`${status} ${body.statusText ?? ''}`).toBe('200 ')
  return { id: body.emenId as number, extension: body.extensions[0].eeexId as number }
}

const list = (query = '') => world.call('GET', `${PATH}${query}`)
const idsOf = async (query: string) => (await list(query)).body.map(({ emenId }: { emenId: number }) => emenId)

describe('a contact', () => {
  test('has id, names, corporation, type and numbers', async () => {
    const { status, body } = await list(`?emenIds=${emenIds[0]}`)
    expect(status).toBe(200)
    expect(body).toEqual([
      {
        emenId: emenIds[0],
        name1: 'Carla',
        name2: 'Debtor 1',
        corporation: { corpId: OURS },
        entityType: 1,
        language: null,
        numbers: [{ number: numberOf(1), e164: numberOf(1), type: 'mobile', primary: true, stopped: false }],
        updateTs: expect.stringMatching(/Z$/),
      },
    ])
    expect(Number.isInteger(body[0].emenId)).toBe(true)
  })

  test('has its extensions on request only', async () => {
    const shown = (await list(`?emenIds=${emenIds[1]}&getExtensions=true`)).body
    expect(shown[0].extensions).toEqual([
      {
        eeexId: eeexIds[1],
        extType: 10,
        seqNo: 2,
        stopped: false,
        extensionLinks: [{ itsyId: 3, systemCode: 'DEBT', extCustId: 'c2' }],
      },
    ])
    for (const query of ['', '&getExtensions=false', '&getExtensions=0']) {
      expect((await list(`?emenIds=${emenIds[1]}${query}`)).body[0]).not.toHaveProperty('extensions')
    }
  })

  test('that is a company has type 2, and two names all the same', async () => {
    const company = { entityType: 2, name1: 'Holm A/S', name2: '' }
    const { id } = await save(200, { ...company, extensions: [] }, THEIRS)
    const as = await world.credential(['entities:read'], [THEIRS])
    const { body } = await world.call('GET', `${PATH}?emenIds=${id}`, undefined, { as })
    expect(body).toMatchObject([{ entityType: 2, name1: 'Holm A/S', name2: '' }])
  })

  test('is 1,000 customers at most, and then still changes otherwise', async () => {
    const { id } = await save(200)
    await world.pools.jobs.query(
      `insert into entity_extensions (corporation_id, entity_id, kind, sequence_number)
       select 1, $1, 'customer', 1000000 + n from generate_series(1, 998) n`,
      [id],
    )
    const also = (...names: readonly string[]) => {
      const extensionLinks = names.map((extCustId) => ({ systemCode: 'DEBT', extCustId }))
      return world.call('POST', PATH, { emenId: id, extensions: [{ extensionLinks }] })
    }
    expect((await also('more-1')).status).toBe(200)
    const { status, body } = await also('more-1', 'more-2')
    expect([status, body.detail]).toEqual([
      409,
      'extensions: a contact is 1000 customers at most; make another contact',
    ])
    expect((await world.call('POST', PATH, { emenId: id, name1: 'Carlotta' })).status).toBe(200)
    // Those that follow count the contacts of the beginning.
    await world.pools.jobs.query('delete from entity_extensions where entity_id = $1', [id])
    await world.pools.jobs.query('delete from entity_numbers where entity_id = $1', [id])
    await world.pools.jobs.query('delete from entities where id = $1', [id])
  })

  test('shows its stopped numbers and customers at once', async () => {
    await world.call('POST', '/dialer/stoplist/numbers', { numbers: [numberOf(3)] })
    await world.call('POST', '/dialer/stoplist/persons', { persons: [{ systemCode: 'DEBT', extCustId: 'c4' }] })
    const { body } = await list(`?emenIds=${emenIds[2]},${emenIds[3]}&getExtensions=true`)
    expect(body).toMatchObject([
      { numbers: [{ stopped: true }], extensions: [{ stopped: false }] },
      { numbers: [{ stopped: false }], extensions: [{ stopped: true }] },
    ])
  })
})

describe('the list of contacts', () => {
  test('is paged by offset and size, ten at a time by default', async () => {
    const first = await list()
    expect(first.body.map(({ emenId }: { emenId: number }) => emenId)).toEqual(emenIds.slice(0, 10))
    expect([first.headers['totalfound'], first.headers['svc-total-found']]).toEqual(['25', '25'])
    expect(await idsOf('?offset=20&size=10')).toEqual(emenIds.slice(20))
    expect(await idsOf('?size=1000')).toEqual(emenIds)
    const beyond = await list('?offset=1000')
    expect([beyond.body, beyond.headers['totalfound']]).toEqual([[], '25'])
  })

  test('shows each contact once when it is read page by page, also during changes', async () => {
    const seen: number[] = []
    for (let offset = 0; offset < COUNT; offset += 10) {
      seen.push(...(await idsOf(`?offset=${offset}&size=10`)))
      await save(5, { name1: 'Carla Maria' })
    }
    expect(seen).toEqual(emenIds)
  })

  test.each([
    ['extension', () => `?eeexIds=${eeexIds[6]},%20${eeexIds[8]},,${eeexIds[6]}`, [7, 9]],
    ['customer number', () => '?seqNo=12', [12]],
    ['number, in any way of writing', () => `?number=${encodeURIComponent('+45 26-00 00 13')}`, [13]],
    ['number as it is dialed at home', () => '?number=26000013', [13]],
    ['number that nobody has', () => '?number=26000999', []],
    ['part of both names, in capitals or not', () => '?name=CARLA%20DEBTOR%2014', [14]],
    ['signs that mean something elsewhere', () => '?name=%25', []],
    ['several of these together', () => `?emenIds=${emenIds[14]},${emenIds[15]}&name=debtor%2016`, [16]],
    ['lists without entries, which ask for nothing', () => '?emenIds=&eeexIds=,&seqNo=17', [17]],
  ])('is searched by %s', async (_, query, places) => {
    const { body, headers } = await list(query())
    expect(body.map(({ emenId }: { emenId: number }) => emenIds.indexOf(emenId) + 1)).toEqual(places)
    expect(headers['totalfound']).toBe(String(places.length))
  })

  test('refuses invalid parameters, and names them', async () => {
    const many = Array.from({ length: 101 }, (_, place) => place + 1).join(',')
    for (const query of [
      ...['size=0', 'size=1001', 'offset=-1', 'size=ten', 'getExtensions=maybe', 'seqNo=0', 'emenIds=x'],
      ...['number=call%20me', 'name=', `eeexIds=${many}`, 'emenid=7', `number=${'1'.repeat(33)}`],
    ]) {
      const { status, body } = await list(`?${query}`)
      expect(`${query} ${status}`).toBe(`${query} 400`)
      expect(body.errors[0].path).toMatch(new RegExp(`^${query.split('=')[0]}`))
    }
  })

  test('that shows more than a thousand is an export in the audit trail, however short its pages', async () => {
    await world.pools.jobs.query(
      `insert into entities (corporation_id, kind, name, created_at_ms, updated_at_ms)
       select 1, 'private', 'Walked ' || n, 0, 0 from generate_series(1, 1100) n`,
    )
    const as = await world.credential(['entities:read'])
    const page = (offset: number) =>
      world.call('GET', `${PATH}?name=walked&size=100&offset=${offset}`, undefined, { as })
    const exports = async () => {
      const asked = { corporations: [OURS], action: 'export', credential: as.rcntrl, offset: 0, rowsMax: 10 }
      const { records } = await world.parts.audit.search(asked)
      return records.map(({ object, count, operation }) => [object, count, operation])
    }
    for (let offset = 0; offset < 1_000; offset += 100) await page(offset)
    expect(await exports()).toEqual([])
    expect((await page(1_000)).body).toHaveLength(100)
    expect(await exports()).toEqual([['entity', 1_100, 'GET /svcems/entity']])
  })

  test('shows nothing of another corporation, totals included, and needs its own scope', async () => {
    const as = await world.credential(['entities:read'], [THEIRS])
    const theirs = await world.call('GET', `${PATH}?name=debtor`, undefined, { as })
    expect([theirs.headers['totalfound'], theirs.body.length]).toEqual(['1', 1])
    const foreign = await world.call('GET', `${PATH}?emenIds=${emenIds[0]}&eeexIds=${eeexIds[0]}`, undefined, { as })
    expect([foreign.headers['totalfound'], foreign.body]).toEqual(['0', []])
    const without = await world.credential(['calls:read'])
    expect((await world.call('GET', PATH, undefined, { as: without })).status).toBe(403)
  })
})

describe('a call', () => {
  const finish = async (name: string, change: Partial<FinishedCall>) => {
    const result = await world.dialerRepository.finishCall(callOf(name, world.parts.clock.nowMs(), change))
    if (result.outcome === 'refused') throw new Error(result.why)
    const { body } = await world.call('POST', '/svcems/calls/search', { eactIds: [result.activity] })
    return body[0].entityExtension
  }
  const dialed = async (task: object, given?: NodeLease) => {
    const { body } = await world.importTasks([task], {}, '?returnImportedCallTasks=true')
    const lease = given ?? (await world.lease())
    const [attempt] = await world.claim(lease, undefined, body.callTasks[0].itcaId)
    return { activity: attempt!.activity, attempt: endOf(attempt!, lease, world.parts.clock.nowMs()) }
  }

  test('of a call task names the contact of its customer', async () => {
    const { eeexId } = await finish('known', await dialed(debtor(20)))
    expect(eeexId).toBe(eeexIds[19])
    const { body } = await list(`?eeexIds=${eeexId}`)
    expect(body).toMatchObject([{ emenId: emenIds[19] }])
  })

  test('that came in about a case names the contact of the case', async () => {
    await world.importTasks([debtor(21)])
    const about = { direction: 'in', externalSystem: SYSTEM, externalCaseNumber: 'case 21' } as const
    expect(await finish('came in', about)).toEqual({ eeexId: eeexIds[20] })
  })

  test('of an unknown or anonymous caller names none', async () => {
    expect(
      await finish('stranger', { ...(await dialed(debtor(300, { extCustId: null }))), called: numberOf(300) }),
    ).toBeNull()
    expect(await finish('nobody', { direction: 'in', caller: 'anonymous' })).toBeNull()
    const from = { direction: 'in', caller: numberOf(301) } as const
    const wrongCase = { ...from, externalSystem: SYSTEM, externalCaseNumber: 'no such case' }
    expect(await finish('typed wrongly', wrongCase)).toBeNull()
  })

  test('without a known customer names the only contact with the number of the other side', async () => {
    const own = (await list(`?emenIds=${emenIds[4]}`)).body[0].numbers[0].e164
    expect(await finish('called us', { direction: 'in', caller: own })).toEqual({ eeexId: eeexIds[4] })
    expect(await finish('we called', { direction: 'out', called: own })).toEqual({ eeexId: eeexIds[4] })
    expect(await finish('another side', { direction: 'out', caller: own, called: numberOf(302) })).toBeNull()
    const shares = (number: string) => ({ name1: 'Shares it', numbers: [{ number, type: 'home' }], extensions: [] })
    await save(0, shares(own))
    expect(await finish('one of two', { direction: 'in', caller: own })).toBeNull()
    await save(0, shares(numberOf(303)), THEIRS)
    expect(await finish('known to others', { direction: 'in', caller: numberOf(303) })).toBeNull()
  })

  test('of a customer who becomes a contact later is theirs from then on', async () => {
    const of = async (activity: number) =>
      (await world.call('POST', '/svcems/calls/search', { eactIds: [activity] })).body[0].entityExtension
    const lease = await world.lease()
    const calls = [await dialed(debtor(304), lease), await dialed(debtor(305), lease)]
    // As a version left it that made no contacts.
    await world.pools.jobs.query(`delete from entities where name in ('Debtor 304', 'Debtor 305')`)
    expect(await finish('too early', { ...calls[0], called: numberOf(304) })).toBeNull()
    expect(await finish('as early', { ...calls[1], called: numberOf(305) })).toBeNull()
    const { extension } = await save(304, { name1: 'Late', numbers: [] })
    expect(await of(calls[0]!.activity)).toEqual({ eeexId: extension })
    await world.importTasks([debtor(305, { systemLookupCode: 'another case' })])
    const { body } = await list(`?name=${encodeURIComponent('Debtor 305')}&getExtensions=true`)
    expect(await of(calls[1]!.activity)).toEqual({ eeexId: body[0].extensions[0].eeexId })
  })
})
