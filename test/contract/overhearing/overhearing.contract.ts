import { describe, expect, test } from 'vitest'
import type { OverhearingVoice } from '../../../src/ports/pbx.ts'
import { BEN, type PbxWorld, toldAbout } from '../pbx-world.ts'
import { ANSWERS, RING, type Steps } from '../steps.ts'

const LONG_MS = 600

/** A supervisor's leg that overhears a conversation; every phone speaks all the time, with a tone of its own. */
export function overhearingContract(world: () => PbxWorld, steps: Steps): void {
  async function conversation() {
    const agent = await steps.waitingAgent()
    const dialed = await steps.reached()
    world().pbx.join(agent.bridge, dialed.leg)
    await steps.joined(agent.bridge, dialed.leg)
    return { agent, dialed, bridge: agent.bridge }
  }

  type Talk = Awaited<ReturnType<typeof conversation>>

  async function supervised(voice: OverhearingVoice) {
    const talk = await conversation()
    const ben = await steps.ringing(ANSWERS, RING, BEN)
    await world().event('leg.answered', { leg: ben.leg })
    world().pbx.overhear(ben.leg, talk.agent.leg, voice)
    await world().event('leg.overhears', { leg: ben.leg })
    return { ...talk, ben }
  }

  async function over({ agent, dialed, bridge }: Talk): Promise<void> {
    await steps.hungUp(dialed.leg, agent.leg)
    world().pbx.closeBridge(bridge)
  }

  describe('a leg that overhears an agent', () => {
    test('hears both sides, and not a frame of its voice reaches them', async () => {
      const { ben, ...talk } = await supervised('unheard')
      await ben.phone.hearsVoice('agent', LONG_MS)
      await ben.phone.hearsVoice('contact', LONG_MS)
      await talk.dialed.contact.hearsVoice('agent', LONG_MS)
      expect([talk.agent.phone, talk.dialed.contact].map((one) => one.voiceMs('supervisor'))).toEqual([0, 0])
      await steps.hungUp(ben.leg)
      await over(talk)
    })

    test('whispers to the agent alone, and is silent again', async () => {
      const { ben, ...talk } = await supervised('whispered')
      await talk.agent.phone.hearsVoice('supervisor', LONG_MS)
      await ben.phone.hearsVoice('contact', LONG_MS)
      expect(talk.dialed.contact.voiceMs('supervisor')).toBe(0)
      const told = () => toldAbout(world(), ben.leg).filter((type) => type === 'leg.overhears').length
      const before = told()
      world().pbx.overhear(ben.leg, talk.agent.leg, 'unheard')
      const isTold = async () => {
        await steps.settled()
        return told() === before + 1
      }
      await expect.poll(isTold, { timeout: 20_000 }).toBe(true)
      const contactMs = ben.phone.voiceMs('contact')
      // Packets that were on their way have come by now.
      await ben.phone.hearsVoice('contact', contactMs + LONG_MS)
      const whisperedMs = talk.agent.phone.voiceMs('supervisor')
      await ben.phone.hearsVoice('contact', contactMs + 2 * LONG_MS)
      expect(talk.agent.phone.voiceMs('supervisor')).toBe(whisperedMs)
      await steps.hungUp(ben.leg)
      await over(talk)
    })

    test('joins the conversation: both hear it', async () => {
      const { ben, ...talk } = await supervised('unheard')
      world().pbx.join(talk.bridge, ben.leg)
      await steps.joined(talk.bridge, ben.leg)
      await talk.dialed.contact.hearsVoice('supervisor', LONG_MS)
      await talk.agent.phone.hearsVoice('supervisor', LONG_MS)
      await ben.phone.hearsVoice('contact', LONG_MS)
      world().pbx.overhear(ben.leg, talk.agent.leg, 'unheard')
      await talk.dialed.contact.hearsVoice('agent', LONG_MS)
      await steps.hungUp(ben.leg)
      expect(toldAbout(world(), talk.dialed.leg)).not.toContain('leg.ended')
      await over(talk)
    })

    test('leaves the conversation as it was', async () => {
      const { ben, ...talk } = await supervised('whispered')
      await steps.hungUp(ben.leg)
      const heardMs = talk.dialed.contact.voiceMs('agent')
      await talk.dialed.contact.hearsVoice('agent', heardMs + LONG_MS)
      expect(steps.endsOf(talk.agent.leg)).toEqual([])
      await over(talk)
    })

    test('is told when that leg has ended, and stays up', async () => {
      const { ben, ...talk } = await supervised('unheard')
      await steps.hungUp(talk.agent.leg)
      await world().event('leg.overhearsNot', { leg: ben.leg })
      expect(steps.endsOf(ben.leg)).toEqual([])
      await steps.hungUp(ben.leg, talk.dialed.leg)
      world().pbx.closeBridge(talk.bridge)
    })

    test('is told when there is no such leg', async () => {
      const ben = await steps.ringing(ANSWERS, RING, BEN)
      await world().event('leg.answered', { leg: ben.leg })
      world().pbx.overhear(ben.leg, world().ids.leg(), 'unheard')
      await world().event('leg.overhearsNot', { leg: ben.leg })
      await steps.hungUp(ben.leg)
    })

    test('is gone when another engine replaces this one; the conversation goes on', async () => {
      const { ben, ...talk } = await supervised('whispered')
      const bensMs = talk.agent.phone.voiceMs('supervisor')
      await world().replaceEngine([talk.agent.leg, talk.dialed.leg], [talk.bridge])
      const heardMs = talk.dialed.contact.voiceMs('agent')
      await talk.dialed.contact.hearsVoice('agent', heardMs + LONG_MS)
      const whisperedMs = talk.agent.phone.voiceMs('supervisor')
      await talk.dialed.contact.hearsVoice('agent', heardMs + 2 * LONG_MS)
      expect([talk.agent.phone.voiceMs('supervisor'), whisperedMs >= bensMs]).toEqual([whisperedMs, true])
      expect(talk.dialed.contact.voiceMs('supervisor')).toBe(0)
      await over(talk)
    })
  })
}
