import { describe, expect, test } from 'vitest'
import type { PlaybackId } from '../../src/kernel/ids.ts'
import type { PbxEvent } from '../../src/ports/pbx.ts'
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
  PLAYED,
  RING,
  SOUNDS,
  type World,
  world,
} from './ari-world.ts'
import { Facts } from './facts.ts'

describe('an inbound call', () => {
  test('is answered, hears a prompt and is hung up with three requests', async () => {
    const it = await world()
    const before = asked(it).length
    await it.told(arrival)
    it.pbx.answer(CALLER)
    await it.told({ type: 'ChannelStateChange', channel: channel(CALLER) })
    it.pbx.play(PLAY, CALLER, SOUNDS)
    await it.told({ type: 'PlaybackStarted', playback: { id: PLAY, state: 'playing' } })
    await it.told({ type: 'PlaybackFinished', playback: { id: PLAY, state: 'done' } })
    it.pbx.hangUp(CALLER)
    await it.settled()
    await it.told(callerEnds, callerEnds, arrival)
    expect(ofLeg(it, CALLER)).toEqual([
      { type: 'leg.arrived', leg: CALLER, called: '+4570001000', caller: '+3725551234' },
      { type: 'leg.answered', leg: CALLER },
      { type: 'playback.started', leg: CALLER, playback: PLAY },
      { type: 'playback.ended', leg: CALLER, playback: PLAY, result: 'finished' },
      { type: 'leg.ended', leg: CALLER, reason: 'hungUp' },
    ])
    expect(asked(it).slice(before)).toEqual([`POST /channels/${CALLER}/answer`, PLAYED, `DELETE /channels/${CALLER}`])
    expect(it.fake.asked(PLAYED)[0]?.body).toEqual({ media: ['sound:/sounds/hello', 'sound:/sounds/a,b'] })
    expect(it.pbx.stats()).toMatchObject({ legs: 0, playbacks: 0, bridges: 0 })
  })

  test('a key that Asterisk held back and told twice is one key', async () => {
    const it = await world()
    await it.told(arrival)
    // Keys of 40 ms, 30 ms apart: the second one waits for the pause after the first, and comes again.
    const reports = [
      ['1', 0],
      ['2', 30],
      ['2', 75],
      ['2', 400],
    ] as const
    for (const [digit, ms] of reports) {
      const timestamp = new Date(Date.UTC(2026, 10, 23) + ms).toISOString()
      await it.told({ type: 'ChannelDtmfReceived', channel: channel(CALLER), digit, duration_ms: 40, timestamp })
    }
    const keys = ofLeg(it, CALLER).flatMap((event) => (event.type === 'leg.digit' ? event.digit : []))
    expect(keys).toEqual(['1', '2', '2'])
  })

  test.each([
    ['notFound', 'unallocated'],
    ['busy', 'busy'],
    ['congestion', 'congestion'],
  ] as const)('is refused as %s with a reason the network understands', async (reason, word) => {
    const it = await world()
    await it.told(arrival)
    it.pbx.reject(CALLER, reason)
    await it.settled()
    expect(it.fake.asked(`DELETE /channels/${CALLER}`)).toMatchObject([{ query: { reason: word } }])
  })

  test('given a leg that is gone, commands for it do nothing', async () => {
    const it = await world()
    const before = asked(it).length
    await it.told(arrival, callerEnds)
    const { pbx } = it
    pbx.answer(CALLER)
    pbx.play(PLAY, CALLER, SOUNDS)
    pbx.stopPlaying(PLAY)
    pbx.startMusic(CALLER, 'default')
    pbx.stopMusic(CALLER)
    pbx.reject(CALLER, 'busy')
    pbx.hangUp(CALLER)
    pbx.bridge(BRIDGE, [CALLER])
    await it.settled()
    expect(asked(it).slice(before)).toEqual([])
  })

  test('given that Asterisk has no such leg and never reports its end, the end is reported 5 s later', async () => {
    const it = await world((fake) => fake.replies.set(`POST /channels/${CALLER}/answer`, { status: 404 }))
    await it.told(arrival)
    it.pbx.answer(CALLER)
    await it.settled()
    await it.pass(4_999)
    expect(ofLeg(it, CALLER)).toHaveLength(1)
    await it.pass(1)
    expect(ofLeg(it, CALLER)[1]).toEqual({ type: 'leg.ended', leg: CALLER, reason: 'lost' })
  })
})

describe('a playback', () => {
  async function playing(status?: number): Promise<World> {
    const it = await world((fake) => status && fake.replies.set(PLAYED, { status, body: { message: 'no' } }))
    await it.told(arrival)
    it.pbx.play(PLAY, CALLER, SOUNDS)
    await it.settled()
    return it
  }
  const ends = (it: World) => about(it).flatMap((event) => (event.type === 'playback.ended' ? event.result : []))

  test('given that we stopped it, it is reported as stopped, though Asterisk says "done"', async () => {
    const it = await playing(201)
    it.pbx.stopPlaying(PLAY)
    it.pbx.stopPlaying(PLAY)
    await it.settled()
    await it.told({ type: 'PlaybackFinished', playback: { id: PLAY, state: 'done' } })
    expect(ends(it)).toEqual(['stopped'])
    expect(it.fake.asked(`DELETE /playbacks/${PLAY}`)).toHaveLength(1)
  })

  test('given that Asterisk refuses it while the leg exists, it has failed', async () => {
    expect(ends(await playing(409))).toEqual(['failed'])
  })

  test('given that the leg is gone, nothing is reported', async () => {
    const it = await playing(404)
    await it.told(callerEnds)
    expect(ends(it)).toEqual([])
  })

  test('given that it never finishes, it is stopped and reported as failed 10 s after its planned end', async () => {
    const it = await playing(201)
    await it.pass(11_499)
    expect(ends(it)).toEqual([])
    await it.pass(1)
    expect(ends(it)).toEqual(['failed'])
    await it.settled()
    expect(it.fake.asked(`DELETE /playbacks/${PLAY}`)).toHaveLength(1)
  })

  test('given playbacks queued before it on the same leg, their time is added to its limit', async () => {
    const it = await playing(201)
    it.pbx.play('sb-play-2' as PlaybackId, CALLER, SOUNDS)
    await it.settled()
    await it.pass(12_999)
    expect(ends(it)).toEqual(['failed'])
    await it.pass(1)
    expect(ends(it)).toEqual(['failed', 'failed'])
  })
})

describe("an agent's phone", () => {
  const CREATE = 'POST /channels/create'
  const made = { type: 'StasisStart', args: ['dialed'], channel: channel(AGENT, 'Down') }

  test('is rung under our id, with whole seconds', async () => {
    const it = await world()
    it.pbx.ringAgent(AGENT, ANNA, { callerId: '+3725551234', ringTimeoutMs: 1_200 })
    await it.told(made)
    await it.settled()
    const query = { endpoint: 'PJSIP/agent-anna', app: 'switchboard', appArgs: 'dialed', channelId: AGENT }
    const body = { variables: { 'CONNECTEDLINE(all,i)': '+3725551234' } }
    expect(it.fake.asked(CREATE)).toMatchObject([{ query, body }])
    expect(it.fake.asked(`POST /channels/${AGENT}/dial`)).toMatchObject([{ query: { timeout: '2' } }])
  })

  test.each([
    [500, 'unreachable'],
    [400, 'failed'],
  ])('given that Asterisk refuses with %d, its one end says %s', async (status, reason) => {
    const it = await world((fake) => fake.replies.set(CREATE, { status, body: { error: 'no' } }))
    it.pbx.ringAgent(AGENT, ANNA, RING)
    await it.settled()
    await it.told({ type: 'ChannelDestroyed', cause: 16, channel: channel(AGENT) })
    expect(ofLeg(it, AGENT)).toEqual([{ type: 'leg.ended', leg: AGENT, reason, neverSent: true }])
  })

  test('given no connection, it is not rung, now or later', async () => {
    const it = await world()
    await gap(it, () => it.pbx.ringAgent(AGENT, ANNA, RING))
    await it.settled()
    expect(ofLeg(it, AGENT)).toEqual([{ type: 'leg.ended', leg: AGENT, reason: 'failed', neverSent: true }])
    expect(it.fake.asked(CREATE)).toEqual([])
  })

  test('given that it rings longer than its timeout, the engine hangs up', async () => {
    const it = await world()
    it.pbx.ringAgent(AGENT, ANNA, RING)
    await it.told(made)
    await it.pass(19_999)
    expect(it.fake.asked(`DELETE /channels/${AGENT}`)).toEqual([])
    await it.pass(1)
    await it.settled()
    expect(it.fake.asked(`DELETE /channels/${AGENT}`)).toHaveLength(1)
  })

  test('given a hang-up that crosses the answer, the hang-up follows and there is one end', async () => {
    const it = await world()
    it.pbx.ringAgent(AGENT, ANNA, RING)
    await it.told(made)
    it.pbx.hangUp(AGENT)
    await it.told({ type: 'ChannelStateChange', channel: channel(AGENT) })
    const end = { type: 'ChannelDestroyed', cause: 17, tech_cause: 486, channel: channel(AGENT) }
    await it.told(end, end)
    expect(ofLeg(it, AGENT)).toEqual([
      { type: 'leg.answered', leg: AGENT },
      { type: 'leg.ended', leg: AGENT, reason: 'hungUp' },
    ])
  })
})

describe('a bridge', () => {
  test('is created after playbacks to its legs are stopped, and joins are reported once', async () => {
    const it = await world()
    await it.told(arrival)
    it.pbx.ringAgent(AGENT, ANNA, RING)
    it.pbx.play(PLAY, CALLER, SOUNDS)
    it.pbx.bridge(BRIDGE, [CALLER, AGENT])
    await it.settled()
    expect(asked(it).slice(-4)).toEqual([
      PLAYED,
      'POST /bridges',
      `DELETE /playbacks/${PLAY}`,
      `POST /bridges/${BRIDGE}/addChannel`,
    ])
    expect(it.fake.requests.all.at(-2)?.body).toEqual({ channel: [CALLER, AGENT] })
    const joined = { type: 'ChannelEnteredBridge', bridge: { id: BRIDGE }, channel: channel(CALLER) }
    await it.told(joined, joined)
    expect(about(it).filter(({ type }) => type === 'bridge.joined')).toEqual([
      { type: 'bridge.joined', bridge: BRIDGE, leg: CALLER },
    ])
  })
})

test('given a stop, no more events are reported and calls stay where they are', async () => {
  const it = await world()
  await it.told(arrival)
  it.pbx.play(PLAY, CALLER, SOUNDS)
  await it.settled()
  const before = it.events.all.length
  await it.pbx.stop()
  it.clock.run(3_600_000)
  expect(it.events.all).toHaveLength(before)
  expect(it.fake.asked(`DELETE /channels/${CALLER}`)).toEqual([])
  expect(it.fake.connections.all).toHaveLength(1)
})

test('given a listener that throws, the other listeners still get the event', async () => {
  const it = await world()
  it.pbx.onEvent(() => {
    throw new Error('a mistake')
  })
  const heard = new Facts<PbxEvent>()
  it.pbx.onEvent(heard.add)
  await it.told(arrival)
  expect(heard.all).toContainEqual(expect.objectContaining({ type: 'leg.arrived', leg: CALLER }))
})
