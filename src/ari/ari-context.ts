import type { Clock } from '../kernel/clock.ts'
import type { Log } from '../kernel/log.ts'
import type { PbxEvent } from '../ports/pbx.ts'
import type { ChannelRegistry } from './channel-registry.ts'
import type { CommandQueue } from './command-queue.ts'
import type { Ask } from './operation.ts'
import type { SipCopies } from './sip-copies.ts'

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
