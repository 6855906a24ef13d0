import { afterAll, beforeAll, describe } from 'vitest'
import { type CorporationId, makeEventId } from '../../src/kernel/ids.ts'
import { seededRandom } from '../../src/kernel/random.ts'
import { inTransaction } from '../../src/store/db/transaction.ts'
import { postgresOutbox } from '../../src/store/webhooks/outbox.ts'
import { writeEvent } from '../../src/store/webhooks/write-event.ts'
import { secretOf } from '../../src/webhooks/sign.ts'
import { makeDatabase, servers, type TestDatabase } from '../store/db/database.ts'
import { type OutboxWorld, outboxContract } from './outbox.contract.ts'

const CORPORATION = 1 as CorporationId
const NOON = Date.UTC(2026, 0, 2, 12)
/** Servers start slowly under load. */
const OPENING_MS = 90_000

describe.each(servers)('on $name', (server) => {
  let database: TestDatabase
  beforeAll(async () => {
    database = await makeDatabase(server)
  }, OPENING_MS)
  afterAll(() => database.drop())

  outboxContract('in PostgreSQL', async (): Promise<OutboxWorld> => {
    const { pools } = database
    const outbox = postgresOutbox(pools, 'development')
    await pools.jobs.query(`
      truncate corporations, courier_leases restart identity cascade;
      insert into corporations (id, name, created_at_ms) values (1, 'Collectors', 0)`)
    const random = seededRandom(1)
    let activity = 0
    return {
      outbox,
      nowMs: NOON,
      done: (asked) => asked,
      async subscribe() {
        const kept = await outbox.addSubscription({
          subscription: {
            corporation: CORPORATION,
            url: 'https://a.example/',
            events: ['phone-call.ended'],
            systemCodes: [],
            secrets: [{ secret: secretOf(new Uint8Array(32)) }],
          },
          description: '',
          atMs: NOON,
          subscriptionsMax: 50,
        })
        if (kept === 'too many') throw new Error(kept)
        return kept.subscription
      },
      async change(subscription) {
        const kept = await outbox.findSubscription(subscription.id, [CORPORATION])
        const { version, description } = kept!
        await outbox.saveSubscription({ subscription, version, description }, NOON)
      },
      async unsubscribe({ id }) {
        await outbox.removeSubscription(id, [CORPORATION])
      },
      async publish(atMs) {
        const eventName = makeEventId(atMs, random)
        const event = {
          eventName,
          type: 'phone-call.ended',
          corporation: CORPORATION,
          activity: ++activity,
          atMs,
        } as const
        await inTransaction(pools.control, (transaction) => writeEvent(transaction, event))
        return eventName
      },
      async deliveriesOf({ id }) {
        const command = { subscription: id, corporations: [CORPORATION], offset: 0, rowsMax: 100 }
        return (await outbox.deliveries(command)).deliveries
      },
      async expire({ fence }) {
        await pools.jobs.query('update courier_leases set expires_at = clock_timestamp() where fence = $1', [fence])
      },
    }
  })
})
