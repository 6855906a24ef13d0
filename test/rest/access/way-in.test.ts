/** The way in, at real addresses: sign-on, state, node, and another node after the death of the first. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { RealClock } from '../../../src/kernel/clock.ts'
import type { LiveNode } from '../../../src/ports/live.ts'
import { type Rest, startRest } from '../../../src/rest/server.ts'
import { VirtualClock } from '../../support/virtual-clock.ts'
import { openRestWorld, PLENTY, type RestWorld } from '../rest-world.ts'

const clock = new RealClock()
const local = { host: '127.0.0.1', port: 0 }
let world: RestWorld
let alive: Omit<LiveNode, 'seenAtMs'>[] = []
let second: Rest

beforeAll(async () => {
  const nodes = async () => alive.map((node) => ({ ...node, seenAtMs: clock.nowMs() }))
  world = await openRestWorld({ clock, parts: () => ({ live: { nodes, agents: async () => [] } as never }) })
  second = await startRest({ dependencies: world.parts, routes: [], node: local, allowances: PLENTY })
  alive = [
    { node: 'one', endpoint: world.rest.url },
    { node: 'two', endpoint: second.url },
  ]
})
afterAll(async () => {
  await second.close()
  await world.close()
})

/** The client of the contract (contract.md §5): it keeps the endpoint, and asks for it again after a failure. */
class Client {
  endpoint = ''
  statesAsked = 0

  async get(path: string): Promise<Response> {
    if (this.endpoint === '') await this.askState()
    const once = () => fetch(this.endpoint + path, { headers: { ...world.values } })
    const first = await once().catch(() => undefined)
    if (first && ![502, 503, 504].includes(first.status)) return first
    await this.askState()
    return once()
  }

  async askState(): Promise<void> {
    this.statesAsked++
    const reply = await fetch(`${world.rest.ssoUrl}/rest/api/state`, { headers: { ...world.values } })
    this.endpoint = ((await reply.json()) as { endpoint: string }).endpoint
  }
}

test('sign-on and node have addresses of their own', () => {
  expect(world.rest.ssoUrl).toMatch(/^http:/)
  expect(new URL(world.rest.url).host).not.toBe(new URL(world.rest.ssoUrl ?? '').host)
})

describe('a client of the contract', () => {
  test('asks state once, and sends everything else to the returned endpoint', async () => {
    const client = new Client()
    for (const path of ['/rest/core/activeuser', '/rest/core/users', '/core/users', '/rest/svcpbx/queue']) {
      expect([path, (await client.get(path)).status]).toEqual([path, 200])
    }
    expect(client.statesAsked).toBe(1)
    expect([world.rest.url, second.url]).toContain(client.endpoint)
  })

  test('moves to another node when its own is gone', async () => {
    const client = new Client()
    await client.get('/rest/core/activeuser')
    const lost = client.endpoint
    const isSecond = lost === second.url
    alive = alive.filter(({ endpoint }) => endpoint !== lost)
    if (isSecond) await second.close()
    // The first node's server stays for the other tests: for this client alone it is gone.
    else client.endpoint = 'http://127.0.0.1:1'
    expect((await client.get('/rest/core/activeuser')).status).toBe(200)
    expect(client.endpoint).not.toBe(lost)
    expect(client.statesAsked).toBe(2)
  })
})

test('an endpoint that answers stays valid: state is not asked again', async () => {
  const later = new VirtualClock()
  const lasting = await openRestWorld({ clock: later })
  for (let month = 0; month < 9; month++) {
    later.run(30 * 24 * 60 * 60_000)
    expect((await lasting.call('GET', '/rest/core/activeuser')).status).toBe(200)
  }
  await lasting.close()
})

test('development and production serve the same operations', async () => {
  const parts = { ...world.parts, environment: 'production' as const }
  const addresses = { node: local, sso: local }
  const production = await startRest({ dependencies: parts, routes: [], ...addresses, allowances: PLENTY })
  const documents = await Promise.all(
    [world.rest.url, production.url].map(async (url) => (await fetch(`${url}/openapi.json`)).json()),
  )
  await production.close()
  expect(documents[0]).toEqual(documents[1])
})

test('silent connections are cut, and their number is limited (F-I4)', () => {
  const { server } = world.rest.node!
  expect(server.maxConnections).toBeGreaterThan(100)
  expect(server.maxConnections).toBeLessThanOrEqual(2_000)
  expect(server.headersTimeout).toBe(10_000)
  expect(server.requestTimeout).toBeGreaterThan(0)
})
