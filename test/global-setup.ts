import { chmodSync, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { installAsterisk } from '../asterisk/install.ts'

/**
 * Real parts for every test that needs them: the private Asterisk, SIPp and espeak-ng, installed once and kept.
 * Where they cannot be had, the run stops here and says what to do: nothing is skipped silently.
 */
export async function setup(): Promise<() => Promise<void>> {
  const root = fileURLToPath(new URL('..', import.meta.url))
  const directory = process.env['SWITCHBOARD_TEST_TREE'] ?? resolve(root, '.data/asterisk')
  const installed = await installAsterisk(directory, (line) => process.stdout.write(`${line}\n`))
  if (!installed.ok) throw new Error(`the tests need a real Asterisk: ${installed.why}\n${installed.remedy}`)
  process.env['SWITCHBOARD_TEST_TREE'] = directory
  process.env['SWITCHBOARD_TEST_ESPEAK'] ??= installed.tree.espeakNg
  return lendPostgres()
}

/** A directory for the one embedded PostgreSQL of this run; the first test that needs a database starts it. */
function lendPostgres(): () => Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), 'switchboard-test-'))
  // As root the server runs under another user, who must be able to enter.
  chmodSync(directory, 0o755)
  process.env['SWITCHBOARD_TEST_POSTGRES'] = directory
  return async () => {
    if (existsSync(join(directory, 'data'))) {
      const { embeddedOf } = await import('./store/database.ts')
      await (await embeddedOf(directory)).stop()
    }
    rmSync(directory, { recursive: true, force: true })
  }
}
