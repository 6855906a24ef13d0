import { appendFile, mkdir, mkdtemp, readdir, readlink, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type JournalFilesOptions, journalFiles } from '../../../src/adapters/files/journal-files.ts'
import type { CallId } from '../../../src/kernel/ids.ts'
import { makeLog, silentLog } from '../../../src/kernel/log.ts'
import type { JournalLine } from '../../../src/ports/journal.ts'
import { VirtualClock } from '../../support/virtual-clock.ts'

const ANNE = 'sb-call-anne' as CallId
const BO = 'sb-call-bo' as CallId

let folder: string
let clock: VirtualClock
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'journal-'))
  clock = new VirtualClock()
})
afterEach(() => rm(folder, { recursive: true, force: true }))

function open(options: Partial<JournalFilesOptions> = {}) {
  const directory = join(folder, 'journal')
  return journalFiles({
    directory,
    fileBytesMax: 1_000_000,
    filesMax: 8,
    daysMax: 30,
    clock,
    log: silentLog,
    ...options,
  })
}

function line(call: CallId, number: number, padding = ''): JournalLine {
  return { atMs: clock.nowMs(), call, kind: 'note', by: 'call', what: { type: 'counted', number, padding } }
}

function numbersOf(lines: readonly JournalLine[]): unknown[] {
  return lines.map(({ what }) => what['number'])
}

describe('journal files', () => {
  test('give back the lines of one call in the order in which they were written', async () => {
    const journal = open()
    for (let number = 0; number < 500; number++) journal.append(line(number % 2 ? ANNE : BO, number))
    const numbers = numbersOf(await journal.read(ANNE))
    expect(numbers).toEqual(Array.from({ length: 250 }, (_, index) => 2 * index + 1))
    await journal.close()
  })

  test('are flushed after 50 ms by themselves', async () => {
    const journal = open()
    journal.append(line(ANNE, 1))
    clock.run(49)
    const early = open()
    expect(await early.read(ANNE)).toEqual([])
    clock.run(1)
    await journal.close()
    expect(numbersOf(await early.read(ANNE))).toEqual([1])
  })

  test('hold one day each, and are deleted when every line is too old (F-K3)', async () => {
    const journal = open({ daysMax: 3 })
    for (let day = 0; day < 10; day++) {
      journal.append(line(ANNE, day))
      await journal.flush()
      clock.run(24 * 3_600_000)
    }
    expect(numbersOf(await journal.read(ANNE))).toEqual([5, 6, 7, 8, 9])
    await journal.close()
    // A service that starts again late begins a file of its own.
    clock.run(20 * 24 * 3_600_000)
    const later = open({ daysMax: 3 })
    later.append(line(ANNE, 30))
    expect(numbersOf(await later.read(ANNE))).toEqual([30])
    await later.close()
  })

  test('are readable by their owner only', async () => {
    const journal = open()
    journal.append(line(ANNE, 1))
    await journal.close()
    const directory = join(folder, 'journal')
    const [name] = await readdir(directory)
    expect(name).toBe(`journal-${clock.nowMs()}.jsonl`)
    expect((await stat(directory)).mode & 0o777).toBe(0o700)
    expect((await stat(join(directory, name!))).mode & 0o777).toBe(0o600)
  })

  test('given a full file, continue in the next one, and a call that lies in both is still found', async () => {
    const journal = open({ fileBytesMax: 1_000 })
    for (let number = 0; number < 5; number++) {
      journal.append(line(ANNE, number, 'x'.repeat(1_000)))
      await journal.flush()
    }
    expect(await readdir(join(folder, 'journal'))).toHaveLength(5)
    expect(numbersOf(await journal.read(ANNE))).toEqual([0, 1, 2, 3, 4])
    await journal.close()
  })

  test('given too many files, remove the oldest', async () => {
    const journal = open({ fileBytesMax: 1_000, filesMax: 3 })
    for (let number = 0; number < 7; number++) {
      journal.append(line(ANNE, number, 'x'.repeat(1_000)))
      await journal.flush()
    }
    expect(await readdir(join(folder, 'journal'))).toHaveLength(3)
    expect(numbersOf(await journal.read(ANNE))).toEqual([4, 5, 6])
    await journal.close()
  })

  test('given a line torn by a crash, keep what was written before and after it', async () => {
    const before = open()
    before.append(line(ANNE, 1))
    await before.close()
    const [name] = await readdir(join(folder, 'journal'))
    await appendFile(join(folder, 'journal', name!), JSON.stringify(line(ANNE, 2)).slice(0, -10))
    const after = open()
    expect(numbersOf(await after.read(ANNE))).toEqual([1])
    after.append(line(ANNE, 3))
    expect(numbersOf(await after.read(ANNE))).toEqual([1, 3])
    await after.close()
  })

  test('given a restart, go on with the file that has room', async () => {
    for (const number of [1, 2, 3]) {
      const journal = open()
      journal.append(line(ANNE, number))
      await journal.close()
      clock.run(1_000)
    }
    expect(await readdir(join(folder, 'journal'))).toHaveLength(1)
    expect(numbersOf(await open().read(ANNE))).toEqual([1, 2, 3])
  })

  test('given an unwritable disk, count the lost lines, log it once a minute, and recover', async () => {
    const directory = join(folder, 'journal')
    await writeFile(directory, 'a file stands where the folder should be')
    const logged: string[] = []
    const journal = open({ log: makeLog('info', { write: (text) => logged.push(text) }) })
    for (const number of [1, 2]) {
      journal.append(line(ANNE, number))
      await journal.flush()
    }
    expect(journal.droppedLines).toBe(2)
    expect(logged).toHaveLength(1)
    clock.run(60_000)
    journal.append(line(ANNE, 3))
    await journal.flush()
    expect(logged).toHaveLength(2)
    await rm(directory)
    await mkdir(directory)
    journal.append(line(ANNE, 4))
    expect(numbersOf(await journal.read(ANNE))).toEqual([4])
    await journal.close()
  })

  test('given a full disk, open no file for good', async () => {
    const directory = join(folder, 'journal')
    await mkdir(directory)
    await symlink('/dev/full', join(directory, `journal-${clock.nowMs()}.jsonl`))
    clock.run(1)
    const journal = open()
    for (let number = 1; number <= 5; number++) {
      journal.append(line(ANNE, number))
      await journal.flush()
    }
    expect(journal.droppedLines).toBe(5)
    const handles = await readdir('/proc/self/fd')
    const places = await Promise.all(handles.map((handle) => readlink(`/proc/self/fd/${handle}`).catch(() => '')))
    expect(places.filter((place) => place === '/dev/full')).toEqual([])
    await journal.close()
  })

  test('given more lines than the buffer holds, drop the newest and never block', async () => {
    const journal = open({ fileBytesMax: 100_000_000 })
    const megabyte = 'x'.repeat(1024 * 1024)
    for (let number = 0; number < 20; number++) journal.append(line(ANNE, number, megabyte))
    expect(journal.droppedLines).toBe(5)
    expect(numbersOf(await journal.read(ANNE))).toEqual(Array.from({ length: 15 }, (_, index) => index))
    await journal.close()
  })

  test('given no folder, find no call', async () => {
    expect(await open({ directory: join(folder, 'nowhere') }).read(ANNE)).toEqual([])
  })

  test('given an id that only another call mentions, do not mix the two calls', async () => {
    const journal = open()
    journal.append(line(BO, 1, `"call":"${ANNE}"`))
    journal.append(line(ANNE, 2))
    expect(numbersOf(await journal.read(ANNE))).toEqual([2])
    await journal.close()
  })
})
