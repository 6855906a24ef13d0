/** A real telephone that calls in: SIPp speaks SIP, `RtpPeer` speaks, listens and presses keys. */
import type { Clock, Timer } from '../../src/kernel/clock.ts'
import type { Random } from '../../src/kernel/random.ts'
import { type Caller, type CallResult, checkDeaf, hangUpMs, KEY_MS, patienceMs } from '../../src/sim/person.ts'
import type { RtpEar } from './rtp-ear.ts'
import { type RtpAddress, RtpPeer } from './rtp-peer.ts'
import { type SippFact, SippProcess } from './sipp-process.ts'
import { callerScenario } from './sipp-scenario.ts'

/** What every real phone needs. */
export interface PhoneKit {
  /** Path of SIPp. */
  readonly sipp: string
  readonly clock: Clock
  readonly random: Random
}

/** One call to be made. */
export interface SippCall {
  readonly kit: PhoneKit
  /** The switch. */
  readonly target: RtpAddress
  /** Our own loopback address: it tells the switch which trunk this is. */
  readonly from: string
  readonly called: string
  /** Absent: withheld. */
  readonly caller?: string
  /** Further headers of the INVITE: a number that only the network may know. */
  readonly headers?: readonly string[]
  readonly person: Caller
  /** What the caller says; silence without it. */
  readonly toneHz?: number
  /** Tones the caller listens for. */
  readonly listensFor?: readonly number[]
}

/** A call that is going on. */
export interface SippCaller {
  /** True after an answer, false when the call ended without one. */
  readonly answered: Promise<boolean>
  /** How it ended. Never rejects. */
  readonly result: Promise<CallResult>
  readonly ear: RtpEar
  /** Presses keys now, outside the script. Without an answer they go nowhere. */
  press(keys: string): void
  /** Speaks samples at 8 kHz now. */
  speak(samples: Int16Array): void
  /** Ends without any message, like a telephone without power. */
  close(): Promise<void>
}

/** Phones the switch. Rejects only when our own address cannot be used. */
export async function callIn(call: SippCall): Promise<SippCaller> {
  const { kit, from, target, called, caller, headers, person, toneHz, listensFor = [] } = call
  checkDeaf(person)
  const tone = toneHz === undefined ? {} : { toneHz }
  const { speaks } = person
  const isSpeaking = (atMs: number) => speaks?.some(({ afterMs, forMs }) => atMs >= afterMs && atMs < afterMs + forMs)
  const says = speaks ? { says: (atMs: number) => (isSpeaking(atMs) ? ('tone' as const) : undefined) } : {}
  const peer = await RtpPeer.open({ ...kit, host: from, listensFor, ...tone, ...says })
  const story = new CallerStory(kit.clock, peer, person)
  const sipp = new SippProcess({
    sipp: kit.sipp,
    scenario: callerScenario({
      called,
      caller,
      headers,
      media: peer.address,
      hangsUpAfterMs: hangUpMs(person),
      waitsMaxMs: patienceMs(person),
    }),
    args: ['-i', from, '-m', '1', '-l', '1', `${target.host}:${target.port}`],
    onFact: (fact) => story.happened(fact),
  })
  sipp.exited.then(
    ({ code, why }) => story.finish({ outcome: 'failed', why: why || `SIPp ended with ${code}` }),
    () => undefined,
  )
  return {
    answered: story.answered,
    result: story.result,
    ear: peer.ear,
    press: (keys) => peer.press(keys),
    speak: (samples) => peer.speak(samples),
    close: () => sipp.stop(),
  }
}

type Ending = Omit<CallResult, 'ms'>

/** Turns the facts of SIPp into the result of one call, and presses keys by the script. */
class CallerStory {
  readonly answered: Promise<boolean>
  readonly result: Promise<CallResult>
  readonly #clock: Clock
  readonly #peer: RtpPeer
  readonly #person: Caller
  readonly #begunAtMs: number
  #tellAnswered: (isAnswered: boolean) => void = () => undefined
  #tellResult: (result: CallResult) => void = () => undefined
  #pressing: Timer | undefined

  constructor(clock: Clock, peer: RtpPeer, person: Caller) {
    this.#clock = clock
    this.#peer = peer
    this.#person = person
    this.#begunAtMs = clock.nowMs()
    this.answered = new Promise((tell) => {
      this.#tellAnswered = tell
    })
    this.result = new Promise((tell) => {
      this.#tellResult = tell
    })
  }

  happened(fact: SippFact): void {
    if (fact.type === 'answered') this.#begin(fact.media)
    else if (fact.type === 'refused') this.finish({ outcome: 'refused', code: fact.code })
    else if (fact.type === 'gaveUp') this.finish({ outcome: 'gaveUp' })
    else if (fact.type === 'hungUp') {
      this.finish({ outcome: 'connected', hungUpBy: fact.by === 'us' ? 'caller' : 'switch' })
    }
  }

  /** Only the first ending counts; the end of the process comes after every other one. */
  finish(ending: Ending): void {
    this.#pressing?.cancel()
    this.#tellAnswered(false)
    this.#tellResult({ ...ending, ms: this.#clock.nowMs() - this.#begunAtMs })
    this.#peer.close().catch(() => undefined)
  }

  #begin(media: RtpAddress): void {
    this.#peer.start(media)
    this.#tellAnswered(true)
    this.#press(0, this.#clock.nowMs())
  }

  #press(position: number, fromMs: number): void {
    const press = this.#person.presses?.[position]
    if (!press) return
    const atMs = fromMs + press.afterMs
    this.#pressing = this.#clock.schedule(atMs, () => {
      this.#peer.press(press.keys)
      this.#press(position + 1, atMs + press.keys.length * KEY_MS)
    })
  }
}
