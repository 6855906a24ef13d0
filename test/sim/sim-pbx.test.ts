import { describe, expect, test } from 'vitest'
import type { AgentName, BridgeId, LegId, PlaybackId } from '../../src/kernel/ids.ts'
import { seededRandom } from '../../src/kernel/random.ts'
import type { PbxEvent } from '../../src/ports/pbx.ts'
import type { Sound } from '../../src/ports/speech.ts'
import type { Caller } from '../../src/sim/person.ts'
import { SimPbx, type SimPbxOptions } from '../../src/sim/sim-pbx.ts'
import { VirtualClock } from '../support/virtual-clock.ts'

const ANNA = 'anna' as AgentName
const RING = { callerId: '1', ringTimeoutMs: 20_000 }
const id = <T extends string>(name: string) => name as T
const sound = (text: string, durationMs = 1_000): Sound => ({ file: `/${text}`, text, durationMs })

async function world(options: Partial<SimPbxOptions> = {}) {
  const clock = new VirtualClock()
  const pbx = new SimPbx({ clock, random: seededRandom(1), latencyMs: [1, 5], ...options })
  const events: PbxEvent[] = []
  pbx.onEvent((event) => events.push(event))
  await pbx.start()
  return { clock, pbx, events }
}

async function answeredCall(person: Caller = {}) {
  const made = await world()
  const caller = made.pbx.callIn({ called: '100', caller: '+4551234567', person })
  made.clock.run(10)
  made.pbx.answer(caller.leg)
  made.clock.run(10)
  return { ...made, caller }
}

describe('a caller who listens', () => {
  const digits = (events: readonly PbxEvent[]) =>
    events.flatMap((event) => (event.type === 'leg.digit' ? [event.digit] : [])).join('')

  test('presses keys into the prompt when configured to act at its beginning', async () => {
    const person: Caller = { presses: [{ hears: 'Case Number', until: 'started', afterMs: 100, keys: '47' }] }
    const { clock, pbx, events, caller } = await answeredCall(person)
    pbx.play(id<PlaybackId>('p'), caller.leg, [sound('enter your case number', 5_000)])
    clock.run(1_000)
    expect(digits(events)).toBe('47')
    expect(events.some(({ type }) => type === 'playback.ended')).toBe(false)
  })

  test('waits politely for the end otherwise', async () => {
    const { clock, pbx, events, caller } = await answeredCall({
      presses: [{ hears: 'case number', afterMs: 100, keys: '47' }],
    })
    pbx.play(id<PlaybackId>('p'), caller.leg, [sound('enter your case number', 5_000)])
    clock.run(5_000)
    expect(digits(events)).toBe('')
    clock.run(1_000)
    expect(digits(events)).toBe('47')
  })

  test('responds to the second question with the second action', async () => {
    const ask = { hears: 'number', afterMs: 0 }
    const { clock, pbx, events, caller } = await answeredCall({
      presses: [
        { ...ask, keys: '1' },
        { ...ask, keys: '2' },
      ],
    })
    pbx.play(id<PlaybackId>('p'), caller.leg, [sound('number?')])
    clock.run(10_000)
    expect(digits(events)).toBe('1')
    pbx.play(id<PlaybackId>('q'), caller.leg, [sound('number, please?')])
    clock.run(10_000)
    expect(digits(events)).toBe('12')
  })

  test('can hang up on a given text', async () => {
    const { clock, pbx, caller } = await answeredCall({
      hangsUpOn: { hears: 'closed', until: 'started', afterMs: 300 },
    })
    pbx.play(id<PlaybackId>('p'), caller.leg, [sound('the case is'), sound('closed since'), sound('May')])
    clock.run(10_000)
    expect(caller.result).toMatchObject({ outcome: 'connected', hungUpBy: 'caller' })
    expect(caller.ear.words).toBe('the case is | closed since')
  })
})

describe('the truth of the switch', () => {
  test('an answered ring has no timeout any more', async () => {
    const { clock, pbx } = await world()
    const leg = id<LegId>('sb-leg-1')
    pbx.agentPhone(ANNA, { does: 'answer', afterMs: 500 })
    pbx.ringAgent(leg, ANNA, { ...RING, ringTimeoutMs: 1_000 })
    clock.run(60_000)
    expect(pbx.switch.legs.get(leg)?.isUp).toBe(true)
  })

  test('a party who stays in a bridge no longer hears the other', async () => {
    const { clock, pbx, caller } = await answeredCall()
    const leg = id<LegId>('sb-leg-1')
    const phone = pbx.agentPhone(ANNA, { does: 'answer', afterMs: 0 })
    pbx.ringAgent(leg, ANNA, RING)
    clock.run(100)
    pbx.bridge(id<BridgeId>('b'), [caller.leg, leg])
    clock.run(1_000)
    caller.hangUp()
    clock.run(1_000)
    expect(phone.heard).toEqual([expect.objectContaining({ text: '+4551234567', untilMs: expect.any(Number) })])
    expect(pbx.switch.bridges.get(id<BridgeId>('b'))?.members.size).toBe(1)
  })
})

describe('a connection that breaks', () => {
  test('given a fact on its way, loses it', async () => {
    const { clock, pbx, events, caller } = await answeredCall()
    caller.hangUp()
    pbx.cut(5_000)
    clock.run(10_000)
    expect(events.filter(({ type }) => type === 'leg.ended')).toEqual([
      { type: 'leg.ended', leg: caller.leg, reason: 'lost' },
    ])
  })

  test('given a caller who hangs up unseen, reports the end before it reports up', async () => {
    const { clock, pbx, events, caller } = await answeredCall()
    pbx.cut(5_000)
    caller.hangUp()
    clock.run(10_000)
    expect(events.slice(-3)).toEqual([
      { type: 'pbx.down', why: 'the connection was cut' },
      { type: 'leg.ended', leg: caller.leg, reason: 'lost' },
      { type: 'pbx.up', restarted: false },
    ])
  })

  test('reports a call that arrived meanwhile, and the missed answer', async () => {
    const { clock, pbx, events } = await answeredCall()
    const leg = id<LegId>('sb-leg-1')
    pbx.agentPhone(ANNA, { does: 'answer', afterMs: 1_000 })
    pbx.ringAgent(leg, ANNA, RING)
    clock.run(100)
    pbx.cut(5_000)
    const late = pbx.callIn({ called: '200', person: {} })
    clock.run(10_000)
    expect(events.slice(-3)).toEqual([
      { type: 'leg.answered', leg },
      { type: 'leg.arrived', leg: late.leg, called: '200' },
      { type: 'pbx.up', restarted: false },
    ])
  })

  test('refuses commands meanwhile where the port promises an end', async () => {
    const { clock, pbx, events, caller } = await answeredCall()
    pbx.cut(5_000)
    pbx.ringAgent(id<LegId>('sb-leg-1'), ANNA, RING)
    pbx.play(id<PlaybackId>('p'), caller.leg, [sound('hello')])
    clock.run(1_000)
    expect(events.slice(-2)).toEqual([
      { type: 'leg.ended', leg: 'sb-leg-1', reason: 'failed', neverSent: true },
      { type: 'playback.ended', leg: caller.leg, playback: 'p', result: 'failed' },
    ])
    clock.run(10_000)
    expect(events.at(-1)).toEqual({ type: 'pbx.up', restarted: false })
    expect(caller.isUp).toBe(true)
  })

  test('given a switch that dies, every call is lost and the callers hear nothing', async () => {
    const { clock, pbx, events, caller } = await answeredCall()
    pbx.play(id<PlaybackId>('p'), caller.leg, [sound('hello', 500), sound('and more')])
    clock.run(100)
    pbx.restart(2_000)
    clock.run(10_000)
    expect(events.slice(-2)).toEqual([
      { type: 'leg.ended', leg: caller.leg, reason: 'lost' },
      { type: 'pbx.up', restarted: true },
    ])
    expect(caller.result?.hungUpBy).toBeUndefined()
    expect(caller.ear.words).toBe('hello')
  })

  test('given no engine at all, the caller hears an apology and not silence', async () => {
    const clock = new VirtualClock()
    const caller = new SimPbx({ clock, random: seededRandom(1) }).callIn({ called: '100', person: {} })
    clock.run(60_000)
    expect(caller.ear.words).toMatch(/sorry/)
    expect(caller.result).toMatchObject({ outcome: 'connected', hungUpBy: 'switch' })
  })
})

test('a restarted engine finds waiting and connected callers, and closes channels without an owner', async () => {
  const { clock, pbx, caller } = await answeredCall()
  const [talking, lone] = [id<LegId>('sb-leg-1'), id<LegId>('sb-leg-2')]
  const bridge = id<BridgeId>('sb-bridge-1')
  pbx.agentPhone(ANNA, { does: 'answer', afterMs: 0 })
  pbx.agentPhone(id<AgentName>('ben'), { does: 'answer', afterMs: 0 })
  pbx.ringAgent(talking, ANNA, RING)
  pbx.ringAgent(lone, id<AgentName>('ben'), RING)
  clock.run(100)
  pbx.bridge(bridge, [caller.leg, talking])
  const waiting = pbx.callIn({ called: '200', person: {} })
  clock.run(100)
  await pbx.stop()

  const again = new SimPbx({ clock, random: seededRandom(2), switch: pbx.switch })
  const events: PbxEvent[] = []
  again.onEvent((event) => events.push(event))
  await again.start()
  clock.run(100)
  expect(events).toEqual([
    { type: 'bridge.found', bridge, legs: [caller.leg, talking] },
    { type: 'leg.arrived', leg: waiting.leg, called: '200' },
    { type: 'pbx.up', restarted: false },
  ])
  expect([...again.switch.legs.keys()]).toEqual([caller.leg, talking, waiting.leg])
})
