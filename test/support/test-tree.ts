import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { installAsterisk } from '../../asterisk/install.ts'

/**
 * Real parts for every test that needs them: the private Asterisk, SIPp and espeak-ng, installed once, kept, and named
 * in the environment. Where they cannot be had, this throws and says what to do: nothing is skipped silently.
 */
export async function installTestTree(): Promise<void> {
  const root = fileURLToPath(new URL('../..', import.meta.url))
  const directory = process.env['SWITCHBOARD_TEST_TREE'] ?? resolve(root, '.data/asterisk')
  const installed = await installAsterisk(directory, (line) => process.stdout.write(`${line}\n`), {
    withEars: true,
  })
  if (!installed.ok) throw new Error(`the tests need a real Asterisk: ${installed.why}\n${installed.remedy}`)
  process.env['SWITCHBOARD_TEST_TREE'] = directory
  process.env['SWITCHBOARD_TEST_ESPEAK'] ??= installed.tree.espeakNg
}
