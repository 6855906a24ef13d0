import { Type } from 'typebox'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Answer } from '../../../src/rest/http/answer.ts'
import { refuse } from '../../../src/rest/http/problem-response.ts'
import { route } from '../../../src/rest/http/route.ts'
import { VirtualClock } from '../../support/virtual-clock.ts'
import { OURS, openRestWorld, type RestWorld } from '../rest-world.ts'

/** An operation that counts how often it is carried out, and answers as the test says. */
let carriedOut = 0
let next: () => Promise<Answer>
const counting = () => [
  route({
    method: 'POST',
    path: '/test/count',
    scope: 'dialer:write',
    audit: { none: 'a test' },
    summary: 'Counts',
    query: Type.Object({ q: Type.Optional(Type.String()) }),
    body: Type.Object({ n: Type.Integer() }),
    answers: { 200: Type.Unknown(), 201: Type.Unknown() },
    handle: () => {
      carriedOut++
      return next()
    },
  }),
]
const DONE: Answer = {
  status: 201,
  headers: { location: '/test/1', 'svc-created': 'true', etag: '"1-1"' },
  body: { secret: 'tv2_abc' },
}

let world: RestWorld
const clock = new VirtualClock()
beforeAll(async () => {
  world = await openRestWorld({ routes: counting, clock })
})
afterAll(() => world.close())

let keys = 0
const newKey = () => `key-${++keys}`
const post = (key: string, body: unknown = { n: 1 }, path = '/test/count', as = world.values) => {
  return world.call('POST', path, body, { as, headers: { 'idempotency-key': key } })
}

/** How often the operation is carried out meanwhile. */
async function times(work: () => Promise<unknown>): Promise<number> {
  const before = carriedOut
  await work()
  return carriedOut - before
}

describe('a request with an idempotency key', () => {
  test('sent again, gets the same answer and is not carried out again', async () => {
    next = async () => DONE
    const key = newKey()
    const first = await post(key)
    expect(await times(async () => expect((await post(key)).body).toEqual(first.body))).toBe(0)
    const again = await post(key)
    const { location, etag, 'svc-created': created } = again.headers
    expect([again.status, location, etag, created]).toEqual([201, '/test/1', '"1-1"', 'true'])
    expect(again.headers['svc-idempotent-replay']).toBe('true')
    expect(first.headers['svc-idempotent-replay']).toBeUndefined()
  })

  test('sent again to an alias, is the same request', async () => {
    next = async () => DONE
    const key = newKey()
    await post(key)
    expect(await times(() => post(key, { n: 1 }, '/rest/test/count'))).toBe(0)
  })

  test('sent again with another body or query is refused', async () => {
    next = async () => DONE
    const key = newKey()
    await post(key)
    expect((await post(key, { n: 2 })).status).toBe(422)
    expect((await post(key, { n: 1 }, '/test/count?q=x')).status).toBe(422)
  })

  test('sent twice at once, is carried out once', async () => {
    const { promise, resolve: finish } = Promise.withResolvers<Answer>()
    next = () => promise
    const key = newKey()
    const before = carriedOut
    const first = post(key)
    await expect.poll(() => carriedOut).toBe(before + 1)
    const second = await post(key)
    expect([second.status, second.headers['retry-after']]).toEqual([409, '1'])
    finish(DONE)
    expect((await first).status).toBe(201)
    expect((await post(key)).status).toBe(201)
    expect(carriedOut).toBe(before + 1)
  })

  test('sent by twenty at once, is carried out once', async () => {
    next = async () => DONE
    const key = newKey()
    const count = await times(async () => {
      const replies = await Promise.all(Array.from({ length: 20 }, () => post(key)))
      for (const { status } of replies) expect([201, 409]).toContain(status)
    })
    expect(count).toBe(1)
  })

  test('that failed on our side, or was invalid, may be sent again', async () => {
    const key = newKey()
    next = async () => refuse('unavailable', 'not now')
    expect((await post(key)).status).toBe(503)
    expect((await post(key, { n: 'x' })).status).toBe(400)
    next = async () => refuse('tooManyRequests', 'later')
    expect((await post(key)).status).toBe(429)
    next = async () => DONE
    expect((await post(key)).status).toBe(201)
  })

  test('belongs to its credential', async () => {
    next = async () => DONE
    const key = newKey()
    const other = await world.credential(['dialer:write'])
    await post(key)
    expect(await times(() => post(key, { n: 1 }, '/test/count', other))).toBe(1)
  })

  test('is remembered for a day', async () => {
    next = async () => DONE
    const key = newKey()
    await post(key)
    clock.run(23 * 60 * 60_000)
    expect(await times(() => post(key))).toBe(0)
    clock.run(60 * 60_000)
    expect(await times(() => post(key))).toBe(1)
  })

  test('whose server died is carried out by the server that gets it two minutes later', async () => {
    const key = newKey()
    const before = carriedOut
    const { promise, resolve: finish } = Promise.withResolvers<Answer>()
    next = () => promise
    const dead = post(key)
    await expect.poll(() => carriedOut).toBe(before + 1)
    clock.run(119_000)
    expect((await post(key)).status).toBe(409)
    clock.run(1_000)
    next = async () => DONE
    expect((await post(key, { n: 2 })).status, 'another request with the same key').toBe(422)
    expect((await post(key)).status).toBe(201)
    finish(DONE)
    await dead
  })

  test('has its answer encrypted: a secret in it cannot be read in the database', async () => {
    next = async () => DONE
    await post(newKey())
    const { rows } = await world.pools.jobs.query('select answer from idempotency_keys where answer is not null')
    expect(rows.length).toBeGreaterThan(0)
    for (const { answer } of rows) expect(answer.toString('latin1')).not.toContain('tv2_abc')
  })

  test.each(['x'.repeat(256), '', 'with blank', '\u00e6'])('of the form "%s" is refused', async (key) => {
    next = async () => DONE
    expect((await post(key)).status).toBe(400)
  })

  test('is never required', async () => {
    next = async () => DONE
    expect(
      await times(async () => {
        await world.call('POST', '/test/count', { n: 1 })
        await world.call('POST', '/test/count', { n: 1 })
      }),
    ).toBe(2)
  })
})

test('a credential whose keys fill their room gets no further one, and still its old answers', async () => {
  next = async () => DONE
  const as = await world.credential(['dialer:write'], [OURS])
  const old = newKey()
  await post(old, { n: 1 }, '/test/count', as)
  const fill = `insert into idempotency_keys
    select realm_control, route, 'more' || number, print, large, runs_until_at_ms, kept_until_at_ms
      from idempotency_keys, convert_to(repeat('x', 32 * 1024 * 1024), 'UTF8') as large,
        generate_series(1, 8) as number where realm_control = $1`
  await world.pools.jobs.query(fill, [as.rcntrl])
  clock.run(60_000)
  const carried = await times(async () => {
    const refused = await post(newKey(), { n: 1 }, '/test/count', as)
    expect(refused.status).toBe(429)
    expect(refused.body.detail).toContain('have no more room (250000 keys, 256 MiB')
    expect((await post(old, { n: 1 }, '/test/count', as)).status).toBe(201)
  })
  expect(carried).toBe(0)
  expect((await post(newKey())).status).toBe(201)
  await world.pools.jobs.query('delete from idempotency_keys where realm_control = $1', [as.rcntrl])
})

test('expired keys are removed', async () => {
  next = async () => DONE
  await post(newKey())
  await world.pools.jobs.query(`insert into idempotency_keys
    select realm_control, route, 'more' || number, print, answer, runs_until_at_ms, kept_until_at_ms
      from idempotency_keys, generate_series(1, 2500) as number where key = (select min(key) from idempotency_keys)`)
  // The clock stands still: a sweep of the service's own would take the same rows, and end later than this one.
  await world.parts.credentials.sweepAccess(clock.nowMs() + 25 * 60 * 60_000)
  const { rows } = await world.pools.jobs.query('select count(*) as count from idempotency_keys')
  expect(rows).toEqual([{ count: 0 }])
})

test('a credential is listed for 90 days after its end, for later inquiries', async () => {
  const days = (count: number) => clock.run(count * 24 * 60 * 60_000)
  const { rcntrl } = await world.credential(['dialer:read'], [OURS], { expiresAtMs: clock.nowMs() + 1_000 })
  const isListed = async () => {
    await world.parts.credentials.sweepAccess(clock.nowMs())
    const { body } = await world.call('GET', '/core/tokens')
    return (body as { rcntrl: string }[]).some((token) => token.rcntrl === rcntrl)
  }
  days(89)
  expect(await isListed()).toBe(true)
  days(2)
  expect(await isListed()).toBe(false)
})
