import type { Clock } from '../kernel/clock.ts'
import type { Log } from '../kernel/log.ts'
import type { PbxEvent } from '../ports/pbx.ts'
import type { ChannelRegistry } from './channel-registry.ts'
import type { CommandQueue } from './command-queue.ts'
import type { Ask } from './operation.ts'

/** What the parts of the door to Asterisk share: what is known, how to ask, and whom to tell. */
export interface AriContext {
  /** Name of our Stasis application. */
  readonly app: string
  readonly clock: Clock
  readonly log: Log
  readonly registry: ChannelRegistry
  readonly commands: CommandQueue
  /** Asks once, for what must not be asked twice. */
  readonly ask: Ask
  isUp(): boolean
  emit(event: PbxEvent): void
}
