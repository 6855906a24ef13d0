import { randomBytes } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { AsteriskConfig, InstallationConfig } from '../src/installation/config.ts'
import { type Clock, RealClock } from '../src/kernel/clock.ts'
import { configProblems } from './check-input.ts'
import type { AriAccess } from './config-input.ts'
import { APPLICATION } from './dialplan.ts'
import { generateConfig } from './generate-config.ts'
import { installAsterisk, type Refusal, refusal } from './install.ts'
import { reloadAsterisk } from './reload.ts'
import { type RunningAsterisk, startAsterisk } from './start.ts'
import type { AsteriskTree } from './tree.ts'
import { textOf } from './write-config.ts'

/** What a private Asterisk is made from. */
export interface PrivateAsteriskInput {
  /** `DATA_DIR`: the tree goes to `asterisk` in it, the running switch to `asterisk-run`. */
  readonly dataDirectory: string
  readonly setup: InstallationConfig
  /** The value of an environment variable that the set-up names. */
  readonly secret: (variable: string) => string | undefined
  /** Progress for the person who waits. */
  readonly onLine: (line: string) => void
  /** Other addresses than the set-up's, for tests and demo. */
  readonly ports?: Partial<AsteriskConfig>
  /** A tree shared with others, instead of `dataDirectory/asterisk`. */
  readonly treeDirectory?: string
  readonly clock?: Clock
}

/** A running switch and the way to talk to it: `ari` is what the ARI client takes. */
export interface PrivateAsterisk extends RunningAsterisk {
  readonly ari: { readonly url: string; readonly user: string; readonly password: string }
  readonly tree: AsteriskTree
  readonly runDirectory: string
  /** Lets the running switch follow another set-up; its own addresses stay until it is started again. */
  follow(installation: InstallationConfig): Promise<{ readonly ok: true } | Refusal>
}

/**
 * From nothing to an Asterisk that takes calls: checks the set-up, installs, configures, starts. What is there
 * already is kept, so that the second time takes milliseconds. Never throws; a refusal says what to do.
 */
export async function privateAsterisk(input: PrivateAsteriskInput): Promise<PrivateAsterisk | Refusal> {
  const { secret, onLine, clock = new RealClock() } = input
  const setup = { ...input.setup, asterisk: { ...input.setup.asterisk, ...input.ports } }
  const runDirectory = resolve(input.dataDirectory, 'asterisk-run')
  const problems = configProblems({ setup, secret, runDirectory })
  if (problems.length > 0) return refusal(problems.join('\n'), 'correct the setup file or the environment')

  const installed = await installAsterisk(input.treeDirectory ?? resolve(input.dataDirectory, 'asterisk'), onLine)
  if (!installed.ok) return installed
  const { tree } = installed
  const ari = { user: APPLICATION, password: ownPassword(runDirectory), port: setup.asterisk.ariPort }
  const configOf = (wanted: InstallationConfig) => generateConfig({ setup: wanted, secret, tree, runDirectory, ari })
  const sip = { host: setup.asterisk.sipHost, port: setup.asterisk.sipPort }
  const started = await startAsterisk({ tree, runDirectory, config: configOf(setup), ari, sip, clock, onLine })
  if (!started.ok) return started
  const follow = async (wanted: InstallationConfig) => {
    const next = { ...wanted, asterisk: setup.asterisk }
    const refused = configProblems({ setup: next, secret, runDirectory })
    if (refused.length > 0) return refusal(refused.join('\n'), 'correct the setup file or the environment')
    return reloadAsterisk({ tree, runDirectory }, configOf(next))
  }
  return { ...started, ari: access(ari), tree, runDirectory, follow }
}

function access({ user, password, port }: AriAccess) {
  return { url: `http://127.0.0.1:${port}`, user, password }
}

/** Made once per run directory, so that an engine that is started again can talk to the switch that went on. */
function ownPassword(runDirectory: string): string {
  const file = join(runDirectory, 'ari-password')
  const known = textOf(file)
  if (known) return known
  const password = randomBytes(24).toString('base64url')
  mkdirSync(runDirectory, { recursive: true, mode: 0o700 })
  writeFileSync(file, password, { mode: 0o600 })
  return password
}
