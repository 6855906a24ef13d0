/**
 * The agent's phone among bad luck, on virtual time: its machine, and everything that it speaks with as data. The line
 * behaves as JsSIP does: it connects again by itself, registers once for each connection, and never repeats a REGISTER
 * that was refused or got no answer.
 */
import { phoneMachine } from '../../src/console/phone/phone.machine.ts'
import { PHONE_LIMITS, type PhoneCommand, type PhoneEvent } from '../../src/console/phone/phone-messages.ts'
import { phoneView } from '../../src/console/phone/phone-view.ts'
import type { Timer } from '../../src/kernel/clock.ts'
import { MachineRun } from '../../src/kernel/machine.ts'
import { type Random, randomInt } from '../../src/kernel/random.ts'
import { VirtualClock } from '../support/virtual-clock.ts'

interface Line {
  readonly password: number
  isOver: boolean
  isConnected: boolean
}

/** What may go wrong at any moment. */
const MISFORTUNES = ['switchKilled', 'lineCut', 'forgotten', 'networkAway', 'answersLost', 'moved', 'pulled'] as const

export class BadLuckWorld {
  readonly #clock = new VirtualClock()
  readonly #random: Random
  readonly #run: MachineRun<PhoneCommand>
  #timer: Timer | undefined
  #line: Line | undefined
  /** Of the switch. */
  #password = 0
  #contact: Line | undefined
  #leg = 0
  /** The leg whose sound comes another way than the switch takes it from. */
  #unheard: number | undefined
  #isSwitchUp = true
  #isNetworkUp = true
  #isAnswered = true
  /** Whether the headset is plugged in, and whether the page has its microphone open. */
  #isHeadsetIn = true
  #isMicrophoneOpen = false
  /** Legs that were answered without a microphone: JsSIP has opened one that nobody controls. */
  readonly #uncontrolled = new Set<string>()

  constructor(random: Random) {
    this.#random = random
    const { run, commands } = MachineRun.start<PhoneCommand>(phoneMachine, { isMuted: false }, this.#clock.nowMs())
    this.#run = run
    this.#perform(commands)
    this.tell({ type: 'start' })
  }

  get view() {
    return phoneView(this.#run)
  }

  /** The leg that the engine has, and whether the page has the same. */
  get isTogether(): boolean {
    const { state, leg, failure } = this.view
    const isUp = state === 'live' && failure === undefined && leg === String(this.#leg)
    const isHeard = this.#isMicrophoneOpen && !this.#uncontrolled.has(String(this.#leg))
    return isUp && isHeard && this.#unheard !== this.#leg
  }

  tell(event: PhoneEvent): void {
    this.#perform(this.#run.send(event, this.#clock.nowMs()))
  }

  pass(ms: number): void {
    this.#clock.run(ms)
  }

  /** One of them, for a while. */
  strike(): void {
    const which = MISFORTUNES[randomInt(this.#random, 0, MISFORTUNES.length - 1)]!
    const forMs = randomInt(this.#random, 100, 20_000)
    if (which === 'switchKilled') this.#killSwitch(forMs)
    if (which === 'lineCut') this.#cut(this.#line)
    if (which === 'moved' && this.view.state === 'live' && this.view.leg === String(this.#leg)) {
      const leg = this.#leg
      this.#unheard = leg
      this.#soon(() => this.tell({ type: 'sound.moved', leg: String(leg) }))
    }
    if (which === 'forgotten') this.#contact = undefined
    if (which === 'networkAway') {
      this.#isNetworkUp = false
      this.#cut(this.#line)
      this.#silence(this.#leg)
      this.#after(forMs, () => {
        this.#isNetworkUp = true
      })
    }
    if (which === 'pulled') this.#pull(forMs)
    if (which === 'answersLost') {
      this.#isAnswered = false
      this.#after(forMs, () => {
        this.#isAnswered = true
      })
    }
  }

  #pull(forMs: number): void {
    this.#isHeadsetIn = false
    const wasOpen = this.#isMicrophoneOpen
    this.#isMicrophoneOpen = false
    if (wasOpen) this.tell({ type: 'microphone.lost' })
    this.#after(forMs, () => {
      this.#isHeadsetIn = true
      this.tell({ type: 'devices.changed' })
    })
  }

  /** An earlier opening does not count any more. */
  #openMicrophone(): void {
    this.#isMicrophoneOpen = false
    const opening = ++this.#openings
    this.#soon(() => {
      if (opening !== this.#openings) return
      this.#isMicrophoneOpen = this.#isHeadsetIn
      this.tell(this.#isHeadsetIn ? { type: 'microphone.open' } : { type: 'microphone.failed', why: 'notFound' })
    })
  }

  #openings = 0

  #killSwitch(forMs: number): void {
    this.#isSwitchUp = false
    this.#password = 0
    this.#contact = undefined
    this.#cut(this.#line)
    this.#silence(this.#leg)
    const leg = this.#leg
    this.#after(forMs, () => {
      this.#isSwitchUp = true
      // The engine tells it as news of the shift, unless it has begun a new leg before.
      if (this.#leg === leg && this.#random.next() < 0.5) this.tell({ type: 'leg.ended', leg: String(leg) })
    })
  }

  /** As ICE tells it. */
  #silence(leg: number): void {
    this.#after(5_000, () => this.tell({ type: 'sound.unstable', leg: String(leg) }))
    this.#after(20_000, () => this.tell({ type: 'sound.failed', leg: String(leg) }))
  }

  #cut(line: Line | undefined): void {
    if (!line?.isConnected || line.isOver) return
    line.isConnected = false
    if (this.#contact === line) this.#contact = undefined
    this.#tellOf(line, { type: 'signal.lost' })
    this.#connectLater(line)
  }

  #connectLater(line: Line): void {
    this.#after(randomInt(this.#random, 1_000, 4_000), () => this.#connect(line))
  }

  #connect(line: Line): void {
    if (line.isOver || line.isConnected) return
    if (!this.#isNetworkUp || !this.#isSwitchUp) return this.#connectLater(line)
    line.isConnected = true
    if (!this.#isAnswered) return this.#after(PHONE_LIMITS.unansweredMs, () => this.#cut(line))
    this.#soon(() => {
      if (line.isOver || !line.isConnected) return
      const isKnown = line.password === this.#password
      if (isKnown) this.#contact = line
      this.#tellOf(line, { type: isKnown ? 'registered' : 'registration.refused' })
    })
  }

  #tellOf(line: Line, event: PhoneEvent): void {
    if (!line.isOver) this.tell(event)
  }

  #after(ms: number, happens: () => void): void {
    this.#clock.schedule(this.#clock.nowMs() + ms, happens)
  }

  #soon(happens: () => void): void {
    this.#after(randomInt(this.#random, 5, 1_000), happens)
  }

  #perform(commands: readonly PhoneCommand[]): void {
    this.#timer?.cancel()
    const { nextDueAtMs } = this.#run
    const fire = () => this.#perform(this.#run.fireDue(this.#clock.nowMs()))
    this.#timer = nextDueAtMs === undefined ? undefined : this.#clock.schedule(nextDueAtMs, fire)
    for (const command of commands) this.#after(0, () => this.#do(command))
  }

  #do(command: PhoneCommand): void {
    if (command.type === 'takeLock') this.tell({ type: 'lock.taken' })
    if (command.type === 'openMicrophone') this.#openMicrophone()
    if (command.type === 'askCredentials') this.#giveCredentials()
    if (command.type === 'register') this.#register()
    if (command.type === 'renegotiate') {
      if (this.#isAnswered) this.#soon(() => this.tell({ type: 'renegotiated' }))
    }
    if (command.type === 'askFreshLeg' && this.#isNetworkUp) this.#soon(() => this.#ring())
    if (command.type === 'doubt') {
      if (!this.#isNetworkUp) this.#soon(() => this.tell({ type: 'doubt.failed' }))
      else if (this.#unheard === this.#leg) this.#soon(() => this.#ring())
    }
    if (command.type === 'answer') this.#answer(command.leg)
  }

  #given = 0

  #giveCredentials(): void {
    this.#soon(() => {
      if (!this.#isAnswered) return
      if (!this.#isNetworkUp || !this.#isSwitchUp) return this.tell({ type: 'credentials.failed' })
      this.#password += ++this.#passwords
      const password = this.#password
      // The node closes the connection that had the password before.
      this.#cut(this.#line)
      this.#soon(() => {
        this.#given = password
        this.tell({ type: 'credentials.given' })
      })
    })
  }

  #passwords = 0

  #register(): void {
    if (this.#line) this.#line.isOver = true
    if (this.#contact === this.#line) this.#contact = undefined
    this.#line = { password: this.#given, isOver: false, isConnected: false }
    this.#connect(this.#line)
  }

  /** The engine hangs up the leg that it has, announces another, and the switch calls where the phone is. */
  #ring(): void {
    if (!this.#isSwitchUp || !this.#isNetworkUp) return
    const leg = ++this.#leg
    this.tell({ type: 'leg.expected', leg: String(leg) })
    this.tell({ type: 'session.ended', leg: String(leg - 1) })
    this.#soon(() => {
      const line = this.#contact
      if (line?.isConnected && leg === this.#leg && this.#isAnswered)
        this.#tellOf(line, { type: 'invite', leg: String(leg) })
    })
  }

  #answer(leg: string): void {
    if (!this.#isMicrophoneOpen) this.#uncontrolled.add(leg)
    this.#soon(() => {
      if (this.#isSwitchUp && this.#isNetworkUp && leg === String(this.#leg))
        this.tell({ type: 'session.connected', leg })
      else this.tell({ type: 'session.ended', leg })
    })
  }
}
