/** A folder with all that a service needs to start on simulated phones, and databases for it. */
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ClientConfig } from 'pg'
import { freePort } from '../../asterisk/ports.ts'
import { makeDatabase, servers } from '../store/db/database.ts'

/** `DATABASE_URL` of a database of the test server. */
export function urlOf({ host, port, user, password, database }: ClientConfig): string {
  const url = new URL(`postgres://localhost/${database}`)
  for (const [name, value] of Object.entries({ host, port, user, password })) {
    if (value !== undefined && value !== null) url.searchParams.set(name, String(value))
  }
  return url.href
}

/** `setup`: the text of `switchboard.yaml`. */
export async function openServicePlace(setup: string) {
  const directory = mkdtempSync(join(tmpdir(), 'switchboard-place-'))
  // As root, the database runs under another user, who needs access.
  chmodSync(directory, 0o755)
  mkdirSync(join(directory, 'flows'))
  const setupFile = join(directory, 'switchboard.yaml')
  writeFileSync(setupFile, setup)
  const dropped: (() => Promise<void>)[] = []
  return {
    directory,
    setupFile,
    /** Settings of a service; a second one of the same place needs other ports. */
    async env(more: Readonly<Record<string, string>>): Promise<Record<string, string>> {
      return {
        DATA_DIR: join(directory, 'data'),
        SETUP_FILE: setupFile,
        FLOWS_DIR: join(directory, 'flows'),
        PBX: 'simulated',
        ENVIRONMENT: 'development',
        HTTP_PORT: String(await freePort('tcp', '127.0.0.1')),
        SSO_PORT: String(await freePort('tcp', '127.0.0.1')),
        ...more,
      }
    },
    /** An empty database with the tables of this version. */
    async database() {
      const made = await makeDatabase(servers[0]!)
      dropped.push(made.drop)
      return { ...made, url: urlOf(made.connection as ClientConfig) }
    },
    async close() {
      for (const drop of dropped) await drop()
      rmSync(directory, { recursive: true, force: true })
    },
  }
}
