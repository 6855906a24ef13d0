import type { Timer } from '../kernel/clock.ts'
import type { BridgeId, LegId } from '../kernel/ids.ts'
import type { Voice } from './person.ts'
import type { LineEnd } from './sim-caller.ts'
import type { SimEar } from './sim-ear.ts'
import type { SimPlayer } from './sim-player.ts'

/** Who holds the phone of a leg. */
export interface Holder {
  readonly ear: SimEar
  /** What machine detection finds; a person unless it says otherwise. */
  readonly voice?: Voice
  lineUp(): void
  heardWords(): void
  lineEnded(end: LineEnd): void
}

/** One leg, as the switch knows it. */
export interface SimLeg {
  readonly id: LegId
  readonly kind: 'arrived' | 'dialed'
  /** How the other party of a bridge hears of this one: their number, or the agent's name. */
  readonly name: string
  readonly called: string
  readonly caller: string | undefined
  readonly holder: Holder
  readonly player: SimPlayer
  isUp: boolean
  bridge: BridgeId | undefined
  ringTimer: Timer | undefined
  /** While it is listened to for a machine it is out of our hands: nothing can be played, no bridge lets it in. */
  detecting: Timer | undefined
}
