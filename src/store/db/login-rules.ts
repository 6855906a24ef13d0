import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Settings of a server that root starts and `nobody` runs: only root logs in, which the kernel tells the server (peer).
 * The socket's folder belongs to `nobody`, as whom other programs of the machine may run. The files are root's, and
 * clusters of earlier versions, which trust whoever connects, get them too. Throws if they cannot be written.
 */
export function loginRules(folder: string, user: string): string[] {
  const rules = { hba_file: 'local all all peer map=switchboard\n', ident_file: `switchboard root ${user}\n` }
  return Object.entries(rules).map(([setting, text]) => {
    const file = join(folder, `${setting}.conf`)
    if (!existsSync(file) || readFileSync(file, 'utf8') !== text) {
      // Renamed: a server that another process starts in this moment never reads half of it.
      writeFileSync(`${file}.${process.pid}`, text, { mode: 0o644 })
      renameSync(`${file}.${process.pid}`, file)
    }
    return `${setting}=${file}`
  })
}
