import { describe, expect, test } from 'vitest'
import type { CorporationId, DeliveryId, EventId, SubscriptionId } from '../../src/kernel/ids.ts'
import { seededRandom } from '../../src/kernel/random.ts'
import type { WebAnswer } from '../../src/ports/web.ts'
import type { DeliveryRow, Subscription, WebhookEvent } from '../../src/ports/webhook.ts'
import { newDelivery } from '../../src/webhooks/delivery.ts'
import { DeliveryScheduler, type SchedulerCommand } from '../../src/webhooks/delivery-scheduler.ts'
import { secretOf } from '../../src/webhooks/sign.ts'
import { disable, enable } from '../../src/webhooks/subscription.ts'

const answered = (status: number, body = ''): WebAnswer => ({ outcome: 'answered', status, body, contentType: '' })

const ONE = 1 as SubscriptionId
const CORPORATION = 1 as CorporationId
const SUBSCRIPTIONS = { one: ONE, two: 2 as SubscriptionId, three: 3 as SubscriptionId }
type Name = keyof typeof SUBSCRIPTIONS

function aSubscription(name: Name): Subscription {
  return {
    id: SUBSCRIPTIONS[name],
    corporation: CORPORATION,
    url: `https://${name}.example/hook`,
    events: ['phone-call.ended'],
    systemCodes: [],
    secrets: [{ secret: secretOf(new Uint8Array(32)) }],
  }
}

/** Deliveries by the names of the tests, `event/subscription`, in the order of their ids. */
const deliveries: string[] = []

function idOf(name: string): DeliveryId {
  if (!deliveries.includes(name)) deliveries.push(name)
  return (deliveries.indexOf(name) + 1) as DeliveryId
}

function aRow(name: string, subscription: Name = 'one', changed: Partial<WebhookEvent> = {}): DeliveryRow {
  const event = {
    id: `evt_${name}` as EventId,
    atMs: 0,
    corporation: CORPORATION,
    environment: 'development',
    type: 'phone-call.ended',
    activity: 1,
    ...changed,
  } as WebhookEvent
  return newDelivery({ id: idOf(`${name}/${subscription}`), subscription: SUBSCRIPTIONS[subscription], event }, 0)
}

function aScheduler(options: { postsMax?: number } = {}, names: readonly Name[] = ['one']): DeliveryScheduler {
  const scheduler = new DeliveryScheduler({ random: seededRandom(1), userAgent: 'switchboard/1', ...options })
  for (const name of names) scheduler.enlist(aSubscription(name), 0)
  return scheduler
}

function take(scheduler: DeliveryScheduler, row: DeliveryRow, nowMs = 0): SchedulerCommand[] {
  const commands = scheduler.addDue(row, nowMs)
  if (commands === 'full') throw new Error('the scheduler is full')
  return commands
}

/** `type state` or `type delivery` of each command, for comparison. */
function told(commands: readonly SchedulerCommand[]): string[] {
  return commands.map((command) => {
    if (command.type === 'keep') return `keep ${deliveries[command.row.id - 1]} ${command.row.state}`
    return command.type === 'post' || command.type === 'alarm'
      ? `${command.type} ${deliveries[command.delivery - 1]}`
      : command.type
  })
}

function kept(commands: readonly SchedulerCommand[]) {
  const keep = commands.find((command) => command.type === 'keep')
  if (!keep) throw new Error('nothing is kept')
  return keep
}

describe('a due delivery', () => {
  test('is posted, signed for this attempt, with a timeout of fifteen seconds', () => {
    const [post] = take(aScheduler(), aRow('a'), 1_700_000_000_999)
    expect(post).toMatchObject({
      type: 'post',
      request: {
        method: 'POST',
        url: 'https://one.example/hook',
        timeoutMs: 15_000,
        headers: {
          'webhook-id': 'evt_a',
          'webhook-timestamp': '1700000000',
          'webhook-signature': expect.stringMatching(/^v1,/),
          'user-agent': 'switchboard/1',
        },
      },
    })
  })

  test('that is accepted is stored as delivered, with its attempt', () => {
    const scheduler = aScheduler()
    const row = aRow('a')
    take(scheduler, row, 10)
    const { row: after, attempt } = kept(scheduler.settle(row.id, answered(204, 'x'.repeat(5_000)), 35))
    expect(after).toMatchObject({ state: 'delivered', nextAtMs: undefined, why: 'answered 204' })
    expect(attempt).toEqual({ atMs: 10, tookMs: 25, outcome: 'answered', status: 204, excerpt: 'x'.repeat(1_024) })
  })

  test('that is refused is stored for later, and counts its failures over restarts', () => {
    let row = aRow('a')
    for (let nowMs = 0; row.nextAtMs !== undefined; nowMs = row.nextAtMs ?? 0) {
      const scheduler = aScheduler()
      expect(told(take(scheduler, row, nowMs))).toEqual(['post a/one'])
      row = JSON.parse(JSON.stringify(kept(scheduler.settle(row.id, answered(500), nowMs)).row))
    }
    expect(row).toMatchObject({ state: 'dead', why: 'answered 500', saved: { context: { failures: 10 } } })
  })

  test('is held once, however often it is handed over, and settled once', () => {
    const scheduler = aScheduler({ postsMax: 1 })
    const [first, second] = [aRow('a'), aRow('b')]
    take(scheduler, first)
    expect(take(scheduler, first)).toEqual([])
    take(scheduler, second)
    expect(take(scheduler, second)).toEqual([])
    expect(told(scheduler.settle(first.id, answered(200), 0))).toEqual(['keep a/one delivered', 'post b/one'])
    expect(scheduler.settle(first.id, answered(500), 0)).toEqual([])
    expect(told(scheduler.settle(second.id, answered(200), 0))).toEqual(['keep b/one delivered'])
  })

  test('that is handed over too early, or is over, is left alone', () => {
    const scheduler = aScheduler()
    take(scheduler, aRow('a'))
    const { row } = kept(scheduler.settle(aRow('a').id, answered(500), 0))
    expect(take(scheduler, row, row.nextAtMs! - 1)).toEqual([])
    expect(told(take(scheduler, row, row.nextAtMs))).toEqual(['post a/one'])
    const { row: delivered } = kept(scheduler.settle(row.id, answered(200), 9_000))
    expect(take(scheduler, delivered, 1e12)).toEqual([])
  })

  test('without a request to the receiver uses up nothing', () => {
    const scheduler = aScheduler()
    take(scheduler, aRow('a'))
    const { row } = kept(scheduler.settle(aRow('a').id, { outcome: 'unavailable', why: 'full' }, 0))
    expect(row).toMatchObject({ state: 'waiting', nextAtMs: 30_000, saved: { context: { failures: 0 } } })
  })
})

describe('a poisoned event', () => {
  test('is parked with an alarm, and the others continue', () => {
    const scheduler = aScheduler({ postsMax: 1 })
    take(scheduler, aRow('a'))
    take(scheduler, aRow('poison', 'one', { corporation: 1n as unknown as CorporationId }))
    take(scheduler, aRow('c'))
    expect(told(scheduler.settle(aRow('a').id, answered(200), 0))).toEqual([
      'keep a/one delivered',
      'keep poison/one parked',
      'alarm poison/one',
      'post c/one',
    ])
  })
})

describe('many endpoints', () => {
  test('get no more than eight posts each at once', () => {
    const scheduler = aScheduler()
    const commands = Array.from({ length: 20 }, (_, index) => take(scheduler, aRow(`e${index}`))).flat()
    expect(commands.length).toBe(8)
  })

  test('share the places: the fewest in progress first, then the longest wait', () => {
    const scheduler = aScheduler({ postsMax: 4 }, ['one', 'two', 'three'])
    for (const name of ['a', 'b', 'c', 'd', 'e']) take(scheduler, aRow(name, 'one'))
    expect(told(take(scheduler, aRow('f', 'two')))).toEqual(['post f/two'])
    for (const name of ['g', 'h']) take(scheduler, aRow(name, 'two'))
    take(scheduler, aRow('i', 'three'))
    // Three of four places are shared; the fourth was kept for a newcomer, and the next one gets the first free place.
    expect(told(scheduler.settle(aRow('a').id, answered(200), 0))).toEqual(['keep a/one delivered', 'post i/three'])
    expect(told(scheduler.settle(aRow('i', 'three').id, answered(200), 0))).toEqual(['keep i/three delivered'])
    expect(told(scheduler.settle(aRow('b').id, answered(200), 0))).toEqual(['keep b/one delivered', 'post d/one'])
    expect(told(scheduler.settle(aRow('c').id, answered(200), 0))).toEqual(['keep c/one delivered', 'post g/two'])
  })

  test('are held for up to a limit; the rest stays in the store', () => {
    const scheduler = aScheduler({ postsMax: 1 })
    take(scheduler, aRow('first'))
    for (let index = 0; index < 200; index++) take(scheduler, aRow(`e${index}`))
    expect(scheduler.dueRequest().rooms).toEqual([])
    expect(scheduler.addDue(aRow('last'), 0)).toBe('full')
  })

  test('are read from the store when half of the limit is free, without those held', () => {
    const scheduler = aScheduler({ postsMax: 1 }, ['one', 'two'])
    expect(scheduler.dueRequest()).toEqual({
      rooms: [ONE, SUBSCRIPTIONS.two].map((subscription) => ({ subscription, rowsMax: 200 })),
      without: [],
    })
    const rows = Array.from({ length: 102 }, (_, index) => aRow(`w${index}`))
    for (const row of rows) take(scheduler, row)
    expect(scheduler.dueRequest().rooms).toEqual([{ subscription: SUBSCRIPTIONS.two, rowsMax: 200 }])
    scheduler.settle(rows[0]!.id, answered(200), 0)
    const { rooms, without } = scheduler.dueRequest()
    expect(rooms).toContainEqual({ subscription: ONE, rowsMax: 100 })
    expect(new Set(without)).toEqual(new Set(rows.slice(1).map(({ id }) => id)))
  })

  test('together hold a bounded number of rows, however many fail', () => {
    const scheduler = aScheduler()
    const { event } = aRow('many')
    let last = 0
    for (let endpoint = 1; endpoint <= 500; endpoint++) {
      const id = endpoint as SubscriptionId
      scheduler.enlist({ ...aSubscription('one'), id }, 0)
      const room = scheduler.dueRequest().rooms.find(({ subscription }) => subscription === id)?.rowsMax ?? 0
      for (let row = 0; row < room; row++) {
        scheduler.addDue(newDelivery({ id: ++last as DeliveryId, subscription: id, event }, 0), 0)
      }
    }
    expect(last).toBeGreaterThan(20_000)
    scheduler.dueRequest()
    expect(scheduler.heldCount).toBeLessThanOrEqual(10_000 + 500 * 8)
  })
})

describe('an open circuit', () => {
  /** Twenty failures at once, and one more delivery that waits. */
  function opened(): DeliveryScheduler {
    const scheduler = aScheduler()
    for (let index = 0; index < 21; index++) take(scheduler, aRow(`e${index}`))
    for (let index = 0; index < 20; index++) scheduler.settle(aRow(`e${index}`).id, answered(500), 0)
    return scheduler
  }

  test('sends nothing before its probe is due, and returns that instant', () => {
    const scheduler = opened()
    // The last one was in progress when the twentieth failure came.
    scheduler.settle(aRow('e20').id, answered(500), 0)
    expect(take(scheduler, aRow('late'))).toEqual([])
    expect(scheduler.nextDueAtMs).toBe(30_000)
    expect(scheduler.fireDue(29_999)).toEqual([])
    expect(told(scheduler.fireDue(30_000))).toEqual(['post late/one'])
    expect(scheduler.nextDueAtMs).toBeUndefined()
  })

  test('uses up no attempt with a failed probe', () => {
    const scheduler = opened()
    scheduler.settle(aRow('e20').id, answered(500), 0)
    take(scheduler, aRow('late'))
    scheduler.fireDue(30_000)
    const { row } = kept(scheduler.settle(aRow('late').id, answered(500), 30_000))
    expect(row).toMatchObject({ state: 'waiting', nextAtMs: 60_000, saved: { context: { failures: 0 } } })
  })
})

describe('a subscription', () => {
  test('given 410, is disabled, and its held deliveries become dead letters that can be sent again', () => {
    const scheduler = aScheduler({ postsMax: 1 })
    take(scheduler, aRow('a'))
    take(scheduler, aRow('b'))
    const commands = scheduler.settle(aRow('a').id, answered(410), 5)
    expect(told(commands)).toEqual(['keep a/one dead', 'disable', 'keep b/one dead'])
    const { subscription } = commands.find((command) => command.type === 'disable')!
    expect(subscription.disabled).toEqual({ because: 'gone', sinceAtMs: 5 })

    const dead = kept(commands).row
    expect(told(take(scheduler, newDelivery(dead, 6), 6))).toEqual(['keep a/one dead'])
    scheduler.enlist(enable(subscription), 7)
    expect(told(take(scheduler, newDelivery(dead, 8), 8))).toEqual(['post a/one'])
  })

  test('that its owner disables during a post gets the outcome of the post, and nothing after', () => {
    const scheduler = aScheduler()
    take(scheduler, aRow('a'))
    take(scheduler, aRow('b'))
    scheduler.enlist(disable(aSubscription('one'), 'owner', 1), 1)
    expect(told(scheduler.settle(aRow('a').id, answered(200), 2))).toEqual(['keep a/one delivered'])
    expect(told(scheduler.settle(aRow('b').id, answered(500), 2))).toEqual(['keep b/one dead'])
  })

  test('that is removed gets nothing more, except the outcome of a post in progress', () => {
    const scheduler = aScheduler({ postsMax: 1 })
    take(scheduler, aRow('a'))
    take(scheduler, aRow('b'))
    scheduler.remove(ONE)
    expect(scheduler.dueRequest()).toEqual({ rooms: [], without: [] })
    expect(told(scheduler.settle(aRow('a').id, answered(500), 0))).toEqual(['keep a/one waiting'])
    expect(take(scheduler, aRow('c'))).toEqual([])
    scheduler.enlist(aSubscription('one'), 0)
    expect(told(take(scheduler, aRow('b')))).toEqual(['post b/one'])
  })

  test('that is removed and added again never has more than eight posts in progress', () => {
    const scheduler = aScheduler()
    for (let index = 0; index < 8; index++) take(scheduler, aRow(`e${index}`))
    scheduler.remove(ONE)
    scheduler.enlist(aSubscription('one'), 0)
    expect(take(scheduler, aRow('late'))).toEqual([])
    expect(told(scheduler.settle(aRow('e3').id, answered(200), 0))).toEqual(['keep e3/one delivered', 'post late/one'])
  })

  test('given a new address, its endpoint is in good health', () => {
    const scheduler = aScheduler()
    take(scheduler, aRow('a'))
    scheduler.settle(aRow('a').id, answered(500), 0)
    expect(scheduler.healthOf(ONE)).toHaveProperty('failingSinceAtMs', 0)
    scheduler.enlist({ ...aSubscription('one'), url: 'https://new.example/hook' }, 0)
    expect(scheduler.healthOf(ONE)).not.toHaveProperty('failingSinceAtMs')
  })
})
