import { describe, expect, test } from 'vitest'
import type { PlaybackId } from '../../src/kernel/ids.ts'
import {
  AGENT,
  ANNA,
  about,
  arrival,
  asked,
  BRIDGE,
  CALLER,
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

describe('a gap', () => {
  const found = (it: World, ...channels: object[]) => {
    it.fake.replies.set('GET /channels', { status: 200, body: channels })
    const body = { channel_ids: channels.map((one) => (one as { id: string }).id), bridge_ids: [] }
    it.fake.replies.set('GET /applications/switchboard', { status: 200, body })
  }

  test('given legs that are gone afterwards, they are reported lost before the switch is reported up', async () => {
    const it = await world()
    await it.told(arrival)
    it.pbx.ringAgent(AGENT, ANNA, RING)
    await it.told({ type: 'StasisStart', args: ['dialed'], channel: channel(AGENT, 'Down') })
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

  test('given a hang-up requested in it, the leg is hung up afterwards', async () => {
    const it = await world()
    await it.told(arrival)
    found(it, channel(CALLER))
    await gap(it, () => it.pbx.hangUp(CALLER))
    await it.settled()
    expect(it.fake.asked(`DELETE /channels/${CALLER}`)).toHaveLength(1)
  })

  test('given a hang-up that was sent but not answered before it, it is sent again', async () => {
    const it = await world((fake) => fake.replies.set(`DELETE /channels/${CALLER}`, 'silence'))
    await it.told(arrival)
    found(it, channel(CALLER))
    it.pbx.hangUp(CALLER)
    await it.settled()
    await gap(it)
    await it.settled()
    expect(it.fake.asked(`DELETE /channels/${CALLER}`)).toHaveLength(2)
  })

  test('given prompts requested in it, they are played afterwards, in order, each once', async () => {
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
    await it.pass(playedMs)
    await gap(it)
    const end = { type: 'playback.ended', leg: CALLER, playback: PLAY, result }
    expect(about(it).slice(-2)).toEqual([end, { type: 'pbx.up', restarted: false }])
  })

  test('given an answer in it, the answer is reported', async () => {
    const it = await world()
    await it.told(arrival)
    found(it, channel(CALLER))
    await gap(it)
    expect(ofLeg(it, CALLER).at(-1)).toEqual({ type: 'leg.answered', leg: CALLER })
  })

  test('given a caller who arrived in it, the arrival is reported, and on request an earlier answer', async () => {
    const it = await world()
    found(it, channel(CALLER))
    await gap(it)
    it.pbx.answer(CALLER)
    await it.settled()
    // His own StasisStart may still come, when he came in while we were looking.
    await it.told(arrival)
    expect(ofLeg(it, CALLER).map(({ type }) => type)).toEqual(['leg.arrived', 'leg.answered'])
  })

  test('given two legs that an earlier engine connected, they are reported and can be separated', async () => {
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
    const remove = `POST /bridges/${BRIDGE}/removeChannel`
    expect(asked(it).slice(-3)).toEqual([`DELETE /channels/${AGENT}`, remove, `DELETE /bridges/${BRIDGE}`])
    expect(it.fake.asked(remove).at(-1)?.body).toEqual({ channel: [CALLER] })
  })

  test('given channels and bridges without an owner, they are closed', async () => {
    const it = await world()
    found(it, channel('sb-leg-9'))
    it.fake.replies.set('GET /bridges', { status: 200, body: [{ id: 'sb-bridge-9', channels: [] }] })
    await gap(it)
    await it.settled()
    expect(asked(it).slice(-2)).toEqual(['DELETE /bridges/sb-bridge-9', 'DELETE /channels/sb-leg-9'])
  })

  test('given an Asterisk that does not list its channels and bridges, the switch is not up yet', async () => {
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
