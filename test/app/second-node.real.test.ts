/** Two started nodes with one database: one dials, an agent is on one of them, and each name is one process's. */
import { writeFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { type Client, type Credential, connect } from '../../src/client/client.ts'
import { StreamClient, type StreamSocket } from '../../src/console/stream/stream-client.ts'
import { RealClock } from '../../src/kernel/clock.ts'
import { attemptsOf, importTasks, makeCampaign, makeSystem } from '../e2e/campaign-live.ts'
import { CALLER_ID, TEAM } from '../e2e/campaign-place.ts'
import { type TestRedis, testRedis } from '../support/redis.ts'
import { SOON } from '../support/soon.ts'
import { openServicePlace } from './service-place.ts'
import { startServiceProcess, switchboard, tokenOf } from './service-process.ts'

const AGENTS = ['anna', 'bo']
const setup = `
agents: { ${AGENTS.map((name, place) => `${name}: { phone: { host: 127.0.0.1${place}1 } }`).join(', ')} }
teams: { ${TEAM}: { agents: [${AGENTS.join(', ')}] } }
trunks: { carrier: { host: 127.0.0.9, callerIds: ["${CALLER_ID}"], lines: 10 } }
`
let redis: TestRedis
let place: Awaited<ReturnType<typeof openServicePlace>>
let nodes: { readonly env: Record<string, string>; readonly service: ReturnType<typeof startServiceProcess> }[]
let client: Client
const sockets: WebSocket[] = []
const clients: StreamClient[] = []
let tasks: number[]

beforeAll(async () => {
  redis = await testRedis()
  place = await openServicePlace(setup)
  const { url } = await place.database()
  nodes = []
  for (const NODE_NAME of ['node-1', 'node-2']) {
    const own = { NODE_NAME, DATA_DIR: `${place.directory}/${NODE_NAME}`, REDIS_URL: redis.url, DATABASE_URL: url }
    const SETUP_FILE = `${place.directory}/${NODE_NAME}.yaml`
    writeFileSync(SETUP_FILE, setup)
    const env = await place.env({ ...own, SETUP_FILE })
    nodes.push({ env, service: startServiceProcess(env) })
    await nodes.at(-1)!.service.ready
  }
  const credential = await credentialOf('integrator')
  client = clientOf(nodes[1]!.env, credential)
})
afterAll(async () => {
  for (const socket of sockets) socket.close()
  for (const one of clients) one.close()
  for (const { service } of nodes ?? []) await service.stop().catch(() => {})
  await place?.close()
  await redis?.end()
})

const credentialOf = (name: string, ...options: string[]) => tokenOf(nodes[0]!.env, '--name', name, ...options)

const orderAt = (node: number, agent: string, type: string) => askAt(node, agent, 'orders', { type })

/** Of an agent at this node, not at the one that the state operation names. */
async function askAt(node: number, agent: string, what: 'orders' | 'tickets', body: object) {
  const headers = { ...(await credentialOf(agent, '--user', agent)), 'content-type': 'application/json' }
  const address = `http://127.0.0.1:${nodes[node]!.env['HTTP_PORT']}/svcpbx/agents/me/${what}`
  const answer = await fetch(address, { method: 'POST', headers, body: JSON.stringify(body) })
  return { status: answer.status, text: await answer.text() }
}

/** Of this node alone, whichever one the state operation names. */
function clientOf({ HTTP_PORT, SSO_PORT }: Record<string, string>, credential: Credential): Client {
  const own: typeof fetch = async (url, init) => {
    const answer = await fetch(url, init)
    if (!String(url).endsWith('/rest/api/state')) return answer
    return new Response(JSON.stringify({ endpoint: `http://127.0.0.1:${HTTP_PORT}` }), answer)
  }
  return connect({ ssoUrl: `http://127.0.0.1:${SSO_PORT}`, credential, fetch: own as never })
}

test('a second process of a name does not start, and takes nothing from the first', async () => {
  const twin = { ...(await place.env({})), ...nodes[0]!.env, DATA_DIR: `${place.directory}/twin` }
  await expect(startServiceProcess(twin).ready).rejects.toThrow('give each process a NODE_NAME of its own')
})

test('an agent of one node does not log in on the other until they have left', async () => {
  expect((await orderAt(0, 'anna', 'logIn')).status).toBe(200)
  expect(await orderAt(1, 'anna', 'logIn')).toEqual({
    status: 409,
    text: expect.stringContaining('You are logged in on the node node-1. Log out there first.'),
  })
  await orderAt(0, 'anna', 'logOut')
  await expect.poll(async () => (await orderAt(1, 'anna', 'logIn')).status, SOON).toBe(200)
  await orderAt(1, 'anna', 'logOut')
})

test('a file that another node has replaced takes away nobody', async () => {
  const users = async () => (await client.ask('GET /rest/core/users', {})).map(({ userName }) => userName)
  const [newer, older] = nodes
  const file = newer!.env['SETUP_FILE']!
  writeFileSync(file, setup.replace('agents: {', 'agents: { carl: { phone: { host: 127.0.0.131 } },'))
  expect(await switchboard(['apply'], newer!.env)).toContain('agents and teams are those of all nodes')
  await expect.poll(users, SOON).toContain('carl')
  await switchboard(['apply'], older!.env)
  await expect.poll(() => older!.service.said('it lacks the agents carl').length, SOON).toBe(1)
  expect(older!.service.said('it lacks the agents carl')[0]).toContain('the node node-1 brought into force')
  expect(await users()).toContain('carl')
  // On the node that had the newer one, going back is meant.
  writeFileSync(file, setup)
  await switchboard(['apply'], newer!.env)
  await expect.poll(users, SOON).not.toContain('carl')
})

test('one node dials; the other one serves REST, and dials when that one is gone', async () => {
  const [first, second] = nodes.map(({ service }) => service)
  expect(second!.said('another node dials')).toHaveLength(1)
  const callCode = await makeCampaign(client, await makeSystem(client, undefined))
  const bo = await agentAt(1, 'bo')
  tasks = await importTasks(client, callCode, callsOf(['+4520123409', '+4520223409', '+4520323409']))
  const boards = await Promise.all([boardAt(0), boardAt(1)])
  const anna = await agentAt(0, 'anna')
  const ended = async () => (await attemptsOf(client, tasks)).filter(({ endTs }) => endTs !== null)
  await expect.poll(async () => (await ended()).length, SOON).toBe(3)
  expect([anna.talks(), bo.talks()]).toEqual([3, 0])
  // Each board shows both agents, their team together, and the conversations of the node that dials.
  for (const [place, { board, seen }] of boards.entries()) {
    const nodeOf = (key: string) => board.rows.row('agent', key)?.['node'] ?? `node-${place + 1}`
    await expect.poll(() => ['anna', 'bo'].map(nodeOf), SOON).toEqual(['node-1', 'node-2'])
    await expect.poll(() => board.rows.row('queue', TEAM)?.['atWork'], SOON).toBe(2)
    expect([...seen].sort()).toEqual([...boards[0]!.seen].sort())
    expect(seen.size).toBe(3)
  }
  const [, { board: other }] = boards
  expect(other!.rows.row('node', 'node-1')).toMatchObject({ silentSinceTs: null })

  process.kill(first!.pid, 'SIGKILL')
  await expect.poll(() => other!.rows.row('node', 'node-1')?.['silentSinceTs'], SOON).toMatch(/^20/)
  expect(other!.rows.row('agent', 'anna')).toBeDefined()
  tasks = await importTasks(client, callCode, callsOf(['+4520423409']))
  await expect.poll(async () => (await ended()).length, SOON).toBe(1)
  expect(bo.talks()).toBe(1)
  // The budget goes on where the other node left it.
  const [campaign] = other!.rows.keys('campaign')
  const answered = () => other!.rows.row('campaign', campaign!)?.['ledgers']
  await expect.poll(answered, SOON).toMatchObject([{ answered: 4 }])
})

const callsOf = (numbers: readonly string[]) => numbers.map((number) => ({ numbers: [number], caseNumber: number }))

/** At their screen, on this node. `talks`: how many people they talked to. */
async function agentAt(node: number, name: string) {
  const { status, text } = await askAt(node, name, 'tickets', {})
  expect([name, status]).toEqual([name, 200])
  const { ticket } = JSON.parse(text) as { ticket: string }
  const address = `ws://127.0.0.1:${nodes[node]!.env['HTTP_PORT']}/svcpbx/agents/me/events?ticket=${ticket}`
  const socket = new WebSocket(address).on('error', () => {})
  const news: { readonly type: string; readonly state?: string }[] = []
  socket.on('message', (data) => news.push(JSON.parse(String(data))))
  await new Promise((opened) => socket.once('open', opened))
  sockets.push(socket)
  expect((await orderAt(node, name, 'logIn')).text).toBe('{"ok":true}')
  await expect.poll(() => news.findLast(({ type }) => type === 'status')?.state, SOON).toBe('ready')
  return { talks: () => news.filter(({ type }) => type === 'call').length }
}

/** The board of this node, as the console reads it. `seen`: the keys of all conversations that it showed. */
async function boardAt(node: number) {
  const { HTTP_PORT } = nodes[node]!.env
  const headers = { ...(await credentialOf('integrator')) }
  const seen = new Set<unknown>()
  const client = new StreamClient({
    clock: new RealClock(),
    random: () => 0.5,
    async getTicket() {
      const answer = await fetch(`http://127.0.0.1:${HTTP_PORT}/rest/core/stream/ticket`, { method: 'POST', headers })
      return ((await answer.json()) as { readonly ticket: string }).ticket
    },
    openSocket(protocols) {
      const socket = new WebSocket(`ws://127.0.0.1:${HTTP_PORT}/rest/core/stream`, [...protocols])
      const own: StreamSocket = {
        send: (text) => socket.readyState === socket.OPEN && socket.send(text),
        close: () => socket.terminate(),
        onmessage: null,
        onclose: null,
      }
      socket.on('error', () => {})
      socket.on('message', (data) => own.onmessage?.({ data: String(data) }))
      socket.on('close', () => own.onclose?.())
      return own
    },
    schedule: (flush) => void setImmediate(flush),
    onEvent: () => {},
  })
  clients.push(client)
  client.start()
  const board = client.join({ topic: 'board' })
  board.rows.subscribeKeys('call', () => {
    for (const key of board.rows.keys('call')) seen.add(key)
  })
  await expect.poll(() => board.state, SOON).toBe('live')
  return { board, seen }
}
