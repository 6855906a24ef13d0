/** A recording that is played: its waveform, its parts, and who heard it (files-and-activities-11, 12). */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { tonesInFolder } from '../../../src/adapters/recordings/simulated-recording.ts'
import type { UserId } from '../../../src/kernel/ids.ts'
import type { CredentialValues } from '../../../src/rest/http/credential-values.ts'
import { BROWSER_PATIENCE_MS, type TestBrowser, testBrowser } from '../../support/browser.ts'
import { VirtualClock } from '../../support/virtual-clock.ts'
import { ANNA, callOf, type DialerWorld, openDialerWorld } from '../dialer/dialer-world.ts'
import { OURS, THEIRS } from '../rest-world.ts'

const recordingsDirectory = mkdtempSync(join(tmpdir(), 'switchboard-hearing-'))
const clock = new VirtualClock(Date.UTC(2026, 2, 2, 9))
let world: DialerWorld
/** The file id of a recording of four seconds with two channels. */
let cfreId: number
let calls = 0

beforeAll(async () => {
  const write = tonesInFolder(recordingsDirectory)
  await write({ recording: 'talk', channels: 2, lengthMs: 4_000 })
  await write({ recording: 'short', channels: 1, lengthMs: 100 })
  writeFileSync(join(recordingsDirectory, 'noise.wav'), 'this is no sound at all')
  world = await openDialerWorld({ clock, recordingsDirectory })
  cfreId = await recorded('talk.wav')
})
afterAll(async () => {
  await world.close()
  rmSync(recordingsDirectory, { recursive: true })
})

async function recorded(file: string, change = {}): Promise<number> {
  const recordings = [{ file, startedAtMs: 0, endedAtMs: 4_000, state: 'ready' as const }]
  const call = callOf(`call-${++calls}`, 60_000, { recordings, ...change })
  const result = await world.dialerRepository.finishCall(call)
  if (result.outcome === 'refused') throw new Error(result.why)
  const text = 'select file_id from recordings where activity_id = $1'
  return (await world.pools.api.query(text, [result.activity])).rows[0].file_id
}

const peaks = (query: string, as?: CredentialValues) =>
  world.call('GET', `/rest/core/corefile/peaks?${query}`, undefined, as ? { as } : {})

describe('the waveform', () => {
  test('has the lowest and highest samples of each stretch of both channels', async () => {
    const { status, body } = await peaks(`cfreId=${cfreId}&points=8`)
    expect(status).toBe(200)
    // Each speaks in their own half of each second, as loud as 6,000 of 32,768.
    const [theirs, ours] = [
      [23, 0, 23, 0, 23, 0, 23, 0],
      [0, 23, 0, 23, 0, 23, 0, 23],
    ]
    expect(body).toEqual({
      durationMs: 4_000,
      channels: [theirs, ours].map((max) => ({ min: max!.map((one) => (one === 0 ? 0 : -24)), max })),
    })
  })

  test('of a short recording has fewer points: 20 ms or longer, it holds no sound', async () => {
    const { body } = await peaks(`cfreId=${await recorded('short.wav')}&points=4000`)
    expect(body.durationMs).toBe(100)
    expect(body.channels).toHaveLength(1)
    expect(body.channels[0].min).toHaveLength(5)
    expect((await peaks(`cfreId=${cfreId}`)).body.channels[1].max).toHaveLength(200)
  })

  test('of a file that is no sound, of one that is gone, and of one of others', async () => {
    const noise = await peaks(`cfreId=${await recorded('noise.wav')}`)
    expect([noise.status, noise.body.detail]).toEqual([409, expect.stringContaining('no wav file')])
    expect((await peaks(`cfreId=${await recorded('gone.wav')}`)).status).toBe(404)
    expect((await peaks(`cfreId=${await recorded('talk.wav', { corporation: THEIRS })}`)).status).toBe(404)
    expect((await peaks('cfreId=999999')).status).toBe(404)
    expect((await peaks(`cfreId=${cfreId}&points=4001`)).status).toBe(400)
  })

  test('is refused to who asks for many at once, and somebody else is served meanwhile', async () => {
    await tonesInFolder(recordingsDirectory)({ recording: 'long', channels: 2, lengthMs: 300_000 })
    const long = await recorded('long.wav', { agent: ANNA })
    const many = Array.from({ length: 100 }, () => peaks(`cfreId=${long}`))
    const isRefused = async (each: (typeof many)[number]) => ((await each).status === 503 ? each : Promise.reject())
    await Promise.any(many.map(isRefused))
    const anna = await world.credential(['files:read'], [OURS], { user: { id: 41, userName: 'anna' } } as never)
    expect((await peaks(`cfreId=${long}`, anna)).status).toBe(200)
    const refused = (await Promise.all(many)).filter(({ status }) => status !== 200)
    for (const { status, headers } of refused) expect([status, headers['retry-after']]).toEqual([503, '2'])
    expect(many.length - refused.length).toBeLessThan(20)
    expect((await peaks(`cfreId=${long}`)).status).toBe(200)
  })

  test('is refused while many others are read, and nobody waits for all of them', async () => {
    const long = await recorded('long.wav')
    const askers = await Promise.all(Array.from({ length: 30 }, () => world.credential(['files:read'])))
    const replies = await Promise.all(
      askers.flatMap((as) => [peaks(`cfreId=${long}`, as), peaks(`cfreId=${long}`, as)]),
    )
    const refused = replies.filter(({ status }) => status !== 200)
    expect(refused.length).toBeGreaterThan(0)
    for (const { status, headers } of refused) expect([status, headers['retry-after']]).toEqual([503, '2'])
    expect(replies.length - refused.length).toBeGreaterThan(20)
  })

  test('for an agent, of their own calls alone', async () => {
    const user = { id: 41 as UserId, userName: 'anna' }
    const anna = await world.credential(['files:read'], [OURS], { user } as never)
    expect((await peaks(`cfreId=${cfreId}`, anna)).status).toBe(404)
    expect((await peaks(`cfreId=${await recorded('talk.wav', { agent: ANNA })}`, anna)).status).toBe(200)
  })
})

describe('who hears a recording', () => {
  const part = (file: number, range: string | undefined, as = world.values, address?: string) =>
    world.call('GET', `/rest/core/corefile?cfreId=${file}`, undefined, {
      as,
      ...(range && { headers: { range } }),
      ...(address && { address }),
    })

  async function entries(file: number) {
    const text = `select from audit_records where object = 'file' and action = 'read' and ids = $1`
    return (await world.pools.api.query(text, [[String(file)]])).rowCount
  }

  test('is in the audit trail once in ten minutes, however many parts a player fetches', async () => {
    const file = await recorded('talk.wav')
    const first = await Promise.all(['bytes=0-', 'bytes=100-199', 'bytes=5000-'].map((range) => part(file, range)))
    expect(first.map(({ status }) => status)).toEqual([206, 206, 206])
    clock.run(9 * 60_000)
    await part(file, 'bytes=200-')
    expect(await entries(file)).toBe(1)
    clock.run(61_000)
    await part(file, 'bytes=300-')
    expect(await entries(file)).toBe(2)
  })

  test('another client, another address and another recording have entries of their own', async () => {
    const [file, other] = [await recorded('talk.wav'), await recorded('talk.wav')]
    await part(file, 'bytes=0-')
    await part(file, 'bytes=0-', await world.credential(['files:read']))
    await part(file, 'bytes=0-', world.values, '10.0.0.9')
    await part(other, 'bytes=0-')
    expect([await entries(file), await entries(other)]).toEqual([3, 1])
  })

  test('a file that is sent whole has an entry each time', async () => {
    const file = await recorded('talk.wav')
    await part(file, undefined)
    await part(file, undefined)
    expect(await entries(file)).toBe(2)
  })

  test('is not answered while no entry can be stored, and the next part tries again', async () => {
    const file = await recorded('talk.wav')
    await world.pools.jobs.query('alter table audit_records rename to audit_records_away')
    try {
      expect((await part(file, 'bytes=0-')).status).toBeGreaterThanOrEqual(500)
    } finally {
      await world.pools.jobs.query('alter table audit_records_away rename to audit_records')
    }
    expect((await part(file, 'bytes=0-')).status).toBe(206)
    expect(await entries(file)).toBe(1)
  })
})

describe('an audio element of a real browser', () => {
  let browser: TestBrowser
  let page: Page
  beforeAll(async () => {
    browser = await testBrowser()
    page = await browser.page()
  }, BROWSER_PATIENCE_MS)
  afterAll(() => browser?.close())

  test('plays it, and goes to the middle of it', async () => {
    const asked: (string | undefined)[] = []
    const us = 'http://us.example'
    await page.route(`${us}/**`, async (route) => {
      const { pathname, search } = new URL(route.request().url())
      if (pathname === '/') return route.fulfill({ contentType: 'text/html', body: '<audio id=player></audio>' })
      const { range } = route.request().headers()
      asked.push(range)
      const url = `${world.rest.url}${pathname}${search}`
      const answer = await fetch(url, { headers: { ...world.values, ...(range && { range }) } })
      const body = Buffer.from(await answer.arrayBuffer())
      return route.fulfill({ status: answer.status, headers: Object.fromEntries(answer.headers), body })
    })
    await page.goto(us)
    const heard = await page.evaluate(`(async () => {
      const player = document.querySelector('audio')
      player.muted = true
      const event = (name) => new Promise((resolve) => player.addEventListener(name, resolve, { once: true }))
      const ready = event('canplay')
      player.src = '/rest/core/corefile?cfreId=${cfreId}'
      await ready
      const sought = event('seeked')
      player.currentTime = 3
      await sought
      const ended = event('ended')
      await player.play()
      await ended
      return { seconds: player.duration, at: player.currentTime, error: player.error }
    })()`)
    expect(heard).toEqual({ seconds: 4, at: 4, error: null })
    expect(asked[0]).toBe('bytes=0-')
  })
})
