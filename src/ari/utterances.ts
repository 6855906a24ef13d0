import type { LegId, ListeningId } from '../kernel/ids.ts'
import { UtteranceListener } from '../listening/utterance-listener.ts'
import type { Hearing, HearingResult } from '../ports/hearing.ts'
import type { AriContext } from './ari-context.ts'
import type { Ears } from './ears.ts'

interface Listened {
  readonly id: ListeningId
  readonly leg: LegId
  readonly language: string
  readonly listener: UtteranceListener
}

/** Listens to what legs say. The sound of an utterance goes to the engine for speech, and is then forgotten. */
export class Utterances {
  readonly #context: AriContext
  readonly #ears: Ears
  readonly #hearing: Hearing | undefined
  readonly #listened = new Map<ListeningId, Listened>()

  /** Without `hearing` nothing is heard. */
  constructor(context: AriContext, ears: Ears, hearing: Hearing | undefined) {
    this.#context = context
    this.#ears = ears
    this.#hearing = hearing
  }

  begin(id: ListeningId, leg: LegId, language: string): void {
    if (!this.#context.registry.legs.has(leg)) return
    this.gone(leg)
    const listened: Listened = { id, leg, language, listener: new UtteranceListener() }
    this.#listened.set(id, listened)
    if (!this.#hearing) return this.#unheard(listened, 'no engine listens; set LISTEN_URL or LISTEN_PROGRAM')
    this.#ears.open(leg, {
      onFrame: (frame) => this.#hears(listened, frame),
      onLost: (why) => this.#unheard(listened, why),
    })
  }

  /** Silent, also about what was said before. */
  stop(id: ListeningId): void {
    const listened = this.#listened.get(id)
    if (!listened) return
    this.#listened.delete(id)
    this.#ears.close(listened.leg)
  }

  /** The leg ended. */
  gone(leg: LegId): void {
    for (const listened of [...this.#listened.values()]) if (listened.leg === leg) this.stop(listened.id)
  }

  stopAll(): void {
    for (const id of [...this.#listened.keys()]) this.stop(id)
  }

  #hears(listened: Listened, frame: Int16Array): void {
    const { id, leg, language, listener } = listened
    for (const uttered of listener.takes(frame)) {
      if (uttered.type === 'began') this.#context.emit({ type: 'leg.speaks', leg, listening: id })
      else void this.#hearing!.understand(uttered.samples, language).then((result) => this.#tell(listened, result))
    }
  }

  #tell(listened: Listened, result: HearingResult): void {
    if (!this.#listened.has(listened.id)) return
    if (!result.ok) return this.#unheard(listened, result.why)
    const { text, confidence } = result
    this.#context.emit({ type: 'leg.said', leg: listened.leg, listening: listened.id, text, confidence })
  }

  #unheard(listened: Listened, why: string): void {
    const { id, leg } = listened
    if (!this.#listened.has(id)) return
    this.stop(id)
    this.#context.log.warn({ leg, why }, 'the caller is not heard; keys still are')
    this.#context.emit({ type: 'leg.unheard', leg, listening: id, why })
  }
}
