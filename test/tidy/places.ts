/** Rules about where files lie, what they are called, and what is declared where. */
import { dirname } from 'node:path'
import { isSrc, placesOf, type SourceFile } from './source-files.ts'

/** Files directly in `src`. */
export function strayFiles(files: readonly SourceFile[]): string[] {
  return files
    .filter(({ path }) => /^src\/[^/]+$/.test(path) && path !== 'src/main.ts')
    .map(({ path }) => `${path} move it into a room; src holds main.ts alone`)
}

/** Folders of the service with more files than a reader takes in. */
export function crowdedFolders(files: readonly SourceFile[], filesMax: number): string[] {
  const folders = Map.groupBy(
    files.filter(({ path }) => isSrc(path)),
    ({ path }) => dirname(path),
  )
  return [...folders]
    .filter(([, inside]) => inside.length > filesMax)
    .map(([folder, { length }]) => `${folder} has ${length} files; divide it into areas`)
}

/** Ids that are declared elsewhere than with all other ids. */
export function strayIds(files: readonly SourceFile[]): string[] {
  return files
    .filter(({ path }) => isSrc(path) && path !== 'src/kernel/ids.ts')
    .flatMap(({ path, code }) =>
      placesOf(code, (line) => /^(export )?type \w+ = Branded<(string|number)\b/.test(line)).map(
        (line) => `${path}:${line} declare the id in src/kernel/ids.ts`,
      ),
    )
}

/** Rooms that each have a file of one thing, under one name: its port, its SQL, its operations. */
const SAME_AREAS = ['ports', 'rest', 'store']

/** Names that two files of `src` bear; one file each in ports, rest and store may. `known` ones are passed over. */
export function twins(files: readonly SourceFile[], known: readonly string[] = []): string[] {
  const byName = Map.groupBy(
    files.filter(({ path }) => path.startsWith('src/')),
    ({ path }) => path.split('/').at(-1)!,
  )
  return [...byName].flatMap(([name, same]) => {
    const rooms = same.map(({ path }) => path.split('/')[1]!)
    const isOneThing = rooms.every((room) => SAME_AREAS.includes(room)) && new Set(rooms).size === rooms.length
    if (same.length === 1 || isOneThing || known.includes(name)) return []
    return [`${name} is the name of ${same.map(({ path }) => path).join(' and ')}; name them apart`]
  })
}
