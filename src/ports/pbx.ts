import type { AtMs } from '../kernel/clock.ts'
import type {
  AgentName,
  AttemptId,
  BridgeId,
  LegId,
  ListeningId,
  PhoneNumber,
  PlaybackId,
  RecordingId,
  SipUser,
} from '../kernel/ids.ts'
import type { HeardWords } from './hearing.ts'
import type { Sound } from './speech.ts'

/** The music of whoever was in a conversation and waits for an agent: Asterisk's class (calls-and-flows-79). */
export const HOLD_MUSIC = 'default'

/** Why a leg ended, in the words of the trade. `failed`: the network, the far end or the switch, not a person. */
export type LegEnd =
  | 'hungUp' // a connected party hung up, or we did
  | 'busy'
  | 'noAnswer' // it rang without an answer (also our own ring timeout)
  | 'rejected'
  | 'notFound' // no such number
  | 'unreachable' // the phone is not there at all
  | 'congestion'
  | 'lost' // the switch restarted, or the leg ended while no engine was connected
  | 'failed'

/** Who answered, by the sound of it. `unsure`: silence, or nothing could be heard; it counts as a person. */
export type WhoAnswered = 'person' | 'machine' | 'unsure'

/**
 * How a greeting begins (`GreetingPrinter`), learnt from calls that agents called machines. `id`: the first of them.
 * `isKnown`: whoever greets so is a machine.
 */
export interface Greeting {
  readonly id: AttemptId
  readonly print: string
  readonly isKnown: boolean
}

/** Sound packets of a leg, both ways, until its end. The other side reports what it lost, if it does (RFC 3550 6.4). */
export interface LegPackets {
  readonly received: number
  readonly receivedLost: number
  readonly receivedJitterMs: number
  readonly sent: number
  readonly sentLost: number
}

/** Events of the switch: facts, in the order in which they happened to each leg. */
export type PbxEvent =
  /**
   * A call comes in. `caller` is absent when withheld; it is never proof of identity. Both numbers are spelled as the
   * network spells them; `trunk` is the name of the trunk, which tells how.
   */
  | {
      readonly type: 'leg.arrived'
      readonly leg: LegId
      readonly called: string
      readonly caller?: string
      readonly trunk?: string
    }
  /** The switch refused a call before it had a leg: none of the codecs offered is ours. `called` as it was sent. */
  | { readonly type: 'arrival.refused'; readonly called: string }
  | { readonly type: 'leg.ringing'; readonly leg: LegId }
  /** `codec`: what its sound is encoded with, such as `alaw`; absent if the switch does not tell. */
  | { readonly type: 'leg.answered'; readonly leg: LegId; readonly codec?: string }
  /**
   * One key, reported once, when it is released. `heldMs`: for how long it was down; absent in old journals. `isInfo`:
   * it came as SIP INFO; absent: in the sound, as RFC 4733 or tones.
   */
  | {
      readonly type: 'leg.digit'
      readonly leg: LegId
      readonly digit: string
      readonly heldMs?: number
      readonly isInfo?: true
    }
  /**
   * A key that was told before came as SIP INFO: the copy of the message was read after the report of the key.
   * `keysAgo`: which one, 1 for the latest key of the leg. It names no digit: the key may be a secret.
   */
  | { readonly type: 'leg.digitWasInfo'; readonly leg: LegId; readonly keysAgo: number }
  /**
   * Exactly one per leg (law 5). `code`: SIP status. `neverSent`: the switch refused; nothing left it for certain.
   * `answeredAtMs`: the callee answered after the switch had cancelled the call, or without a codec of ours (`failed`,
   * 488), and heard nobody. `packets`: of a leg that was answered, if the switch counts them.
   */
  | {
      readonly type: 'leg.ended'
      readonly leg: LegId
      readonly reason: LegEnd
      readonly code?: number
      readonly neverSent?: true
      readonly answeredAtMs?: AtMs
      readonly packets?: LegPackets
    }
  /**
   * The leg makes a sound over a playback that `hearsVoice`, from its first 20 ms on, and has made none for
   * `QUIET_AFTER_MS`. Told only while such a playback plays; a sound from before it is told as one that begins with it,
   * or not at all.
   */
  | { readonly type: 'leg.talking' | 'leg.quiet'; readonly leg: LegId }
  /** Exactly one per `handOver`, unless the leg ends before. `done`: the other network has the call; hang up. */
  | { readonly type: 'leg.handedOver'; readonly leg: LegId; readonly result: 'done' | 'failed'; readonly why?: string }
  /** The verdict of `detectMachine` about who answered; at most one per request. */
  | { readonly type: 'leg.judged'; readonly leg: LegId; readonly verdict: WhoAnswered }
  /** How the greeting began, and which of the given ones it is; 2 s after the first word, and never of short ones. */
  | { readonly type: 'leg.greeted'; readonly leg: LegId; readonly print: string; readonly greeting?: AttemptId }
  /** Of a machine by its verdict, or by a known greeting: it records now, at most once. Absent while it speaks on. */
  | { readonly type: 'leg.greetingEnded'; readonly leg: LegId; readonly by: 'beep' | 'silence' }
  /**
   * Exactly one per `record` or `takeMessage` that could be asked for. `failed`: there is no file, or it cannot be
   * heard. Of messages: `silent` if nothing was said, and no file is left; `lengthMs` of a stored one; `hasHungUp` if
   * the caller hung up and so ended it. The end of the leg comes before or after it.
   */
  | {
      readonly type: 'recording.ended'
      readonly recording: RecordingId
      readonly result: 'stored' | 'failed' | 'silent'
      readonly why?: string
      readonly lengthMs?: number
      readonly hasHungUp?: true
    }
  /** While `listen` runs: somebody begins to speak. */
  | { readonly type: 'leg.speaks'; readonly leg: LegId; readonly listening: ListeningId }
  /** Follows every `leg.speaks`, unless the listening ends before. */
  | ({ readonly type: 'leg.said'; readonly leg: LegId; readonly listening: ListeningId } & HeardWords)
  /** Nothing more will be heard by this listening. */
  | { readonly type: 'leg.unheard'; readonly leg: LegId; readonly listening: ListeningId; readonly why: string }
  /** The leg hears what `overhear` asked for; once per request, unless `leg.overhearsNot` or an end comes instead. */
  | { readonly type: 'leg.overhears'; readonly leg: LegId }
  /** It hears nothing more, or never did; its own end, `join` and the next `overhear` are not told. */
  | { readonly type: 'leg.overhearsNot'; readonly leg: LegId; readonly why: string }
  /** The answer to `checkSound`, exactly one unless the leg ends: a packet came from the phone in time, or none did. */
  | { readonly type: 'leg.heard' | 'leg.silent'; readonly leg: LegId; readonly codec?: string }
  /**
   * A leg that an earlier engine dialed, and that `expect` named, is alive: told before `pbx.up`. `isUp`: it was
   * answered. `isSilent`: it does not even ring; a switch that makes a leg and dials it in two steps cannot say whether
   * it was dialed. `bridge`: where it is, when it is in one of ours. Those not found get a `leg.ended`, `lost`.
   */
  | {
      readonly type: 'leg.found'
      readonly leg: LegId
      readonly isUp: boolean
      readonly isSilent?: true
      readonly bridge?: BridgeId
    }
  | { readonly type: 'playback.started'; readonly leg: LegId; readonly playback: PlaybackId }
  /** One per `play`, unless the leg ends first (`leg.ended` says it). `failed`: the media could not be played. */
  | {
      readonly type: 'playback.ended'
      readonly leg: LegId
      readonly playback: PlaybackId
      readonly result: 'finished' | 'stopped' | 'failed'
    }
  /** The leg hears, and is heard by, the others in the bridge. */
  | { readonly type: 'bridge.joined'; readonly bridge: BridgeId; readonly leg: LegId }
  /** However often the switch was asked (`JOIN_AGAIN_MS`), it did not let the leg in: nobody hears it there. */
  | { readonly type: 'bridge.refused'; readonly bridge: BridgeId; readonly leg: LegId }
  /** The switch is reachable again and its state is known: the facts missed meanwhile have been told before this. */
  | { readonly type: 'pbx.up'; readonly restarted: boolean }
  /** The switch cannot be reached; calls may go on there unseen. */
  | { readonly type: 'pbx.down'; readonly why: string }
  /** Two legs of ours were found talking, and this engine does not know them: an earlier engine connected them. */
  | { readonly type: 'bridge.found'; readonly bridge: BridgeId; readonly legs: readonly LegId[] }

/** Who answers at the other end, for the log and the demo's table. */
export interface PbxIdentity {
  readonly kind: 'asterisk' | 'simulated'
  readonly version: string
}

export interface RingOptions {
  readonly callerId: string
  /** The switch gives up after this and says `leg.ended` with `noAnswer`. */
  readonly ringTimeoutMs: number
}

/** Longer than the gaps of a living phone, short enough for a person who waits meanwhile. Our choice. */
export const SOUND_WITHIN_MS = 1_000

/** Pauses within a sentence are shorter (calls-and-flows-64). */
export const QUIET_AFTER_MS = 200

/** The waits before a leg is added once more that the switch did not let into a bridge: 3 s in all. Our choice. */
export const JOIN_AGAIN_MS: readonly number[] = [200, 400, 800, 1_600]

export interface PlayOptions {
  /** `leg.talking` and `leg.quiet` are told while it plays. */
  readonly hearsVoice?: boolean
}

export type Volume = 'full' | 'quiet'

/** What becomes of the voice of a leg that overhears: nobody hears it, or the one whom it overhears does. */
export type OverhearingVoice = 'unheard' | 'whispered'

/** When a message ends; whole seconds. */
export interface MessageRules {
  readonly maxMs: number
  readonly silenceMs: number
}

/** A number, or a user of the telephone system behind a trunk. */
export type Party = PhoneNumber | { readonly user: SipUser }

/** How a number is dialed over a trunk: exactly once, whatever becomes of the answer (law 6). */
export interface DialOptions {
  /** A carrier of the configuration, by its name; the switch's first one when absent. */
  readonly trunk?: string
  /** Checked once more by the adapter: nothing else reaches the switch (F-J15). */
  readonly number: Party
  readonly callerId: string
  readonly ringTimeoutMs: number
  /** Sent to the carrier in a header (`X-Switchboard-Attempt`), to compare its log with ours. */
  readonly reference: string
}

/** Whom another network is to call. Checked once more by the adapter. */
export interface HandOverTo {
  readonly number: Party
  /** Of a trunk: the network that knows the number. */
  readonly host: string
}

/** Commands return at once, never throw; results are events. Callers choose ids (law 4). A gone target is harmless. */
export interface Pbx {
  onEvent(listener: (event: PbxEvent) => void): void
  /** Connects, for ever. Resolves at the first success, rejects on a wrong password; later losses are events. */
  start(): Promise<PbxIdentity>
  /** Disconnects. Calls stay where they are. */
  stop(): Promise<void>
  /** Accepts an arrived leg; `leg.answered` follows. */
  answer(leg: LegId): void
  /** Rings an agent's phone. Yields exactly one `leg.ended`, with or without a `leg.answered` before it. */
  ringAgent(leg: LegId, agent: AgentName, options: RingOptions): void
  /** A request, not a fact: an answer may already be on its way. */
  hangUp(leg: LegId): void
  /** Refuses an arrived leg that was not answered, with a reason the network understands. */
  reject(leg: LegId, reason: 'notFound' | 'busy' | 'congestion'): void
  /** Speaks `sounds` in order to one leg. Playbacks of one leg queue up behind each other. */
  play(playback: PlaybackId, leg: LegId, sounds: readonly Sound[], options?: PlayOptions): void
  /** Of a playback that has started, and whose sounds all have a `quietFile`; it goes on from where it is. */
  setVolume(playback: PlaybackId, volume: Volume): void
  /** Ends a playback early; `playback.ended` with `stopped` follows, or nothing when it had ended. */
  stopPlaying(playback: PlaybackId): void
  startMusic(leg: LegId, music: string): void
  stopMusic(leg: LegId): void
  /** Lets legs hear each other until they end or the bridge is closed. */
  bridge(bridge: BridgeId, legs: readonly LegId[]): void
  closeBridge(bridge: BridgeId): void
  /** Yields one `leg.ended`, perhaps after `leg.ringing`, `leg.answered`. In doubt it is never dialed again (F-A4). */
  dial(leg: LegId, options: DialOptions): void
  /**
   * Asks the network of an answered leg to call somebody else in its place (SIP REFER, RFC 3515); `leg.handedOver`
   * follows, also when no answer comes within `timeoutMs`.
   */
  handOver(leg: LegId, to: HandOverTo, timeoutMs: number): void
  /** Moves a leg into a bridge that is open, out of any other; `bridge.joined` follows, or `bridge.refused`. */
  join(bridge: BridgeId, leg: LegId): void
  /** Takes a leg out of a bridge, and leaves both as they are. */
  leave(bridge: BridgeId, leg: LegId): void
  /** Nobody hears what the leg says, in any bridge, until it is heard again. It hears the others. */
  mute(leg: LegId, isMuted: boolean): void
  /** Presses keys (`0-9*#`) towards the phone of a leg, one after the other, as its network was agreed to take them. */
  sendDigits(leg: LegId, digits: string): void
  /** Plays to all legs of a bridge. `playback.ended` names `leg`, one of those who hear it. */
  playInBridge(playback: PlaybackId, bridge: BridgeId, leg: LegId, sounds: readonly Sound[]): void
  /**
   * Listens whether an answered leg is a person or a machine; `leg.judged` follows, or nothing when it ends before.
   * The leg can be played to, bridged and recorded meanwhile. A machine is listened to until its greeting is over. The
   * greeting is compared with `greetings`; the first that is the same is told.
   */
  detectMachine(leg: LegId, greetings?: readonly Greeting[]): void
  /**
   * Listens to what an answered leg says, until `stopListening` or the end of the leg: after each utterance its words
   * are told. One listening of a leg at a time: a later one ends the earlier. The sound is never stored.
   */
  listen(listening: ListeningId, leg: LegId, language: string): void
  /** Nothing more is told of it, also of what was said before. */
  stopListening(listening: ListeningId): void
  /**
   * Whether an agent's phone is there: `leg.heard` follows as soon as a packet comes from it, or else `leg.silent`
   * after `withinMs`, `SOUND_WITHIN_MS` when absent. A phone that lost its power says no goodbye, and the switch ends
   * its leg seconds later (campaigns-86).
   */
  checkSound(leg: LegId, withinMs?: number): void
  /**
   * An answered leg hears all that `whom`, an agent's leg, says and hears. Its own voice goes nowhere, or with
   * `whispered` to `whom` alone. Again: changes whom, or the voice. It ends with either leg, with `join`, and with the
   * connection to the switch.
   */
  overhear(leg: LegId, whom: LegId, voice: OverhearingVoice): void
  /** Into `<recording>.wav`: left what the leg says, right what it hears, in all bridges until stopped or ended. */
  record(recording: RecordingId, leg: LegId): void
  /**
   * A tone, and then what the leg says, into `<recording>.wav`, with one channel. It ends at `silenceMs` without a
   * sound, at `maxMs`, with the leg, or when it is stopped. Prompts of the leg wait for its end.
   */
  takeMessage(recording: RecordingId, leg: LegId, rules: MessageRules): void
  /** Of both kinds. */
  stopRecording(recording: RecordingId): void
  /** Before `start`: legs and bridges that an earlier engine made and that must not be closed as strangers. */
  expect(legs: readonly LegId[], bridges: readonly BridgeId[]): void
}

/** What the switch's own records say of a leg that ended while the engine was disconnected (R4). */
export interface LoggedCallEnd {
  readonly answeredAtMs?: AtMs
  readonly endedAtMs: AtMs
  readonly reason: LegEnd
  readonly code?: number
}

/** A leg that began; an end is logged, or not. */
export type LoggedLeg = LoggedCallEnd | { readonly answeredAtMs?: AtMs; readonly endedAtMs?: undefined }

/** A call that came in and was not refused. Without `endedAtMs` no end is logged (yet). */
export interface LoggedArrival {
  readonly leg: LegId
  readonly caller?: string
  readonly called: string
  readonly arrivedAtMs: AtMs
  readonly answeredAtMs?: AtMs
  readonly endedAtMs?: AtMs
  readonly hungUpBy?: 'caller' | 'us'
  /** It heard that nobody is there, because no engine was connected (F-A13). */
  readonly isApologised: boolean
}

/** The switch's own event log, independent of its event stream. */
export interface CallEventLog {
  /** Only legs that the switch wrote something about are in the answer; `undefined`: it can not be asked. */
  readEnds(legs: readonly LegId[]): Promise<ReadonlyMap<LegId, LoggedLeg> | undefined>
  /** Calls that came in since then, as far as the log reaches back; `undefined`: it can not be asked. */
  readArrivals(sinceMs: AtMs): Promise<readonly LoggedArrival[] | undefined>
}
