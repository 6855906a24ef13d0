/** The comparison of pages with their kept pictures: it sees what moves; the pictures are small, and all are there. */
import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { PNG } from 'pngjs'
import { expect, test } from 'vitest'
import { difference, isSameBrowser, KEPT, NAMES, REMEDY } from './kept-pictures.ts'

const BYTES_MAX = 6_000_000

/** A page with a button 120 x 36 at this place. */
function page(left: number, width = 1440, button = 0x4a4fc4): PNG {
  const png = new PNG({ width, height: 900 })
  png.data.fill(255)
  for (let y = 300; y < 336; y++) {
    for (let x = left; x < left + 120; x++) {
      png.data.set([button >> 16, (button >> 8) & 255, button & 255], (y * width + x) * 4)
    }
  }
  return png
}

test('a page is as its picture', () => {
  expect(difference(page(200), page(200))).toEqual({})
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

// Before the first pictures are kept, there is nothing to hold.
test.runIf(existsSync(KEPT))('every page has its picture, no other is kept, and they are small', () => {
  const kept = readdirSync(KEPT)
  const pictures = [...NAMES].map((name) => `${name}.png`)
  expect(kept.toSorted(), `remove ${KEPT}, then: ${REMEDY}`).toEqual(['chromium.txt', ...pictures].toSorted())
  expect(kept.reduce((sum, name) => sum + statSync(join(KEPT, name)).size, 0)).toBeLessThanOrEqual(BYTES_MAX)
  expect(isSameBrowser('0.0')).toBe(false)
})
