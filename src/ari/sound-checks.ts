import type { LegId } from '../kernel/ids.ts'
import { SOUND_WITHIN_MS } from '../ports/pbx.ts'
import type { AriContext } from './ari-context.ts'

/** Our choice: a phone sends 50 packets a second. Two requests are the usual price of a check. */
const ASK_EVERY_MS = 50

interface Check {
  readonly leg: LegId
  readonly withinMs: number
  readonly untilMs: number
  /** Packets that had come when the check began. */
  before: number | undefined
}

/**
 * Whether phones send packets: Asterisk counts those of each leg, also while it waits in a bridge (measured, 22.10.1).
 * Nothing is said of a leg that ends. Where the switch does not answer, the check begins anew when it does: nobody else
 * would ever tell of a phone that is silent.
 */
export class SoundChecks {
  readonly #context: AriContext
  readonly #checks = new Map<LegId, Check>()

  constructor(context: AriContext) {
    this.#context = context
  }

  /** A new check of a leg replaces one that runs; the same doubt goes on, or it would never end. */
  begin(leg: LegId, doubtMs?: number): void {
    const { clock, registry } = this.#context
    const isAgain = doubtMs !== undefined && this.#checks.get(leg)?.withinMs === doubtMs
    if (!registry.legs.has(leg) || isAgain) return
    const withinMs = doubtMs ?? SOUND_WITHIN_MS
    const check = { leg, withinMs, untilMs: clock.nowMs() + withinMs, before: undefined }
    this.#checks.set(leg, check)
    void this.#ask(check)
  }

  /** After a gap: all that were not answered. */
  settle(): void {
    for (const check of [...this.#checks.values()]) this.#again(check)
  }

  stopAll(): void {
    this.#checks.clear()
  }

  async #ask(check: Check): Promise<void> {
    const { ask, clock, registry, isUp } = this.#context
    const { leg } = check
    if (this.#checks.get(leg) !== check) return
    const answer = await ask('GET /channels/{channelId}/rtp_statistics', { channelId: leg })
    if (this.#checks.get(leg) !== check) return
    if (!registry.legs.has(leg)) return void this.#checks.delete(leg)
    if (answer.status === 0) {
      if (isUp()) clock.schedule(clock.nowMs() + ASK_EVERY_MS, () => this.#again(check))
      return
    }
    const packets = answer.ok ? answer.body.rxcount : 0
    check.before ??= packets
    if (packets > check.before) this.#tell(check, 'leg.heard')
    else if (clock.nowMs() >= check.untilMs) this.#tell(check, 'leg.silent')
    else clock.schedule(clock.nowMs() + ASK_EVERY_MS, () => void this.#ask(check))
  }

  #again(check: Check): void {
    const { leg, withinMs } = check
    if (this.#checks.get(leg) !== check) return
    this.#checks.delete(leg)
    this.begin(leg, withinMs)
  }

  #tell({ leg }: Check, type: 'leg.heard' | 'leg.silent'): void {
    this.#checks.delete(leg)
    const { codec } = this.#context.registry.legs.get(leg) ?? {}
    this.#context.emit({ type, leg, ...(codec !== undefined && { codec }) })
  }
}
