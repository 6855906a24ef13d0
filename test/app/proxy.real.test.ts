/** A started service behind a real nginx, with the configuration of `deploy/`, as integrators and agents meet it. */
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { request } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { startNginx, type TestNginx } from '../support/nginx.ts'
import { openServicePlace } from './service-place.ts'
import { startServiceProcess, switchboard } from './service-process.ts'

const ENDPOINT = 'https://calls.example.com'
const directory = mkdtempSync(join(tmpdir(), 'switchboard-proxy-'))
let place: Awaited<ReturnType<typeof openServicePlace>>
let env: Record<string, string>
let service: ReturnType<typeof startServiceProcess>
let nginx: TestNginx

beforeAll(async () => {
  chmodSync(directory, 0o755)
  place = await openServicePlace('agents: { anna: { phone: { host: 127.0.0.101 } } }\n')
  env = await place.env({ TRUSTED_PROXIES: '127.0.0.1', ENDPOINT })
  service = startServiceProcess(env)
  await service.ready
  nginx = await startNginx(directory, { httpPort: Number(env['HTTP_PORT']), ssoPort: Number(env['SSO_PORT']) })
})
afterAll(async () => {
  await nginx?.end()
  await service?.stop()
  await place?.close()
  rmSync(directory, { recursive: true, force: true })
})

interface Asked {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  /** The address of the client. */
  readonly from?: string
}

/** Status, headers and text; of a stream its first words. */
function ask(path: string, { method = 'GET', headers = {}, body, from = '127.0.0.1' }: Asked = {}) {
  const secure = { host: '127.0.0.1', port: nginx.tlsPort, servername: 'localhost', ca: nginx.certificate }
  return new Promise<{ status: number; headers: NodeJS.Dict<string | string[]>; text: string }>((resolve, reject) => {
    const asked = request({ ...secure, path, method, headers, localAddress: from, agent: false }, (answer) => {
      let text = ''
      const told = () => resolve({ status: answer.statusCode!, headers: answer.headers, text })
      answer.on('data', (piece: Buffer) => {
        text += String(piece)
        // It has no end.
        if (!String(answer.headers['content-type']).includes('event-stream')) return
        told()
        asked.destroy()
      })
      answer.once('end', told)
    })
    asked.once('error', reject).end(body)
  })
}

async function issued(...options: string[]): Promise<Record<string, string>> {
  const made = await switchboard(['token', 'create', '--name', 'behind', ...options], env)
  return Object.fromEntries([...made.matchAll(/^(tokenv2|rcntrl|ccntrl): (\S+)$/gm)].map((found) => found.slice(1)))
}

test('REST, sign-on and a stream pass, and plain HTTP does not', async () => {
  const credential = await issued()
  const user = await ask('/rest/core/activeuser', { headers: credential })
  expect(user.status).toBe(200)
  expect(user.headers['strict-transport-security']).toBe('max-age=31536000')
  const state = await ask('/rest/api/state', { headers: credential })
  expect([state.status, state.text]).toEqual([200, expect.stringContaining(ENDPOINT)])
  const board = await ask('/dialer/board', { headers: { ...credential, accept: 'text/event-stream' } })
  expect([board.status, board.text]).toEqual([200, expect.stringContaining('retry: 2000')])
  const plain = fetch(`http://127.0.0.1:${nginx.tlsPort}/rest/core/activeuser`, {
    headers: credential,
    redirect: 'manual',
  })
  expect((await plain).status).toBe(400)
})

test('what is too large gets the answer of the service, while it is sent', async () => {
  const headers = { ...(await issued()), 'content-type': 'application/json' }
  const asked = { method: 'POST', headers, body: JSON.stringify({ systemCode: 'x'.repeat(17 * 1024 * 1024) }) }
  const large = await ask('/svcdialer/calltaskimport', asked)
  expect([large.status, large.text]).toEqual([413, expect.stringContaining('the body exceeds 16384 KiB')])
})

test("an agent's socket opens, and its ticket is not in the log of the proxy", async () => {
  const headers = await issued('--user', 'anna')
  const { ticket } = JSON.parse((await ask('/svcpbx/agents/me/tickets', { method: 'POST', headers })).text)
  const url = `wss://localhost:${nginx.tlsPort}/svcpbx/agents/me/events?ticket=${ticket}`
  const socket = new WebSocket(url, { ca: nginx.certificate })
  await new Promise((resolve, reject) => socket.once('error', reject).once('open', resolve))
  socket.close()
  await expect.poll(() => nginx.accessLog()).toContain('GET /svcpbx/agents/me/events 101')
  expect(nginx.accessLog()).not.toContain(ticket)
})

test('nobody locks out another client, whatever address they claim', async () => {
  const right = await issued()
  const junk = { ...right, ccntrl: 'A'.repeat(22) }
  const path = '/rest/core/activeuser'
  const guesses = []
  for (let guess = 0; guess < 11; guess++) {
    const headers = { ...junk, 'x-forwarded-for': `192.0.2.${guess}` }
    guesses.push((await ask(path, { headers, from: '127.0.0.66' })).status)
  }
  expect(guesses).toEqual([...Array(10).fill(401), 429])
  expect((await ask(path, { headers: junk, from: '127.0.0.67' })).status).toBe(401)
})
