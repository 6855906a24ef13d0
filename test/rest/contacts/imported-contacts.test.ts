/** Contacts that imports make, and changes by hand (contract.md §1, cases-13, cases-14). */
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import type { FinishedCall } from '../../../src/ports/dialer-repository.ts'
import { CAMPAIGN, callOf, debtor, endOf, numberOf, OTHER_CAMPAIGN } from '../dialer/dialer-world.ts'
import { openSheetWorld, type SheetWorld } from '../dialer/sheet-world.ts'
import { OURS, THEIRS } from '../rest-world.ts'

const PATH = '/rest/svcems/entity'

let world: SheetWorld

beforeAll(async () => {
  world = await openSheetWorld()
})
afterAll(() => world.close())

const save = (body: object, options = {}) => world.call('POST', PATH, body, options)
/** The contacts with a number, with their extensions. */
const withNumber = async (number: string) =>
  (await world.call('GET', `${PATH}?getExtensions=true&number=${encodeURIComponent(number)}`)).body
const named = async (name: string) =>
  (await world.call('GET', `${PATH}?getExtensions=true&name=${encodeURIComponent(name)}`)).body
const numbersOf = ({ numbers }: { numbers: { e164: string }[] }) => numbers.map(({ e164 }) => e164)
/** Another case of a debtor: a second call task of the same customer. */
const again = (place: number, change: object) => debtor(place, { systemLookupCode: `more ${place}`, ...change })
const link = (extCustId: string, systemCode = 'DEBT') => [{ extensionLinks: [{ systemCode, extCustId }] }]

describe('an import', () => {
  test('makes the contact of each customer: name, numbers, language, customer number', async () => {
    const properties = [{ emprId: 5, value: 'owes 120', addToCallTaskName: true }]
    const first = debtor(1, { callNumberList: [numberOf(1), numberOf(901)], properties, language: 'et' })
    const { body } = await world.importTasks([first, debtor(2), debtor(3, { extCustId: null })])
    expect(body.callTaskErrors).toEqual([])
    const number = { type: 'other', stopped: false }
    expect(await named('debtor')).toEqual([
      {
        emenId: expect.any(Number),
        name1: 'Debtor 1',
        name2: '',
        corporation: { corpId: OURS },
        entityType: 1,
        language: 'et',
        numbers: [
          { ...number, number: numberOf(1), e164: numberOf(1), primary: true },
          { ...number, number: numberOf(901), e164: numberOf(901), primary: false },
        ],
        extensions: [
          {
            eeexId: expect.any(Number),
            extType: 10,
            seqNo: 1,
            extensionLinks: [{ itsyId: 3, systemCode: 'DEBT', extCustId: 'c1' }],
            stopped: false,
          },
        ],
        updateTs: expect.stringMatching(/Z$/),
      },
      expect.objectContaining({
        name1: 'Debtor 2',
        language: null,
        extensions: [expect.objectContaining({ seqNo: 2 })],
      }),
    ])
  })

  test('of a known customer adopts the contact and adds its new numbers, whatever changed by hand stays', async () => {
    await world.importTasks([debtor(10, { callNumberList: [numberOf(10), numberOf(910)] })])
    const [made] = await withNumber(numberOf(10))
    const { emenId, extensions } = made
    const byHand = { emenId, name1: 'Doris', name2: 'Ten', entityType: 2, numbers: [{ number: numberOf(911) }] }
    await save(byHand)
    const callNumberList = [numberOf(10), numberOf(912), numberOf(911), numberOf(912)]
    await world.importTasks([again(10, { callReceiverName: 'Other', callNumberList, language: 'da' })])
    const [kept, ...others] = await withNumber(numberOf(912))
    expect(others).toEqual([])
    expect(kept).toMatchObject({ emenId, name1: 'Doris', name2: 'Ten', entityType: 2, language: 'da', extensions })
    expect(numbersOf(kept)).toEqual([numberOf(911), numberOf(912)])
    expect(kept.numbers.map(({ primary }: { primary: boolean }) => primary)).toEqual([true, false])
    expect(await named('Other')).toEqual([])
    // Put back by hand, a number is like any other again.
    await save({ emenId, numbers: [{ number: numberOf(10) }] })
    await save({ emenId, language: 'en', numbers: [] })
    await world.importTasks([again(10, { systemLookupCode: 'third', callNumberList: [numberOf(913)], language: 'fi' })])
    expect(await withNumber(numberOf(10))).toEqual([])
    expect(await withNumber(numberOf(913))).toMatchObject([{ emenId, language: 'en', numbers: [{ primary: true }] }])
  })

  test('of a customer listed several times makes one contact with the numbers of all', async () => {
    const listed = [20, 21, 20].map((place, row) =>
      debtor(place, { systemLookupCode: `row ${row}`, callNumberList: [numberOf(920 + row), numberOf(920)] }),
    )
    await world.importTasks(listed)
    const [one, two, ...others] = await withNumber(numberOf(920))
    expect(others).toEqual([])
    expect(numbersOf(one)).toEqual([920, 922].map(numberOf))
    expect(numbersOf(two)).toEqual([921, 920].map(numberOf))
  })

  test('beside another one of the same customers makes each contact once, and no gap in their numbers', async () => {
    const places = Array.from({ length: 40 }, (_, place) => 1_000 + place)
    const tasks = (from: readonly number[]) => from.map((place) => debtor(place))
    const campaigns = [CAMPAIGN, OTHER_CAMPAIGN]
    const answers = await Promise.all([
      ...campaigns.map((callCode) => world.importTasks(tasks(places), { callCode })),
      ...places.slice(0, 5).map((place) => save({ name1: 'By hand', extensions: link(`c${place}`) })),
    ])
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
    const { body } = await world.call('GET', `${PATH}?getExtensions=true&size=1000`)
    const all = body.flatMap(({ extensions }: { extensions: object[] }) => extensions) as {
      seqNo: number
      extensionLinks: { extCustId: string }[]
    }[]
    const customers = all.flatMap(({ extensionLinks }) => extensionLinks.map(({ extCustId }) => extCustId))
    expect(customers.filter((customer) => places.includes(Number(customer.slice(1)))).sort()).toEqual(
      places.map((place) => `c${place}`).sort(),
    )
    expect(all.map(({ seqNo }) => seqNo).sort((a, b) => a - b)).toEqual(all.map((_, place) => place + 1))
  })

  test('makes none for call tasks that it refuses, and none in a dry run', async () => {
    await world.call('POST', '/dialer/stoplist/persons', { persons: [{ systemCode: 'DEBT', extCustId: 'c30' }] })
    await world.importTasks([debtor(30), debtor(31, { callNumberList: ['1'] }), debtor(32, { language: 'Danish' })])
    const sheet = Buffer.from(`Name;Phone;Customer no\nDry run;${numberOf(33)};c33\n`)
    expect((await world.sendSheet(sheet, { dryRun: true })).body.acceptedCount).toBe(1)
    for (const place of [30, 31, 32, 33]) expect(await withNumber(numberOf(place))).toEqual([])
  })

  test('of a spreadsheet does the same', async () => {
    const sheet = Buffer.from(`Name;Phone;Customer no;Sprog\nSheila;${numberOf(40)};c40;da\n`)
    const mapping = JSON.stringify({ Sprog: 'language' })
    expect((await world.sendSheet(sheet, { mapping })).body.importedCount).toBe(1)
    expect(await withNumber(numberOf(40))).toMatchObject([
      { name1: 'Sheila', language: 'da', extensions: [{ extensionLinks: [{ extCustId: 'c40' }] }] },
    ])
  })

  test('brings nobody back who is stopped while it waits for the contacts of its corporation', async () => {
    const holder = await world.pools.jobs.connect()
    onTestFinished(() => holder.release(true))
    await holder.query('begin')
    await holder.query('select from corporations where id = 1 for no key update')
    let isOver = false
    const importing = world.importTasks([debtor(50), debtor(51)]).then(() => {
      isOver = true
    })
    // Until the import waits for this very lock.
    const waits = `select count(*)::int as count from pg_stat_activity
      where wait_event_type = 'Lock' and datname = current_database() and query like '%no key update of k%'`
    while (!isOver && (await world.pools.api.query(waits)).rows[0].count === 0);
    expect(isOver).toBe(false)
    await world.call('POST', '/dialer/stoplist/persons', { persons: [{ systemCode: 'DEBT', extCustId: 'c50' }] })
    await holder.query('commit')
    await importing
    expect(await withNumber(numberOf(50))).toEqual([])
    expect(await withNumber(numberOf(51))).toHaveLength(1)
  })
})

describe('activities of a contact', () => {
  const finish = async (name: string, change: Partial<FinishedCall>) => {
    const result = await world.dialerRepository.finishCall(callOf(name, world.parts.clock.nowMs(), change))
    if (result.outcome === 'refused') throw new Error(result.why)
    return result.activity as number
  }

  test('are the calls to and from the debtor, without anything but an import', async () => {
    const { body } = await world.importTasks([debtor(60)], {}, '?returnImportedCallTasks=true')
    const lease = await world.lease()
    const [attempt] = await world.claim(lease, undefined, body.callTasks[0].itcaId)
    const atMs = world.parts.clock.nowMs()
    const out = await finish('out-60', { activity: attempt!.activity, attempt: endOf(attempt!, lease, atMs) })
    const back = await finish('in-60', { direction: 'in', caller: numberOf(60), called: '+4570001000' })
    const [contact] = await withNumber(numberOf(60))
    const { eeexId } = contact.extensions[0]
    const listed = await world.call('GET', `/rest/svcems/activities?eeexId=${eeexId}`)
    expect(listed.body.map(({ eactId }: { eactId: number }) => eactId).sort()).toEqual([out, back].sort())
    expect(listed.headers['svc-total-found']).toBe('2')
  })
})

describe('a contact by hand', () => {
  test('is created and changed in both spellings of the path, field by field', async () => {
    const created = await world.call('POST', '/svcems/entity', {
      name1: ' Berta ',
      name2: 'Beck',
      numbers: [{ number: '26 00 00 70' }, { number: numberOf(970), type: 'work' }],
      extensions: link('b1', 'BARE'),
    })
    expect([created.status, created.headers['svc-created']]).toEqual([200, 'true'])
    expect(created.body).toMatchObject({ name1: 'Berta', entityType: 1, language: null, corporation: { corpId: OURS } })
    expect(numbersOf(created.body)).toEqual([70, 970].map(numberOf))
    const { emenId, ...before } = created.body
    const changed = await save({ emenId, name2: '', language: 'da', numbers: null })
    expect([changed.status, changed.headers['svc-created']]).toEqual([200, 'false'])
    const updateTs = expect.stringMatching(/Z$/)
    expect(changed.body).toEqual({ ...before, emenId, name2: '', language: 'da', updateTs })
    expect((await save({ ...changed.body, language: null })).body).toEqual({
      ...changed.body,
      language: null,
      updateTs,
    })
    const more = await save({ name1: 'Berta', extensions: [...link('b1', 'BARE'), ...link('b2')] })
    expect(more.body).toMatchObject({ emenId, extensions: [before.extensions[0], { stopped: false }] })
  })

  test('is refused with faults that name their fields', async () => {
    const good = { name1: 'Good', numbers: [] }
    for (const [change, path] of [
      [{ name1: undefined }, 'name1'],
      [{ name1: '  ' }, 'name1'],
      [{ entityType: 3 }, 'entityType'],
      [{ language: 'the language' }, 'language'],
      [{ corporation: { corpId: THEIRS } }, 'corporation.corpId'],
      [{ numbers: [{ number: numberOf(80) }, { number: 'none' }] }, 'numbers[1].number'],
      [{ numbers: [80, 81].map((place) => ({ number: numberOf(place), primary: true })) }, 'numbers[1].primary'],
      [{ extensions: link('x', 'THEIRS') }, 'extensions[0].extensionLinks[0].systemCode'],
      [{ extensions: link(' ') }, 'extensions[0].extensionLinks[0].extCustId'],
    ] as const) {
      const { status, body } = await save({ ...good, ...change })
      expect([path, status, body.errors?.[0].path]).toEqual([path, 400, path])
    }
    expect(await named('Good')).toEqual([])
  })

  test('of a stale page takes off no number that an import added meanwhile', async () => {
    await world.importTasks([debtor(75)])
    const [{ emenId, updateTs }] = await withNumber(numberOf(75))
    await world.importTasks([again(75, { callNumberList: [numberOf(975)] })])
    const late = { emenId, name1: 'Late', numbers: [{ number: numberOf(75) }] }
    expect(await save({ ...late, updateTs })).toMatchObject({ status: 412 })
    const [now] = await withNumber(numberOf(975))
    expect([now.name1, numbersOf(now)]).toEqual(['Debtor 75', [numberOf(75), numberOf(975)]])
    const numbers = [{ number: numberOf(975) }]
    expect(await save({ emenId, name1: 'In time', numbers, updateTs: now.updateTs })).toMatchObject({ status: 200 })
    expect(await save({ emenId, name2: 'Again', updateTs: now.updateTs })).toMatchObject({ status: 412 })
    expect(await save({ name1: 'New', updateTs })).toMatchObject({ status: 412 })
    const wrong = await save({ emenId, updateTs: 'yesterday' })
    expect([wrong.status, wrong.body.statusText]).toEqual([400, expect.stringContaining('updateTs')])
  })

  test('changes its time only where it changes the contact', async () => {
    await world.importTasks([debtor(71)])
    const [{ emenId, updateTs, numbers, name1 }] = await withNumber(numberOf(71))
    const same = { emenId, name1, numbers: [{ number: numbers[0].e164, type: 'other' }], extensions: link('c71') }
    expect((await save(same)).body.updateTs).toBe(updateTs)
    const changes = [{ name2: 'b' }, { numbers: [] }, { extensions: link('c71b') }, { language: 'et' }]
    const times: string[] = [updateTs]
    for (const change of changes) times.push((await save({ emenId, ...change })).body.updateTs)
    expect(times).toEqual([...new Set(times)].sort())
  })

  test('has one primary number: the one that says so, else the first', async () => {
    const primaries = async (...given: (boolean | undefined)[]) => {
      const numbers = given.map((primary, place) => ({ number: numberOf(85 + place), primary }))
      const { body } = await save({ name1: 'Primary', numbers, extensions: link('c85') })
      return body.numbers.map(({ primary }: { primary: boolean }) => primary)
    }
    expect(await primaries(undefined, true)).toEqual([false, true])
    expect(await primaries(undefined, undefined)).toEqual([true, false])
    expect(await primaries(false, undefined)).toEqual([false, false])
  })

  test('keeps to its own customers, corporation and scope', async () => {
    const { body: one } = await save({ name1: 'One', extensions: link('k1') })
    const { body: two } = await save({ name1: 'Two', extensions: link('k2') })
    expect((await save({ emenId: two.emenId, name1: 'Stolen', extensions: link('k1') })).status).toBe(409)
    expect((await save({ emenId: one.emenId, corporation: { corpId: THEIRS } })).status).toBe(404)
    const as = await world.credential(['entities:read', 'entities:write'], [THEIRS])
    expect((await save({ emenId: one.emenId, name1: 'Theirs' }, { as })).status).toBe(404)
    const without = await world.credential(['entities:read'])
    expect((await save({ name1: 'Nobody' }, { as: without })).status).toBe(403)
    expect((await named('Two')).map(({ emenId }: { emenId: number }) => emenId)).toEqual([two.emenId])
    for (const name of ['Stolen', 'Theirs', 'Nobody']) expect(await named(name)).toEqual([])
  })
})
