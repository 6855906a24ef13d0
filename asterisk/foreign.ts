/** The configuration of an Asterisk that its operator installs and starts (`ARI_URL`). */
import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { InstallationConfig } from '../src/installation/config.ts'
import { configProblems } from './check-input.ts'
import type { ConfigInput } from './config-input.ts'
import { type ConfigFiles, generateConfig } from './generate-config.ts'
import { foreignModules } from './modules.ts'
import { RELOADS } from './reload.ts'
import { type AsteriskTree, debianTree } from './tree.ts'

type ForeignInput = Omit<ConfigInput, 'runDirectory' | 'foreignFolder'>

/** Files for `asterisk -C FOLDER/asterisk.conf`; state, sockets and logs are below the same folder. */
export function foreignConfig(input: ForeignInput, folder: string): ConfigFiles {
  return generateConfig({ ...input, runDirectory: folder, foreignFolder: folder })
}

/** Node's names of machines and Debian's. */
const MACHINES: Readonly<Record<string, string>> = { x64: 'x86_64', arm64: 'aarch64' }

/** Where that Asterisk has its modules (`astmoddir`) and its data (`astdatadir`); absent: as in Debian. */
export interface ForeignPlaces {
  readonly modules?: string | undefined
  readonly data?: string | undefined
}

/** The tree of that Asterisk. `architecture` is Node's name of the machine. */
export function foreignTree(architecture: string, { modules, data }: ForeignPlaces): AsteriskTree {
  const tree = debianTree(`${MACHINES[architecture] ?? architecture}-linux-gnu`)
  return { ...tree, ...(modules && { modules: resolve(modules) }), ...(data && { data: resolve(data) }) }
}

/** The modules of our configuration that are not in this folder. */
export function modulesNotIn(folder: string, installation: InstallationConfig): readonly string[] {
  return foreignModules(installation).filter((name) => !existsSync(join(folder, `${name}.so`)))
}

/** Files that differ between two configurations, and what makes a running Asterisk read them. */
interface NewFiles {
  readonly files: readonly string[]
  /** Console commands; undefined if only a restart does. */
  readonly commands: readonly string[] | undefined
}

/**
 * What a foreign Asterisk must be given when `before` becomes `after`; all files if there was none. Undefined if no
 * file can be made of `after`: the command that writes them says why.
 */
export function newFiles(before: InstallationConfig | undefined, after: InstallationConfig): NewFiles | undefined {
  const [old, next] = [before, after].map((one) => one && filesOf(one))
  if (!next) return undefined
  const files = [...next].filter(([name, text]) => old?.get(name) !== text).map(([name]) => name)
  const commands = files.flatMap((name) => RELOADS[name] ?? [])
  return { files, commands: commands.length === files.length ? commands : undefined }
}

/** For comparison: passwords come from the environment alone. */
function filesOf(installation: InstallationConfig): ConfigFiles | undefined {
  const secret = () => 'unchanged'
  if (configProblems({ installation, secret, runDirectory: '/unchanged' }).length > 0) return undefined
  const ari = { user: 'switchboard', password: 'unchanged', port: installation.asterisk.ariPort }
  return foreignConfig({ installation, secret, tree: debianTree('any'), ari }, '/unchanged')
}
