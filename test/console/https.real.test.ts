/** The console behind the nginx of `deploy/`, in a browser that knows it as https://calls.example.com. */
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { type RequestOptions, request } from 'node:http'
import { request as secureRequest } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openServicePlace } from '../app/service-place.ts'
import { startServiceProcess, switchboard } from '../app/service-process.ts'
import { BROWSER_PATIENCE_MS, type TestBrowser, testBrowser } from '../support/browser.ts'
import { startNginx, type TestNginx } from '../support/nginx.ts'
import { newPassword, signIn } from './console-place.ts'
import { watched } from './page-checks.ts'

const HOST = 'calls.example.com'
const ENDPOINT = `https://${HOST}`
const SETUP = `
agents: { maja: { title: Maja Holm, phone: { host: 127.0.0.101 } } }
teams: { front-desk: { title: Front desk, agents: [maja] } }
`
const directory = mkdtempSync(join(tmpdir(), 'switchboard-https-'))
let place: Awaited<ReturnType<typeof openServicePlace>>
let env: Record<string, string>
let service: ReturnType<typeof startServiceProcess>
let nginx: TestNginx
let browser: TestBrowser
let vera: { readonly userName: string; readonly password: string }

beforeAll(async () => {
  chmodSync(directory, 0o755)
  place = await openServicePlace(SETUP)
  const { url } = await place.database()
  env = await place.env({ DATABASE_URL: url, TRUSTED_PROXIES: '127.0.0.1', ENDPOINT })
  await switchboard(['user', 'add', 'vera', '--name', 'Vera Lund', '--roles', 'supervisor'], env)
  vera = { userName: 'vera', password: await newPassword('vera', env) }
  service = startServiceProcess(env)
  await service.ready
  nginx = await startNginx(directory, { httpPort: Number(env['HTTP_PORT']), ssoPort: Number(env['SSO_PORT']) })
  // Its certificate is its own.
  const args = [`--host-resolver-rules=MAP ${HOST}:443 127.0.0.1:${nginx.tlsPort}`, '--ignore-certificate-errors']
  browser = await testBrowser({ reaches: [HOST], args })
}, BROWSER_PATIENCE_MS)
afterAll(async () => {
  await browser?.close()
  await nginx?.end()
  await service?.stop()
  await place?.close()
  rmSync(directory, { recursive: true, force: true })
})

const PAGE = { host: HOST, origin: ENDPOINT, 'svc-console': '1', 'content-type': 'application/json' }
const SESSION = '/rest/core/session'

/** What a program sends, with the headers of a page of the console: to nginx, or past it to the service. */
function ask(way: 'nginx' | 'service', options: RequestOptions, body?: object) {
  const asked = Object.assign({ host: '127.0.0.1', agent: false }, options)
  const secure = { port: nginx.tlsPort, servername: 'localhost', ca: nginx.certificate }
  const sent =
    way === 'nginx'
      ? secureRequest(Object.assign(asked, secure))
      : request(Object.assign(asked, { port: env['HTTP_PORT'] }))
  return new Promise<{ status: number; cookies: readonly string[] }>((resolve, reject) => {
    sent.once('response', (answer) => {
      answer.resume()
      resolve({ status: answer.statusCode!, cookies: answer.headers['set-cookie'] ?? [] })
    })
    sent.once('error', reject).end(body && JSON.stringify(body))
  })
}

test('over https the cookie is of this host alone, the live stream works, and sign-out ends both', async () => {
  const page = await browser.page()
  const faults = watched(page)
  const frames: string[] = []
  page.on('websocket', (socket) => {
    socket.on('framereceived', ({ payload }) => frames.push(`${socket.url()} ${payload}`))
  })
  await signIn(page, `${ENDPOINT}/`, vera)
  await expect.poll(() => page.url()).toBe(`${ENDPOINT}/board`)
  const cookies = await page.context().cookies()
  expect(cookies).toMatchObject([
    // No dot before the domain: no other host gets it.
    { name: '__Host-sb', domain: HOST, path: '/', secure: true, httpOnly: true, sameSite: 'Strict', expires: -1 },
  ])
  await expect.poll(() => frames.join('\n')).toMatch(new RegExp(`^wss://${HOST}/rest/core/stream .*"snap"`, 'm'))
  await page.reload()
  await page.getByRole('navigation').waitFor()

  const held = `__Host-sb=${cookies[0]!.value}`
  const get = (cookie: string, more = {}) =>
    ask('nginx', { path: SESSION, headers: Object.assign({ cookie }, PAGE, more) })
  expect((await get(held)).status).toBe(200)
  expect((await get(`sb=${cookies[0]!.value}`)).status).toBe(401)
  expect((await get(held, { origin: 'https://other.example.com' })).status).toBe(401)
  expect((await get(held, { origin: `http://${HOST}:81` })).status).toBe(401)

  await page.getByRole('button', { name: 'Your account: Vera Lund' }).click()
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.getByRole('button', { name: 'Sign in' }).waitFor()
  expect(await page.context().cookies()).toEqual([])
  expect((await get(held)).status).toBe(401)
  expect(nginx.accessLog()).not.toContain(cookies[0]!.value.split('.')[1])
  expect(faults).toEqual([])
  expect(browser.asked).toEqual([])
})

test('the cookie is set with every attribute that its name demands', async () => {
  const { status, cookies } = await ask('nginx', { method: 'POST', path: SESSION, headers: PAGE }, vera)
  expect(status).toBe(200)
  expect(cookies).toEqual([expect.stringMatching(/^__Host-sb=[\w.-]+; Path=\/; HttpOnly; SameSite=Strict; Secure$/)])
})

test('without https there is no session, except on the computer itself', async () => {
  const headers = Object.assign({}, PAGE, { origin: `http://${HOST}` })
  const plain = await ask('service', { method: 'POST', path: SESSION, headers }, vera)
  expect(plain).toEqual({ status: 403, cookies: [] })
})
