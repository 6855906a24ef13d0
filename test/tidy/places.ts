/** Rules about the places of files, their names, and the places of declarations. */
import { dirname } from 'node:path'
import { isSrc, placesOf, type SourceFile } from './source-files.ts'

/** Files directly in `src`. */
export function strayFiles(files: readonly SourceFile[]): string[] {
  return files
    .filter(({ path }) => /^src\/[^/]+$/.test(path) && path !== 'src/main.ts')
    .map(({ path }) => `${path} move it into a room; src holds main.ts alone`)
}

/** Folders with more files than a reader takes in. */
export function crowdedFolders(files: readonly SourceFile[], filesMax: number): string[] {
  const folders = Map.groupBy(files, ({ path }) => dirname(path))
  return [...folders]
    .filter(([, inside]) => inside.length > filesMax)
    .map(([folder, { length }]) => `${folder} has ${length} files; divide it into areas`)
}

/** Ids that are declared apart from the other ids. */
export function strayIds(files: readonly SourceFile[]): string[] {
  return files
    .filter(({ path }) => isSrc(path) && path !== 'src/kernel/ids.ts')
    .flatMap(({ path, code }) =>
      placesOf(code, (line) => /^(export )?type \w+ = Branded<(string|number)\b/.test(line)).map(
        (line) => `${path}:${line} declare the id in src/kernel/ids.ts`,
      ),
    )
}

/**
 * Names that two files of `src` share. A port may share its name with what implements or uses it; beside it, one area
 * may have its operations in rest and its SQL in store under one name.
 */
export function twins(files: readonly SourceFile[]): string[] {
  const byName = Map.groupBy(
    files.filter(({ path }) => path.startsWith('src/') && !path.startsWith('src/ports/')),
    ({ path }) => path.split('/').at(-1)!,
  )
  return [...byName].flatMap(([name, same]) => {
    const rooms = same.map(({ path }) => path.split('/')[1]!).sort()
    if (same.length === 1 || rooms.join() === 'rest,store') return []
    return [`${name} is the name of ${same.map(({ path }) => path).join(' and ')}; name them apart`]
  })
}

/** Old words of this source; the trade has its own. */
const PRIVATE_WORDS = 'desk shelf book keeper scribe courier witness robot chair seat office wish told errand'.split(
  ' ',
)

/** Files with such a word in their name. A released migration keeps its name: databases know it. */
export function privateNames(files: readonly SourceFile[]): string[] {
  return files
    .filter(({ path }) => !path.startsWith('src/store/db/migrations/'))
    .flatMap(({ path }) => {
      const words = path.split('/').at(-1)!.split(/[-.]/)
      // The page of agents has the name that agents give it.
      const isPage = path.includes('/console/desk/')
      const found = words.find((word) => PRIVATE_WORDS.includes(word.replace(/s$/, '')) && !(isPage && word === 'desk'))
      return found === undefined ? [] : [`${path} say what it is in the trade's words instead of "${found}"`]
    })
}
