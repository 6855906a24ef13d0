import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { settingsTable } from '../src/config.ts'
import { STEP_KIND_NAMES } from '../src/flow/kinds.ts'

const root = join(import.meta.dirname, '..')
const readme = readFileSync(join(root, 'README.md'), 'utf8')

test('the README lists every setting as the schema has it', () => {
  expect(readme).toContain(settingsTable())
})

test('every file and folder that the README points to is there', () => {
  const links = [...readme.matchAll(/\]\((?!https?:)([^)#]+)\)/g)].map((match) => match[1]!)
  expect(links.length).toBeGreaterThan(10)
  expect(links.filter((link) => !existsSync(join(root, link)))).toEqual([])
})

test('the README names every kind of step there is', () => {
  const listed = /Steps so far: ([^.]*)\./
    .exec(readme)?.[1]
    ?.match(/`(\w+)`/g)
    ?.map((name) => name.slice(1, -1))
  expect(listed).toEqual([...STEP_KIND_NAMES])
})
