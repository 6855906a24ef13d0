/** What the contract of `Pbx` needs of the world around a switch, whether that is real or simulated. */
import type { AgentName, Ids, LegId, PlaybackId } from '../../src/kernel/ids.ts'
import type { Pbx, PbxEvent } from '../../src/ports/pbx.ts'
import type { Sound } from '../../src/ports/speech.ts'
import type { Callee, Caller, CallResult } from '../../src/sim/person.ts'

export type EventOf<T extends PbxEvent['type']> = Extract<PbxEvent, { type: T }>

/** A world with one switch, the phones around it, and the record of everything that the switch told. */
export interface PbxWorld {
  readonly pbx: Pbx
  readonly ids: Ids
  readonly events: readonly PbxEvent[]
  /** The first fact of this kind with these fields, told already or still to come. Rejects when it does not come. */
  event<T extends PbxEvent['type']>(type: T, fields?: Partial<EventOf<T>>): Promise<EventOf<T>>
  callIn(call: { called: string; caller?: string; person: Caller }): Promise<WorldCaller>
  /** Puts a phone on the desk of `anna` or `ben`; what stood there is gone. `nobody` never has one. */
  agentPhone(agent: AgentName, person: Callee): Promise<WorldAgent>
  sound(text: string, durationMs: number): Sound
  readonly missingSound: Sound
  close(): Promise<void>
}

export interface WorldCaller {
  answered(): Promise<boolean>
  result(): Promise<CallResult>
  press(keys: string): void
  /** Resolves when the other party of a bridge was heard. */
  hearsAgent(): Promise<void>
  /** How long anything was heard so far. */
  soundMs(): number
  /** Resolves when anything was heard for this long in all. */
  hears(ms: number): Promise<void>
}

export interface WorldAgent {
  hearsCaller(): Promise<void>
}

export const ANNA = 'anna' as AgentName
export const NOBODY = 'nobody' as AgentName

/** Keeps every event, and lets tests wait for those that are still to come. */
export class EventRecord {
  readonly events: PbxEvent[] = []
  #waiting: { isIt: (event: PbxEvent) => boolean; tell: (event: PbxEvent) => void }[] = []

  constructor(pbx: Pbx) {
    pbx.onEvent((event) => this.#happened(event))
  }

  find<T extends PbxEvent['type']>(type: T, fields: Partial<EventOf<T>> = {}): EventOf<T> | undefined {
    return this.events.find(matches(type, fields)) as EventOf<T> | undefined
  }

  next<T extends PbxEvent['type']>(type: T, fields: Partial<EventOf<T>> = {}): Promise<EventOf<T>> {
    const found = this.find(type, fields)
    if (found) return Promise.resolve(found)
    return new Promise((tell) =>
      this.#waiting.push({ isIt: matches(type, fields), tell: tell as (event: PbxEvent) => void }),
    )
  }

  #happened(event: PbxEvent): void {
    this.events.push(event)
    const come = this.#waiting.filter(({ isIt }) => isIt(event))
    this.#waiting = this.#waiting.filter((waiting) => !come.includes(waiting))
    for (const { tell } of come) tell(event)
  }
}

function matches(type: PbxEvent['type'], fields: object): (event: PbxEvent) => boolean {
  const wanted = Object.entries(fields)
  return (event) => event.type === type && wanted.every(([key, value]) => event[key as keyof PbxEvent] === value)
}

/** Everything told about one leg, in order: `['leg.arrived', 'leg.answered', …]`. */
export function toldAbout(world: PbxWorld, leg: LegId): PbxEvent['type'][] {
  return world.events.filter((event) => 'leg' in event && event.leg === leg).map(({ type }) => type)
}

/** The order in which prompts began and ended, with how: `['started a', 'finished a']`. */
export function playbacksOf(world: PbxWorld, leg: LegId): string[] {
  return world.events.flatMap((event) => {
    if (!('playback' in event) || event.leg !== leg) return []
    return [`${event.type === 'playback.started' ? 'started' : event.result} ${event.playback.split(':')[1]}`]
  })
}

export const playbackId = (leg: LegId, name: string): PlaybackId => `${leg}:${name}` as PlaybackId
