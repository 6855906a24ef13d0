/** What holds in every life of a phone, whatever happens in it. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { PhoneEvent } from '../../src/console/phone/phone-messages.ts'
import { live, Rig } from './phone-rig.ts'

/** All that can happen to a phone, in any order. */
const LEG = fc.constantFrom('a', 'b', 'c')
const ANY_EVENT: fc.Arbitrary<PhoneEvent> = fc.oneof(
  fc.record({
    type: fc.constantFrom(
      ...(['start', 'takeOver', 'lock.taken', 'lock.held', 'lock.lost', 'microphone.open', 'microphone.lost'] as const),
      ...(['devices.changed', 'credentials.given', 'credentials.elsewhere', 'credentials.failed', 'taken'] as const),
      ...(['registered', 'signal.lost', 'registration.refused', 'renegotiated', 'renegotiation.refused'] as const),
      ...(['network.changed', 'beeped', 'mute.unsaid'] as const),
    ),
  }),
  fc.record({ type: fc.constant('microphone.failed' as const), why: fc.constantFrom('notFound', 'inUse') }),
  fc.record({ type: fc.constantFrom('invite', 'leg.expected', 'leg.ended'), leg: LEG }),
  fc.record({ type: fc.constantFrom('session.connected', 'session.ended', 'sound.back', 'sound.failed'), leg: LEG }),
  fc.record({ type: fc.constant('sound.unstable' as const), leg: LEG, way: fc.constantFrom('in', 'out') }),
  fc.record({ type: fc.constant('call' as const), isUp: fc.boolean() }),
  fc.record({ type: fc.constant('voice' as const), isHeard: fc.boolean() }),
  fc.record({ type: fc.constant('mute' as const), isMuted: fc.boolean() }),
)
const ANY_LIFE = fc.array(fc.oneof({ weight: 5, arbitrary: ANY_EVENT }, { weight: 1, arbitrary: fc.nat(9_000) }), {
  maxLength: 60,
  size: 'max',
})

/** Whether the page has a microphone that the phone controls, by what it was told and did. */
function hasMicrophone(before: boolean, event: unknown, said: readonly string[]): boolean {
  if (said.some((one) => one === 'openMicrophone' || one === 'closeMicrophone')) return false
  const { type = '' } = event as Partial<PhoneEvent>
  if (type === 'microphone.lost') return false
  return before || type === 'microphone.open'
}

test('no leg is answered without an open microphone, whatever happens', () => {
  const answered = { withOne: 0, refused: 0 }
  fc.assert(
    fc.property(ANY_LIFE, (life) => {
      const rig = live()
      let isOpen = true
      for (const event of life) {
        const said = (typeof event === 'number' ? rig.wait(event) : rig.tell(event)).said()
        const answers = said.filter((one) => one.startsWith('answer')).length
        expect(answers > 0 && !isOpen).toBe(false)
        answered.withOne += answers
        if (!isOpen && said.some((one) => one.startsWith('refuse'))) answered.refused++
        isOpen = hasMicrophone(isOpen, event, said)
      }
    }),
    { numRuns: 2_000, seed: 7 },
  )
  // The lives were such that it could have happened.
  expect(Math.min(answered.withOne, answered.refused)).toBeGreaterThan(50)
})

test('only a person unmutes: whatever happens, the microphone is never open against their last word', () => {
  const opened = { muted: 0, heard: 0 }
  fc.assert(
    fc.property(fc.boolean(), ANY_LIFE, (beginsLive, life) => {
      const rig = beginsLive ? live() : new Rig()
      let isMuted = false
      let isInCall = false
      rig.said()
      for (const event of life) {
        if (typeof event === 'number') rig.wait(event)
        else rig.tell(event)
        if (typeof event === 'object' && event.type === 'mute') isMuted = event.isMuted
        if (typeof event === 'object' && event.type === 'call') isInCall = event.isUp
        const isOpened = rig.said().includes('openSound true')
        expect(isOpened && (isMuted || !isInCall)).toBe(false)
        if (isMuted && isInCall) opened.muted++
        if (isOpened) opened.heard++
      }
    }),
    { numRuns: 2_000, seed: 7 },
  )
  // The lives were such that it could have happened.
  expect(Math.min(opened.muted, opened.heard)).toBeGreaterThan(500)
})
