/** How much a browser fetches for each page, compressed: the built files, by the list that the builder wrote. */
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join, resolve } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { builtConsole } from '../../src/app/console-files.ts'

interface Chunk {
  readonly file: string
  readonly imports?: readonly string[]
  readonly dynamicImports?: readonly string[]
  readonly css?: readonly string[]
}

const KB = 1_000
const ENTRY = 'index.html'
const dataDir = mkdtempSync(join(tmpdir(), 'bundles-'))
let directory: string
let chunks: Readonly<Record<string, Chunk>>

beforeAll(async () => {
  const built = await builtConsole(dataDir)
  if ('problem' in built) throw new Error(built.problem)
  directory = built.directory
  chunks = JSON.parse(readFileSync(join(directory, 'manifest.json'), 'utf8'))
})
afterAll(() => rmSync(dataDir, { recursive: true, force: true }))

/** Scripts and styles of these chunks and of all that they need. `isWhole`: what they load later as well. */
function bytesOf(names: readonly string[], isWhole = false): number {
  const files = new Set<string>()
  const seen = new Set<string>()
  const take = (name: string, later: boolean) => {
    if (seen.has(name)) return
    seen.add(name)
    const { file, imports = [], dynamicImports = [], css = [] } = chunks[name]!
    for (const one of [file, ...css]) files.add(one)
    for (const one of imports) take(one, later)
    // The first chunk loads every page.
    if (later && name !== ENTRY) for (const one of dynamicImports) take(one, later)
  }
  for (const name of names) take(name, isWhole)
  return [...files].reduce((sum, file) => sum + gzipSync(readFileSync(join(directory, file))).length, 0)
}

test.each([
  ['shell and login', [], 200],
  ['the whole desk with its phone', ['desk/desk-page.tsx'], 300],
  ['the board', ['board/board-page.tsx'], 270],
  ['the big screen', ['board/wall-page.tsx'], 270],
  ['calls', ['calls/calls-page.tsx'], 270],
  ['one call', ['calls/one-call-page.tsx'], 270],
] as const)('%s: no more than its limit', (_what, pages, limit) => {
  const kilobytes = bytesOf([ENTRY, ...pages], true) / KB
  expect(kilobytes).toBeLessThanOrEqual(limit)
  expect(kilobytes).toBeGreaterThan(50)
})

test('the phone is in what is counted for the desk, and in nothing else', () => {
  const hasPhone = (name: string) => readFileSync(join(directory, chunks[name]!.file), 'utf8').includes('JsSIP')
  expect(hasPhone('desk/desk-page.tsx')).toBe(true)
  expect([ENTRY, 'board/board-page.tsx'].filter(hasPhone)).toEqual([])
})

/** Parts of Mantine whose styles `file` needs, by what it imports. */
function stylesFrom(file: string, seen = new Set<string>()): string[] {
  if (seen.has(file) || !existsSync(file)) return []
  seen.add(file)
  const [, own] = /^(.*)\.module\.mjs$/.exec(basename(file)) ?? []
  if (own !== undefined) return [own]
  const imported = readFileSync(file, 'utf8').matchAll(/(?:from|import) "(\.[^"]+)"/g)
  return [...imported].flatMap(([, path]) => stylesFrom(resolve(dirname(file), path!), seen))
}

test('the styles of Mantine are those of the parts that are used, in its own order', () => {
  const library = resolve('node_modules/@mantine/core')
  const index = readFileSync(join(library, 'esm/index.mjs'), 'utf8')
  const files = new Map(
    [...index.matchAll(/import \{([^}]*)\} from "([^"]+)"/g)].flatMap(([, names, path]) =>
      names!.split(',').map((name) => [name.trim(), join(library, 'esm', path!)] as const),
    ),
  )
  const sources = globSync('src/console/**/*.{ts,tsx}').map((file) => readFileSync(file, 'utf8'))
  const used = sources
    .flatMap((text) => [...text.matchAll(/import \{([^}]*)\} from '@mantine\/core'/g)])
    .flatMap(([, names]) => names!.split(',').map((name) => name.trim()))
    .filter((name) => name !== '' && !name.startsWith('type '))
  expect(used.filter((name) => !files.has(name))).toEqual([])
  const parts = new Set(used.flatMap((name) => stylesFrom(files.get(name)!)))
  const listed = sources
    .flatMap((text) => [...text.matchAll(/'@mantine\/core\/styles\/(.+)\.css'/g)])
    .map(([, name]) => name!)
  const always = ['baseline', 'default-css-variables', 'global']
  expect(listed.toSorted()).toEqual([...always, ...parts].toSorted())
  const all = readFileSync(join(library, 'styles.css'), 'utf8')
  const places = listed.slice(always.length).map((name) => {
    const styles = readFileSync(join(library, `styles/${name}.css`), 'utf8')
    return all.indexOf(/\.m_[0-9a-f]+/.exec(styles)![0])
  })
  expect(listed.slice(0, always.length)).toEqual(always)
  expect(places).toEqual(places.toSorted((one, other) => one - other))
})
