/** The built console of these sources: found where an earlier start built it, else built now, once. */
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { BuiltConsole } from '../rest/http/console-pages.ts'

const ROOT = join(import.meta.dirname, '../..')
/** Everything that the result depends on. */
const SOURCES = ['src/console', 'src/client', 'src/app/console-build.ts', 'package-lock.json']
/** Shared by all services of this checkout; a service that may not write there uses its own data folder. */
const SHARED = join(ROOT, 'node_modules/.cache/console')
const BUILDER = fileURLToPath(new URL('./console-build.ts', import.meta.url))
const OUTPUT_BYTES_MAX = 1024 * 1024

/** Never rejects. Each version of the sources has a folder of its own; building another removes the one before. */
export async function builtConsole(dataDir: string): Promise<BuiltConsole> {
  try {
    const version = versionOf(SOURCES)
    const places = [SHARED, join(dataDir, 'console')]
    const found = places.map((place) => join(place, version)).find((directory) => existsSync(directory))
    return { directory: found ?? (await build(places, version)) }
  } catch (error) {
    return { problem: `the console could not be built (${reasonOf(error)}); run npm ci, and start again` }
  }
}

/** Built beside its place and moved there whole: another process that builds the same may be first. */
async function build(places: readonly string[], version: string): Promise<string> {
  const place = places.find(isWritable)
  if (place === undefined) throw new Error(`neither ${places.join(' nor ')} can be written`)
  const draft = mkdtempSync(join(place, 'draft-'))
  const directory = join(place, version)
  try {
    // It needs none of our secrets, and must not build for tests because a test has started us.
    const env = { NODE_ENV: 'production' }
    await promisify(execFile)(process.execPath, [BUILDER, draft], { cwd: ROOT, env, maxBuffer: OUTPUT_BYTES_MAX })
    // Another user may start the next service of this checkout.
    chmodSync(draft, 0o755)
    if (!existsSync(directory)) renameSync(draft, directory)
  } finally {
    rmSync(draft, { recursive: true, force: true })
  }
  for (const name of readdirSync(place)) {
    if (name !== version && !name.startsWith('draft-')) rmSync(join(place, name), { recursive: true, force: true })
  }
  return directory
}

function isWritable(place: string): boolean {
  try {
    mkdirSync(place, { recursive: true })
    rmSync(mkdtempSync(join(place, 'draft-')), { recursive: true })
    return true
  } catch {
    return false
  }
}

function versionOf(sources: readonly string[]): string {
  const hash = createHash('sha256')
  for (const path of sources.flatMap(filesOf))
    hash
      .update(path)
      .update('\0')
      .update(readFileSync(join(ROOT, path)))
  return hash.digest('hex').slice(0, 16)
}

function filesOf(path: string): string[] {
  const entries = /\.\w+$/.test(path) ? [] : readdirSync(join(ROOT, path), { recursive: true, withFileTypes: true })
  if (entries.length === 0) return [path]
  const files = entries.filter((entry) => entry.isFile())
  return files.map(({ parentPath, name }) => join(parentPath, name).slice(ROOT.length + 1)).sort()
}

/** The first line that says something: the builder prints a whole stack. */
function reasonOf(error: unknown): string {
  const { stderr, message } = error as { stderr?: string; message?: string }
  const lines = (stderr || message || String(error)).split('\n').map((line) => line.trim())
  return lines.find((line) => /error|cannot|could not/i.test(line)) ?? lines.find((line) => line !== '') ?? 'no reason'
}
