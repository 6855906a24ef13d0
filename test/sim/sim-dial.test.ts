import { describe, expect, test } from 'vitest'
import type { BridgeId, LegId, PlaybackId, RecordingId } from '../../src/kernel/ids.ts'
import { seededRandom } from '../../src/kernel/random.ts'
import type { PbxEvent } from '../../src/ports/pbx.ts'
import { SimPbx } from '../../src/sim/sim-pbx.ts'
import { ANNA, ANSWERS, BRIDGE, LEG, NUMBER, OPTIONS, sound, TAPE, talking, world } from './dial-world.ts'

describe("the carrier's log", () => {
  test('has every INVITE with its time, and the experience of the callee', async () => {
    const { clock, pbx, person, agentLeg } = await talking({ ...ANSWERS, hangsUpAfterMs: 10_000 })
    expect(pbx.carrier.invites).toEqual([
      { atMs: 105, leg: LEG, trunk: 'main', number: NUMBER, callerId: '+4570001000', reference: 'a7' },
    ])
    clock.run(20_000)
    expect(person).toMatchObject({ rangAtMs: 605, answeredAtMs: 3_105, endedAtMs: 13_105, endedBy: 'contact' })
    expect(person.heard).toEqual([{ what: 'person', text: 'anna', fromMs: 3_205, untilMs: 13_105 }])
    expect(pbx.switch.legs.get(agentLeg)?.isUp).toBe(true)
  })

  test('shows a callee who answered and heard only silence', async () => {
    const { clock, pbx } = await world({ ...ANSWERS, hangsUpAfterMs: 2_000 })
    pbx.dial(LEG, OPTIONS)
    clock.run(30_000)
    expect(pbx.carrier.calls[0]?.heard).toEqual([])
    expect(pbx.carrier.calls[0]?.endedBy).toBe('contact')
  })

  test('draws people by number and by the contents of the INVITE', async () => {
    const { clock, pbx, ends } = await world()
    pbx.carrier.contactOf = (number, { reference }) => ({
      does: number === NUMBER && reference === 'a7' ? 'busy' : 'reject',
      afterMs: 10,
    })
    pbx.dial(LEG, OPTIONS)
    pbx.dial('sb-leg-2' as LegId, { ...OPTIONS, reference: 'a8' })
    clock.run(1_000)
    expect(ends()).toEqual([
      { type: 'leg.ended', leg: LEG, reason: 'busy', code: 486 },
      { type: 'leg.ended', leg: 'sb-leg-2', reason: 'rejected', code: 603 },
    ])
  })

  test('shows refused calls above the line limit of a trunk', async () => {
    const { clock, pbx, ends } = await world(ANSWERS, { carrier: { trunks: { main: { linesMax: 1 } } } })
    pbx.dial(LEG, OPTIONS)
    pbx.dial('sb-leg-2' as LegId, OPTIONS)
    clock.run(100)
    expect(ends()).toEqual([{ type: 'leg.ended', leg: 'sb-leg-2', reason: 'congestion', code: 503 }])
    expect(pbx.carrier.invites).toHaveLength(2)
    pbx.hangUp(LEG)
    clock.run(100)
    pbx.dial('sb-leg-3' as LegId, OPTIONS)
    clock.run(1_000)
    expect(ends()).toHaveLength(2)
  })

  test('is empty when the switch cannot reach the trunk', async () => {
    const { clock, pbx, ends } = await world(ANSWERS, { carrier: { trunks: { main: { isDown: true } } } })
    pbx.dial(LEG, OPTIONS)
    clock.run(100)
    expect(ends()).toEqual([{ type: 'leg.ended', leg: LEG, reason: 'failed', neverSent: true }])
    expect(pbx.carrier.invites).toEqual([])
  })
})

describe('a callee', () => {
  test('presses keys and hangs up on prompts in a bridge', async () => {
    const presses = [{ hears: 'press 1', afterMs: 100, keys: '1' }]
    const { clock, pbx, events, person } = await talking({
      ...ANSWERS,
      presses,
      hangsUpOn: { hears: 'thank you', until: 'started', afterMs: 50 },
    })
    pbx.playInBridge('p' as PlaybackId, BRIDGE, LEG, [sound('to agree press 1'), sound('thank you', 9_000)])
    clock.run(5_000)
    expect(events).toContainEqual({ type: 'leg.digit', leg: LEG, digit: '1', heldMs: 100 })
    expect(person.endedBy).toBe('contact')
    expect(person.ear.words).toBe('to agree press 1 | thank you')
  })

  test('moved into another bridge leaves the first one', async () => {
    const { clock, pbx, phone, person } = await talking()
    const other = 'sb-bridge-2' as BridgeId
    pbx.bridge(other, [LEG])
    clock.run(1_000)
    expect(phone.heard.at(-1)).toMatchObject({ text: NUMBER, untilMs: expect.any(Number) })
    expect(person.heard.at(-1)).toMatchObject({ text: 'anna', untilMs: expect.any(Number) })
    expect([...pbx.switch.bridges.values()].map(({ members }) => members.size)).toEqual([1, 1])
  })

  test('cancelled before the rejection has rejected nothing', async () => {
    const { clock, pbx } = await world({ does: 'busy', afterMs: 1_000 })
    pbx.dial(LEG, OPTIONS)
    clock.run(500)
    pbx.hangUp(LEG)
    clock.run(5_000)
    expect(pbx.carrier.calls[0]).toMatchObject({ endedBy: 'switch', refusedWith: undefined })
  })

  test('is dialed once per leg id, however often the switch is asked', async () => {
    const { clock, pbx } = await world()
    expect([pbx.switch.dial(LEG, OPTIONS), pbx.switch.dial(LEG, OPTIONS)]).toEqual(['dialed', 'in use'])
    clock.run(1_000)
    expect(pbx.carrier.invites).toHaveLength(1)
  })

  test('who joins a bridge late hears the rest of its prompt', async () => {
    const { clock, pbx, phone, agentLeg, person } = await talking()
    pbx.leave(BRIDGE, LEG)
    pbx.playInBridge('p' as PlaybackId, BRIDGE, agentLeg, [sound('a long whisper', 5_000)])
    clock.run(2_000)
    pbx.join(BRIDGE, LEG)
    clock.run(6_000)
    expect(person.heard.filter(({ what }) => what === 'words')).toEqual([
      expect.objectContaining({ text: 'a long whisper', fromMs: clock.nowMs() - 5_995 }),
    ])
    expect(phone.ear.words).toBe('a long whisper')
  })
})

describe('a dial command in a gap', () => {
  test('that was lost on the way may have been sent: its leg is looked for during 5 s, then lost', async () => {
    const { clock, pbx, ends } = await world()
    pbx.dial(LEG, OPTIONS)
    pbx.cut(1_000)
    clock.run(1_000 + 4_999)
    expect(ends()).toEqual([])
    clock.run(1)
    expect(ends()).toEqual([{ type: 'leg.ended', leg: LEG, reason: 'lost' }])
    expect(pbx.carrier.invites).toEqual([])
  })

  test('whose response was lost continues unchanged', async () => {
    const { clock, pbx, events, ends } = await world()
    pbx.dial(LEG, OPTIONS)
    clock.run(7)
    pbx.cut(1_000)
    clock.run(10_000)
    expect(events).toContainEqual({ type: 'leg.answered', leg: LEG })
    expect(ends()).toEqual([])
    expect(pbx.carrier.invites).toHaveLength(1)
  })

  test('whose call began and ended unseen is lost, and was dialed once', async () => {
    const { clock, pbx, ends } = await world({ does: 'busy', afterMs: 10 })
    pbx.dial(LEG, OPTIONS)
    clock.run(7)
    pbx.cut(1_000)
    clock.run(10_000)
    expect(ends()).toEqual([{ type: 'leg.ended', leg: LEG, reason: 'lost' }])
    expect(pbx.carrier.invites).toHaveLength(1)
  })

  test('that was given while the connection was down was never sent, and reports it at once', async () => {
    const { clock, pbx, ends } = await world()
    pbx.cut(1_000)
    pbx.dial(LEG, OPTIONS)
    clock.run(0)
    expect(ends()).toEqual([{ type: 'leg.ended', leg: LEG, reason: 'failed', neverSent: true }])
  })

  test('given a second gap during the search, the leg still ends once', async () => {
    const { clock, pbx, ends } = await world()
    pbx.dial(LEG, OPTIONS)
    pbx.cut(1_000)
    clock.run(3_000)
    pbx.cut(4_000)
    clock.run(20_000)
    expect(ends()).toEqual([{ type: 'leg.ended', leg: LEG, reason: 'lost' }])
  })

  test('given a switch that dies, all ringing calls are lost', async () => {
    const { clock, pbx, ends } = await world()
    pbx.dial(LEG, OPTIONS)
    clock.run(1_000)
    pbx.restart(2_000)
    clock.run(10_000)
    expect(ends()).toEqual([{ type: 'leg.ended', leg: LEG, reason: 'lost' }])
    expect(pbx.carrier.calls[0]?.endedBy).toBe('nobody')
  })
})

describe('commands that survive a gap', () => {
  test('a leg that was to leave a bridge has left it after the reconnect', async () => {
    const { clock, pbx, person } = await talking()
    pbx.leave(BRIDGE, LEG)
    pbx.cut(1_000)
    clock.run(2_000)
    expect(person.heard.map(({ untilMs }) => untilMs)).toEqual([expect.any(Number)])
    expect(pbx.switch.legs.get(LEG)?.bridge).toBeUndefined()
  })

  test('a leg that rejoined a bridge unseen is reported as joined', async () => {
    const { clock, pbx, events } = await talking()
    pbx.leave(BRIDGE, LEG)
    clock.run(100)
    pbx.join(BRIDGE, LEG)
    clock.run(7)
    pbx.cut(1_000)
    clock.run(2_000)
    expect(events.filter((event) => event.type === 'bridge.joined' && event.leg === LEG)).toHaveLength(2)
  })

  test('a recording that was to be stopped does not continue', async () => {
    const { clock, pbx, events } = await talking()
    pbx.record(TAPE, LEG)
    clock.run(1_000)
    pbx.stopRecording(TAPE)
    pbx.cut(1_000)
    clock.run(2_000)
    expect(events).toContainEqual({ type: 'recording.ended', recording: TAPE, result: 'stored' })
  })
})

describe("an agent's phone that is to stay up", () => {
  test('can behave differently at every ring', async () => {
    const { clock, pbx, ends } = await world()
    const phone = pbx.agentPhone(ANNA, (ring) => ({ does: ring === 1 ? 'ignore' : 'answer', afterMs: 0 }))
    pbx.ringAgent(LEG, ANNA, { ...OPTIONS, ringTimeoutMs: 1_000 })
    clock.run(2_000)
    expect(ends()).toMatchObject([{ reason: 'noAnswer' }])
    pbx.ringAgent('sb-leg-2' as LegId, ANNA, OPTIONS)
    clock.run(3_600_000)
    expect(phone.isBusy).toBe(true)
    expect(phone.rings).toBe(2)
  })
})

describe('an engine that comes after another', () => {
  test('finds the expected legs, closes the rest, and leaves conversations alone', async () => {
    const { clock, pbx, agentLeg } = await talking()
    const [lone, foreign] = ['sb-leg-lone', 'sb-bridge-foreign'] as [LegId, BridgeId]
    pbx.dial(lone, OPTIONS)
    clock.run(3_200)
    pbx.bridge(foreign, [lone])
    clock.run(100)
    await pbx.stop()
    const again = new SimPbx({ clock, random: seededRandom(2), switch: pbx.switch })
    const events: PbxEvent[] = []
    again.onEvent((event) => events.push(event))
    again.expect([agentLeg, LEG, 'sb-leg-gone' as LegId], [BRIDGE])
    await again.start()
    clock.run(100)
    expect(events).toEqual([
      { type: 'leg.found', leg: agentLeg, isUp: true, bridge: BRIDGE },
      { type: 'leg.found', leg: LEG, isUp: true, bridge: BRIDGE },
      { type: 'leg.ended', leg: 'sb-leg-gone', reason: 'lost' },
      { type: 'pbx.up', restarted: false },
    ])
    expect([...again.switch.legs.keys()]).toEqual([agentLeg, LEG])
    expect([...again.switch.bridges.keys()]).toEqual([BRIDGE])
  })

  test('keeps its own empty bridge through a gap', async () => {
    const { clock, pbx, agentLeg } = await talking()
    pbx.hangUp(LEG)
    pbx.hangUp(agentLeg)
    clock.run(100)
    pbx.cut(1_000)
    clock.run(5_000)
    expect([...pbx.switch.bridges.keys()]).toEqual([BRIDGE])
  })

  test('gets the end of a recording of the other engine, also when it ended long ago', async () => {
    const { clock, pbx } = await talking()
    const before = 'sb-tape-0' as RecordingId
    pbx.record(before, LEG)
    clock.run(1_000)
    pbx.stopRecording(before)
    pbx.record(TAPE, LEG)
    clock.run(1_000)
    await pbx.stop()
    const again = new SimPbx({ clock, random: seededRandom(2), switch: pbx.switch })
    const events: PbxEvent[] = []
    again.onEvent((event) => events.push(event))
    again.expect([...pbx.switch.legs.keys()], [BRIDGE])
    await again.start()
    for (const recording of [before, TAPE, before, TAPE]) again.stopRecording(recording)
    clock.run(1_000)
    expect(events.filter(({ type }) => type === 'recording.ended')).toEqual([
      { type: 'recording.ended', recording: before, result: 'stored' },
      { type: 'recording.ended', recording: TAPE, result: 'stored' },
    ])
  })
})
