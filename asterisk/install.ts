import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { type AsteriskTree, findTree } from './tree.ts'

/** What failed, why, and what the operator can do. */
export interface Refusal {
  readonly ok: false
  readonly why: string
  readonly remedy: string
}

type InstallResult = { readonly ok: true; readonly tree: AsteriskTree } | Refusal

/** Lines of the script's error output that the refusal quotes. */
const ERROR_LINES_MAX = 12

/**
 * Installs a private Asterisk into `directory` by `install.sh`: about 10 s and 80 MB the first time, nothing
 * afterwards. `withEars`: with PocketSphinx too, 20 MB more. `onLine` gets the progress, line by line. Never throws.
 */
export function installAsterisk(
  directory: string,
  onLine: (line: string) => void,
  { withEars = false }: { readonly withEars?: boolean } = {},
): Promise<InstallResult> {
  const script = fileURLToPath(new URL('install.sh', import.meta.url))
  const child = spawn('bash', [script, directory], {
    stdio: ['ignore', 'pipe', 'pipe'],
    ...(withEars && { env: { ...process.env, EARS: '1' } }),
  })
  const errors: string[] = []
  createInterface(child.stdout).on('line', onLine)
  createInterface(child.stderr).on('line', (line) => {
    errors.push(line)
    if (errors.length > ERROR_LINES_MAX) errors.shift()
  })
  return new Promise((resolve) => {
    child.once('error', ({ message }) => resolve(refusal(`bash could not be started: ${message}`, CONTAINER)))
    child.once('close', (status) => {
      const tree = status === 0 ? findTree(directory) : undefined
      if (tree) resolve({ ok: true, tree })
      else if (status === 3) resolve(refusal(errors[0] ?? 'it cannot run here', errors.slice(1).join('\n')))
      else resolve(refusal(`asterisk/install.sh failed (${status}):\n${errors.join('\n')}`, AGAIN))
    })
  })
}

const CONTAINER = 'run Asterisk in a container (asterisk/compose.yaml), or set ARI_URL, ARI_USER and ARI_PASSWORD'
const AGAIN = 'correct what is said above and run it again; what was installed before is untouched'

/** Both texts are complete sentences. */
export function refusal(why: string, remedy: string): Refusal {
  return { ok: false, why, remedy }
}
