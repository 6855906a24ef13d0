/** Worlds drawn by chance: whatever happens, the simulated switch keeps the promises of the port. */
import { expect, test } from 'vitest'
import {
  type AgentName,
  type LegId,
  makeIds,
  type PhoneNumber,
  type PlaybackId,
  type RecordingId,
} from '../../src/kernel/ids.ts'
import { type Random, randomInt, randomOf, seededRandom } from '../../src/kernel/random.ts'
import type { PbxEvent } from '../../src/ports/pbx.ts'
import type { Contact } from '../../src/sim/person.ts'
import { SimPbx } from '../../src/sim/sim-pbx.ts'
import { VirtualClock } from '../support/virtual-clock.ts'

const WORLDS = 300
const STEPS = 200
const AGENTS = ['anna', 'ben', 'nobody'] as AgentName[]

/** A careless engine: it sends any command at any time. */
async function carelessWorld(seed: number) {
  const random = seededRandom(seed)
  const clock = new VirtualClock()
  const pbx = new SimPbx({
    clock,
    random,
    latencyMs: [0, randomOf(random, [0, 5, 300])],
    loseEvents: randomOf(random, [0, 0.2]),
    doubleEvents: randomOf(random, [0, 0.2]),
    carrier: { trunks: { main: { linesMax: 5 }, down: { isDown: true } }, contactOf: () => randomContact(random) },
    detection: { errorRate: 0.1, afterMs: [0, 3_000] },
    recordingFails: () => (random.next() < 0.1 ? 'no space left' : undefined),
  })
  const events: PbxEvent[] = []
  pbx.onEvent((event) => events.push(event))
  await pbx.start()
  for (const agent of ['anna', 'ben'] as AgentName[]) {
    pbx.agentPhone(agent, {
      does: randomOf(random, ['answer', 'busy', 'reject', 'ignore']),
      afterMs: randomInt(random, 0, 3_000),
      hangsUpAfterMs: randomInt(random, 0, 20_000),
    })
  }
  const recordings: RecordingId[] = []
  const commands = giveCommands(pbx, clock, random, events, recordings)
  for (let step = 0; step < STEPS; step++) {
    randomOf(random, commands)()
    clock.run(randomInt(random, 0, 400))
  }
  expect(clock.runUntilIdle()).toBe(true)
  for (const bridge of pbx.switch.bridges.keys()) pbx.closeBridge(bridge)
  clock.runUntilIdle()
  return { pbx, events, recordings }
}

/** All people hang up in the end: every world becomes idle. */
function randomContact(random: Random): Contact {
  return {
    does: randomOf(random, ['answer', 'answer', 'busy', 'reject', 'ignore', 'fail']),
    afterMs: randomInt(random, 0, 3_000),
    ...(random.next() < 0.8 && { ringsAfterMs: randomInt(random, 0, 4_000) }),
    code: randomOf(random, [404, 408, 500, 503]),
    voice: randomOf(random, ['person', 'machine', 'silent']),
    hangsUpAfterMs: randomOf(random, [0, 1_000, 8_000]),
    presses: [{ afterMs: 500, keys: '1' }],
  }
}

function giveCommands(
  pbx: SimPbx,
  clock: VirtualClock,
  random: Random,
  events: PbxEvent[],
  recordings: RecordingId[],
): (() => void)[] {
  const ids = makeIds(clock, random)
  const legs = () => events.flatMap((event) => ('leg' in event ? [event.leg] : []))
  const aLeg = () => randomOf(random, [...pbx.switch.legs.keys(), ...legs().slice(-2), 'never' as LegId])
  const bridge = ids.bridge()
  const bridges = [bridge, ids.bridge(), ids.bridge()]
  const aBridge = () => randomOf(random, bridges)
  const dial = (trunk: string) =>
    pbx.dial(ids.leg(), {
      trunk,
      number: `+457100${randomInt(random, 1_000, 1_020)}` as PhoneNumber,
      callerId: '1',
      ringTimeoutMs: 2_000,
      reference: 'a1',
    })
  const record = () => {
    recordings.push(`r${recordings.length}` as RecordingId)
    pbx.record(recordings.at(-1)!, aLeg())
  }
  let plays = 0
  const aPlayback = (): PlaybackId => `p${randomInt(random, 0, plays)}` as PlaybackId
  const person = () => ({ hangsUpAfterMs: randomInt(random, 0, 8_000), presses: [{ afterMs: 100, keys: '12#' }] })
  return [
    () => pbx.callIn({ called: '100', person: person() }),
    () => pbx.callIn({ called: '100', person: { waitsMaxMs: randomInt(random, 0, 5_000) } }),
    () => pbx.answer(aLeg()),
    () => pbx.answer(aLeg()),
    () => pbx.hangUp(aLeg()),
    () => pbx.reject(aLeg(), 'busy'),
    () => pbx.ringAgent(ids.leg(), randomOf(random, AGENTS), { callerId: '1', ringTimeoutMs: 2_000 }),
    () =>
      pbx.play(`p${plays++}` as PlaybackId, aLeg(), [{ file: '/a', text: 'a', durationMs: randomInt(random, 0, 900) }]),
    () => pbx.stopPlaying(aPlayback()),
    () => pbx.startMusic(aLeg(), 'default'),
    () => pbx.stopMusic(aLeg()),
    () => pbx.bridge(bridge, [aLeg(), aLeg()]),
    () => pbx.closeBridge(bridge),
    () => dial('main'),
    () => dial('main'),
    () => dial(randomOf(random, ['main', 'down', 'nowhere'])),
    () => pbx.bridge(aBridge(), [aLeg()]),
    () => pbx.join(aBridge(), aLeg()),
    () => pbx.join(aBridge(), aLeg()),
    () => pbx.leave(aBridge(), aLeg()),
    () => pbx.detectMachine(aLeg()),
    record,
    () => pbx.stopRecording(`r${randomInt(random, 0, recordings.length)}` as RecordingId),
    () =>
      pbx.playInBridge(`p${plays++}` as PlaybackId, aBridge(), aLeg(), [
        { file: '/b', text: 'b', durationMs: randomInt(random, 0, 900) },
      ]),
    () => random.next() < 0.1 && pbx.cut(randomInt(random, 0, 3_000)),
    () => random.next() < 0.05 && pbx.restart(randomInt(random, 0, 3_000)),
  ]
}

test(`in ${WORLDS} careless worlds all legs and recordings end once, and report nothing afterwards`, async () => {
  for (let seed = 1; seed <= WORLDS; seed++) {
    const { pbx, events, recordings } = await carelessWorld(seed)
    const begun = new Set<LegId>()
    const ended = new Set<LegId>()
    const endedPlaybacks = new Set<PlaybackId>()
    for (const event of events) {
      if (!('leg' in event)) continue
      expect(ended, `seed ${seed}: ${JSON.stringify(event)}`).not.toContain(event.leg)
      begun.add(event.leg)
      if (event.type === 'leg.ended') ended.add(event.leg)
      if (event.type !== 'playback.ended') continue
      expect(endedPlaybacks, `seed ${seed}: ${JSON.stringify(event)}`).not.toContain(event.playback)
      endedPlaybacks.add(event.playback)
    }
    expect(
      [...begun].filter((leg) => !ended.has(leg)),
      `seed ${seed}`,
    ).toEqual([])
    expect(pbx.switch.legs.size + pbx.switch.playbacks.size, `seed ${seed}`).toBe(0)
    const taped = events.flatMap((event) => (event.type === 'recording.ended' ? [event.recording] : []))
    expect(new Set(taped).size, `seed ${seed}`).toBe(taped.length)
    expect(taped, `seed ${seed}`).toEqual(expect.arrayContaining(recordings))
    expect(
      pbx.carrier.calls.filter(({ endedAtMs }) => endedAtMs === undefined),
      `seed ${seed}`,
    ).toEqual([])
  }
})

test('the same seed gives the same world', async () => {
  const [one, two] = [await carelessWorld(7), await carelessWorld(7)]
  expect(two.events).toEqual(one.events)
  expect(one.events.length).toBeGreaterThan(50)
})
