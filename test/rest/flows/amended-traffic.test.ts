/** A call that another node settled counts for its flow when its own node tells how it went (calls-and-flows-104). */
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { FlowName, LegId } from '../../../src/kernel/ids.ts'
import type { FinishedCall } from '../../../src/ports/dialer-repository.ts'
import { flowTrafficRoute } from '../../../src/rest/flows/flow-traffic.ts'
import { postgresFlowTraffic } from '../../../src/store/calls/flow-traffic.ts'
import { postgresDialerRepository } from '../../../src/store/dialer/dialer-repository.ts'
import { callOf } from '../dialer/dialer-world.ts'
import { openRestWorld, type RestWorld } from '../rest-world.ts'

const NOON = Date.UTC(2026, 0, 2, 12)
let world: RestWorld

beforeAll(async () => {
  world = await openRestWorld({
    parts: (pools) => ({
      dialerRepository: postgresDialerRepository(pools),
      flowTraffic: postgresFlowTraffic(pools),
    }),
    routes: (parts) => [flowTrafficRoute(parts)],
  })
})
afterAll(() => world.close())

test('once, in the hour in which it ended, however often it is told', async () => {
  const settled = callOf('in-1', NOON, { direction: 'in', leg: 'leg-1' as LegId, caller: '+4520000001' })
  const told: FinishedCall = {
    ...settled,
    endedAtMs: NOON - 10_000,
    result: 'answered',
    hungUpBy: 'caller',
    traffic: {
      flow: 'house' as FlowName,
      revision: 'aaaaaaaaaaaa',
      atMs: NOON - 10_000,
      outcome: 'completed',
      marks: ['asked'],
      ends: { ask: { done: 1 } },
    },
  }
  for (const call of [settled, settled, told, told]) await world.parts.dialerRepository.finishCall(call)
  await world.parts.flowTraffic.fold(NOON)
  const [from, to] = [NOON - 3_600_000, NOON].map((atMs) => new Date(atMs).toISOString())
  const { body } = await world.call('GET', `/svcpbx/flows/house/traffic?from=${from}&to=${to}`)
  expect(body.revisions).toEqual([
    {
      revision: 'aaaaaaaaaaaa',
      calls: 1,
      outcomes: [{ outcome: 'completed', calls: 1 }],
      marks: [{ mark: 'asked', calls: 1 }],
      steps: [{ step: 'ask', calls: 1, visits: 1, ends: [{ end: 'done', calls: 1, visits: 1 }] }],
    },
  ])
})
