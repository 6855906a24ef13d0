/** The copy of PostgreSQL in the data directory stands by itself: the installation that made it may be replaced. */
import { mkdtempSync, readdirSync, readlinkSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { isAbsolute, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { nativeTree, thisPlatform } from '../../../src/store/db/postgres-binaries.ts'

async function copyInto(directory: string): Promise<string> {
  const tree = await nativeTree(directory, thisPlatform())
  if (!tree.ok) throw new Error(tree.why)
  return join(directory, tree.version, 'lib')
}

/** Where the links of the libraries lead. */
function linksOf(libraries: string): string[] {
  const links = readdirSync(libraries, { withFileTypes: true }).filter((entry) => entry.isSymbolicLink())
  return links.map(({ name }) => readlinkSync(join(libraries, name)))
}

test('no link leads out of the copy, and a copy with a dead link is made anew', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'postgres-binaries-'))
  onTestFinished(() => rmSync(directory, { recursive: true }))
  const libraries = await copyInto(directory)
  const links = linksOf(libraries)
  expect(links.length).toBeGreaterThan(0)
  expect(links.filter(isAbsolute)).toEqual([])
  symlinkSync('/an/installation/that/is/gone.so', join(libraries, 'gone.so'))
  await copyInto(directory)
  expect(linksOf(libraries).toSorted()).toEqual(links.toSorted())
})
