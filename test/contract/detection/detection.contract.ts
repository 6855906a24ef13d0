import { describe, expect, test } from 'vitest'
import type { AttemptId } from '../../../src/kernel/ids.ts'
import type { PbxWorld } from '../pbx-world.ts'
import type { Steps } from '../steps.ts'

/** What is heard of whoever answers: a person, a machine with its greeting, or nobody. */
export function detectionContract(world: () => PbxWorld, steps: Steps): void {
  describe('answering machine detection', () => {
    test.for([
      ['a person', '01', 'person'],
      ['a voicemail', '04', 'machine'],
    ] as const)('finds %s, who can then hear prompts', async ([_, magic, verdict]) => {
      const dialed = await steps.reached(magic)
      world().pbx.detectMachine(dialed.leg)
      expect((await world().event('leg.judged', { leg: dialed.leg })).verdict).toBe(verdict)
      expect(await steps.played(dialed.leg, 'good day')).toBe('finished')
      await steps.hungUp(dialed.leg)
      await steps.hasOneEnd(dialed)
      expect(steps.callsOf(dialed)).toEqual(['leg.ringing', 'leg.answered', 'leg.judged', 'leg.ended'])
    })

    test('hears the end of a greeting with its beep, and then the machine records what is played', async () => {
      const dialed = await steps.reached('04')
      world().pbx.detectMachine(dialed.leg)
      expect((await world().event('leg.judged', { leg: dialed.leg })).verdict).toBe('machine')
      expect(dialed.contact.hasBeeped()).toBe(false)
      expect((await world().event('leg.greetingEnded', { leg: dialed.leg })).by).toBe('beep')
      expect(dialed.contact.hasBeeped()).toBe(true)
      expect(await steps.played(dialed.leg, 'good day')).toBe('finished')
      await steps.hungUp(dialed.leg)
      await steps.hasOneEnd(dialed)
    })

    test('tells how a machine greets, and knows it again at another number', async () => {
      const first = await steps.reached('04')
      world().pbx.detectMachine(first.leg)
      const { print, greeting } = await world().event('leg.greeted', { leg: first.leg })
      expect(greeting).toBeUndefined()
      await steps.hungUp(first.leg)
      const second = await steps.reached('04')
      const id = 7 as AttemptId
      world().pbx.detectMachine(second.leg, [
        { id: 6 as AttemptId, print: 'another', isKnown: true },
        { id, print, isKnown: true },
      ])
      expect((await world().event('leg.greeted', { leg: second.leg })).greeting).toBe(id)
      expect(steps.callsOf(second)).not.toContain('leg.judged')
      expect((await world().event('leg.greetingEnded', { leg: second.leg })).by).toBe('beep')
      await steps.hungUp(second.leg)
      await steps.hasOneEnd(second)
    })

    test('takes silence for nobody', async () => {
      const dialed = await steps.reached('10')
      world().pbx.detectMachine(dialed.leg)
      expect((await world().event('leg.judged', { leg: dialed.leg })).verdict).toBe('unsure')
      await steps.hungUp(dialed.leg)
    })

    test('listens while the leg is in a bridge and talks', async () => {
      const agent = await steps.waitingAgent()
      const dialed = await steps.reached()
      world().pbx.detectMachine(dialed.leg)
      world().pbx.join(agent.bridge, dialed.leg)
      await steps.joined(agent.bridge, dialed.leg)
      expect((await world().event('leg.judged', { leg: dialed.leg })).verdict).toBe('person')
      await dialed.contact.hearsAgent()
      await steps.hungUp(dialed.leg, agent.leg)
      world().pbx.closeBridge(agent.bridge)
    })

    test('ends with the leg, without a verdict', async () => {
      const dialed = await steps.reached('10')
      world().pbx.detectMachine(dialed.leg)
      world().pbx.hangUp(dialed.leg)
      expect((await steps.ended(dialed.leg)).reason).toBe('hungUp')
      await steps.hasOneEnd(dialed)
      expect(steps.callsOf(dialed)).not.toContain('leg.judged')
    })
  })
}
