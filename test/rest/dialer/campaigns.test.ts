import { readFileSync } from 'node:fs'
import { Compile } from 'typebox/compile'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { CampaignOut } from '../../../src/rest/dialer/campaign-schema.ts'
import { OURS, THEIRS } from '../rest-world.ts'
import { CAMPAIGN, type DialerWorld, openDialerWorld, THEIR_CAMPAIGN } from './dialer-world.ts'

let world: DialerWorld

beforeAll(async () => {
  world = await openDialerWorld()
})
afterAll(() => world.close())

const save = (body: object) => world.call('POST', '/dialer/callcode', body)
const list = (query = '') => world.call('GET', `/dialer/callcode${query}`)
const fresh = (change: object = {}) => ({ name: 'Reminders DK', corporation: { corpId: OURS }, ...change })
const windows = (change: object = {}) => [
  { days: [1, 2, 3, 4, 5], from: '08:00', to: '20:00', timeZone: 'Europe/Copenhagen', ...change },
]

/** The call in docs/flows.md that makes the campaign for callbacks from a queue. */
function callbacksOnPage(): object {
  const page = readFileSync(new URL('../../../docs/flows.md', import.meta.url), 'utf8')
  return JSON.parse(/dialer\/callcode -d '(\{"name":"Callbacks".*?\})'/s.exec(page)![1]!)
}

describe('creating', () => {
  test('the campaign for callbacks from a queue, as docs/flows.md shows it, is accepted', async () => {
    const { status, body } = await save({ ...callbacksOnPage(), externalSystem: undefined, queue: undefined })
    expect([status, body]).toMatchObject([200, { queueCallbacks: true, dialMode: 'manual', missing: ['queue'] }])
  })

  test('name and corporation suffice; the rest has defaults, and the answer names gaps', async () => {
    const { status, body } = await save(fresh())
    expect(status).toBe(200)
    expect(body).toMatchObject({
      callCode: expect.any(Number),
      name: 'Reminders DK',
      active: true,
      dialMode: 'preview',
      parallelCalls: 1,
      maxAbandonRate: 0.03,
      ringTimeoutSeconds: 25,
      frequencyCap: { calls: 7, days: 7 },
      recording: { mode: 'off' },
      externalSystem: null,
      queue: null,
      ready: false,
      missing: ['queue', 'callerId', 'callWindows'],
    })
    expect((await list(`?callCode=${body.callCode}`)).body.callCodes).toEqual([body])
  })

  test('with all fields it is ready, and returns them', async () => {
    const settings = {
      callerId: '+4570001000',
      dialMode: 'predictive',
      parallelCalls: 2,
      linesPerAgent: 1.5,
      maxAbandonRate: 0.01,
      ringTimeoutSeconds: 30,
      wrapUpSeconds: 0,
      callWindows: windows(),
      holidayCalendar: 'DK',
      machineDetection: { enabled: true, action: 'hangup' },
      recording: { mode: 'consent', announcement: 'May we record this?' },
      allowedDestinations: ['DK', 'SE'],
      frequencyCap: { calls: 3, days: 7, quietDaysAfterTalk: 7 },
      messages: { dropped: { text: 'Beklager.', language: 'da' } },
      skipInvalidNumbers: true,
    }
    const { body } = await save(
      fresh({ ...settings, externalSystem: { itsyId: 3 }, queue: { ucquId: 12 }, active: false }),
    )
    expect(body).toMatchObject({
      ...settings,
      active: false,
      externalSystem: { itsyId: 3, systemCode: 'DEBT' },
      queue: { ucquId: 12, name: 'collectors' },
      corporation: { corpId: 1 },
      ready: true,
      missing: [],
    })
  })

  test('a script is kept as it was written, up to its length, and has no control characters', async () => {
    const script = `Hello {name}!\n\tYou owe {Amount owed}. <b>\u{1F600}</b> ${'w'.repeat(19_900)}`
    const { body } = await save(fresh({ script }))
    expect((await list(`?callCode=${body.callCode}`)).body.callCodes[0].script).toBe(script)
    for (const [wrong, why] of [
      ['w'.repeat(20_001), /20000 characters/],
      ['a\u0007b', /plain text/],
      [7, /string/],
    ] as const) {
      const refused = await save(fresh({ script: wrong }))
      expect([refused.status, refused.body.errors[0].path]).toEqual([400, 'script'])
      expect(refused.body.errors[0].message).toMatch(why)
    }
    const [dialed] = (await world.dialerRepository.campaigns()).filter(({ id }) => id === body.callCode)
    expect(dialed?.settings).toEqual({})
    expect((await save({ callCode: body.callCode, script: null })).body.script).toBeUndefined()
  })

  test('another country is opened by an administrator, and stays open for others to save', async () => {
    const supervisor = await world.credential(['dialer:write', 'dialer:read'])
    const saveAs = (body: object, as = supervisor) => world.call('POST', '/dialer/callcode', body, { as })
    const abroad = fresh({ callerId: '+4570001000', allowedDestinations: ['DK', 'SO', 'LV'] })
    const refused = await saveAs(abroad)
    expect([refused.status, refused.body.detail]).toEqual([400, expect.stringContaining('SO, LV is not the country')])
    expect((await saveAs(fresh({ callerId: '+4570001000', allowedDestinations: ['DK'] }))).status).toBe(200)
    const { body } = await save(abroad)
    const kept = await saveAs({ callCode: body.callCode, name: 'Renamed', allowedDestinations: ['SO'] })
    expect(kept.body).toMatchObject({ name: 'Renamed', allowedDestinations: ['SO'] })
    expect((await saveAs({ callCode: body.callCode, allowedDestinations: ['SO', 'CU'] })).status).toBe(400)
  })

  test('a callCode may be chosen, and is never given to another campaign', async () => {
    const chosen = await save(fresh({ callCode: 5_000 }))
    expect(chosen.body.callCode).toBe(5_000)
    const next = await save(fresh())
    expect(next.body.callCode).toBe(5_001)
    expect((await save(fresh({ callCode: '4000' }))).body.callCode).toBe(4_000)
    expect((await save(fresh())).body.callCode).toBe(5_002)
  })

  test('several at once are all created or none', async () => {
    const callCodes = [fresh({ name: 'A', callCode: 6_001 }), fresh({ name: 'B' })]
    const { body } = await save({ callCodes })
    expect(body.callCodes.map(({ name }: { name: string }) => name)).toEqual(['A', 'B'])
    const half = await save({
      callCodes: [fresh({ callCode: 6_010 }), fresh({ callCode: 6_011, ringTimeoutSeconds: 1 })],
    })
    expect([half.status, half.body.errors[0].path]).toEqual([400, 'callCodes[1].ringTimeoutSeconds'])
    expect((await list('?callCode=6010,6011')).body.foundRows).toBe(0)
  })

  test('given 20 at once, each gets a callCode of its own', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => save(fresh())))
    expect(new Set(answers.map(({ body }) => body.callCode)).size).toBe(20)
  })
})

describe('changing', () => {
  test('given changed fields, others stay, and null clears a field', async () => {
    const { body: made } = await save(fresh({ callerId: '+4570001000', ringTimeoutSeconds: 40, queue: { ucquId: 12 } }))
    const { callCode } = made
    const changed = await save({ callCode, name: 'New name', active: false, dialMode: 'power' })
    expect(changed.body).toMatchObject({
      ...made,
      name: 'New name',
      active: false,
      dialMode: 'power',
      updateTs: expect.any(String),
    })
    const cleared = await save({ callCode, ringTimeoutSeconds: null, queue: null })
    expect(cleared.body).toMatchObject({
      ringTimeoutSeconds: 25,
      queue: null,
      callerId: '+4570001000',
      name: 'New name',
    })
  })

  test('its corporation stays', async () => {
    const both = await world.credential(['dialer:write'], [OURS, THEIRS])
    const body = { callCode: CAMPAIGN, corporation: { corpId: THEIRS } }
    const answer = await world.call('POST', '/dialer/callcode', body, { as: both })
    expect([answer.status, answer.body.errors[0].path]).toEqual([400, 'corporation.corpId'])
  })

  test('another corporation’s campaign is 404, and stays as it is', async () => {
    expect((await save({ callCode: THEIR_CAMPAIGN, name: 'Mine now', corporation: { corpId: 1 } })).status).toBe(404)
    const as = await world.credential(['dialer:read'], [THEIRS])
    const theirs = await world.call('GET', '/dialer/callcode', undefined, { as })
    expect(theirs.body).toMatchObject({ foundRows: 1, callCodes: [{ callCode: THEIR_CAMPAIGN, name: 'Campaign 9' }] })
  })

  test('one that paused itself has a reason, keeps it, and resumes with active: true (F-F7)', async () => {
    const { body: made } = await save(fresh())
    expect(made.pausedReason).toBeNull()
    const { callCode } = made
    const why = '31 of its last 50 calls failed: 31 rejected'
    await world.dialerRepository.pauseCampaign({ campaign: callCode, activeSinceAtMs: 0, why, atMs: 0 })
    const read = async () => (await world.call('GET', `/dialer/callcode?callCode=${callCode}`)).body.callCodes[0]
    expect(await read()).toMatchObject({ callCode, active: false, pausedReason: why })
    expect((await save({ callCode, name: 'Better list' })).body).toMatchObject({ active: false, pausedReason: why })
    expect((await save({ callCode, active: true })).body).toMatchObject({ active: true, pausedReason: null })
    expect(await read()).toMatchObject({ active: true, pausedReason: null })
    expect((await save({ callCode, active: false })).body).toMatchObject({ active: false, pausedReason: null })
  })

  test('the engines are notified', async () => {
    const heard = new Promise<void>((resolve) => {
      const stop = world.dialerRepository.onNotification((notification) => {
        if (notification !== 'orders') return
        stop()
        resolve()
      })
    })
    await save({ callCode: CAMPAIGN, active: true })
    await heard
    expect(await world.dialerRepository.campaigns()).toEqual(
      expect.arrayContaining([expect.objectContaining({ id: CAMPAIGN })]),
    )
  })
})

describe('limits', () => {
  test.each([
    [{ name: undefined }, 'name'],
    [{ name: '' }, 'name'],
    [{ corporation: undefined }, 'corporation'],
    [{ corporation: { corpId: 99 } }, 'corporation.corpId'],
    [{ corporation: { corpId: THEIRS } }, 'corporation.corpId'],
    [{ externalSystem: { itsyId: 5 } }, 'externalSystem.itsyId'],
    [{ queue: { ucquId: 13 } }, 'queue.ucquId'],
    [{ ringTimeoutSeconds: 14 }, 'ringTimeoutSeconds'],
    [{ ringTimeoutSeconds: '25' }, 'ringTimeoutSeconds'],
    [{ maxAbandonRate: 0.0301 }, 'maxAbandonRate'],
    [{ maxAbandonRate: -0.1 }, 'maxAbandonRate'],
    [{ parallelCalls: 0 }, 'parallelCalls'],
    [{ linesPerAgent: 7 }, 'linesPerAgent'],
    [{ dialMode: 'agressive' }, 'dialMode'],
    [{ callerId: '70001000' }, 'callerId'],
    [{ callWindows: windows({ days: [0] }) }, 'callWindows[0].days[0]'],
    [{ callWindows: windows({ from: '8:00' }) }, 'callWindows[0].from'],
    [{ callWindows: windows({ to: '08:00' }) }, 'callWindows[0].to'],
    [{ callWindows: windows({ timeZone: 'Mars/Olympus' }) }, 'callWindows[0].timeZone'],
    [{ callWindows: [...windows(), ...windows({ timeZone: 'Europe/London' })] }, 'callWindows[1].timeZone'],
    [{ holidayCalendar: 'XX' }, 'holidayCalendar'],
    [{ holidays: ['2026-02-30'] }, 'holidays[0]'],
    [{ recording: { mode: 'sometimes' } }, 'recording.mode'],
    [{ allowedDestinations: ['ZZ'] }, 'allowedDestinations[0]'],
    [{ frequencyCap: { calls: 0, days: 7 } }, 'frequencyCap.calls'],
    [{ ringTimoutSeconds: 20 }, 'ringTimoutSeconds'],
    [{ creator: 1 }, 'creator'],
    [{ callCode: 0 }, 'callCode'],
  ])('%j is refused with its place', async (change, path) => {
    const { status, body } = await save(fresh(change))
    expect(status).toBe(400)
    expect(body.errors.map((error: { path: string }) => error.path)).toContain(path)
    expect(body.detail).not.toBe('')
  })

  test('a repeated callCode, or a single campaign beside a list, is refused', async () => {
    expect((await save({ callCodes: [fresh({ callCode: 1 }), fresh({ callCode: 1 })] })).status).toBe(400)
    expect((await save({ name: 'X', callCodes: [fresh()] })).status).toBe(400)
    expect((await save({ callCodes: [] })).status).toBe(400)
  })
})

describe('listing', () => {
  test('by code, by activity, by a part of the name, in pages', async () => {
    await save({
      callCodes: ['North', 'north west', 'South'].map((name, place) => fresh({ name, callCode: 8_001 + place })),
    })
    await save({ callCode: 8_002, active: false })
    const codes = async (query: string) =>
      (await list(query)).body.callCodes.map(({ callCode }: { callCode: number }) => callCode)
    expect(await codes('?name=NORTH')).toEqual([8_001, 8_002])
    expect(await codes('?name=north&active=TRUE')).toEqual([8_001])
    expect(await codes('?callCode=8003,%208001,,8003&active=1')).toEqual([8_001, 8_003])
    expect(await codes('?name=%25')).toEqual([])
    const { body } = await list('?callCode=8001,8002,8003&limit=2&pageNumber=2')
    expect(body).toMatchObject({
      foundRows: 3,
      firstRow: 3,
      lastRow: 3,
      pageCount: 2,
      callCodes: [{ callCode: 8_003 }],
    })
    expect((await list('?callCode=8001&pageNumber=5')).body).toMatchObject({ foundRows: 1, firstRow: 0, lastRow: 0 })
    expect((await list('?active=perhaps')).status).toBe(400)
  })

  test('every campaign matches its schema in the reference', async () => {
    const described = Compile(CampaignOut)
    for (const campaign of (await list('?limit=1000')).body.callCodes) {
      expect([...described.Errors(campaign)]).toEqual([])
    }
  })
})
