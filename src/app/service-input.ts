import type { Clock } from '../kernel/clock.ts'
import type { Problem } from '../kernel/file-problem.ts'
import type { Log } from '../kernel/log.ts'
import type { Random } from '../kernel/random.ts'
import type { SecretBytes } from '../kernel/secret-bytes.ts'
import type { JournalLine } from '../ports/journal.ts'
import type { Pbx } from '../ports/pbx.ts'
import type { Speech } from '../ports/speech.ts'
import type { Settings } from './settings.ts'

/** Everything that differs between a real start, the demo and a test. */
export interface ServiceInput {
  readonly settings: Settings
  readonly env: Readonly<Record<string, string | undefined>>
  readonly clock: Clock
  readonly random: Random
  readonly log: Log
  readonly onLine: (line: string) => void
  /** An installed Asterisk instead of the one in the data directory. */
  readonly treeDirectory?: string
  readonly secretBytes?: SecretBytes
  /** Resolves to interrupt a start, which may wait for a switch for ever. The start closes what it opened. */
  readonly interrupted?: Promise<void>
  /** No database, no dialing, no REST; inbound calls only. For tests and benchmarks. */
  readonly isWithoutRecords?: boolean
  /** Simulated phones instead of a real switch. */
  readonly pbx?: Pbx
  readonly speech?: Speech
  /** Stand between the engine and what it speaks and writes with. For tests by phone. */
  readonly taps?: {
    readonly speech: (speech: Speech) => Speech
    readonly journal: (line: JournalLine) => void
  }
}

/** A refused start. Each reason says what to do. */
export interface NotStarted {
  readonly ok: false
  /** What failed: configuration files, our own Asterisk, the database, the switch, a port. */
  readonly stage: 'files' | 'asterisk' | 'database' | 'switch' | 'ports' | 'interrupted'
  readonly reasons: readonly string[]
  readonly problems: readonly Problem[]
}
