import { describe, expect, test } from 'vitest'
import { seededRandom } from '../../src/kernel/random.ts'
import type { CorporationId } from '../../src/ports/call-task.ts'
import type { WebAnswer } from '../../src/ports/web.ts'
import type {
  DeliveryId,
  DeliveryRow,
  EventId,
  Subscription,
  SubscriptionId,
  WebhookEvent,
} from '../../src/ports/webhook.ts'
import { newDelivery } from '../../src/webhooks/delivery.ts'
import { DeliveryDesk, type DeliveryWish } from '../../src/webhooks/delivery-scheduler.ts'
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

/** Deliveries by what the tests call them, `event/subscription`, in the order of their ids. */
const deliveries: string[] = []

function idOf(name: string): DeliveryId {
  if (!deliveries.includes(name)) deliveries.push(name)
  return (deliveries.indexOf(name) + 1) as DeliveryId
}

function aRow(name: string, subscription: Name = 'one', changed: Partial<WebhookEvent> = {}): DeliveryRow {
  const event = {
    ...{ id: `evt_${name}` as EventId, atMs: 0, corporation: CORPORATION, environment: 'development' },
    ...{ type: 'phone-call.ended', activity: 1 },
    ...changed,
  } as WebhookEvent
  return newDelivery({ id: idOf(`${name}/${subscription}`), subscription: SUBSCRIPTIONS[subscription], event }, 0)
}

function aDesk(options: { postsMax?: number } = {}, names: readonly Name[] = ['one']): DeliveryDesk {
  const desk = new DeliveryDesk({ random: seededRandom(1), userAgent: 'switchboard/1', ...options })
  for (const name of names) desk.enlist(aSubscription(name), 0)
  return desk
}

function take(desk: DeliveryDesk, row: DeliveryRow, nowMs = 0): DeliveryWish[] {
  const wishes = desk.take(row, nowMs)
  if (wishes === 'full') throw new Error('the desk is full')
  return wishes
}

/** `type state` or `type delivery` of each wish, for telling stories. */
function told(wishes: readonly DeliveryWish[]): string[] {
  return wishes.map((wish) => {
    if (wish.type === 'keep') return `keep ${deliveries[wish.row.id - 1]} ${wish.row.state}`
    return wish.type === 'post' || wish.type === 'alarm' ? `${wish.type} ${deliveries[wish.delivery - 1]}` : wish.type
  })
}

function kept(wishes: readonly DeliveryWish[]) {
  const keep = wishes.find((wish) => wish.type === 'keep')
  if (!keep) throw new Error('nothing is kept')
  return keep
}

describe('a due delivery', () => {
  test('is posted, signed for this attempt, with fifteen seconds to be taken', () => {
    const [post] = take(aDesk(), aRow('a'), 1_700_000_000_999)
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

  test('that is accepted is kept as delivered, with its attempt', () => {
    const desk = aDesk()
    const row = aRow('a')
    take(desk, row, 10)
    const { row: after, attempt } = kept(desk.settle(row.id, answered(204, 'x'.repeat(5_000)), 35))
    expect(after).toMatchObject({ state: 'delivered', nextAtMs: undefined, why: 'answered 204' })
    expect(attempt).toEqual({ atMs: 10, tookMs: 25, outcome: 'answered', status: 204, excerpt: 'x'.repeat(1_024) })
  })

  test('that is refused is kept for later, and counts its failures over restarts', () => {
    let row = aRow('a')
    for (let nowMs = 0; row.nextAtMs !== undefined; nowMs = row.nextAtMs ?? 0) {
      const desk = aDesk()
      expect(told(take(desk, row, nowMs))).toEqual(['post a/one'])
      row = JSON.parse(JSON.stringify(kept(desk.settle(row.id, answered(500), nowMs)).row))
    }
    expect(row).toMatchObject({ state: 'dead', why: 'answered 500', saved: { context: { failures: 10 } } })
  })

  test('is held once, however often it is handed over, and settled once', () => {
    const desk = aDesk({ postsMax: 1 })
    const [first, second] = [aRow('a'), aRow('b')]
    take(desk, first)
    expect(take(desk, first)).toEqual([])
    take(desk, second)
    expect(take(desk, second)).toEqual([])
    expect(told(desk.settle(first.id, answered(200), 0))).toEqual(['keep a/one delivered', 'post b/one'])
    expect(desk.settle(first.id, answered(500), 0)).toEqual([])
    expect(told(desk.settle(second.id, answered(200), 0))).toEqual(['keep b/one delivered'])
  })

  test('that is handed over too early, or is over, is left alone', () => {
    const desk = aDesk()
    take(desk, aRow('a'))
    const { row } = kept(desk.settle(aRow('a').id, answered(500), 0))
    expect(take(desk, row, row.nextAtMs! - 1)).toEqual([])
    expect(told(take(desk, row, row.nextAtMs))).toEqual(['post a/one'])
    const { row: delivered } = kept(desk.settle(row.id, answered(200), 9_000))
    expect(take(desk, delivered, 1e12)).toEqual([])
  })

  test('that nobody was asked about uses up nothing', () => {
    const desk = aDesk()
    take(desk, aRow('a'))
    const { row } = kept(desk.settle(aRow('a').id, { outcome: 'unavailable', why: 'full' }, 0))
    expect(row).toMatchObject({ state: 'waiting', nextAtMs: 30_000, saved: { context: { failures: 0 } } })
  })
})

describe('a poisoned event', () => {
  test('is parked with an alarm, and the others go on', () => {
    const desk = aDesk({ postsMax: 1 })
    take(desk, aRow('a'))
    take(desk, aRow('poison', 'one', { corporation: 1n as unknown as CorporationId }))
    take(desk, aRow('c'))
    expect(told(desk.settle(aRow('a').id, answered(200), 0))).toEqual([
      'keep a/one delivered',
      'keep poison/one parked',
      'alarm poison/one',
      'post c/one',
    ])
  })
})

describe('many endpoints', () => {
  test('get no more than eight posts each at once', () => {
    const desk = aDesk()
    const wishes = Array.from({ length: 20 }, (_, index) => take(desk, aRow(`e${index}`))).flat()
    expect(wishes.length).toBe(8)
  })

  test('share what there is: whoever has the fewest under way, then whoever waited longest', () => {
    const desk = aDesk({ postsMax: 4 }, ['one', 'two', 'three'])
    for (const name of ['a', 'b', 'c', 'd', 'e']) take(desk, aRow(name, 'one'))
    expect(told(take(desk, aRow('f', 'two')))).toEqual(['post f/two'])
    for (const name of ['g', 'h']) take(desk, aRow(name, 'two'))
    take(desk, aRow('i', 'three'))
    // Three of four places are shared; the fourth was kept for a newcomer, and the next one gets what is given back.
    expect(told(desk.settle(aRow('a').id, answered(200), 0))).toEqual(['keep a/one delivered', 'post i/three'])
    expect(told(desk.settle(aRow('i', 'three').id, answered(200), 0))).toEqual(['keep i/three delivered'])
    expect(told(desk.settle(aRow('b').id, answered(200), 0))).toEqual(['keep b/one delivered', 'post d/one'])
    expect(told(desk.settle(aRow('c').id, answered(200), 0))).toEqual(['keep c/one delivered', 'post g/two'])
  })

  test('are held for up to a limit; the rest stays in the store', () => {
    const desk = aDesk({ postsMax: 1 })
    take(desk, aRow('first'))
    for (let index = 0; index < 200; index++) take(desk, aRow(`e${index}`))
    expect(desk.wish().rooms).toEqual([])
    expect(desk.take(aRow('last'), 0)).toBe('full')
  })

  test('are asked of the store when half of what may be held is gone, without what is held', () => {
    const desk = aDesk({ postsMax: 1 }, ['one', 'two'])
    expect(desk.wish()).toEqual({
      rooms: [ONE, SUBSCRIPTIONS.two].map((subscription) => ({ subscription, rowsMax: 200 })),
      without: [],
    })
    const rows = Array.from({ length: 102 }, (_, index) => aRow(`w${index}`))
    for (const row of rows) take(desk, row)
    expect(desk.wish().rooms).toEqual([{ subscription: SUBSCRIPTIONS.two, rowsMax: 200 }])
    desk.settle(rows[0]!.id, answered(200), 0)
    const { rooms, without } = desk.wish()
    expect(rooms).toContainEqual({ subscription: ONE, rowsMax: 100 })
    expect(new Set(without)).toEqual(new Set(rows.slice(1).map(({ id }) => id)))
  })

  test('together hold a bounded number of rows, however many fail', () => {
    const desk = aDesk()
    const { event } = aRow('many')
    let last = 0
    for (let endpoint = 1; endpoint <= 500; endpoint++) {
      const id = endpoint as SubscriptionId
      desk.enlist({ ...aSubscription('one'), id }, 0)
      const room = desk.wish().rooms.find(({ subscription }) => subscription === id)?.rowsMax ?? 0
      for (let row = 0; row < room; row++) {
        desk.take(newDelivery({ id: ++last as DeliveryId, subscription: id, event }, 0), 0)
      }
    }
    expect(last).toBeGreaterThan(20_000)
    desk.wish()
    expect(desk.heldCount).toBeLessThanOrEqual(10_000 + 500 * 8)
  })
})

describe('an open circuit', () => {
  /** Twenty failures at once, and one more delivery that waits. */
  function opened(): DeliveryDesk {
    const desk = aDesk()
    for (let index = 0; index < 21; index++) take(desk, aRow(`e${index}`))
    for (let index = 0; index < 20; index++) desk.settle(aRow(`e${index}`).id, answered(500), 0)
    return desk
  }

  test('sends nothing before its probe is due, and says when that is', () => {
    const desk = opened()
    // The last one was under way when the twentieth failure came.
    desk.settle(aRow('e20').id, answered(500), 0)
    expect(take(desk, aRow('late'))).toEqual([])
    expect(desk.nextDueAtMs).toBe(30_000)
    expect(desk.fireDue(29_999)).toEqual([])
    expect(told(desk.fireDue(30_000))).toEqual(['post late/one'])
    expect(desk.nextDueAtMs).toBeUndefined()
  })

  test('uses up no attempt with a failed probe', () => {
    const desk = opened()
    desk.settle(aRow('e20').id, answered(500), 0)
    take(desk, aRow('late'))
    desk.fireDue(30_000)
    const { row } = kept(desk.settle(aRow('late').id, answered(500), 30_000))
    expect(row).toMatchObject({ state: 'waiting', nextAtMs: 60_000, saved: { context: { failures: 0 } } })
  })
})

describe('a subscription', () => {
  test('given 410, is disabled, and what was held for it becomes dead letters that can be sent again', () => {
    const desk = aDesk({ postsMax: 1 })
    take(desk, aRow('a'))
    take(desk, aRow('b'))
    const wishes = desk.settle(aRow('a').id, answered(410), 5)
    expect(told(wishes)).toEqual(['keep a/one dead', 'disable', 'keep b/one dead'])
    const { subscription } = wishes.find((wish) => wish.type === 'disable')!
    expect(subscription.disabled).toEqual({ because: 'gone', sinceAtMs: 5 })

    const dead = kept(wishes).row
    expect(told(take(desk, newDelivery(dead, 6), 6))).toEqual(['keep a/one dead'])
    desk.enlist(enable(subscription), 7)
    expect(told(take(desk, newDelivery(dead, 8), 8))).toEqual(['post a/one'])
  })

  test('that its owner disables while a post is under way is told how that ends, and nothing after', () => {
    const desk = aDesk()
    take(desk, aRow('a'))
    take(desk, aRow('b'))
    desk.enlist(disable(aSubscription('one'), 'owner', 1), 1)
    expect(told(desk.settle(aRow('a').id, answered(200), 2))).toEqual(['keep a/one delivered'])
    expect(told(desk.settle(aRow('b').id, answered(500), 2))).toEqual(['keep b/one dead'])
  })

  test('that is removed gets nothing more, and what is under way is told how it ends', () => {
    const desk = aDesk({ postsMax: 1 })
    take(desk, aRow('a'))
    take(desk, aRow('b'))
    desk.remove(ONE)
    expect(desk.wish()).toEqual({ rooms: [], without: [] })
    expect(told(desk.settle(aRow('a').id, answered(500), 0))).toEqual(['keep a/one waiting'])
    expect(take(desk, aRow('c'))).toEqual([])
    desk.enlist(aSubscription('one'), 0)
    expect(told(take(desk, aRow('b')))).toEqual(['post b/one'])
  })

  test('that goes and comes back never has more than eight posts under way', () => {
    const desk = aDesk()
    for (let index = 0; index < 8; index++) take(desk, aRow(`e${index}`))
    desk.remove(ONE)
    desk.enlist(aSubscription('one'), 0)
    expect(take(desk, aRow('late'))).toEqual([])
    expect(told(desk.settle(aRow('e3').id, answered(200), 0))).toEqual(['keep e3/one delivered', 'post late/one'])
  })

  test('given a new address, its endpoint is as good as new', () => {
    const desk = aDesk()
    take(desk, aRow('a'))
    desk.settle(aRow('a').id, answered(500), 0)
    expect(desk.healthOf(ONE)).toHaveProperty('failingSinceAtMs', 0)
    desk.enlist({ ...aSubscription('one'), url: 'https://new.example/hook' }, 0)
    expect(desk.healthOf(ONE)).not.toHaveProperty('failingSinceAtMs')
  })
})
