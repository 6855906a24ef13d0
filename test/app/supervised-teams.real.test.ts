/** A supervisor who was given teams, over HTTP and the live stream of a started service: hers alone, and no other. */
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { WebSocket } from 'ws'
import { type Client, type Credential, connect } from '../../src/client/client.ts'
import { RealClock } from '../../src/kernel/clock.ts'
import { importTasks, makeCampaign, makeSystem } from '../e2e/campaign-live.ts'
import { CALLER_ID, TEAM } from '../e2e/campaign-place.ts'
import { type SteadyAgent, steadyAgent } from '../e2e/steady-agent.ts'
import { SOON } from '../support/soon.ts'
import { openServicePlace } from './service-place.ts'
import { startServiceProcess, switchboard, tokenOf } from './service-process.ts'

/** Answers, and talks until the other side hangs up. */
const TALKER = '+4520123401'
const setup = `
agents:
  anna: { phone: { host: 127.0.0.101 } }
  bo: { phone: { host: 127.0.0.102 } }
  vera: { phone: { host: 127.0.0.103 } }
  otto: { phone: { host: 127.0.0.104 } }
teams: { ${TEAM}: { agents: [anna, vera] }, others: { agents: [bo] } }
trunks: { carrier: { host: 127.0.0.9, callerIds: ["${CALLER_ID}"], lines: 10 } }
`

let place: Awaited<ReturnType<typeof openServicePlace>>
let env: Record<string, string>
let service: ReturnType<typeof startServiceProcess>
let system: Client
const atWork: SteadyAgent[] = []
/** Of anna's and vera's team; otto belongs to no team. */
let vera: Supervisor
let otto: Supervisor
let codes: { readonly own: number; readonly others: number }
let task: number
let eactId: number
let othersQueue: number

interface Supervisor {
  readonly client: Client
  readonly credential: Credential
}

beforeAll(async () => {
  place = await openServicePlace(setup)
  env = await place.env({ DATABASE_URL: (await place.database()).url })
  for (const name of ['vera', 'otto']) {
    await switchboard(['user', 'add', name, '--name', name, '--roles', 'supervisor'], env)
  }
  service = startServiceProcess(env)
  await service.ready
  const ssoUrl = `http://127.0.0.1:${env['SSO_PORT']}`
  system = connect({ ssoUrl, credential: await tokenOf(env, '--name', 'integrator') })
  const itsyId = await makeSystem(system, undefined)
  const queues = await system.ask('GET /rest/svcpbx/queue')
  othersQueue = queues.find(({ name }) => name === 'others')!.ucquId
  codes = {
    own: await makeCampaign(system, itsyId, { name: 'Own' }),
    others: await makeCampaign(system, itsyId, { name: 'Others', queue: { ucquId: othersQueue } }),
  }
  for (const name of ['anna', 'bo']) {
    const token = await tokenOf(env, '--name', name, '--user', name)
    atWork.push(await steadyAgent(name, ssoUrl, token, new RealClock()))
  }
  vera = await signedOn('vera', ssoUrl)
  otto = await signedOn('otto', ssoUrl)
  const [made] = await importTasks(system, codes.others, [{ numbers: [TALKER], caseNumber: 'B-1' }])
  task = made!
  eactId = await vi.waitFor(async () => {
    const [talk] = await liveOf(system)
    if (!talk?.eactId) throw new Error('nobody talks yet')
    return talk.eactId
  }, SOON)
})
afterAll(async () => {
  for (const agent of atWork) await agent.leave()
  await service?.stop()
  await place?.close()
})

async function signedOn(userName: string, ssoUrl: string): Promise<Supervisor> {
  const [, password] = /again: (\S+)/.exec(await switchboard(['user', 'password', userName], env)) ?? []
  const headers = { 'content-type': 'application/json' }
  const body = JSON.stringify({ userName, password })
  const answer = await fetch(`${ssoUrl}/api/login`, { method: 'POST', headers, body })
  const { tokenv2, rcntrl, ccntrl } = (await answer.json()) as Credential
  const credential = { tokenv2, rcntrl, ccntrl }
  return { client: connect({ ssoUrl, credential }), credential }
}

const liveOf = (client: Client) => client.ask('GET /rest/svcpbx/calls/live')
const statusOf = (asked: Promise<unknown>) =>
  asked.then(
    () => 200,
    (problem: { status: number }) => problem.status,
  )

/** What the board shows first, without the nodes. */
async function boardOf({ credential }: Supervisor): Promise<string[]> {
  const base = `127.0.0.1:${env['HTTP_PORT']}/rest/core/stream`
  const headers = { ...credential, 'content-type': 'application/json' }
  const given = await fetch(`http://${base}/ticket`, { method: 'POST', headers, body: '{}' })
  const { ticket } = (await given.json()) as { ticket: string }
  const socket = new WebSocket(`ws://${base}`, ['switchboard.v1', ticket])
  const rows = await new Promise<[string, string | number][]>((done, fails) => {
    socket.on('error', fails)
    socket.on('open', () => socket.send(JSON.stringify({ t: 'sub', id: 1, topic: 'board' })))
    socket.on('message', (data) => {
      const frame = JSON.parse(String(data))
      if (frame.t === 'snap') done(frame.rows)
      if (frame.t === 'deny') fails(new Error(frame.code))
    })
  })
  socket.terminate()
  return rows.flatMap(([kind, key]) => (kind === 'call' || kind === 'node' ? [] : [`${kind} ${key}`])).sort()
}

test('the board shows her agents, campaigns and queue; a supervisor without teams sees all', async () => {
  const own = [`agent anna`, `campaign ${codes.own}`, `queue ${TEAM}`]
  const others = [`agent bo`, `campaign ${codes.others}`, 'floor floor', 'queue others']
  await expect.poll(() => boardOf(otto), SOON).toEqual([...own, ...others].sort())
  await expect.poll(() => boardOf(vera), SOON).toEqual(own.sort())
  const agentsOf = async ({ client }: Supervisor) =>
    (await client.ask('GET /svcpbx/agents')).map(({ userName }) => userName).sort()
  expect(await agentsOf(vera)).toEqual(['anna'])
  expect(await agentsOf(otto)).toEqual(['anna', 'bo'])
  const pacing = async ({ client }: Supervisor) =>
    (await client.ask('GET /dialer/board')).campaigns.map(({ callCode }) => callCode)
  expect(await pacing(vera)).toEqual([codes.own])
  expect(await pacing(otto)).toEqual([codes.own, codes.others])
})

test('she pauses and logs out her own agents alone, and listens to nobody else', async () => {
  const order = ({ client }: Supervisor, userName: string) =>
    statusOf(
      client.ask('PUT /svcpbx/agents/{userName}/state', {
        params: { userName },
        body: { state: 'paused', reason: 'meeting' },
      }),
    )
  expect(await order(vera, 'bo')).toBe(409)
  expect(await order(vera, 'anna')).toBe(200)
  const listen = ({ client }: Supervisor) =>
    statusOf(
      client.ask('POST /rest/svcpbx/calls/{callId}/supervise', {
        params: { callId: String(eactId) },
        body: { mode: 'listen' },
      }),
    )
  expect(await liveOf(vera.client)).toEqual([])
  expect(await listen(vera)).toBe(404)
  expect(await liveOf(otto.client)).toHaveLength(1)
  expect(await listen(otto)).toBe(200)
})

test('campaigns and call tasks of another team do not exist for her, and she makes none there', async () => {
  const listed = async ({ client }: Supervisor) =>
    (await client.ask('GET /dialer/callcode')).callCodes.map(({ callCode }) => callCode)
  expect(await listed(vera)).toEqual([codes.own])
  expect(await listed(otto)).toEqual([codes.own, codes.others])
  const save = (body: object) => statusOf(vera.client.ask('POST /dialer/callcode', { body } as never))
  expect(await save({ callCode: codes.own, active: true })).toBe(200)
  expect(await save({ callCode: codes.others, active: false })).toBe(404)
  expect(await save({ callCodes: [{ callCode: codes.own }, { callCode: codes.others, active: false }] })).toBe(404)
  expect(await save({ callCode: codes.own, queue: { ucquId: othersQueue } })).toBe(400)
  expect(await save({ callCode: codes.own, queue: null })).toBe(400)
  const about = (callCode: number) =>
    statusOf(vera.client.ask('GET /dialer/callcode/{callCode}/reasons', { params: { callCode } }))
  expect(await Promise.all([codes.own, codes.others].map(about))).toEqual([200, 404])
  const outcomesOf = ({ client }: Supervisor) =>
    statusOf(client.ask('GET /rest/svcpbx/queue/{ucquId}/outcomes', { params: { ucquId: othersQueue } }))
  expect([await outcomesOf(vera), await outcomesOf(otto)]).toEqual([404, 200])
  const end = ({ client }: Supervisor) =>
    statusOf(client.ask('PUT /v1/calltasks/{itcaId}/end', { params: { itcaId: task }, body: {} }))
  expect(await end(vera)).toBe(404)
  const tasksOf = async ({ client }: Supervisor) =>
    (await client.ask('POST /dialer/calltaskget', { body: {} })).foundRows
  expect([await tasksOf(vera), await tasksOf(otto)]).toEqual([0, 1])
  expect(await end(otto)).toBe(200)
})

test('imports, presence and queues of another team do not exist for her', async () => {
  const importsOf = async ({ client }: Supervisor) => (await client.ask('GET /svcdialer/calltaskimport')).imports
  const [all, hers] = [await importsOf(otto), await importsOf(vera)]
  expect(all.map(({ callCode }) => callCode)).toEqual([codes.others])
  expect(hers).toEqual([])
  const cancel = ({ client }: Supervisor) =>
    statusOf(client.ask('DELETE /svcdialer/calltaskimport/{importId}', { params: { importId: all[0]!.importId } }))
  expect([await cancel(vera), await cancel(otto)]).toEqual([404, 200])
  const presentOf = async ({ client }: Supervisor) =>
    (await client.ask('GET /rest/core/users')).flatMap(({ userName, presence }) => (presence ? [userName] : [])).sort()
  await expect.poll(() => presentOf(otto), SOON).toEqual(['anna', 'bo'])
  expect(await presentOf(vera)).toEqual(['anna'])
  const queuesOf = async ({ client }: Supervisor) =>
    (await client.ask('GET /rest/svcpbx/queue')).map(({ code }) => code).sort()
  expect(await queuesOf(otto)).toEqual([TEAM, 'others'].sort())
  expect(await queuesOf(vera)).toEqual([TEAM])
})
