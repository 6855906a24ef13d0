import type { AtMs, Clock, Timer } from '../kernel/clock.ts'
import type { LegId, PhoneNumber } from '../kernel/ids.ts'
import { type Contact, REFUSAL_CODES, type Soundless, type Voice } from './person.ts'
import type { LineEnd } from './sim-caller.ts'
import { type Heard, SimEar } from './sim-ear.ts'
import { SimFingers, type SimHandset } from './sim-fingers.ts'

/** One INVITE at the carrier: the physical truth about a dialed call (INV-D8). */
export interface SimInvite {
  readonly atMs: AtMs
  readonly leg: LegId
  readonly trunk: string
  readonly number: PhoneNumber
  readonly callerId: string
  /** Of the header `X-Switchboard-Attempt`. */
  readonly reference: string
}

/** Actions of the far end, reported to the switch. All are harmless after the end of the call. */
interface SimTrunkLine extends SimHandset {
  ring(): void
  answer(): void
  /** `code`: a final SIP status of 400 or more. */
  refuse(code: number): void
}

/** From the answer to the end of the beep: as the machine of the SIP carrier (demo/sip). */
const GREETING_MS = 8_900

/** Who ended a call: the far end (callee or network), the switch on command; `nobody`: the switch vanished. */
export type EndedBy = 'contact' | 'switch' | 'nobody'

/** A callee behind a trunk who follows a script, and the callee's view of this call. */
export class SimContact {
  readonly invite: SimInvite
  readonly script: Contact
  readonly ear: SimEar
  readonly voice: Voice
  /** The keys that came from the switch. */
  digits = ''
  readonly #clock: Clock
  #line: SimTrunkLine | undefined
  #fingers: SimFingers | undefined
  readonly #timers: Timer[] = []
  #rangAtMs: AtMs | undefined
  #answeredAtMs: AtMs | undefined
  #endedAtMs: AtMs | undefined
  #endedBy: EndedBy | undefined
  #refusedWith: number | undefined

  constructor(clock: Clock, invite: SimInvite, script: Contact) {
    this.#clock = clock
    this.invite = invite
    this.script = script
    this.voice = script.voice ?? 'person'
    this.ear = new SimEar(clock)
  }

  get heard(): readonly Heard[] {
    return this.ear.heard
  }

  get greetingEndsAtMs(): AtMs | undefined {
    return this.voice === 'machine' && this.#answeredAtMs !== undefined ? this.#answeredAtMs + GREETING_MS : undefined
  }

  get rangAtMs(): AtMs | undefined {
    return this.#rangAtMs
  }

  get answeredAtMs(): AtMs | undefined {
    return this.#answeredAtMs
  }

  /** When the call ended for the far end; undefined while it lasts. */
  get endedAtMs(): AtMs | undefined {
    return this.#endedAtMs
  }

  get endedBy(): EndedBy | undefined {
    return this.#endedBy
  }

  /** The SIP status of a refusal; undefined without one. */
  get refusedWith(): number | undefined {
    return this.#refusedWith
  }

  get answersCancelAfterMs(): number | undefined {
    return this.script.answersCancelAfterMs
  }

  get soundless(): Soundless | undefined {
    return this.script.soundless
  }

  hangUp(): void {
    this.#line?.hangUp()
  }

  begin(line: SimTrunkLine): void {
    this.#line = line
    this.#fingers = new SimFingers(this.#clock, this.ear, this.script, line)
    const { does, afterMs, ringsAfterMs, code } = this.script
    if (ringsAfterMs !== undefined) this.#after(ringsAfterMs, () => this.#ring(line))
    if (does === 'ignore') return
    this.#after(afterMs, () => {
      if (does === 'answer') line.answer()
      else this.#refuse(line, code ?? REFUSAL_CODES[does])
    })
  }

  lineUp(): void {
    this.#answeredAtMs = this.#clock.nowMs()
    const { hangsUpAfterMs } = this.script
    if (hangsUpAfterMs !== undefined) this.#after(hangsUpAfterMs, () => this.hangUp())
    this.#fingers?.lookForCue()
  }

  gotDigit(digit: string): void {
    this.digits += digit
  }

  heardWords(): void {
    if (this.#answeredAtMs !== undefined) this.#fingers?.lookForCue()
  }

  lineEnded({ by }: LineEnd): void {
    if (this.#endedAtMs !== undefined) return
    for (const timer of this.#timers) timer.cancel()
    this.#fingers?.stop()
    this.ear.ends()
    this.#line = undefined
    this.#endedAtMs = this.#clock.nowMs()
    this.#endedBy = by === 'person' ? 'contact' : by
  }

  #ring(line: SimTrunkLine): void {
    if (this.#answeredAtMs !== undefined) return
    this.#rangAtMs = this.#clock.nowMs()
    line.ring()
  }

  #refuse(line: SimTrunkLine, code: number): void {
    this.#refusedWith = code
    line.refuse(code)
  }

  #after(ms: number, act: () => void): void {
    this.#timers.push(this.#clock.schedule(this.#clock.nowMs() + ms, act))
  }
}
