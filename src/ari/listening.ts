import type { Timer } from '../kernel/clock.ts'
import type { LegId } from '../kernel/ids.ts'
import { GreetingListener, type Heard, PATIENT } from '../listening/greeting-listener.ts'
import { GreetingPrinter, isSamePrint } from '../listening/greeting-print.ts'
import type { Greeting } from '../ports/pbx.ts'
import type { AriContext } from './ari-context.ts'
import type { Ears } from './ears.ts'

/** The limit of the verdict, and 2 s for channels and socket. */
const VERDICT_MAX_MS = PATIENT.verdictMaxMs + 2_000
/** Greetings that are longer get no message. */
const LISTENING_MAX_MS = 55_000

interface Judged {
  readonly leg: LegId
  readonly listener: GreetingListener
  readonly printer: GreetingPrinter
  readonly greetings: readonly Greeting[]
  isJudged: boolean
  timer: Timer
}

/** Listens to who answered. Whoever is not heard in time is `unsure`, which counts as a person. */
export class Listening {
  readonly #context: AriContext
  readonly #ears: Ears
  readonly #judging = new Map<LegId, Judged>()

  constructor(context: AriContext, ears: Ears) {
    this.#context = context
    this.#ears = ears
  }

  /** Only for dialed legs, once at a time. */
  begin(leg: LegId, greetings: readonly Greeting[]): void {
    const { clock, registry } = this.#context
    if (registry.legs.get(leg)?.kind !== 'dialed' || this.#ears.isOpen(leg)) return
    const timer = clock.schedule(clock.nowMs() + VERDICT_MAX_MS, () => this.#unheard(judged, 'no verdict in time'))
    const parts = { listener: new GreetingListener(), printer: new GreetingPrinter(), greetings }
    const judged: Judged = { leg, ...parts, isJudged: false, timer }
    this.#judging.set(leg, judged)
    this.#ears.open(leg, {
      onFrame: (frame) => this.#hears(judged, frame),
      onLost: (why) => this.#unheard(judged, why),
    })
  }

  /** The leg is gone, or nobody needs to know any more. Silent. */
  stop(leg: LegId): void {
    const judged = this.#judging.get(leg)
    if (!judged) return
    this.#judging.delete(leg)
    judged.timer.cancel()
    this.#ears.close(leg)
  }

  stopAll(): void {
    for (const leg of [...this.#judging.keys()]) this.stop(leg)
  }

  #hears(judged: Judged, frame: Int16Array): void {
    const { listener, printer } = judged
    for (const heard of listener.takes(frame)) this.#tell(judged, heard)
    const print = printer.takes(frame)
    if (print !== undefined) this.#compare(judged, print)
    if (listener.isDone && printer.isDone) this.stop(judged.leg)
  }

  /** The pauses are judged all the same: the agents' words shall say how good each detector is. */
  #compare({ leg, listener, greetings }: Judged, print: string): void {
    const same = greetings.find((greeting) => isSamePrint(greeting.print, print))
    if (same?.isKnown) listener.goesOnToTheEnd()
    this.#context.emit({ type: 'leg.greeted', leg, print, ...(same && { greeting: same.id }) })
  }

  #tell(judged: Judged, heard: Heard): void {
    const { clock, emit } = this.#context
    const { leg } = judged
    if (heard.type === 'greetingEnded') return emit({ type: 'leg.greetingEnded', leg, by: heard.by })
    judged.isJudged = true
    judged.timer.cancel()
    judged.timer = clock.schedule(clock.nowMs() + LISTENING_MAX_MS - VERDICT_MAX_MS, () => this.stop(leg))
    emit({ type: 'leg.judged', leg, verdict: heard.verdict })
  }

  #unheard(judged: Judged, why: string): void {
    if (this.#judging.get(judged.leg) !== judged) return
    const { emit, log } = this.#context
    this.stop(judged.leg)
    if (judged.isJudged) return
    log.warn({ leg: judged.leg, why }, 'nothing was heard of who answered; it counts as a person')
    emit({ type: 'leg.judged', leg: judged.leg, verdict: 'unsure' })
  }
}
