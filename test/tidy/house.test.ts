/** The source keeps its rules: imports, places, names, sizes, time and chance, docs. */
import { describe, expect, test } from 'vitest'
import { BANS, bannedLines, unfinished } from './bans.ts'
import { AREAS_MAY_IMPORT, isStart, KNOWN_CIRCLES, MAY_IMPORT } from './house.ts'
import {
  fileCircles,
  folderCircles,
  forgottenImports,
  outsideImports,
  unreachable,
  wrongAreas,
  wrongArrows,
} from './imports.ts'
import { crowdedFolders, privateNames, strayFiles, strayIds, twins } from './places.ts'
import { longFiles, longFunctions, longLines, undocumented } from './sizes.ts'
import { houseFiles } from './source-files.ts'

const LINES_MAX = 400
const FUNCTION_LINES_MAX = 60
const COLUMNS_MAX = 120
const FILES_MAX = 40

const files = houseFiles()

describe('imports', () => {
  test('every import follows the allowed directions between rooms', () => {
    expect(wrongArrows(files, MAY_IMPORT)).toEqual([])
  })

  test('every import follows the allowed directions between the areas of a room', () => {
    expect(wrongAreas(files, AREAS_MAY_IMPORT, KNOWN_CIRCLES)).toEqual([])
  })

  test('no files import each other in a circle, types included', () => {
    expect(fileCircles(files, KNOWN_CIRCLES)).toEqual([])
  })

  test('no folders import each other in a circle', () => {
    expect(folderCircles(files, KNOWN_CIRCLES)).toEqual([])
  })

  test('the list of known circles has no obsolete entry', () => {
    expect(forgottenImports(files, KNOWN_CIRCLES)).toEqual([])
  })

  test('nothing of the service imports tests, benchmarks or scripts', () => {
    expect(outsideImports(files)).toEqual([])
  })

  test('everything in src is reached by the service, the command line or the client', () => {
    expect(unreachable(files, isStart)).toEqual([])
  })
})

describe('places', () => {
  test('src holds main.ts and rooms', () => {
    expect(strayFiles(files)).toEqual([])
  })

  test(`no folder holds more than ${FILES_MAX} files`, () => {
    expect(crowdedFolders(files, FILES_MAX)).toEqual([])
  })

  test('every id is declared in one file', () => {
    expect(strayIds(files)).toEqual([])
  })

  test('no two files have one name, except a port, and one area in rest and store', () => {
    expect(twins(files)).toEqual([])
  })

  test('no file name has an old word', () => {
    expect(privateNames(files)).toEqual([])
  })
})

describe('sizes and docs', () => {
  test(`no file is longer than ${LINES_MAX} lines`, () => {
    expect(longFiles(files, LINES_MAX)).toEqual([])
  })

  test(`no line is longer than ${COLUMNS_MAX} columns`, () => {
    expect(longLines(files, COLUMNS_MAX)).toEqual([])
  })

  test(`no function is longer than ${FUNCTION_LINES_MAX} lines`, () => {
    expect(longFunctions(files, FUNCTION_LINES_MAX)).toEqual([])
  })

  test('every export has a description', () => {
    expect(undocumented(files)).toEqual([])
  })

  test('there is no unfinished business', () => {
    expect(unfinished(files)).toEqual([])
  })
})

test.each(Object.entries(BANS))('there is %s', (_, ban) => {
  expect(bannedLines(files, ban)).toEqual([])
})
