/** What the configuration of a switch is made from. */
import type { InstallationConfig } from '../src/installation/config.ts'
import type { AsteriskTree } from './tree.ts'

/** The only user of ARI, and the loopback port on which ARI listens. */
export interface AriAccess {
  readonly user: string
  readonly password: string
  readonly port: number
}

/** Everything a configuration depends on: the same input gives the same bytes. */
export interface ConfigInput {
  readonly installation: InstallationConfig
  /** The value of an environment variable that the configuration names. */
  readonly secret: (variable: string) => string | undefined
  readonly tree: AsteriskTree
  /** Absolute; the switch keeps its state, sockets and logs here. */
  readonly runDirectory: string
  readonly ari: AriAccess
  /**
   * The folder of the files, as an Asterisk sees it that we neither start nor rotate the logs of: it writes no call
   * events, because nobody reads and erases them. Absent: our own, whose files are in `etc` of the run directory.
   */
  readonly foreignFolder?: string
}
