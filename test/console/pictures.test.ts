/** The pictures in the documents: each exists, is small, and is shown somewhere. */
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const DOCS = join(import.meta.dirname, '../../docs')
const PICTURES = join(DOCS, 'pictures')
const BYTES_MAX = 150_000

const pages = readdirSync(DOCS).filter((name) => name.endsWith('.md'))
const shown = pages.flatMap((page) => {
  const text = readFileSync(join(DOCS, page), 'utf8')
  return [...text.matchAll(/!\[([^\]]*)\]\(pictures\/([^)]+\.png)\)/g)].map(([, said = '', name = '']) => ({
    said,
    name,
  }))
})

test('every screenshot that a page shows exists, is small, and is told in words', () => {
  expect(shown.map(({ name }) => name)).toContain('desk-talking.png')
  for (const { said, name } of shown) {
    expect(statSync(join(PICTURES, name)).size, name).toBeLessThanOrEqual(BYTES_MAX)
    expect(said.length, name).toBeGreaterThan(20)
  }
})

test('every screenshot is shown on a page', () => {
  const names = readdirSync(PICTURES).filter((name) => name.endsWith('.png'))
  expect(names.filter((name) => !shown.some((each) => each.name === name))).toEqual([])
})
