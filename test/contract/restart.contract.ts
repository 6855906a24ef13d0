import { describe, expect, test } from 'vitest'
import type { LegId } from '../../src/kernel/ids.ts'
import type { PbxEvent } from '../../src/ports/pbx.ts'
import { type PbxWorld, toldAbout } from './pbx-world.ts'
import type { Steps } from './steps.ts'

/** What a replacing engine finds after it has named the legs and bridges that it expects. */
export function restartContract(world: () => PbxWorld, steps: Steps): void {
  /** The events of these legs before `pbx.up`. */
  const foundFirst = (told: readonly PbxEvent[], ...legs: readonly LegId[]) => {
    const upAt = told.findIndex(({ type }) => type === 'pbx.up')
    return told.slice(0, upAt).filter((event) => 'leg' in event && legs.includes(event.leg))
  }

  describe('a replacing engine', () => {
    test('finds the expected conversation, which continues', async () => {
      const agent = await steps.waitingAgent()
      const { leg, contact } = await steps.reached()
      const { bridge } = agent
      world().pbx.join(bridge, leg)
      await steps.joined(bridge, leg)

      const told = await world().replaceEngine([agent.leg, leg], [bridge])
      const found = { type: 'leg.found', isUp: true, bridge }
      expect(new Set(foundFirst(told, agent.leg, leg))).toEqual(
        new Set([
          { ...found, leg: agent.leg },
          { ...found, leg },
        ]),
      )
      expect(told.filter(({ type }) => type === 'bridge.found')).toEqual([])
      await contact.hearsAgent()
      await agent.phone.hearsCaller()
      await steps.hungUp(leg)
      expect(await steps.played(agent.leg, 'still there')).toBe('finished')
      await steps.hungUp(agent.leg)
      world().pbx.closeBridge(bridge)
    })

    test('finds a waiting agent, and can let a customer join', async () => {
      const agent = await steps.waitingAgent()
      const told = await world().replaceEngine([agent.leg], [agent.bridge])
      expect(foundFirst(told, agent.leg)).toEqual([
        { type: 'leg.found', leg: agent.leg, isUp: true, bridge: agent.bridge },
      ])
      const { leg, contact } = await steps.reached()
      world().pbx.join(agent.bridge, leg)
      await steps.joined(agent.bridge, leg)
      await contact.hearsAgent()
      await steps.hungUp(leg, agent.leg)
      world().pbx.closeBridge(agent.bridge)
    })

    test('answers a caller again at once, also while a prompt of the earlier engine plays', async () => {
      const { leg } = await steps.answeredCall()
      const { playback } = steps.play(leg, 'still from the earlier engine', 20_000)
      await world().event('playback.started', { leg, playback })
      const told = await world().replaceEngine([leg], [])
      expect(foundFirst(told, leg)).toEqual([{ type: 'leg.found', leg, isUp: true }])
      world().pbx.answer(leg)
      // Neither the answer nor another call waits for the end of the prompt.
      await steps.settled()
      expect(toldAbout(world(), leg).filter((type) => type === 'leg.answered')).toHaveLength(2)
      await steps.hungUp(leg)
    })

    test('connects a caller behind a prompt of the earlier engine, and nobody waits for its end', async () => {
      const { leg } = await steps.answeredCall()
      const { playback } = steps.play(leg, 'still from the earlier engine', 8_000)
      await world().event('playback.started', { leg, playback })
      await world().replaceEngine([leg], [])
      const agent = await steps.waitingAgent()
      world().pbx.join(agent.bridge, leg)
      await steps.settled()
      expect(toldAbout(world(), leg)).not.toContain('bridge.joined')
      await steps.joined(agent.bridge, leg)
      await agent.phone.hearsCaller()
      await steps.hungUp(leg, agent.leg)
      world().pbx.closeBridge(agent.bridge)
    })

    test('is heard behind a prompt of the earlier engine, however long that is', async () => {
      const { leg } = await steps.answeredCall()
      const { playback } = steps.play(leg, 'still from the earlier engine', 14_000)
      await world().event('playback.started', { leg, playback })
      await world().replaceEngine([leg], [])
      expect(await steps.played(leg, 'from the next engine')).toBe('finished')
      await steps.hungUp(leg)
    })

    test('finds a ringing line, and gets its answer', async () => {
      const { leg } = steps.dial('11')
      await world().event('leg.ringing', { leg })
      const told = await world().replaceEngine([leg], [])
      expect(foundFirst(told, leg)).toEqual([{ type: 'leg.found', leg, isUp: false }])
      await world().event('leg.answered', { leg })
      await steps.hungUp(leg)
      await steps.settled()
      expect(steps.endsOf(leg)).toHaveLength(1)
    })

    test('is notified that a missing leg is lost', async () => {
      const { leg } = await steps.reached()
      await steps.hungUp(leg)
      const never = world().ids.leg()
      const told = await world().replaceEngine([leg, never], [world().ids.bridge()])
      expect(foundFirst(told, leg, never)).toEqual([
        { type: 'leg.ended', leg, reason: 'lost' },
        { type: 'leg.ended', leg: never, reason: 'lost' },
      ])
      await steps.settled()
      expect(told.filter((event) => 'leg' in event && event.leg === never)).toHaveLength(1)
    })

    test('closes dialed legs that it does not expect', async () => {
      const { leg, contact } = await steps.reached()
      const toldBefore = toldAbout(world(), leg)
      await world().replaceEngine([], [])
      expect(await contact.endedBy()).toBe('switch')
      await steps.settled()
      expect(toldAbout(world(), leg)).toEqual(toldBefore)
    })
  })
}
