import { describe, expect, test } from 'vitest'
import type { RecordingId } from '../../src/kernel/ids.ts'
import type { JoinSides } from '../../src/ports/recordings/join-channels.ts'
import { about, arrival, asked, CALLER, channel, gap, type World, world } from './ari-world.ts'
import { Facts } from './facts.ts'
import type { FakeAri } from './fake-ari.ts'

const REC = 'sb-leg-1-0' as RecordingId
const LEFT = `sb-left-${REC}`
const RIGHT = `sb-right-${REC}`
const SIDES = [LEFT, RIGHT]
const snoop = (side: string) => `POST /channels/${CALLER}/snoop/${side}`
const record = (side: string) => `POST /channels/${side}/record`
const hangUp = (side: string) => `DELETE /channels/${side}`
const here = (side: string) => ({ type: 'StasisStart', args: ['side'], channel: channel(side) })
const finished = (side: string) => ({
  type: 'RecordingFinished',
  recording: { name: side, state: 'done', duration: 3 },
})
const ends = (it: World) => about(it).flatMap((event) => (event.type === 'recording.ended' ? [event] : []))
const end = (it: World) => it.events.next((event) => event.type === 'recording.ended')

/** An inbound call is recorded; the snoop channels are not in our application yet. */
async function requested(prepare: (fake: FakeAri) => void = () => undefined, join?: JoinSides): Promise<World> {
  const it = await world(prepare, undefined, join)
  await it.told(arrival)
  it.pbx.record(REC, CALLER)
  await it.settled()
  return it
}

/** Both sides are being written. */
async function running(prepare?: (fake: FakeAri) => void, join?: JoinSides): Promise<World> {
  const it = await requested(prepare, join)
  await it.told(...SIDES.map(here))
  await it.settled()
  return it
}

test('a recording listens in on the leg in both directions, and writes both sides once both listen', async () => {
  const it = await requested()
  const listener = { app: 'switchboard', appArgs: 'side' }
  expect(it.fake.asked(snoop(LEFT))[0]?.query).toEqual({ ...listener, spy: 'in' })
  expect(it.fake.asked(snoop(RIGHT))[0]?.query).toEqual({ ...listener, spy: 'out' })
  await it.told(here(RIGHT))
  await it.settled()
  expect(asked(it).slice(-2)).toEqual(SIDES.map(snoop))
  await it.told(here(LEFT), here(RIGHT))
  await it.settled()
  expect(asked(it).slice(-2)).toEqual(SIDES.map(record))
  expect(it.fake.asked(record(LEFT))[0]?.query).toEqual({ name: LEFT, format: 'wav', ifExists: 'overwrite' })
  it.pbx.record(REC, CALLER)
  await it.settled()
  expect(it.fake.asked(snoop(LEFT))).toHaveLength(1)
  expect(about(it).filter((event) => 'leg' in event && event.leg !== CALLER)).toEqual([])
})

test('its end is reported once, when both sides have ended and are joined', async () => {
  const joins = new Facts<readonly [string, { readonly left: string; readonly right: string }]>()
  const joined = Promise.withResolvers<undefined>()
  const it = await running(undefined, (file, sides) => {
    joins.add([file, sides])
    return joined.promise
  })
  it.pbx.stopRecording(REC)
  await it.settled()
  expect(asked(it).slice(-2)).toEqual(SIDES.map(hangUp))
  await it.told(finished(LEFT))
  expect(joins.all).toEqual([])
  await it.told(finished(RIGHT), finished(LEFT))
  expect(joins.all).toEqual([[`${REC}.wav`, { left: `${LEFT}.wav`, right: `${RIGHT}.wav` }]])
  expect(ends(it)).toEqual([])
  const told = end(it)
  joined.resolve(undefined)
  expect(await told).toEqual({ type: 'recording.ended', recording: REC, result: 'stored' })
  it.pbx.stopRecording(REC)
  await it.told(finished(LEFT))
  await it.settled()
  expect(it.fake.asked(hangUp(LEFT))).toHaveLength(1)
  expect(ends(it)).toHaveLength(1)
})

describe('a recording has failed, and says why,', () => {
  test('when Asterisk refuses to snoop', async () => {
    const it = await requested((fake) => {
      for (const side of SIDES) fake.replies.set(snoop(side), { status: 404, body: { message: 'Channel not found' } })
    })
    expect(ends(it)).toMatchObject([{ result: 'failed', why: 'Asterisk refused: Channel not found' }])
  })

  test('when one side breaks off; the other side is written to its end', async () => {
    const it = await running()
    await it.told({ type: 'RecordingFailed', recording: { name: LEFT, state: 'failed', cause: 'disk full' } })
    expect(ends(it)).toEqual([])
    await it.told(finished(RIGHT))
    expect(ends(it)).toMatchObject([{ result: 'failed', why: 'disk full' }])
  })

  test('when one side cannot be created: the other side is written without it', async () => {
    const it = await requested((fake) => fake.replies.set(snoop(RIGHT), { status: 500, body: { error: 'no' } }))
    await it.told(here(LEFT))
    await it.settled()
    expect(it.fake.asked(record(LEFT))).toHaveLength(1)
    await it.told(finished(LEFT))
    expect(ends(it)).toMatchObject([{ result: 'failed', why: 'Asterisk refused: no' }])
  })

  test('when its sides cannot be joined', async () => {
    const it = await running(undefined, () => Promise.resolve('no sound came'))
    await it.told(...SIDES.map(finished))
    expect(ends(it)).toMatchObject([{ result: 'failed', why: 'no sound came' }])
  })

  test('when it is stopped before it began; a listener that comes late is hung up', async () => {
    const it = await requested()
    it.pbx.stopRecording(REC)
    await it.settled()
    expect(ends(it)).toMatchObject([{ result: 'failed', why: 'it was stopped before it began' }])
    await it.told(here(LEFT))
    await it.settled()
    expect(it.fake.asked(record(LEFT))).toEqual([])
    expect(it.fake.asked(hangUp(LEFT))).toHaveLength(2)
  })

  test('when Asterisk was restarted: the audio written before is kept', async () => {
    const joins: string[] = []
    const it = await running(undefined, async (file) => void joins.push(file))
    it.fake.startupTime = '2026-03-02T10:00:00.000+0000'
    const told = end(it)
    await gap(it)
    expect(await told).toMatchObject({ result: 'failed', why: 'Asterisk was restarted while it recorded' })
    expect(joins).toEqual([`${REC}.wav`])
  })
})

test('given that its end is not reported, the engine looks for its files 5 s after the stop', async () => {
  const it = await running()
  it.pbx.stopRecording(REC)
  await it.settled()
  await it.pass(4_999)
  expect(ends(it)).toEqual([])
  const told = end(it)
  await it.pass(1)
  expect(await told).toMatchObject({ result: 'stored' })
})

describe('given a gap', () => {
  const states = (live: number, stored: number) => (fake: FakeAri) => {
    for (const side of SIDES) {
      fake.replies.set(`GET /recordings/live/${side}`, { status: live, body: {} })
      fake.replies.set(`GET /recordings/stored/${side}`, { status: stored, body: {} })
    }
  }

  test('a recording that is still running continues', async () => {
    const it = await running(states(200, 200))
    await gap(it)
    await it.settled()
    expect(ends(it)).toEqual([])
  })

  test('a recording that ended in it has ended', async () => {
    const it = await running(states(404, 200))
    const told = end(it)
    await gap(it)
    expect(await told).toMatchObject({ result: 'stored' })
  })

  test('that came before the command, the recording starts after the reconnect', async () => {
    const it = await world((fake) => fake.replies.set('GET /channels', { status: 200, body: [channel(CALLER)] }))
    await it.told(arrival)
    await gap(it, () => it.pbx.record(REC, CALLER))
    await it.settled()
    expect(it.fake.asked(snoop(LEFT))).toHaveLength(1)
    expect(ends(it)).toEqual([])
  })

  test('in which its snoop channels entered our application, they start recording after it', async () => {
    const it = await requested()
    await gap(it)
    await it.settled()
    expect(asked(it).slice(-2)).toEqual(SIDES.map(record))
  })

  test('its snoop channels are not taken for legs without an owner', async () => {
    const it = await running(states(200, 200))
    it.fake.replies.set('GET /channels', { status: 200, body: [CALLER, ...SIDES].map((id) => channel(id)) })
    const body = { channel_ids: [CALLER, ...SIDES], bridge_ids: [] }
    it.fake.replies.set('GET /applications/switchboard', { status: 200, body })
    await gap(it)
    await it.pass(120_000)
    await it.settled()
    expect(it.fake.asked(hangUp(LEFT))).toEqual([])
    expect(about(it).filter(({ type }) => type === 'leg.arrived')).toHaveLength(1)
  })
})

test('a recording that an earlier engine began can be stopped, and its end is told', async () => {
  const it = await world()
  it.pbx.stopRecording(REC)
  await it.settled()
  expect(asked(it).slice(-2)).toEqual(SIDES.map(hangUp))
  await it.told(...SIDES.map(finished))
  expect(ends(it)).toMatchObject([{ result: 'stored' }])
})

test('a recording of an earlier engine that ended unseen is found by its files', async () => {
  const it = await world((fake) => {
    for (const side of SIDES) fake.replies.set(hangUp(side), { status: 404, body: { message: 'Channel not found' } })
  })
  const told = end(it)
  it.pbx.stopRecording(REC)
  expect(await told).toMatchObject({ result: 'stored' })
})
