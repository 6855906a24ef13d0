import type { Clock, Timer } from '../kernel/clock.ts'
import type { Callee } from './person.ts'
import type { LineEnd } from './sim-caller.ts'
import type { Heard } from './sim-ear.ts'
import { SimEar } from './sim-ear.ts'

/** Reports of a ringing phone to the switch. All are harmless after the end of the call. */
interface SimRinging {
  answer(): void
  refuse(how: 'busy' | 'rejected'): void
  hangUp(): void
  /** No packet comes from the phone: nobody hears it, until the switch notices. */
  falls(): void
  /** Packets come again, before the switch has noticed. */
  rises(): void
  /** The switch has noticed: it ends the leg. */
  lost(): void
}

/** Asterisk counts whole seconds (`rtp_timeout`, asterisk/pjsip.ts). */
const NOTICED_AFTER_MS = 2_500
/** Timer B of the real switch: nobody answers the INVITE. */
const UNREACHABLE_AFTER_MS = 6_400

/** A browser with a call, and a fresh call beside it. */
interface Beside {
  readonly before: SimAgentPhone
  /** The fresh call ended before it was up: the one before goes on. */
  readonly missed: () => void
}

/** The agent's behaviour: always the same, or drawn anew for every ring (counted from 1). */
export type AgentScript = Callee | ((ring: number) => Callee)

/** An agent's phone on the simulated switch. It has one line: during a call it is busy, unless it is a browser. */
export class SimAgentPhone {
  /** A browser answers a fresh call beside the one it has, which it ends when the fresh one is up. */
  isBrowser = false
  /** The behaviour from the next ring on. */
  script: AgentScript
  readonly ear: SimEar
  readonly #clock: Clock
  #line: SimRinging | undefined
  #timer: Timer | undefined
  #rings = 0
  #callee: Callee | undefined
  #isUp = false
  #isGone = false
  #isMute = false
  /** The phone lost its power during this call, and knows nothing of it. */
  #isForgotten = false
  #beside: Beside | undefined

  constructor(clock: Clock, script: AgentScript) {
    this.#clock = clock
    this.ear = new SimEar(clock)
    this.script = script
  }

  get heard(): readonly Heard[] {
    return this.ear.heard
  }

  get rings(): number {
    return this.#rings
  }

  get isBusy(): boolean {
    return this.#line !== undefined
  }

  /** Whether packets come from it, and sound. */
  get isSilent(): boolean {
    return this.#isForgotten || this.#isMute || this.#callee?.isDumb === true
  }

  get isGone(): boolean {
    return this.#isGone
  }

  /** What rings now in place of this phone, whose call goes on. */
  ringsBeside(missed: () => void): SimAgentPhone {
    const fresh = new SimAgentPhone(this.#clock, this.script)
    fresh.isBrowser = true
    fresh.#isGone = this.#isGone
    fresh.#isMute = this.#isMute
    fresh.#beside = { before: this, missed }
    return fresh
  }

  hangUp(): void {
    if (!this.#isForgotten) this.#line?.hangUp()
  }

  /** It loses its power, and says no goodbye. It answers nothing until it `returns`. */
  vanish(): void {
    this.#beside?.before.vanish()
    const wasSilent = this.isSilent
    this.#isGone = true
    if (!this.#line) return
    this.#isForgotten = true
    // While it rings, only the ring timeout ends the leg: after the first ring no SIP timer runs.
    if (!this.#isUp) this.#timer?.cancel()
    else if (!wasSilent) this.#fallSilent()
  }

  /** It answers and hangs up as ever, and sends no packet until it `returns`. */
  mute(): void {
    this.#beside?.before.mute()
    const wasSilent = this.isSilent
    this.#isMute = true
    if (this.#isUp && !wasSilent) this.#fallSilent()
  }

  /** It has its power back, and knows nothing of the call that it had; or its packets come through again. */
  returns(): void {
    this.#beside?.before.returns()
    const wasSilent = this.isSilent
    this.#isGone = false
    this.#isMute = false
    if (!this.#isUp || !wasSilent || this.isSilent) return
    this.#timer?.cancel()
    this.#line?.rises()
  }

  ring(line: SimRinging): void {
    this.#line = line
    this.#rings++
    this.#isForgotten = this.#isGone
    this.#callee = typeof this.script === 'function' ? this.script(this.#rings) : this.script
    const { does, afterMs } = this.#callee
    if (this.#isGone) return this.#after(UNREACHABLE_AFTER_MS, () => line.lost())
    if (does === 'ignore') return
    this.#after(afterMs, () => {
      if (does === 'answer') line.answer()
      else line.refuse(does === 'busy' ? 'busy' : 'rejected')
    })
  }

  lineUp(): void {
    this.#isUp = true
    this.#beside?.before.hangUp()
    this.#beside = undefined
    const hangsUpAfterMs = this.#callee?.hangsUpAfterMs
    if (hangsUpAfterMs !== undefined) this.#after(hangsUpAfterMs, () => this.hangUp())
    if (this.isSilent) this.#fallSilent()
  }

  heardWords(): void {}

  lineEnded(_end: LineEnd): void {
    this.#timer?.cancel()
    this.#line = undefined
    this.#isUp = false
    this.ear.ends()
    this.#beside?.missed()
    this.#beside = undefined
  }

  #fallSilent(): void {
    const line = this.#line
    if (!line) return
    line.falls()
    this.ear.ends()
    this.#timer?.cancel()
    this.#after(NOTICED_AFTER_MS, () => line.lost())
  }

  #after(ms: number, act: () => void): void {
    this.#timer = this.#clock.schedule(this.#clock.nowMs() + ms, act)
  }
}
