import { request } from 'node:http'
import { describe, expect, test } from 'vitest'
import { type Clock, RealClock, type Timer } from '../../../src/kernel/clock.ts'
import { FailedTries } from '../../../src/rest/http/failed-logins.ts'
import { ALLOWANCES } from '../../../src/rest/http/rate-limit.ts'
import { TokenBuckets } from '../../../src/rest/http/token-bucket.ts'
import { VirtualClock } from '../../support/virtual-clock.ts'
import { CAMPAIGN, debtors, importOf, openDialerWorld } from '../dialer/dialer-world.ts'
import { openRestWorld } from '../rest-world.ts'

const WHO = '/core/activeuser'

/** Stands still but for steps; pauses in the work on a large body take their real time. */
function steppedClock() {
  const real = new RealClock()
  let atMs = 0
  const clock: Clock = {
    nowMs: () => atMs,
    schedule: (dueAtMs, action) => real.schedule(real.nowMs() + Math.max(0, dueAtMs - atMs), action),
  }
  return {
    ...clock,
    step: (ms: number) => {
      atMs += ms
    },
  }
}

const PATIENCE_MS = 30_000

/** Tells which bodies are being read: each has a timer of this length. */
class ReadingClock extends VirtualClock {
  #isReading = 0
  #wanted: { readonly count: number; readonly met: () => void } | undefined

  override schedule(atMs: number, action: () => void): Timer {
    const timer = super.schedule(atMs, action)
    if (atMs - this.nowMs() !== PATIENCE_MS) return timer
    this.#count(1)
    const cancel = () => {
      timer.cancel()
      this.#count(-1)
    }
    return { cancel }
  }

  /** Resolves when so many bodies are being read. */
  reads(count: number): Promise<void> {
    return new Promise((met) => {
      this.#wanted = { count, met }
      this.#count(0)
    })
  }

  #count(change: number): void {
    this.#isReading += change
    if (this.#isReading === this.#wanted?.count) this.#wanted.met()
  }
}

describe('large bodies', () => {
  test('take the room of the node while they are read; beyond it 429, until one is given up', async () => {
    const clock = new ReadingClock()
    const world = await openDialerWorld({ clock })
    const path = '/svcdialer/calltaskimport'
    const mebibytes = (count: number) => ({ 'content-length': String(count * 1024 * 1024) })
    const [broken, slow] = [1, 2].map(() => {
      const headers = { ...world.values, ...mebibytes(64), 'content-type': 'application/json' }
      const client = request(`${world.rest.url}${path}?importAsync=true`, { method: 'POST', headers })
      client.on('error', () => {}).write('{"callTasks":[')
      return client
    })
    await clock.reads(2)
    let place = 0
    const send = (headers = {}) => {
      place++
      return world.call('POST', path, importOf(debtors(place, place + 1)), { headers })
    }
    const refused = await send(mebibytes(1))
    expect([refused.status, refused.headers['retry-after']]).toEqual([429, '1'])
    expect(refused.body).toMatchObject({ statusText: expect.stringContaining('as many large bodies as it has room') })
    expect((await send()).status).toBe(200)
    broken!.destroy()
    await clock.reads(1)
    expect((await send(mebibytes(16))).status).toBe(200)
    const timedOut = new Promise<number | undefined>((tell) => slow!.on('response', (told) => tell(told.statusCode)))
    clock.run(PATIENCE_MS + 1_000)
    expect(await timedOut).toBe(408)
    slow!.destroy()
    // All of the room is free again.
    const whole = Array.from({ length: 8 }, async () => (await send(mebibytes(16))).status)
    expect(new Set(await Promise.all(whole))).toEqual(new Set([200]))
    await world.close()
  })
})

describe('a rate limit', () => {
  test('allows its burst at once, and then its rate per minute', () => {
    const buckets = new TokenBuckets({ burst: 3, perMinute: 60 })
    const granted = (nowMs: number) => buckets.take('a', nowMs).isGranted
    expect([0, 0, 0, 0].map(granted)).toEqual([true, true, true, false])
    expect([999, 1_000, 1_000].map(granted)).toEqual([false, true, false])
    expect(Array.from({ length: 5 }, () => granted(3_600_000))).toEqual([true, true, true, false, false])
  })

  test('is separate for each client, and a clock that jumps back takes nothing away', () => {
    const buckets = new TokenBuckets({ burst: 1, perMinute: 60 })
    expect(buckets.take('a', 10_000).isGranted).toBe(true)
    expect(buckets.take('b', 10_000).isGranted).toBe(true)
    expect(buckets.take('a', 0).isGranted).toBe(false)
    expect(buckets.take('a', 1_000).isGranted).toBe(true)
  })
})

describe('failed tries', () => {
  test('lock for a minute, then for longer each time, and for 15 minutes at most', () => {
    const tries = new FailedTries(5)
    let nowMs = 0
    const lock = () => {
      for (let i = 0; i < 5; i++) tries.fail('a', nowMs)
      const lockedMs = tries.lockedMs('a', nowMs)
      nowMs += lockedMs
      return lockedMs / 60_000
    }
    expect(Array.from({ length: 6 }, lock)).toEqual([1, 2, 4, 8, 15, 15])
    expect(tries.lockedMs('b', nowMs)).toBe(0)
  })

  test('spread over time do not lock', () => {
    const tries = new FailedTries(5)
    for (let i = 0; i < 100; i++) tries.fail('a', i * 20_000)
    expect(tries.lockedMs('a', 2_000_000)).toBe(0)
  })
})

describe('a client that sends too many requests', () => {
  test('gets 429 with Retry-After; others are not affected', async () => {
    const clock = new VirtualClock()
    const world = await openRestWorld({ clock, rest: { allowances: ALLOWANCES } })
    const other = await world.credential(['admin'])
    let last = await world.call('GET', WHO)
    expect(last.headers).toMatchObject({ 'ratelimit-policy': '"reads";q=100;w=10', ratelimit: '"reads";r=99;t=0' })
    for (let i = 1; i < 100; i++) last = await world.call('GET', WHO)
    expect(last.status).toBe(200)
    last = await world.call('GET', '/rest/core/activeuser')
    expect([last.status, last.headers['retry-after']]).toEqual([429, '1'])
    expect(last.body).toMatchObject({ status: 429, statusCode: 1 })
    expect((await world.call('GET', WHO, undefined, { as: other })).status).toBe(200)
    clock.run(1_000)
    expect((await world.call('GET', WHO)).status).toBe(200)
    await world.close()
  })

  test('of one call task each may send 300 imports; the refusal advises to send many call tasks at once', async () => {
    const clock = steppedClock()
    const world = await openDialerWorld({ clock, rest: { allowances: ALLOWANCES } })
    const place = (from: number, to: number) => world.importTasks(debtors(from, to))
    const first = await place(0, 1)
    const ratelimit = { 'ratelimit-policy': '"imports";q=300000;w=60', ratelimit: '"imports";r=299000;t=0' }
    expect(first).toMatchObject({ status: 200, headers: ratelimit, body: { importedCount: 1 } })
    // What is wrong with the others is said before the database is asked.
    const statuses = new Set<number>()
    for (let i = 1; i < 300; i++) statuses.add((await world.importTasks([])).status)
    expect([...statuses]).toEqual([400])
    const refused = await place(1, 2)
    expect([refused.status, refused.headers['retry-after']]).toEqual([429, '1'])
    expect(refused.body).toMatchObject({ statusText: expect.stringContaining('send up to 10,000 call tasks in one') })
    clock.step(200)
    expect((await place(1, 2)).status).toBe(200)
    await world.close()
  })

  test('pays for every call task of an import, and is told when there is room for all of them', async () => {
    const clock = steppedClock()
    const allowances = { ...ALLOWANCES, imports: { burst: 3_000, perMinute: 60_000 } }
    const world = await openDialerWorld({ clock, rest: { allowances } })
    const place = (from: number, to: number) => world.importTasks(debtors(from, to))
    const large = await place(0, 1_500)
    expect([large.status, large.headers['ratelimit']]).toEqual([200, '"imports";r=1500;t=0'])
    const refused = await place(2_000, 4_000)
    // 500 are left of the 1,500 after its first 1,000; it needs 2,000.
    expect([refused.status, refused.headers['ratelimit'], refused.headers['retry-after']]).toEqual([
      429,
      '"imports";r=500;t=2',
      '2',
    ])
    expect((await world.search({ limit: 1 })).body.foundRows).toBe(1_500)
    clock.step(2_000)
    expect((await place(2_000, 4_000)).body).toMatchObject({ importedCount: 2_000 })
    await world.close()
  })

  test('pays for a spreadsheet, a list called again and a publication as for 10,000 call tasks', async () => {
    const clock = steppedClock()
    const allowances = { ...ALLOWANCES, imports: { burst: 20_000, perMinute: 60_000 } }
    const world = await openDialerWorld({ clock, rest: { allowances } })
    const recycle = () => world.call('POST', `/dialer/callcode/${CAMPAIGN}/recycle`, {})
    const answers = [await recycle(), await recycle(), await recycle()]
    expect(answers.map(({ status }) => status === 429)).toEqual([false, false, true])
    expect(answers[2]?.headers['retry-after']).toBe('10')
    await world.close()
  })

  test('spends its allowance on invalid requests as well', async () => {
    const clock = new VirtualClock()
    const allowances = { ...ALLOWANCES, writes: { burst: 2, perMinute: 1 } }
    const world = await openRestWorld({ clock, rest: { allowances } })
    const statuses = []
    for (let i = 0; i < 3; i++) statuses.push((await world.call('POST', '/core/tokens', { nonsense: 1 })).status)
    await world.close()
    expect(statuses).toEqual([400, 400, 429])
  })
})

describe('a client that guesses credentials', () => {
  test('is locked out by address after ten tries in a minute; a right credential of that address passes', async () => {
    const clock = new VirtualClock()
    const world = await openRestWorld({ clock })
    const guess = { ...world.values, ccntrl: 'A'.repeat(22) }
    const statuses = []
    for (let i = 0; i < 11; i++) statuses.push((await world.call('GET', WHO, undefined, { as: guess })).status)
    expect(statuses).toEqual([...Array(10).fill(401), 429])
    const locked = await world.call('GET', WHO, undefined, { as: guess })
    expect([locked.status, locked.headers['retry-after']]).toEqual([429, '60'])
    expect((await world.call('GET', WHO)).status).toBe(200)
    clock.run(60_000)
    expect((await world.call('GET', WHO, undefined, { as: guess })).status).toBe(401)
    await world.close()
  })

  test('that knows all but the secret is locked out after five tries; the public id alone locks none', async () => {
    const clock = new VirtualClock()
    const proxied = { trustedProxies: ['127.0.0.1'] }
    const world = await openRestWorld({ clock, rest: proxied })
    let address = 0
    const ask = async (as: typeof world.values) => {
      const headers = { 'x-forwarded-for': `192.0.2.${++address}` }
      return (await world.call('GET', WHO, undefined, { as, headers })).status
    }
    for (let i = 0; i < 20; i++) expect(await ask({ ...world.values, ccntrl: 'A'.repeat(22) })).toBe(401)
    expect(await ask(world.values)).toBe(200)
    for (let i = 0; i < 5; i++) expect(await ask({ ...world.values, tokenv2: `tv2_${'A'.repeat(43)}` })).toBe(401)
    expect(await ask(world.values)).toBe(429)
    clock.run(60_000)
    expect(await ask(world.values)).toBe(200)
    await world.close()
  })

  test('cannot forge its address: only a trusted proxy names addresses', async () => {
    const clock = new VirtualClock()
    const world = await openRestWorld({ clock })
    const guess = { ...world.values, ccntrl: 'A'.repeat(22) }
    const statuses = []
    for (let i = 0; i < 11; i++) {
      const headers = { 'x-forwarded-for': `192.0.2.${i}` }
      statuses.push((await world.call('GET', WHO, undefined, { as: guess, headers })).status)
    }
    await world.close()
    expect(statuses.at(-1)).toBe(429)
  })
})
