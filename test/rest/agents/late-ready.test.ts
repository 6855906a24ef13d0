/** *End wrap-up* of the board, through HTTP and a running engine: it ends the state that was seen, and no other one. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { AgentDesktop } from '../../../src/ports/agent-desktop.ts'
import { agentStateRoute } from '../../../src/rest/agents/agent-state.ts'
import { AgentTickets } from '../../../src/rest/agents/agent-tickets.ts'
import type { CredentialValues } from '../../../src/rest/http/credential-values.ts'
import { CampaignWorld } from '../../worlds/campaign-world.ts'
import { OURS, openRestWorld, type RestWorld } from '../rest-world.ts'

let desktop: () => AgentDesktop
let door: RestWorld
let sam: CredentialValues

beforeAll(async () => {
  const agentDesktop: Partial<AgentDesktop> = {
    order: (...order) => desktop().order(...order),
    statuses: () => desktop().statuses(),
    teamsOf: (agent) => desktop().teamsOf(agent),
  }
  door = await openRestWorld({
    parts: () => ({ agentDesktop: agentDesktop as AgentDesktop }),
    routes: (dependencies) => {
      return [agentStateRoute({ ...dependencies, tickets: new AgentTickets(dependencies.secretBytes) })]
    },
  })
  const agents = ['anna', 'sam'].map((name) => ({ name, title: name }))
  await door.parts.directory.syncStaff({ agents, teams: [] }, OURS, 0)
  const { id } = (await door.parts.directory.userByName('sam'))!
  sam = await door.credential(['dialer:write'], [OURS], { user: { id, userName: 'sam', active: true, teams: [] } })
})
afterAll(() => door.close())

/** Anna in the wrap-up of her first conversation. */
async function wrappingUp() {
  const world = new CampaignWorld({ teams: { collections: ['anna'] } })
  await world.campaign({ wrapUpSeconds: 600 })
  await world.import(2)
  await world.start()
  desktop = () => world.engine.agentDesktop!
  await world.logIn('anna')
  const status = () => desktop().statuses()[0]
  const isIn = (state: string) => world.until(() => status()?.state === state, 120_000)
  expect(await isIn('wrapUp')).toBe(true)
  const seen = () => new Date(status()!.sinceAtMs).toISOString()
  const ready = (sinceTs?: string) =>
    door.call('PUT', '/svcpbx/agents/anna/state', { state: 'ready', ...(sinceTs && { sinceTs }) }, { as: sam })
  return { world, isIn, seen, ready, status }
}

test('a break that began meanwhile goes on, and is ended when it was seen', async () => {
  const { world, seen, ready, status } = await wrappingUp()
  const wrapUp = seen()
  await world.run(5_000)
  await world.order('anna', { type: 'pause', reason: 'lunch' })
  expect(status()).toMatchObject({ state: 'paused', reason: 'lunch' })
  expect(await ready(wrapUp)).toMatchObject({
    status: 409,
    body: { detail: 'the agent is in another state by now; look at it, and try again' },
  })
  expect(status()).toMatchObject({ state: 'paused', reason: 'lunch' })
  expect(await ready(seen())).toMatchObject({ status: 200 })
  expect(['ready', 'reserved']).toContain(status()?.state)
})

test('the wrap-up of the next call goes on; without an instant any is ended, as before', async () => {
  const { world, isIn, seen, ready, status } = await wrappingUp()
  const first = seen()
  await world.order('anna', { type: 'endWrapUp' })
  expect([await isIn('talking'), await isIn('wrapUp')]).toEqual([true, true])
  expect(await ready(first)).toMatchObject({ status: 409 })
  expect(await ready('no instant')).toMatchObject({ status: expect.toSatisfy((status) => status >= 400) })
  expect(status()).toMatchObject({ state: 'wrapUp' })
  expect(await ready()).toMatchObject({ status: 200 })
  expect(status()?.state).toBe('ready')
})
