/** The pictures of pages that are kept beside the tests, and how a page is compared with its own. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import pixelmatch from 'pixelmatch'
import { PNG } from 'pngjs'
import { indexedPng, type Pixels, roundColours } from './indexed-png.ts'

/** Where the kept ones are. */
export const KEPT = join(import.meta.dirname, 'kept')
/** Where new pictures and differences are written. */
const FOUND = join(import.meta.dirname, '../../../.data/pictures')
const ACCEPT = 'PICTURES=accept npx vitest run test/console --project browser'

/** Of all pixels: bar 20 of the design of the console. */
const SHARE_MAX = 0.001
/** Of the pixels of a small square, so that nothing small moves unseen on a large page. */
const SQUARE = 32
const SQUARE_MAX = 24
/** In OKLab, where 1 is black to white: two steps of the rounded colours. */
const COLOUR_MAX = 0.05

/** Reads a screenshot, as pictures are compared: with rounded colours. */
export function pixelsOf(png: Buffer): Pixels {
  const pixels = PNG.sync.read(png)
  roundColours(pixels)
  return pixels
}

/** Keeps it under its name. */
export function keep(name: string, pixels: Pixels): void {
  mkdirSync(KEPT, { recursive: true })
  writeFileSync(fileOf(name), indexedPng(pixels))
}

/** What is wrong with it, in words; nothing where it is as the kept one. */
export function differenceFrom(name: string, now: Pixels): string | undefined {
  if (!existsSync(fileOf(name))) return 'no picture is kept of it'
  return difference(PNG.sync.read(readFileSync(fileOf(name))), now).words
}

/** Writes the new picture, and one of the difference; says where they are and how the new one is kept. */
export function report(name: string, now: Pixels, words: string, browser: string): string {
  mkdirSync(FOUND, { recursive: true })
  const [newFile, differenceFile] = ['new', 'difference'].map((what) => join(FOUND, `${name}.${what}.png`))
  writeFileSync(newFile!, indexedPng(now))
  const files = [newFile!]
  if (existsSync(fileOf(name))) {
    const { drawn } = difference(PNG.sync.read(readFileSync(fileOf(name))), now)
    if (drawn) {
      writeFileSync(differenceFile!, PNG.sync.write(Object.assign(new PNG(drawn), { data: Buffer.from(drawn.data) })))
      files.push(differenceFile!)
    }
  }
  return `the picture ${name} (Chromium ${browser}): ${words}. Look at ${files.join(' and ')}. Right? ${ACCEPT}`
}

/** Compares two pictures: what is different in words and drawn, or nothing. */
export function difference(kept: Pixels, now: Pixels): { readonly words?: string; readonly drawn?: Pixels } {
  const { width, height } = now
  if (kept.width !== width || kept.height !== height) {
    return { words: `it is ${width} x ${height}, and was ${kept.width} x ${kept.height}` }
  }
  const data = new Uint8Array(now.data.length)
  const options = { threshold: COLOUR_MAX }
  const count = pixelmatch(kept.data, now.data, data, width, height, options)
  if (count === 0) return {}
  const windowed = pixelmatch(kept.data, now.data, null, width, height, { ...options, windowSize: SQUARE })
  if (count <= width * height * SHARE_MAX && windowed <= SQUARE_MAX) return {}
  const share = ((count / (width * height)) * 100).toFixed(3)
  return {
    words: `${count} pixels differ (${share} %), ${windowed} of them in one square of ${SQUARE}`,
    drawn: { width, height, data },
  }
}

function fileOf(name: string): string {
  return join(KEPT, `${name}.png`)
}
