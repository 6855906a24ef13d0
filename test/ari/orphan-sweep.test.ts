import { describe, expect, test } from 'vitest'
import type { BridgeId, LegId } from '../../src/kernel/ids.ts'
import { VirtualClock } from '../support/virtual-clock.ts'
import {
  AGENT,
  ANNA,
  about,
  arrival,
  asked,
  BRIDGE,
  CALLER,
  channel,
  ofLeg,
  RING,
  type World,
  world,
} from './ari-world.ts'

/** What Asterisk lists from now on. */
function lists(
  { fake }: World,
  channels: readonly string[],
  bridges: Readonly<Record<string, readonly string[]>> = {},
) {
  fake.replies.set('GET /channels', { status: 200, body: channels.map((id) => channel(id)) })
  const body = Object.entries(bridges).map(([id, members]) => ({ id, channels: members }))
  fake.replies.set('GET /bridges', { status: 200, body })
}

const START_MS = new VirtualClock().nowMs()

/** Time passes until the next look, every 30 s after the start, and its answers are in. */
async function look(it: World): Promise<void> {
  const seen = it.fake.requests.next(({ what }) => what === 'GET /bridges')
  await it.pass(30_000 - ((it.clock.nowMs() - START_MS) % 30_000))
  await seen
  // The answers come by another way than the events: both are in when two more questions were answered there.
  await fetch(`${it.fake.access.url}/ari/asterisk/ping`)
  await it.settled()
  await it.settled()
}

const deletions = (it: World) => asked(it).filter((what) => what.startsWith('DELETE'))

describe('twice a minute', () => {
  test('a channel and a bridge of ours without an owner are closed after a minute, not before', async () => {
    const it = await world()
    lists(it, ['sb-leg-9', 'somebody-else'], { 'sb-bridge-9': [], theirs: [] })
    await look(it)
    await look(it)
    expect(deletions(it)).toEqual([])
    await look(it)
    expect(deletions(it).toSorted()).toEqual(['DELETE /bridges/sb-bridge-9', 'DELETE /channels/sb-leg-9'])
  })

  test('an orphan that was seen once and is gone again is forgotten', async () => {
    const it = await world()
    for (const channels of [['sb-leg-9'], [], ['sb-leg-9'], []]) {
      lists(it, channels)
      await look(it)
    }
    expect(deletions(it)).toEqual([])
  })

  test('owned channels and bridges are left alone, also an agent alone in a bridge', async () => {
    const it = await world()
    it.pbx.ringAgent(AGENT, ANNA, RING)
    await it.told({ type: 'StasisStart', args: ['dialed'], channel: channel(AGENT) })
    it.pbx.bridge(BRIDGE, [AGENT])
    lists(it, [AGENT], { [BRIDGE]: [AGENT] })
    for (let looks = 0; looks < 4; looks++) await look(it)
    expect(deletions(it)).toEqual([])
    expect(ofLeg(it, AGENT).map(({ type }) => type)).toEqual(['leg.answered'])
  })

  test('an empty bridge of ours is closed and forgotten, although this engine opened it', async () => {
    const it = await world()
    await it.told(arrival)
    it.pbx.bridge(BRIDGE, [CALLER])
    await it.told({ type: 'StasisEnd', channel: channel(CALLER) })
    lists(it, [], { [BRIDGE]: [] })
    for (let looks = 0; looks < 3; looks++) await look(it)
    expect(deletions(it)).toEqual([`DELETE /bridges/${BRIDGE}`])
    expect(it.pbx.stats().bridges).toBe(0)
  })

  test('a leg whose end was never reported is reported as ended after two sweeps without it', async () => {
    const it = await world()
    await it.told(arrival)
    lists(it, [])
    await look(it)
    await it.pass(5_000)
    expect(ofLeg(it, CALLER)).toHaveLength(1)
    await look(it)
    await it.pass(5_000)
    expect(ofLeg(it, CALLER).at(-1)).toEqual({ type: 'leg.ended', leg: CALLER, reason: 'lost' })
  })
})

describe('an engine that expects legs of an earlier one', () => {
  const [TALKS, RINGS, GONE] = ['sb-leg-1', 'sb-leg-2', 'sb-leg-3'] as LegId[] as [LegId, LegId, LegId]
  const HOME = 'sb-bridge-1' as BridgeId

  async function restarted(): Promise<World> {
    return await world(
      (fake) => {
        fake.replies.set('GET /channels', { status: 200, body: [channel(TALKS), channel(RINGS, 'Ringing')] })
        fake.replies.set('GET /bridges', { status: 200, body: [{ id: HOME, channels: [TALKS] }] })
      },
      (pbx) => pbx.expect([TALKS, RINGS, GONE], [HOME]),
    )
  }

  test('finds existing legs and their bridges, and reports the others lost, before the switch is up', async () => {
    const it = await restarted()
    expect(about(it)).toEqual([
      { type: 'leg.ended', leg: GONE, reason: 'lost' },
      { type: 'leg.found', leg: TALKS, isUp: true, bridge: HOME },
      { type: 'leg.found', leg: RINGS, isUp: false },
      { type: 'pbx.up', restarted: false },
    ])
    await it.settled()
    expect(deletions(it)).toEqual([])
  })

  test('is told of a leg that does not ring yet: it is unknown whether it was dialed', async () => {
    const it = await world(
      (fake) => {
        fake.replies.set('GET /channels', { status: 200, body: [channel(RINGS, 'Down')] })
        fake.replies.set('GET /bridges', { status: 200, body: [] })
      },
      (pbx) => pbx.expect([RINGS], []),
    )
    expect(about(it)[0]).toEqual({ type: 'leg.found', leg: RINGS, isUp: false, isSilent: true })
  })

  test('gets their events, and can add them to the bridge', async () => {
    const it = await restarted()
    await it.told({ type: 'StasisStart', args: ['dialed'], channel: channel(RINGS) })
    it.pbx.join(HOME, RINGS)
    await it.settled()
    expect(it.fake.asked(`POST /bridges/${HOME}/addChannel`)[0]?.body).toEqual({ channel: [RINGS] })
    await it.told({ type: 'ChannelDestroyed', cause: 16, channel: channel(TALKS) })
    expect(about(it).slice(-2)).toEqual([
      { type: 'leg.answered', leg: RINGS },
      { type: 'leg.ended', leg: TALKS, reason: 'hungUp' },
    ])
  })
})
