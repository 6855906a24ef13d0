import { readdirSync } from 'node:fs'
import { join } from 'node:path'

const ROOT = join(import.meta.dirname, '../..')

/** The files under a folder whose names match, as whole paths. */
export function filesUnder(folder: string, name: RegExp): string[] {
  const names = readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
  return names.filter((each) => name.test(each)).map((each) => join(ROOT, folder, each))
}
