import { createHash, randomBytes } from 'node:crypto'
import { mkdir, mkdtemp, readdir, rm, stat, symlink, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'
import { openFileStore } from '../../../src/adapters/files/file-store.ts'
import type { StorageName } from '../../../src/kernel/ids.ts'
import { silentLog } from '../../../src/kernel/log.ts'
import { VirtualClock } from '../../support/virtual-clock.ts'
import { fullDisk } from './full-disk.ts'
import { NASTY_NAMES } from './nasty-names.ts'

const NOON_MS = Date.UTC(2026, 0, 2, 12)

async function opened(directory?: string) {
  const home = directory ?? (await mkdtemp(join(tmpdir(), 'switchboard-files-')))
  if (directory === undefined) onTestFinished(() => rm(home, { recursive: true }))
  const store = await openFileStore({
    directory: join(home, 'files'),
    clock: new VirtualClock(NOON_MS),
    secretBytes: randomBytes,
    log: silentLog,
  })
  const plainFiles = async () => {
    const names = await readdir(home, { recursive: true, withFileTypes: true })
    return names.filter((each) => each.isFile()).map(({ name }) => name)
  }
  return { home, store, plainFiles }
}

async function* pieces(...texts: string[]) {
  for (const text of texts) yield Buffer.from(text)
}

test('given bytes in chunks, the file is stored whole under a generated name, readable by its owner only', async () => {
  const { home, store, plainFiles } = await opened()
  const kept = await store.write(pieces('first ', 'second'), 12)
  if (typeof kept === 'string') throw new Error(kept)
  expect(kept).toMatchObject({ sizeBytes: 12, sha256: createHash('sha256').update('first second').digest('hex') })
  expect(kept.storage).toMatch(/^[0-9a-f]{40}$/)
  expect(await plainFiles()).toEqual([kept.storage])
  expect((await stat(join(home, 'files', kept.storage.slice(0, 2), kept.storage))).mode & 0o077).toBe(0)
  expect(String(await buffer((await store.read(kept.storage))!))).toBe('first second')
  expect(String(await buffer((await store.read(kept.storage, { from: 6, to: 8 }))!))).toBe('sec')
  await store.remove(kept.storage)
  await store.remove(kept.storage)
  expect(await store.read(kept.storage)).toBeUndefined()
  expect(await plainFiles()).toEqual([])
})

test('given no bytes at all, an empty file is kept', async () => {
  const { store } = await opened()
  const kept = await store.write(pieces(), 10)
  if (typeof kept === 'string') throw new Error(kept)
  expect(String(await buffer((await store.read(kept.storage))!))).toBe('')
})

test('given too many bytes, or a stream that breaks off, no file remains', async () => {
  const { store, plainFiles } = await opened()
  expect(await store.write(pieces('0123', '4567', '89'), 9)).toBe('too large')
  async function* broken() {
    yield Buffer.from('half')
    throw new Error('broken off')
  }
  await expect(store.write(broken(), 9)).rejects.toThrow('broken off')
  expect(await plainFiles()).toEqual([])
})

test.each(['write', 'sync'] as const)('given a disk that is full at its %s, no file remains', async (at) => {
  const { home, plainFiles } = await opened()
  const store = await openFileStore({
    directory: join(home, 'files'),
    clock: new VirtualClock(NOON_MS),
    secretBytes: randomBytes,
    log: silentLog,
    openFile: fullDisk({ bytesLeft: 6, at }),
  })
  expect(await store.write(pieces('0123', '4567', '89'), 20)).toBe('disk full')
  expect(await plainFiles()).toEqual([])
})

test('given a disk that others fill meanwhile, no file remains of what it must keep free', async () => {
  const { home, plainFiles } = await opened()
  const free = [300, 200, 99]
  const store = await openFileStore({
    directory: join(home, 'files'),
    clock: new VirtualClock(NOON_MS),
    secretBytes: randomBytes,
    log: silentLog,
    freeBytesMin: 100,
    freeBytes: async () => free.shift()!,
  })
  const mib = 'x'.repeat(1024 * 1024)
  const kept = await store.write(pieces(mib, mib), 1e9)
  if (typeof kept === 'string') throw new Error(kept)
  expect(await store.write(pieces('a'), 1e9)).toBe('disk full')
  expect(await plainFiles()).toEqual([kept.storage])
})

test('given unfinished files of a dead process, those older than an hour are removed at the next start', async () => {
  const { home, store } = await opened()
  const kept = await store.write(pieces('whole'), 10)
  if (typeof kept === 'string') throw new Error(kept)
  await mkdir(join(home, 'files', 'ab'), { recursive: true })
  for (const [name, ageS] of [
    ['old', 3_601],
    ['new', 3_599],
  ] as const) {
    const path = join(home, 'files', 'ab', `${name}.part`)
    await writeFile(path, 'half')
    await utimes(path, NOON_MS / 1000 - ageS, NOON_MS / 1000 - ageS)
  }
  const { plainFiles } = await opened(home)
  expect((await plainFiles()).sort()).toEqual([kept.storage, 'new.part'].sort())
})

test('F-J7: no name leads out of the store, not even through a symbolic link inside it', async () => {
  const { home, store } = await opened()
  await writeFile(join(home, 'secret'), 'secret')
  const link = 'a'.repeat(40)
  await mkdir(join(home, 'files', 'aa'), { recursive: true })
  await symlink(join(home, 'secret'), join(home, 'files', 'aa', link))
  const names = [...NASTY_NAMES, '../secret', '../../secret', join(home, 'secret'), link, 'A'.repeat(40)]
  expect(names.length).toBeGreaterThan(500)
  for (const name of names) {
    expect(await store.read(name as StorageName), name).toBeUndefined()
    await store.remove(name as StorageName)
  }
  expect((await stat(join(home, 'secret'))).size).toBe(6)
})
