/** Of several nodes one dials. The next one knows what the ledgers of that one counted (campaigns-139). */
import { expect, test } from 'vitest'
import type { Engine } from '../../../src/engine/loop/engine.ts'
import type { AgentName } from '../../../src/kernel/ids.ts'
import type { TriedAttempt } from '../../../src/ports/attempt.ts'
import { DatabaseUnavailable } from '../../../src/ports/dialer-repository.ts'
import type { AgentNodes } from '../../../src/ports/nodes.ts'
import type { Contact } from '../../../src/sim/person.ts'
import { CAMPAIGN, numberOf } from '../../worlds/campaign-world.ts'
import { firstNode } from './two-nodes.ts'

const SECOND_MS = 1_000
const NEXT = numberOf(9)
const ANSWERS: Contact = { does: 'answer', ringsAfterMs: 500, afterMs: 3_000, hangsUpAfterMs: 5_000 }

const agentNodes: AgentNodes = { claim: () => Promise.resolve(undefined), release: () => Promise.resolve() }

/** Two nodes since before the first call; `right` says which one dials. */
async function openTwo() {
  const right = { of: 'one' }
  const { world, startSecond } = await firstNode(
    ANSWERS,
    { untilAtMs: 0 },
    {
      contactOf: () => ANSWERS,
      parts: ({ dialer }) => ({ dialer: { ...dialer!, mayDial: () => right.of === 'one' } }),
    },
  )
  const second = await startSecond({ mayDial: () => right.of === 'two', agentNodes })
  await world.logIn('anna')
  await world.import(3)
  expect(await world.until(() => world.pbx.carrier.calls.length === 1, 10 * SECOND_MS)).toBe(true)
  await world.run(60 * SECOND_MS)
  return { world, second, right }
}

const tallyAt = (engine: Engine, nowMs: number) => {
  const run = engine.dialer!.campaigns.get(CAMPAIGN)!
  return run.ledgers({ inFlight: 0, waiting: 0, idleAgents: 0 }, nowMs)[0]!.tally
}

test('who takes the right to dial counts what was answered at the node before', async () => {
  const { world, second, right } = await openTwo()
  right.of = 'nobody'
  await world.crash()
  await world.run(10 * SECOND_MS)
  right.of = 'two'
  await world.run(10 * SECOND_MS)
  expect(tallyAt(second, world.clock.nowMs())).toEqual({ answered: 3, abandoned: 0 })
})

test('a node whose right comes back believes what another one has learnt of its calls', async () => {
  const { world, right } = await openTwo()
  expect(tallyAt(world.engine, world.clock.nowMs())).toEqual({ answered: 3, abandoned: 0 })
  right.of = 'two'
  await world.run(10 * SECOND_MS)
  const [attempt] = world.dialerRepository.view.attempts.values()
  Object.assign(attempt!, { result: 'dropped' })
  right.of = 'one'
  await world.run(10 * SECOND_MS)
  expect(tallyAt(world.engine, world.clock.nowMs())).toEqual({ answered: 3, abandoned: 1 })
})

test('calls that the node before ends after the right has moved are counted within a minute', async () => {
  const { world, second, right } = await openTwo()
  right.of = 'two'
  await world.run(10 * SECOND_MS)
  const [attempt] = world.dialerRepository.view.attempts.values()
  Object.assign(attempt!, { result: 'dropped' })
  await world.run(70 * SECOND_MS)
  expect(tallyAt(second, world.clock.nowMs())).toEqual({ answered: 3, abandoned: 1 })
})

test('a campaign whose calls failed at the node before pauses itself', async () => {
  const { world, second, right } = await openTwo()
  const tried: TriedAttempt = { result: 'rejected', reach: 'rang', claimedAtMs: 0, endedAtMs: 0, sipStatus: 603 }
  world.dialerRepository.triedAttempts = () => Promise.resolve(Array.from({ length: 50 }, () => tried))
  right.of = 'two'
  await world.run(10 * SECOND_MS)
  expect(second.dialer!.campaigns.get(CAMPAIGN)!.isStopped).toBe(true)
})

test('nothing is dialed before the past could be read', async () => {
  const { world, second, right } = await openTwo()
  right.of = 'nobody'
  await world.crash()
  await world.run(10 * SECOND_MS)
  const { answeredCalls } = world.dialerRepository
  let isAway = true
  world.dialerRepository.answeredCalls = (...asked) =>
    isAway ? Promise.reject(new DatabaseUnavailable('it is slow')) : answeredCalls.apply(world.dialerRepository, asked)
  second.agentDesktop!.attach('carl' as AgentName, () => {})
  await world.during(second.agentDesktop!.order('carl' as AgentName, { type: 'logIn' }))
  await world.import(1, () => ({ externalCustomer: 'next', numbers: [{ given: NEXT, number: NEXT }] }))
  right.of = 'two'
  await world.run(60 * SECOND_MS)
  expect(world.dialerRepository.view.attempts.size).toBe(3)
  isAway = false
  await world.run(10 * SECOND_MS)
  expect(world.dialerRepository.view.attempts.size).toBe(4)
})
