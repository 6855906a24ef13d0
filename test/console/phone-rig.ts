/** The machine of the phone in a test, and the states that tests begin in. */
import { phoneMachine } from '../../src/console/phone/phone.machine.ts'
import type { PhoneCommand, PhoneEvent } from '../../src/console/phone/phone-messages.ts'
import { phoneView } from '../../src/console/phone/phone-view.ts'
import { MachineRun } from '../../src/kernel/machine.ts'

/** A phone on a clock of its own. `said` takes the commands since it was last asked, in one line each. */
export class Rig {
  readonly #run: MachineRun<PhoneCommand>
  #commands: PhoneCommand[]
  #nowMs = 0

  constructor({ isMuted = false } = {}) {
    const { run, commands } = MachineRun.start<PhoneCommand>(phoneMachine, { isMuted }, 0)
    this.#run = run
    this.#commands = commands
  }

  tell(...events: (PhoneEvent | PhoneEvent['type'])[]): this {
    for (const event of events) {
      const whole = typeof event === 'string' ? { type: event } : event
      this.#commands.push(...this.#run.send(whole, this.#nowMs))
    }
    return this
  }

  wait(ms: number): this {
    this.#nowMs += ms
    this.#commands.push(...this.#run.fireDue(this.#nowMs))
    return this
  }

  get view() {
    return phoneView(this.#run)
  }

  said(): string[] {
    return this.#commands.splice(0).map(({ type, ...rest }) => [type, ...Object.values(rest)].join(' ').trimEnd())
  }
}

/** What the engine or the line says of a leg. */
export const leg = (
  type: 'invite' | 'leg.expected' | 'leg.ended' | 'session.connected' | 'session.ended',
  name: string,
) => ({ type, leg: name }) as const
/** What the browser says of the sound of a leg. */
export const sound = (type: 'sound.unstable' | 'sound.back' | 'sound.failed', name = 'a') =>
  ({ type, leg: name }) as const

/** A phone without a leg. */
export const registered = () => {
  const rig = new Rig().tell('start', 'lock.taken', 'microphone.open', 'credentials.given', 'registered')
  rig.said()
  return rig
}

/** A phone with the leg `a`. */
export const live = () => {
  const rig = registered().tell(leg('leg.expected', 'a'), leg('invite', 'a'), leg('session.connected', 'a'))
  rig.said()
  return rig
}

/** A phone in a call, while the beep is heard. */
export const inCall = () => {
  const rig = live().tell({ type: 'call', isUp: true })
  rig.said()
  return rig
}
