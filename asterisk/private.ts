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

export interface PrivateAsteriskInput {
  /** `DATA_DIR`: the tree is in its folder `asterisk`, the running switch in `asterisk-run`. */
  readonly dataDirectory: string
  readonly installation: InstallationConfig
  /** The value of an environment variable that the configuration names. */
  readonly secret: (variable: string) => string | undefined
  /** Gets progress lines. */
  readonly onLine: (line: string) => void
  /** Other addresses than the configured ones, for tests and demo. */
  readonly ports?: Partial<AsteriskConfig>
  /** A shared tree, instead of `dataDirectory/asterisk`. */
  readonly treeDirectory?: string
  readonly clock?: Clock
}

/** A running switch and its ARI access for the ARI client. */
export interface PrivateAsterisk extends RunningAsterisk {
  readonly ari: { readonly url: string; readonly user: string; readonly password: string }
  readonly tree: AsteriskTree
  readonly runDirectory: string
  /** Applies another configuration to the running switch; its own addresses change at the next start. */
  follow(installation: InstallationConfig): Promise<{ readonly ok: true } | Refusal>
}

/**
 * Checks the configuration, then installs, configures and starts Asterisk until it takes calls. Existing parts are
 * kept, so the second time takes milliseconds. Never throws; a refusal says what to do.
 */
export async function privateAsterisk(input: PrivateAsteriskInput): Promise<PrivateAsterisk | Refusal> {
  const { secret, onLine, clock = new RealClock() } = input
  const installation = { ...input.installation, asterisk: { ...input.installation.asterisk, ...input.ports } }
  const runDirectory = resolve(input.dataDirectory, 'asterisk-run')
  const problems = configProblems({ installation, secret, runDirectory })
  if (problems.length > 0) return refusal(problems.join('\n'), 'correct the setup file or the environment')

  const installed = await installAsterisk(input.treeDirectory ?? resolve(input.dataDirectory, 'asterisk'), onLine)
  if (!installed.ok) return installed
  const { tree } = installed
  const ari = { user: APPLICATION, password: ownPassword(runDirectory), port: installation.asterisk.ariPort }
  const configOf = (wanted: InstallationConfig) =>
    generateConfig({ installation: wanted, secret, tree, runDirectory, ari })
  const sip = { host: installation.asterisk.sipHost, port: installation.asterisk.sipPort }
  const started = await startAsterisk({ tree, runDirectory, config: configOf(installation), ari, sip, clock, onLine })
  if (!started.ok) return started
  const follow = async (wanted: InstallationConfig) => {
    const next = { ...wanted, asterisk: installation.asterisk }
    const refused = configProblems({ installation: next, secret, runDirectory })
    if (refused.length > 0) return refusal(refused.join('\n'), 'correct the setup file or the environment')
    return reloadAsterisk({ tree, runDirectory }, configOf(next))
  }
  return { ...started, ari: access(ari), tree, runDirectory, follow }
}

function access({ user, password, port }: AriAccess) {
  return { url: `http://127.0.0.1:${port}`, user, password }
}

/** Created once per run directory: a restarted engine can talk to the switch that kept running. */
function ownPassword(runDirectory: string): string {
  const file = join(runDirectory, 'ari-password')
  const known = textOf(file)
  if (known) return known
  const password = randomBytes(24).toString('base64url')
  mkdirSync(runDirectory, { recursive: true, mode: 0o700 })
  writeFileSync(file, password, { mode: 0o600 })
  return password
}
