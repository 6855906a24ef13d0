import { describe, expect, test } from 'vitest'
import { BEN, type PbxWorld, toldAbout, type Voice } from '../pbx-world.ts'
import { ANSWERS, RING, type Steps } from '../steps.ts'

/** More than is on its way when a request has been carried out. */
const LONG_MS = 600

/** What an agent does to a conversation; every phone speaks all the time, with a tone of its own. */
export function callControlContract(world: () => PbxWorld, steps: Steps): void {
  async function conversation() {
    const agent = await steps.waitingAgent()
    const dialed = await steps.reached()
    world().pbx.join(agent.bridge, dialed.leg)
    await steps.joined(agent.bridge, dialed.leg)
    await dialed.contact.hearsVoice('agent', LONG_MS)
    return { agent, dialed, bridge: agent.bridge }
  }

  type Talk = Awaited<ReturnType<typeof conversation>>
  type Ear = { voiceMs(voice: Voice): number; hearsVoice(voice: Voice, ms: number): Promise<void> }

  const over = async ({ agent, dialed, bridge }: Talk) => {
    await steps.hungUp(dialed.leg, agent.leg)
    world().pbx.closeBridge(bridge)
  }
  const hearsOn = (ear: Ear, voice: Voice) => ear.hearsVoice(voice, ear.voiceMs(voice) + LONG_MS)

  describe('an agent in a conversation', () => {
    test('is not heard while muted, hears all the time, and is heard again', async () => {
      const talk = await conversation()
      const { agent, dialed } = talk
      world().pbx.mute(agent.leg, true)
      // The request is carried out, and what was on its way has come.
      await hearsOn(agent.phone, 'contact')
      const heardMs = dialed.contact.voiceMs('agent')
      await hearsOn(agent.phone, 'contact')
      expect(dialed.contact.voiceMs('agent')).toBe(heardMs)
      world().pbx.mute(agent.leg, false)
      await hearsOn(dialed.contact, 'agent')
      await over(talk)
    })

    test('stays muted in the next bridge', async () => {
      const talk = await conversation()
      const { agent, dialed } = talk
      world().pbx.mute(agent.leg, true)
      const next = await steps.bridgeWith(dialed.leg, agent.leg)
      await hearsOn(agent.phone, 'contact')
      const heardMs = dialed.contact.voiceMs('agent')
      await hearsOn(agent.phone, 'contact')
      expect(dialed.contact.voiceMs('agent')).toBe(heardMs)
      world().pbx.closeBridge(next)
      await over(talk)
    })

    test('lets the other side wait with music, and takes it back', async () => {
      const talk = await conversation()
      const { agent, dialed, bridge } = talk
      world().pbx.leave(bridge, dialed.leg)
      world().pbx.startMusic(dialed.leg, 'default')
      await dialed.contact.hears(LONG_MS)
      await steps.settled()
      const heardMs = [dialed.contact.voiceMs('agent'), agent.phone.voiceMs('contact')]
      await dialed.contact.hears(2 * LONG_MS)
      expect([dialed.contact.voiceMs('agent'), agent.phone.voiceMs('contact')]).toEqual(heardMs)
      world().pbx.stopMusic(dialed.leg)
      world().pbx.join(bridge, dialed.leg)
      await hearsOn(dialed.contact, 'agent')
      await hearsOn(agent.phone, 'contact')
      expect(toldAbout(world(), dialed.leg)).not.toContain('leg.ended')
      await over(talk)
    })

    test('presses keys for the other side', async () => {
      const talk = await conversation()
      world().pbx.sendDigits(talk.dialed.leg, '12#*0')
      await talk.dialed.contact.getsKeys('12#*0')
      await hearsOn(talk.dialed.contact, 'agent')
      await over(talk)
    })

    test('talks with a third party, and all three with each other', async () => {
      const talk = await conversation()
      const { dialed, bridge } = talk
      const ben = await steps.ringing(ANSWERS, RING, BEN)
      await world().event('leg.answered', { leg: ben.leg })
      world().pbx.leave(bridge, dialed.leg)
      world().pbx.join(bridge, ben.leg)
      await steps.joined(bridge, ben.leg)
      await hearsOn(ben.phone, 'agent')
      const aloneMs = [dialed.contact.voiceMs('supervisor'), dialed.contact.voiceMs('agent')]
      await hearsOn(ben.phone, 'agent')
      expect([dialed.contact.voiceMs('supervisor'), dialed.contact.voiceMs('agent')]).toEqual(aloneMs)
      world().pbx.join(bridge, dialed.leg)
      await Promise.all([hearsOn(dialed.contact, 'agent'), hearsOn(dialed.contact, 'supervisor')])
      await hearsOn(ben.phone, 'contact')
      // The agent leaves the two alone.
      const theirs = await steps.bridgeWith(dialed.leg, ben.leg)
      await hearsOn(dialed.contact, 'supervisor')
      const agentMs = dialed.contact.voiceMs('agent')
      await hearsOn(ben.phone, 'contact')
      expect(dialed.contact.voiceMs('agent')).toBe(agentMs)
      await steps.hungUp(ben.leg)
      world().pbx.closeBridge(theirs)
      await over(talk)
    })
  })
}
