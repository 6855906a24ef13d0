/** The live stream of a started service, read by the console's client: an agent's page and a supervisor's board. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { type Credential, connect } from '../../src/client/client.ts'
import { StreamClient, type StreamSocket } from '../../src/console/stream/stream-client.ts'
import { RealClock } from '../../src/kernel/clock.ts'
import { importTasks, makeCampaign, makeSystem } from '../e2e/campaign-live.ts'
import { CALLER_ID, TEAM } from '../e2e/campaign-place.ts'
import { SOON } from '../support/soon.ts'
import { openServicePlace } from './service-place.ts'
import { startServiceProcess, tokenOf } from './service-process.ts'

const setup = `
agents: { anna: { phone: { host: 127.0.0.111 } } }
teams: { ${TEAM}: { agents: [anna] } }
trunks: { carrier: { host: 127.0.0.9, callerIds: ["${CALLER_ID}"], lines: 10 } }
`
let place: Awaited<ReturnType<typeof openServicePlace>>
let env: Record<string, string>
let service: ReturnType<typeof startServiceProcess>
let anna: Credential
let integrator: Credential
const pages: Page[] = []

beforeAll(async () => {
  place = await openServicePlace(setup)
  const { url } = await place.database()
  env = await place.env({ DATABASE_URL: url })
  service = startServiceProcess(env)
  await service.ready
  anna = await tokenOf(env, '--name', 'anna', '--user', 'anna')
  integrator = await tokenOf(env, '--name', 'integrator')
})
afterAll(async () => {
  for (const page of pages) page.client.close()
  await service?.stop()
  await place?.close()
})

// biome-ignore lint/suspicious/noExplicitAny: tests check what a frame holds
type Frame = any

interface Page {
  readonly client: StreamClient
  /** Of the latest connection. */
  frames: Frame[]
  readonly events: string[]
  cut(): void
}

const post = async (path: string, as: Credential, body: object = {}) => {
  const headers = { ...as, 'content-type': 'application/json' }
  const address = `http://127.0.0.1:${env['HTTP_PORT']}${path}`
  const answer = await fetch(address, { method: 'POST', headers, body: JSON.stringify(body) })
  return { status: answer.status, body: (await answer.json()) as Record<string, unknown> }
}
const order = async (type: string, more: object = {}) =>
  expect(await post('/svcpbx/agents/me/orders', anna, { type, ...more })).toMatchObject({ status: 200 })
const ticketOf = async (as: Credential) => String((await post('/rest/core/stream/ticket', as)).body['ticket'])
const socketOf = (protocols: readonly string[], origin?: string) =>
  new WebSocket(`ws://127.0.0.1:${env['HTTP_PORT']}/rest/core/stream`, [...protocols], origin ? { origin } : {})

/** As the console opens it, on a real network. */
function pageOf(as: Credential): Page {
  let last: WebSocket | undefined
  const events: string[] = []
  const page: Page = { client: undefined as never, frames: [], events, cut: () => last?.terminate() }
  const openSocket = (protocols: readonly string[]) => {
    const socket = socketOf(protocols)
    last = socket
    page.frames = []
    const own: StreamSocket = {
      send: (text) => socket.readyState === socket.OPEN && socket.send(text),
      close: () => socket.terminate(),
      onmessage: null,
      onclose: null,
    }
    socket.on('error', () => {})
    socket.on('message', (data) => {
      page.frames.push(JSON.parse(String(data)))
      own.onmessage?.({ data: String(data) })
    })
    socket.on('close', () => own.onclose?.())
    return own
  }
  const client = new StreamClient({
    clock: new RealClock(),
    random: () => 0.5,
    getTicket: () => ticketOf(as),
    openSocket,
    schedule: (flush) => void setImmediate(flush),
    // News of the phone's leg come beside them.
    onEvent: ({ name, data }) => name === 'popup' && events.push(`${name} ${String(data['callId'] ?? '')}`),
  })
  Object.assign(page, { client })
  pages.push(page)
  client.start()
  return page
}

/** The numbers of a topic in this connection. */
const seqsOf = ({ frames }: Page, id: number) =>
  frames.filter((one) => one.t === 'd' && one.id === id).map(({ seq }) => seq)
const isInOrder = (seqs: number[]) => seqs.every((seq, index) => index === 0 || seq === seqs[index - 1]! + 1)

test('login, call, cut and restart, as the desk and the board see them', async () => {
  const desk = pageOf(anna)
  const me = desk.client.join({ topic: 'me' })
  const wall = pageOf(integrator)
  const board = wall.client.join({ topic: 'board' })
  await expect.poll(() => me.rows.row('agent', 'anna')?.['state'], SOON).toBe('loggedOut')
  await order('logIn')
  await expect.poll(() => me.rows.row('agent', 'anna')?.['state'], SOON).toBe('ready')
  await expect.poll(() => board.rows.row('agent', 'anna')?.['state'], SOON).toBe('ready')
  await expect.poll(() => board.rows.row('queue', TEAM)?.['ready'], SOON).toBe(1)

  const client = connect({ ssoUrl: `http://127.0.0.1:${env['SSO_PORT']}`, credential: integrator })
  const callCode = await makeCampaign(client, await makeSystem(client, undefined))
  await importTasks(client, callCode, [{ numbers: ['+4520123409'], caseNumber: 'case-1' }])
  await expect.poll(() => board.rows.keys('campaign'), SOON).toEqual([callCode])
  const ofCalls = ({ frames }: Page) => frames.flatMap(({ ops = [] }) => ops).filter(([, kind]) => kind === 'call')
  await expect.poll(() => ofCalls(desk).map(([what]) => what), SOON).toEqual(['u', 'x'])
  await expect.poll(() => ofCalls(wall).map(([what]) => what), SOON).toEqual(['u', 'x'])
  expect(ofCalls(wall)[0][3]).toMatchObject({ userName: 'anna', number: '+4520123409', callTask: { callCode } })
  const { callId } = ofCalls(desk)[0][3]
  expect(desk.events).toEqual([`popup ${callId}`])
  for (const [page, { id }] of [
    [desk, me],
    [wall, board],
  ] as const) {
    expect(isInOrder(seqsOf(page, id))).toBe(true)
    expect(seqsOf(page, id).length).toBeGreaterThan(1)
  }

  desk.cut()
  await order('pause', { reason: 'lunch' })
  await expect.poll(() => me.rows.row('agent', 'anna')?.['reason'], SOON).toBe('lunch')
  expect(desk.frames.map(({ t }) => t)).not.toContain('snap')

  await service.stop()
  service = startServiceProcess(env)
  await service.ready
  await expect.poll(() => desk.frames.map(({ t }) => t), SOON).toEqual(expect.arrayContaining(['gap', 'snap']))
  expect(desk.frames.find(({ t }) => t === 'gap')).toMatchObject({ reason: 'epoch' })
  await expect.poll(() => wall.frames.map(({ t }) => t), SOON).toEqual(expect.arrayContaining(['gap', 'snap']))
  await expect
    .poll(() => board.rows.row('agent', 'anna')?.['state'], SOON)
    .toBe(me.rows.row('agent', 'anna')?.['state'])
  expect(desk.events).toHaveLength(1)
})

test('a page of this node may open it, a foreign page may not, and not with a used ticket', async () => {
  const isOpened = async (ticket: string, origin?: string) => {
    const socket = socketOf(['switchboard.v1', ticket], origin)
    const isOpen = await new Promise((done) => socket.once('open', () => done(true)).once('error', () => done(false)))
    socket.terminate()
    return isOpen
  }
  const own = `http://127.0.0.1:${env['HTTP_PORT']}`
  const ticket = await ticketOf(integrator)
  expect(await isOpened(ticket, own)).toBe(true)
  expect(await isOpened(ticket, own)).toBe(false)
  expect(await isOpened(await ticketOf(integrator), 'https://elsewhere.example')).toBe(false)
})
