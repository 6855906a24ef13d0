import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { AriEvent } from '../../src/ari/ari-types.ts'
import { ChannelRegistry } from '../../src/ari/channel-registry.ts'
import { translate } from '../../src/ari/translate-events.ts'
import type { BridgeId, LegId, PlaybackId } from '../../src/kernel/ids.ts'
import type { PbxEvent } from '../../src/ports/pbx.ts'

const CALLER = 'ast1-1.0' as LegId
const AGENT = 'sb-leg-1' as LegId
const PLAYBACK = 'sb-play-1' as PlaybackId
const BRIDGE = 'sb-bridge-1' as BridgeId

const event = (type: string, channel: string, more: object = {}) =>
  ({
    type,
    ...more,
    channel: { id: channel, state: 'Up', caller: { number: '100' }, dialplan: { exten: '200' }, ...more },
  }) as unknown as AriEvent
const playback = (type: string, state: string) => ({ type, playback: { id: PLAYBACK, state } }) as unknown as AriEvent

const arrival = event('StasisStart', CALLER, { args: ['arrived', '+4570001000'], state: 'Ring' })
const ringing = event('ChannelStateChange', AGENT, { state: 'Ringing' })
const agentAnswers = event('StasisStart', AGENT, { args: ['dialed'] })
const callerEnds = event('StasisEnd', CALLER)
const agentEnds = event('ChannelDestroyed', AGENT, { cause: 16 })

/** A call as Asterisk tells it: a caller hears a prompt, is bridged with an agent, hangs up. */
const STORY: readonly AriEvent[] = [
  arrival,
  event('ChannelStateChange', CALLER),
  playback('PlaybackStarted', 'playing'),
  event('ChannelDtmfReceived', CALLER, { digit: '4', duration_ms: 120, timestamp: '2026-11-23T10:00:00.000+0000' }),
  playback('PlaybackStarted', 'playing'),
  playback('PlaybackFinished', 'done'),
  ringing,
  event('ChannelStateChange', AGENT),
  agentAnswers,
  event('ChannelEnteredBridge', CALLER, { bridge: { id: BRIDGE } }),
  event('ChannelEnteredBridge', AGENT, { bridge: { id: BRIDGE } }),
  callerEnds,
  event('StasisEnd', AGENT),
  agentEnds,
]

/** A playback as it is asked for. */
const ASKED = {
  id: PLAYBACK,
  leg: CALLER,
  sounds: [],
  hearsVoice: false,
  part: PLAYBACK,
  volume: 'full',
  at: { sound: 0, offsetMs: 0 },
  durationMs: 1,
  endsAtMs: 1,
  sent: true,
  watch: undefined,
} as const

/** Plays events to a ledger in which the agent's phone, a playback and a bridge were asked for. */
function told(events: readonly AriEvent[], prepare: (registry: ChannelRegistry) => void = () => undefined) {
  const registry = new ChannelRegistry()
  const facts: PbxEvent[] = []
  const strays: LegId[] = []
  const made: LegId[] = []
  const ears: string[] = []
  const gone: LegId[] = []
  const recorded: string[] = []
  const listening: string[] = []
  const target = {
    emit: (fact: PbxEvent) => facts.push(fact),
    stray: (leg: LegId) => strays.push(leg),
    doubted: () => undefined,
    made: (leg: LegId) => made.push(leg),
    hearing: (ear: string, leg: LegId) => ears.push(`${ear} of ${leg}`),
    ending: () => undefined,
    gone: (leg: LegId) => gone.push(leg),
    listening: (side: string) => listening.push(side),
    whenFinal: (_: LegId, tell: () => void) => tell(),
    left: () => undefined,
    recorded: ({ recording }: { recording: { name: string } }) => recorded.push(recording.name),
    sounding: () => {},
    played: () => {},
  }
  registry.addLeg(AGENT, 'dialed')
  prepare(registry)
  for (const one of events) {
    translate(one, registry, target)
    const caller = registry.legs.get(CALLER)
    if (one !== arrival || !caller || registry.playbacks.size > 0) continue
    registry.addPlayback({ ...ASKED, started: false, stopAsked: false }, caller)
    const bridge = registry.openBridge(BRIDGE)
    for (const leg of registry.legs.values()) registry.putInto(bridge, leg)
  }
  return { facts, strays, made, ears, gone, recorded, listening, registry, types: facts.map(({ type }) => type) }
}

describe('a call', () => {
  test('is reported in events of the port, each fact once', () => {
    const { facts } = told(STORY)
    expect(facts).toEqual([
      { type: 'leg.arrived', leg: CALLER, called: '+4570001000', caller: '100' },
      { type: 'leg.answered', leg: CALLER },
      { type: 'playback.started', leg: CALLER, playback: PLAYBACK },
      { type: 'leg.digit', leg: CALLER, digit: '4', heldMs: 120 },
      { type: 'playback.ended', leg: CALLER, playback: PLAYBACK, result: 'finished' },
      { type: 'leg.ringing', leg: AGENT },
      { type: 'leg.answered', leg: AGENT },
      { type: 'bridge.joined', bridge: BRIDGE, leg: CALLER },
      { type: 'bridge.joined', bridge: BRIDGE, leg: AGENT },
      { type: 'leg.ended', leg: CALLER, reason: 'hungUp' },
      { type: 'leg.ended', leg: AGENT, reason: 'hungUp' },
    ])
  })

  test('given every event doubled, the facts are the same', () => {
    const doubled = STORY.flatMap((one): AriEvent[] => (one.type === 'ChannelDtmfReceived' ? [one] : [one, one]))
    expect(told(doubled).facts).toEqual(told(STORY).facts)
  })

  test('given its events in any order and number, a leg ends at most once and is silent afterwards', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...STORY), { maxLength: 40 }), (events) => {
        const { facts, registry } = told(events)
        const ended = new Set<LegId>()
        for (const fact of facts) {
          if (!('leg' in fact)) continue
          expect(ended).not.toContain(fact.leg)
          if (fact.type === 'leg.ended') ended.add(fact.leg)
        }
        if (events.includes(callerEnds)) expect(registry.legs.has(CALLER) && !ended.has(CALLER)).toBe(false)
      }),
      { seed: 4711, numRuns: 2_000 },
    )
  })
})

describe('single events', () => {
  test('given the end before the beginning, the leg never arrives', () => {
    expect(told([callerEnds, arrival]).types).toEqual([])
  })

  test('given an agent who answers after the cancellation, the agent is hung up', () => {
    const { facts, strays } = told([agentEnds, agentAnswers])
    expect(facts).toHaveLength(1)
    expect(strays).toEqual([AGENT])
  })

  test('given a withheld number, there is no caller', () => {
    const withheld = event('StasisStart', CALLER, { args: ['arrived', '200'], caller: { number: 'anonymous' } })
    expect(told([withheld]).facts).toEqual([{ type: 'leg.arrived', leg: CALLER, called: '200' }])
  })

  test('given a dialplan that passes no arguments, the dialed extension is the called number', () => {
    expect(told([event('StasisStart', CALLER, { args: [] })]).facts).toMatchObject([{ called: '200' }])
  })

  test.each([
    ['done', false, 'finished'],
    ['done', true, 'stopped'],
    ['failed', false, 'failed'],
  ])('a playback that is "%s", and stopped by us: %s, is told as %s', (state, stopAsked, result) => {
    const stop = (registry: ChannelRegistry) => {
      const leg = registry.addLeg(CALLER, 'arrived')
      registry.addPlayback({ ...ASKED, started: true, stopAsked }, leg)
    }
    const end = playback('PlaybackFinished', state)
    expect(told([end, end], stop).facts).toEqual([{ type: 'playback.ended', leg: CALLER, playback: PLAYBACK, result }])
  })

  test('given a caller who hangs up in a prompt, only the end of the leg is reported', () => {
    const hangUp = { type: 'ChannelHangupRequest', channel: { id: CALLER } } as unknown as AriEvent
    const ending = [hangUp, playback('PlaybackStarted', 'playing'), playback('PlaybackFinished', 'failed'), callerEnds]
    expect(told([arrival, ...ending]).types).toEqual(['leg.arrived', 'leg.ended'])
  })

  test('given a hang-up that no person caused, the end is a failure', () => {
    const noChannel = event('ChannelHangupRequest', CALLER, { cause: 44 })
    expect(told([arrival, noChannel, callerEnds]).facts.at(-1)).toMatchObject({ type: 'leg.ended', reason: 'failed' })
  })

  test('given a busy agent, the end carries reason and status', () => {
    const busy = event('ChannelDestroyed', AGENT, { cause: 17, tech_cause: 486 })
    expect(told([busy]).facts).toEqual([{ type: 'leg.ended', leg: AGENT, reason: 'busy', code: 486 }])
  })
})
