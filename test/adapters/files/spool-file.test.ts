import { appendFileSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { spoolFile } from '../../../src/adapters/files/spool-file.ts'
import { makeLog } from '../../../src/kernel/log.ts'

const log = makeLog('silent')
const newFile = () => join(mkdtempSync(join(tmpdir(), 'spool-')), 'deep', 'spool.jsonl')

test('appended lines are read by the next process, in order, until they are cleared', () => {
  const file = newFile()
  const spool = spoolFile(file, log)
  expect(spool.read()).toEqual([])
  spool.append({ key: 'a', n: 1 })
  spool.append({ key: 'b', n: 2 })
  expect(spoolFile(file, log).read()).toEqual([
    { key: 'a', n: 1 },
    { key: 'b', n: 2 },
  ])
  spool.clear()
  expect(spoolFile(file, log).read()).toEqual([])
})

test('what is to stay is all that is left, for its owner only', () => {
  const file = newFile()
  const spool = spoolFile(file, log)
  for (const key of ['a', 'b', 'c']) spool.append({ key })
  spool.clear([{ key: 'b' }])
  spool.append({ key: 'd' })
  expect(spoolFile(file, log).read()).toEqual([{ key: 'b' }, { key: 'd' }])
  expect(statSync(file).mode & 0o077).toBe(0)
})

test('a line that a crash cut off is lost alone', () => {
  const file = newFile()
  spoolFile(file, log).append({ key: 'a' })
  appendFileSync(file, '{"key":"b","val')
  expect(spoolFile(file, log).read()).toEqual([{ key: 'a' }])
  spoolFile(file, log).append({ key: 'c' })
  expect(spoolFile(file, log).read()).toEqual([{ key: 'a' }, { key: 'c' }])
})

test('the file is readable by its owner only', () => {
  const file = newFile()
  spoolFile(file, log).append({ key: 'a' })
  expect(statSync(file).mode & 0o077).toBe(0)
})

test('every start tells how many entries were set aside, until their file is removed', () => {
  const file = newFile()
  const startedWith = () => {
    const logged: string[] = []
    const spool = spoolFile(file, makeLog('warn', { write: (line) => void logged.push(line) }))
    return { spool, logged: logged.map((line) => JSON.parse(line) as object) }
  }
  const { spool, logged } = startedWith()
  expect(logged).toEqual([])
  spool.setAside({ key: 'a' })
  spool.setAside({ key: 'b' })
  spool.clear()
  expect(startedWith().logged).toMatchObject([{ entries: 2, file: `${file}.refused` }])
  rmSync(`${file}.refused`)
  expect(startedWith().logged).toEqual([])
})
