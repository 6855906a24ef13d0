/** What the contract of `Pbx` needs of the world around a switch, real or simulated. */
import type { AgentName, BridgeId, Ids, LegId, PhoneNumber, PlaybackId, RecordingId } from '../../src/kernel/ids.ts'
import type { Pbx, PbxEvent } from '../../src/ports/pbx.ts'
import type { Sound } from '../../src/ports/speech.ts'
import type { Callee, Caller, CallResult } from '../../src/sim/person.ts'

export type EventOf<T extends PbxEvent['type']> = Extract<PbxEvent, { type: T }>

/** A world with one switch, the phones around it, and the record of all its events. */
export interface PbxWorld {
  /** The engine's side of the connection; `replaceEngine` puts a new one in its place. */
  readonly pbx: Pbx
  readonly ids: Ids
  readonly events: readonly PbxEvent[]
  /** The first event of this kind with these fields, past or future. Rejects if it does not come in time. */
  event<T extends PbxEvent['type']>(type: T, fields?: Partial<EventOf<T>>): Promise<EventOf<T>>
  callIn(call: { called: string; caller?: string; person: Caller }): Promise<WorldCaller>
  /** Plugs in the phone of `anna` or `ben`, a supervisor, and removes the previous one. `nobody` never has one. */
  agentPhone(agent: AgentName, person: Callee): Promise<WorldAgent>
  /**
   * The callee of the latest call to this number; waits for the INVITE. Behind the trunk `main` people
   * do as `src/sim/magic-numbers.ts` says. The trunk `dead` has no carrier; a trunk `nowhere` does not exist.
   */
  contact(number: PhoneNumber): Promise<WorldContact>
  /** Every INVITE to this number that the carrier has got, oldest first. */
  invites(number: PhoneNumber): readonly WorldInvite[]
  /** Who is on a finished recording. Throws if it is missing or has not two channels. */
  onTape(recording: RecordingId): Tape
  /**
   * The engine's connection ends abruptly, as when the engine is killed, and another engine connects, which expects
   * these legs and bridges. Resolves at its `pbx.up`, with its events, past and future.
   */
  replaceEngine(legs: readonly LegId[], bridges: readonly BridgeId[]): Promise<readonly PbxEvent[]>
  /** Somebody else deletes a bridge of ours. */
  loseBridge(bridge: BridgeId): Promise<void>
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
  /** Speaks soon, for a second: the words that every caller of the world says (`SAID`). */
  speak(): void
  /** Resolves when the other party of a bridge was heard. */
  hearsAgent(): Promise<void>
  /** How long any sound was heard so far. */
  soundMs(): number
  /** Resolves when any sound was heard for this long in all. */
  hears(ms: number): Promise<void>
}

/** Whose voice a phone hears, among others. */
export type Voice = 'contact' | 'agent' | 'supervisor'

/** A phone that tells the voices apart that it hears at the same time. */
export interface Discerning {
  /** How long the voice was in what was heard so far: 0 means not one frame with a trace of it. */
  voiceMs(voice: Voice): number
  /** Resolves when the voice was in what was heard for this long in all. */
  hearsVoice(voice: Voice, ms: number): Promise<void>
}

export interface WorldAgent extends Discerning {
  /** Resolves when the other party of a bridge was heard since the phone was plugged in. */
  hearsCaller(): Promise<void>
}

/** An INVITE as the carrier logged it. */
export interface WorldInvite {
  /** `+` and digits, in whatever form the switch wrote it. */
  readonly number: PhoneNumber
  readonly callerId: string
  /** The header `X-Switchboard-Attempt`. */
  readonly reference: string
}

/** A callee over the trunk. */
export interface WorldContact extends Discerning {
  readonly invite: WorldInvite
  /** Whether they have answered: they sent a 200 OK, whatever became of it. */
  readonly hasAnswered: boolean
  /** Resolves when the other party of a bridge was heard. */
  hearsAgent(): Promise<void>
  /** Resolves when any sound was heard for this long in all. */
  hears(ms: number): Promise<void>
  /** Resolves when these keys came, one behind the other. */
  getsKeys(keys: string): Promise<void>
  /** A machine: whether its greeting and beep are over. */
  hasBeeped(): boolean
  /** How it ended for them: they hung up or refused (`contact`), or the other side ended it (`switch`). */
  endedBy(): Promise<'contact' | 'switch'>
}

export const ANNA = 'anna' as AgentName
export const BEN = 'ben' as AgentName
export const NOBODY = 'nobody' as AgentName

/** Records every event, and lets tests wait for future ones. */
export class EventRecord {
  readonly events: PbxEvent[] = []
  #waiting: { isIt: (event: PbxEvent) => boolean; tell: (event: PbxEvent) => void }[] = []

  constructor(pbx: Pbx) {
    this.listenTo(pbx)
  }

  /** One more engine's side: returns the events of this engine alone, and those to come. */
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

/** Every event of one leg, in order: `['leg.arrived', 'leg.answered', …]`. */
export function toldAbout(world: PbxWorld, leg: LegId): PbxEvent['type'][] {
  return world.events.filter((event) => 'leg' in event && event.leg === leg).map(({ type }) => type)
}

/** The order in which prompts began and ended: `['started a', 'finished a']`. */
export function playbacksOf(world: PbxWorld, leg: LegId): string[] {
  return world.events.flatMap((event) => {
    if (!('playback' in event) || event.leg !== leg) return []
    return [`${event.type === 'playback.started' ? 'started' : event.result} ${event.playback.split(':')[1]}`]
  })
}

export const playbackId = (leg: LegId, name: string): PlaybackId => `${leg}:${name}` as PlaybackId
