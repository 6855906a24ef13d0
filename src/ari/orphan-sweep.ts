import type { AtMs, Timer } from '../kernel/clock.ts'
import { type BridgeId, type LegId, OUR_PREFIX } from '../kernel/ids.ts'
import type { AriContext } from './ari-context.ts'
import type { Bridge, Channel } from './ari-types.ts'
import type { Legs } from './channels.ts'
import type { Ask } from './operation.ts'
import { isSide } from './recording-channels.ts'

/** F-A12, INV-A4. */
const EVERY_MS = 30_000
const OWNERLESS_MAX_MS = 60_000

/**
 * Looks twice a minute for what no event told: channels and bridges of ours that nobody owns are closed after a
 * minute, and a leg that Asterisk does not have is told to have ended. Two looks must agree, because what is
 * being made or ended while we look is seen by one side only.
 */
export class Sweep {
  readonly #context: AriContext
  readonly #legs: Legs
  readonly #askLong: Ask
  #timer: Timer | undefined
  /** Since when we have wondered about what: names of ours in Asterisk, or legs that it does not have. */
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

  /** Never rejects. The next look is planned first, so that one that hangs is not the last. */
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

  #isKnown(id: string): boolean {
    return this.#context.registry.legs.has(id as LegId)
  }

  /** A bridge is owned by the legs in it: without any, nobody would ever close it. */
  #ownerless(found: readonly Bridge[]): string[] {
    const { bridges } = this.#context.registry
    const members = new Map<string, readonly string[]>([...bridges.values()].map(({ id, legs }) => [id, [...legs]]))
    for (const { id, channels } of found) {
      if (isOurs(id)) members.set(id, [...channels, ...(members.get(id) ?? [])])
    }
    return [...members].filter(([, legs]) => !legs.some((leg) => this.#isKnown(leg))).map(([id]) => id)
  }

  #hangUp(id: LegId): void {
    this.#context.log.warn({ leg: id }, 'a channel of ours that nobody owns is hung up')
    this.#legs.hangUp(id)
  }

  #close(id: string): void {
    const { registry, commands, log } = this.#context
    log.warn({ bridge: id }, 'a bridge of ours that nobody owns is closed')
    registry.closeBridge(id as BridgeId)
    commands.make(() => true, 'DELETE /bridges/{bridgeId}', { bridgeId: id })
  }
}

const isOurs = (id: string) => id.startsWith(OUR_PREFIX)
