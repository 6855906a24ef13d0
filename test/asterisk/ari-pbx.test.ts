import { afterEach, describe, expect, test } from 'vitest'
import { type AriPbx, ariPbx } from '../../src/asterisk/ari-pbx.ts'
import type { AgentName, BridgeId, LegId, PlaybackId } from '../../src/kernel/ids.ts'
import { silentLog } from '../../src/kernel/log.ts'
import { seededRandom } from '../../src/kernel/random.ts'
import { VirtualClock } from '../../src/kernel/virtual-clock.ts'
import type { PbxEvent } from '../../src/ports/pbx.ts'
import { Facts } from './facts.ts'
import { FakeAri } from './fake-ari.ts'

const CALLER = 'ast1-1.0' as LegId
const AGENT = 'sb-leg-1' as LegId
const ANNA = 'anna' as AgentName
const PLAY = 'sb-play-1' as PlaybackId
const BRIDGE = 'sb-bridge-1' as BridgeId
const RING = { callerId: '+3725551234', ringTimeoutMs: 15_000 }
const SOUNDS = [
  { file: '/sounds/hello', text: 'hello', durationMs: 1_000 },
  { file: '/sounds/a,b', text: 'a, b', durationMs: 500 },
]
const PLAYED = `POST /channels/${CALLER}/play/${PLAY}`

const channel = (id: string, state = 'Up') => ({
  id,
  state,
  caller: { number: '+3725551234' },
  dialplan: { exten: '+4570001000' },
})
const arrival = { type: 'StasisStart', args: ['arrived', '+4570001000'], channel: channel(CALLER, 'Ring') }
const callerEnds = { type: 'StasisEnd', channel: channel(CALLER) }

const closing: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

interface World {
  readonly fake: FakeAri
  readonly clock: VirtualClock
  readonly pbx: AriPbx
  readonly events: Facts<PbxEvent>
  /** Lets Asterisk tell something, and waits until it was understood. */
  told(...events: object[]): Promise<void>
  /** Waits until Asterisk has got everything asked so far. */
  settled(): Promise<void>
}

async function world(prepare: (fake: FakeAri) => void = () => undefined): Promise<World> {
  const fake = await FakeAri.start()
  closing.push(() => fake.stop())
  prepare(fake)
  const clock = new VirtualClock()
  const pbx = ariPbx({ ...fake.access, clock, random: seededRandom(1), log: silentLog })
  closing.push(() => pbx.stop())
  const events = new Facts<PbxEvent>()
  pbx.onEvent(events.add)
  expect(await pbx.start()).toEqual({ kind: 'asterisk', version: '22.10.1' })
  let marks = 0
  // A leg of its own that arrives behind whatever was told: when it is here, so is all before it.
  const told = async (...tellings: object[]) => {
    const id = `mark-${++marks}`
    const mark = events.next((event) => event.type === 'leg.ended' && event.leg === id)
    for (const telling of tellings) fake.tell(telling)
    fake.tell({ type: 'StasisStart', args: ['arrived', 'mark'], channel: channel(id) })
    fake.tell({ type: 'StasisEnd', channel: channel(id) })
    await mark
  }
  // Requests are worked off in order: when this harmless one is there, so are all before it, and their answers.
  const settled = async () => {
    const bridge = `sb-bridge-mark-${++marks}`
    const there = fake.requests.next(({ what }) => what === `DELETE /bridges/${bridge}`)
    pbx.closeBridge(bridge as BridgeId)
    await there
    await told()
  }
  return { fake, clock, pbx, events, told, settled }
}

/** What was told about calls, without the marks. */
const about = ({ events }: World) => events.all.filter((event) => !('leg' in event && event.leg.startsWith('mark')))

const ofLeg = (facts: World, leg: LegId) => about(facts).filter((event) => 'leg' in event && event.leg === leg)

const asked = ({ fake }: World) =>
  fake.requests.all.map(({ what }) => what).filter((what) => !what.includes('-mark-') && !what.startsWith('GET'))

/** Cuts the line, lets time pass, and waits until the line is back. */
async function gap({ fake, clock, events }: World, meanwhile: () => void = () => undefined): Promise<void> {
  const down = events.next(({ type }) => type === 'pbx.down')
  fake.cut()
  await down
  meanwhile()
  const up = events.next(({ type }) => type === 'pbx.up')
  clock.run(200)
  await up
}

describe('a call that comes in', () => {
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

  test('given a leg that is gone, wishes about it do nothing', async () => {
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

  test('given that Asterisk has no such leg and never tells its end, the end is told 5 s later', async () => {
    const it = await world((fake) => fake.replies.set(`POST /channels/${CALLER}/answer`, { status: 404 }))
    await it.told(arrival)
    it.pbx.answer(CALLER)
    await it.settled()
    it.clock.run(4_999)
    expect(ofLeg(it, CALLER)).toHaveLength(1)
    it.clock.run(1)
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

  test('given that we stopped it, it is told as stopped, though Asterisk says "done"', async () => {
    const it = await playing(201)
    it.pbx.stopPlaying(PLAY)
    it.pbx.stopPlaying(PLAY)
    await it.settled()
    await it.told({ type: 'PlaybackFinished', playback: { id: PLAY, state: 'done' } })
    expect(ends(it)).toEqual(['stopped'])
    expect(it.fake.asked(`DELETE /playbacks/${PLAY}`)).toHaveLength(1)
  })

  test('given that Asterisk refuses it while the leg lives, it has failed', async () => {
    expect(ends(await playing(409))).toEqual(['failed'])
  })

  test('given that the leg is gone, nothing is told about it', async () => {
    const it = await playing(404)
    await it.told(callerEnds)
    expect(ends(it)).toEqual([])
  })

  test('given that it never finishes, it is stopped and told as failed 10 s after it should have', async () => {
    const it = await playing(201)
    it.clock.run(11_499)
    expect(ends(it)).toEqual([])
    it.clock.run(1)
    expect(ends(it)).toEqual(['failed'])
    await it.settled()
    expect(it.fake.asked(`DELETE /playbacks/${PLAY}`)).toHaveLength(1)
  })

  test('given others before it on the same leg, it is given their time as well', async () => {
    const it = await playing(201)
    it.pbx.play('sb-play-2' as PlaybackId, CALLER, SOUNDS)
    await it.settled()
    it.clock.run(12_999)
    expect(ends(it)).toEqual(['failed'])
    it.clock.run(1)
    expect(ends(it)).toEqual(['failed', 'failed'])
  })
})

describe("an agent's phone", () => {
  test('is rung under our id, with whole seconds', async () => {
    const it = await world()
    it.pbx.ringAgent(AGENT, ANNA, { callerId: '+3725551234', ringTimeoutMs: 1_200 })
    await it.settled()
    expect(it.fake.asked('POST /channels')[0]?.query).toEqual({
      endpoint: 'PJSIP/agent-anna',
      app: 'switchboard',
      appArgs: 'dialed',
      channelId: AGENT,
      callerId: '+3725551234',
      timeout: '2',
    })
  })

  test.each([
    [500, 'unreachable'],
    [400, 'failed'],
  ])('given that Asterisk refuses with %d, its one end says %s', async (status, reason) => {
    const it = await world((fake) => fake.replies.set('POST /channels', { status, body: { error: 'no' } }))
    it.pbx.ringAgent(AGENT, ANNA, RING)
    await it.settled()
    await it.told({ type: 'ChannelDestroyed', cause: 16, channel: channel(AGENT) })
    expect(ofLeg(it, AGENT)).toEqual([{ type: 'leg.ended', leg: AGENT, reason }])
  })

  test('given that the id is in use, the wish had arrived before and goes on', async () => {
    const it = await world((fake) => fake.replies.set('POST /channels', { status: 409 }))
    it.pbx.ringAgent(AGENT, ANNA, RING)
    await it.settled()
    await it.told({ type: 'StasisStart', args: ['dialed'], channel: channel(AGENT) })
    expect(ofLeg(it, AGENT)).toEqual([{ type: 'leg.answered', leg: AGENT }])
  })

  test('given no line, it is not rung, now or later', async () => {
    const it = await world()
    await gap(it, () => it.pbx.ringAgent(AGENT, ANNA, RING))
    await it.settled()
    expect(ofLeg(it, AGENT)).toEqual([{ type: 'leg.ended', leg: AGENT, reason: 'failed' }])
    expect(it.fake.asked('POST /channels')).toEqual([])
  })

  test('given no answer to the request, it is looked for and never asked for again', async () => {
    const it = await world((fake) => {
      fake.replies.set('POST /channels', 'silence')
      fake.replies.set(`GET /channels/${AGENT}`, { status: 404 })
    })
    it.pbx.ringAgent(AGENT, ANNA, RING)
    await it.settled()
    it.clock.run(3_000)
    await it.told()
    const looked = it.events.next(({ type }) => type === 'leg.ended')
    it.clock.run(5_000)
    expect(await looked).toEqual({ type: 'leg.ended', leg: AGENT, reason: 'failed' })
    expect(it.fake.asked('POST /channels')).toHaveLength(1)
  })

  test('given that it rings beyond its time, we hang up', async () => {
    const it = await world()
    it.pbx.ringAgent(AGENT, ANNA, RING)
    await it.settled()
    it.clock.run(20_000)
    await it.settled()
    expect(it.fake.asked(`DELETE /channels/${AGENT}`)).toHaveLength(1)
  })

  test('given that we hang up while it is answered, the hang-up follows and there is one end', async () => {
    const it = await world()
    it.pbx.ringAgent(AGENT, ANNA, RING)
    it.pbx.hangUp(AGENT)
    await it.told({ type: 'StasisStart', args: ['dialed'], channel: channel(AGENT) })
    const end = { type: 'ChannelDestroyed', cause: 17, tech_cause: 486, channel: channel(AGENT) }
    await it.told(end, end)
    expect(ofLeg(it, AGENT)).toEqual([
      { type: 'leg.answered', leg: AGENT },
      { type: 'leg.ended', leg: AGENT, reason: 'hungUp' },
    ])
  })
})

describe('a bridge', () => {
  test('is made after what plays to its legs is stopped, and joins are told once', async () => {
    const it = await world()
    await it.told(arrival)
    it.pbx.ringAgent(AGENT, ANNA, RING)
    it.pbx.play(PLAY, CALLER, SOUNDS)
    it.pbx.bridge(BRIDGE, [CALLER, AGENT])
    await it.settled()
    expect(asked(it).slice(-4)).toEqual([
      PLAYED,
      `DELETE /playbacks/${PLAY}`,
      'POST /bridges',
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

describe('a gap', () => {
  const found = (it: World, ...channels: object[]) => {
    it.fake.replies.set('GET /channels', { status: 200, body: channels })
    const body = { channel_ids: channels.map((one) => (one as { id: string }).id), bridge_ids: [] }
    it.fake.replies.set('GET /applications/switchboard', { status: 200, body })
  }

  test('given legs that are gone afterwards, they are told as lost before the switch is told as up', async () => {
    const it = await world()
    await it.told(arrival)
    it.pbx.ringAgent(AGENT, ANNA, RING)
    await it.settled()
    it.fake.startupTime = '2026-03-02T10:00:00.000+0000'
    await gap(it)
    expect(about(it).slice(-4)).toMatchObject([
      { type: 'pbx.down' },
      { type: 'leg.ended', leg: CALLER, reason: 'lost' },
      { type: 'leg.ended', leg: AGENT, reason: 'lost' },
      { type: 'pbx.up', restarted: true },
    ])
  })

  test('given the same Asterisk as before, it has not restarted', async () => {
    const it = await world()
    await gap(it)
    expect(about(it).at(-1)).toEqual({ type: 'pbx.up', restarted: false })
  })

  test('given a hang-up wished in it, the leg is hung up afterwards', async () => {
    const it = await world()
    await it.told(arrival)
    found(it, channel(CALLER))
    await gap(it, () => it.pbx.hangUp(CALLER))
    await it.settled()
    expect(it.fake.asked(`DELETE /channels/${CALLER}`)).toHaveLength(1)
  })

  test('given a hang-up that was sent but not answered before it, it is wished again', async () => {
    const it = await world((fake) => fake.replies.set(`DELETE /channels/${CALLER}`, 'silence'))
    await it.told(arrival)
    found(it, channel(CALLER))
    it.pbx.hangUp(CALLER)
    await it.settled()
    await gap(it)
    await it.settled()
    expect(it.fake.asked(`DELETE /channels/${CALLER}`)).toHaveLength(2)
  })

  test('given prompts wished in it, they are played afterwards, in order, each once', async () => {
    const it = await world()
    await it.told(arrival)
    found(it, channel(CALLER))
    const later = 'sb-play-2' as PlaybackId
    await gap(it, () => {
      it.pbx.play(PLAY, CALLER, SOUNDS)
      it.pbx.play(later, CALLER, SOUNDS)
    })
    await it.settled()
    expect(asked(it).filter((what) => what.includes('/play/'))).toEqual([PLAYED, PLAYED.replace(PLAY, later)])
    expect(about(it).filter(({ type }) => type === 'playback.ended')).toEqual([])
  })

  test.each([
    ['its end came due', 1_500, 'finished'],
    ['it was cut short', 0, 'failed'],
  ])('given a prompt that is gone afterwards and %s, it is told as such', async (_what, playedMs, result) => {
    const it = await world((fake) => fake.replies.set(`GET /playbacks/${PLAY}`, { status: 404 }))
    await it.told(arrival)
    found(it, channel(CALLER))
    it.pbx.play(PLAY, CALLER, SOUNDS)
    await it.settled()
    it.clock.run(playedMs)
    await gap(it)
    const end = { type: 'playback.ended', leg: CALLER, playback: PLAY, result }
    expect(about(it).slice(-2)).toEqual([end, { type: 'pbx.up', restarted: false }])
  })

  test('given an answer that came in it, it is told', async () => {
    const it = await world()
    await it.told(arrival)
    found(it, channel(CALLER))
    await gap(it)
    expect(ofLeg(it, CALLER).at(-1)).toEqual({ type: 'leg.answered', leg: CALLER })
  })

  test('given a caller who came in it, he arrives; one already answered is told so when asked to be', async () => {
    const it = await world()
    found(it, channel(CALLER))
    await gap(it)
    it.pbx.answer(CALLER)
    await it.settled()
    // His own StasisStart may still come, when he came in while we were looking.
    await it.told(arrival)
    expect(ofLeg(it, CALLER).map(({ type }) => type)).toEqual(['leg.arrived', 'leg.answered'])
  })

  test('given two whom an earlier engine connected, they are told and can be parted', async () => {
    const it = await world()
    found(it, channel(CALLER), channel(AGENT))
    it.fake.replies.set('GET /bridges', { status: 200, body: [{ id: BRIDGE, channels: [CALLER, AGENT] }] })
    await gap(it)
    expect(about(it).at(-2)).toEqual({ type: 'bridge.found', bridge: BRIDGE, legs: [CALLER, AGENT] })
    it.pbx.hangUp(AGENT)
    it.pbx.closeBridge(BRIDGE)
    await it.settled()
    await it.told({ type: 'ChannelDestroyed', cause: 16, channel: channel(AGENT) })
    expect(ofLeg(it, AGENT)).toEqual([{ type: 'leg.ended', leg: AGENT, reason: 'hungUp' }])
    expect(asked(it).slice(-2)).toEqual([`DELETE /channels/${AGENT}`, `DELETE /bridges/${BRIDGE}`])
  })

  test('given what nobody owns, it is closed', async () => {
    const it = await world()
    found(it, channel('sb-leg-9'))
    it.fake.replies.set('GET /bridges', { status: 200, body: [{ id: 'sb-bridge-9', channels: [] }] })
    await gap(it)
    await it.settled()
    expect(asked(it).slice(-2)).toEqual(['DELETE /bridges/sb-bridge-9', 'DELETE /channels/sb-leg-9'])
  })

  test('given an Asterisk that does not tell what there is, the switch is not up yet', async () => {
    const it = await world()
    it.fake.replies.set('GET /bridges', { status: 503 })
    const down = it.events.next(({ type }) => type === 'pbx.down')
    it.fake.cut()
    await down
    const tried = it.fake.requests.next(({ what }) => what === 'GET /applications/switchboard')
    it.clock.run(200)
    await tried
    it.fake.replies.delete('GET /bridges')
    const ups = about(it).filter(({ type }) => type === 'pbx.up').length
    expect(ups).toBe(1)
  })
})

test('given a stop, nothing is told any more and calls stay where they are', async () => {
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

test('given a listener that throws, the others hear it all the same', async () => {
  const it = await world()
  it.pbx.onEvent(() => {
    throw new Error('a mistake')
  })
  const heard = new Facts<PbxEvent>()
  it.pbx.onEvent(heard.add)
  await it.told(arrival)
  expect(heard.all).toContainEqual(expect.objectContaining({ type: 'leg.arrived', leg: CALLER }))
})
