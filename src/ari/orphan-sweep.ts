import type { AtMs, Timer } from '../kernel/clock.ts'
import { type BridgeId, type LegId, OUR_PREFIX } from '../kernel/ids.ts'
import type { AriContext } from './ari-context.ts'
import type { Bridge, Channel } from './ari-types.ts'
import type { Legs } from './channels.ts'
import { legOfEar } from './ears/ear-channels.ts'
import type { Ask } from './operation.ts'
import { isSide } from './recording-channels.ts'

/** F-A12, INV-A4. */
const EVERY_MS = 30_000
const OWNERLESS_MAX_MS = 60_000

/** Closes what has had no owner for a minute; ends legs that Asterisk lacks. Two looks must agree: one may race. */
export class OrphanSweep {
  readonly #context: AriContext
  readonly #legs: Legs
  readonly #askLong: Ask
  #timer: Timer | undefined
  /** Suspects and since when: our ids in Asterisk without an owner, or legs that Asterisk does not have. */
  #wondering: ReadonlyMap<string, AtMs> = new Map()

  constructor(context: AriContext, legs: Legs, askLong: Ask) {
    this.#context = context
    this.#legs = legs
    this.#askLong = askLong
  }

  start(): void {
    const { clock } = this.#context
    this.#timer?.cancel()
    this.#timer = clock.schedule(clock.nowMs() + EVERY_MS, () => void this.#look())
  }

  stop(): void {
    this.#timer?.cancel()
  }

  /** Never rejects. The next look is scheduled first, so a look that hangs does not stop the sweep. */
  async #look(): Promise<void> {
    this.start()
    if (!this.#context.isUp()) return
    const known = [...this.#context.registry.legs.keys()]
    const [channels, bridges] = await Promise.all([
      this.#askLong('GET /channels', {}),
      this.#askLong('GET /bridges', {}),
    ])
    if (channels.ok && bridges.ok && this.#context.isUp()) this.#compare(known, channels.body, bridges.body)
  }

  #compare(known: readonly LegId[], channels: readonly Channel[], bridges: readonly Bridge[]): void {
    const nowMs = this.#context.clock.nowMs()
    const ids = new Set(channels.map(({ id }) => id))
    const missing = known.filter((id) => this.#context.registry.legs.has(id) && !ids.has(id))
    const lonely = channels.filter(({ id }) => isOurs(id) && !isSide(id) && !this.#isKnown(id)).map(({ id }) => id)
    const empty = this.#ownerless(bridges)
    const before = this.#wondering
    this.#wondering = new Map([...missing, ...lonely, ...empty].map((id) => [id, before.get(id) ?? nowMs]))
    const isDue = (id: string, afterMs: number) => before.has(id) && nowMs - (before.get(id) ?? nowMs) >= afterMs
    for (const leg of missing) if (isDue(leg, EVERY_MS)) this.#legs.missing(leg)
    for (const id of lonely) if (isDue(id, OWNERLESS_MAX_MS)) this.#hangUp(id as LegId)
    for (const id of empty) if (isDue(id, OWNERLESS_MAX_MS)) this.#close(id)
  }

  /** Its leg is ours, or the leg that it listens to. */
  #isKnown(id: string): boolean {
    return this.#context.registry.legs.has(legOfEar(id) ?? (id as LegId))
  }

  /** The legs in a bridge own it: without legs, no other code would close it. */
  #ownerless(found: readonly Bridge[]): string[] {
    const { bridges } = this.#context.registry
    const members = new Map<string, readonly string[]>([...bridges.values()].map(({ id, legs }) => [id, [...legs]]))
    for (const { id, channels } of found) {
      if (isOurs(id)) members.set(id, [...channels, ...(members.get(id) ?? [])])
    }
    return [...members].filter(([, legs]) => !legs.some((leg) => this.#isKnown(leg))).map(([id]) => id)
  }

  #hangUp(id: LegId): void {
    this.#context.log.warn({ leg: id }, 'hanging up an orphaned channel')
    this.#legs.hangUp(id)
  }

  #close(id: string): void {
    const { registry, commands, log } = this.#context
    log.warn({ bridge: id }, 'closing an orphaned bridge')
    registry.closeBridge(id as BridgeId)
    commands.send(() => true, 'DELETE /bridges/{bridgeId}', { bridgeId: id })
  }
}

const isOurs = (id: string) => id.startsWith(OUR_PREFIX)
