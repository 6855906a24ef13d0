/** The client against real servers: nodes that die in the middle, the wrong address, wrong credentials. */
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { type Client, connect } from '../../src/client/client.ts'
import { SwitchboardProblem } from '../../src/client/problem.ts'
import type { LivePort } from '../../src/ports/live.ts'
import { startRest } from '../../src/rest/server.ts'
import { OURS } from '../rest/rest-world.ts'
import { openWholeWorld, settle, type Tenant, type WholeWorld } from '../rest/whole-world.ts'

let world: WholeWorld
let us: Tenant
/** What the state operation hands out. */
let node = ''

beforeAll(async () => {
  const live: Partial<LivePort> = {
    nodes: async () => [{ node: 'node', endpoint: node, seenAtMs: world.parts.clock.nowMs() }],
    onBoard: () => () => {},
  }
  world = await openWholeWorld(true, { live: live as LivePort })
  us = await settle(world, OURS, 'ours', 1)
})
afterAll(() => world.close())

const servers: Server[] = []
afterEach(() => {
  for (const server of servers.splice(0)) server.closeAllConnections()
  node = world.rest.url
})

const client = (values = us.as, ssoUrl = world.rest.ssoUrl ?? '') => connect({ ssoUrl, credential: values })
const problemOf = async (asking: Promise<unknown>) => {
  const error: unknown = await asking.catch((error: unknown) => error)
  expect(error).toBeInstanceOf(SwitchboardProblem)
  return error as SwitchboardProblem
}

/** A node that carries requests out and dies before its answer; from then on state returns another one. */
async function dyingNode(): Promise<string> {
  const server = createServer((request, response) => {
    void (async () => {
      const chunks: Buffer[] = []
      for await (const chunk of request) chunks.push(chunk as Buffer)
      const { host, connection, 'content-length': length, ...headers } = request.headers
      const init = { method: request.method ?? 'GET', headers: headers as Record<string, string> }
      await fetch(
        world.rest.url + (request.url ?? ''),
        chunks.length > 0 ? { ...init, body: Buffer.concat(chunks) } : init,
      )
      node = world.rest.url
      server.close()
      response.socket?.destroy()
    })()
  })
  servers.push(server)
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

describe('a node that dies', () => {
  test('before a request: the next node serves it', async () => {
    const { parts: dependencies } = world
    const local = { host: '127.0.0.1', port: 0 }
    const other = await startRest({ dependencies, routes: [], node: local })
    node = other.url
    const asking: Client = client()
    expect((await asking.ask('GET /rest/core/activeuser')).environment).toBe('development')
    node = world.rest.url
    await other.close()
    expect((await asking.ask('GET /rest/core/activeuser')).environment).toBe('development')
    expect(await asking.endpoint()).toBe(world.rest.url)
  })

  test('after it carried a request out and before the answer: the object is created once', async () => {
    node = await dyingNode()
    const made = await client().reply('POST /rest/svcems/infofields', { body: { name: 'made once' } })
    expect([made.status, made.headers.get('svc-idempotent-replay')]).toEqual([201, 'true'])
    const fields = await client().ask('GET /rest/svcems/infofields', { query: { all: true } })
    expect(fields.filter(({ name }) => name === 'made once').map(({ emprId }) => emprId)).toEqual([made.body.emprId])
  })

  test('and no other follows: the error says that no node can be reached', async () => {
    const dead = await dyingNode()
    servers.at(-1)?.close()
    node = dead
    expect(await problemOf(client().ask('GET /rest/core/activeuser'))).toMatchObject({ status: 0, kind: 'unreachable' })
  })
})

describe('a mistake in the configuration of a client', () => {
  test('the sign-on address in place of the node is reported by 421', async () => {
    node = world.rest.ssoUrl ?? ''
    const problem = await problemOf(client().ask('GET /rest/core/activeuser'))
    expect(problem).toMatchObject({ status: 421, kind: 'misdirected' })
    expect(problem.message).toContain('/rest/api/state')
  })

  test('the node in place of the sign-on address is reported by 404', async () => {
    expect(await problemOf(client(us.as, world.rest.url).ask('GET /rest/core/activeuser'))).toMatchObject({
      status: 404,
      kind: 'notFound',
      operation: 'GET /rest/api/state',
    })
  })

  test('wrong credentials are reported by 401, and appear in no message', async () => {
    const tokenv2 = `tv2_${'x'.repeat(43)}`
    const problem = await problemOf(client({ ...us.as, tokenv2 }).ask('GET /rest/core/activeuser'))
    expect(problem).toMatchObject({ status: 401, kind: 'unauthorized' })
    expect(`${problem.message} ${JSON.stringify(problem)} ${problem.stack}`).not.toContain(tokenv2)
  })

  test('a missing scope is reported by 403', async () => {
    const values = await world.credential(['users:read'], [OURS])
    const problem = await problemOf(client(values).ask('POST /svcems/calls/search', { body: { eactIds: [1] } }))
    expect(problem).toMatchObject({ status: 403, kind: 'forbidden' })
  })
})

describe('the use cases of integrators', () => {
  test('looking up a call by the id of an event, paging call tasks and fetching a recording work', async () => {
    const asking = client()
    const [call] = await asking.ask('POST /svcems/calls/search', { body: { eactIds: [String(us.ids['eactId'])] } })
    expect(call?.eactId).toBe(us.ids['eactId'])
    const cfreId = call?.recordings[0]?.cfreId ?? 0
    const bytes = await asking.ask('GET /rest/core/corefile', { query: { cfreId } })
    expect(Buffer.from(bytes as Uint8Array).toString()).toBe('sound')
    const tasks: number[] = []
    for await (const { itcaId } of asking.each('POST /dialer/calltaskget', { body: { limit: 2 } })) tasks.push(itcaId)
    expect(new Set(tasks).size).toBe(3)
    const told: (string | undefined)[] = []
    // The feed shows an event as soon as no older transaction runs.
    while (!told.includes(String(us.ids['eactId']))) {
      for await (const event of asking.each('GET /rest/core/events')) told.push(event.phoneCallId)
    }
  })

  test('an invalid import is answered in the form of the contract', async () => {
    const body = {
      systemCode: String(us.ids['systemCode']),
      callCode: 999,
      maxCallAttempts: 3,
      minCallIntervalHours: 4,
    }
    const callTasks = [{ callReceiverName: 'Jane', callNumberList: [] }]
    const problem = await problemOf(client().ask('POST /svcdialer/calltaskimport', { body: { ...body, callTasks } }))
    expect(problem).toMatchObject({ status: 400, statusCode: 6 })
  })
})
