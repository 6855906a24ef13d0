/** A node that froze, or was cut off: its agents may be logged in at another node by now (storage-24). */
import { expect, test } from 'vitest'
import type { AgentName } from '../../../src/kernel/ids.ts'
import { DatabaseUnavailable } from '../../../src/ports/dialer-repository.ts'
import type { AgentNodes } from '../../../src/ports/nodes.ts'
import type { Contact } from '../../../src/sim/person.ts'
import type { CampaignWorld } from '../../worlds/campaign-world.ts'
import { firstNode } from './two-nodes.ts'

const SECOND_MS = 1_000
const CARL = 'carl' as AgentName
const TALKS: Contact = { does: 'answer', ringsAfterMs: 500, afterMs: 3_000, hangsUpAfterMs: 60_000 }

/** Carl is logged in at the first node; the second one has the same agents. */
async function twoDesks() {
  const cutOff = { untilAtMs: 0 }
  const placeOf = new Map<AgentName, string>()
  let claimsToFail = 0
  const desks = (node: string): AgentNodes => ({
    async claim(agent) {
      if (node === 'one' && (world.clock.nowMs() < cutOff.untilAtMs || claimsToFail-- > 0))
        throw new DatabaseUnavailable('this node is cut off')
      const lease = world.dialerRepository.view.leases.get(placeOf.get(agent) ?? '')
      if (lease && lease.node !== node && lease.expiresAtMs > world.clock.nowMs()) return lease.node
      placeOf.set(agent, node)
      return undefined
    },
    async release(agent) {
      if (placeOf.get(agent) === node) placeOf.delete(agent)
    },
  })
  const opened = await firstNode(TALKS, cutOff, {
    teams: { collections: ['carl'] },
    parts: ({ dialer }) => ({ dialer: { ...dialer!, agentNodes: desks('one') } }),
  })
  const { world, startSecond } = opened
  const second = await startSecond({ agentNodes: desks('two'), mayDial: () => false })
  await world.logIn(CARL)
  await world.run(5 * SECOND_MS)
  const stateAt = (node: 'first' | 'second') =>
    (node === 'first' ? world.engine : second).agentDesktop!.statuses().find(({ agent }) => agent === CARL)?.state
  const logInAtSecond = () => world.during(second.agentDesktop!.order(CARL, { type: 'logIn' }))
  second.agentDesktop!.attach(CARL, () => {})
  /** The first node is without the database for longer than its lease lives, and one more second. */
  const cut = async (failures = 0) => {
    claimsToFail = failures
    cutOff.untilAtMs = world.clock.nowMs() + 15 * SECOND_MS
    await world.run(14 * SECOND_MS)
  }
  return { world, stateAt, cut, logInAtSecond }
}

const leaseOf = (world: CampaignWorld) => world.engine.dialer!.lease.held

test('an agent who logged in at another node while a node had no lease is logged out there', async () => {
  const { world, stateAt, cut, logInAtSecond } = await twoDesks()
  expect(stateAt('first')).toBe('ready')
  expect(await logInAtSecond()).toMatchObject({ ok: false })
  await cut()
  expect(await logInAtSecond()).toEqual({ ok: true })
  await world.run(5 * SECOND_MS)
  expect([stateAt('first'), stateAt('second')]).toEqual([undefined, 'ready'])
  expect(leaseOf(world)).toBeDefined()
  expect(await world.order(CARL, { type: 'logIn' })).toMatchObject({ ok: false })
})

test('without the answer who is elsewhere, the lease is not held', async () => {
  const { world, stateAt, cut, logInAtSecond } = await twoDesks()
  await cut(10)
  await logInAtSecond()
  await world.run(5 * SECOND_MS)
  expect([stateAt('first'), leaseOf(world)]).toEqual(['ready', undefined])
  await world.run(5 * SECOND_MS)
  expect(stateAt('first')).toBeUndefined()
  expect(leaseOf(world)).toBeDefined()
})

test('in a conversation, they leave after it', async () => {
  const { world, stateAt, cut, logInAtSecond } = await twoDesks()
  await world.import(1)
  expect(await world.until(() => stateAt('first') === 'talking', 30 * SECOND_MS)).toBe(true)
  await cut()
  expect(await logInAtSecond()).toEqual({ ok: true })
  await world.run(5 * SECOND_MS)
  expect(stateAt('first')).toBe('talking')
  await world.run(60 * SECOND_MS)
  expect(stateAt('first')).toBeUndefined()
  expect([...world.dialerRepository.view.calls.values()]).toMatchObject([{ result: 'answered', agent: CARL }])
})

test('whoever did not log in elsewhere stays, and no other node takes them', async () => {
  const { world, stateAt, cut, logInAtSecond } = await twoDesks()
  await cut()
  await world.run(5 * SECOND_MS)
  expect([stateAt('first'), stateAt('second')]).toEqual(['ready', undefined])
  expect(await logInAtSecond()).toMatchObject({ ok: false })
})
