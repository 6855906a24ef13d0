/** The agent's phone of one page: runs the machine, and does what it says. */
import type { Clock, Timer } from '../../kernel/clock.ts'
import { MachineRun } from '../../kernel/machine.ts'
import { beepChoice } from './beep-choice.ts'
import { Beeper } from './beeper.ts'
import { Microphone } from './microphone.ts'
import { phoneMachine } from './phone.machine.ts'
import type { PhoneCredentials, PhoneDoor } from './phone-door.ts'
import { PhoneLock } from './phone-lock.ts'
import type { PhoneCommand, PhoneEvent } from './phone-messages.ts'
import { type PhoneView, phoneView } from './phone-view.ts'
import { SipLine } from './sip-line.ts'
import { SoundWatch } from './sound-watch.ts'

export interface PhoneOptions {
  readonly clock: Clock
  readonly door: PhoneDoor
  /** One per user. */
  readonly userName: string
  readonly speaker: HTMLAudioElement
  /** Hears of each change. */
  readonly changed: (view: PhoneView) => void
  /** Begins muted: a page that was loaded again in a call does not know whether the agent was. */
  readonly isMuted?: boolean
}

/** Of this tab; it outlives a reload, and a second tab has its own. */
const EPOCH_KEY = 'sb-phone-epoch'

/** Send it what the agent does and what the engine says; it tells the rest itself. */
export class Phone {
  readonly #options: PhoneOptions
  readonly #microphone: Microphone
  readonly #lock: PhoneLock
  readonly #beeper: Beeper
  readonly #watch: SoundWatch
  readonly #run: MachineRun<PhoneCommand>
  #credentials: PhoneCredentials | undefined
  #line: SipLine | undefined
  #timer: Timer | undefined

  constructor(options: PhoneOptions) {
    this.#options = options
    const tell = (event: PhoneEvent) => this.send(event)
    this.#microphone = new Microphone(tell)
    this.#beeper = new Beeper(options.clock)
    this.#lock = new PhoneLock(`sb-phone-${options.userName}`, tell)
    this.#run = MachineRun.start<PhoneCommand>(
      phoneMachine,
      { isMuted: options.isMuted ?? false, chance: (crypto.getRandomValues(new Uint32Array(1))[0] ?? 0) / 2 ** 32 },
      options.clock.nowMs(),
    ).run
    addEventListener('online', () => tell({ type: 'network.changed' }))
    this.#watch = new SoundWatch({
      clock: options.clock,
      view: () => this.view,
      stats: () => this.stats(),
      track: () => this.#microphone.track,
      audio: () => this.#beeper.prepare(),
      report: (report) => options.door.report(report),
      tell,
    })
    this.#watch.start(() => this.#run.isDone)
    // A page that goes away says no BYE: the next page brings a fresh leg into the same call.
  }

  get view(): PhoneView {
    return phoneView(this.#run)
  }

  /** Counters of the present leg. */
  stats(): Promise<RTCStatsReport | undefined> {
    const { leg } = this.view
    return leg === undefined || !this.#line ? Promise.resolve(undefined) : this.#line.stats(leg)
  }

  /** Whether somebody is at the other end: an idle or held leg gets no packets. */
  expectSound(isExpected: boolean): void {
    this.#watch.expectsSound = isExpected
  }

  send(event: PhoneEvent): void {
    this.#perform(this.#run.send(event, this.#options.clock.nowMs()))
  }

  #perform(commands: readonly PhoneCommand[]): void {
    const { clock } = this.#options
    this.#timer?.cancel()
    const { nextDueAtMs } = this.#run
    const fire = () => this.#perform(this.#run.fireDue(clock.nowMs()))
    this.#timer = nextDueAtMs === undefined ? undefined : clock.schedule(nextDueAtMs, fire)
    // Later: a command may tell an event at once, which belongs after the commands of this one.
    for (const command of commands) queueMicrotask(() => this.#do(command))
    this.#watch.listen()
    this.#options.changed(this.view)
  }

  #do(command: PhoneCommand): void {
    switch (command.type) {
      case 'takeLock':
        return this.#lock.take(command.takeOver)
      case 'openMicrophone':
        this.#beeper.prepare()
        return void this.#openMicrophone()
      case 'closeMicrophone':
        return this.#microphone.close()
      case 'askCredentials':
        return void this.#askCredentials(command.takeOver)
      case 'register':
        return this.#register()
      case 'unregister':
        this.#line?.close()
        this.#line = undefined
        return this.#run.isDone ? this.#lock.release() : undefined
      case 'answer':
        return this.#answer(command.leg)
      case 'refuse':
        return this.#line?.refuse(command.leg)
      case 'terminate':
        return this.#line?.terminate(command.leg)
      case 'keepOnly':
        return this.#line?.terminate(undefined, command.leg)
      case 'renegotiate':
        return this.#line?.renegotiate(command.leg)
      case 'askFreshLeg':
        return void this.#options.door.renewLeg().catch(() => {})
      case 'doubt':
        return void this.#options.door.doubt().catch(() => this.send({ type: 'doubt.failed' }))
      case 'endShift':
        this.#beeper.close()
        return this.#endShift()
      case 'beep':
        return this.#beeper.beep(beepChoice(), () => this.send({ type: 'beeped' }))
      case 'openSound':
        return this.#microphone.setOpen(command.isOpen)
      case 'report':
        return this.#options.door.report({ what: command.what })
    }
  }

  /** Never without a stream: JsSIP would open a microphone by itself. */
  #answer(leg: string): void {
    const { stream } = this.#microphone
    if (stream) this.#line?.answer(leg, stream)
    else this.#line?.refuse(leg)
  }

  async #openMicrophone(): Promise<void> {
    await this.#microphone.open()
    if (this.#microphone.track) this.#line?.replaceTrack(this.#microphone.track)
  }

  /** A tab that was never given the phone ends nobody's. */
  #endShift(): void {
    const epoch = sessionStorage.getItem(EPOCH_KEY)
    if (epoch !== null) void this.#options.door.end(epoch).catch(() => {})
  }

  async #askCredentials(takeOver: boolean): Promise<void> {
    const epoch = sessionStorage.getItem(EPOCH_KEY) ?? undefined
    try {
      const given = await this.#options.door.credentials({ takeOver, ...(epoch !== undefined && { epoch }) })
      if (given === 'elsewhere') return this.send({ type: 'credentials.elsewhere' })
      this.#credentials = given
      sessionStorage.setItem(EPOCH_KEY, given.epoch)
      this.send({ type: 'credentials.given' })
    } catch {
      this.send({ type: 'credentials.failed' })
    }
  }

  #register(): void {
    const { door, speaker, clock } = this.#options
    this.#line?.close()
    const tell = (event: PhoneEvent) => this.send(event)
    this.#line = new SipLine({ credentials: this.#credentials!, ticket: () => door.ticket(), tell, speaker, clock })
  }
}
