import type { LearntGreeting } from '../ports/attempt.ts'
import type { Greeting } from '../ports/pbx.ts'

/** Our choice: one person may record one greeting at two numbers; three numbers share that of a network or a firm. */
const NUMBERS_MIN = 3

/**
 * Which greetings are those of machines, by the agents' words alone: machines at three different numbers, and not one
 * person. Announcements before a person ("your call is being connected") are no machines.
 */
export function knownGreetings(learnt: readonly LearntGreeting[]): readonly Greeting[] {
  return learnt.map(({ id, print, machineNumbers, persons }) => {
    return { id, print, isKnown: machineNumbers >= NUMBERS_MIN && persons === 0 }
  })
}
