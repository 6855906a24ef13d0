import { expect, onTestFinished, test } from 'vitest'
import { addressGuard, type Resolve } from '../../../src/adapters/http/address-guard.ts'
import { HttpCircuitBreaker } from '../../../src/adapters/http/circuit-breaker.ts'
import { webOverUndici } from '../../../src/adapters/http/http-client.ts'
import { type Clock, RealClock } from '../../../src/kernel/clock.ts'
import { makeLog, silentLog } from '../../../src/kernel/log.ts'
import type { Web, WebAnswer, WebRequest } from '../../../src/ports/web.ts'
import { VirtualClock } from '../../support/virtual-clock.ts'
import { answerJson, bodyOf, deadPort, serveBytes, serveHttp } from './local-server.ts'

interface Given {
  readonly allowedHosts: readonly string[]
  readonly clock?: Clock
  readonly resolve?: Resolve
  readonly log?: typeof silentLog
}

function webOf({ allowedHosts, clock = new RealClock(), resolve, log = silentLog }: Given): Web {
  const guard = addressGuard({ allowedHosts, ...(resolve && { resolve }) })
  const web = webOverUndici({ clock, guard, breaker: new HttpCircuitBreaker(clock), log })
  onTestFinished(() => web.close())
  return web
}

function ask(web: Web, request: Partial<WebRequest> & { url: string }): Promise<WebAnswer> {
  return new Promise((done) => {
    web.request({ method: 'GET', headers: {}, timeoutMs: 4_000, ...request }, done)
  })
}

test('given a server that answers, the status, body and type come back', async () => {
  const { url, place } = await serveHttp((_, response) => answerJson(response, 200, { caseNumber: '123', città: 'è' }))
  expect(await ask(webOf({ allowedHosts: [place] }), { url: `${url}/CaseInfo/123` })).toEqual({
    outcome: 'answered',
    status: 200,
    body: '{"caseNumber":"123","città":"è"}',
    contentType: 'application/json',
  })
})

test('given a body, it is sent as JSON with our user agent and the headers of the flow', async () => {
  const { url, place } = await serveHttp(async (request, response) => {
    const { method, headers } = request
    answerJson(response, 201, { method, headers, body: await bodyOf(request) })
  })
  const headers = { Authorization: 'Bearer s3cret', 'X-Case': '7' }
  const answer = await ask(webOf({ allowedHosts: [place] }), { method: 'POST', url, headers, body: { amount: 12.5 } })
  expect(answer).toMatchObject({ outcome: 'answered', status: 201 })
  const seen = JSON.parse((answer as { body: string }).body)
  expect(seen).toMatchObject({ method: 'POST', body: '{"amount":12.5}' })
  expect(seen.headers).toMatchObject({
    'user-agent': 'switchboard',
    'content-type': 'application/json',
    authorization: 'Bearer s3cret',
    'x-case': '7',
  })
})

test.each([404, 500, 503])('given HTTP %i, the outcome is an answer', async (status) => {
  const { url, place } = await serveHttp((_, response) => answerJson(response, status, {}))
  expect(await ask(webOf({ allowedHosts: [place] }), { url })).toMatchObject({ outcome: 'answered', status })
})

test('given a redirect, the outcome is an answer, and the client does not follow it', async () => {
  let visits = 0
  const target = await serveHttp((_, response) => {
    visits++
    response.end()
  })
  const { url, place } = await serveHttp((_, response) => response.writeHead(302, { location: target.url }).end())
  const web = webOf({ allowedHosts: [place, target.place] })
  expect(await ask(web, { url })).toMatchObject({ outcome: 'answered', status: 302 })
  expect(visits).toBe(0)
})

test('given a server that drips its body, the whole exchange ends at its timeout', async () => {
  const clock = new VirtualClock()
  const dripping = Promise.withResolvers<void>()
  const gone = Promise.withResolvers<void>()
  const { url, place } = await serveHttp((request, response) => {
    response.write('{')
    response.on('close', gone.resolve)
    request.on('error', () => {})
    dripping.resolve()
  })
  const answer = ask(webOf({ allowedHosts: [place], clock }), { url, timeoutMs: 4_000 })
  await dripping.promise
  clock.run(3_999)
  clock.run(1)
  expect(await answer).toEqual({ outcome: 'timeout', why: `${place} did not answer within 4000 ms` })
  await gone.promise
})

test('given a name server that never answers, the exchange ends at its timeout', async () => {
  const clock = new VirtualClock()
  const asked = Promise.withResolvers<void>()
  const resolve: Resolve = () => {
    asked.resolve()
    return new Promise(() => {})
  }
  const answer = ask(webOf({ allowedHosts: [], clock, resolve }), { url: 'http://slow.example/' })
  await asked.promise
  clock.run(4_000)
  expect(await answer).toMatchObject({ outcome: 'timeout' })
})

test.each([
  ['announced', true],
  ['not announced', false],
])('given a body of 10 MB, %s, it is cut off', async (_, announced) => {
  const gone = Promise.withResolvers<number>()
  const { url, place } = await serveHttp((_, response) => {
    if (announced) response.setHeader('content-length', 10 * 1024 * 1024)
    let sent = 0
    const more = () => {
      while (sent < 10 * 1024 * 1024) {
        sent += 65_536
        if (!response.write(Buffer.alloc(65_536, 'x'))) return
      }
      response.end()
    }
    response.on('drain', more)
    response.on('close', () => gone.resolve(sent))
    more()
  })
  const answer = await ask(webOf({ allowedHosts: [place] }), { url })
  expect(answer).toEqual({ outcome: 'tooLarge', why: `the answer of ${place} is larger than 256 kB` })
  await gone.promise
})

test('given a body of exactly 256 kB, it comes back whole', async () => {
  const { url, place } = await serveHttp((_, response) => response.end('x'.repeat(256 * 1024)))
  const answer = await ask(webOf({ allowedHosts: [place] }), { url })
  expect(answer).toMatchObject({ outcome: 'answered', body: expect.stringMatching(/^x{262144}$/) })
})

test('given an answer that is wanted as bytes, every byte comes back, up to the limit of the request', async () => {
  const sound = Buffer.alloc(300 * 1024, Buffer.from([0xff, 0x00, 0x80, 0xfe]))
  const { url, place } = await serveHttp((_, response) => response.writeHead(200).end(sound))
  const web = webOf({ allowedHosts: [place] })
  const whole = await ask(web, { url, answerBytesMax: sound.length })
  expect(whole).toMatchObject({ outcome: 'answered', body: '' })
  expect(Buffer.from((whole as { bytes: Uint8Array }).bytes).equals(sound)).toBe(true)
  const cut = await ask(web, { url, answerBytesMax: 256 * 1024 })
  expect(cut).toEqual({ outcome: 'tooLarge', why: `the answer of ${place} is larger than 256 kB` })
})

test('given a connection that is reset, refused or answered with garbage, the outcome is network', async () => {
  const reset = await serveBytes((socket) => socket.once('data', () => socket.resetAndDestroy()))
  const garbage = await serveBytes((socket) => socket.once('data', () => socket.end('220 mail.example ESMTP\r\n')))
  const short = await serveHttp((_, response) => {
    response.writeHead(200, { 'content-length': 100 }).write('{"caseNumber"')
    response.socket?.end()
  })
  const dead = await deadPort()
  const web = webOf({ allowedHosts: [reset, garbage, short, dead].map(({ place }) => place) })
  for (const { url } of [reset, garbage, short, dead]) {
    expect(await ask(web, { url })).toMatchObject({ outcome: 'network' })
  }
  expect(await ask(web, { url: dead.url })).toEqual({
    outcome: 'network',
    why: `${dead.place}: the connection was refused (ECONNREFUSED)`,
  })
})

test('given broken TLS or an unknown host name, the outcome is network', async () => {
  const plain = await serveHttp((_, response) => response.end())
  const resolve: Resolve = () => Promise.reject(Object.assign(new Error('no such name'), { code: 'ENOTFOUND' }))
  const web = webOf({ allowedHosts: [plain.place], resolve })
  expect(await ask(web, { url: plain.url.replace('http:', 'https:') })).toMatchObject({ outcome: 'network' })
  expect(await ask(web, { url: 'http://nowhere.example/' })).toEqual({
    outcome: 'network',
    why: 'nowhere.example: there is no such host name (ENOTFOUND)',
  })
})

test('given a request that cannot be sent, the outcome is network and nothing is thrown', async () => {
  const { url, place } = await serveHttp((_, response) => response.end())
  const web = webOf({ allowedHosts: [place] })
  const circle: Record<string, unknown> = {}
  circle['self'] = circle
  expect(await ask(web, { url, method: 'POST', body: circle })).toMatchObject({ outcome: 'network' })
  expect(await ask(web, { url, headers: { 'x-name': 'a\r\nx-evil: b' } })).toMatchObject({ outcome: 'network' })
  expect(await ask(web, { url, headers: { 'bad name': 'a' } })).toMatchObject({ outcome: 'network' })
})

test('given a cancelled request, the callback is not called and the connection is closed', async () => {
  const clock = new VirtualClock()
  const arrived = Promise.withResolvers<void>()
  const gone = Promise.withResolvers<void>()
  const { url, place } = await serveHttp((_, response) => {
    response.on('close', gone.resolve)
    arrived.resolve()
  })
  let answers = 0
  const web = webOf({ allowedHosts: [place], clock })
  const handle = web.request({ method: 'GET', url, headers: {}, timeoutMs: 4_000 }, () => answers++)
  await arrived.promise
  handle.cancel()
  handle.cancel()
  await gone.promise
  clock.run(10_000)
  expect(answers).toBe(0)
})

test('given an outcome that is known at once, the callback still runs after the handle is returned', async () => {
  const web = webOf({ allowedHosts: [] })
  let handle: { cancel(): void } | undefined
  const wasFirst = await new Promise((resolve) => {
    handle = web.request({ method: 'GET', url: 'ftp://x/', headers: {}, timeoutMs: 1 }, () =>
      resolve(handle !== undefined),
    )
  })
  expect(wasFirst).toBe(true)
})

test('given five failures, no request goes to the host until a probe succeeds', async () => {
  const clock = new VirtualClock()
  let status = 500
  let visits = 0
  const { url, place } = await serveHttp((_, response) => {
    visits++
    answerJson(response, status, {})
  })
  const web = webOf({ allowedHosts: [place], clock })
  for (let i = 0; i < 5; i++) expect(await ask(web, { url })).toMatchObject({ outcome: 'answered', status: 500 })
  expect(await ask(web, { url })).toMatchObject({ outcome: 'unavailable' })
  clock.run(10_000)
  expect(await ask(web, { url })).toMatchObject({ outcome: 'answered', status: 500 })
  expect(await ask(web, { url })).toMatchObject({ outcome: 'unavailable' })
  expect(visits).toBe(6)
  status = 200
  clock.run(10_000)
  expect(await ask(web, { url })).toMatchObject({ status: 200 })
  expect(await ask(web, { url })).toMatchObject({ status: 200 })
})

test('given requests that cannot be written, their host is not left alone: others still reach it', async () => {
  const { url, place } = await serveHttp((_, response) => answerJson(response, 200, {}))
  const web = webOf({ allowedHosts: [place] })
  const outcomes = []
  for (const name of ['Łukasz', 'Łukasz', 'Łukasz', 'Łukasz', 'Łukasz', 'Lukas']) {
    outcomes.push((await ask(web, { url, headers: { 'X-Name': name } })).outcome)
  }
  expect(outcomes).toEqual([...Array(5).fill('network'), 'answered'])
})

test('given an allowed name, the connection goes to the checked address after one lookup', async () => {
  const { port } = await serveHttp((request, response) => answerJson(response, 200, request.headers.host))
  let lookups = 0
  const resolve: Resolve = async () => {
    lookups++
    return ['127.0.0.1']
  }
  const web = webOf({ allowedHosts: [`crm.invalid:${port}`], resolve })
  const answer = await ask(web, { url: `http://crm.invalid:${port}/` })
  expect(answer).toMatchObject({ outcome: 'answered', body: `"crm.invalid:${port}"` })
  expect(lookups).toBe(1)
})

test('given a name that resolves elsewhere at the next connection, that connection is refused', async () => {
  const { port } = await serveHttp((_, response) => response.writeHead(200, { connection: 'close' }).end())
  const answers = [['127.0.0.1'], ['127.0.0.1', '169.254.169.254']]
  const web = webOf({ allowedHosts: [`crm.invalid:${port}`], resolve: async () => answers.shift() ?? [] })
  const url = `http://crm.invalid:${port}/`
  expect(await ask(web, { url })).toMatchObject({ outcome: 'answered' })
  expect(await ask(web, { url })).toMatchObject({ outcome: 'forbidden', why: expect.stringContaining('link-local') })
})

test('given secrets in path, headers and body, the log holds none of them', async () => {
  const lines: string[] = []
  const log = makeLog('debug', { write: (line: string) => void lines.push(line) })
  const dead = await deadPort()
  const { url, place } = await serveHttp((_, response) => response.writeHead(500).end('s3cret'))
  const web = webOf({ allowedHosts: [place, dead.place], log })
  const request = { method: 'POST', headers: { authorization: 's3cret' }, body: 's3cret' } as const
  await ask(web, { ...request, url: `${url}/s3cret?s3cret` })
  await ask(web, { ...request, url: `${dead.url}/s3cret?s3cret` })
  await ask(web, { ...request, url: 'http://user:s3cret@example.com/s3cret' })
  expect(lines).toHaveLength(3)
  expect(lines.join('')).not.toContain('s3cret')
  expect(lines.join('')).toContain(place)
})
