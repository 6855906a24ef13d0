import { type CorporationId, makeEventId } from '../../src/kernel/ids.ts'
import { seededRandom } from '../../src/kernel/random.ts'
import type { DispatcherLease } from '../../src/ports/outbox.ts'
import { secretOf } from '../../src/webhooks/sign.ts'
import { SimOutbox } from '../sim/sim-outbox.ts'
import { everythingAwaited, VirtualClock } from '../support/virtual-clock.ts'
import { type OutboxWorld, outboxContract } from './outbox.contract.ts'

const CORPORATION = 1 as CorporationId
const LIFE_MAX_MS = 60_000

outboxContract('in memory', async (): Promise<OutboxWorld> => {
  const clock = new VirtualClock()
  const random = seededRandom(1)
  const outbox = new SimOutbox({ clock, random })
  let subscriptions = 0
  let activity = 0
  const expired = async (_: DispatcherLease) => clock.run(LIFE_MAX_MS)
  return {
    outbox,
    nowMs: clock.nowMs(),
    async done(asked) {
      for (let steps = 0; steps < 5; steps++) {
        clock.run(10)
        await everythingAwaited()
      }
      return asked
    },
    subscribe: async () =>
      outbox.subscribe({
        corporation: CORPORATION,
        url: `https://${subscriptions++}.example/`,
        events: ['phone-call.ended'],
        systemCodes: [],
        secrets: [{ secret: secretOf(new Uint8Array(32)) }],
      }),
    change: async (subscription) => outbox.change(subscription),
    unsubscribe: async ({ id }) => outbox.unsubscribe(id),
    async publish(atMs) {
      const id = makeEventId(atMs, random)
      outbox.publish({
        id,
        atMs,
        corporation: CORPORATION,
        environment: 'development',
        type: 'phone-call.ended',
        activity: ++activity,
      })
      return id
    },
    deliveriesOf: async ({ id }) => [...outbox.deliveries.values()].filter(({ row }) => row.subscription === id),
    expire: expired,
  }
})
