/** The pictures of pages that are kept beside the tests, and how a page is compared with its own. */
import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import pixelmatch from 'pixelmatch'
import { PNG } from 'pngjs'

/** Where they are, and in `chromium.txt` the version that drew them. Without the folder nothing is compared. */
export const KEPT = join(import.meta.dirname, 'kept')
/** How they are made anew. */
export const REMEDY = 'npm run generate:pictures'
const VERSION = join(KEPT, 'chromium.txt')
/** Where what differs is written. */
const FOUND = join(import.meta.dirname, '../../../.data/pictures')

/** Each page once, in the state that most of it can be seen in. */
const PAGES = [
  ...['login', 'me', 'calls', 'call', 'palette', 'board-empty', 'board-agents'],
  ...['desk-start', 'desk-ready', 'desk-callback', 'desk-talking'],
]
const THEMES = ['light', 'dark']
const WIDTHS = [390, 1024, 1440]

/** The names of all of them: page, theme and width. */
export const NAMES: ReadonlySet<string> = new Set(
  THEMES.flatMap((theme) => [
    ...PAGES.flatMap((page) => WIDTHS.map((width) => `${page}-${theme}-${width}`)),
    `board-wall-${theme}-1920`,
  ]),
)

/** Of all pixels: bar 20 of the design of the console. */
const SHARE_MAX = 0.001
/** Of the pixels of a small square, so that nothing small moves unseen on a large page. */
const SQUARE = 32
const SQUARE_MAX = 24
/** In OKLab, where 1 is black to white. */
const COLOUR_MAX = 0.05

/** Three colours, no row filters, the best of zlib: two thirds of what pngjs makes by default. */
const PACKED = { colorType: 2, filterType: 0, deflateStrategy: 0, deflateLevel: 9 } as const

/** Keeps it under its name. */
export function keep(name: string, png: Buffer, chromium: string): void {
  mkdirSync(KEPT, { recursive: true })
  writeFileSync(fileOf(name), PNG.sync.write(PNG.sync.read(png), PACKED))
  writeFileSync(VERSION, `${chromium}\n`)
}

/** What is wrong with it, in words; nothing where it is as the kept one. */
export function differenceFrom(name: string, png: Buffer): string | undefined {
  if (!existsSync(fileOf(name))) return 'no picture is kept of it'
  return difference(PNG.sync.read(readFileSync(fileOf(name))), PNG.sync.read(png)).words
}

/** Writes what was expected, what is there and the difference; says what differs, where they are, and the remedy. */
export function report(name: string, png: Buffer, words: string): string {
  mkdirSync(FOUND, { recursive: true })
  const file = (what: string) => join(FOUND, `${name}.${what}.png`)
  writeFileSync(file('actual'), png)
  if (existsSync(fileOf(name))) {
    copyFileSync(fileOf(name), file('expected'))
    const { drawn } = difference(PNG.sync.read(readFileSync(fileOf(name))), PNG.sync.read(png))
    if (drawn) writeFileSync(file('difference'), PNG.sync.write(drawn))
  }
  return `the page ${name} is not as its picture: ${words}. Look at ${FOUND}/${name}.*.png. Is it right? ${REMEDY}`
}

/**
 * Whether a difference is a fault: another main version of Chromium, which Debian brings without asking, may draw
 * letters otherwise.
 */
export function isSameBrowser(chromium: string): boolean {
  const main = (version: string) => version.trim().split('.')[0]
  return !existsSync(VERSION) || main(readFileSync(VERSION, 'utf8')) === main(chromium)
}

/** Compares two pictures: what is different in words and drawn, or nothing. */
export function difference(kept: PNG, now: PNG): { readonly words?: string; readonly drawn?: PNG } {
  const { width, height } = now
  if (kept.width !== width || kept.height !== height) {
    return { words: `it is ${width} x ${height}, and was ${kept.width} x ${kept.height}` }
  }
  const drawn = new PNG({ width, height })
  const options = { threshold: COLOUR_MAX }
  const count = pixelmatch(kept.data, now.data, drawn.data, width, height, options)
  if (count === 0) return {}
  const windowed = pixelmatch(kept.data, now.data, null, width, height, { ...options, windowSize: SQUARE })
  if (count <= width * height * SHARE_MAX && windowed <= SQUARE_MAX) return {}
  const share = ((count / (width * height)) * 100).toFixed(3)
  return { words: `${count} pixels differ (${share} %), ${windowed} of them in one square of ${SQUARE}`, drawn }
}

function fileOf(name: string): string {
  return join(KEPT, `${name}.png`)
}
