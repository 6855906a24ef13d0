/** What a service is started with, and why it could not start. */
import type { Clock } from '../kernel/clock.ts'
import type { Log } from '../kernel/log.ts'
import type { Problem } from '../kernel/problem.ts'
import type { Random } from '../kernel/random.ts'
import type { SecretBytes } from '../kernel/secret-bytes.ts'
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
  /** Progress for the person who waits. */
  readonly onLine: (line: string) => void
  /** A tree of Asterisk shared with others, instead of the one in the data directory. */
  readonly treeDirectory?: string
  readonly secretBytes?: SecretBytes
  /** Settles when a start is to be given up: it may wait for a switch for ever. What it opened is closed. */
  readonly interrupted?: Promise<void>
  /** Only callers are served: no database, no dialing, no REST. For tests and benchmarks of calls alone. */
  readonly isWithoutRecords?: boolean
  /** Other doors than the real ones, for simulated phones. */
  readonly pbx?: Pbx
  readonly speech?: Speech
}

/** A start that cannot be: every reason with its place and remedy. */
export interface NotStarted {
  readonly ok: false
  /** Which part was not there: what somebody wrote, our own Asterisk, the database, the switch, our ports. */
  readonly stage: 'files' | 'asterisk' | 'database' | 'switch' | 'ports' | 'interrupted'
  readonly reasons: readonly string[]
  readonly problems: readonly Problem[]
}
