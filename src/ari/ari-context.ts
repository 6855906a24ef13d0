import type { Clock } from '../kernel/clock.ts'
import type { Log } from '../kernel/log.ts'
import type { Random } from '../kernel/random.ts'
import type { Hearing } from '../ports/hearing.ts'
import type { PbxEvent } from '../ports/pbx.ts'
import type { JoinSides } from '../ports/recordings/join-channels.ts'
import type { KeepMessage } from '../ports/recordings/keep-message.ts'
import type { ChannelRegistry } from './channel-registry.ts'
import type { CommandQueue } from './command-queue.ts'
import type { Ask } from './operation.ts'
import type { SipCopies } from './sip-copies.ts'

/** What the engine gives its connection to Asterisk. */
export interface AriPbxOptions {
  /** `http://host:port`, see `ariAddress`. */
  readonly url: string
  readonly user: string
  readonly password: string
  /** Name of the Stasis application, as in the dialplan. One engine uses it at a time. */
  readonly app: string
  /** Modules without which Asterisk is refused; names without `.so`. */
  readonly neededModules: readonly string[]
  /** As `22.10.1`: an older Asterisk is refused; absent: any version is served. */
  readonly versionMin?: string | undefined
  /** An Asterisk that runs one of them is refused. */
  readonly refusedModules?: readonly string[] | undefined
  /** The trunk for dial commands that name none: the first of the current configuration. */
  readonly firstTrunk?: () => string | undefined
  /** Works in the folder that Asterisk records into. */
  readonly joinSides: JoinSides
  readonly keepMessage: KeepMessage
  /** Understands what callers say; without it nobody is heard. */
  readonly hearing?: Hearing | undefined
  /** UDP port of loopback to which Asterisk sends copies of SIP messages; without it late answers are not seen. */
  readonly sipCopiesPort?: number | undefined
  readonly clock: Clock
  readonly random: Random
  readonly log: Log
}

export interface AriContext {
  /** Name of the Stasis application. */
  readonly app: string
  readonly clock: Clock
  readonly log: Log
  readonly registry: ChannelRegistry
  readonly commands: CommandQueue
  /** Absent for a switch on another machine. */
  readonly sipCopies: SipCopies | undefined
  /** Sends once: for requests that must not be repeated. */
  readonly ask: Ask
  isUp(): boolean
  emit(event: PbxEvent): void
}
