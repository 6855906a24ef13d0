/** The id of the installation that a data directory belongs to: beside its files, as the database has its own. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'

const installationFile = (dataDirectory: string) => resolve(dataDirectory, 'installation')

/** Undefined for a directory that no service has used with a database yet. */
export function installationIn(dataDirectory: string): string | undefined {
  try {
    return readFileSync(installationFile(dataDirectory), 'utf8').trim()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

/** From now on the directory works with the database of this id alone. */
export function keepInstallation(dataDirectory: string, id: string): void {
  const file = installationFile(dataDirectory)
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  writeFileSync(file, `${id}\n`, { mode: 0o600 })
}
