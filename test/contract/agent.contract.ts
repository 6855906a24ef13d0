import { describe, expect, test } from 'vitest'
import type { Caller } from '../../src/sim/person.ts'
import { ANNA, NOBODY, type PbxWorld, toldAbout } from './pbx-world.ts'
import { ANSWERS, PATIENT, RING, type Steps } from './steps.ts'

/** What an agent's phone and a bridge do; commands for legs and bridges that are gone do nothing. */
export function agentContract(world: () => PbxWorld, steps: Steps): void {
  describe("an agent's phone", () => {
    test('rings, is answered, hears prompts, and ends when we hang up', async () => {
      const { leg } = await steps.answeredAgent()
      expect(await steps.played(leg, 'whisper')).toBe('finished')
      await steps.hungUp(leg)
      await steps.settled()
      const told = toldAbout(world(), leg)
      expect(told[0]).toBe('leg.ringing')
      expect(told.filter((type) => !type.startsWith('playback'))).toEqual(['leg.ringing', 'leg.answered', 'leg.ended'])
    })

    test('can be rung again when the call is over', async () => {
      const { leg } = await steps.answeredAgent()
      await steps.hungUp(leg)
      const again = world().ids.leg()
      world().pbx.ringAgent(again, ANNA, RING)
      await world().event('leg.answered', { leg: again })
      await steps.hungUp(again)
    })

    test('ends when the agent hangs up', async () => {
      const { leg } = await steps.answeredAgent({ ...ANSWERS, hangsUpAfterMs: 200 })
      expect((await steps.ended(leg)).reason).toBe('hungUp')
      await steps.settled()
      expect(steps.endsOf(leg)).toHaveLength(1)
    })

    test.for([
      ['busy', { does: 'busy', afterMs: 100 }],
      ['rejected', { does: 'reject', afterMs: 100 }],
      ['noAnswer', { does: 'ignore', afterMs: 0 }],
    ] as const)('that is %s ends with that cause, and is never reported as answered', async ([reason, person]) => {
      const { leg } = await steps.ringing(person, { ...RING, ringTimeoutMs: reason === 'noAnswer' ? 1_000 : 20_000 })
      expect((await steps.ended(leg)).reason).toBe(reason)
      await steps.settled()
      expect(steps.endsOf(leg)).toHaveLength(1)
      expect(toldAbout(world(), leg)).not.toContain('leg.answered')
    })

    test('without a registration is unreachable', async () => {
      const { leg } = await steps.ringing(ANSWERS, RING, NOBODY)
      expect((await steps.ended(leg)).reason).toBe('unreachable')
      await steps.settled()
      expect(toldAbout(world(), leg)).toEqual(['leg.ended'])
    })

    test('stops ringing when we hang up', async () => {
      const { leg } = await steps.ringing({ does: 'ignore', afterMs: 0 })
      await world().event('leg.ringing', { leg })
      world().pbx.hangUp(leg)
      expect((await steps.ended(leg)).reason).toBe('hungUp')
      await steps.settled()
      expect(toldAbout(world(), leg)).toEqual(['leg.ringing', 'leg.ended'])
    })

    test('ends exactly once if the answer and our hang-up cross', async () => {
      for (const afterMs of [0, 2, 4, 6]) {
        const { leg } = await steps.ringing({ does: 'answer', afterMs })
        await world().event('leg.ringing', { leg })
        world().pbx.hangUp(leg)
        await steps.ended(leg)
        await steps.settled()
        expect(toldAbout(world(), leg).filter((type) => type !== 'leg.answered')).toEqual(['leg.ringing', 'leg.ended'])
        expect(toldAbout(world(), leg).at(-1)).toBe('leg.ended')
      }
    })

    test.for([
      ['leg.heard', ANSWERS],
      ['leg.silent', { ...ANSWERS, isDumb: true }],
    ] as const)('answers a check of its sound with %s', async ([verdict, person]) => {
      const { leg } = await steps.answeredAgent(person)
      world().pbx.checkSound(leg)
      await world().event(verdict, { leg })
      await steps.hungUp(leg)
      await steps.settled()
      expect(toldAbout(world(), leg)).toEqual(['leg.ringing', 'leg.answered', verdict, 'leg.ended'])
    })

    test('hung up before it could ring has one end, too', async () => {
      const { leg } = await steps.ringing(ANSWERS)
      world().pbx.hangUp(leg)
      await steps.ended(leg)
      await steps.settled()
      expect(steps.endsOf(leg)).toHaveLength(1)
    })
  })

  describe('a bridge', () => {
    async function talking(person: Caller = PATIENT, agentPerson = ANSWERS) {
      const { caller, leg } = await steps.answeredCall(person)
      const agent = await steps.answeredAgent(agentPerson)
      const bridge = world().ids.bridge()
      world().pbx.bridge(bridge, [leg, agent.leg])
      await world().event('bridge.joined', { bridge, leg })
      await world().event('bridge.joined', { bridge, leg: agent.leg })
      return { caller, leg, agent, bridge }
    }

    test('lets both hear each other', async () => {
      const { caller, leg, agent, bridge } = await talking()
      await caller.hearsAgent()
      await agent.phone.hearsCaller()
      await steps.hungUp(leg, agent.leg)
      world().pbx.closeBridge(bridge)
    })

    test('keeps the agent if the caller hangs up, until we end the leg', async () => {
      const { caller, leg, agent, bridge } = await talking({ hangsUpAfterMs: 1_500 })
      await steps.ended(leg)
      await caller.result()
      expect(await steps.played(agent.leg, 'still there')).toBe('finished')
      await steps.settled()
      expect(toldAbout(world(), agent.leg)).not.toContain('leg.ended')
      await steps.hungUp(agent.leg)
      world().pbx.closeBridge(bridge)
    })

    test('keeps the caller if the agent hangs up, and the caller can be served further', async () => {
      const { leg, agent, bridge } = await talking(PATIENT, { ...ANSWERS, hangsUpAfterMs: 800 })
      await steps.ended(agent.leg)
      world().pbx.closeBridge(bridge)
      expect(await steps.played(leg, 'goodbye')).toBe('finished')
      expect(toldAbout(world(), leg)).not.toContain('leg.ended')
      await steps.hungUp(leg)
    })

    test('that is closed leaves both legs up', async () => {
      const { leg, agent, bridge } = await talking()
      world().pbx.closeBridge(bridge)
      await world().event('playback.ended', steps.play(leg, 'a'))
      await world().event('playback.ended', steps.play(agent.leg, 'b'))
      await steps.hungUp(leg, agent.leg)
    })

    test('stops the prompt that one of the legs is hearing', async () => {
      const { leg } = await steps.answeredCall()
      const agent = await steps.answeredAgent()
      const prompt = steps.play(leg, 'long', 60_000)
      await world().event('playback.started', prompt)
      const bridge = world().ids.bridge()
      world().pbx.bridge(bridge, [leg, agent.leg])
      await world().event('bridge.joined', { bridge, leg })
      await world().event('bridge.joined', { bridge, leg: agent.leg })
      expect((await world().event('playback.ended', prompt)).result).toBe('stopped')
      await steps.hungUp(leg, agent.leg)
      world().pbx.closeBridge(bridge)
    })
  })

  test('commands for legs and bridges that are gone, or never existed, change nothing', async () => {
    const { leg } = await steps.answeredCall()
    const prompt = steps.play(leg, 'a')
    await world().event('playback.ended', prompt)
    await steps.hungUp(leg)
    const toldBefore = toldAbout(world(), leg)
    const { pbx } = world()
    const bridge = world().ids.bridge()
    pbx.answer(leg)
    pbx.reject(leg, 'busy')
    pbx.stopPlaying(prompt.playback)
    steps.play(leg, 'too late')
    pbx.startMusic(leg, 'default')
    pbx.stopMusic(leg)
    pbx.bridge(bridge, [leg])
    pbx.closeBridge(bridge)
    pbx.closeBridge(world().ids.bridge())
    pbx.hangUp(leg)
    pbx.hangUp(world().ids.leg())
    await steps.settled()
    expect(toldAbout(world(), leg)).toEqual(toldBefore)
  })
}
