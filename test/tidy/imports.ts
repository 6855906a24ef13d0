/** Rules about imports. */
import { dirname, join } from 'node:path'
import { isSrc, placesOf, type SourceFile } from './source-files.ts'

/** What each room, or each area of a room, may import besides itself; `*`: anything. */
export type Arrows = Readonly<Record<string, readonly string[]>>

/** One import of a file of ours, as `from` and `to`: paths. */
export interface Import {
  readonly from: string
  readonly to: string
  readonly line: number
}

/** Imports of a file, types and threads (`new URL`) included. */
export function importsOf({ path, code }: SourceFile): Import[] {
  return code.flatMap((line, index) => {
    const imported = /(?:\bfrom|\bimport\(?|\bnew URL\()\s*['"](\.[^'"]+\.tsx?)['"]/.exec(line)?.[1]
    return imported ? [{ from: path, to: join(dirname(path), imported), line: index + 1 }] : []
  })
}

/** `src/flow/steps/x.ts` → flow; `src/main.ts` → main; `bench/run.ts` → /bench. */
export function roomOf(path: string): string {
  const [top = '', room = ''] = path.split('/')
  return top === 'src' ? room.replace(/\.tsx?$/, '') : `/${top}`
}

/** `src/rest/http/x.ts` → http; `src/rest/server.ts` → `.`. */
function areaOf(path: string): string {
  return path.split('/').slice(2, -1).join('/') || '.'
}

/** Imports from one room to another that the plan does not allow. */
export function wrongArrows(files: readonly SourceFile[], arrows: Arrows): string[] {
  return files.flatMap(importsOf).flatMap(({ from, to, line }) => {
    const [room, other] = [roomOf(from), roomOf(to)]
    const allowed = arrows[room]
    if (!allowed) return [`${from}:${line} ${room} is no room of the house; give it arrows in test/tidy/house.ts`]
    if (room === other || allowed.includes(other) || allowed.includes('*')) return []
    return [`${from}:${line} ${room} must not import ${other}; move what they share up, or pass it in`]
  })
}

/** Imports from one area of a room to another that the plan does not allow. `known` ones are ignored. */
export function wrongAreas(
  files: readonly SourceFile[],
  rooms: Readonly<Record<string, Arrows>>,
  known: readonly string[] = [],
): string[] {
  return withoutKnown(files.flatMap(importsOf), known).flatMap(({ from, to, line }) => {
    const room = roomOf(from)
    const arrows = rooms[room]
    if (!arrows || roomOf(to) !== room) return []
    const [area, other] = [areaOf(from), areaOf(to)]
    const allowed = arrows[area]
    if (!allowed) return [`${from}:${line} ${area} is no area of ${room}; give it arrows in test/tidy/house.ts`]
    if (area === other || allowed.includes(other) || allowed.includes('*')) return []
    return [`${from}:${line} ${room}/${area} must not import ${room}/${other}; move what they share down`]
  })
}

/** Files that import each other in a circle, types included. `known` are imports (`from > to`) to ignore. */
export function fileCircles(files: readonly SourceFile[], known: readonly string[] = []): string[] {
  const imports = withoutKnown(files.flatMap(importsOf), known)
  return circlesOf(imports).map((circle) => `${circle.join(' → ')}: declare what they share below them`)
}

/** Folders of `src` that import each other in a circle. */
export function folderCircles(files: readonly SourceFile[], known: readonly string[] = []): string[] {
  const imports = withoutKnown(files.flatMap(importsOf), known)
    .map(({ from, to }) => ({ from: dirname(from), to: dirname(to) }))
    .filter(({ from, to }) => from !== to && from.startsWith('src/') && to.startsWith('src/'))
  return circlesOf(imports).map((circle) => `${circle.join(' → ')}: declare what they share below them`)
}

/** Known imports that no longer exist: they leave the list. */
export function forgottenImports(files: readonly SourceFile[], known: readonly string[]): string[] {
  const made = new Set(files.flatMap(importsOf).map(nameOf))
  return known.filter((name) => !made.has(name)).map((name) => `${name} is gone; take it off the list`)
}

/** Files of `src` that no entry point of the program reaches. */
export function unreachable(files: readonly SourceFile[], isStart: (path: string) => boolean): string[] {
  const byPath = new Map(files.map((file) => [file.path, file]))
  const left = files.filter(({ path }) => isStart(path)).map(({ path }) => path)
  const reached = new Set<string>()
  for (let path = left.pop(); path !== undefined; path = left.pop()) {
    const file = byPath.get(path)
    if (reached.has(path) || !file) continue
    reached.add(path)
    left.push(...importsOf(file).map(({ to }) => to))
  }
  return files
    .filter(({ path }) => path.startsWith('src/') && !reached.has(path))
    .map(({ path }) => `${path} is used by tests, benchmarks or scripts alone; move it to them`)
}

/** Files of the service that import tests, benchmarks or scripts. */
export function outsideImports(files: readonly SourceFile[]): string[] {
  const outside = /['"](\.\.\/)+(test|bench|scripts)\//
  return files
    .filter(({ path }) => isSrc(path))
    .flatMap(({ path, code }) =>
      placesOf(code, (line) => outside.test(line)).map((line) => `${path}:${line} move it into src`),
    )
}

function nameOf({ from, to }: Import): string {
  return `${from} > ${to}`
}

function withoutKnown(imports: readonly Import[], known: readonly string[]): Import[] {
  return imports.filter((one) => !known.includes(nameOf(one)))
}

/** The shortest circle through each place that is part of one; each circle once. */
function circlesOf(imports: readonly Pick<Import, 'from' | 'to'>[]): string[][] {
  const next = new Map<string, Set<string>>()
  for (const { from, to } of imports) next.set(from, (next.get(from) ?? new Set()).add(to))
  const seen = new Set<string>()
  return [...next.keys()].flatMap((start) => {
    const way = seen.has(start) ? undefined : wayBack(start, next)
    for (const place of way ?? []) seen.add(place)
    return way ? [[...way, start]] : []
  })
}

/** The places of the shortest path from `start` back to it, `start` first; undefined without a path. */
function wayBack(start: string, next: ReadonlyMap<string, ReadonlySet<string>>): string[] | undefined {
  const before = new Map<string, string>()
  const queue = [start]
  for (let place = queue.shift(); place !== undefined; place = queue.shift()) {
    for (const other of next.get(place) ?? []) {
      if (other === start) return wayTo(place, before)
      if (before.has(other)) continue
      before.set(other, place)
      queue.push(other)
    }
  }
  return undefined
}

function wayTo(end: string, before: ReadonlyMap<string, string>): string[] {
  const way: string[] = []
  for (let place: string | undefined = end; place !== undefined; place = before.get(place)) way.unshift(place)
  return way
}
