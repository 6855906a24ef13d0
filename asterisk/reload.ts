import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { configFolder } from './general.ts'
import type { ConfigFiles } from './generate-config.ts'
import { type Refusal, refusal } from './install.ts'
import type { AsteriskTree } from './tree.ts'
import { isWritten, writeConfig } from './write-config.ts'

/** What must be read again after numbers, trunks or agents changed. Calls that are up are not touched. */
const COMMANDS = ['module reload res_pjsip.so', 'dialplan reload']
const COMMAND_LIMIT_MS = 10_000

/**
 * Gives a running Asterisk another configuration. Endpoints, trunks and numbers follow at once; addresses and ports
 * of its own only when it is started again. Never throws.
 */
export async function reloadAsterisk(
  { tree, runDirectory }: { readonly tree: AsteriskTree; readonly runDirectory: string },
  config: ConfigFiles,
): Promise<{ readonly ok: true } | Refusal> {
  if (isWritten(runDirectory, config)) return { ok: true }
  writeConfig(runDirectory, config)
  for (const command of COMMANDS) {
    const why = await ask(tree, runDirectory, command)
    if (why !== undefined) return refusal(`Asterisk did not take "${command}": ${why}`, 'see its log, then apply again')
  }
  return { ok: true }
}

/** One command of the console; undefined when it was taken. */
function ask(tree: AsteriskTree, runDirectory: string, command: string): Promise<string | undefined> {
  const configuration = join(configFolder(runDirectory), 'asterisk.conf')
  return new Promise((resolve) => {
    execFile(tree.asterisk, ['-C', configuration, '-rx', command], { timeout: COMMAND_LIMIT_MS }, (error, output) =>
      resolve(error ? error.message : /^(No such|Unable)/m.exec(output)?.input.trim()),
    )
  })
}
