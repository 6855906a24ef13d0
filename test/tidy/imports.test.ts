import { describe, expect, test } from 'vitest'
import {
  fileCircles,
  folderCircles,
  forgottenImports,
  importsOf,
  outsideImports,
  unreachable,
  wrongAreas,
  wrongArrows,
} from './imports.ts'
import { sourceFile } from './source-files.ts'

/** A file that imports others, by their paths from its folder. */
function importing(path: string, ...imported: string[]) {
  return sourceFile(path, imported.map((one) => `import type { A } from '${one}'`).join('\n'))
}

describe('imports are found', () => {
  test.each([
    ['of values', "import { a } from './b.ts'"],
    ['of types', "import type { A } from './b.ts'"],
    ['over several lines', "import {\n  a,\n} from './b.ts'"],
    ['in a type', "type A = import('./b.ts').A"],
    ['while it runs', "await import('./b.ts')"],
    ['of a thread', "new Worker(new URL('./b.ts', import.meta.url))"],
  ])('%s', (_, text) => {
    expect(importsOf(sourceFile('src/x/a.ts', text))).toMatchObject([{ from: 'src/x/a.ts', to: 'src/x/b.ts' }])
  })

  test('but not in a comment', () => {
    expect(importsOf(sourceFile('src/x/a.ts', "// import { a } from './b.ts'"))).toEqual([])
  })
})

describe('an allowed direction between rooms', () => {
  const ARROWS = { rules: ['kernel'], app: ['*'] }

  test('holds for the room of a file, in any area', () => {
    const rules = importing('src/rules/deep/a.ts', '../b.ts', '../../kernel/c.ts')
    expect(wrongArrows([rules, importing('src/app/a.ts', '../rules/b.ts')], ARROWS)).toEqual([])
  })

  test('is enforced: the wrong one is caught, with its line', () => {
    const wrong = importing('src/rules/a.ts', './b.ts', '../app/c.ts')
    expect(wrongArrows([wrong], ARROWS)).toEqual([
      expect.stringMatching(/^src\/rules\/a\.ts:2 rules must not import app/),
    ])
  })

  test('is missing for an unplanned room', () => {
    const wrong = importing('src/attic/a.ts', '../kernel/c.ts')
    expect(wrongArrows([wrong], ARROWS)).toEqual([expect.stringMatching(/attic is no room of the house/)])
  })
})

describe('an allowed direction between areas', () => {
  const ARROWS = { rest: { '.': ['*'], http: [], calls: ['http'] } }

  test('lets areas import what lies below them', () => {
    const calls = importing('src/rest/calls/a.ts', '../http/b.ts', '../../ports/c.ts')
    expect(wrongAreas([calls, importing('src/rest/routes.ts', './calls/a.ts')], ARROWS)).toEqual([])
  })

  test('is enforced: the wrong one is caught, unless it is known', () => {
    const wrong = importing('src/rest/http/b.ts', '../calls/a.ts')
    expect(wrongAreas([wrong], ARROWS)).toEqual([
      expect.stringMatching(/b\.ts:1 rest\/http must not import rest\/calls/),
    ])
    expect(wrongAreas([wrong], ARROWS, ['src/rest/http/b.ts > src/rest/calls/a.ts'])).toEqual([])
  })

  test('is missing for an unplanned area', () => {
    const wrong = importing('src/rest/attic/a.ts', '../http/b.ts')
    expect(wrongAreas([wrong], ARROWS)).toEqual([expect.stringMatching(/attic is no area of rest/)])
  })
})

describe('a circle', () => {
  const CIRCLE = [
    importing('src/x/a.ts', './b.ts'),
    importing('src/x/b.ts', '../y/c.ts'),
    importing('src/y/c.ts', '../x/a.ts', './d.ts'),
    importing('src/y/d.ts'),
  ]

  test('of files is caught once, with its path', () => {
    const circles = fileCircles(CIRCLE)
    expect(circles).toEqual([expect.stringContaining('src/x/a.ts → src/x/b.ts → src/y/c.ts → src/x/a.ts')])
  })

  test('of folders is caught, although its files have none', () => {
    const files = [importing('src/x/a.ts', '../y/c.ts'), importing('src/y/d.ts', '../x/b.ts')]
    expect(fileCircles(files)).toEqual([])
    expect(folderCircles(files)).toEqual([expect.stringContaining('src/x → src/y → src/x')])
  })

  test('that is known is ignored, until the import is gone', () => {
    const known = ['src/y/c.ts > src/x/a.ts']
    expect([...fileCircles(CIRCLE, known), ...folderCircles(CIRCLE, known)]).toEqual([])
    expect(forgottenImports(CIRCLE, known)).toEqual([])
    expect(forgottenImports(CIRCLE.slice(0, 2), known)).toEqual([expect.stringContaining('take it off the list')])
  })
})

test('a service that imports a test is caught', () => {
  const wrong = importing('src/x/a.ts', '../../test/support/b.ts')
  expect(outsideImports([wrong, importing('test/x.test.ts', '../bench/b.ts')])).toEqual([
    expect.stringContaining('src/x/a.ts:1'),
  ])
})

test('a file that only tests reach is caught, and one that a thread runs is not', () => {
  const files = [
    importing('src/main.ts', './x/a.ts'),
    sourceFile('src/x/a.ts', "new Worker(new URL('./thread.ts', import.meta.url))"),
    sourceFile('src/x/thread.ts', ''),
    sourceFile('src/x/forgotten.ts', ''),
    importing('test/x.test.ts', '../src/x/forgotten.ts'),
  ]
  expect(unreachable(files, (path) => path === 'src/main.ts')).toEqual([expect.stringContaining('src/x/forgotten.ts')])
})
