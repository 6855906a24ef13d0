/** The mailbox of outside events: what is posted is there for its time, once, and for its corporation alone. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { CallId, CorporationId, LegId } from '../../../src/kernel/ids.ts'
import type { DialerRepository } from '../../../src/ports/dialer-repository.ts'
import type { FlowEvents, NewFlowEvent } from '../../../src/ports/flows/flow-events.ts'

/** Both on the same data. */
export interface FlowEventsWorld {
  readonly flowEvents: FlowEvents
  readonly dialerRepository: Pick<DialerRepository, 'callBegan'>
  close(): Promise<void>
}

const OURS = 1 as CorporationId
const THEIRS = 2 as CorporationId
const NOON = Date.UTC(2026, 0, 2, 12)
const MINUTE_MS = 60_000
const LIMITS = { all: 1_000, alike: 3 }

/** Tests share a world, and so none shares a key with another one. */
let made = 0
const event = (change: Partial<NewFlowEvent> = {}): NewFlowEvent => ({
  corporation: OURS,
  event: 'payment.completed',
  of: `case-${++made}`,
  data: { amount: 99.5, note: 'Søren\u0000\ud800', reference: '00123', paidAt: null },
  atMs: NOON,
  keptUntilAtMs: NOON + 10 * MINUTE_MS,
  ...change,
})

/** Runs the suite on worlds that `open` makes. */
export function flowEventsContract(name: string, open: () => Promise<FlowEventsWorld>): void {
  describe(name, () => {
    let world: FlowEventsWorld
    beforeAll(async () => {
      world = await open()
    })
    afterAll(() => world.close())

    const post = (posted: NewFlowEvent, limits = LIMITS) => world.flowEvents.post(posted, limits)
    const find = ({ corporation, event, of }: NewFlowEvent, atMs = NOON) =>
      world.flowEvents.find(corporation, [{ event, of }], atMs)
    const idOf = async (posted: NewFlowEvent) => {
      const kept = await post(posted)
      if (kept === 'too many') throw new Error(kept)
      return kept.id
    }
    const waits = ({ corporation, event, of }: NewFlowEvent) => {
      const call = `call-${++made}` as CallId
      const awaits = { visit: `${call}/pay/1`, event, of }
      const began = { call, leg: `leg-${made}` as LegId, corporation, caller: '', called: '+4570001000' }
      const progress = { answeredAtMs: NOON, awaits, texts: {} }
      return world.dialerRepository.callBegan('node-1', { ...began, createdAtMs: NOON, progress })
    }

    test('an event is found by its name and key, as it was posted, until its time is over', async () => {
      const posted = event()
      const id = await idOf(posted)
      const { event: name, of, data } = posted
      expect(await find(posted)).toEqual([{ id, event: name, of, data }])
      expect(await find(posted, NOON + 10 * MINUTE_MS - 1)).toHaveLength(1)
      expect(await find(posted, NOON + 10 * MINUTE_MS)).toEqual([])
      expect(await find({ ...posted, of: `${of}1` })).toEqual([])
      expect(await find({ ...posted, event: 'payment.failed' })).toEqual([])
    })

    test('several names are asked for at once, and the oldest event comes first', async () => {
      const [one, other] = [event(), event({ event: 'signed' })]
      const ids = [await idOf(other), await idOf(one), await idOf({ ...other, data: { again: true } })]
      const found = await world.flowEvents.find(OURS, [one, other, one, event()], NOON)
      expect(found.map(({ id }) => id)).toEqual(ids)
      expect(await world.flowEvents.find(OURS, [], NOON)).toEqual([])
    })

    test('an event of one corporation is not there for another one', async () => {
      const posted = event()
      await post(posted)
      expect(await find({ ...posted, corporation: THEIRS })).toEqual([])
      await waits({ ...posted, corporation: THEIRS })
      expect(await post(posted)).toMatchObject({ isNew: false, waitingCalls: 0 })
    })

    test('a repetition is the same event, with its first instants; other data is another event', async () => {
      const posted = event()
      const first = await post(posted)
      expect(first).toMatchObject({ isNew: true, atMs: NOON, keptUntilAtMs: NOON + 10 * MINUTE_MS })
      const later = { atMs: NOON + MINUTE_MS, keptUntilAtMs: NOON + 11 * MINUTE_MS }
      expect(await post({ ...posted, ...later })).toEqual({ ...(first as object), isNew: false })
      expect(await post({ ...posted, data: {} })).toMatchObject({ isNew: true })
      expect(await find(posted)).toHaveLength(2)
    })

    test('of requests at the same time one makes the event', async () => {
      const posted = event()
      const all = await Promise.all([1, 2, 3, 4].map(() => post(posted)))
      expect(all.filter((one) => one !== 'too many' && one.isNew)).toHaveLength(1)
      expect(await find(posted)).toHaveLength(1)
    })

    test('after its time the same event is a new one', async () => {
      const posted = event()
      const id = await idOf(posted)
      const again = { ...posted, atMs: NOON + 10 * MINUTE_MS, keptUntilAtMs: NOON + 20 * MINUTE_MS }
      expect(await idOf(again)).toBeGreaterThan(id)
      expect(await find(again, again.atMs)).toHaveLength(1)
    })

    test('after its time the same event is a new one, however many others have expired with it', async () => {
      const many = { all: 10_000, alike: 10_000 }
      // One more than are erased at a time, all of them before it.
      for (let fillers = 0; fillers < 1_001; fillers++) await post(event(), many)
      const posted = event()
      const kept = await post(posted, many)
      const again = { ...posted, atMs: NOON + 10 * MINUTE_MS, keptUntilAtMs: NOON + 20 * MINUTE_MS }
      expect([kept, await post(again, many)]).toMatchObject([{ isNew: true }, { isNew: true }])
      await world.flowEvents.forget(again.atMs)
    })

    test('the answer tells how many calls wait for this event', async () => {
      const posted = event()
      expect(await post(posted)).toMatchObject({ waitingCalls: 0 })
      await waits(posted)
      await waits(posted)
      await waits({ ...posted, of: `${posted.of}1` })
      await waits({ ...posted, event: 'signed' })
      expect(await post(posted)).toMatchObject({ waitingCalls: 2 })
    })

    test('no more than so many events are kept, and a known one is always accepted', async () => {
      const posted = event({ corporation: THEIRS })
      for (const amount of [1, 2, 3]) await idOf({ ...posted, data: { amount } })
      expect(await post({ ...posted, data: { amount: 4 } })).toBe('too many')
      expect(await post({ ...posted, data: { amount: 3 } })).toMatchObject({ isNew: false })
      expect(await find(posted)).toHaveLength(3)
      expect(await post(event({ corporation: THEIRS }), { ...LIMITS, all: 3 })).toBe('too many')
      expect(await post(event(), { ...LIMITS, all: 1_000 })).toMatchObject({ isNew: true })
    })

    test('what has expired is erased', async () => {
      const [old, young] = [event(), event({ keptUntilAtMs: NOON + 30 * MINUTE_MS })]
      await post(old)
      await post(young)
      await world.flowEvents.forget(NOON + 10 * MINUTE_MS)
      expect(await find(old)).toEqual([])
      expect(await find(young)).toHaveLength(1)
    })
  })
}
