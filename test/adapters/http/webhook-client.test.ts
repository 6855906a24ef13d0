import { expect, onTestFinished, test } from 'vitest'
import { addressGuard, type UrlRules, webhookUrls } from '../../../src/adapters/http/address-guard.ts'
import { webOverUndici } from '../../../src/adapters/http/http-client.ts'
import { RealClock } from '../../../src/kernel/clock.ts'
import { makeLog } from '../../../src/kernel/log.ts'
import type { WebAnswer, WebRequest } from '../../../src/ports/web.ts'
import { answerJson, bodyOf, deadPort, serveHttp } from './local-server.ts'

/** The web as webhooks are sent over it. */
function webOf(allowedHosts: readonly string[], rules: UrlRules = webhookUrls('development')) {
  const lines: string[] = []
  const log = makeLog('info', { write: (line: string) => void lines.push(line) })
  const clock = new RealClock()
  const web = webOverUndici({ clock, guard: addressGuard({ allowedHosts, rules }), log, connectTimeoutMs: 5_000 })
  onTestFinished(() => web.close())
  const ask = (request: Partial<WebRequest> & { url: string }): Promise<WebAnswer> => {
    const whole = { method: 'POST', headers: {}, timeoutMs: 4_000, ...request } as const
    return new Promise((done) => web.request(whole, done))
  }
  return { web, ask, lines }
}

test('a text is sent byte for byte, with the content type of its headers', async () => {
  const { url, place } = await serveHttp(async (request, response) => {
    answerJson(response, 200, [request.headers['content-type'], await bodyOf(request)])
  })
  const text = '{ "not": "as we would write it",\n"ø": 1 }'
  const answer = await webOf([place]).ask({ url, text, headers: { 'content-type': 'application/json; x=1' } })
  expect(answer).toMatchObject({ body: JSON.stringify(['application/json; x=1', text]) })
})

test('an answer carries the Retry-After of its sender', async () => {
  const { url, place } = await serveHttp((_, response) => response.writeHead(429, { 'retry-after': '120' }).end())
  expect(await webOf([place]).ask({ url })).toMatchObject({ outcome: 'answered', status: 429, retryAfter: '120' })
})

test('given an answer of one gigabyte, the client reads its beginning and keeps the status', async () => {
  const gone = Promise.withResolvers<void>()
  const { url, place } = await serveHttp((_, response) => {
    response.writeHead(200, { 'content-length': 2 ** 30 })
    const more = () => {
      while (response.write(Buffer.alloc(65_536, 'x')));
    }
    response.on('drain', more).on('close', gone.resolve)
    more()
  })
  const answer = await webOf([place]).ask({ url, readBytesMax: 65_536 })
  expect(answer).toMatchObject({ outcome: 'answered', status: 200, body: expect.stringMatching(/^x{65536}$/) })
  await gone.promise
})

test('a failing host is asked again, and does not fill the log', async () => {
  const dead = await deadPort()
  const { ask, lines } = webOf([dead.place])
  for (let times = 0; times < 20; times++) expect(await ask({ url: dead.url })).toMatchObject({ outcome: 'network' })
  expect(lines).toEqual([])
})

test('plain http is accepted in development only, for hosts that are allowed by name', () => {
  const judged = (rules: UrlRules) => {
    const { web } = webOf(['hook.internal:9000'], rules)
    const urls = [
      'http://hook.internal:9000/',
      'https://hook.internal:9000/',
      'http://a.example:443/',
      'https://a.example/',
    ]
    return urls.map((url) => web.judge(url).ok)
  }
  expect(judged(webhookUrls('development'))).toEqual([true, true, false, true])
  expect(judged(webhookUrls('production'))).toEqual([false, true, false, true])
})
