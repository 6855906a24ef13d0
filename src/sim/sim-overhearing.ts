import type { BridgeId, LegId } from '../kernel/ids.ts'
import type { OverhearingVoice, PbxEvent } from '../ports/pbx.ts'
import type { SimBridge } from './sim-bridge.ts'
import type { SimLeg } from './sim-leg.ts'

interface Overheard {
  readonly leg: SimLeg
  readonly whom: SimLeg
  readonly voice: OverhearingVoice
  heard: readonly string[]
}

/** Legs of the simulated switch that overhear others. */
export class SimOverhearing {
  readonly #bridges: ReadonlyMap<BridgeId, SimBridge>
  readonly #emit: (event: PbxEvent) => void
  readonly #all = new Map<LegId, Overheard>()

  constructor(bridges: ReadonlyMap<BridgeId, SimBridge>, emit: (event: PbxEvent) => void) {
    this.#bridges = bridges
    this.#emit = emit
  }

  begin(leg: SimLeg | undefined, whom: SimLeg | undefined, voice: OverhearingVoice): void {
    if (!leg?.isUp) return
    this.end(leg)
    if (leg.bridge !== undefined) this.#bridges.get(leg.bridge)?.leave(leg)
    if (!whom?.isUp) return this.#emit({ type: 'leg.overhearsNot', leg: leg.id, why: 'there is no such leg' })
    this.#all.set(leg.id, { leg, whom, voice, heard: [] })
    this.changed()
    this.#emit({ type: 'leg.overhears', leg: leg.id })
  }

  /** Somebody came into a bridge, or left it. */
  changed(): void {
    for (const one of this.#all.values()) this.#hear(one)
  }

  /** Silent. */
  end({ id }: SimLeg): void {
    const one = this.#all.get(id)
    if (!one) return
    this.#all.delete(id)
    for (const name of one.heard) one.leg.holder.ear.ends('person', name)
    one.whom.holder.ear.ends('person', one.leg.name)
  }

  gone(leg: SimLeg): void {
    this.end(leg)
    const lost = [...this.#all.values()].filter(({ whom }) => whom === leg)
    for (const event of this.#lose(lost)) this.#emit(event)
  }

  /** All end with the connection to the engine; the events that tell so. */
  lose(): PbxEvent[] {
    return this.#lose([...this.#all.values()])
  }

  #lose(lost: readonly Overheard[]): PbxEvent[] {
    return lost.map(({ leg }) => {
      this.end(leg)
      return { type: 'leg.overhearsNot', leg: leg.id, why: 'it has ended' }
    })
  }

  #hear(one: Overheard): void {
    const { leg, whom, voice, heard } = one
    const bridge = whom.bridge === undefined ? undefined : this.#bridges.get(whom.bridge)
    const names = [...new Set([whom, ...(bridge?.members ?? [])])]
      .filter((other) => other !== leg && !other.holder.isSilent)
      .map(({ name }) => name)
    one.heard = names
    for (const name of heard) if (!names.includes(name)) leg.holder.ear.ends('person', name)
    for (const name of names) if (!heard.includes(name)) leg.holder.ear.begins('person', name)
    const hears = whom.holder.ear.heard.some(({ text, untilMs }) => text === leg.name && untilMs === undefined)
    if (voice === 'whispered' && !hears) whom.holder.ear.begins('person', leg.name)
  }
}
