import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type CorporationId, type ExternalSystemId, makeEventId } from '../../../src/kernel/ids.ts'
import { seededRandom } from '../../../src/kernel/random.ts'
import type { Outbox } from '../../../src/ports/outbox.ts'
import type { EventType } from '../../../src/ports/webhook.ts'
import { inTransaction } from '../../../src/store/db/transaction.ts'
import { postgresOutbox } from '../../../src/store/webhooks/outbox.ts'
import { type EventToWrite, writeEvent } from '../../../src/store/webhooks/write-event.ts'
import { makeDatabase, servers, type TestDatabase } from '../db/database.ts'

const OURS = 1 as CorporationId
const THEIRS = 2 as CorporationId
const DEBTS = 3 as ExternalSystemId
const NOON = Date.UTC(2026, 0, 2, 12)
/** Servers start slowly under load. */
const OPENING_MS = 90_000

describe.each(servers)('on $name', (server) => {
  let database: TestDatabase
  let outbox: Outbox
  const random = seededRandom(1)
  let activity = 0

  beforeAll(async () => {
    database = await makeDatabase(server)
  }, OPENING_MS)
  beforeEach(async () => {
    await database.pools.jobs.query(`
      truncate corporations restart identity cascade;
      update feed_generation set generation = 1;
      insert into corporations (id, name, created_at_ms) values (1, 'Ours', 0), (2, 'Theirs', 0);
      insert into external_systems (id, corporation_id, code, name) values (3, 1, 'DEBT', 'a')`)
    outbox = postgresOutbox(database.pools, 'production')
  })
  afterAll(() => database.drop())

  const anEvent = (change: Partial<EventToWrite> = {}): EventToWrite => ({
    eventName: makeEventId(NOON, random),
    type: 'phone-call.ended',
    corporation: OURS,
    activity: ++activity,
    atMs: NOON,
    ...change,
  })
  const publish = async (change: Partial<EventToWrite> = {}): Promise<EventToWrite> => {
    const event = anEvent(change)
    await inTransaction(database.pools.control, (transaction) => writeEvent(transaction, event))
    return event
  }

  describe('the feed', () => {
    const read = async (after?: string, rowsMax = 100, types?: EventType[]) => {
      const page = await outbox.feed({
        corporations: [OURS],
        rowsMax,
        ...(after && { after }),
        ...(types && { types }),
      })
      if (page === 'unknown cursor') throw new Error(page)
      return page
    }
    /** Other tests use the same server, and their transactions hold the horizon back for a moment. */
    const readAll = async (count: number, from?: string, types?: EventType[]) => {
      const events: string[] = []
      let cursor = from
      await expect
        .poll(async () => {
          const page = await read(cursor, 100, types)
          events.push(...page.events.map(({ id }) => id))
          cursor = page.next
          return events.length
        })
        .toBe(count)
      return { events, next: cursor! }
    }

    test('misses no event that was begun earlier and committed later', async () => {
      const [slow, quick] = [anEvent(), anEvent()]
      const client = await database.pools.control.connect()
      try {
        await client.query('begin')
        await writeEvent(client, slow)
        await publish(quick)
        const early = await read()
        expect(early.events).toEqual([])
        await client.query('commit')
        const { events } = await readAll(2, early.next)
        expect(events.sort()).toEqual([slow.eventName, quick.eventName].sort())
      } finally {
        client.release()
      }
    })

    test('given concurrent writers and rollbacks, each event comes once', async () => {
      const committed: string[] = []
      let isOver = false
      const write = async (writer: number) => {
        for (let count = 0; count < 15; count++) {
          const event = anEvent()
          const work = inTransaction(database.pools.control, async (transaction) => {
            await writeEvent(transaction, event)
            await transaction.query('select count(*) from events')
            if ((writer + count) % 4 === 0) throw new Error('rolled back on purpose')
          })
          await work.then(() => committed.push(event.eventName)).catch(() => {})
        }
      }
      const seen: string[] = []
      let cursor: string | undefined
      const follow = async () => {
        while (!isOver) {
          const page = await read(cursor, 3)
          seen.push(...page.events.map(({ id }) => id))
          cursor = page.next
        }
      }
      const reading = follow()
      await Promise.all([0, 1, 2, 3, 4, 5].map(write))
      isOver = true
      await reading
      const { events } = await readAll(committed.length - seen.length, cursor)
      expect([...seen, ...events].sort()).toEqual(committed.sort())
    })

    test('comes in pages, by type, and only of the client’s own corporations', async () => {
      const calls = [await publish(), await publish({ externalSystem: DEBTS })]
      const summary = await publish({ type: 'phone-call-summary.creation', version: 1 })
      await publish({ corporation: THEIRS })
      const { next } = await readAll(3)
      expect(await read(next)).toMatchObject({ events: [], isMore: false })
      const first = await read(undefined, 1)
      expect(first).toMatchObject({ events: [{ id: calls[0]!.eventName }], isMore: true })
      const second = await read(first.next, 1)
      expect(second.events).toMatchObject([{ id: calls[1]!.eventName, systemCode: 'DEBT' }])
      const summaries = await read(undefined, 10, ['phone-call-summary.creation'])
      const { eventName: id, activity: ofCall } = summary
      expect(summaries.events).toEqual([
        {
          id,
          atMs: NOON,
          corporation: OURS,
          environment: 'production',
          type: 'phone-call-summary.creation',
          activity: ofCall,
          version: 1,
        },
      ])
    })

    test('refuses an unknown cursor', async () => {
      for (const after of ['', 'x', '1.2', '2.0.0', '1.2.3; drop table events', `1.${'9'.repeat(40)}.0`]) {
        expect(await outbox.feed({ corporations: [OURS], rowsMax: 1, after }), after).toBe('unknown cursor')
      }
    })

    test('after a restore into another cluster starts anew, and shows the restored events', async () => {
      const old = await publish()
      const { next } = await readAll(1)
      await database.pools.jobs.query("update events set tx = '4000000000000'")
      const restored = postgresOutbox(database.pools, 'production')
      expect(await restored.feed({ corporations: [OURS], rowsMax: 9, after: next })).toBe('unknown cursor')
      const page = await restored.feed({ corporations: [OURS], rowsMax: 9 })
      expect(page).toMatchObject({ events: [{ id: old.eventName }] })
      const later = await publish()
      outbox = restored
      const { events } = await readAll(1, typeof page === 'string' ? page : page.next)
      expect(events).toEqual([later.eventName])
    })
  })
})
