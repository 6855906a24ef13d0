/** A started service among hostile and rude neighbours: silent connections, and clients behind a proxy. */
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { type IncomingMessage, request } from 'node:http'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { freePort } from '../../asterisk/ports.ts'
import { startServiceProcess, switchboard } from './service-process.ts'

const PROXY = '127.0.0.9'
const directory = mkdtempSync(join(tmpdir(), 'switchboard-neighbours-'))
let env: Record<string, string>
let port: number
let service: ReturnType<typeof startServiceProcess>

beforeAll(async () => {
  port = await freePort('tcp', '127.0.0.1')
  mkdirSync(join(directory, 'flows'))
  writeFileSync(
    join(directory, 'switchboard.yaml'),
    'agents: { anna: { phone: { host: 127.0.0.101 } } }\nallowedHosts: ["127.0.0.1:9443"]\n',
  )
  env = {
    DATA_DIR: join(directory, 'data'),
    SETUP_FILE: join(directory, 'switchboard.yaml'),
    FLOWS_DIR: join(directory, 'flows'),
    PBX: 'simulated',
    HTTP_PORT: String(port),
    SSO_PORT: String(await freePort('tcp', '127.0.0.1')),
    TRUSTED_PROXIES: `10.1.0.0/16, ${PROXY}`,
  }
  service = startServiceProcess(env)
  await service.ready
})
afterAll(async () => {
  await service.stop()
  rmSync(directory, { recursive: true, force: true })
})

/** The status of a request from one of our addresses; 0 if its connection is refused. */
function ask(localAddress: string, path: string, headers: Record<string, string> = {}): Promise<number> {
  return new Promise((resolve) => {
    const asked = request({ host: '127.0.0.1', port, path, headers, localAddress, agent: false }, (answer) => {
      answer.resume().once('end', () => resolve(answer.statusCode!))
    })
    asked.once('error', () => resolve(0)).end()
  })
}

const handles = () => readdirSync(`/proc/${service.pid}/fd`).length

test('5,000 silent connections of 50 addresses keep nobody out, and their handles come back', async () => {
  const before = handles()
  const silent: Socket[] = []
  const statuses = new Set<number>()
  for (let round = 0; round < 100; round++) {
    const opened = Array.from({ length: 50 }, (_, place) => {
      const socket = connect({ host: '127.0.0.1', port, localAddress: `127.0.1.${place + 1}` })
      socket.on('error', () => {})
      silent.push(socket)
      return new Promise((resolve) => socket.once('connect', resolve).once('close', resolve))
    })
    await Promise.all(opened)
    if (round % 10 === 9) statuses.add(await ask('127.0.0.1', '/healthz'))
  }
  expect(statuses).toEqual(new Set([200]))
  expect(handles() - before).toBeLessThan(1_100)
  // They read nothing and close nothing: the service does.
  await expect.poll(() => handles() - before).toBeLessThan(20)
  for (const socket of silent) socket.destroy()
})

test('hundreds of connections that one address opens in one moment are all answered', async () => {
  const sockets = Array.from({ length: 600 }, () => connect({ host: '127.0.0.1', port }).setEncoding('utf8'))
  await Promise.all(sockets.map((socket) => new Promise((resolve) => socket.once('connect', resolve))))
  const answers = sockets.map((socket) => {
    const answer = new Promise((resolve) => socket.once('data', resolve).once('close', () => resolve('hung up')))
    socket.on('error', () => {}).write('GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n')
    return answer
  })
  const told = (await Promise.all(answers)).map((text) => String(text).slice(9, 12))
  expect(told).toEqual(sockets.map(() => '200'))
  for (const socket of sockets) socket.destroy()
})

/** The headers of a new credential. */
async function issued(...options: string[]): Promise<Record<string, string>> {
  const made = await switchboard(['token', 'create', '--name', 'neighbour', ...options], env)
  return Object.fromEntries([...made.matchAll(/^(tokenv2|rcntrl|ccntrl): (\S+)$/gm)].map((found) => found.slice(1)))
}

test('whoever sends too much reads why, also after sending all of it, and the connection goes on', async () => {
  const credential = Object.entries(await issued()).map(([name, value]) => `${name}: ${value}`)
  const post = ['POST /svcdialer/calltaskimport HTTP/1.1', 'host: x', 'content-type: application/json', ...credential]
  const megabytes = 17
  const piece = 'x'.repeat(1024 * 1024)
  const socket = connect({ host: '127.0.0.1', port }).setEncoding('utf8')
  const write = (text: string) =>
    new Promise<void>((resolve, reject) => socket.write(text, (error) => (error ? reject(error) : resolve())))
  const status = () => new Promise((resolve) => socket.once('data', (text: string) => resolve(text.slice(9, 12))))
  const sent = async (framing: string, around: readonly [string, string], end: string) => {
    const answer = status()
    await write([...post, framing, '', ''].join('\r\n'))
    for (let count = 0; count < megabytes; count++) await write(around.join(piece))
    await write(end)
    return answer
  }
  const hex = piece.length.toString(16)
  expect(await sent(`content-length: ${megabytes * piece.length}`, ['', ''], '')).toBe('413')
  expect(await sent('transfer-encoding: chunked', [`${hex}\r\n`, '\r\n'], '0\r\n\r\n')).toBe('413')
  const healthy = status()
  await write('GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n')
  expect(await healthy).toBe('200')
  socket.destroy()
})

/** An open socket of anna, and how it ends: the close code. */
async function openSocket(credential: Record<string, string>) {
  const at = `127.0.0.1:${port}/svcpbx/agents/me`
  const answer = await fetch(`http://${at}/tickets`, { method: 'POST', headers: credential })
  const { ticket } = (await answer.json()) as { ticket: string }
  const socket = new WebSocket(`ws://${at}/events?ticket=${ticket}`)
  const ended = new Promise<number>((resolve) => socket.once('close', resolve))
  await new Promise((opened) => socket.once('open', opened))
  return { socket, ended }
}

test("an agent's socket and a board's stream end with their credential, others go on", async () => {
  const [revoked, kept, admin] = [await issued('--user', 'anna'), await issued('--user', 'anna'), await issued()]
  const [one, other] = [await openSocket(revoked), await openSocket(kept)]
  const board = await fetch(`http://127.0.0.1:${port}/dialer/board`, {
    headers: { ...revoked, accept: 'text/event-stream' },
  })
  const url = `http://127.0.0.1:${port}/rest/core/tokens/${revoked['rcntrl']}`
  expect((await fetch(url, { method: 'DELETE', headers: admin })).status).toBe(204)
  expect(await one.ended).toBe(4001)
  // It ends; a stream that goes on would keep us here.
  expect(await board.text()).toContain('retry: 2000')
  expect(other.socket.readyState).toBe(WebSocket.OPEN)

  writeFileSync(
    env['SETUP_FILE']!,
    'agents: { ben: { phone: { host: 127.0.0.102 } } }\nallowedHosts: ["127.0.0.1:9443"]\n',
  )
  await switchboard(['apply'], env)
  expect(await other.ended).toBe(4001)
})

test('a credential has ten board streams at most', async () => {
  const headers = { ...(await issued()), accept: 'text/event-stream' }
  const open = () => fetch(`http://127.0.0.1:${port}/dialer/board`, { headers })
  const statuses = (await Promise.all(Array.from({ length: 11 }, open))).map((answer) => {
    void answer.body?.cancel()
    return answer.status
  })
  expect(statuses.sort()).toEqual([...Array(10).fill(200), 429])
})

test('a form that breaks off or never begins gets its answer, and the connection serves the next request', async () => {
  const credential = Object.entries(await issued()).map(([name, value]) => `${name}: ${value}`)
  const post = ['POST /rest/core/corefile?tblId=35007&type=3&id=1 HTTP/1.1', 'host: x', ...credential]
  const socket = connect({ host: '127.0.0.1', port }).setEncoding('utf8')
  const asked = (lines: readonly string[], body: string) => {
    const answer = new Promise<string>((resolve) => socket.once('data', (text: string) => resolve(text.slice(9, 12))))
    socket.write([...lines, `content-length: ${body.length}`, '', body].join('\r\n'))
    return answer
  }
  const form = 'content-type: multipart/form-data; boundary=b'
  expect(
    await asked([...post, form], '--b\r\ncontent-disposition: form-data; name="files"; filename="a"\r\n\r\nhalf'),
  ).toBe('400')
  expect(await asked([...post, form], 'no boundary at all')).toBe('400')
  expect(await asked([...post, 'content-type: multipart/form-data'], '--b--')).toBe('400')
  expect(await asked(['GET /healthz HTTP/1.1', 'host: x'], '')).toBe('200')
  socket.destroy()
})

test('in production a webhook is sent over https alone, also to a place inside that is allowed', async () => {
  const subscribed = async (scheme: string) => {
    const answer = await fetch(`http://127.0.0.1:${port}/rest/core/webhooks`, {
      method: 'POST',
      headers: { ...(await issued()), 'content-type': 'application/json' },
      body: JSON.stringify({ url: `${scheme}://127.0.0.1:9443/calls`, events: ['phone-call.ended'] }),
    })
    return answer.status
  }
  expect([await subscribed('http'), await subscribed('https')]).toEqual([400, 201])
})

test('TRACE is refused, and shows nobody the headers of a request', async () => {
  const headers = await issued()
  const trace = request({ host: '127.0.0.1', port, path: '/core/tokens', method: 'TRACE', headers, agent: false })
  const answer = await new Promise<IncomingMessage>((resolve) => trace.once('response', resolve).end())
  expect(answer.statusCode).toBe(404)
  expect(await text(answer)).not.toContain(headers['tokenv2'])
})

test('behind a trusted proxy nobody locks out others, whatever addresses the header names', async () => {
  const right = await issued()
  const junk = { ...right, ccntrl: 'A'.repeat(22) }
  const path = '/rest/core/activeuser'
  // A forged header before what the proxy adds: the last address that is no proxy counts.
  const from = (client: string) => ({ 'x-forwarded-for': `203.0.113.7, ${client}, 10.1.2.3` })
  const guesses = []
  for (let guess = 0; guess < 11; guess++) guesses.push(await ask(PROXY, path, { ...junk, ...from('192.0.2.66') }))
  expect(guesses).toEqual([...Array(10).fill(401), 429])
  expect(await ask(PROXY, path, { ...junk, ...from('192.0.2.67') })).toBe(401)
  expect(await ask(PROXY, path, { ...right, ...from('192.0.2.66') })).toBe(200)
  // Of a stranger the header is ignored.
  const strangers = []
  for (let guess = 0; guess < 11; guess++) {
    strangers.push(await ask('127.0.0.8', path, { ...junk, 'x-forwarded-for': `192.0.2.${guess}` }))
  }
  expect(strangers.at(-1)).toBe(429)
})
