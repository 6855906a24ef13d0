/** Messages of callers over ARI: each ends once, also when answers, events or Asterisk itself are lost. */
import { describe, expect, test } from 'vitest'
import { messageOf } from '../../src/kernel/ids.ts'
import type { KeepMessage } from '../../src/ports/recordings/keep-message.ts'
import { about, arrival, CALLER, channel, gap, type World, world } from './ari-world.ts'
import type { FakeAri } from './fake-ari.ts'

const MESSAGE = messageOf(CALLER, 1)
const RULES = { maxMs: 60_000, silenceMs: 5_000 }
const record = `POST /channels/${CALLER}/record`
const stop = `POST /recordings/live/${MESSAGE}/stop`
const finished = { type: 'RecordingFinished', recording: { name: MESSAGE, state: 'done', duration: 3 } }
const stored = { type: 'recording.ended', recording: MESSAGE, result: 'stored', lengthMs: 1_000 }
const ends = (it: World) => about(it).filter((event) => event.type === 'recording.ended')
const end = (it: World) => it.events.next((event) => event.type === 'recording.ended')

async function taking(prepare: (fake: FakeAri) => void = () => undefined, keep?: KeepMessage): Promise<World> {
  const it = await world(prepare, undefined, undefined, keep)
  await it.told(arrival)
  it.pbx.takeMessage(MESSAGE, CALLER, RULES)
  await it.settled()
  return it
}

test('the channel is recorded after a tone, once, under our rules', async () => {
  const it = await taking()
  it.pbx.takeMessage(MESSAGE, CALLER, RULES)
  await it.settled()
  expect(it.fake.asked(record).map(({ query }) => query)).toEqual([
    {
      name: MESSAGE,
      format: 'wav',
      maxDurationSeconds: '60',
      maxSilenceSeconds: '5',
      beep: 'true',
      ifExists: 'fail',
      terminateOn: 'none',
    },
  ])
  const told = end(it)
  await it.told(finished, finished)
  expect(await told).toEqual(stored)
  it.pbx.stopRecording(MESSAGE)
  await it.settled()
  expect([ends(it).length, it.fake.asked(stop)]).toEqual([1, []])
})

test('a request that Asterisk refuses is a failed message, with the reason', async () => {
  const refuses = (fake: FakeAri) => fake.replies.set(record, { status: 500, body: { message: 'no space' } })
  const it = await taking(refuses, async () => ({ result: 'failed', why: 'no file' }))
  await it.settled()
  expect(ends(it)).toMatchObject([{ result: 'failed', why: expect.stringContaining('no space') }])
})

test('that Asterisk calls failed is kept if it can be heard', async () => {
  const it = await taking()
  const told = end(it)
  await it.told({ type: 'RecordingFailed', recording: { name: MESSAGE, state: 'failed', cause: 'odd' } })
  expect(await told).toEqual(stored)
})

test('given that no end is reported, the file is looked at 5 s after the stop', async () => {
  const it = await taking()
  it.pbx.stopRecording(MESSAGE)
  await it.settled()
  await it.pass(4_999)
  expect(ends(it)).toEqual([])
  const told = end(it)
  await it.pass(1)
  expect(await told).toEqual(stored)
})

test('of an earlier engine, that ended long ago, is found by the stop', async () => {
  const it = await world((fake) => fake.replies.set(stop, { status: 404, body: {} }))
  const told = end(it)
  it.pbx.stopRecording(MESSAGE)
  expect(await told).toEqual(stored)
})

describe('after a gap', () => {
  const there = (live: number) => (fake: FakeAri) => {
    fake.replies.set('GET /channels', { status: 200, body: [channel(CALLER)] })
    fake.replies.set('GET /applications/switchboard', { status: 200, body: { channel_ids: [CALLER], bridge_ids: [] } })
    fake.replies.set(`GET /recordings/live/${MESSAGE}`, { status: live, body: {} })
    fake.replies.set(`GET /recordings/stored/${MESSAGE}`, { status: 200, body: {} })
  }

  test('a message that is still recorded goes on', async () => {
    const it = await taking(there(200))
    await gap(it)
    await it.settled()
    expect(ends(it)).toEqual([])
  })

  test('a message that ended in it has ended', async () => {
    const it = await taking(there(404))
    const told = end(it)
    await gap(it)
    expect(await told).toEqual(stored)
  })

  test('in which Asterisk died, what it wrote is a message', async () => {
    const it = await taking()
    it.fake.startupTime = '2026-03-02T10:00:00.000+0000'
    const told = end(it)
    await gap(it)
    expect(await told).toMatchObject({ result: 'stored', hasHungUp: true })
  })
})
