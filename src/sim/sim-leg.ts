import type { AtMs, Timer } from '../kernel/clock.ts'
import type { BridgeId, LegId } from '../kernel/ids.ts'
import type { PbxEvent } from '../ports/pbx.ts'
import type { Soundless, Stretch, Voice } from './person.ts'
import type { LineEnd } from './sim-caller.ts'
import type { SimEar } from './sim-ear.ts'
import type { SimPlayer } from './sim-player.ts'

export interface Holder {
  readonly ear: SimEar
  /** What machine detection finds; default: a person. */
  readonly voice?: Voice
  /** See `Contact`. */
  readonly answersCancelAfterMs?: number | undefined
  /** See `Contact`. */
  readonly soundless?: Soundless | undefined
  /** When a machine has beeped. */
  readonly greetingEndsAtMs?: AtMs | undefined
  /** When it speaks; absent: all the time. */
  readonly talks?: readonly Stretch[]
  /** No packet comes from it. */
  readonly isSilent?: boolean
  /** The phone got a key. Absent: it has no use for it. */
  gotDigit?(digit: string): void
  lineUp(): void
  heardWords(): void
  lineEnded(end: LineEnd): void
}

export interface SimLeg {
  readonly id: LegId
  readonly kind: 'arrived' | 'dialed'
  /** The name under which the other party of a bridge hears this one: number or agent name. */
  readonly name: string
  readonly called: string
  readonly caller: string | undefined
  /** Where a call came in; undefined for the other legs. */
  readonly trunk?: string | undefined
  readonly holder: Holder
  readonly player: SimPlayer
  isUp: boolean
  isMuted?: boolean
  bridge: BridgeId | undefined
  ringTimer: Timer | undefined
  /** The switch has cancelled the call; the network has not said yet what became of it. */
  isCancelled: boolean
  /** Somebody listens to the leg: when something will be heard. */
  readonly listening: Set<Timer>
}

/** The event of a call that came in. */
export function arrivalOf({ id, called, caller, trunk }: SimLeg): PbxEvent {
  const known = { ...(caller !== undefined && { caller }), ...(trunk !== undefined && { trunk }) }
  return { type: 'leg.arrived', leg: id, called, ...known }
}
