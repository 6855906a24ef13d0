/** Attempts to reach an internal address through the HTTP client of flows (F-J1, G22): spelling, redirect, DNS. */
import { expect, onTestFinished, test } from 'vitest'
import { addressGuard, type Resolve } from '../../../src/adapters/http/address-guard.ts'
import { HttpCircuitBreaker } from '../../../src/adapters/http/circuit-breaker.ts'
import { webOverUndici } from '../../../src/adapters/http/http-client.ts'
import { RealClock } from '../../../src/kernel/clock.ts'
import { silentLog } from '../../../src/kernel/log.ts'
import type { Web, WebAnswer } from '../../../src/ports/web.ts'
import { serveHttp } from './local-server.ts'
import { SPECIAL_IPV4, spellings } from './nasty-urls.ts'

function webOf(allowedHosts: readonly string[], resolve: Resolve): Web {
  const clock = new RealClock()
  const guard = addressGuard({ allowedHosts, resolve })
  const web = webOverUndici({ clock, guard, breaker: new HttpCircuitBreaker(clock), log: silentLog })
  onTestFinished(() => web.close())
  return web
}
const ask = (web: Web, url: string) =>
  new Promise<WebAnswer>((done) => web.request({ method: 'GET', url, headers: {}, timeoutMs: 5_000 }, done))

/** Parts of a URL where a host may stand: the reader and the connecting client understand different hosts. */
const PLACES: readonly ((host: string) => string)[] = [
  (host) => `http://${host}/`,
  (host) => `HTTPS://${host}:443/latest/meta-data/?a=b#c`,
  (host) => `http://${host}:8080`,
  (host) => `http://public.example@${host}/`,
  (host) => `http://public.example:80@${host}/`,
  (host) => `http://public.example%2f@${host}/`,
  (host) => `http:\\\\${host}\\x`,
  (host) => `http:///${host}/`,
  (host) => `http:${host}`,
  (host) => `http://${host}#@public.example/`,
  (host) => `http://${host}?@public.example/`,
  (host) => `http://${host}\\@public.example/`,
  (host) => `http://${host}/../../public.example`,
  (host) => `\t http://${host}/`,
  (host) => `ht\ttp://${host.slice(0, 2)}\n${host.slice(2)}/`,
  (host) => `http://${host.slice(0, 3)}\u200b${host.slice(3)}/`,
  (host) => `http://${host.slice(0, 3)}\u00ad${host.slice(3)}/`,
]

test('F-J1: 9,000 spellings of internal addresses are refused, and no name server is asked for them', async () => {
  const asked: string[] = []
  // A URL that counts as a name resolves to an internal address as well.
  const web = webOf([], async (host) => {
    asked.push(host)
    return ['127.0.0.1']
  })
  const urls = SPECIAL_IPV4.flatMap(spellings).flatMap((host) => PLACES.map((place) => place(host)))
  expect(urls.length).toBeGreaterThan(9_000)
  const guard = addressGuard({ allowedHosts: [] })
  const passed = urls.filter((url) => guard.judge(url).ok)
  expect(passed).toEqual([])
  const answers = await Promise.all(urls.filter((_, place) => place % 9 === 0).map((url) => ask(web, url)))
  expect([...new Set(answers.map(({ outcome }) => outcome))]).toEqual(['forbidden'])
  expect(asked).toEqual([])
})

test('F-J1: a name that resolves anew each time is checked by the address of the connection', async () => {
  let visits = 0
  const { port } = await serveHttp((_, response) => {
    visits++
    response.setHeader('connection', 'close').end('{}')
  })
  const answers = ['127.0.0.1', '169.254.169.254', '0.0.0.0', '::ffff:127.0.0.1', '127.0.0.1']
  let lookups = 0
  const web = webOf([`rebind.example:${port}`], async () => [answers[lookups++]!])
  const outcomes: string[] = []
  for (const _ of answers) outcomes.push((await ask(web, `http://rebind.example:${port}/`)).outcome)
  expect(outcomes).toEqual(['answered', 'forbidden', 'forbidden', 'forbidden', 'answered'])
  expect([lookups, visits]).toEqual([answers.length, 2])
})

test.each([
  ['inside', ['93.184.215.14', '10.0.0.7']],
  ['of this machine, in other clothes', ['2606:2800:21f::1', '::ffff:7f00:1']],
  ['of a translator', ['64:ff9b::7f00:1']],
  ['of a tunnel', ['2002:7f00:1::', '93.184.215.14']],
  ['that is none', ['127.1']],
])('F-J1: given a name with an address %s, the client connects to none of its addresses', async (_, addresses) => {
  expect(
    await ask(
      webOf([], async () => addresses),
      'https://name.example/',
    ),
  ).toMatchObject({ outcome: 'forbidden' })
})

test('F-J1: given a redirect to an internal address, in any form, the client does not follow it', async () => {
  let visits = 0
  const target = await serveHttp((_, response) => {
    visits++
    response.end()
  })
  const statuses = [201, 300, 301, 302, 303, 305, 307, 308]
  const server = await serveHttp(({ url }, response) => {
    const more = { location: target.url, refresh: `0; url=${target.url}`, link: `<${target.url}>; rel=preconnect` }
    response.writeHead(Number(url?.slice(1)), {
      ...more,
      'content-location': target.url,
      'alt-svc': `h2="${target.place}"`,
    })
    response.end()
  })
  // Even if both hosts are allowed: only the flow chooses the destination.
  const web = webOf([server.place, target.place], async () => ['127.0.0.1'])
  for (const status of statuses) {
    expect(await ask(web, `${server.url}/${status}`)).toMatchObject({ outcome: 'answered', status })
  }
  expect(visits).toBe(0)
})
