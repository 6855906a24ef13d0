/** The phone in the browser at the node: who gets it, and what passes to the switch. */
import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { WebSocket, WebSocketServer } from 'ws'
import type { AtMs } from '../../../src/kernel/clock.ts'
import type { AgentName } from '../../../src/kernel/ids.ts'
import { silentLog } from '../../../src/kernel/log.ts'
import type { AgentDesktop } from '../../../src/ports/agent-desktop.ts'
import type { BrowserPhones } from '../../../src/ports/browser-phones.ts'
import { AgentTickets } from '../../../src/rest/agents/agent-tickets.ts'
import { agentRoutes } from '../../../src/rest/agents/agents.ts'
import { iceServersOf } from '../../../src/rest/agents/ice-servers.ts'
import { PhoneHolders } from '../../../src/rest/agents/phone-holders.ts'
import { PhoneReports } from '../../../src/rest/agents/phone-reports.ts'
import { phoneSocket } from '../../../src/rest/agents/phone-socket.ts'
import type { CredentialValues } from '../../../src/rest/http/credential-values.ts'
import { VirtualClock } from '../../support/virtual-clock.ts'
import { OURS, openRestWorld, type RestWorld } from '../rest-world.ts'

const PAGE = 'https://desk.example.com'
const HOUR_MS = 3_600_000
const clock = new VirtualClock()
const secretBytes = (count: number) => Buffer.from(crypto.getRandomValues(new Uint8Array(count)))
const tickets = new AgentTickets(secretBytes)
const agentDesktop = { attach: () => () => {}, listen: () => () => {} } as unknown as AgentDesktop
/** Passwords that the switch knows. */
const passwords = new Map<string, string>()
let whyNot: string | undefined
/** Of the configuration. */
let ice: readonly string[] = []

let world: RestWorld
let switchSide: WebSocketServer
let socketServer: { close(): void }
let anna: CredentialValues
let ben: CredentialValues
const heard: string[] = []
const far: WebSocket[] = []
const open: WebSocket[] = []

beforeAll(async () => {
  switchSide = new WebSocketServer({ port: 0, host: '127.0.0.1', handleProtocols: () => 'sip' })
  switchSide.on('connection', (socket) => {
    far.push(socket)
    socket.on('message', (data) => heard.push(String(data)))
  })
  await once(switchSide, 'listening')
  const browserPhones: BrowserPhones = {
    signallingUrl: `ws://127.0.0.1:${(switchSide.address() as AddressInfo).port}/ws`,
    async give(agent, password) {
      if (whyNot !== undefined) return { ok: false, why: whyNot }
      passwords.set(agent, password)
      return { ok: true }
    },
    async take(agent) {
      passwords.delete(agent)
    },
  }
  const holders = new PhoneHolders(browserPhones, { secretBytes, clock })
  const reports = new PhoneReports({ agentDesktop, callList: { heardBadly: async () => {} }, clock, log: silentLog })
  const iceServers = (agent: AgentName, untilAtMs: AtMs) =>
    iceServersOf({ addresses: ice, turnSecret: 'north' }, agent, untilAtMs)
  const phones = { holders, isBrowser: (agent: AgentName) => agent === 'anna', reports, iceServers }
  world = await openRestWorld({
    clock,
    parts: () => ({ agentDesktop }),
    routes: (dependencies) => agentRoutes({ ...dependencies, tickets, phones }),
  })
  const { directory } = world.parts
  await directory.syncStaff({ agents: ['anna', 'ben'].map((name) => ({ name, title: name })), teams: [] }, OURS, 0)
  anna = await credentialOf('anna')
  ben = await credentialOf('ben')
  const { signallingUrl } = browserPhones
  const sockets = { clock, log: silentLog, tickets, allowedOrigins: [PAGE] }
  socketServer = phoneSocket(world.rest.node!.server, { ...sockets, holders: phones.holders, signallingUrl })
})

beforeEach(() => {
  whyNot = undefined
  ice = []
})

afterEach(async () => {
  for (const socket of open.splice(0)) socket.terminate()
  await end()
  heard.length = 0
  far.length = 0
})

afterAll(async () => {
  socketServer.close()
  switchSide.close()
  await world.close()
})

async function credentialOf(userName: string): Promise<CredentialValues> {
  const user = await world.parts.directory.userByName(userName)
  return world.credential(['users:read'], [OURS], { user: { id: user!.id, userName, active: true, teams: [] } })
}

const ask = (body: object = {}, as = anna) => world.call('POST', '/svcpbx/agents/me/phone', body, { as })
const end = (query = '') => world.call('DELETE', `/svcpbx/agents/me/phone${query}`, undefined, { as: anna })

async function ticketOf(as = anna): Promise<string> {
  return (await world.call('POST', '/svcpbx/agents/me/tickets', undefined, { as })).body.ticket
}

function dial(ticket: string, { origin = PAGE, protocols = ['sip', ticket], path = '/rest/core/phone' } = {}) {
  const socket = new WebSocket(world.rest.url.replace('http', 'ws') + path, protocols, { origin })
  open.push(socket)
  return socket
}

async function connected(): Promise<WebSocket> {
  const before = far.length
  const socket = dial(await ticketOf())
  await once(socket, 'open')
  await expect.poll(() => far.length).toBe(before + 1)
  return socket
}

const request = (method: string, from: string, to: string) =>
  `${method} sip:node SIP/2.0\r\nFrom: ${from}\r\nTo: ${to}\r\n\r\n`
const register = (user: string, to = user) => request('REGISTER', `<sip:${user}@node>;tag=1`, `<sip:${to}@node>`)

const closed = async (socket: WebSocket) => (await once(socket, 'close'))[0] as number

async function refusal(socket: WebSocket): Promise<string> {
  const [error] = await once(socket, 'error')
  return (error as Error).message
}

test('a shift has a password of its own, which the switch knows', async () => {
  const { status, body } = await ask()
  expect(status).toBe(200)
  expect(body).toMatchObject({
    wsUrl: '/rest/core/phone',
    sipUser: 'agent-anna',
    sipPassword: passwords.get('anna'),
    iceServers: [],
    legHeader: 'X-Switchboard-Leg',
  })
  expect(Buffer.from(body.sipPassword, 'base64url')).toHaveLength(16)
  await end()
  expect(passwords.has('anna')).toBe(false)
})

test('a browser gets STUN and TURN servers, with credentials that end with the password', async () => {
  ice = ['stun:a.example', 'turn:b.example:3478', 'turns:b.example?transport=tcp']
  const { body } = await ask()
  const username = `${Math.ceil(Date.parse(body.expiresTs) / 1_000)}:anna`
  const credential = createHmac('sha1', 'north').update(username).digest('base64')
  expect(body.iceServers).toEqual([
    { urls: 'stun:a.example' },
    { urls: 'turn:b.example:3478', username, credential },
    { urls: 'turns:b.example?transport=tcp', username, credential },
  ])
})

test('the credential is that of coturn', () => {
  // printf 1795900000:anna | openssl dgst -sha1 -hmac north -binary | base64
  expect(iceServersOf({ addresses: ['turn:b'], turnSecret: 'north' }, 'anna' as AgentName, 1_795_899_999_001)).toEqual([
    { urls: 'turn:b', username: '1795900000:anna', credential: 'EMs9YDJk/6m5q9oxRMwlubHq/T4=' },
  ])
})

test('an agent with a SIP phone, and a switch that refuses, are told why', async () => {
  expect(await ask({}, ben)).toMatchObject({ status: 409 })
  whyNot = 'the switch is away'
  expect(await ask()).toMatchObject({ status: 503, body: { detail: 'the switch is away' } })
})

test('messages pass both ways, and the end of one side is the end of the other', async () => {
  await ask()
  const socket = await connected()
  socket.send(register('agent-anna'))
  await expect.poll(() => heard).toEqual([register('agent-anna')])
  far[0]!.send('200 OK')
  expect(String((await once(socket, 'message'))[0])).toBe('200 OK')
  const gone = once(far[0]!, 'close')
  socket.terminate()
  await gone
  const next = await connected()
  far[1]!.terminate()
  expect(await closed(next)).toBe(4012)
})

test('what is sent before the switch is reached is not lost', async () => {
  await ask()
  const socket = dial(await ticketOf())
  socket.on('open', () => socket.send(register('agent-anna')))
  await expect.poll(() => heard).toEqual([register('agent-anna')])
})

test('a second tab is refused until it takes over, and the first one is told', async () => {
  await ask()
  const first = await connected()
  const password = passwords.get('anna')
  expect(await ask()).toMatchObject({ status: 409 })
  expect(passwords.get('anna')).toBe(password)
  const told = closed(first)
  expect(await ask({ takeOver: true })).toMatchObject({ status: 200 })
  expect(await told).toBe(4010)
  expect(passwords.get('anna')).not.toBe(password)
})

test('a page that was loaded again is the same tab', async () => {
  const { body } = await ask()
  await connected()
  const again = await ask({ epoch: body.epoch })
  expect([again.status, again.body.epoch]).toEqual([200, body.epoch])
  await connected()
  expect(await ask({ epoch: 'another' })).toMatchObject({ status: 409 })
})

test('a tab that is gone holds nothing', async () => {
  await ask()
  ;(await connected()).terminate()
  await expect.poll(async () => (await ask()).status).toBe(200)
})

test('the end of the shift ends the connection and the password: by request, and after 12 hours', async () => {
  await ask()
  const first = closed(await connected())
  await end()
  expect(await first).toBe(4011)
  await ask()
  const second = closed(await connected())
  clock.run(12 * HOUR_MS)
  // A virtual half day without a pong: the connection may end first.
  expect([4011, 1006]).toContain(await second)
  await expect.poll(() => passwords.has('anna')).toBe(false)
})

test('whoever names another tab ends nothing', async () => {
  const { body } = await ask()
  const socket = await connected()
  expect(await end('?epoch=another')).toMatchObject({ status: 204 })
  expect([socket.readyState, passwords.has('anna')]).toEqual([WebSocket.OPEN, true])
  const over = closed(socket)
  expect(await end(`?epoch=${body.epoch}`)).toMatchObject({ status: 204 })
  expect(await over).toBe(4011)
  expect(passwords.has('anna')).toBe(false)
})

test('a node that was started anew takes a phone that the switch knows, and its tab is the same tab', async () => {
  // It does not know that it gave the phone to this tab.
  await connected()
  expect(await ask()).toMatchObject({ status: 409 })
  const again = await ask({ epoch: 'of-before' })
  expect([again.status, again.body.epoch]).toEqual([200, 'of-before'])
  await connected()
  expect(await ask({ epoch: 'another' })).toMatchObject({ status: 409 })
})

test('a node that was started anew lets a tab that is not connected keep its name', async () => {
  const again = await ask({ epoch: 'of-before' })
  expect([again.status, again.body.epoch]).toEqual([200, 'of-before'])
})

test('a tab that asks twice at once is not told of itself', async () => {
  const { body } = await ask()
  await connected()
  const both = await Promise.all([ask({ epoch: body.epoch }), ask({ epoch: body.epoch })])
  expect(both.map(({ status }) => status)).toEqual([200, 200])
})

test('a connection needs a page of ours, and a ticket that is not used yet', async () => {
  const ticket = await ticketOf()
  expect(await refusal(dial(ticket, { origin: 'https://evil.example' }))).toContain('401')
  await once(dial(ticket), 'open')
  expect(await refusal(dial(ticket))).toContain('401')
  expect(await refusal(dial('', { protocols: ['sip'] }))).toContain('401')
  expect(await refusal(dial(await ticketOf(), { protocols: ['other', ticket] }))).toContain('401')
  expect(await refusal(dial(await ticketOf(), { path: '/rest/core/phones' }))).toContain('401')
  const as = await credentialOf('anna')
  const stolen = await ticketOf(as)
  await world.call('POST', '/rest/core/session/logout', undefined, { as })
  expect(await refusal(dial(stolen))).toContain('401')
})

test('a message that is too long, and too many of them, end the connection', async () => {
  await ask()
  const loud = await connected()
  loud.send('x'.repeat(64 * 1024 + 1))
  expect(await closed(loud)).toBe(1009)
  const quick = await connected()
  for (let message = 0; message <= 50; message++) quick.send('\r\n')
  expect(await closed(quick)).toBe(4008)
})

test.each([
  ['a call of its own', request('INVITE', '<sip:agent-anna@node>;tag=1', '<sip:+4512345678@node>')],
  ['another agent’s registration', register('agent-ben')],
  ['a registration for somebody else', register('agent-anna', 'agent-ben')],
  ['two senders', register('agent-anna').replace('From', 'From: <sip:agent-ben@node>\r\nFrom')],
  ['a message', request('MESSAGE', '<sip:agent-anna@node>;tag=1', '<sip:agent-ben@node>;tag=2')],
  ['no SIP', 'GET / HTTP/1.1\r\n\r\n'],
])('a page cannot say to the switch: %s', async (_what, message) => {
  await ask()
  const socket = await connected()
  const end = closed(socket)
  socket.send(message)
  expect(await end).toBe(4013)
  expect(heard).toEqual([])
})

test('within a call that the switch began, a phone answers, renegotiates and hangs up', async () => {
  await ask()
  const socket = await connected()
  const within = ['INVITE', 'ACK', 'BYE'].map((method) => request(method, '<sip:x9@y>;tag=1', '<sip:vm>;tag=2'))
  const said = ['SIP/2.0 200 OK\r\n\r\n', ...within]
  for (const message of said) socket.send(message)
  await expect.poll(() => heard).toEqual(said)
})
