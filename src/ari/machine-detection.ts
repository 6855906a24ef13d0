import type { LegId } from '../kernel/ids.ts'
import type { AriContext } from './ari-context.ts'
import type { Legs } from './channels.ts'

/** Where `asterisk/dialplan.ts` runs `AMD()`. */
const CONTEXT = 'machine-detection'

/** `AMD()` takes up to 5 s; the rest covers an engine that restarts (the dialplan waits 8 s). */
const VERDICT_MAX_MS = 15_000

/** `AMDSTATUS` to verdict. `HANGUP` and other values: the end of the leg follows. */
const VERDICTS: Readonly<Record<string, 'person' | 'machine'>> = { HUMAN: 'person', MACHINE: 'machine' }

/** The leg leaves our application for the dialplan until the verdict; meanwhile only hang-up works on it. */
export class MachineDetection {
  readonly #context: AriContext
  readonly #legs: Legs

  constructor(ari: AriContext, legs: Legs) {
    this.#context = ari
    this.#legs = legs
  }

  /** Only for dialed legs: a caller who leaves our application cannot come back. */
  begin(leg: LegId): void {
    const { clock, registry, commands } = this.#context
    const known = registry.legs.get(leg)
    if (known?.kind !== 'dialed' || known.machineDetection) return
    known.awaitsVerdict = true
    known.machineDetection = clock.schedule(clock.nowMs() + VERDICT_MAX_MS, () => this.end(leg, 'no verdict'))
    registry.takeOut(known)
    let isAgain = false
    const args = { channelId: leg, context: CONTEXT, extension: 's', priority: 1 }
    commands.send(
      () => known.machineDetection !== undefined,
      'POST /channels/{channelId}/continue',
      args,
      (answer) => {
        // The request was repeated after a gap: 409 says that the leg has left already.
        if (answer.ok || (isAgain && answer.status === 409)) return
        if (answer.status === 0) isAgain = true
        else if (answer.status === 404) this.#legs.missing(leg)
        else this.end(leg, 'refused')
      },
    )
  }

  /** `status` comes from the dialplan. The verdict is emitted once per `begin`. */
  end(leg: LegId, status: string): void {
    const { registry, emit } = this.#context
    const known = registry.legs.get(leg)
    if (!known?.awaitsVerdict) return
    known.awaitsVerdict = false
    known.machineDetection?.cancel()
    known.machineDetection = undefined
    emit({ type: 'leg.judged', leg, verdict: VERDICTS[status] ?? 'unsure' })
  }
}
