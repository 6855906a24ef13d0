/** The colours of the console have the contrast of WCAG 2.2, and its files the size that a first visit allows. */

import { readdirSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { builtConsole } from '../../src/app/console-files.ts'
import { PAIRS, TOKENS } from '../../src/console/look/colours.ts'
import { filesUnder } from './source-texts.ts'

/** Shell and login: `docs/console.md`. */
const KIB_MAX = 200
const LINES_MAX = 300

test.each(['light', 'dark'] as const)('what is written in the %s theme can be read', (theme) => {
  const tokens = TOKENS[theme]
  const weak = PAIRS.flatMap(({ on, written, least }) =>
    on.flatMap((ground) =>
      written
        .filter((token) => contrast(tokens[token], tokens[ground]) < least)
        .map((token) => `${token} on ${ground}: ${contrast(tokens[token], tokens[ground]).toFixed(2)}`),
    ),
  )
  expect(weak).toEqual([])
})

test('shell and login are small enough for a first visit', async () => {
  const built = await builtConsole(tmpdir())
  if ('problem' in built) throw new Error(built.problem)
  const page = readFileSync(join(built.directory, 'index.html'), 'utf8')
  const assets = readdirSync(join(built.directory, 'assets')).filter((name) => page.includes(name))
  const sizes = assets.map((name) => gzipSync(readFileSync(join(built.directory, 'assets', name))).length)
  expect(assets.length).toBeGreaterThan(1)
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(KIB_MAX * 1024)
})

test(`no file of the console has more than ${LINES_MAX} lines`, () => {
  const long = filesUnder('src/console', /\.(tsx?|css)$/).filter(
    (path) => readFileSync(path, 'utf8').split('\n').length > LINES_MAX + 1,
  )
  expect(long).toEqual([])
})

test('no button is switched off while it works: it would lose the focus (console-38)', () => {
  const pages = filesUnder('src/console', /\.tsx$/)
  expect(pages.filter((path) => /\sloading=/.test(readFileSync(path, 'utf8')))).toEqual([])
})

/** WCAG 2.2, relative luminance and contrast ratio. */
function contrast(one: string, other: string): number {
  const [low = 0, high = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b)
  return (high + 0.05) / (low + 0.05)
}

function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(colour.slice(at, at + 2), 16) / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}
