/** The server at a real port: the behaviour of sockets. */
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { Readable } from 'node:stream'
import { Type } from 'typebox'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { silentLog } from '../../src/kernel/log.ts'
import { DatabaseUnavailable } from '../../src/ports/dialer-repository.ts'
import type { Answer } from '../../src/rest/http/answer.ts'
import { readBody } from '../../src/rest/http/read-body.ts'
import { type Route, route } from '../../src/rest/http/route.ts'
import { startRest } from '../../src/rest/server.ts'
import { VirtualClock } from '../support/virtual-clock.ts'
import { openRestWorld, type RestWorld } from './rest-world.ts'

let answer: () => Promise<Answer> = async () => ({ body: {} })
const echo: Route = route({
  method: 'POST',
  path: '/test/echo',
  scope: 'dialer:write',
  audit: { none: 'a test' },
  summary: 'Answers what the test wants',
  body: Type.Unknown(),
  answers: { 200: Type.Unknown() },
  handle: () => answer(),
})
const own: Route = {
  ...echo,
  path: '/test/own',
  answers: { 200: Type.Unknown(), 400: Type.Unknown() },
  problemBody: ({ detail }) => ({ statusCode: 2, statusText: detail }),
}
const bytes: Route = route({
  method: 'GET',
  path: '/test/bytes',
  scope: 'files:read',
  audit: { none: 'a test' },
  produces: 'bytes',
  summary: 'Bytes',
  answers: { 200: Type.Unknown() },
  handle: async () => ({ stream: Readable.from([Buffer.from('sound')]), headers: { 'content-type': 'audio/wav' } }),
})

let world: RestWorld
beforeAll(async () => {
  // Mistakes of ours are made on purpose here.
  world = await openRestWorld({ routes: () => [echo, own, bytes], parts: () => ({ log: silentLog }) })
})
afterAll(() => world.close())

/** Sends raw bytes; resolves with the reply when the server closes. */
async function raw(...parts: readonly string[]): Promise<string> {
  const { port } = new URL(world.rest.url)
  const socket: Socket = connect(Number(port), '127.0.0.1')
  let heard = ''
  socket.on('data', (chunk) => {
    heard += chunk
  })
  socket.on('error', () => {})
  for (const part of parts) socket.write(part)
  await once(socket, 'close')
  return heard
}

const head = (line: string, more = '') => `${line} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n${more}\r\n`
const signed = () =>
  Object.entries(world.values)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('')

describe('an oversized or invalid request', () => {
  test('over 1 MiB is refused with 413, with or without a Content-Length', async () => {
    const large = JSON.stringify('x'.repeat(1024 * 1024))
    expect((await world.call('POST', '/test/echo', undefined, { text: large })).status).toBe(413)
    const told = await fetch(`${world.rest.url}/test/echo`, {
      method: 'POST',
      headers: { ...world.values, 'content-type': 'application/json' },
      body: new Blob([large]).stream(),
      duplex: 'half',
    } as RequestInit)
    expect(told.status).toBe(413)
  })

  test('with a long address is refused with 414, with long headers with 431', async () => {
    expect(await raw(head(`GET /core/users?x=${'y'.repeat(9_000)}`))).toMatch(/^HTTP\/1.1 414 [\s\S]*"status":414/)
    expect(await raw(head('GET /core/users', `x: ${'y'.repeat(20_000)}\r\n`))).toMatch(
      /^HTTP\/1.1 431 [\s\S]*"status":431/,
    )
  })

  test('that is not HTTP is refused with 400, and logs no error', async () => {
    for (const text of ['nonsense\r\n\r\n', 'GET / HTTP/9.9\r\n\r\n', '\x16\x03\x01\x02\x00']) {
      expect(await raw(text)).toMatch(/^HTTP\/1.1 400 /)
    }
    expect((await world.call('GET', '/healthz')).status).toBe(200)
  })

  test('with two lengths, which allows request smuggling, is refused', async () => {
    const smuggled = 'content-length: 5\r\ntransfer-encoding: chunked\r\n'
    expect(await raw(head('POST /test/echo', `${signed()}${smuggled}`), '0\r\n\r\n')).toMatch(/^HTTP\/1.1 400 /)
  })

  test.each(['/%', '/%ff', '/core/%zz', '/test/echo%00', '/..%2f..%2fetc/passwd', '//evil.example.com/'])(
    'for the address %s is refused, and is no mistake of ours',
    async (path) => {
      const { status, body } = await world.call('GET', path)
      expect([400, 404]).toContain(status)
      expect(body.status).toBe(status)
    },
  )
})

describe('a body that does not come', () => {
  test('is awaited for 30 s, and then as long as a KiB comes each second', async () => {
    const clock = new VirtualClock()
    const slow = new Readable({ read: () => {} })
    const reading = readBody(slow, 1e6, clock)
    slow.push(Buffer.alloc(10 * 1024))
    await clock.runWithPromises(39_999)
    expect(await Promise.race([reading, 'still reading'])).toBe('still reading')
    await clock.runWithPromises(1)
    expect(await reading).toBe('too slow')
  })

  test('or is cut off, or is too large, is not awaited', async () => {
    const clock = new VirtualClock()
    const cut = new Readable({ read: () => {} })
    const reading = readBody(cut, 1e6, clock)
    cut.destroy()
    expect(await reading).toBe('broken off')
    expect(await readBody(Readable.from([Buffer.alloc(6), Buffer.alloc(6)]), 10, clock)).toBe('too large')
    expect(await readBody(Readable.from([Buffer.from('ab'), Buffer.from('c')]), 3, clock)).toEqual(Buffer.from('abc'))
  })

  test('is not read without a valid credential', async () => {
    const heard = await raw(head('POST /test/echo', 'content-length: 900000\r\ncontent-type: application/json\r\n'))
    expect(heard).toMatch(/^HTTP\/1.1 401 /)
  })
})

describe('an answer', () => {
  test('to another media type or charset than JSON in UTF-8 is 415', async () => {
    const send = async (type: string) =>
      (await world.call('POST', '/test/echo', undefined, { text: '{}', headers: { 'content-type': type } })).status
    answer = async () => ({ body: {} })
    expect(await send('application/json; charset=utf-8')).toBe(200)
    expect(await send('application/json;charset="UTF-8"')).toBe(200)
    for (const type of ['text/plain', 'application/xml', 'application/json; charset=latin1', 'nonsense', 'a/b;;=']) {
      expect([type, await send(type)]).toEqual([type, 415])
    }
    const none = await fetch(`${world.rest.url}/test/echo`, {
      method: 'POST',
      headers: { ...world.values },
      body: Buffer.from('{}'),
    })
    expect(none.status).toBe(200)
  })

  test('is JSON in UTF-8, and is not cached', async () => {
    answer = async () => ({ body: { name: 'Åse' } })
    const reply = await world.call('POST', '/test/echo', {})
    expect(reply.headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'content-security-policy': `default-src 'none'; base-uri 'none'; frame-ancestors 'none'`,
      'svc-api-version': expect.stringMatching(/^1\.\d+\.\d+$/),
    })
    expect(reply.body).toEqual({ name: 'Åse' })
  })

  test('has the client’s own trace id, or one of ours', async () => {
    const reply = await world.call('GET', '/nope', undefined, { headers: { 'svc-trace-id': 'abc-1' } })
    expect([reply.headers['svc-trace-id'], reply.body.traceId]).toEqual(['abc-1', 'abc-1'])
    const other = await world.call('GET', '/nope', undefined, { headers: { 'svc-trace-id': 'a b' } })
    expect(other.body.traceId).toMatch(/^[\w-]{10,}$/)
  })

  test('of bytes is sent unchanged', async () => {
    const reply = await world.call('GET', '/test/bytes')
    expect([reply.text, reply.headers['content-type']]).toEqual(['sound', 'audio/wav'])
  })

  test('without a database is 503 with Retry-After', async () => {
    answer = async () => {
      throw new DatabaseUnavailable('away')
    }
    const reply = await world.call('POST', '/test/echo', {})
    expect([reply.status, reply.headers['retry-after']]).toEqual([503, '1'])
  })

  test('to a mistake of ours admits it and shows no internals', async () => {
    answer = async () => {
      throw new Error('select secret from credentials failed at store.ts:7')
    }
    const reply = await world.call('POST', '/test/echo', {})
    expect(reply.status).toBe(500)
    expect(reply.body).toMatchObject({ status: 500, statusCode: 1, traceId: expect.any(String) })
    expect(reply.text).not.toMatch(/select|store\.ts/)
  })

  test('takes the operation’s own form of a problem if it has one', async () => {
    const malformed = await world.call('POST', '/test/own', undefined, { text: '{' })
    expect([malformed.status, malformed.body]).toEqual([400, { statusCode: 2, statusText: 'the body is not JSON' }])
    expect((await world.call('POST', '/test/own', {}, { as: null })).body).toMatchObject({ statusCode: 2 })
  })

  test('to a wrong method names the right ones', async () => {
    const reply = await world.call('DELETE', '/rest/test/echo')
    expect([reply.status, reply.headers['allow']]).toEqual([405, 'POST'])
    const both = await world.call('PUT', '/core/tokens')
    expect([both.status, both.headers['allow']]).toEqual([405, 'POST, GET, HEAD'])
  })

  test('that differs from its declaration fails its test', async () => {
    answer = async () => ({ status: 202, body: {} })
    expect((await world.call('POST', '/test/echo', {})).status).toBe(500)
  })
})

describe('a server that stops', () => {
  test('finishes its requests, refuses new ones, and then closes', async () => {
    const ending = await openRestWorld({ routes: () => [echo] })
    const begun = Promise.withResolvers<void>()
    const finish = Promise.withResolvers<Answer>()
    answer = () => {
      begun.resolve()
      return finish.promise
    }
    const first = ending.call('POST', '/test/echo', {})
    await begun.promise
    const closed = ending.close()
    const late = await ending.call('GET', '/core/activeuser')
    expect([late.status, late.headers['retry-after']]).toEqual([503, '1'])
    finish.resolve({ body: { done: true } })
    expect((await first).body).toEqual({ done: true })
    await closed
    await expect(fetch(`${ending.rest.url}/healthz`)).rejects.toThrow()
  })

  test('waits for 30 s at most', async () => {
    const clock = new VirtualClock()
    const ending = await openRestWorld({ routes: () => [echo], clock })
    const begun = Promise.withResolvers<void>()
    answer = () => {
      begun.resolve()
      return new Promise(() => {})
    }
    void fetch(`${ending.rest.url}/test/echo`, {
      method: 'POST',
      headers: { ...ending.values, 'content-type': 'application/json' },
      body: '{}',
    }).catch(() => {})
    await begun.promise
    const closed = ending.close()
    clock.run(30_000)
    await closed
    await expect(fetch(`${ending.rest.url}/healthz`)).rejects.toThrow()
  })
})

test('given parts of the service that do not run, /readyz names them and is not ready', async () => {
  let why: string | undefined = 'parts of the service do not run: mail intake, hold expiry'
  const node = { host: '127.0.0.1', port: 0 }
  const rest = await startRest({ dependencies: world.parts, routes: [], node, ready: [() => why] })
  const refused = await fetch(`${rest.url}/readyz`)
  const problem = { detail: 'parts of the service do not run: mail intake, hold expiry' }
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '1'])
  expect(await refused.json()).toMatchObject(problem)
  why = undefined
  const ready = await fetch(`${rest.url}/readyz`)
  expect([ready.status, await ready.json()]).toEqual([200, { status: 'ready' }])
  await rest.close()
})
