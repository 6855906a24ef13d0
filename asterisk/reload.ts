import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { configFolder } from './general.ts'
import type { ConfigFiles } from './generate-config.ts'
import { type Refusal, refusal } from './install.ts'
import type { AsteriskTree } from './tree.ts'
import { writeConfig } from './write-config.ts'

/** How Asterisk reads a file again when numbers, trunks, agents or music changed. Running calls are not touched. */
export const RELOADS: Readonly<Record<string, string>> = {
  'pjsip.conf': 'module reload res_pjsip.so',
  'extensions.conf': 'dialplan reload',
  'musiconhold.conf': 'moh reload',
}
const COMMAND_LIMIT_MS = 10_000

/**
 * Applies another configuration to a running Asterisk. Endpoints, trunks and numbers change at once; its own addresses
 * and ports only at the next start. Files that are there already say nothing of what it has read: it is told each time.
 * Never throws.
 */
export async function reloadAsterisk(
  { tree, runDirectory }: { readonly tree: AsteriskTree; readonly runDirectory: string },
  config: ConfigFiles,
): Promise<{ readonly ok: true } | Refusal> {
  writeConfig(runDirectory, config)
  for (const command of Object.values(RELOADS)) {
    const why = await ask(tree, runDirectory, command)
    if (why !== undefined) return refusal(`Asterisk did not take "${command}": ${why}`, 'see its log, then apply again')
  }
  return { ok: true }
}

/** One console command; undefined on success. */
function ask(tree: AsteriskTree, runDirectory: string, command: string): Promise<string | undefined> {
  const configuration = join(configFolder(runDirectory), 'asterisk.conf')
  return new Promise((resolve) => {
    execFile(tree.asterisk, ['-C', configuration, '-rx', command], { timeout: COMMAND_LIMIT_MS }, (error, output) =>
      resolve(error ? error.message : /^(No such|Unable)/m.exec(output)?.input.trim()),
    )
  })
}
