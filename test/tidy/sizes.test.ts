import { expect, test } from 'vitest'
import { longFiles, longFunctions, longLines, undocumented } from './sizes.ts'
import { sourceFile } from './source-files.ts'

test('a file with one line too many is caught', () => {
  const files = [sourceFile('src/x/a.ts', 'a\nb\n'), sourceFile('src/x/b.ts', 'a\nb\nc\n')]
  expect(longFiles(files, 2)).toEqual([expect.stringContaining('src/x/b.ts:2 has 3 lines')])
})

test('a line with one column too many is caught, in tests and comments too', () => {
  expect(longLines([sourceFile('test/a.test.ts', '12345\n// 456')], 5)).toEqual([expect.stringContaining(':2 ')])
})

test.each([
  ['a function', 'export function a() {\n  b()\n}', 'function a() {\n}'],
  ['an arrow', 'const a = () => {\n  b()\n}', 'const a = () => {\n}'],
  ['a method', 'class A {\n  async #a(): Promise<void> {\n    b()\n  }\n}', 'class A {\n  #a() {\n  }\n}'],
])('%s with one line too many is caught', (_, long, short) => {
  const files = [sourceFile('src/x/a.ts', long), sourceFile('src/x/b.ts', short), sourceFile('test/a.test.ts', long)]
  expect(longFunctions(files, 2)).toEqual([expect.stringMatching(/^src\/x\/a\.ts:\d this function has 3 lines/)])
})

test.each(['function a() {}', 'async function a() {}', 'class A {}', 'const DAY_MS = 1'])(
  'an exported "%s" without a description is caught',
  (declaration) => {
    const said = `/** Says it. */\nexport ${declaration}\nexport interface B {}\n`
    expect(undocumented([sourceFile('src/x/a.ts', said)])).toEqual([])
    expect(undocumented([sourceFile('src/x/a.ts', `\nexport ${declaration}`)])).toEqual([
      expect.stringContaining('src/x/a.ts:2'),
    ])
  },
)
