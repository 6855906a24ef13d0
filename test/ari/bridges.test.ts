import { describe, expect, test } from 'vitest'
import type { BridgeId, LegId, PlaybackId } from '../../src/kernel/ids.ts'
import { JOIN_AGAIN_MS } from '../../src/ports/pbx.ts'
import {
  AGENT,
  ANNA,
  about,
  arrival,
  asked,
  BRIDGE,
  CALLER,
  callerEnds,
  channel,
  gap,
  ofLeg,
  PLAY,
  RING,
  SOUNDS,
  type World,
  world,
} from './ari-world.ts'
import type { FakeAri } from './fake-ari.ts'

const ADD = `POST /bridges/${BRIDGE}/addChannel`
const entered = (leg: LegId, bridge = BRIDGE) => ({
  type: 'ChannelEnteredBridge',
  bridge: { id: bridge },
  channel: channel(leg),
})

/** An agent who waits in their own bridge, and a caller who is not in it. */
async function waitingAgent(prepare: (fake: FakeAri) => void = () => undefined): Promise<World> {
  const it = await world(prepare)
  it.pbx.ringAgent(AGENT, ANNA, RING)
  await it.told(arrival, { type: 'StasisStart', args: ['dialed'], channel: channel(AGENT) })
  it.pbx.bridge(BRIDGE, [AGENT])
  await it.settled()
  await it.told(entered(AGENT))
  return it
}

/** The requests that `command` causes. */
async function requestsOf(it: World, command: () => void | Promise<void>): Promise<string[]> {
  const before = asked(it).length
  await command()
  await it.settled()
  return asked(it).slice(before)
}

describe('a leg', () => {
  test('is added to an open bridge by one request, and reported as joined', async () => {
    const it = await waitingAgent()
    expect(await requestsOf(it, () => it.pbx.join(BRIDGE, CALLER))).toEqual([ADD])
    expect(it.fake.asked(ADD).at(-1)?.body).toEqual({ channel: [CALLER] })
    await it.told(entered(CALLER))
    expect(about(it).at(-1)).toEqual({ type: 'bridge.joined', bridge: BRIDGE, leg: CALLER })
  })

  test('that hears a prompt is added after the prompt stops; a prompt for the bridge continues', async () => {
    const it = await waitingAgent()
    it.pbx.play(PLAY, CALLER, SOUNDS)
    it.pbx.playInBridge('sb-play-2' as PlaybackId, BRIDGE, CALLER, SOUNDS)
    expect(await requestsOf(it, () => it.pbx.join(BRIDGE, CALLER))).toEqual([
      `POST /channels/${CALLER}/play/${PLAY}`,
      `POST /bridges/${BRIDGE}/play/sb-play-2`,
      `DELETE /playbacks/${PLAY}`,
      ADD,
    ])
  })

  test('that is in the bridge already is not added again', async () => {
    const it = await waitingAgent()
    it.pbx.join(BRIDGE, CALLER)
    expect(await requestsOf(it, () => it.pbx.join(BRIDGE, CALLER))).toEqual([ADD])
    expect(await requestsOf(it, () => it.pbx.bridge(BRIDGE, [AGENT, CALLER]))).toEqual(['POST /bridges'])
  })

  test('can move between bridges and back, and is reported as joined each time', async () => {
    const it = await waitingAgent()
    const other = 'sb-bridge-2' as BridgeId
    it.pbx.join(BRIDGE, CALLER)
    await it.told(entered(CALLER))
    it.pbx.bridge(other, [CALLER])
    // A late event of the left bridge is ignored.
    await it.told(entered(CALLER), entered(CALLER, other))
    it.pbx.join(BRIDGE, CALLER)
    await it.told(entered(CALLER))
    const joins = about(it).filter((event) => event.type === 'bridge.joined' && event.leg === CALLER)
    expect(joins).toMatchObject([{ bridge: BRIDGE }, { bridge: other }, { bridge: BRIDGE }])
  })

  test('is removed by one request, and can come back', async () => {
    const it = await waitingAgent()
    it.pbx.join(BRIDGE, CALLER)
    expect(await requestsOf(it, () => it.pbx.leave(BRIDGE, CALLER))).toEqual([
      ADD,
      `POST /bridges/${BRIDGE}/removeChannel`,
    ])
    expect(await requestsOf(it, () => it.pbx.leave(BRIDGE, CALLER))).toEqual([])
    expect(await requestsOf(it, () => it.pbx.join(BRIDGE, CALLER))).toEqual([ADD])
  })

  // Asterisk loses legs of a deleted bridge on their way into the next one (calls-and-flows-96).
  test('leaves a bridge before it is deleted, each by its own request', async () => {
    const it = await waitingAgent()
    it.pbx.join(BRIDGE, CALLER)
    const remove = `POST /bridges/${BRIDGE}/removeChannel`
    expect(await requestsOf(it, () => it.pbx.closeBridge(BRIDGE))).toEqual([
      ADD,
      remove,
      remove,
      `DELETE /bridges/${BRIDGE}`,
    ])
    expect(it.fake.asked(remove).map(({ body }) => body)).toEqual([{ channel: [AGENT] }, { channel: [CALLER] }])
  })

  test('that Asterisk did not add can be added by another command', async () => {
    const it = await waitingAgent()
    it.fake.replies.set(ADD, { status: 422, body: { message: 'Channel not in Stasis application' } })
    it.pbx.join(BRIDGE, CALLER)
    await it.settled()
    it.fake.replies.delete(ADD)
    expect(await requestsOf(it, () => it.pbx.join(BRIDGE, CALLER))).toEqual([ADD])
  })

  test('that no longer exists in Asterisk is reported as ended 5 s after the refused join', async () => {
    const it = await waitingAgent((fake) => fake.replies.set(`GET /channels/${CALLER}`, { status: 404 }))
    it.fake.replies.set(ADD, { status: 400, body: { message: 'Channel not found' } })
    it.pbx.join(BRIDGE, CALLER)
    await it.settled()
    await it.settled()
    await it.pass(5_000)
    expect(ofLeg(it, CALLER).at(-1)).toEqual({ type: 'leg.ended', leg: CALLER, reason: 'lost' })
  })

  test('that joined while the connection was down is reported as joined', async () => {
    const it = await waitingAgent()
    it.pbx.join(BRIDGE, CALLER)
    await it.settled()
    it.fake.replies.set('GET /channels', { status: 200, body: [channel(CALLER), channel(AGENT)] })
    it.fake.replies.set('GET /bridges', { status: 200, body: [{ id: BRIDGE, channels: [AGENT, CALLER] }] })
    const application = { channel_ids: [CALLER, AGENT], bridge_ids: [BRIDGE] }
    it.fake.replies.set('GET /applications/switchboard', { status: 200, body: application })
    await gap(it)
    expect(about(it)).toContainEqual({ type: 'bridge.joined', bridge: BRIDGE, leg: CALLER })
  })

  /** Where Asterisk has the two after a gap. */
  function surveyed({ fake }: World, inside: readonly LegId[]): void {
    fake.replies.set('GET /channels', { status: 200, body: [channel(CALLER), channel(AGENT)] })
    fake.replies.set('GET /bridges', { status: 200, body: [{ id: BRIDGE, channels: inside }] })
    const application = { channel_ids: [CALLER, AGENT], bridge_ids: [BRIDGE] }
    fake.replies.set('GET /applications/switchboard', { status: 200, body: application })
  }

  // Asterisk takes out a leg that it adds again, and says so: it would be put back, and taken out, without an end.
  test('that was moved away and back during a gap is added once after it', async () => {
    const it = await waitingAgent()
    surveyed(it, [AGENT])
    const before = it.fake.asked(ADD).length
    await gap(it, () => {
      for (let times = 0; times < 5; times++) {
        it.pbx.join(BRIDGE, CALLER)
        it.pbx.leave(BRIDGE, CALLER)
      }
      it.pbx.join(BRIDGE, CALLER)
    })
    await it.settled()
    expect(it.fake.asked(ADD).length - before).toBe(1)
  })

  test('whose joining was carried out and not answered before a gap is not added again after it', async () => {
    const it = await waitingAgent()
    it.fake.replies.set(ADD, 'silence')
    it.pbx.join(BRIDGE, CALLER)
    await it.settled()
    it.fake.replies.delete(ADD)
    surveyed(it, [AGENT, CALLER])
    expect(await requestsOf(it, () => gap(it))).not.toContain(ADD)
  })
})

describe('a leg that Asterisk refuses to add', () => {
  const OTHER = 'sb-bridge-2' as BridgeId

  async function refused(): Promise<World> {
    const it = await waitingAgent()
    it.fake.replies.set(ADD, { status: 409, body: { message: 'Channel currently recording' } })
    expect(await requestsOf(it, () => it.pbx.join(BRIDGE, CALLER))).toEqual([ADD])
    return it
  }

  test('is added again soon, and is then in the bridge', async () => {
    const it = await refused()
    it.fake.replies.delete(ADD)
    expect(await requestsOf(it, () => it.clock.run(JOIN_AGAIN_MS[0]!))).toEqual([ADD])
    await it.told(entered(CALLER))
    expect(about(it).at(-1)).toEqual({ type: 'bridge.joined', bridge: BRIDGE, leg: CALLER })
    expect(await requestsOf(it, () => it.clock.run(2_000))).toEqual([])
  })

  test('five times, with growing waits, is told as refused and added no more', async () => {
    const it = await refused()
    for (const waitMs of JOIN_AGAIN_MS) expect(await requestsOf(it, () => it.clock.run(waitMs))).toEqual([ADD])
    expect(about(it).at(-1)).toEqual({ type: 'bridge.refused', bridge: BRIDGE, leg: CALLER })
    expect(await requestsOf(it, () => it.clock.run(2_000))).toEqual([])
  })

  test.each<[string, (it: World) => void | Promise<void>]>([
    ['was taken out again', (it) => it.pbx.leave(BRIDGE, CALLER)],
    ['was moved on', (it) => it.pbx.bridge(OTHER, [CALLER])],
    ['ended', (it) => it.told(callerEnds)],
    ['is being hung up', (it) => it.told({ type: 'ChannelDestroyed', channel: channel(CALLER) }, callerEnds)],
    ['has lost the bridge', (it) => it.pbx.closeBridge(BRIDGE)],
  ])('and %s is not added again', async (_, happens) => {
    const it = await refused()
    await happens(it)
    await it.settled()
    expect(await requestsOf(it, () => it.clock.run(2_000))).toEqual([])
    expect(about(it).map(({ type }) => type)).not.toContain('bridge.refused')
  })

  test('together with another one is added by itself, and so is the other', async () => {
    const it = await waitingAgent()
    const add = `POST /bridges/${OTHER}/addChannel`
    it.fake.replies.set(add, { status: 422, body: { message: 'Channel not in Stasis application' } })
    expect(await requestsOf(it, () => it.pbx.bridge(OTHER, [AGENT, CALLER]))).toEqual(['POST /bridges', add])
    it.fake.replies.delete(add)
    expect(await requestsOf(it, () => it.clock.run(JOIN_AGAIN_MS[0]!))).toEqual([add, add])
    expect(it.fake.asked(add).map(({ body }) => body)).toEqual([
      { channel: [AGENT, CALLER] },
      { channel: [AGENT] },
      { channel: [CALLER] },
    ])
  })
})

describe('a bridge that is gone while its legs live', () => {
  const MAKE = 'POST /bridges'
  const added = (it: World) => it.fake.asked(ADD).map(({ body }) => (body as { channel: string[] }).channel)
  const left = (leg: LegId) => ({ type: 'ChannelLeftBridge', bridge: { id: BRIDGE }, channel: channel(leg) })
  const hangsUp = (leg: LegId) => ({ type: 'ChannelHangupRequest', cause: 16, channel: channel(leg) })

  async function conversation(): Promise<World> {
    const it = await waitingAgent()
    it.pbx.join(BRIDGE, CALLER)
    await it.settled()
    await it.told(entered(CALLER))
    return it
  }

  /** What is asked when Asterisk has told this. */
  async function requestsAfter(it: World, ...events: object[]): Promise<string[]> {
    const before = asked(it).length
    await it.told(...events)
    await it.settled()
    return asked(it).slice(before)
  }

  test('is made anew, and its legs are put back, as Asterisk tells that they left', async () => {
    const it = await conversation()
    expect(await requestsAfter(it, left(AGENT), left(CALLER))).toEqual([MAKE, ADD, MAKE, ADD])
    expect(added(it).slice(-2)).toEqual([[AGENT], [CALLER]])
    await it.told(entered(AGENT), entered(CALLER))
    expect(about(it).slice(-2)).toEqual([
      { type: 'bridge.joined', bridge: BRIDGE, leg: AGENT },
      { type: 'bridge.joined', bridge: BRIDGE, leg: CALLER },
    ])
  })

  test('nobody is put back who hangs up, or whom we took out, moved on or hung up', async () => {
    const it = await conversation()
    expect(await requestsAfter(it, hangsUp(CALLER), left(CALLER), callerEnds)).toEqual([])
    const other = await conversation()
    other.pbx.leave(BRIDGE, CALLER)
    other.pbx.hangUp(AGENT)
    await other.settled()
    expect(await requestsAfter(other, left(CALLER), left(AGENT))).toEqual([])
    other.pbx.join(BRIDGE, CALLER)
    await other.settled()
    expect(await requestsAfter(other, left(CALLER))).toEqual([])
  })

  test('a leg that is taken out again and again is told as refused', async () => {
    const it = await conversation()
    for (let times = 1; times <= 11; times++) await it.told(left(CALLER), entered(CALLER))
    expect(about(it).at(-1)).toEqual({ type: 'bridge.refused', bridge: BRIDGE, leg: CALLER })
    expect(await requestsAfter(it, left(CALLER))).toEqual([])
  })

  test('is made anew with all its legs when the next leg is refused for it', async () => {
    const it = await waitingAgent()
    it.fake.replies.set(ADD, { status: 404, body: { message: 'Bridge not found' } })
    expect(await requestsOf(it, () => it.pbx.join(BRIDGE, CALLER))).toEqual([ADD])
    it.fake.replies.delete(ADD)
    expect(await requestsOf(it, () => it.clock.run(JOIN_AGAIN_MS[0]!))).toEqual([MAKE, ADD, MAKE, ADD])
    expect(added(it).slice(-2)).toEqual([[AGENT], [CALLER]])
    expect(await requestsOf(it, () => it.clock.run(2_000))).toEqual([])
  })

  test('and cannot be made: both legs are told as refused', async () => {
    const it = await waitingAgent()
    it.fake.replies.set(ADD, { status: 404, body: { message: 'Bridge not found' } })
    it.pbx.join(BRIDGE, CALLER)
    await it.settled()
    for (const waitMs of JOIN_AGAIN_MS) await requestsOf(it, () => it.clock.run(waitMs))
    const refused = about(it).flatMap((event) => (event.type === 'bridge.refused' ? [event.leg] : []))
    expect(refused).toEqual([AGENT, CALLER])
    expect(await requestsOf(it, () => it.clock.run(2_000))).toEqual([])
  })
})

describe('a leg that is outside its bridge after a gap', () => {
  const add = (leg: LegId) => expect.objectContaining({ body: { channel: [leg] } })

  /** Caller and agent talk; after the gap Asterisk has only these in the bridge. */
  async function gapAndThen(inside: readonly LegId[], meanwhile: (it: World) => void = () => undefined) {
    const it = await waitingAgent()
    it.pbx.join(BRIDGE, CALLER)
    await it.settled()
    await it.told(entered(CALLER))
    it.fake.replies.set('GET /channels', { status: 200, body: [channel(CALLER), channel(AGENT)] })
    const body = { channel_ids: [CALLER, AGENT], bridge_ids: [BRIDGE] }
    it.fake.replies.set('GET /applications/switchboard', { status: 200, body })
    it.fake.replies.set('GET /bridges', { status: 200, body: [{ id: BRIDGE, channels: inside }] })
    const before = it.fake.asked(ADD).length
    await gap(it, () => meanwhile(it))
    await it.settled()
    return { it, added: it.fake.asked(ADD).slice(before) }
  }

  test('is put back, and told to have joined', async () => {
    const { it, added } = await gapAndThen([AGENT])
    expect(added).toEqual([add(CALLER)])
    await it.told(entered(CALLER))
    expect(about(it).at(-1)).toEqual({ type: 'bridge.joined', bridge: BRIDGE, leg: CALLER })
  })

  test('stays where it is if it is in it, or if we took it out, or hung it up, meanwhile', async () => {
    expect((await gapAndThen([AGENT, CALLER])).added).toEqual([])
    expect((await gapAndThen([AGENT], ({ pbx }) => pbx.leave(BRIDGE, CALLER))).added).toEqual([])
    expect((await gapAndThen([AGENT], ({ pbx }) => pbx.hangUp(CALLER))).added).toEqual([])
  })
})

test('a prompt for a whole bridge is reported under the named leg, and fails without a bridge', async () => {
  const it = await waitingAgent()
  it.pbx.playInBridge(PLAY, BRIDGE, AGENT, SOUNDS)
  await it.told({ type: 'PlaybackStarted', playback: { id: PLAY, state: 'playing' } })
  await it.told({ type: 'PlaybackFinished', playback: { id: PLAY, state: 'done' } })
  expect(about(it).at(-1)).toEqual({ type: 'playback.ended', leg: AGENT, playback: PLAY, result: 'finished' })
  it.fake.replies.set('POST /bridges/sb-bridge-9/play/sb-play-2', { status: 404 })
  it.pbx.playInBridge('sb-play-2' as PlaybackId, 'sb-bridge-9' as BridgeId, AGENT, SOUNDS)
  await it.settled()
  expect(about(it).at(-1)).toMatchObject({ type: 'playback.ended', leg: AGENT, result: 'failed' })
})
