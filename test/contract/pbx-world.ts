/** What the contract of `Pbx` needs of the world around a switch, whether that is real or simulated. */
import type { AgentName, BridgeId, Ids, LegId, PhoneNumber, PlaybackId, RecordingId } from '../../src/kernel/ids.ts'
import type { Pbx, PbxEvent } from '../../src/ports/pbx.ts'
import type { Sound } from '../../src/ports/speech.ts'
import type { Callee, Caller, CallResult } from '../../src/sim/person.ts'

export type EventOf<T extends PbxEvent['type']> = Extract<PbxEvent, { type: T }>

/** A world with one switch, the phones around it, and the record of everything that the switch told. */
export interface PbxWorld {
  /** The engine's side of the connection; `replaceEngine` puts a new one in its place. */
  readonly pbx: Pbx
  readonly ids: Ids
  readonly events: readonly PbxEvent[]
  /** The first fact of this kind with these fields, told already or still to come. Rejects when it does not come. */
  event<T extends PbxEvent['type']>(type: T, fields?: Partial<EventOf<T>>): Promise<EventOf<T>>
  callIn(call: { called: string; caller?: string; person: Caller }): Promise<WorldCaller>
  /** Puts a phone on the desk of `anna` or `ben`; what stood there is gone. `nobody` never has one. */
  agentPhone(agent: AgentName, person: Callee): Promise<WorldAgent>
  /**
   * Who was reached under this number, at the latest call to it; waits for the INVITE. Behind the trunk `main` people
   * do as `src/sim/magic-numbers.ts` says. Nobody is behind the trunk `dead`; a trunk `nowhere` is not set up.
   */
  contact(number: PhoneNumber): Promise<WorldContact>
  /** Every INVITE to this number that the carrier got so far, oldest first. */
  invites(number: PhoneNumber): readonly WorldInvite[]
  /** What is on a finished recording. Throws when there is none, or it has not two channels. */
  onTape(recording: RecordingId): Tape
  /**
   * The engine's connection ends without a word, as when the engine is killed, and another engine comes, which expects
   * these legs and bridges. Resolves at its `pbx.up`, with what it has told and still will.
   */
  replaceEngine(legs: readonly LegId[], bridges: readonly BridgeId[]): Promise<readonly PbxEvent[]>
  sound(text: string, durationMs: number): Sound
  readonly missingSound: Sound
  close(): Promise<void>
}

/** Who is heard on a recording. */
export interface Tape {
  readonly ms: number
  readonly left: readonly TapeVoice[]
  readonly right: readonly TapeVoice[]
}

export type TapeVoice = 'contact' | 'agent'

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
  /** Resolves when the other party of a bridge was heard since the phone was put on the desk. */
  hearsCaller(): Promise<void>
}

/** An INVITE as the carrier logged it. */
export interface WorldInvite {
  /** `+` and digits, however the switch wrote it. */
  readonly number: PhoneNumber
  readonly callerId: string
  /** The header `X-Switchboard-Attempt`. */
  readonly reference: string
}

/** Somebody who is called over the trunk. */
export interface WorldContact {
  readonly invite: WorldInvite
  /** Whether they have answered so far: their 200 OK, whatever became of it. */
  readonly hasAnswered: boolean
  /** Resolves when the other party of a bridge was heard. */
  hearsAgent(): Promise<void>
  /** Resolves when anything was heard for this long in all. */
  hears(ms: number): Promise<void>
  /** How it ended for them: they put the phone down or refused (`contact`), or the other side ended it (`switch`). */
  endedBy(): Promise<'contact' | 'switch'>
}

export const ANNA = 'anna' as AgentName
export const NOBODY = 'nobody' as AgentName

/** Keeps every event, and lets tests wait for those that are still to come. */
export class EventRecord {
  readonly events: PbxEvent[] = []
  #waiting: { isIt: (event: PbxEvent) => boolean; tell: (event: PbxEvent) => void }[] = []

  constructor(pbx: Pbx) {
    this.listenTo(pbx)
  }

  /** One more engine's side: gives what it alone has told, and goes on. */
  listenTo(pbx: Pbx): readonly PbxEvent[] {
    const own: PbxEvent[] = []
    pbx.onEvent((event) => {
      own.push(event)
      this.#happened(event)
    })
    return own
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
