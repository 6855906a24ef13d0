/** What an earlier engine still plays to a leg, and cannot be stopped: its name is not known (calls-and-flows-111). */
import { expect, test } from 'vitest'
import type { BridgeId, LegId, PlaybackId } from '../../src/kernel/ids.ts'
import {
  AGENT,
  ANNA,
  asked,
  BRIDGE,
  CALLER,
  channel,
  gap,
  ofLeg,
  PLAY,
  RING,
  SOUNDS,
  type World,
  world,
} from './ari-world.ts'

const SECOND = 'sb-play-2' as PlaybackId
const OTHER = 'sb-bridge-2' as BridgeId
const started = (id: string) => ({ type: 'PlaybackStarted', playback: { id, state: 'playing' } })
const finished = (id: string, state = 'done') => ({ type: 'PlaybackFinished', playback: { id, state } })
const add = (bridge = BRIDGE) => `POST /bridges/${bridge}/addChannel`
const added = (it: World, bridge = BRIDGE) =>
  it.fake.asked(add(bridge)).map(({ body }) => (body as { channel: string[] }).channel)

/** A caller of an earlier engine, and an agent who waits in a bridge. */
async function found(): Promise<World> {
  const it = await world(
    (fake) => {
      fake.replies.set('GET /channels', { status: 200, body: [channel(CALLER)] })
      const body = { channel_ids: [CALLER], bridge_ids: [] }
      fake.replies.set('GET /applications/switchboard', { status: 200, body })
    },
    (pbx) => pbx.expect([CALLER], []),
  )
  expect(ofLeg(it, CALLER)).toMatchObject([{ type: 'leg.found', isUp: true }])
  it.pbx.ringAgent(AGENT, ANNA, RING)
  await it.told({ type: 'StasisStart', args: ['dialed'], channel: channel(AGENT) })
  it.pbx.bridge(BRIDGE, [AGENT])
  await it.settled()
  return it
}

/** The name of the silence behind the earlier prompt. */
function silence(it: World): string {
  const played = asked(it).filter((what) => what.startsWith(`POST /channels/${CALLER}/play/${CALLER}.turn-`))
  expect(played).toHaveLength(1)
  return played[0]!.split('/').at(-1)!
}

test('a prompt behind it ends as finished, however long that takes', async () => {
  const it = await found()
  it.pbx.play(PLAY, CALLER, SOUNDS)
  it.pbx.play(SECOND, CALLER, SOUNDS)
  await it.settled()
  await it.pass(60_000)
  await it.told(started(PLAY))
  await it.pass(1_500)
  await it.told(finished(PLAY), started(SECOND))
  await it.pass(1_500)
  await it.told(finished(SECOND))
  const told = ofLeg(it, CALLER).flatMap((event) => (event.type === 'playback.ended' ? [event.result] : []))
  expect(told).toEqual(['finished', 'finished'])
})

test('a prompt behind it that never ends has failed 10 s after its time', async () => {
  const it = await found()
  it.pbx.play(PLAY, CALLER, SOUNDS)
  await it.told(started(PLAY))
  await it.pass(12_000)
  expect(ofLeg(it, CALLER).at(-1)).toMatchObject({ type: 'playback.ended', result: 'failed' })
})

test('its leg is added to a bridge when it is over, and Asterisk is not asked before', async () => {
  const it = await found()
  it.pbx.join(BRIDGE, CALLER)
  await it.settled()
  const name = silence(it)
  expect(added(it)).toEqual([[AGENT]])
  await it.told(started(name))
  await it.settled()
  expect(asked(it).slice(-2)).toEqual([`DELETE /playbacks/${name}`, add()])
  expect(added(it)).toEqual([[AGENT], [CALLER]])
  it.pbx.leave(BRIDGE, CALLER)
  it.pbx.join(BRIDGE, CALLER)
  await it.settled()
  expect(asked(it).filter((what) => what.includes('.turn-'))).toHaveLength(2)
})

test.each<[string, (name: string) => object]>([
  ['begins', started],
  ['cannot be played', (name) => finished(name, 'failed')],
])('whoever is moved on meanwhile is added where they are to be by then: the silence %s', async (_, comes) => {
  const it = await found()
  it.pbx.join(BRIDGE, CALLER)
  it.pbx.leave(BRIDGE, CALLER)
  it.pbx.bridge(OTHER, [CALLER])
  await it.settled()
  await it.told(comes(silence(it)))
  await it.settled()
  expect([added(it), added(it, OTHER)]).toEqual([[[AGENT]], [[CALLER]]])
})

test('whoever is moved away and back meanwhile is added once', async () => {
  const it = await found()
  for (let times = 0; times < 3; times++) {
    it.pbx.join(BRIDGE, CALLER)
    it.pbx.leave(BRIDGE, CALLER)
  }
  it.pbx.join(BRIDGE, CALLER)
  await it.settled()
  await it.told(started(silence(it)))
  await it.settled()
  expect(added(it)).toEqual([[AGENT], [CALLER]])
})

test('the leg is added after a gap in which its turn has come', async () => {
  const it = await found()
  it.pbx.join(BRIDGE, CALLER)
  await it.settled()
  const name = silence(it)
  it.fake.replies.set('GET /channels', { status: 200, body: [channel(CALLER), channel(AGENT)] })
  it.fake.replies.set('GET /bridges', { status: 200, body: [{ id: BRIDGE, channels: [AGENT] }] })
  it.fake.replies.set(`GET /playbacks/${name}`, { status: 404 })
  await gap(it)
  await it.settled()
  await it.settled()
  expect(added(it).at(-1)).toEqual([CALLER])
})

test('a leg that ends meanwhile is added nowhere', async () => {
  const it = await found()
  it.pbx.join(BRIDGE, CALLER)
  await it.settled()
  const name = silence(it)
  await it.told({ type: 'StasisEnd', channel: channel(CALLER) }, started(name))
  await it.settled()
  expect(added(it)).toEqual([[AGENT]])
  expect(ofLeg(it, CALLER as LegId).at(-1)).toMatchObject({ type: 'leg.ended' })
})
