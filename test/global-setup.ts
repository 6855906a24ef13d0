import { chmodSync, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { installTestTree } from './support/test-tree.ts'

/** Shared by every test: the programs of the real telephones, and a place for a database. */
export async function setup(): Promise<() => Promise<void>> {
  await installTestTree()
  return lendPostgres()
}

/**
 * A directory for the one embedded PostgreSQL of this run; the first test that needs a database starts it. Returns
 * what stops and removes it.
 */
export function lendPostgres(): () => Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), 'switchboard-test-'))
  // As root, the server runs under another user, who needs access.
  chmodSync(directory, 0o755)
  process.env['SWITCHBOARD_TEST_POSTGRES'] = directory
  return async () => {
    if (existsSync(join(directory, 'data'))) {
      const { embeddedOf } = await import('./store/db/database.ts')
      await (await embeddedOf(directory)).stop()
    }
    rmSync(directory, { recursive: true, force: true })
  }
}
