import { describe, expect, test } from 'vitest'
import type { LegId } from '../../src/kernel/ids.ts'
import type { PbxEvent } from '../../src/ports/pbx.ts'
import type { SimPbx } from '../../src/sim/sim-pbx.ts'
import { ANNA, ANSWERS, BRIDGE, LEG, NUMBER, OPTIONS, TAPE, talking, world } from './dial-world.ts'

describe('a recording', () => {
  const told = (events: readonly PbxEvent[]) => events.filter(({ type }) => type === 'recording.ended')

  test('has the audio of its leg on the left, and the audio that the leg heard on the right', async () => {
    const { clock, pbx } = await talking()
    pbx.record(TAPE, LEG)
    clock.run(1_000)
    pbx.stopRecording(TAPE)
    clock.run(100)
    expect(pbx.switch.recordings.get(TAPE)).toMatchObject({ left: new Set([NUMBER]), right: new Set([ANNA]) })
  })

  test('has parties who joined after its start, and ends with its leg', async () => {
    const { clock, pbx, events } = await talking()
    pbx.leave(BRIDGE, LEG)
    clock.run(100)
    pbx.record(TAPE, LEG)
    clock.run(100)
    expect(pbx.switch.recordings.get(TAPE)?.right).toEqual(new Set())
    pbx.join(BRIDGE, LEG)
    clock.run(1_000)
    pbx.hangUp(LEG)
    clock.run(100)
    expect(pbx.switch.recordings.get(TAPE)?.right).toEqual(new Set([ANNA]))
    expect(told(events)).toMatchObject([{ result: 'stored' }])
  })

  test('fails when the switch is configured to fail, with the reason', async () => {
    const { clock, pbx, events } = await talking(ANSWERS, { recordingFails: () => 'no space left' })
    pbx.record(TAPE, LEG)
    clock.run(100)
    expect(told(events)).toEqual([{ type: 'recording.ended', recording: TAPE, result: 'failed', why: 'no space left' }])
  })

  test.for([
    ['ended unseen', (pbx: SimPbx) => pbx.switch.hangUp(LEG), 'stored'],
    ['went down with the switch', (pbx: SimPbx) => pbx.restart(1_000), 'failed'],
  ] as const)('that %s is told after the gap, once', async ([_, happens, result]) => {
    const { clock, pbx, events } = await talking()
    pbx.record(TAPE, LEG)
    clock.run(1_000)
    pbx.cut(1_000)
    happens(pbx)
    clock.run(5_000)
    expect(told(events)).toMatchObject([{ recording: TAPE, result }])
  })

  test.for([
    ['on its way', 0],
    ['while the line was down', 500],
  ] as const)('whose command was lost %s has failed', async ([_, afterCutMs]) => {
    const { clock, pbx, events } = await talking()
    if (afterCutMs === 0) pbx.record(TAPE, LEG)
    pbx.cut(1_000)
    clock.run(afterCutMs)
    if (afterCutMs > 0) pbx.record(TAPE, LEG)
    clock.run(5_000)
    expect(told(events)).toMatchObject([{ recording: TAPE, result: 'failed' }])
  })
})

describe('listening for a machine', () => {
  test.for([
    [0, ['machine']],
    [1, ['person', 'unsure']],
  ] as const)('given an error rate of %i, a voicemail is taken for %j', async ([errorRate, verdicts]) => {
    const { clock, pbx, events } = await world({ ...ANSWERS, voice: 'machine' }, { detection: { errorRate } })
    for (let call = 1; call <= 20; call++) {
      const leg = `sb-leg-${call}` as LegId
      pbx.dial(leg, OPTIONS)
      clock.run(3_100)
      pbx.detectMachine(leg)
      clock.run(9_000)
    }
    const told = events.flatMap((event) => (event.type === 'leg.judged' ? [event.verdict] : []))
    expect(told).toHaveLength(20)
    expect(new Set(told)).toEqual(new Set(verdicts))
  })

  test.for([
    ['lost', { loseEvents: 1 }, 0],
    ['told twice by the switch', { doubleEvents: 1 }, 1],
  ] as const)('has a verdict that may be %s, and then reaches us so often', async ([_, options, times]) => {
    const { clock, pbx, events } = await world(ANSWERS, options)
    pbx.dial(LEG, OPTIONS)
    clock.run(3_100)
    pbx.detectMachine(LEG)
    clock.run(5_000)
    expect(events.filter(({ type }) => type === 'leg.judged')).toHaveLength(times)
  })
})
