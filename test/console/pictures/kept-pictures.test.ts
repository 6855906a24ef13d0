/** The comparison of pages with their kept pictures: it sees what moves, and the pictures are few, small and whole. */
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { PNG } from 'pngjs'
import { expect, test } from 'vitest'
import { indexedPng, type Pixels, roundColours } from './indexed-png.ts'
import { difference, KEPT } from './kept-pictures.ts'

const BYTES_MAX = 6_000_000
/** One file: more is no picture of a page, but a photograph. */
const FILE_BYTES_MAX = 100_000

/** A page with a button 120 x 36 at this place. */
function page(left: number, width = 1440, button = 0x4a4fc4): Pixels {
  const data = new Uint8Array(width * 900 * 4).fill(244)
  for (let y = 300; y < 336; y++) {
    for (let x = left; x < left + 120; x++) {
      const at = (y * width + x) * 4
      data.set([button >> 16, (button >> 8) & 255, button & 255], at)
    }
  }
  const pixels = { width, height: 900, data }
  roundColours(pixels)
  return pixels
}

test('a page is as its picture, also after it was written and read', () => {
  expect(difference(page(200), page(200))).toEqual({})
  expect(difference(PNG.sync.read(indexedPng(page(200))), page(200))).toEqual({})
})

test.each([390, 1024, 1440, 1920])('a button that has moved by 4 px is seen on a page of %d px', (width) => {
  expect(difference(page(200, width), page(204, width)).words).toMatch(/^288 pixels differ/)
})

test('another colour of the button, and another size of the page are seen', () => {
  expect(difference(page(200), page(200, 1440, 0x3a7fc4)).words).toMatch(/^4320 pixels differ \(0\.333 %\)/)
  expect(difference(page(200), page(200, 1024)).words).toBe('it is 1024 x 900, and was 1440 x 900')
})

test('a shade that nobody sees is no difference', () => {
  expect(difference(page(200), page(200, 1440, 0x4c51c6))).toEqual({})
})

test('more colours than a palette has become the nearest of it', () => {
  const data = new Uint8Array(32 * 32 * 4).map((_, at) => [(at >> 2) & 31, (at >> 7) & 31, 0, 255][at & 3]! * 8)
  const { width, height, data: read } = PNG.sync.read(indexedPng({ width: 32, height: 32, data }))
  expect([width, height]).toEqual([32, 32])
  const colours = new Set(Array.from({ length: 32 * 32 }, (_, pixel) => read.readUInt32BE(pixel * 4)))
  expect(colours.size).toBe(256)
})

test('the kept pictures are small', () => {
  const sizes = readdirSync(KEPT).map((name) => ({ name, bytes: statSync(join(KEPT, name)).size }))
  expect(sizes.length).toBeGreaterThan(100)
  expect(sizes.filter(({ name, bytes }) => !/^[\w-]+\.png$/.test(name) || bytes > FILE_BYTES_MAX)).toEqual([])
  expect(sizes.reduce((sum, { bytes }) => sum + bytes, 0)).toBeLessThanOrEqual(BYTES_MAX)
})
