import { describe, expect, test } from 'vitest'
import type { BridgeId, LegId } from '../../src/kernel/ids.ts'
import { BEN, type PbxWorld, playbackId, toldAbout } from './pbx-world.ts'
import { ANSWERS, RING, type Steps } from './steps.ts'

/** Agents who wait in bridges of their own, customers who join and leave, and playback and recording there. */
export function bridgeContract(world: () => PbxWorld, steps: Steps): void {
  /** A waiting agent, and a callee who joined. */
  async function conversation(magic = '01') {
    const agent = await steps.waitingAgent()
    const dialed = await steps.reached(magic)
    world().pbx.join(agent.bridge, dialed.leg)
    await steps.joined(agent.bridge, dialed.leg)
    return { agent, dialed, bridge: agent.bridge }
  }

  async function over(bridge: BridgeId, ...legs: LegId[]): Promise<void> {
    await steps.hungUp(...legs)
    world().pbx.closeBridge(bridge)
  }

  describe('an agent who waits in a bridge of their own', () => {
    test('hears a customer and is heard, after one command', async () => {
      const { agent, dialed, bridge } = await conversation()
      await dialed.contact.hearsAgent()
      await agent.phone.hearsCaller()
      await over(bridge, dialed.leg, agent.leg)
    })

    test('stays when that customer hangs up, and takes the next', async () => {
      const { agent, dialed, bridge } = await conversation('09')
      await steps.ended(dialed.leg)
      const next = await steps.reached()
      world().pbx.join(bridge, next.leg)
      await steps.joined(bridge, next.leg)
      await next.contact.hearsAgent()
      expect(toldAbout(world(), agent.leg)).not.toContain('leg.ended')
      await over(bridge, next.leg, agent.leg)
    })

    test('can be left by a customer, and both stay on the line', async () => {
      const { agent, dialed, bridge } = await conversation()
      world().pbx.leave(bridge, dialed.leg)
      expect(await steps.played(dialed.leg, 'one moment')).toBe('finished')
      expect(await steps.played(agent.leg, 'free again')).toBe('finished')
      const elsewhere = await steps.bridgeWith(dialed.leg)
      world().pbx.closeBridge(elsewhere)
      await over(bridge, dialed.leg, agent.leg)
    })

    test('takes over a customer from another bridge', async () => {
      const agent = await steps.waitingAgent()
      const dialed = await steps.reached()
      const before = await steps.bridgeWith(dialed.leg)
      world().pbx.join(agent.bridge, dialed.leg)
      await steps.joined(agent.bridge, dialed.leg)
      await dialed.contact.hearsAgent()
      world().pbx.closeBridge(before)
      expect(await steps.played(dialed.leg, 'still there')).toBe('finished')
      await over(agent.bridge, dialed.leg, agent.leg)
    })

    test("does not wait for the end of the customer's prompt", async () => {
      const agent = await steps.waitingAgent()
      const dialed = await steps.reached()
      const prompt = steps.play(dialed.leg, 'long', 60_000)
      await world().event('playback.started', prompt)
      world().pbx.join(agent.bridge, dialed.leg)
      await steps.joined(agent.bridge, dialed.leg)
      expect((await world().event('playback.ended', prompt)).result).toBe('stopped')
      await over(agent.bridge, dialed.leg, agent.leg)
    })
  })

  test('a bridge that somebody else deletes is made anew: those in it hear each other again', async () => {
    const { agent, dialed, bridge } = await conversation()
    await Promise.all([dialed.contact.hearsVoice('agent', 300), agent.phone.hearsVoice('contact', 300)])
    await world().loseBridge(bridge)
    const heard = [dialed.contact.voiceMs('agent'), agent.phone.voiceMs('contact')] as const
    await dialed.contact.hearsVoice('agent', heard[0] + 1_000)
    await agent.phone.hearsVoice('contact', heard[1] + 1_000)
    expect(dialed.contact.voiceMs('agent')).toBeGreaterThan(heard[0] + 900)
    expect(agent.phone.voiceMs('contact')).toBeGreaterThan(heard[1] + 900)
    await over(bridge, dialed.leg, agent.leg)
  })

  describe('a prompt played into a bridge', () => {
    function playInto(bridge: BridgeId, leg: LegId, name: string, durationMs: number) {
      const prompt = { playback: playbackId(leg, name), leg }
      world().pbx.playInBridge(prompt.playback, bridge, leg, [world().sound(name, durationMs)])
      return prompt
    }

    test('is reported under the name of the given leg, from its beginning to its end', async () => {
      const { agent, dialed, bridge } = await conversation()
      const prompt = playInto(bridge, dialed.leg, 'recorded', 500)
      await world().event('playback.started', prompt)
      expect((await world().event('playback.ended', prompt)).result).toBe('finished')
      await dialed.contact.hears(400)
      await over(bridge, dialed.leg, agent.leg)
    })

    test('can be stopped', async () => {
      const { agent, dialed, bridge } = await conversation()
      const prompt = playInto(bridge, agent.leg, 'long whisper', 60_000)
      await world().event('playback.started', prompt)
      world().pbx.stopPlaying(prompt.playback)
      expect((await world().event('playback.ended', prompt)).result).toBe('stopped')
      await over(bridge, dialed.leg, agent.leg)
    })

    test('reaches an agent who is alone in it', async () => {
      const agent = await steps.waitingAgent()
      expect((await world().event('playback.ended', playInto(agent.bridge, agent.leg, 'whisper', 400))).result).toBe(
        'finished',
      )
      await over(agent.bridge, agent.leg)
    })

    test('fails if the bridge does not exist, and the leg stays up', async () => {
      const dialed = await steps.reached()
      const prompt = playInto(world().ids.bridge(), dialed.leg, 'nowhere', 400)
      expect((await world().event('playback.ended', prompt)).result).toBe('failed')
      expect(await steps.played(dialed.leg, 'good')).toBe('finished')
      await steps.hungUp(dialed.leg)
    })
  })

  describe('a recording', () => {
    const endsOf = (recording: string) =>
      world().events.filter((event) => event.type === 'recording.ended' && event.recording === recording)

    test('of a customer is stored when it is stopped: the customer is left, the other side right', async () => {
      const { agent, dialed, bridge } = await conversation()
      const recording = steps.newRecording()
      world().pbx.record(recording, dialed.leg)
      await dialed.contact.hears(600)
      world().pbx.stopRecording(recording)
      world().pbx.stopRecording(recording)
      expect(await world().event('recording.ended', { recording })).toMatchObject({ result: 'stored' })
      const tape = world().onTape(recording)
      expect(tape).toMatchObject({ left: ['contact'], right: ['agent'] })
      expect(tape.ms).toBeGreaterThan(0)
      await dialed.contact.hears(900)
      await over(bridge, dialed.leg, agent.leg)
      await steps.settled()
      expect(endsOf(recording)).toHaveLength(1)
    })

    test('continues through bridges and a change of the engine, and ends with its leg', async () => {
      const { agent, dialed, bridge } = await conversation()
      const recording = steps.newRecording()
      world().pbx.record(recording, dialed.leg)
      await dialed.contact.hears(300)
      await world().replaceEngine([agent.leg, dialed.leg], [bridge])
      world().pbx.closeBridge(bridge)
      const next = await steps.bridgeWith(dialed.leg, agent.leg)
      await dialed.contact.hears(600)
      expect(endsOf(recording)).toEqual([])
      await over(next, dialed.leg, agent.leg)
      world().pbx.stopRecording(recording)
      expect((await world().event('recording.ended', { recording })).result).toBe('stored')
      expect(world().onTape(recording).right).toEqual(['agent'])
      await steps.settled()
      expect(endsOf(recording)).toHaveLength(1)
    })

    // Phones number their packets from anywhere: where the numbers go back, the second agent is not on the tape.
    test.each([1, 2, 3, 4, 5, 6])('has the next agent after another one and music (%d)', async () => {
      const ben = await steps.ringing(ANSWERS, RING, BEN)
      await world().event('leg.answered', { leg: ben.leg })
      const dialed = await steps.reached()
      const recording = steps.newRecording()
      const before = await steps.bridgeWith(ben.leg, dialed.leg)
      world().pbx.record(recording, dialed.leg)
      await dialed.contact.hearsVoice('supervisor', 400)
      world().pbx.leave(before, dialed.leg)
      world().pbx.startMusic(dialed.leg, 'default')
      const agent = await steps.waitingAgent()
      world().pbx.stopMusic(dialed.leg)
      world().pbx.join(agent.bridge, dialed.leg)
      await steps.joined(agent.bridge, dialed.leg)
      await dialed.contact.hearsVoice('agent', 600)
      world().pbx.stopRecording(recording)
      expect((await world().event('recording.ended', { recording })).result).toBe('stored')
      expect(world().onTape(recording).right).toContain('agent')
      await over(before, ben.leg)
      await over(agent.bridge, dialed.leg, agent.leg)
    })

    test('of a leg that does not exist fails', async () => {
      const recording = steps.newRecording()
      world().pbx.record(recording, world().ids.leg())
      expect((await world().event('recording.ended', { recording })).result).toBe('failed')
      await steps.settled()
      expect(endsOf(recording)).toHaveLength(1)
    })
  })

  test('commands for a dialed leg that is gone, or never existed, change nothing', async () => {
    const { leg } = await steps.reached()
    const agent = await steps.waitingAgent()
    await steps.hungUp(leg)
    const before = [toldAbout(world(), leg), toldAbout(world(), agent.leg)]
    const { pbx } = world()
    const never = world().ids.leg()
    for (const gone of [leg, never]) {
      pbx.join(agent.bridge, gone)
      pbx.leave(agent.bridge, gone)
      pbx.mute(gone, true)
      pbx.sendDigits(gone, '1')
      pbx.detectMachine(gone)
      pbx.playInBridge(playbackId(gone, 'too late'), agent.bridge, gone, [world().sound('too late', 300)])
    }
    pbx.join(world().ids.bridge(), agent.leg)
    pbx.leave(world().ids.bridge(), agent.leg)
    pbx.stopRecording(steps.newRecording())
    await steps.settled()
    expect([toldAbout(world(), leg), toldAbout(world(), agent.leg)]).toEqual(before)
    expect(toldAbout(world(), never)).toEqual([])
    await over(agent.bridge, agent.leg)
  })
}
