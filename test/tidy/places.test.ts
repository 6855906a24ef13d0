import { expect, test } from 'vitest'
import { crowdedFolders, privateNames, strayFiles, strayIds, twins } from './places.ts'
import { sourceFile } from './source-files.ts'

const empty = (...paths: string[]) => paths.map((path) => sourceFile(path, ''))

test('a file directly in src is caught, but for main.ts', () => {
  const files = empty('src/main.ts', 'src/x/a.ts', 'src/settings.ts', 'test/a.test.ts')
  expect(strayFiles(files)).toEqual([expect.stringContaining('src/settings.ts')])
})

test('a folder with one file too many is caught; its own folders do not count', () => {
  const files = empty('src/x/a.ts', 'src/x/b.ts', 'src/x/y/c.ts', 'src/z/a.ts', 'src/z/b.ts', 'src/z/c.ts')
  expect(crowdedFolders(files, 2)).toEqual([expect.stringContaining('src/z has 3 files')])
})

test('an id that is declared beside its first user is caught; a branded object is not an id', () => {
  const files = [
    sourceFile('src/kernel/ids.ts', "export type CallId = Branded<string, 'CallId'>"),
    sourceFile('src/ports/a.ts', "\nexport type TaskId = Branded<number, 'TaskId'>"),
    sourceFile('src/dialer/b.ts', "export type Permit = Branded<\n  { readonly task: TaskId },\n  'Permit'\n>"),
  ]
  expect(strayIds(files)).toEqual([expect.stringContaining('src/ports/a.ts:2')])
})

test('two files of one name are caught, unless they are one area in rest and store, or a port and its user', () => {
  const oneThing = empty('src/ports/cases.ts', 'src/rest/cases/cases.ts', 'src/store/cases/cases.ts')
  const port = empty('src/ports/sms.ts', 'src/flow/steps/sms.ts')
  expect(twins([...oneThing, ...port, ...empty('src/x/a.ts', 'test/x/a.ts')])).toEqual([])
  expect(twins([...oneThing, ...empty('src/cases/cases.ts')])).toEqual([expect.stringMatching(/^cases\.ts /)])
  expect(twins(empty('src/rest/a/list.ts', 'src/rest/b/list.ts'))).toEqual([expect.stringMatching(/^list\.ts /)])
})

test('a file name with an old word is caught; a released migration keeps its name', () => {
  const files = empty('src/x/case-desk.ts', 'test/x/seats.test.ts', 'src/x/workbook.ts', 'src/x/agent-desktop.ts')
  const migration = empty('src/store/db/migrations/0008-office.ts')
  expect(privateNames([...files, ...migration])).toEqual([
    expect.stringContaining('src/x/case-desk.ts'),
    expect.stringContaining('test/x/seats.test.ts'),
  ])
})
